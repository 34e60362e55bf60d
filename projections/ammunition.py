"""What everybody has left to shoot."""

from msgspec import Struct

from ledger.events import AmmunitionSet, AmmunitionSpent, Left


class Ammunition(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's ammunition."""

    of: dict[str, dict[str, int]] = {}
    """For each combatant how many pieces of each kind; a kind that was never counted is missing."""

    def left(self, who: str, kind: str) -> int:
        """How many pieces a combatant has."""
        return self.of.get(who, {}).get(kind, 0)


def _changed(state: Ammunition, event: AmmunitionSet | AmmunitionSpent) -> Ammunition:
    return Ammunition({**state.of, event.who: {**state.of.get(event.who, {}), event.kind: event.left}})


def _left(state: Ammunition, event: Left) -> Ammunition:
    if event.who not in state.of:
        return state
    return Ammunition({who: held for who, held in state.of.items() if who != event.who})


REDUCERS = {AmmunitionSet: _changed, AmmunitionSpent: _changed, Left: _left}
