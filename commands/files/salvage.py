"""Salvage: copies the sound beginning of a damaged ledger into a new one."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any

from msgspec import Struct, to_builtins

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import Declaration, says
from commands.action.quoting import quoted
from commands.past.soundness import examine
from commands.words.console import Console
from commands.words.discovery import is_address, shown
from commands.words.screen import harmless
from ledger import APPLICATION_ID
from ledger.chain import COLUMNS, GENESIS, TYPES, Blinds, Entry, covered, digest, head_line
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.events import Declared
from ledger.guarded import authorize, guard, most_entries
from ledger.schema import TABLES
from ledger.store import Head, check_format

from .drafts import drafted
from .init import Key, keep_state, new_ledger

_BESIDE = ("-journal", "-wal")
"""Files that SQLite may leave beside a ledger, with a part of the record or of an unfinished command."""
_ROWS = "NOT INDEXED ORDER BY"
_EVENTS = """
SELECT entry, body, split FROM events NOT INDEXED
WHERE typeof(entry) = 'integer' AND typeof(body) = 'text' AND typeof(split) = 'integer' AND split >= 0 ORDER BY seq"""


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
            message = f"{shown(word)} is in a database; salvage reads and makes files."
            raise UsageError(message, "Ask who keeps the database for its last backup.")
    if not os.path.isfile(said.file):
        raise LedgerMissing(f"There is no file {said.file}.")
    console.making = "" if os.path.lexists(said.new) else said.new
    beside = os.path.join(os.path.dirname(said.new), f"source-{os.path.basename(said.new)}")
    try:
        with drafted(beside) as source:
            for ending in ("", *(one for one in _BESIDE if os.path.isfile(said.file + one))):
                shutil.copyfile(said.file + ending, source + ending)
            with closing(_Rows(said.file, source)) as rows:
                first = next(rows.entries(), None)
            if not (first and first[0].bodies):
                _give_first_page(source)
            with closing(_Rows(said.file, source)) as rows:
                head, why = _written(rows, said, bytes.fromhex(said.key))
                left = rows.above(head.entry)
    except OSError as error:
        if os.path.dirname(str(error.filename)) == os.path.dirname(os.path.abspath(said.new)):
            message = f"{said.new} cannot be made: {error.strerror}."
            raise LedgerMissing(message, "Name one in a folder in which you may write.") from None
        raise LedgerMissing(f"{said.file} cannot be salvaged: {error.strerror}.") from None
    why = why or f"e{head.entry + 1} is missing."
    if console.json:
        stopped = {"stopped": why if left or rows.broken else "", "left": to_builtins(left)}
        console.give({"ok": True, "entries": head.entry, "digest": head.digest, "ledger": said.new, **stopped})
        return
    _tell(console, said, head, why, left)
    if not left:
        console.say(harmless(rows.broken) or "Nothing else was found in the file.")
    console.say(head_line(head.entry, head.digest), whole=True)


def _tell(console: Console, said: Salvage, head: Head, why: str, left: list[_Left]) -> None:
    counted = "1 entry is" if head.entry == 1 else f"{head.entry} entries are"
    console.whisper(harmless(f"{counted} in {said.new}. affray --ledger {quoted(said.new)} verify checks all of it."))
    if left:
        console.say(harmless(f"{why} These entries were left behind:"))
    for one in left:
        told = f"{one.recorded_at}  {one.by}  {one.typed}" if one.recorded_at else "cannot be read"
        console.say(f"  e{one.entry}  {harmless(told)}")


def _give_first_page(path: str) -> None:
    """Writes a first page into a file: it says where the tables begin, which is the same in all ledgers."""
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(TABLES)
        page = bytearray(new.serialize()[:4096])
    page[92:96] = b"\xff" * 4  # or SQLite believes the number of pages that stands there
    with open(path, "r+b") as file:
        file.write(page)


class _Rows:
    """The rows of a damaged ledger, as far as SQLite reads them in the order of their tables: no index is asked."""

    def __init__(self, path: str, copy: str) -> None:
        """Of a copy, in which SQLite finishes or undoes an unfinished command."""
        self.path = path
        self.broken = ""
        """What SQLite says of the place at which it could not go on, in a sentence; "" where it read everything."""
        self.format = 0
        """That of the ledger; 0 when the file does not say so."""
        self._db = sqlite3.connect(copy, isolation_level=None)
        self._db.text_factory = lambda raw: raw.decode(errors="replace")
        guard(self._db, copy)
        self.most = most_entries(copy)
        """More entries than the file can hold."""
        with self._to_the_end():
            self._db.execute("PRAGMA writable_schema = ON")  # else a file that ends too early is not opened
            self._db.execute("PRAGMA journal_mode = DELETE").fetchone()
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            if application == APPLICATION_ID:
                (self.format,) = self._db.execute("PRAGMA user_version").fetchone()
        self._db.set_authorizer(authorize)

    def close(self) -> None:
        """Ends all use of the copy."""
        self._db.close()

    @contextmanager
    def _to_the_end(self) -> Iterator[None]:
        """Reading ends where SQLite can read no more."""
        try:
            yield
        except sqlite3.Error as error:
            self.broken = f"{self.path} cannot be read to its end: {error}."

    def read(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, to the last that can be read."""
        with self._to_the_end(), closing(self._db.execute(query)) as rows:
            yield from rows

    def entries(self) -> Iterator[tuple[Entry, str]]:
        """The entries from the first one on, each with the digest that the file holds for it."""
        events = groupby(self.read(_EVENTS), itemgetter(0))
        of, halves = 0, list[list[Any]]()
        for row in self.read(f"SELECT {COLUMNS} FROM entries {_ROWS} entry"):
            while of < row[0]:
                of, found = next(events, (2**63, ()))
                halves = [half for _, *half in found]
            *fields, parts, held = row
            bodies, splits = (tuple(half[nth] for half in halves if of == row[0]) for nth in (0, 1))
            if [*map(type, row)] == TYPES:
                yield Entry(*fields, bodies=bodies, splits=splits, parts=parts), held

    def above(self, number: int) -> list[_Left]:
        """All entries above one of which the file holds any row, found from both ends."""
        ways = [(table, way) for table in ("entries", "events", "checkpoints") for way in ("", " DESC")]
        held = [row[0] for table, way in ways for row in self.read(f"SELECT entry FROM {table} {_ROWS} rowid{way}")]
        last = max((one for one in held if type(one) is int and one < self.most), default=0)
        found = {one: _Left(one) for one in range(number + 1, last + 1)}
        for way in ("", " DESC"):
            for row in self.read(f"SELECT entry, recorded_at, by, typed FROM entries {_ROWS} entry{way}"):
                if row[0] in found:
                    found[row[0]] = _Left(row[0], *map(str, row[1:]))
        return [*found.values()]


def _written(found: _Rows, said: Salvage, key: bytes) -> tuple[Head, str]:
    """Writes the sound beginning, and gives its head and the reason why it ends there. Raises LedgerDamaged without
    any.
    """
    if found.format:
        check_format(said.file, found.format)
    first = next(found.entries(), None)
    if first is None:
        raise LedgerDamaged(f"{said.file} holds no readable part of a ledger; nothing was made.")
    key = key or _key(found, *first)
    most, why = found.most, ""
    while most:
        try:
            return _try(found, said.new, key, most, why)
        except _Stops as stops:
            most, why = stops.entry - 1, stops.why
    raise LedgerDamaged(f"No entry of {said.file} is sound; nothing was made: {why}")


def _try(found: _Rows, path: str, key: bytes, most: int, why: str) -> tuple[Head, str]:
    """Writes the entries of an unbroken chain, up to a last one. Raises _Stops when they are not sound."""
    with new_ledger(path, key) as store:
        begun = None
        with store.writing() as head:
            for entry, held in found.entries():
                number = head.entry + 1
                if number > most:
                    break
                if entry.entry != number or not _follows(head.digest, entry, held, key):
                    why = f"e{number} {'is missing' if entry.entry > number else 'is not what was recorded'}."
                    break
                if not 0 <= entry.after < number:
                    why = f"e{number} stands after e{entry.after}, which does not come before it."
                    break
                head = store.append(entry, head)
                begun = entry if entry.command == number else begun
            else:
                why = why or (f"e{head.entry + 1} cannot be read." if found.broken else "")
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
    return digest(previous, entry, *covered(previous, entry, Blinds(key))) == held


def _key(found: _Rows, first: Entry, held: str) -> bytes:
    """The key of the campaign, as the file holds it. Raises LedgerDamaged when it is lost."""
    for (word,) in found.read(f"SELECT key FROM keys {_ROWS} rowid"):
        with suppress(TypeError, ValueError):
            if _follows(GENESIS, first, held, key := bytes.fromhex(word)):
                return key
    message = f"{found.path} has lost the key of the campaign; nothing was made."
    raise LedgerDamaged(message, "Give it with --key. The first line of an export as JSON Lines holds it.")
