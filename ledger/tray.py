"""The tray: what lies beside a ledger and is no part of the record. Links of seats, proposals that nobody decided yet,
and questions that nobody answered yet.

Of a ledger in a file it is a file of its own, which only its owner can read; of one in PostgreSQL a table beside it. No
copy, export or backup takes it. Without it nothing of the record is lost.
"""

import os
import sqlite3
from contextlib import suppress
from secrets import randbits
from typing import Any, Protocol

from msgspec import Struct

from .errors import LedgerBusy, LedgerDamaged, LedgerMissing
from .store import longest_wait

_BESIDE = "-seats"
"""Stands behind the name of a ledger's file in that of its tray."""
LINK, SERVED, PROPOSAL, QUESTION = "link", "served", "proposal", "question"
"""The kinds of papers: the secret of a seat, where its page is served, what it proposes, what it is asked."""
_UNNUMBERED = (LINK, SERVED)
"""Those that nobody names by a number."""
_KEPT = 400
"""The most papers of one kind that are kept once they are settled."""
_TABLE = """
CREATE TABLE tray (
    campaign TEXT NOT NULL, nth INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT NOT NULL, id TEXT NOT NULL,
    state TEXT NOT NULL, body TEXT NOT NULL, changed INTEGER NOT NULL,
    PRIMARY KEY (campaign, nth), UNIQUE (campaign, kind, seat, id)
)"""
_FIELDS = "nth, kind, seat, id, state, body"


MOVE_AWAY = "Move it away; the ledger itself is not touched by it."
"""What helps where a tray is damaged."""


class Paper(Struct, frozen=True, gc=False):
    """Something that lies on the tray."""

    nth: int
    """Its number: 1 for the first proposal or question that was ever laid there; negative for what nobody names."""
    kind: str
    seat: str
    id: str
    """Chosen by those who laid it there; unique for its kind and seat."""
    state: str
    body: str
    """JSON."""


class Tray(Protocol):
    """The papers beside one campaign. Every call raises LedgerBusy or LedgerMissing when it cannot be used now."""

    table = "tray"
    """The name of the table."""
    _campaign: str

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a statement, which is recorded for good when this returns. `?` stands for each value."""

    def close(self) -> None:
        """Ends all use of it."""

    def version(self) -> tuple[int, int]:
        """Differs when something has changed."""
        query = f"SELECT count(*), coalesce(sum(changed), 0) FROM {self.table} WHERE campaign = ?"
        found = self._ask(query, self._campaign)
        return int(found[0][0]), int(found[0][1])

    def papers(self, kind: str, *states: str) -> list[Paper]:
        """The papers of a kind, in any state or in some, in the order in which they were laid there."""
        chosen = f" AND state IN ({', '.join('?' * len(states))})" if states else ""
        query = f"SELECT {_FIELDS} FROM {self.table} WHERE campaign = ? AND kind = ?{chosen} ORDER BY nth"
        return [Paper(*row) for row in self._ask(query, self._campaign, kind, *states)]

    def find(self, kind: str, seat: str, id_: str) -> Paper | None:
        """One paper, if it is there."""
        query = f"SELECT {_FIELDS} FROM {self.table} WHERE campaign = ? AND kind = ? AND seat = ? AND id = ?"
        rows = self._ask(query, self._campaign, kind, seat, id_)
        return Paper(*rows[0]) if rows else None

    def lay(self, kind: str, seat: str, id_: str, state: str, body: str) -> Paper:
        """Lays a paper there, unless there is one of that kind, seat and id; gives the one that is there then."""
        while (found := self.find(kind, seat, id_)) is None:
            self._insert(kind, seat, id_, state, body)
        return found

    def _insert(self, kind: str, seat: str, id_: str, state: str, body: str) -> None:
        nth = "coalesce(min(nth), 0) - 1" if kind in _UNNUMBERED else "coalesce(max(nth), 0) + 1"
        which = "nth < 0" if kind in _UNNUMBERED else "nth > 0"
        query = (
            f"INSERT INTO {self.table} (campaign, nth, kind, seat, id, state, body, changed)"
            f" SELECT ?, {nth}, ?, ?, ?, ?, ?, ? FROM {self.table} WHERE campaign = ? AND {which}"
            " ON CONFLICT DO NOTHING"
        )
        self._ask(query, self._campaign, kind, seat, id_, state, body, randbits(40), self._campaign)

    def change(self, paper: Paper, state: str, body: str | None = None) -> bool:
        """Changes a paper, if it is still in the state in which it was read; says whether it was."""
        query = (
            f"UPDATE {self.table} SET state = ?, body = ?, changed = ?"
            " WHERE campaign = ? AND nth = ? AND state = ? AND body = ? RETURNING nth"
        )
        new = state, paper.body if body is None else body, randbits(40)
        return bool(self._ask(query, *new, self._campaign, paper.nth, paper.state, paper.body))

    def put(self, kind: str, seat: str, id_: str, state: str, body: str) -> None:
        """Lays a paper there in place of the one of that kind, seat and id."""
        while not self.change(self.lay(kind, seat, id_, state, body), state, body):
            pass

    def take(self, kind: str, seat: str) -> None:
        """Takes the papers of a kind and a seat away."""
        self._ask(f"DELETE FROM {self.table} WHERE campaign = ? AND kind = ? AND seat = ?", self._campaign, kind, seat)

    def tidy(self, kind: str, *settled: str) -> None:
        """Takes the oldest papers of a kind away that are settled, where there are many."""
        for paper in self.papers(kind, *settled)[:-_KEPT]:
            self._ask(f"DELETE FROM {self.table} WHERE campaign = ? AND nth = ?", self._campaign, paper.nth)


class FileTray(Tray):
    """The tray of a ledger in a file."""

    def __init__(self, path: str, campaign: str) -> None:
        super().__init__(campaign)
        self.path = path + _BESIDE
        try:
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            found = os.stat(self.path)
            self._place = found.st_dev, found.st_ino
            self._db = sqlite3.connect(self.path, timeout=longest_wait(), isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise LedgerMissing(f"{self.path} cannot be opened: {getattr(error, 'strerror', None) or error}.") from None
        self._ask("PRAGMA synchronous = EXTRA")
        if not self._ask("SELECT 1 FROM sqlite_master WHERE name = 'tray'"):
            with suppress(LedgerDamaged):  # somebody else made it at the same time
                self._ask(_TABLE)
            self._ask("SELECT 1 FROM tray LIMIT 1")

    def _check_place(self) -> None:
        """Raises LedgerMissing where the file is gone or another one has its place: nobody else reads this one."""
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self._place:
            raise LedgerMissing(f"{self.path} was moved away.")

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        self._check_place()
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise LedgerBusy(f"{self.path} is being written by others.", "Try again in a moment.") from None
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                raise LedgerMissing(f"{self.path} cannot be written: {error}.") from None
            raise LedgerDamaged(f"{self.path} is not a tray of a ledger: {error}.", MOVE_AWAY) from None

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
