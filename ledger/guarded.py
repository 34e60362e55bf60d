"""What an open ledger file may be asked, for how long, and what an error of SQLite means for the user."""

import os
import sqlite3
import sys
from functools import cache

from .errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing
from .store import LONGEST

_SMALLEST = 100
"""An entry takes more bytes of the file than these."""
_STRIDE = 1_000_000
"""Steps of SQLite's machine between two questions whether a statement goes on for too long."""


@cache
def _permitted() -> frozenset[tuple[int, str | None]]:
    reads = {(sqlite3.SQLITE_READ, table) for table in ("entries", "events", "keys", "checkpoints")}
    writes = {(sqlite3.SQLITE_INSERT, table) for table in ("entries", "events", "keys", "checkpoints")}
    pragmas = {(sqlite3.SQLITE_PRAGMA, "busy_timeout"), (sqlite3.SQLITE_PRAGMA, "journal_mode")}
    return frozenset(reads | writes | pragmas | {(sqlite3.SQLITE_DELETE, "checkpoints")})


_ALWAYS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_FUNCTION})
_OWN = frozenset({None, "entries_come_in_order", "events_come_in_order", "keys_come_once"})
"""Who may ask for something: a command itself, and the triggers that a ledger has for what is inserted."""


def authorize(action: int, first: str | None, _second: str | None, _file: str | None, asking: str | None) -> int:
    """Permits selecting, appending and transactions; nothing else, and nothing to a trigger or a view of others."""
    permitted = action in _ALWAYS or (action, first) in _permitted()
    return sqlite3.SQLITE_OK if permitted and asking in _OWN else sqlite3.SQLITE_DENY


class Patience:
    """Ends a statement that takes more steps than a file of its size can need: what it reads has no end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.strides = 0
        """How many the statement under way has taken."""

    def __call__(self) -> bool:
        """Whether it is over. SQLite asks after each stride."""
        self.strides += 1
        return self.strides > 20 and self.strides * _STRIDE > 100 * _size(self.path)


def guard(db: sqlite3.Connection, path: str) -> Patience:
    """Keeps a file from doing more than data can: nothing in it is trusted, too long, or without an end.

    Python 3.12 and newer also let SQLite defend the file: no statement can write into its schema.
    """
    patience = Patience(path)
    db.set_progress_handler(patience, _STRIDE)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    db.execute("PRAGMA trusted_schema = OFF")
    if sys.version_info >= (3, 12):
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    return patience


def most_entries(path: str) -> int:
    """More entries than a file of its size can hold."""
    return _size(path) // _SMALLEST


def _size(path: str) -> int:
    """The bytes of a file; as many as can be where nobody can tell."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 2**62


MAY = "Check the permissions of the file and of its folder."
"""What to do about a file that cannot be read or written."""


class Explained:
    """Says what an error of SQLite means for the user."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raises what the error means."""
        if isinstance(error, sqlite3.Error):
            raise _meaning(self.path, error) from error


class Reading(Explained):
    """The same, where nothing but the file is read: text that is none, and a number that is none, are damage too."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raises what the error means."""
        if isinstance(error, UnicodeDecodeError | OverflowError):
            raise LedgerDamaged(f"{self.path} is damaged: {error}.", "affray verify") from None
        super().__exit__(kind, error, trace)


class Asking(Reading):
    """A statement, or some, of an open ledger."""

    def __init__(self, path: str, patience: Patience) -> None:
        super().__init__(path)
        self.patience = patience

    def __enter__(self) -> None:
        """The first of them takes its first step."""
        self.patience.strides = 0


def _meaning(path: str, error: sqlite3.Error) -> AffrayError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_AUTH or "not authorized" in str(error):
        return LedgerDamaged(f"{path} holds a trigger or a view that is none of a ledger's own.", "affray verify")
    if code == sqlite3.SQLITE_INTERRUPT:
        return LedgerDamaged(f"{path} is damaged or not a ledger: reading it does not come to an end.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(f"{path} is being written by another command.", "Try again in a moment.")
    if code == sqlite3.SQLITE_FULL:
        return LedgerMissing(f"The disk that holds {path} is full.", "Make room, then say it again.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return LedgerMissing(f"{path} cannot be written.", MAY)
    if code == sqlite3.SQLITE_IOERR:
        return LedgerMissing(f"{path} could not be read or written: {error}.", "Check the disk.")
    message = f"{path} is damaged or not a ledger: {error}."
    return LedgerDamaged(message, "Restore the last copy, or save what is sound with salvage.")
