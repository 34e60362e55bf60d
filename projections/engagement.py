"""Who is locked in combat with whom."""

from msgspec import Struct

from ledger.events import Disengaged, Engaged, Left


class Engagement(Struct, frozen=True, omit_defaults=True, gc=False):
    """All pairs that are locked in combat."""

    pairs: tuple[tuple[str, str], ...] = ()

    def of(self, who: str) -> tuple[str, ...]:
        """Those with whom one combatant is engaged."""
        return tuple(other for pair in self.pairs if who in pair for other in pair if other != who)


def _without(state: Engagement, one: str, other: str) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in state.pairs if set(pair) != {one, other})


def _engaged(state: Engagement, event: Engaged) -> Engagement:
    return Engagement((*_without(state, event.who, event.whom), (event.who, event.whom)))


def _disengaged(state: Engagement, event: Disengaged) -> Engagement:
    return Engagement(_without(state, event.who, event.whom))


def _left(state: Engagement, event: Left) -> Engagement:
    if not state.pairs:
        return state
    return Engagement(tuple([pair for pair in state.pairs if event.who not in pair]))


REDUCERS = {Engaged: _engaged, Disengaged: _disengaged, Left: _left}
