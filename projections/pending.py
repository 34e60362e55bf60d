"""What was announced and is still to come."""

from typing import Any

from msgspec import Struct

from ledger.events import Awaited, EncounterEnded, Event, Left, RoundBegan, Settled


class Waiting(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that waits; the fields are those of `Awaited`."""

    kind: str
    who: str
    verb: str
    said: dict[str, Any]
    answerable: tuple[str, ...] = ()
    until: str = ""


class Outcome(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that waited, and how it was settled."""

    what: Waiting
    how: str


class Pending(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that waits, in the order of its announcement."""

    waiting: tuple[Waiting, ...] = ()
    settled: tuple[Outcome, ...] = ()
    """What was settled in this round and is not announced anew, in the order of settling."""

    def of(self, kind: str, who: str) -> Waiting | None:
        """What waits of one kind for one combatant, if anything does."""
        for one in self.waiting:
            if one.who == who and one.kind == kind:
                return one
        return None

    def outcome(self, kind: str, who: str) -> Outcome | None:
        """How the last thing of one kind was settled for one combatant in this round, if it was."""
        return next((one for one in self.settled if (one.what.kind, one.what.who) == (kind, who)), None)

    @property
    def window(self) -> Waiting | None:
        """The window that is open, if one is: only those who may answer it may act."""
        return next((one for one in self.waiting if one.answerable), None)


def _without(state: Pending, kind: str, who: str) -> tuple[Waiting, ...]:
    return tuple([one for one in state.waiting if one.who != who or one.kind != kind])


def _before(state: Pending, kind: str, who: str) -> tuple[Outcome, ...]:
    if not state.settled:
        return ()
    return tuple([one for one in state.settled if one.what.who != who or one.what.kind != kind])


def _awaited(state: Pending, event: Awaited) -> Pending:
    one = Waiting(event.kind, event.who, event.verb, event.said, event.answerable, event.until)
    return Pending((*_without(state, event.kind, event.who), one), _before(state, event.kind, event.who))


def _settled(state: Pending, event: Settled) -> Pending:
    settled = _before(state, event.kind, event.who)
    one = state.of(event.kind, event.who)
    if one is None:
        return Pending(state.waiting, settled)
    return Pending(_without(state, event.kind, event.who), (*settled, Outcome(one, event.how)))


def _round(state: Pending, event: Event) -> Pending:
    return Pending(state.waiting)


def _left(state: Pending, event: Left) -> Pending:
    if not state.waiting and not state.settled:
        return state
    return Pending(
        tuple([one for one in state.waiting if one.who != event.who]),
        tuple([one for one in state.settled if one.what.who != event.who]),
    )


REDUCERS = {Awaited: _awaited, Settled: _settled, RoundBegan: _round, EncounterEnded: _round, Left: _left}
