"""Which way everybody looks."""

from msgspec import Struct

from ledger.events import Faced, Left


class Facing(Struct, frozen=True, omit_defaults=True, gc=False):
    """Directions, for those who look in one."""

    of: dict[str, str] = {}
    """N, NE, E, SE, S, SW, W or NW."""


def _faced(state: Facing, event: Faced) -> Facing:
    return Facing({**state.of, event.who: event.direction})


def _left(state: Facing, event: Left) -> Facing:
    if event.who not in state.of:
        return state
    return Facing({who: direction for who, direction in state.of.items() if who != event.who})


REDUCERS = {Faced: _faced, Left: _left}
