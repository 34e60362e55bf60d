"""New ledgers."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from commands.action import rulebook, systems
from commands.action.book import Book, Order
from commands.action.common import Init
from commands.action.declaration import Declaration, says
from commands.past.perform import perform
from commands.words.console import Console
from commands.words.discovery import engine, is_address, is_there, ledgers, several, shown
from commands.words.parameters import read_table
from commands.words.rule_systems import check_system
from commands.words.screen import harmless
from ledger import SUFFIX
from ledger.dice import committed, new_key
from ledger.errors import AlreadyRecorded, LedgerMissing, UsageError
from ledger.sqlite import SqliteStore
from ledger.store import Head, Store
from projections.state import VERSION

from .drafts import appear, drafted

Key = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""The key of a campaign, in hexadecimal."""


class OpenLedger(Declaration):
    """Open a new ledger for a campaign. The file is NAME.affray in this folder, or the one that --ledger or
    $AFFRAY_LEDGER names. An address such as postgresql://gm@host/club#camp opens it in a PostgreSQL database.
    """

    name: Annotated[str, says("Name of the campaign.", min_length=1, max_length=100)]
    system: Annotated[str, says("Its rule system. If left out, you are asked at a terminal.", word="system")] = ""
    option: Annotated[dict[str, str], says("A house rule; `affray rules options` lists them.")] = {}
    table: Annotated[dict[str, str], says("A table from a file of your own: fumble=my.toml.")] = {}
    key: Annotated[Key, says("The key of the campaign, 64 hexadecimal digits; by default a random key.")] = ""


def open_ledger(console: Console, said: OpenLedger) -> None:
    """Makes the file, with its first entry."""
    said = replace(said, system=said.system or asked(console))
    check_system(console, said.system)
    if said.system not in systems.SYSTEMS:
        rulebook.of(said.system).check()
    key = bytes.fromhex(said.key) if said.key else new_key()
    tables = {name: read_table(path) for name, path in said.table.items()} if said.table else {}
    path = console.ledger or os.environ.get("AFFRAY_LEDGER") or file_name(said.name)
    console.making = "" if is_there(path) else path
    with new_ledger(path, key) as store:
        declaration = Init(said.name, said.system, committed(key), said.option, tables)
        done = perform(Book(store), Order("init", declaration, console.typed))
    console.tell(done)
    console.whisper(harmless(f"The ledger is {shown(path)}."))
    if not os.environ.get("AFFRAY_LEDGER") and not is_address(path):
        _warn(console, os.path.dirname(os.path.abspath(path)))


def asked(console: Console) -> str:
    """The rule system that somebody at a terminal chooses, by its name, its beginning or its number; "" where nobody
    can be asked or nobody answers.
    """
    if console.json or console.playing or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return ""
    names = [*systems.playable()]
    for at, line in enumerate(systems.listed(), 1):
        console.whisper(f"{at:>3}{line}")
    while True:
        sys.stderr.write("Which rule system? ")
        sys.stderr.flush()
        if not (said := sys.stdin.readline().strip().casefold()):
            return ""
        chosen = [name for name in names if name == said or said == str(names.index(name) + 1)]
        chosen = chosen or [name for name in names if name.startswith(said)]
        if len(chosen) == 1:
            return chosen[0]
        console.whisper(f"Type one of these names, or its number: {', '.join(chosen or names)}.")


def _warn(console: Console, folder: str) -> None:
    """Says that a folder holds another ledger too, so that commands there need to know which one is meant."""
    if len(found := ledgers(folder)) > 1:
        message, hint = several(folder, found)
        console.whisper(harmless(f"Warning: {message}"))
        console.advise(hint)


def file_name(name: str) -> str:
    """The name of the file for a campaign: small letters and digits, joined by hyphens."""
    words = "".join(sign.lower() if sign.isalnum() else " " for sign in name).split()
    if not words:
        raise UsageError(f"{name!r} does not make a file name.", "Name the file before the verb: --ledger FILE.")
    return "-".join(words)[:60] + SUFFIX


@contextmanager
def new_ledger(path: str, key: bytes) -> Iterator[Store]:
    """A new ledger to write in. The file appears under its name when all is written, or not at all; a campaign of a
    database appears with its first entries. Raises LedgerMissing when there is one already, or it cannot be made.
    """
    if is_address(path):
        with closing(engine().PostgresStore.create(path, key)) as campaign:
            yield campaign
        return
    with new_file(path) as draft, closing(SqliteStore.create(draft, key)) as store:
        yield store


def keep_state(store: Store, head: Head) -> None:
    """Keeps the state at the head of a ledger that was just made, so that the next command need not fold it."""
    state = Book(store).state_at(head.entry)
    with store.writing() as now:
        if now == head:
            store.save_checkpoint(head.entry, head.digest, VERSION, state.encoded())


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
    except AlreadyRecorded:
        raise LedgerMissing(f"{path} cannot be made: the disk reports an error.", "Check the disk.") from None
    except FileExistsError:
        hint = "To go on with it, just leave this command out. For a new file, give another name."
        raise LedgerMissing(f"{path} already exists; nothing was changed.", hint) from None
    except OSError as error:
        message = f"{path} cannot be made: {error.strerror}."
        raise LedgerMissing(message, "Go to a folder in which you may write, or name another file.") from None
