"""Follows a ledger while others write into it, and makes the views of it. Reads, and never writes."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from time import monotonic

from msgspec import Struct

from commands.action.book import events_of
from commands.words.discovery import opened, shown
from ledger.chain import GENESIS, Entry
from ledger.errors import AffrayError, LedgerDamaged
from ledger.store import Head, Stamp, Store
from ledger.tray import MOVE_AWAY

from .seating import NOBODY, UNREAD, Seating, Usher, own_view, seats_apart
from .views import KEPT, Snapshot, Watched

_PERIOD, _PAUSE, _OFTEN, _WHILE = 0.1, 1.0, 0.02, 1.0
"""Seconds between two looks at the ledger, and after one at which it could not be read; and those between two, and how
long, where somebody has just tapped.
"""
Sides = Sequence[str] | None
"""The sides of the players, for their view; () for those on which players play, None for the game master's."""


class Look(Struct, frozen=True):
    """What a follower saw at one look."""

    views: Mapping[str, Snapshot]
    """By name; none before the ledger was read for the first time."""
    trouble: AffrayError | None = None
    """Why nothing newer is seen."""
    seating: Seating = NOBODY
    """The seats, where they are served."""
    unseated: AffrayError | None = None
    """Why nothing newer of the seats is seen. Those who only look on see all the same."""


class Follower(threading.Thread):
    """Looks at a ledger again and again, in a thread of its own, and tells what changed; with an usher also who sits in
    which seat.
    """

    def __init__(
        self, path: str, audiences: Mapping[str, Sides], tell: Callable[[Look], None], usher: Usher | None = None
    ) -> None:
        super().__init__(name="follower", daemon=True)
        self.path = path
        self._audiences, self._tell, self._usher = audiences, tell, usher
        self._ended, self._asked, self._soon = threading.Event(), threading.Event(), 0.0
        self._store: Store | None = None
        self._stamp: Stamp | None = None
        self._again = False
        self._damage: LedgerDamaged | None = None
        self._head = Head(0, "", 0, 0)
        self._views: dict[str, Watched] = {}
        self._seen = Look({}, None, UNREAD if usher else NOBODY)

    def end(self) -> None:
        """Ends the thread, and waits for it."""
        self._ended.set()
        self.hurry()
        self.join()

    def hurry(self) -> None:
        """Looks more often for a while: something is about to be recorded."""
        self._soon = monotonic() + _WHILE
        self._asked.set()

    def run(self) -> None:
        """Looks until the end."""
        while not self._ended.is_set():
            self._asked.clear()
            seen = self.look()
            if seen is not self._seen:
                self._seen = seen
                self._tell(seen)
            self._asked.wait(_PAUSE if seen.trouble else _OFTEN if monotonic() < self._soon else _PERIOD)
        self._close()

    def _close(self) -> None:
        if self._store:
            self._store.close()
        self._store = None
        if self._usher:
            self._usher.close()

    def look(self) -> Look:
        """What is seen now; what was seen before, if nothing changed."""
        try:
            changed = self._read()
        except Exception as error:  # a damaged ledger may say anything, and the next look may find a sound one
            if error is not self._damage:
                self._close()
            if not isinstance(error, AffrayError):
                why = f"{shown(self.path)} cannot be shown: {type(error).__name__}: {error}"[:300]
                error = LedgerDamaged(why, "affray verify")
            known = self._seen.trouble
            if known and known.message == error.message:
                return self._seen
            return Look(self._seen.views, error, self._seen.seating, self._seen.unseated)
        seating, unseated = self._seats(changed)
        if changed or self._seen.trouble:
            return Look({name: view.snapshot() for name, view in self._views.items()}, None, seating, unseated)
        if seating is self._seen.seating and unseated is self._seen.unseated:
            return self._seen
        return Look(self._seen.views, None, seating, unseated)

    def _seats(self, changed: bool) -> tuple[Seating, AffrayError | None]:
        """The seats now; those that were seen before, with the reason, where nothing newer can be seen."""
        if self._usher is None:
            return NOBODY, None
        known = self._seen.unseated
        try:
            return self._usher.look(self._views, changed), None
        except AffrayError as error:
            new = error
        except Exception as error:  # a damaged tray may say anything, and the next look may find a sound one
            self._usher.close()
            why = f"The tray of {shown(self.path)} cannot be read: {type(error).__name__}: {error}"[:300]
            new = LedgerDamaged(why, MOVE_AWAY)
        return self._seen.seating, known if known is not None and known.message == new.message else new

    def _read(self) -> bool:
        """Reads what is new, and says whether there was anything. Raises AffrayError when the ledger cannot be read."""
        store, stamp = self._open()
        if stamp == self._stamp and not self._again:
            if self._damage:
                raise self._damage
            return False
        head = store.head()
        self._again = stamp != self._stamp  # somebody may write once more before the clock of the files ticks
        self._stamp, self._damage = stamp, None
        try:
            if head != self._head:
                if not self._follows(store, head):
                    self._views = {name: _made(store, head, sides) for name, sides in self._audiences.items()}
                if self._usher:
                    self._make_apart(store, head)
                self._head = head
                return True
            if self._again:
                self._check(head)
        except LedgerDamaged as error:
            self._damage, self._again, self._head = error, False, Head(0, "", 0, 0)
            raise
        return False

    def _open(self) -> tuple[Store, Stamp | None]:
        """The ledger with its stamp; opened anew where another one has its place now."""
        stamp = self._store.stamp() if self._store else None
        elsewhere = stamp is None or (self._stamp and stamp[:2] != self._stamp[:2])
        if self._store is None or elsewhere or (self._damage and stamp != self._stamp):
            self._close()
            self._store = opened(self.path)
            stamp, self._stamp = self._store.stamp(), None
            self._head = Head(0, "", 0, 0)
        return self._store, stamp

    def _check(self, head: Head) -> None:
        """Reads all entries anew. Raises LedgerDamaged at one that is not what was recorded."""
        with closing(opened(self.path)) as store:
            for _ in checked(store, 1, head.entry, GENESIS):
                pass

    def _follows(self, store: Store, head: Head) -> bool:
        """Adds the new entries, unless they do not follow what was read. A view in which they change what is seen of
        earlier ones is made anew.
        """
        before = self._head
        if not self._views or not before.entry or head.entry <= before.entry:
            return False
        if next(store.entries(before.entry, before.entry))[1] != before.digest:
            return False
        new = checked(store, before.entry + 1, head.entry, before.digest)
        read = [(entry, found, events_of(entry)) for entry, found in new]
        for name, view in self._views.items():
            if any(view.is_outdated_by(events) for _, _, events in read):
                self._views[name] = _made(store, head, view.said, view.seat)
                continue
            for entry, found, events in read:
                view.take(entry, found, events)
        return True

    def _make_apart(self, store: Store, head: Head) -> None:
        """Makes the views of seats that see more than the players, and forgets those of seats that no longer do."""
        for players in [view for name, view in self._views.items() if name in self._audiences and view.sides]:
            assert players.sides is not None
            apart = {own_view(seat): seat for seat in seats_apart(players.state, players.sides)}
            for name in self._views.keys() - apart.keys() - self._audiences.keys():
                del self._views[name]
            for name, seat in apart.items():
                if name not in self._views:
                    self._views[name] = _made(store, head, players.said, seat)


def checked(store: Store, first: int, last: int, previous: str) -> Iterator[tuple[Entry, str]]:
    """Some entries, each with its digest. Raises LedgerDamaged at one that is not what was recorded."""
    for entry, found in store.entries(first, last):
        if store.linked(previous, entry) != found:
            raise LedgerDamaged(f"e{entry.entry} is not what was recorded.", "affray verify")
        yield entry, found
        previous = found


def _made(store: Store, head: Head, sides: Sides, seat: str = "") -> Watched:
    """A view of a ledger up to an entry."""
    view = Watched(store, sides, seat)
    for entry, found in checked(store, 1, head.entry, GENESIS):
        view.take(entry, found, events_of(entry), in_full=entry.entry > head.entry - KEPT)
    return view
