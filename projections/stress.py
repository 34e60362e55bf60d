"""How much stress everybody is under."""

from msgspec import Struct

from ledger.events import Left, StressEased, StressGained


class Stress(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's stress."""

    of: dict[str, int] = {}
    """For each combatant the total; whoever never had any is missing."""

    def total(self, who: str) -> int:
        """The total of one combatant."""
        return self.of.get(who, 0)


def _changed(state: Stress, event: StressGained | StressEased) -> Stress:
    return Stress({**state.of, event.who: event.total})


def _left(state: Stress, event: Left) -> Stress:
    if event.who not in state.of:
        return state
    return Stress({who: total for who, total in state.of.items() if who != event.who})


REDUCERS = {StressGained: _changed, StressEased: _changed, Left: _left}
