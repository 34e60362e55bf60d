"""Follows a ledger while others write into it, and makes the views of it. Reads, and never writes."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from commands.action.book import events_of
from ledger.errors import AffrayError, LedgerDamaged
from ledger.store import Head, Store

from .views import KEPT, Snapshot, View

PERIOD, PAUSE = 0.1, 1.0
"""Seconds between two looks at the ledger, and after one at which it could not be read."""
Sides = Sequence[str] | None
"""The sides of the players, for their view; None for the game master's."""


class Seen(Struct, frozen=True):
    """What a follower saw at one look."""

    views: Mapping[str, Snapshot]
    """By name; none before the ledger was read for the first time."""
    trouble: AffrayError | None = None
    """Why nothing newer is seen."""


class Follower(threading.Thread):
    """Looks at a ledger again and again, in a thread of its own, and tells what changed."""

    def __init__(self, path: str, audiences: Mapping[str, Sides], tell: Callable[[Seen], None]) -> None:
        super().__init__(name="follower", daemon=True)
        self.path = path
        self._audiences, self._tell = audiences, tell
        self._ended = threading.Event()
        self._store: Store | None = None
        self._file = (0, 0)
        self._head = Head(0, "", 0, 0)
        self._views: dict[str, View] = {}
        self._seen = Seen({})

    def end(self) -> None:
        """Ends the thread, and waits for it."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        """Looks until the end."""
        while True:
            seen = self._look()
            if seen is not self._seen:
                self._seen = seen
                self._tell(seen)
            if self._ended.wait(PAUSE if seen.trouble else PERIOD):
                break
        self._close()

    def _close(self) -> None:
        if self._store:
            self._store.close()
        self._store = None

    def _look(self) -> Seen:
        """What is seen now; what was seen before, if nothing changed."""
        try:
            changed = self._read()
        except Exception as error:  # a damaged ledger may say anything, and the next look may find a sound one
            self._close()
            if not isinstance(error, AffrayError):
                why = f"{self.path} cannot be shown: {type(error).__name__}: {error}"[:300]
                error = LedgerDamaged(why, "affray verify")
            known = self._seen.trouble
            return self._seen if known and known.message == error.message else Seen(self._seen.views, error)
        if not changed and not self._seen.trouble:
            return self._seen
        return Seen({name: view.snapshot() for name, view in self._views.items()})

    def _read(self) -> bool:
        """Reads what is new, and says whether there was anything. Raises AffrayError when the ledger cannot be read."""
        store = self._open()
        head = store.head()
        if head == self._head:
            return False
        if not self._follows(store, head):
            self._make(store, head)
        self._head = head
        return True

    def _open(self) -> Store:
        """The ledger; opened anew where another file has its name now."""
        try:
            found = os.stat(self.path)
            file = found.st_dev, found.st_ino
        except OSError:
            file = 0, 0  # opening it says why
        if self._store is None or file != self._file:
            self._close()
            self._store, self._file = Store.open(self.path), file
            self._head = Head(0, "", 0, 0)
        return self._store

    def _follows(self, store: Store, head: Head) -> bool:
        """Adds the new entries, unless they do not follow what was read. A view in which they change what is seen of
        earlier ones is made anew.
        """
        before = self._head
        if not self._views or not before.entry or head.entry <= before.entry:
            return False
        (_, digest), *new = store.entries(before.entry, head.entry)
        if digest != before.digest:
            return False
        read = [(entry, digest, events_of(entry)) for entry, digest in new]
        for name, view in self._views.items():
            if any(view.is_outdated_by(events) for _, _, events in read):
                self._views[name] = _made(store, head, self._audiences[name])
                continue
            for entry, digest, events in read:
                view.take(entry, digest, events)
        return True

    def _make(self, store: Store, head: Head) -> None:
        """Makes all views from the first entry on."""
        self._views = {name: _made(store, head, sides) for name, sides in self._audiences.items()}


def _made(store: Store, head: Head, sides: Sides) -> View:
    """A view of a ledger up to an entry."""
    view = View(store, sides)
    for entry, digest in store.entries(1, head.entry):
        view.take(entry, digest, events_of(entry), in_full=entry.entry > head.entry - KEPT)
    return view
