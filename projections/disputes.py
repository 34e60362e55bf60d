"""Disputes: the cases that are open."""

from msgspec import Struct

from ledger.events import DisputeClosed, DisputeOpened


class Case(Struct, frozen=True, omit_defaults=True, gc=False):
    """A dispute that is not settled yet."""

    entry: int
    """The entry in dispute."""
    why: str
    """What is said against it."""


class Disputes(Struct, frozen=True, omit_defaults=True, gc=False):
    """What the table has not settled yet."""

    open: tuple[Case, ...] = ()
    """In the order in which the cases were opened."""

    def of(self, entry: int) -> Case | None:
        """The open case about an entry, if there is one."""
        return next((case for case in self.open if case.entry == entry), None)


def _opened(state: Disputes, event: DisputeOpened) -> Disputes:
    return Disputes((*state.open, Case(event.entry, event.why)))


def _closed(state: Disputes, event: DisputeClosed) -> Disputes:
    return Disputes(tuple(case for case in state.open if case.entry != event.entry))


REDUCERS = {DisputeOpened: _opened, DisputeClosed: _closed}
