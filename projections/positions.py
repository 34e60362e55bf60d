"""Where everybody stands."""

from msgspec import Struct

from ledger.events import Left, Moved, Placed


class Positions(Struct, frozen=True, omit_defaults=True, gc=False):
    """Squares, for those who have one."""

    at: dict[str, tuple[int, int, int]] = {}
    """x, y and height, in squares; of a body larger than one square its lowest x and y."""


def _placed(state: Positions, event: Placed) -> Positions:
    return Positions({**state.at, event.who: event.at})


def _moved(state: Positions, event: Moved) -> Positions:
    return state if event.to is None else Positions({**state.at, event.who: event.to})


def _left(state: Positions, event: Left) -> Positions:
    if event.who not in state.at:
        return state
    return Positions({who: at for who, at in state.at.items() if who != event.who})


REDUCERS = {Placed: _placed, Moved: _moved, Left: _left}
