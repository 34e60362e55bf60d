"""The file of a record: what SQLite finds, what belongs in it, and which entries can be read."""

from collections.abc import Iterator

from ledger.chain import Entry
from ledger.errors import LedgerDamaged
from ledger.store import BATCH, Store

from .findings import Findings


class ExaminedFile:
    """Examines the file before its entries are read, and after; reads all that can be read."""

    def __init__(self, store: Store, findings: Findings) -> None:
        self._store, self._findings = store, findings
        self._strays: set[int] = set()
        """Numbers of entries that are not there, though events of them are."""
        self._unreadable: set[int] = set()
        """Entries on damaged pages of the file."""

    def open(self) -> None:
        """What SQLite finds wrong with the file, and how its tables, indexes, triggers and views differ from the
        format.

        From now on every course is found in the rows; where the file itself is damaged, nothing comes from an index.
        """
        broken, differing = self._store.unsound()
        for problem in broken:
            self._findings.say("damage", 0, f"SQLite finds damage in {self._store.path}: {problem}.", "file")
        for problem in differing:
            self._findings.say("damage", 0, problem, "file")
        self._store.trust_rows(only=bool(broken))

    def entries(self, last: int) -> Iterator[tuple[Entry, str]]:
        """All entries that can be read up to `last`, each with the digest that is held of it."""
        number = 1
        while number <= last:
            try:
                for found in self._store.entries(number, last, self._strays):
                    number = found[0].entry + 1
                    yield found
                return
            except LedgerDamaged:  # somewhere among the next ones
                for one in range(number, min(number + BATCH, last + 1)):
                    try:
                        yield from self._store.entries(one, one, self._strays)
                    except LedgerDamaged:
                        self._unreadable.add(one)
                number += BATCH

    def missing(self, first: int, last: int) -> dict[int, int]:
        """Entries that were not given, each with the one to blame: those that are not there together, those that cannot
        be read one by one.
        """
        if not any(first <= one <= last for one in self._unreadable):
            self._findings.damage(first, f"to e{last} are missing." if last > first else "is missing.")
            return dict.fromkeys(range(first, last + 1), first)
        for one in range(first, last + 1):
            self._findings.damage(one, "cannot be read." if one in self._unreadable else "is missing.")
        return {one: one for one in range(first, last + 1)}

    def close(self) -> None:
        """After all entries were read: the events that belong to none, and the order of the rows."""
        for stray in sorted(self._strays):
            self._findings.damage(stray, f"is not there, but {self._store.path} holds events of it.", "file")
        try:
            if self._store.has_strays():
                self._findings.say(
                    "damage", 0, f"{self._store.path} holds events of an entry that it does not hold.", "file"
                )
            for problem in self._store.disorder():
                self._findings.say("damage", 0, problem, "file")
        except LedgerDamaged as error:
            self._findings.say("damage", 0, error.message, "file")
