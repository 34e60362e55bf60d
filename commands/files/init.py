"""New ledgers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta

from commands.action import systems
from commands.action.book import Book, Order
from commands.action.common import Init
from commands.action.declaration import Declaration
from commands.past.perform import perform
from commands.words.console import Console, harmless
from commands.words.parameters import read_table
from ledger import SUFFIX
from ledger.dice import committed, new_key
from ledger.errors import LedgerMissing, Recorded, UsageError
from ledger.store import Store

from .drafts import appear, drafted


class OpenLedger(Declaration):
    """Open a new ledger for a campaign. The file is NAME.affray in this folder, or the one that --ledger or
    $AFFRAY_LEDGER names.
    """

    name: Annotated[str, Meta(min_length=1, max_length=100, description="Name of the campaign.")]
    system: Annotated[
        str, Meta(description="Its rule system. Without it, a list is shown.", extra={"word": "system"})
    ] = ""
    option: Annotated[dict[str, str], Meta(description="A house rule; `affray rules options` lists them.")] = {}
    table: Annotated[dict[str, str], Meta(description="A table from a file of your own: fumble=my.toml.")] = {}
    key: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{64}$",
            description="The key of the campaign, 64 hexadecimal digits; by default a random key.",
        ),
    ] = ""


def open_ledger(console: Console, said: OpenLedger) -> None:
    """Makes the file, with its first entry."""
    systems.check_named(said.system, "Name one with --system.")
    key = bytes.fromhex(said.key) if said.key else new_key()
    tables = {name: read_table(path) for name, path in said.table.items()} if said.table else {}
    path = console.ledger or os.environ.get("AFFRAY_LEDGER") or file_name(said.name)
    console.making = "" if os.path.lexists(path) else path
    with new_ledger(path, key) as store:
        declaration = Init(said.name, said.system, committed(key), said.option, tables)
        done = perform(Book(store), Order("init", declaration, console.typed))
    console.tell(done)
    console.whisper(harmless(f"The ledger is {path}."))


def file_name(name: str) -> str:
    """The name of the file for a campaign: small letters and digits, joined by hyphens."""
    words = "".join(sign.lower() if sign.isalnum() else " " for sign in name).split()
    if not words:
        raise UsageError(f"{name!r} does not make a file name.", "Name the file before the verb: --ledger FILE.")
    return "-".join(words)[:60] + SUFFIX


@contextmanager
def new_ledger(path: str, key: bytes) -> Iterator[Store]:
    """A new ledger to write in. The file appears under its name when all is written, or not at all. Raises
    LedgerMissing when the file exists or cannot be made.
    """
    with new_file(path) as draft:
        store = Store.create(draft, key)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def new_file(path: str) -> Iterator[str]:
    """The name of a draft, which gets the name of the new file at the end; after an error nothing appears. Raises
    LedgerMissing when the file exists or cannot be made.
    """
    try:
        with drafted(path) as draft:
            if os.path.lexists(path):
                raise FileExistsError(path)
            yield draft
            appear(draft, path)
    except Recorded:
        raise LedgerMissing(f"{path} cannot be made: the disk reports an error.", "Check the disk.") from None
    except FileExistsError:
        raise LedgerMissing(f"{path} already exists; nothing was changed.", "Name another file.") from None
    except OSError as error:
        raise LedgerMissing(f"{path} cannot be made: {error.strerror}.") from None
