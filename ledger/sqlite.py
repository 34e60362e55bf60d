"""The ledger file: one SQLite database, to which commands can only append.

`docs/store.md` describes the format well enough to read and verify it in another language.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from . import APPLICATION_ID, FORMAT
from .chain import COLUMNS, GENESIS, TYPES, Blinds, Entry
from .errors import AffrayError, AlreadyRecorded, LedgerDamaged, LedgerMissing, NoLedger
from .guarded import MAY, Asking, Explained, Patience, Reading, authorize, guard, most_entries
from .store import BATCH, SPARSE, Checkpoint, Head, Range, Stamp, Store, check_format, longest_wait, possible, seal

SYSTEM = "SELECT body ->> '$.system' FROM events WHERE seq = 2"
"""Gives the rule system of the campaign."""

_JUMP = """
SELECT entry, after, (SELECT after FROM entries NOT INDEXED WHERE entry = jump.entry) FROM entries AS jump
WHERE after <> entry - 1 AND entry <= ? ORDER BY entry DESC LIMIT 1"""
"""Finds the newest jump up to an entry by the index, and what it stands after by the index and by its row."""
_APPENDED = "SELECT (SELECT digest FROM entries WHERE entry = ?), body, split FROM events WHERE entry = ? ORDER BY seq"
_LASTING = "kind IN ('stirred', 'revealed', 'dice-revealed')"
"""Finds, by its index, what no undo takes back."""


class SqliteStore(Store):
    """An open ledger file. Use `SqliteStore.open` or `SqliteStore.create`."""

    rescue = "Save what is sound into a new ledger with salvage."

    def __init__(self, path: str, connection: sqlite3.Connection, patience: "Patience") -> None:
        self.path, self._db = path, connection
        self._hurried = self._in_series = False
        self._asking = Asking(path, patience)
        self._jumps: list[Range] | None = None
        """Every jump with what it stands after, as the rows have it, once they were read; None before."""
        self._indexed = ""
        """Keeps a statement from an index, where that is found to be damaged."""
        self._head: Head | None = None
        """The head, while nobody else can write; None outside of `writing`."""
        self._appended: Head | None = None
        """The last entry of the transaction under way."""
        self._blinds: Blinds | None = None
        self.wrote = False
        """Whether a transaction was recorded here, for good."""

    @classmethod
    def create(cls, path: str, key: bytes) -> "SqliteStore":
        """A new ledger without entries, with its key; one for players has none (b"").

        Raises LedgerMissing when it cannot be made there.
        """
        from .schema import lay_out

        with Explained(path):
            lay_out(path, APPLICATION_ID, FORMAT)
        store = cls.open(path)
        if key:
            with Explained(path):
                store._db.execute("INSERT INTO keys VALUES (?)", (key.hex(),))
        return store

    @classmethod
    def open(cls, path: str) -> "SqliteStore":
        """The ledger at `path`.

        Raises NoLedger when there is none; LedgerMissing when it is no ledger, or has another format than this program;
        LedgerBusy and LedgerDamaged when it cannot be read.
        """
        if not os.path.isfile(path):
            try:
                os.stat(path)
            except PermissionError as error:
                raise LedgerMissing(f"{path} cannot be looked for: {error.strerror}.", MAY) from None
            except (OSError, ValueError):
                pass
            raise NoLedger(f"There is no ledger at {path}.", "Name another file, or open a ledger with init.")
        with Reading(path):
            db = sqlite3.connect(path, timeout=longest_wait(), isolation_level=None)
            patience = guard(db, path)
            try:
                (application,) = db.execute("PRAGMA application_id").fetchone()
                (version,) = db.execute("PRAGMA user_version").fetchone()
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_NOTADB:
                    raise
                application = version = 0
            if application != APPLICATION_ID:
                raise LedgerMissing(f"{path} is not an Affray ledger.")
            check_format(path, version)
            db.execute("PRAGMA synchronous = EXTRA")
            if sys.platform == "darwin":  # whose usual sync leaves an entry in the memory of the disk
                db.execute("PRAGMA fullfsync = ON")
            db.execute("PRAGMA recursive_triggers = ON")
            (journal,) = db.execute("PRAGMA journal_mode = DELETE").fetchone()
            (synchronous,) = db.execute("PRAGMA synchronous").fetchone()
            if (journal, synchronous) != ("delete", 3):
                raise LedgerDamaged(f"{path} cannot be written safely: journal {journal}, synchronous {synchronous}.")
            db.set_authorizer(authorize)
        return cls(path, db, patience)

    def close(self) -> None:
        if self._in_series:
            self.series(False)
        self._db.close()

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    # Reading

    def system(self) -> str:
        row = self._one(SYSTEM)
        if not (row and row[0]):
            raise LedgerDamaged(f"{self.path} does not begin with a campaign.", "affray verify")
        return str(row[0])

    @property
    def is_for_players(self) -> bool:
        row = self._one("SELECT parts <> '' FROM entries WHERE entry = 1")
        return row is not None and row[0] == 1

    def head(self) -> Head:
        if self._head is not None:
            return self._head
        row = self._one("SELECT entry, digest, drawn, hidden FROM entries ORDER BY entry DESC LIMIT 1")
        if row is None:
            return Head(0, GENESIS, 0, 0)
        possible = [*map(type, row)] == [int, str, int, int] and 0 < row[0] < self._most()
        if not (possible and 0 <= row[2] < 2**53 > row[3] >= 0):
            raise LedgerDamaged(f"{self.path} says that it ends with e{row[0]}, which cannot be so.", "affray verify")
        return Head(*row)

    def stamp(self) -> Stamp | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size

    def _most(self) -> int:
        """A number that no entry has: the file is too small for so many."""
        appended = self._appended.entry if self._appended else 0  # the file grows at the end of the transaction
        return max(appended + 1, most_entries(self.path))

    def _key(self) -> str | None:
        return next(iter(self._one("SELECT key FROM keys") or ()), None)

    def _stirs(self, newest: int = 0) -> list[tuple[int, str]]:
        query = f"SELECT entry, body FROM events WHERE {_LASTING} AND kind = 'stirred' ORDER BY seq DESC LIMIT ?"
        with self._asking:
            rows = self._db.execute(query, (newest or -1,)).fetchall()
        return self._typed(rows[::-1], int, str)

    def lasting(self, above: int) -> set[int]:
        with self._asking:
            rows = self._db.execute(f"SELECT entry FROM events WHERE {_LASTING} AND +entry > ?", (above,)).fetchall()
        return {entry for (entry,) in self._typed(rows, int)}

    def entries(self, first: int, last: int, strays: set[int] | None = None) -> Iterator[tuple[Entry, str]]:
        for start in range(first, last + 1, BATCH):
            within = (start, min(start + BATCH - 1, last))
            with self._asking:
                rows = self._db.execute(
                    f"SELECT {COLUMNS} FROM entries WHERE entry BETWEEN ? AND ? ORDER BY entry", within
                ).fetchall()
                bodies: dict[int, list[str]] = {row[0]: [] for row in rows}
                splits: dict[int, list[int]] = {row[0]: [] for row in rows}
                for entry, body, split in self._events(*within, surely=strays is None):
                    if entry in bodies:
                        bodies[entry].append(body)
                        splits[entry].append(split)
                    elif strays is None:
                        raise LedgerDamaged(f"{self.path} holds events of e{entry}, which is not there.")
                    else:
                        strays.add(entry)
            yield from (self._entry(row, bodies[row[0]], splits[row[0]], strays is None) for row in rows)

    def _entry(self, row: list[Any], bodies: list[Any], splits: list[Any], surely: bool) -> tuple[Entry, str]:
        """An entry of a row, with its digest. `surely`: raises LedgerDamaged where something else stands in its place;
        else that is made what an entry can hold.
        """
        *fields, parts, digest_held = row
        if surely and not possible(*fields[:6]):
            raise LedgerDamaged(f"e{fields[0]} says of itself what is so of no entry.", "affray verify")
        halved = all(type(half) is int and half >= 0 for half in splits)
        if [*map(type, row)] != TYPES or not all(type(body) is str for body in bodies) or not halved:
            if surely:
                raise LedgerDamaged(f"{self.path} holds something else where an entry should be.")
            fields = [*(int(field) if type(field) is int else -1 for field in fields[:6]), *map(str, fields[6:])]
            splits = [half if type(half) is int and half >= 0 else 0 for half in splits]
            bodies, parts, digest_held = [*map(str, bodies)], str(parts), str(digest_held)
        return Entry(*fields, bodies=tuple(bodies), splits=tuple(splits), parts=parts), digest_held

    def bodies(self, ranges: Sequence[Range]) -> Iterator[str]:
        for first, last in ranges:
            for start in range(first, last + 1, BATCH):
                end = min(start + BATCH - 1, last)
                self.check_unbroken(start + (start == first), end)
                with self._asking:
                    found = [*self._events(start, end, surely=True)]
                yield from (body for _, body, _ in found)

    def _events(self, first: int, last: int, surely: bool) -> Iterator[tuple[int, str, int]]:
        """The bodies of the events of entries `first` to `last`, in order, each with its entry and its split.

        `surely` finds them in their table, whatever its index says, and raises LedgerDamaged when that is wrong.
        Without, whatever any of the two holds is found: damage is looked for.
        """
        if not surely:
            yield from self._db.execute(
                f"SELECT entry, body, split FROM events {self._indexed} WHERE entry BETWEEN ? AND ? ORDER BY seq",
                (first, last),
            )
            return
        row = self._db.execute(
            f"SELECT seq FROM events {self._indexed} WHERE entry >= ? ORDER BY entry, seq LIMIT 1", (first,)
        ).fetchone()
        start = row[0] if row else 2**63 - 1
        query = "SELECT entry FROM events NOT INDEXED WHERE seq < ? ORDER BY seq DESC LIMIT 1"
        before = self._db.execute(query, (start,)).fetchone()
        at = before[0] if before else 0
        if type(at) is not int or at >= first:
            raise self._disordered()
        query = "SELECT entry, body, split FROM events NOT INDEXED WHERE seq >= ? ORDER BY seq"
        with closing(self._db.execute(query, (start,))) as rows:  # a read that goes on would lock the file
            for entry, body, split in rows:
                if type(entry) is not int or entry < max(at, first):
                    raise self._disordered()
                if entry > last:
                    return
                at = entry
                yield entry, body, split

    def _disordered(self) -> LedgerDamaged:
        return LedgerDamaged(f"{self.path} has its events in another order than their index says.", "affray verify")

    def check_unbroken(self, first: int, last: int) -> None:
        if first > last:
            return
        query = "SELECT count(*) FROM entries NOT INDEXED WHERE entry BETWEEN ? AND ? AND after = entry - 1"
        if self._one(query, first, last) != (last - first + 1,):
            message = f"The course of play from e{first - 1} to e{last} is not what the index of jumps says."
            raise LedgerDamaged(message, "affray verify")

    def has_strays(self) -> bool:
        row = self._one("SELECT 1 FROM events WHERE entry < 1 OR entry > (SELECT max(entry) FROM entries) LIMIT 1")
        return row is not None

    def unsound(self) -> tuple[list[str], list[str]]:
        from .schema import differences

        with Reading(self.path), closing(sqlite3.connect(self.path)) as plain:
            guard(plain, self.path)
            differ = differences(plain)
            try:
                rows = plain.execute("PRAGMA integrity_check").fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as error:
                rows = [(str(error),)]
        return [str(row[0]) for row in rows if row != ("ok",)], differ

    def disorder(self) -> list[str]:
        found = []
        if self._one("SELECT 1 FROM entries NOT INDEXED WHERE entry < 1 LIMIT 1"):
            found.append(f"{self.path} holds an entry before e1.")
        count, first, last = self._one("SELECT count(*), min(seq), max(seq) FROM events NOT INDEXED") or (0, 0, 0)
        if count and (first, last) != (1, count):
            found.append(f"{self.path} holds {count} events, numbered from {first} to {last}.")
        if self._one(
            "SELECT 1 FROM (SELECT entry < lag(entry) OVER (ORDER BY seq) AS back FROM events NOT INDEXED)"
            " WHERE back LIMIT 1"
        ):
            found.append(f"{self.path} holds events in another order than their entries.")
        return found

    def course(self, tip: int) -> Iterator[Range]:
        while tip > 0:
            first, after = self._jump(tip)
            if type(after) is not int or not -1 < after < first:
                raise LedgerDamaged(f"e{first} stands after e{after}, which does not come before it.", "affray verify")
            yield first, tip
            tip = after

    def _jump(self, tip: int) -> Range:
        """The newest jump up to an entry and what that stands after, checked in its row; 1 and 0 if there is none."""
        if self._jumps is not None:
            from bisect import bisect_left

            return self._jumps[at - 1] if (at := bisect_left(self._jumps, (tip + 1,))) else (1, 0)
        row = self._one(_JUMP, tip)
        if row is None:
            return 1, 0
        first, after, held = row
        if after != held or type(first) is not int or first > tip:
            raise LedgerDamaged(f"e{first} does not stand where the index of jumps says.", "affray verify")
        return first, after

    def trust_rows(self, only: bool) -> None:
        last = self.head().entry
        try:
            self._jumps = self._jumps_in(1, last)
        except LedgerDamaged:
            self._jumps = []
            for number in range(1, last + 1):
                with suppress(LedgerDamaged):  # a row on a damaged page
                    self._jumps += self._jumps_in(number, number)
        self._indexed = "NOT INDEXED" if only else ""

    def _jumps_in(self, first: int, last: int) -> list[Range]:
        with self._asking:
            return self._db.execute(
                "SELECT entry, after FROM entries NOT INDEXED"
                " WHERE entry BETWEEN ? AND ? AND after <> entry - 1 ORDER BY entry",
                (first, last),
            ).fetchall()

    def after(self, number: int) -> int:
        row = self._one("SELECT after FROM entries WHERE entry = ?", number)
        after: int = row[0] if row else 0
        if type(after) is not int or not -1 < after < max(number, 1):
            raise LedgerDamaged(f"e{number} stands after e{after}, which does not come before it.", "affray verify")
        return after

    def resolved_again(self, until: int) -> list[tuple[int, int]]:
        with self._asking:
            rows = self._db.execute(
                "SELECT entry, origin FROM entries WHERE origin <> entry AND entry <= ? ORDER BY entry", (until,)
            ).fetchall()
        return self._typed(rows, int, int)

    def recorded(self, once: str) -> int | None:
        row = self._one("SELECT entry FROM entries WHERE once = ? AND once <> ''", once)
        return int(row[0]) if row else None

    def checkpoint(self, reducers: str, first: int, last: int) -> Checkpoint | None:
        with self._asking:
            for entry, state, sealed, entry_digest in self._db.execute(
                "SELECT c.entry, c.state, c.seal, e.digest FROM checkpoints AS c JOIN entries AS e USING (entry)"
                " WHERE c.entry BETWEEN ? AND ? AND c.reducers = ? ORDER BY c.entry DESC",
                (first, last, reducers),
            ):
                if sealed == seal(entry_digest, reducers, state):
                    return Checkpoint(entry, reducers, state, sealed)
        return None

    def checkpoints(self) -> list[int]:
        with self._asking:
            return [entry for (entry,) in self._db.execute("SELECT entry FROM checkpoints ORDER BY entry")]

    def of_kinds(self, *kinds: str) -> list[tuple[int, str]]:
        letters = [(kind + '"')[:4] for kind in kinds]  # four cost less to look at than to find where a kind ends
        marks = ", ".join("?" * len(kinds))
        with self._asking:
            rows = self._db.execute(
                f"SELECT entry, body FROM events WHERE substr(body, 11, 4) IN ({marks}) AND kind IN ({marks})"
                " ORDER BY seq",
                (*letters, *kinds),
            ).fetchall()
        return self._typed(rows, int, str)

    def _typed(self, rows: list[tuple[Any, ...]], *types: type) -> list[tuple[Any, ...]]:
        """Rows whose values are of these types. A damaged row may hold others, whatever its table takes."""
        if any([*map(type, row)] != [*types] for row in rows):
            raise LedgerDamaged(f"{self.path} holds something else where an entry should be.", "affray verify")
        return rows

    @contextmanager
    def still(self) -> Iterator[Head]:
        with Explained(self.path):
            self._db.execute("BEGIN")
            try:
                yield self.head()
            finally:
                self._db.execute("ROLLBACK")

    def copy_to(self, path: str) -> None:
        """Writes the whole file into an empty one, page by page, inside `still`."""
        with Explained(path), closing(sqlite3.connect(path)) as copy:
            self._db.backup(copy)

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Head]:
        with Explained(self.path):
            self._appended = None
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._head = self.head()
                yield self._head
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error) and (last := self._appended) and self._holds(last):
                    raise AlreadyRecorded(
                        f"The disk reports an error ({error}), but the command is recorded: {self.path} ends with"
                        f" e{last.entry}.",
                        "affray verify",
                    ) from error
                raise
            finally:
                self._head = None
            self.wrote |= self._appended is not None
        if self._hurried:
            self._hurried = False
            self._may_wait(longest_wait())

    def append(self, entry: Entry, expected: Head, reducers: str = "", state: str = "") -> Head:
        link = self._linked(entry, expected)
        halves = [*zip(entry.bodies, entry.splits, strict=True)]
        with self._asking:
            self._db.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*entry.heading, entry.parts, link),
            )
            seq = (self._one("SELECT max(seq) FROM events") or (0,))[0] or 0
            insert = "INSERT INTO events (seq, entry, body, split) VALUES (?, ?, ?, ?)"
            self._db.executemany(insert, [(seq + at, entry.entry, *half) for at, half in enumerate(halves, 1)])
            held = self._db.execute(_APPENDED, (entry.entry, entry.entry)).fetchall()
            if held != [(link, *half) for half in halves]:
                raise LedgerDamaged(f"{self.path} does not take what is to be recorded.", "affray verify")
            if reducers:
                self.save_checkpoint(entry.entry, link, reducers, state)
        self._head = self._appended = Head(entry.entry, link, entry.drawn, entry.hidden)
        return self._appended

    def _holds(self, last: Head) -> bool:
        """Whether an entry is in the file after all, when its transaction ended with an error."""
        try:
            return self._one("SELECT digest FROM entries WHERE entry = ?", last.entry) == (last.digest,)
        except AffrayError:
            return False

    def save_checkpoint(self, entry: int, entry_digest: str, reducers: str, state: str) -> None:
        # First the old one goes, so that its pages of the file are used again.
        self._db.execute(
            "DELETE FROM checkpoints WHERE entry = (SELECT max(entry) FROM checkpoints WHERE entry < ?)"
            " AND entry % ? <> 0",
            (entry, SPARSE),
        )
        keep = "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)"
        self._db.execute(keep, (entry, reducers, state, seal(entry_digest, reducers, state)))

    def series(self, on: bool) -> None:
        # The journal stays beside the file, without a head, in place of being made and removed for each commit.
        with suppress(sqlite3.Error):
            self._db.execute(f"PRAGMA journal_mode = {'PERSIST' if on else 'DELETE'}")
        self._in_series = on

    def hurry(self, waited: float) -> None:
        self._hurried = True
        self._may_wait(longest_wait() - waited)

    def _may_wait(self, seconds: float) -> None:
        """How long each of the next statements waits for other processes."""
        self._db.execute(f"PRAGMA busy_timeout = {max(0, int(seconds * 1000))}")

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with self._asking:
            row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
            return row
