"""Copies: a ledger as it is now, in a file of its own."""

import os
from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration
from commands.action.quoting import quoted
from commands.words.console import Console, harmless
from ledger import SUFFIX
from ledger.chain import head_line
from ledger.sqlite import SqliteStore
from ledger.store import Head

from .init import new_file

ENDING = ".affray-copy"
"""Not the ending of a ledger, so that a folder with a ledger and its copies still holds one ledger."""


class Copy(Declaration):
    """Copy a ledger into a new file, also while other commands write. Without a name the copy of camp.affray at its
    entry e12 is camp-e12.affray-copy, beside it.
    """

    file: Annotated[str, Meta(description="The ledger to copy.")]
    to: Annotated[
        str, Meta(description="The file to make, or the folder to make it in.", extra={"positional": True})
    ] = ""


def copy(console: Console, said: Copy) -> None:
    """Makes the copy. It appears whole or not at all, and never replaces a file."""
    store = SqliteStore.open(said.file)
    try:
        with store.still() as head:
            path = _named(said, head)
            console.making = "" if os.path.lexists(path) else path
            with new_file(path) as draft:
                store.copy_to(draft)
    finally:
        store.close()
    if console.json:
        console.give({"ok": True, "entries": head.entry, "digest": head.digest, "ledger": path})
        return
    counted = "1 entry is" if head.entry == 1 else f"{head.entry} entries are"
    console.whisper(harmless(f"{counted} in {path}. affray --ledger {quoted(path)} verify checks all of it."))
    console.say(head_line(head.entry, head.digest), whole=True)


def _named(said: Copy, head: Head) -> str:
    """The name of the copy: the one given, or one made from the ledger's name and its last entry."""
    if said.to and not os.path.isdir(said.to):
        return said.to
    folder, name = os.path.split(said.file)
    return os.path.join(said.to or folder, f"{name.removesuffix(SUFFIX)}-e{head.entry}{ENDING}")
