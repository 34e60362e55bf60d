"""What everybody may still spend."""

from msgspec import Struct

from ledger.events import EncounterEnded, Event, Left, PointsSet, PointsSpent


class Points(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's allowances."""

    of: dict[str, dict[str, int]] = {}
    """For each combatant what is left of each kind; a kind that was never set is missing."""

    def left(self, who: str, kind: str) -> int:
        """What is left; 0 when it was never set."""
        return self.of.get(who, {}).get(kind, 0)


def _set(state: Points, event: PointsSet) -> Points:
    return Points({**state.of, event.who: {**state.of.get(event.who, {}), event.kind: event.points}})


def _spent(state: Points, event: PointsSpent) -> Points:
    held = state.of.get(event.who, {})
    return Points({**state.of, event.who: {**held, event.kind: held.get(event.kind, 0) - event.points}})


def _ended(state: Points, event: Event) -> Points:
    return Points()


def _left(state: Points, event: Left) -> Points:
    if event.who not in state.of:
        return state
    return Points({who: held for who, held in state.of.items() if who != event.who})


REDUCERS = {PointsSet: _set, PointsSpent: _spent, EncounterEnded: _ended, Left: _left}
