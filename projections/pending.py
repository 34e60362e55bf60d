"""What was announced and is still to come."""

from typing import Any

from msgspec import Struct

from ledger.events import Awaited, Left, Settled


class Waiting(Struct, frozen=True, gc=False):
    """Something that waits; the fields are those of `Awaited`."""

    kind: str
    who: str
    verb: str
    said: dict[str, Any]
    answerable: tuple[str, ...] = ()
    until: str = ""


class Pending(Struct, frozen=True, gc=False):
    """Everything that waits, in the order of its announcement."""

    waiting: tuple[Waiting, ...] = ()

    def of(self, kind: str, who: str) -> Waiting | None:
        """What waits of one kind for one combatant, if anything does."""
        return next((one for one in self.waiting if (one.kind, one.who) == (kind, who)), None)

    @property
    def window(self) -> Waiting | None:
        """The window that is open, if one is: only those who may answer it may act."""
        return next((one for one in self.waiting if one.answerable), None)


def _without(state: Pending, kind: str, who: str) -> tuple[Waiting, ...]:
    return tuple(one for one in state.waiting if (one.kind, one.who) != (kind, who))


def _awaited(state: Pending, event: Awaited) -> Pending:
    one = Waiting(event.kind, event.who, event.verb, event.said, event.answerable, event.until)
    return Pending((*_without(state, event.kind, event.who), one))


def _settled(state: Pending, event: Settled) -> Pending:
    return Pending(_without(state, event.kind, event.who))


def _left(state: Pending, event: Left) -> Pending:
    return Pending(tuple(one for one in state.waiting if one.who != event.who))


REDUCERS = {Awaited: _awaited, Settled: _settled, Left: _left}
