"""How many counted wounds everybody bears."""

from msgspec import Struct

from ledger.events import Left, WoundsHealed, WoundsSustained


class Injuries(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's counted wounds."""

    of: dict[str, int] = {}
    """For each combatant the total; whoever never had any is missing."""

    def total(self, who: str) -> int:
        """The total of one combatant."""
        return self.of.get(who, 0)


def _changed(state: Injuries, event: WoundsSustained | WoundsHealed) -> Injuries:
    return Injuries({**state.of, event.who: event.total})


def _left(state: Injuries, event: Left) -> Injuries:
    if event.who not in state.of:
        return state
    return Injuries({who: total for who, total in state.of.items() if who != event.who})


REDUCERS = {WoundsSustained: _changed, WoundsHealed: _changed, Left: _left}
