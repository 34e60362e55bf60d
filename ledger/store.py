"""The ledger file: one SQLite database, to which commands can only append.

`docs/store.md` describes the format well enough to read and verify it in another language.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from msgspec import Struct

from . import APPLICATION_ID, FORMAT
from .chain import GENESIS, Entry, digest
from .errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing, NoLedger, Recorded, UsageError
from .hashing import hexdigest

WAIT = 10.0
"""Seconds that a command waits in all for other processes that write. `$AFFRAY_WAIT` replaces it."""
MOST_WAIT = 86_400
SYSTEM = "SELECT body ->> '$.system' FROM events WHERE seq = 2"
"""Gives the rule system of the campaign."""
SPARSE = 256
"""Checkpoints of entries divisible by this are kept; the others only while their entry is the head."""

BATCH = 500
"""Entries that are read at a time."""

Range = tuple[int, int]
"""First and last entry of an unbroken piece of a course, both included."""


class Head(Struct, frozen=True, gc=False):
    """The last entry of a ledger."""

    entry: int
    digest: str
    drawn: int


class Checkpoint(Struct, frozen=True, gc=False):
    """A folded state, as its bytes."""

    entry: int
    reducers: str
    """Version of the reducers that folded it."""
    state: str
    seal: str
    """SHA-256 of the digest of its entry, the reducers and the state."""


@cache
def _permitted() -> frozenset[tuple[int, str | None]]:
    reads = {(sqlite3.SQLITE_READ, table) for table in ("entries", "events", "keys", "checkpoints")}
    writes = {(sqlite3.SQLITE_INSERT, table) for table in ("entries", "events", "keys", "checkpoints")}
    others = {(sqlite3.SQLITE_DELETE, "checkpoints"), (sqlite3.SQLITE_PRAGMA, "busy_timeout")}
    return frozenset(reads | writes | others)


_ALWAYS = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


def _authorize(action: int, first: str | None, *_: object) -> int:
    """Permits selecting, appending and transactions; nothing else, whatever the file's own triggers ask for."""
    return sqlite3.SQLITE_OK if action in _ALWAYS or (action, first) in _permitted() else sqlite3.SQLITE_DENY


def _wait() -> float:
    said = os.environ.get("AFFRAY_WAIT") or str(WAIT)
    try:
        seconds = float(said)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= MOST_WAIT:
        raise UsageError(f"$AFFRAY_WAIT is {said[:40]!a}; it should be a number of seconds, 0 to {MOST_WAIT:,}.")
    return seconds


def seal(entry_digest: str, reducers: str, state: str) -> str:
    """What makes a checkpoint sound: it belongs to this entry, these reducers and these bytes."""
    return hexdigest(f"{entry_digest}\n{reducers}\n{state}".encode())


class Store:
    """An open ledger file. Use `Store.open` or `Store.create`."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._hurried = False
        self._appended: Head | None = None
        """The last entry of the transaction under way."""
        self.wrote = False
        """Whether a transaction was recorded here, for good."""

    @classmethod
    def create(cls, path: str, key: bytes) -> "Store":
        """A new ledger without entries, with its dice key. Raises LedgerMissing when it cannot be made there."""
        from .dice import commitment
        from .schema import lay_out

        with _explained(path):
            lay_out(path, APPLICATION_ID, FORMAT)
        store = cls.open(path)
        with _explained(path):
            store._db.execute("INSERT INTO keys VALUES (?, ?)", (commitment(key), key.hex()))
        return store

    @classmethod
    def open(cls, path: str) -> "Store":
        """The ledger at `path`.

        Raises NoLedger when there is none; LedgerMissing when it is no ledger, or its format is newer than this
        program; LedgerBusy and LedgerDamaged when it cannot be read.
        """
        if not os.path.isfile(path):
            raise NoLedger(f"There is no ledger at {path}.", "Name another file, or open a ledger with init.")
        with _explained(path):
            db = sqlite3.connect(path, timeout=_wait(), isolation_level=None)
            try:
                (application,) = db.execute("PRAGMA application_id").fetchone()
                (version,) = db.execute("PRAGMA user_version").fetchone()
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
                    raise
                application = version = 0
            if application != APPLICATION_ID:
                raise LedgerMissing(f"{path} is not an Affray ledger.")
            if version > FORMAT:
                raise LedgerMissing(
                    f"{path} was written by a newer Affray: its format is {version}, this program knows {FORMAT}.",
                    "Upgrade: pip install --upgrade affray",
                )
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("PRAGMA recursive_triggers = ON")
            (journal,) = db.execute("PRAGMA journal_mode = DELETE").fetchone()
            (synchronous,) = db.execute("PRAGMA synchronous").fetchone()
            if (journal, synchronous) != ("delete", 3):
                raise LedgerDamaged(f"{path} cannot be written safely: journal {journal}, synchronous {synchronous}.")
            db.set_authorizer(_authorize)
        return cls(path, db)

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    # Reading

    def system(self) -> str:
        """The rule system of the campaign. Raises LedgerDamaged when the ledger does not say it."""
        row = self._one(SYSTEM)
        if not (row and row[0]):
            raise LedgerDamaged(f"{self.path} does not begin with a campaign.", "affray verify")
        return str(row[0])

    def head(self) -> Head:
        """The last entry; entry 0 in an empty ledger."""
        row = self._one("SELECT entry, digest, drawn FROM entries ORDER BY entry DESC LIMIT 1")
        return Head(*row) if row else Head(0, GENESIS, 0)

    def key(self) -> tuple[str, bytes]:
        """The dice key with its commitment."""
        row = self._one("SELECT commitment, key FROM keys")
        if row is None:
            raise LedgerDamaged(f"{self.path} has lost the key of its dice.")
        return row[0], bytes.fromhex(row[1])

    def entry(self, number: int) -> Entry:
        """One entry with its events. Raises LedgerDamaged when there is none."""
        for found, _ in self.entries(number, number):
            return found
        raise LedgerDamaged(f"{self.path} has no entry {number}.")

    def entries(self, first: int, last: int, strays: set[int] | None = None) -> Iterator[tuple[Entry, str]]:
        """Entries `first` to `last` in the order of recording, each with the digest that the file holds for it.

        Read in batches, so that nobody who writes has to wait for a reader. The numbers of entries that have events and
        are not there are put into `strays`. Raises LedgerDamaged when there are such, and no `strays` are given.
        """
        for start in range(first, last + 1, BATCH):
            within = (start, min(start + BATCH - 1, last))
            with _explained(self.path):
                rows = self._db.execute(
                    "SELECT entry, after, command, origin, drawn, recorded_at, by, typed, program, once, digest"
                    " FROM entries WHERE entry BETWEEN ? AND ? ORDER BY entry",
                    within,
                ).fetchall()
                bodies: dict[int, list[str]] = {row[0]: [] for row in rows}
                for entry, body in self._db.execute(
                    "SELECT entry, body FROM events WHERE entry BETWEEN ? AND ? ORDER BY seq", within
                ):
                    if entry in bodies:
                        bodies[entry].append(body)
                    elif strays is None:
                        raise LedgerDamaged(f"{self.path} holds events of e{entry}, which is not there.")
                    else:
                        strays.add(entry)
            for *fields, digest_held in rows:
                yield Entry(*fields, bodies=tuple(bodies[fields[0]])), digest_held

    def bodies(self, ranges: Sequence[Range]) -> Iterator[str]:
        """The bodies of all events of some pieces of a course, in the order given. Read in batches."""
        for first, last in ranges:
            for start in range(first, last + 1, BATCH):
                with _explained(self.path):
                    found = self._db.execute(
                        "SELECT body FROM events WHERE entry BETWEEN ? AND ? ORDER BY seq",
                        (start, min(start + BATCH - 1, last)),
                    ).fetchall()
                for (body,) in found:
                    yield body

    def has_strays(self) -> bool:
        """Whether there are events of entries before the first or after the last."""
        row = self._one("SELECT 1 FROM events WHERE entry < 1 OR entry > (SELECT max(entry) FROM entries) LIMIT 1")
        return row is not None

    def unguarded(self) -> list[str]:
        """The triggers of the format that the file lacks, or has in other words: its guards against changes."""
        from .schema import TRIGGERS

        wanted = {words.split()[0]: words.split() for words in TRIGGERS.split("CREATE TRIGGER ")[1:]}
        with _explained(self.path):
            plain = sqlite3.connect(self.path)
            rows = plain.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            plain.close()
        held = {name: [*sql.split()[2:-1], "END;"] for name, sql in rows}
        return [name for name, words in wanted.items() if held.get(name) != words]

    def course(self, tip: int) -> Iterator[Range]:
        """The entries that stand at `tip`, as ranges, the newest first."""
        while tip > 0:
            row = self._one("SELECT entry, after FROM entries WHERE after <> entry - 1 AND entry <= ?"
                            " ORDER BY entry DESC LIMIT 1", tip)  # fmt: skip
            first, after = row or (1, 0)
            if after >= first:
                raise LedgerDamaged(f"e{first} stands after e{after}, which does not come before it.", "affray verify")
            yield first, tip
            tip = after

    def after(self, number: int) -> int:
        """The entry that an entry stands after; 0 for the first."""
        row = self._one("SELECT after FROM entries WHERE entry = ?", number)
        after = int(row[0]) if row else 0
        if after >= max(number, 1):
            raise LedgerDamaged(f"e{number} stands after e{after}, which does not come before it.", "affray verify")
        return after

    def resolved_again(self, until: int) -> list[tuple[int, int]]:
        """The entries up to one that resolve an earlier action again, each with its origin, in order."""
        with _explained(self.path):
            return self._db.execute(
                "SELECT entry, origin FROM entries WHERE origin <> entry AND entry <= ? ORDER BY entry", (until,)
            ).fetchall()

    def recorded(self, once: str) -> int | None:
        """The number of the entry with this command id, if there is one."""
        row = self._one("SELECT entry FROM entries WHERE once = ? AND once <> ''", once)
        return int(row[0]) if row else None

    def checkpoint(self, reducers: str, first: int, last: int) -> Checkpoint | None:
        """The newest sound checkpoint of these reducers at an entry from `first` to `last`."""
        with _explained(self.path):
            for entry, state, sealed, entry_digest in self._db.execute(
                "SELECT c.entry, c.state, c.seal, e.digest FROM checkpoints AS c JOIN entries AS e USING (entry)"
                " WHERE c.entry BETWEEN ? AND ? AND c.reducers = ? ORDER BY c.entry DESC",
                (first, last, reducers),
            ):
                if sealed == seal(entry_digest, reducers, state):
                    return Checkpoint(entry, reducers, state, sealed)
        return None

    def checkpoints(self) -> list[int]:
        """The entries that have a checkpoint, sound or not."""
        with _explained(self.path):
            return [entry for (entry,) in self._db.execute("SELECT entry FROM checkpoints ORDER BY entry")]

    def of_kinds(self, *kinds: str) -> list[tuple[int, str]]:
        """The bodies of all events of some kinds, given by their tags, in order, each with its entry."""
        with _explained(self.path):
            return self._db.execute(
                f"SELECT entry, body FROM events WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq", kinds
            ).fetchall()

    @contextmanager
    def still(self) -> Iterator[Head]:
        """Gives the head. Meanwhile all that is read is as it was at that moment."""
        with _explained(self.path):
            self._db.execute("BEGIN")
            try:
                yield self.head()
            finally:
                self._db.execute("ROLLBACK")

    def copy_to(self, path: str) -> None:
        """Writes the whole file into an empty one, page by page, inside `still`."""
        with _explained(path):
            copy = sqlite3.connect(path)
            try:
                self._db.backup(copy)
            finally:
                copy.close()

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Head]:
        """A transaction that nobody else can write in: commits at its end, leaves no trace when an error passes.

        Gives the head as it is now. Raises LedgerBusy when another process does not let go in time, and Recorded when
        the disk reports an error although all is there.
        """
        with _explained(self.path):
            self._appended = None
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self.head()
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error) and (last := self._appended) and self._holds(last):
                    raise Recorded(
                        f"The disk reports an error ({error}), but the command is recorded: {self.path} ends with"
                        f" e{last.entry}.",
                        "affray verify",
                    ) from error
                raise
            self.wrote |= self._appended is not None
        if self._hurried:
            self._hurried = False
            self._may_wait(_wait())

    def append(self, entry: Entry, expected: Head, reducers: str = "", state: str = "") -> Head:
        """Appends an entry inside `writing`, with the state it leads to, and gives the new head.

        Raises LedgerBusy when the head is no longer the one expected.
        """
        head = self.head()
        if head != expected or entry.entry != head.entry + 1:
            raise LedgerBusy(
                f"Somebody else recorded entry {head.entry} in the meantime.", "Look at it, then say it again."
            )
        link = digest(head.digest, entry)
        with _explained(self.path):
            self._db.execute(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    entry.entry, entry.after, entry.command, entry.origin, entry.drawn,
                    entry.recorded_at, entry.by, entry.typed, entry.program, entry.once, link,
                ),
            )  # fmt: skip
            seq = (self._one("SELECT max(seq) FROM events") or (0,))[0] or 0
            self._db.executemany(
                "INSERT INTO events (seq, entry, body) VALUES (?, ?, ?)",
                [(seq + at, entry.entry, body) for at, body in enumerate(entry.bodies, 1)],
            )
            if reducers:
                self.save_checkpoint(entry.entry, link, reducers, state)
                self._db.execute(
                    "DELETE FROM checkpoints"
                    " WHERE entry = (SELECT max(entry) FROM checkpoints WHERE entry < ?) AND entry % ? <> 0",
                    (entry.entry, SPARSE),
                )
        self._appended = Head(entry.entry, link, entry.drawn)
        return self._appended

    def _holds(self, last: Head) -> bool:
        """Whether an entry is in the file after all, when its transaction ended with an error."""
        try:
            return self._one("SELECT digest FROM entries WHERE entry = ?", last.entry) == (last.digest,)
        except AffrayError:
            return False

    def save_checkpoint(self, entry: int, entry_digest: str, reducers: str, state: str) -> None:
        """Puts a checkpoint, in place of the one that is there."""
        self._db.execute("DELETE FROM checkpoints WHERE entry = ?", (entry,))
        self._db.execute(
            "INSERT INTO checkpoints VALUES (?, ?, ?, ?)",
            (entry, reducers, state, seal(entry_digest, reducers, state)),
        )

    def hurry(self, waited: float) -> None:
        """Some of the seconds that the command under way may wait have gone by; the next one has all of them again."""
        self._hurried = True
        self._may_wait(_wait() - waited)

    def _may_wait(self, seconds: float) -> None:
        """How long each of the next statements waits for other processes."""
        self._db.execute(f"PRAGMA busy_timeout = {max(0, int(seconds * 1000))}")

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with _explained(self.path):
            row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
            return row


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Says what an error of SQLite means for the user."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(path, error) from error


def _meaning(path: str, error: sqlite3.Error) -> AffrayError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(f"{path} is being written by another command.", "Try again in a moment.")
    if code == sqlite3.SQLITE_FULL:
        return LedgerMissing(f"The disk that holds {path} is full.", "Make room, then say it again.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LedgerMissing(f"{path} cannot be written.", "Check the permissions of the file and of its folder.")
    if code == sqlite3.SQLITE_IOERR:
        return LedgerMissing(f"{path} could not be read or written: {error}.", "Check the disk.")
    return LedgerDamaged(
        f"{path} is damaged or not a ledger: {error}.", "Restore the last copy, or save what is sound with salvage."
    )
