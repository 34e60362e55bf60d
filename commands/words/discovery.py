"""Where the ledger is."""

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from ledger import APPLICATION_ID, FORMAT, SUFFIX
from ledger.errors import LedgerMissing, NoLedger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from ledger.store import Store

_SHOWN = 5
"""The most ledgers of a folder that are named."""
_KNOWN = """
SELECT body ->> '$.system' FROM events, pragma_application_id, pragma_user_version
WHERE seq = 2 AND application_id = ? AND user_version BETWEEN 1 AND ?"""
"""Selects the rule system of the campaign, if the file is a ledger of a format that this program knows."""


def find_ledger(said: str = "") -> str:
    """The path of the ledger: from --ledger, from `$AFFRAY_LEDGER`, or the one in this folder or the nearest parent.

    Raises NoLedger when there is none, or several in the same folder.
    """
    named = said or os.environ.get("AFFRAY_LEDGER", "")
    if named:
        return named
    try:
        folder = here = os.getcwd()
    except OSError:
        raise LedgerMissing("This folder no longer exists.", "Change to another folder with cd.") from None
    while True:
        found = ledgers(folder)
        if found and folder != here and (os.name == "posix" and bool(os.stat(folder).st_mode & 0o002)):
            found = []
        if len(found) == 1:
            return os.path.join(folder, found[0])
        if found:
            raise NoLedger(*several(folder, found))
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NoLedger(
                "There is no ledger in this folder or any folder above it.",
                "Start one with init, watch a sample fight with demo, or name a ledger with --ledger FILE"
                " before the verb.\n"
                "affray init --help\naffray demo --help",
            )
        folder = parent


def ledgers(folder: str) -> list[str]:
    """The names of the ledgers in a folder; none where it cannot be read."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
    except OSError:
        return []


def several(folder: str, found: list[str]) -> tuple[str, str]:
    """What to say where a folder holds several ledgers: that it does, and how to choose one.
    The one that was written last is suggested.
    """
    from commands.action.quoting import quoted

    here = folder == os.getcwd()
    last = max(found, key=lambda name: os.lstat(os.path.join(folder, name)).st_mtime)
    path = f'"$PWD"/{quoted(last)}' if here else quoted(os.path.join(folder, last))
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return (
        f"There are {len(found)} ledgers {'here' if here else f'in {folder}'}: {', '.join(found[:_SHOWN])}{more}.",
        "Say which with --ledger FILE before the verb, set it for every command in this terminal, or give each its own"
        f" folder.\nexport AFFRAY_LEDGER={path}",
    )


def each_ledger(named: "Iterable[str]") -> "Iterator[str]":
    """The ledgers that some words name, each once and in order: files as they are, all in a folder and in those below
    it, campaigns by their address, all of a database by its own. Raises LedgerMissing where a word names none.
    """
    found: set[str] = set()
    for word in named:
        for path in _named_by(word):
            if (place := path if is_address(path) else os.path.realpath(path)) not in found:
                found.add(place)
                yield path


def _named_by(word: str) -> list[str]:
    if is_address(word):
        if engine().Address(word).campaign:
            return [word]
        campaigns = [f"{word.rstrip('#')}#{one.address.rpartition('#')[2]}" for one in engine().campaigns(word)]
        if not campaigns:
            raise LedgerMissing(f"{shown(word)} holds no campaign yet.", "Start one with init.")
        return campaigns
    if not os.path.isdir(word):
        return [word]
    below = (os.path.join(folder, name) for folder, _, _ in sorted(os.walk(word)) for name in ledgers(folder))
    if not (files := [os.path.normpath(path) for path in below if os.path.isfile(path)]):
        raise LedgerMissing(f"There is no ledger in {word} or below it.", "The name of a ledger ends with .affray.")
    return files


def system_of(path: str) -> str:
    """The rule system of the ledger at `path`.

    Asks the file itself, which is faster than opening the ledger. If that gives no answer at once, the store opens it,
    and waits while the file is busy. Raises what `opened` raises.
    """
    if os.path.isfile(path):
        try:
            with contextlib.closing(sqlite3.connect(path, timeout=0)) as ledger:
                ledger.set_progress_handler(lambda: True, 100_000)  # a file that answers so late is not one of ours
                ledger.execute("PRAGMA trusted_schema = OFF")
                row = ledger.execute(_KNOWN, (APPLICATION_ID, FORMAT)).fetchone()
        except (sqlite3.Error, UnicodeDecodeError):
            row = None
        if row and isinstance(row[0], str) and row[0]:
            return str(row[0])
    with contextlib.closing(opened(path)) as store:
        return store.system()


def opened(path: str) -> "Store":
    """The ledger at `path`, open. Raises what its engine raises when it cannot be opened."""
    if is_address(path):
        store: Store = engine().PostgresStore.open(path)
        return store
    from ledger.sqlite import SqliteStore

    return SqliteStore.open(path)


def is_address(path: str) -> bool:
    """Whether this names a ledger in a database, and no file."""
    return path.startswith(("postgresql://", "postgres://"))


def is_there(path: str) -> bool:
    """Whether there is a ledger, or any file. Raises LedgerMissing when the database cannot be reached."""
    if not is_address(path):
        return os.path.lexists(path)
    try:
        opened(path).close()
    except NoLedger:
        return False
    return True


def shown(path: str) -> str:
    """A path as it is; an address without its password."""
    return str(engine().Address(path).shown) if is_address(path) else path


def engine() -> "ModuleType":
    """The engine of ledgers in a database. Raises LedgerMissing when its library is not installed."""
    try:
        from ledger import postgres
    except ImportError:
        from .installed import adding

        message = "A ledger in PostgreSQL needs psycopg, which is not installed."
        raise LedgerMissing(message, adding("postgres")) from None
    return postgres
