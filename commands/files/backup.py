"""Backups: after each encounter a checked copy of the ledger in a folder, such as one on another disk.

Which folder it is stands beside the ledger, in a file with its name and `-backup` at the end, and not in it: it belongs
to the machine and not to the campaign.
"""

import os
from contextlib import closing
from typing import Annotated

from commands.action.book import Book
from commands.action.declaration import Declaration, says
from commands.action.quoting import quoted
from commands.past.soundness import examine
from commands.words.console import Console
from commands.words.screen import harmless
from ledger import SUFFIX
from ledger.errors import AffrayError, LedgerDamaged, LedgerMissing, UsageError
from ledger.sqlite import SqliteStore
from ledger.store import Head

from .copy import holds
from .drafts import drafted, replace

_BESIDE = "-backup"


class Backup(Declaration):
    """Keep a copy of the ledger in a folder, such as one on another disk or one that is synchronised. It is made now,
    and anew after each encounter. Without a folder, show which one it is.
    """

    folder: Annotated[str, says("The folder.", positional=True)] = ""
    off: Annotated[bool, says("Make no more copies; the last one stays.")] = False


def backup(console: Console, said: Backup) -> None:
    """Makes the first copy, and remembers the folder. Raises UsageError or LedgerMissing when it cannot."""
    store = console.book.store
    path = store.path
    if not isinstance(store, SqliteStore):
        raise UsageError("A database makes its own backups.", "affray copy --help")
    if said.off:
        _forget(console, path)
        return
    if said.folder:
        folder = os.path.abspath(said.folder)
        head = _renewed(store, folder)
        with drafted(path + _BESIDE) as draft:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(f"{folder}\n")
            replace(draft, path + _BESIDE)
        copy = _copy_in(said.folder, path)
        told = harmless(f"{copy} holds e{head.entry}; it is made anew after each encounter.")
        console.answer({"entries": head.entry, "digest": head.digest, "copy": copy}, told)
        return
    folder = _folder_of(path)
    if not folder:
        raise UsageError("No folder is known for a backup of this ledger.", "affray backup --help")
    console.answer({"folder": folder}, harmless(f"After each encounter a copy is made in {folder}."))


def renew(console: Console) -> None:
    """Makes the copy anew, where a folder is known. When it cannot be made one line says so, and play goes on."""
    store = console.book.store
    if not isinstance(store, SqliteStore) or not (folder := _folder_of(store.path)):
        return
    try:
        _renewed(store, folder)
    except AffrayError as error:
        console.whisper(harmless(f"No backup was made: {error.message} The ledger itself is safe."))


def _folder_of(path: str) -> str:
    """The folder that is remembered for a ledger; "" for none."""
    try:
        with open(path + _BESIDE, encoding="utf-8") as file:
            return file.readline().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _forget(console: Console, path: str) -> None:
    try:
        os.unlink(path + _BESIDE)
    except FileNotFoundError:
        raise UsageError("No folder is known for a backup of this ledger.") from None
    console.answer({"folder": ""}, "No more copies are made; the last one stays.")


def _copy_in(folder: str, path: str) -> str:
    """The copy of a ledger in a folder."""
    return os.path.join(folder, os.path.basename(path).removesuffix(SUFFIX) + ".affray-copy")


def _renewed(store: SqliteStore, folder: str) -> Head:
    """Puts a checked copy of a ledger into a folder, in place of an earlier one. Raises LedgerMissing when something
    else stands there, LedgerDamaged when the copy is not sound.
    """
    path = _copy_in(folder, store.path)
    try:
        _check_earlier(store, path)
        with drafted(path) as draft:
            with store.still() as head:
                store.copy_to(draft)
            with closing(SqliteStore.open(draft)) as copy:
                if wrong := examine(Book(copy), ("chain", "file")).of("damage"):
                    raise LedgerDamaged(wrong[0].message, "affray verify")
            replace(draft, path)
    except OSError as error:
        message = f"{path} cannot be made: {error.strerror}."
        raise LedgerMissing(message, "Name a folder in which you may write.") from None
    return head


def _check_earlier(store: SqliteStore, path: str) -> None:
    """Raises LedgerMissing when what stands there is no earlier state of the same ledger."""
    if not os.path.lexists(path):
        return
    with closing(SqliteStore.open(path)) as earlier:
        there = earlier.head()
        if there.entry > store.head().entry or not holds(store, there):
            message = f"{path} is not an earlier copy of this ledger; it was left as it is."
            raise LedgerMissing(message, f"affray --ledger {quoted(path)} log")
