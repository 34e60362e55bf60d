"""Salvage: copies the sound beginning of a damaged ledger into a new one."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from typing import Annotated

from msgspec import Struct, to_builtins

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import Declaration, says
from commands.action.progress import watched
from commands.action.quoting import quoted
from commands.past.soundness import examine
from commands.words.console import Console
from commands.words.discovery import is_address, shown
from commands.words.screen import harmless
from ledger.chain import GENESIS, Blinds, Entry, covered, digest, head_line
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.events import Declared
from ledger.pages import Pages
from ledger.store import Head, check_format

from .drafts import drafted
from .init import Key, keep_state, new_ledger

_BLOCK = 4096
"""The number of bytes read at a time; an error of the disk loses this many."""
_BESIDE = ("-journal", "-wal")
"""Files that SQLite may leave beside a ledger, with a part of the record or of an unfinished command."""


class Salvage(Declaration):
    """Save the sound part of a damaged ledger into a new one: every entry before the first that is missing, changed or
    wrong by the rules. Lists the entries that are left behind, as far as it can read them. The damaged file is never
    changed.
    """

    file: Annotated[str, says("The damaged ledger.")]
    new: Annotated[str, says("The ledger to make.")]
    key: Annotated[Key, says("The key of the dice, if the file has lost it; an export as JSON Lines holds it.")] = ""


class _Left(Struct, frozen=True):
    """An entry that was left behind."""

    entry: int
    recorded_at: str = ""
    by: str = ""
    typed: str = ""
    """The words of the command; "" when they cannot be read."""


class _Stops(Exception):
    """The entries that were written are not sound from some entry on."""

    def __init__(self, entry: int, why: str) -> None:
        super().__init__(why)
        self.entry = entry
        self.why = why


def salvage(console: Console, said: Salvage) -> None:
    """Makes the new ledger. It appears whole or not at all, it verifies as sound, and its head lies on the old
    chain.
    """
    for word in (said.file, said.new):
        if is_address(word):
            raise UsageError(
                f"{shown(word)} is in a database; salvage reads and makes files.",
                "Ask who keeps the database for its last backup.",
            )
    if not os.path.isfile(said.file):
        raise LedgerMissing(f"There is no file {said.file}.")
    console.making = "" if os.path.lexists(said.new) else said.new
    beside = os.path.join(os.path.dirname(said.new), f"source-{os.path.basename(said.new)}")
    try:
        with drafted(beside) as source:
            lost = _copy(said.file, source)
            with open(source, "rb") as file, _mapped(file.fileno()) as data:
                found = Pages(data)
                found.read(watched(range(found.count), found.count, "salvage"))
                head, why = _written(found, said, bytes.fromhex(said.key))
                left = tuple(_left(found, number) for number in sorted(found.known) if number > head.entry)
                lost += found.lost
    except OSError as error:
        if os.path.dirname(str(error.filename)) == os.path.dirname(os.path.abspath(said.new)):
            raise LedgerMissing(
                f"{said.new} cannot be made: {error.strerror}.", "Name one in a folder in which you may write."
            ) from None
        raise LedgerMissing(f"{said.file} cannot be salvaged: {error.strerror}.") from None
    if console.json:
        console.give({
            "ok": True, "entries": head.entry, "digest": head.digest, "ledger": said.new,
            "stopped": why if left else "", "left": to_builtins(left), "lost_pages": lost,
        })  # fmt: skip
        return
    _tell(console, said, head, why, left, lost)


def _tell(console: Console, said: Salvage, head: Head, why: str, left: tuple[_Left, ...], lost: int) -> None:
    counted = "1 entry is" if head.entry == 1 else f"{head.entry} entries are"
    console.whisper(harmless(f"{counted} in {said.new}. affray --ledger {quoted(said.new)} verify checks all of it."))
    if lost:
        console.say(f"{lost} {'page' if lost == 1 else 'pages'} of {harmless(said.file)} cannot be read.")
    if left:
        console.say(harmless(f"{why} These entries were left behind:"))
    for one in left:
        told = f"{one.recorded_at}  {one.by}  {one.typed}" if one.recorded_at else "cannot be read"
        console.say(f"  e{one.entry}  {harmless(told)}")
    if not left:
        console.say("Nothing else was found in the file.")
    console.say(head_line(head.entry, head.digest), whole=True)


def _copy(path: str, to: str) -> int:
    """Copies a ledger with SQLite's files beside it, and gives the number of blocks that the disk cannot read. The copy
    finishes or undoes an unfinished command, as SQLite does in the file itself.
    """
    lost = _copy_blocks(path, to)
    beside = [ending for ending in _BESIDE if os.path.isfile(path + ending)]
    for ending in beside:
        lost += _copy_blocks(path + ending, to + ending)
    if beside:
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(to)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            db.execute("PRAGMA journal_mode = DELETE").fetchone()
    return lost


def _block(file: int, size: int, at: int) -> bytes | None:
    """A part of a file; None when the disk reports an error twice."""
    for _ in range(2):
        with contextlib.suppress(OSError):
            return os.pread(file, size, at)
    return None


def _copy_blocks(path: str, to: str) -> int:
    """Copies a file, with zeros for blocks that cannot be read, and gives their number."""
    lost = 0
    with open(path, "rb", buffering=0) as old, open(to, "wb") as new:
        size = os.fstat(old.fileno()).st_size
        for at in range(0, size, _BLOCK):
            block = _block(old.fileno(), min(_BLOCK, size - at), at)
            lost += block is None
            new.write((block or b"").ljust(min(_BLOCK, size - at), b"\0"))
    return lost


@contextlib.contextmanager
def _mapped(file: int) -> Iterator[bytes | mmap]:
    """The content of a file, which is not read into memory; an empty one cannot be mapped."""
    if not os.fstat(file).st_size:
        yield b""
        return
    with mmap(file, 0, access=ACCESS_READ) as data:
        yield data


def _written(found: Pages, said: Salvage, key: bytes) -> tuple[Head, str]:
    """Writes the sound beginning, and gives its head and the reason why it ends there. Raises LedgerDamaged without
    any.
    """
    if found.format:  # its header is whole
        check_format(said.file, found.format)
    if not found.known:
        raise LedgerDamaged(f"{said.file} holds no readable part of a ledger; nothing was made.")
    key = key or _key(found, said.file)
    most, why = max(found.known), ""
    while most:
        try:
            return _try(found, said.new, key, most, why)
        except _Stops as stops:
            most, why = stops.entry - 1, stops.why
    raise LedgerDamaged(f"No entry of {said.file} is sound; nothing was made: {why}")


def _try(found: Pages, path: str, key: bytes, most: int, why: str) -> tuple[Head, str]:
    """Writes the entries of an unbroken chain, up to a last one. Raises _Stops when they are not sound."""
    with new_ledger(path, key) as store:
        begun = None
        with store.writing() as head:
            while head.entry < most:
                number = head.entry + 1
                entry = next(
                    (one for one, held in found.candidates(number) if _follows(head.digest, one, held, key)), None
                )
                if entry is None:
                    why = f"e{number} {'is not what was recorded' if number in found.entries else 'is missing'}."
                    break
                if not 0 <= entry.after < number:
                    why = f"e{number} stands after e{entry.after}, which does not come before it."
                    break
                head = store.append(entry, head)
                begun = entry if entry.command == number else begun
        if begun is None:
            raise _Stops(1, why)
        if wrong := examine(Book(store)).of("damage", "fault", "unchecked"):
            first = min(wrong, key=lambda finding: finding.entry)
            said = events_of(begun)[0]  # which may begin a command that appends several
            several = systems.amends(said) or (isinstance(said, Declared) and said.instant)
            torn = why and first.entry == begun.entry and several
            raise _Stops(max(first.entry, 1), f"{why} It belongs to e{first.entry}." if torn else first.message)
        keep_state(store, head)
    return head, why


def _follows(previous: str, entry: Entry, held: str, key: bytes) -> bool:
    """Whether an entry, as it was found, has the digest that the file holds for it."""
    if min(entry.splits, default=0) < 0:
        return False
    return digest(previous, entry, *covered(previous, entry, Blinds(key))) == held


def _key(found: Pages, path: str) -> bytes:
    """The key of the campaign, as the file holds it. Raises LedgerDamaged when it is lost."""
    for word in found.keys:
        with contextlib.suppress(ValueError):
            key = bytes.fromhex(word)
            if any(_follows(GENESIS, first, held, key) for first, held in found.candidates(1)):
                return key
    raise LedgerDamaged(
        f"{path} has lost the key of the campaign; nothing was made.",
        "Give it with --key. The first line of an export as JSON Lines holds it.",
    )


def _left(found: Pages, number: int) -> _Left:
    """The readable parts of an entry that was left behind."""
    for entry, _ in found.candidates(number):
        return _Left(number, entry.recorded_at, entry.by, entry.typed)
    return _Left(number)
