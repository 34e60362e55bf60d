"""Copies: a ledger as it is now, in a file of its own or in a database."""

import os
from contextlib import closing
from typing import Annotated

from msgspec.structs import replace

from commands.action.book import Book, Order
from commands.action.common import Note
from commands.action.declaration import Declaration, is_entry, number, says
from commands.action.quoting import quoted
from commands.past.perform import perform
from commands.past.secrets import stir_at_random
from commands.words.console import Console
from commands.words.discovery import find_ledger, is_address, is_there, opened
from commands.words.progress import watched
from commands.words.screen import harmless
from ledger import SUFFIX
from ledger.chain import head_line
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.sqlite import SqliteStore
from ledger.store import BATCH, SPARSE, Head, Store
from projections.state import VERSION

from .init import file_name, keep_state, new_file, new_ledger

_ENDING = ".affray-copy"
"""Not the ending of a ledger, so that a folder with a ledger and its copies still holds one ledger."""


class Copy(Declaration):
    """Copy a ledger into a new file, even while other commands write. Without a name the copy of camp.affray at its
    entry e12 is camp-e12.affray-copy, beside it.

    With --at e30 begin another course: a ledger that ends with e30, to play on from there. Its dice are stirred with
    random words. A single name is then that of the new ledger.

    If both are played on, they share the secrets of the present epoch of the dice and of the next one. Stir twice in
    each before you reveal the dice of one: until then that opens dice of the other.

    Either of the two may be the address of a campaign in PostgreSQL, such as postgresql://gm@host/club#camp. A copy
    into a database goes on where an earlier one stopped.
    """

    file: Annotated[str, says("The ledger to copy; by default the one in use.", positional=True)] = ""
    to: Annotated[
        str, says("The file to make, the folder to make it in, or an address in a database.", positional=True)
    ] = ""
    at: Annotated[str, says("The last entry of another course, such as e30.")] = ""


def _check_copy(console: Console, said: Copy) -> Copy:
    """What is meant, with the ledger to copy. Raises LedgerMissing where there is none."""
    if said.at and not said.to:
        said = replace(said, file="", to=said.file)
    if said.file and not said.to and not is_there(said.file):
        used = find_ledger(console.ledger)
        here = used if is_address(used) else os.path.relpath(used)
        message = f"There is no ledger at {harmless(said.file)}."
        raise LedgerMissing(message, f"affray copy {quoted(here)} {quoted(said.file)}")
    return replace(said, file=said.file or find_ledger(console.ledger))


def copy(console: Console, said: Copy) -> None:
    """Makes the copy. A file appears whole or not at all, and never replaces another one."""
    said = _check_copy(console, said)
    with closing(opened(said.file)) as store:
        if said.at:
            head, path = _parted(console, store, said)
        elif is_address(said.to):
            head, path = _into_database(store, said.to)
        else:
            head, path = _into_file(console, store, said)
    if console.json:
        console.give({"ok": True, "entries": head.entry, "digest": head.digest, "ledger": path})
        return
    counted = "1 entry is" if head.entry == 1 else f"{head.entry} entries are"
    console.whisper(harmless(f"{counted} in {path}. affray --ledger {quoted(path)} verify checks all of it."))
    console.say(head_line(head.entry, head.digest), whole=True)


def _into_file(console: Console, store: Store, said: Copy) -> tuple[Head, str]:
    """Copies into a new file: a file page by page, a campaign of a database entry by entry."""
    with store.still() as head:
        path = _named(said, head.entry)
        console.making = "" if is_there(path) else path
        if isinstance(store, SqliteStore):
            with new_file(path) as draft:
                store.copy_to(draft)
        else:
            with new_ledger(path, _key(store)) as target:
                _carry(store, target, Head(0, "", 0, 0), head.entry)
    return head, path


def _parted(console: Console, store: Store, said: Copy) -> tuple[Head, str]:
    """Copies up to an entry into a new ledger, in which play can go on with other dice."""
    if store.is_for_players:
        raise UsageError(f"{store.path} holds only what the players see; nobody can play on from it.")
    if not is_entry(said.at):
        raise UsageError(f"{said.at[:40]!r} is not an entry.", "Write it like --at e30.")
    last = Book(store).check_entry(number(said.at))
    _check_whole(store, last)
    path = _named(said, last)
    console.making = "" if is_there(path) else path
    with new_ledger(path, store.key()) as target:
        _carry(store, target, Head(0, "", 0, 0), last)
        branch = Book(target)
        name = os.path.basename(store.path) if not is_address(store.path) else store.path.rpartition("#")[2]
        perform(branch, Order("note", Note(f"From here on another course than in {name}."), console.typed))
        stir_at_random(branch, console.typed)
        return target.head(), path


def _check_whole(store: Store, last: int) -> None:
    """Raises UsageError when the command that wrote an entry wrote later ones too."""
    ends = last
    for entry, _ in store.entries(last + 1, store.head().entry):
        if entry.command > last:
            break
        ends = entry.entry
    if ends > last:
        message = f"e{last} and the entries up to e{ends} are one correction, and go together."
        raise UsageError(message, f"Write it like --at e{ends}.")


def _into_database(store: Store, address: str) -> tuple[Head, str]:
    """Copies into a campaign that is new, or that holds the beginning of the same ledger."""
    last = store.head()
    if is_there(address):
        with closing(opened(address)) as target:
            there, same = target.head(), _key(store) == _key(target)
            if same and there.entry > last.entry and holds(target, last):
                raise LedgerMissing(
                    f"{target.path} already holds all of it, and more: it ends with e{there.entry}. Nothing was"
                    " changed.",
                    "For a copy of the shorter one, give another name after the #.",
                )
            if not same or there.entry > last.entry or not holds(store, there):
                message = f"{target.path} already holds another ledger; nothing was changed."
                raise LedgerMissing(message, "Give another name after the #.")
            return _carry(store, target, there, last.entry), target.path
    with new_ledger(address, _key(store)) as target:
        return _carry(store, target, Head(0, "", 0, 0), last.entry), target.path


def holds(store: Store, there: Head) -> bool:
    """Whether a head lies on the chain of a ledger."""
    return not there.entry or [held for _, held in store.entries(there.entry, there.entry)] == [there.digest]


def _key(store: Store) -> bytes:
    """The key of a ledger; b"" of one for players, which has none."""
    return b"" if store.is_for_players else store.key()


def _carry(source: Store, target: Store, done: Head, last: int) -> Head:
    """Appends the entries after one, up to the last, in batches of one transaction each. Gives the new head.

    Raises LedgerDamaged when a digest does not follow from what the source holds.
    """
    if not last:
        raise UsageError(f"{source.path} holds no entries.")
    head = done
    entries = iter(watched(source.entries(done.entry + 1, last), last - done.entry, "copy"))
    while head.entry < last:
        with target.writing() as head:
            for entry, held in entries:
                kept = source.checkpoint(VERSION, entry.entry, entry.entry) if entry.entry % SPARSE == 0 else None
                head = target.append(entry, head, *((VERSION, kept.state) if kept else ()))
                if head.digest != held:
                    raise _unsound(f"e{entry.entry} of {source.path} is not as it was recorded; it was not copied.")
                if head.entry % BATCH == 0:
                    break
            else:
                if head.entry < last:
                    raise _unsound(f"{source.path} has no entry {head.entry + 1}.")
    if not target.is_for_players:
        keep_state(target, head)
    return head


def _unsound(message: str) -> LedgerDamaged:
    return LedgerDamaged(message, "Verify that ledger: it lists all that is wrong.")


def _named(said: Copy, last: int) -> str:
    """The name of the copy: the one given, or one made from the ledger's name and the last entry."""
    if said.to and not os.path.isdir(said.to):
        return said.to
    folder, name = os.path.split(said.file)
    if is_address(said.file):
        folder, name = "", file_name(said.file.rpartition("#")[2])
    return os.path.join(said.to or folder, f"{name.removesuffix(SUFFIX)}-e{last}{_ENDING}")
