"""Export and import: the whole record as JSON Lines, without loss."""

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import Annotated, TextIO

import msgspec
from msgspec import Meta, Raw, Struct

from ledger import dice
from ledger.chain import Entry
from ledger.chain import digest as link
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.events import decode
from ledger.store import FORMAT, Head, Store
from projections.state import VERSION

from .book import Book
from .declaration import Declaration
from .desk import Desk
from .discovery import SUFFIX
from .opening import new_ledger


class Export(Declaration):
    """Write the whole record as JSON Lines: a first line with the format and the key of the dice, then one line for
    each entry. `import` makes the same ledger of it, to the digest. A FILE.html is a page to read instead: the board at
    every entry, the log, curves, dice, and a check of the chain.
    """

    file: Annotated[str, Meta(description="Where to; - for standard output.", extra={"positional": True})] = "-"


class BringIn(Declaration):
    """Make a ledger from JSON Lines that `export` wrote. Every digest is checked."""

    source: Annotated[str, Meta(description="The JSON Lines; - for standard input.")]
    ledger: Annotated[str, Meta(description="The ledger file to make.")]


class FirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """Format of the ledger."""
    commitment: str
    key: str


class EntryLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line for one entry; the fields are those of the table, the events as they are recorded."""

    entry: int
    after: int
    command: int
    origin: int
    drawn: int
    recorded_at: str
    by: str
    typed: str
    program: str
    once: str
    digest: str
    events: list[Raw]


def export(desk: Desk, said: Export) -> None:
    """Writes the lines; a file appears whole or not at all."""
    store = desk.book.store
    if said.file == "-":
        _write(store, _utf8(sys.stdout))
        return
    if said.file.endswith(SUFFIX) or (os.path.exists(said.file) and os.path.samefile(said.file, store.path)):
        raise UsageError(f"{said.file} would be a ledger; an export is text.", "affray export FILE.jsonl")
    draft = f"{said.file}.{os.getpid()}.new"
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            if said.file.lower().endswith((".html", ".htm")):
                _write_page(desk.book, file)
            else:
                _write(store, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, said.file)
    except OSError as error:
        raise LedgerMissing(f"{said.file} cannot be written: {error.strerror}.") from None
    finally:
        if os.path.exists(draft):
            os.unlink(draft)
    head = store.head()
    if desk.json:
        desk.give({"ok": True, "entries": head.entry, "digest": head.digest, "file": said.file})
        return
    desk.whisper(f"{head.entry} entries written to {said.file}.")


def _utf8(stream: TextIO) -> TextIO:
    """The stream, exchanging UTF-8 with the world whatever the terminal speaks."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="strict", newline="\n")
    return stream


def _write_page(book: Book, file: TextIO) -> None:
    from .report import write_page

    file.write(write_page(book))


def _write(store: Store, file: TextIO) -> None:
    commitment, key = store.key()
    file.write(msgspec.json.encode(FirstLine(FORMAT, commitment, key.hex())).decode() + "\n")
    for entry, digest in store.entries(1, store.head().entry):
        fields = {name: getattr(entry, name) for name in Entry.__struct_fields__ if name != "bodies"}
        events = [Raw(body.encode()) for body in entry.bodies]
        file.write(msgspec.json.encode(EntryLine(**fields, digest=digest, events=events)).decode() + "\n")


def bring_in(desk: Desk, said: BringIn) -> None:
    """Reads the lines, checks the chain, and makes the ledger; it appears whole or not at all."""
    try:
        if said.source == "-":
            head = _read(_utf8(sys.stdin), "standard input", said.ledger)
        else:
            with open(said.source, encoding="utf-8", newline="\n") as file:
                head = _read(file, said.source, said.ledger)
    except UnicodeDecodeError:
        raise UsageError(f"{said.source} is not a text file in UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{said.source[:80]} cannot be read: {error.strerror}.") from None
    if desk.json:
        desk.give({"ok": True, "entries": head.entry, "digest": head.digest, "ledger": said.ledger})
        return
    desk.whisper(
        f"{head.entry} entries are in {said.ledger}. affray --ledger {said.ledger} verify checks the rules too."
    )
    desk.say(f"affray e{head.entry} {head.digest}")


def _read(lines: Iterable[str], name: str, path: str) -> Head:
    rest = iter(lines)
    try:
        first = msgspec.json.decode(next(rest, ""), type=FirstLine)
        key = bytes.fromhex(first.key)
    except UnicodeDecodeError:
        raise
    except ValueError:
        raise UsageError(f"{name} is not an export of a ledger: its first line does not say so.") from None
    if first.affray > FORMAT:
        raise LedgerMissing(f"{name} was written by a newer Affray.", "Upgrade: pip install --upgrade affray")
    if dice.commitment(key) != first.commitment:
        raise LedgerDamaged(f"{name}, line 1: the key is not the one that the campaign is committed to.")
    decoder = msgspec.json.Decoder(EntryLine)
    with new_ledger(path, key) as store:
        with store.writing() as head:
            for at, line in enumerate(rest, 2):
                head = _append(store, head, decoder, line, f"{name}, line {at}")
        if not head.entry:
            raise UsageError(f"{name} holds no entries.")
        state = Book(store).state_at(head.entry)
        with store.writing():
            store.save_checkpoint(head.entry, head.digest, VERSION, state.encoded())
    return head


def _append(store: Store, head: Head, decoder: "msgspec.json.Decoder[EntryLine]", line: str, place: str) -> Head:
    try:
        said = decoder.decode(line)
        bodies = tuple(bytes(body).decode() for body in said.events)
        for body in bodies:
            decode(body)
    except ValueError as error:
        raise LedgerDamaged(f"{place} is not an entry: {error}.") from None
    fields = {name: getattr(said, name) for name in Entry.__struct_fields__ if name != "bodies"}
    entry = Entry(**fields, bodies=bodies)
    if link(head.digest, entry) != said.digest or said.entry != head.entry + 1:
        raise LedgerDamaged(f"{place}: its digest does not follow from the line before; the export was changed.")
    counts = (said.after, said.command, said.origin, said.drawn)
    if not bodies or said.after >= said.entry or not all(0 <= count < 2**63 for count in counts):
        raise LedgerDamaged(f"{place} is not an entry that can have been recorded.")
    try:
        return store.append(entry, head)
    except LedgerDamaged as error:
        raise LedgerDamaged(f"{place} cannot be recorded: {error.message}") from None
