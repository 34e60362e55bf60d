"""Export and import: writes the record in other formats, and reads JSON Lines back without loss."""

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, Annotated, Any

import msgspec

from commands.action.declaration import Declaration, Words, says
from commands.action.mistakes import in_words
from commands.action.quoting import quoted
from commands.look.filters import Filters
from commands.seen.players_lines import PlayersFirstLine, PlayersLine
from commands.seen.record import Record, players_sides
from commands.words.console import Console
from commands.words.discovery import is_address, is_there, opened, shown
from commands.words.progress import watched
from commands.words.screen import harmless
from ledger import SUFFIX, dice
from ledger.chain import Entry, head_line
from ledger.chain import digest as link
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.events import Declared, Rolled
from ledger.forms import check_parts, check_whole
from ledger.parts import encode as parts_encoded
from ledger.store import LONGEST, Head, Store, check_format, possible

from .drafts import drafted, replace
from .exports import FORMATS, ZIP, Format, format_of
from .exports.json_lines import EntryLine, FirstLine, Heading, written
from .init import keep_state, new_ledger
from .untrusted import bounded

_MAGIC = b"SQLite format 3\0"
"""How a database begins."""


class Export(Filters):
    """Write the ledger in another format: jsonl (the whole record; import makes the same ledger of it), markdown (a
    chronicle), html (one page: boards, log, story, a check of the chain), csv and parquet (tables: entries, events,
    dice, rulings, damage, conditions, fighters; all of them in a .zip). The ending of the file says which.
    """

    file: Annotated[str, says("The file; - for standard output.", positional=True)] = "-"
    format: Annotated[str, says("The format, if the ending does not give it.", word="format")] = ""
    table: Annotated[str, says("Which table; by default entries, or all in a .zip.", word="exported-table")] = ""
    player_safe: Annotated[
        bool, says("Leave out what the players should not know.", also=["players", "player", "secrets", "spoilers"])
    ] = False
    sides: Annotated[Words, says("With --player-safe: the players' sides, about which everything is told.")] = ()
    standing: Annotated[bool, says("In a chronicle or page: only what stands, without what was undone or amended.")] = (
        False
    )
    arithmetic: Annotated[bool, says("In a chronicle or page: show how each outcome was reached.")] = False


class BringIn(Declaration):
    """Make a ledger from JSON Lines that `export` wrote. Every digest is checked."""

    source: Annotated[str, says("The JSON Lines; - for standard input.")]
    ledger: Annotated[str, says("The ledger file to make.")]


def export(console: Console, said: Export) -> None:
    """Writes the file; it appears whole or not at all."""
    book, path = console.book, os.path.realpath(said.file)
    name, form = _checked(console, said)
    sides = players_sides(book, said.sides) if said.player_safe else None
    record = Record(book, said, _table(said, form), sides, said.standing, said.arithmetic or not form.chronicle)
    write = writer(name)
    if said.file == "-":
        _print(record, write)
        return
    try:
        with _replaced(path) as file:
            write(record, file)
    except OSError as error:
        raise LedgerMissing(f"{said.file} cannot be written: {error.strerror}.") from None
    head = record.head
    if console.json:
        console.give({"ok": True, "entries": head.entry, "digest": head.digest, "file": said.file})
        return
    if name == "jsonl":
        open_ = record.sides is not None or book.store.is_for_players
        secrets = "" if open_ else " The file holds the campaign's key and all secrets: players get --player-safe."
        console.whisper(harmless(f"{head.entry} entries written to {said.file}.{secrets}"))
        return
    what = f"the table {record.table}" if record.table else "all tables" if form.tabular else name
    console.whisper(harmless(f"{said.file} is written: {what}, as of {record.line}."))


def _checked(console: Console, said: Export) -> tuple[str, Format]:
    """The format and its name. Raises UsageError where it cannot be written so, LedgerMissing for a folder."""
    store, path = console.book.store, os.path.realpath(said.file)
    if said.file != "-":
        _check_target(said.file, path, store.path)
    name, form = format_of(said.file, said.format)
    _check_words(said, name, form)
    if said.file == "-" and form.binary and sys.stdout.isatty():
        raise UsageError("This format is not for a terminal.", "Name a file to write to.")
    if store.is_for_players and (said.player_safe or name == "html"):
        message = f"{store.path} already holds only what the players see, and no board."
        raise UsageError(message, "affray export fight.md")
    return name, form


def writer(name: str) -> Callable[[Record, IO[bytes]], None]:
    """The function that writes a format, by the format's name."""
    match name:
        case "jsonl":
            from .exports.json_lines import write
        case "markdown":
            from .exports.markdown import write
        case "html":
            from commands.seen.page import write
        case "csv":
            from .exports.comma_separated import write
        case _:
            from .exports.parquet import write
    return write


def _check_words(said: Export, name: str, form: Format) -> None:
    """Raises UsageError for options that the format does not have."""
    if form.whole:
        others = ", ".join(other for other, one in FORMATS.items() if not one.whole)
        always = f"{name} always holds the whole record"
        if (said.encounter, said.round) != (None, None) or said.name or said.kind or said.clause:
            raise UsageError(f"{always} and takes no filters.", f"These formats do: {others}.")
    if (said.standing or said.arithmetic) and not form.chronicle:
        chronicles = ", ".join(other for other, one in FORMATS.items() if one.chronicle)
        message = f"{'--standing' if said.standing else '--arithmetic'} is for a chronicle, and {name} is none."
        raise UsageError(message, f"Chronicles are: {chronicles}.")
    if said.table and not form.tabular:
        raise UsageError(f"{name} has no tables.", "--format csv --table dice")
    if said.sides and not said.player_safe:
        raise UsageError("--sides names the players' sides; it needs --player-safe.")


def _table(said: Export, form: Format) -> str:
    """The table to write; "" for all."""
    if not form.tabular:
        return ""
    if said.table:
        from .exports.tidy import table_named

        table_named(said.table)
        if said.file.lower().endswith(ZIP):
            raise UsageError("A .zip holds all tables; write a single table as .csv or .parquet.", f"{said.table}.csv")
    return said.table or ("" if said.file.lower().endswith(ZIP) else "entries")


def _print(record: Record, write: Any) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    if isinstance(sys.stdout, TextIOWrapper):
        write(record, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    from io import BytesIO

    held = BytesIO()
    write(record, held)
    sys.stdout.write(held.getvalue().decode())


def _check_target(said: str, path: str, ledger: str) -> None:
    """Raises LedgerMissing for a folder, and UsageError for a file that is a ledger or another database."""
    if os.path.isdir(path):
        message = f"{said} cannot be written: it is a folder."
        raise LedgerMissing(message, f"Name a file in it: {os.path.join(said, 'fight.md')}")
    if path.endswith(SUFFIX) or (os.path.exists(path) and os.path.exists(ledger) and os.path.samefile(path, ledger)):
        raise UsageError(f"{said} is a ledger name; choose another ending.", "affray export fight.jsonl")
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "rb") as old:
                if old.read(len(_MAGIC)) == _MAGIC:
                    raise UsageError(f"{said} is a database, which an export would replace.", "Choose another name.")


@contextmanager
def _replaced(path: str) -> Iterator[IO[bytes]]:
    """A file to write in. It replaces the old one when all is written and on the disk, or not at all. A pipe or a
    device is written into. Raises OSError.
    """
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        with open(path, "wb") as device:
            yield device
        return
    with drafted(path) as draft:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        replace(draft, path)


def bring_in(console: Console, said: BringIn) -> None:
    """Reads the lines, checks the chain, and makes the ledger; it appears whole or not at all."""
    console.making = "" if is_there(said.ledger) else said.ledger
    head = read_file(said.source, said.ledger)
    if console.json:
        console.give({"ok": True, "entries": head.entry, "digest": head.digest, "ledger": shown(said.ledger)})
        return
    path = shown(said.ledger)
    then = f"affray --ledger {quoted(path)} verify checks the rules too."
    with contextlib.closing(opened(said.ledger)) as store:
        if store.is_for_players:
            then = "They are what the players see: log, verify and export read them."
    console.whisper(f"{head.entry} entries are in {path}. {then}")
    console.say(head_line(head.entry, head.digest), whole=True)


def read_file(source: str, ledger: str) -> Head:
    """Makes a ledger from JSON Lines; - reads standard input. Gives its head.

    Raises UsageError for what is no export, LedgerDamaged for one that was changed.
    """
    try:
        if source == "-":
            if isinstance(sys.stdin, TextIOWrapper):  # whatever the terminal uses
                sys.stdin.reconfigure(encoding="utf-8", errors="strict", newline="\n")
            return _read(bounded(sys.stdin, "standard input", LONGEST), "standard input", ledger)
        _check_no_ledger(source)
        with open(source, encoding="utf-8", newline="\n") as file:
            return _read(watched(bounded(file, source[:80], LONGEST), _lines(source), "import"), source[:80], ledger)
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not a text file in UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{source[:80]} cannot be read: {error.strerror}.") from None


def _check_no_ledger(source: str) -> None:
    """Raises UsageError when a file that should be an export is a ledger."""
    if is_address(source):
        raise UsageError(f"{shown(source)} is not an exported ledger.", "Name a ledger with --ledger before the verb.")
    if not os.path.isfile(source):
        return
    with open(source, "rb") as file:
        if file.read(len(_MAGIC)) == _MAGIC:
            raise UsageError(f"{source} is a ledger, not an export of one.", f"affray --ledger {quoted(source)} verify")


def _lines(path: str) -> int:
    """The number of lines of a file, counted only when a terminal shows the progress; 0 for a pipe."""
    if not sys.stderr.isatty() or not os.path.isfile(path):
        return 0
    with open(path, "rb") as file:
        return sum(part.count(b"\n") for part in iter(lambda: file.read(1 << 20), b""))


def _read(lines: Iterable[str], name: str, path: str) -> Head:
    rest = iter(lines)
    line = next(rest, "")
    first: FirstLine | PlayersFirstLine
    try:
        if '"players"' in line:
            first, key = msgspec.json.decode(line, type=PlayersFirstLine), b""
            if not first.players:
                raise ValueError("neither a key nor players")
        else:
            first = msgspec.json.decode(line, type=FirstLine)
            key = bytes.fromhex(first.key)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise UsageError(f"{name} is not an export of a ledger: its first line does not say so.") from None
    check_format(name, first.affray)
    if msgspec.json.encode(first) != line.removesuffix("\n").encode():
        raise UsageError(f"{name} is not an export of a ledger: its first line is not in its canonical form.")
    if isinstance(first, FirstLine) and (len(key) != 32 or key.hex() != first.key):
        raise UsageError(f"{name} is not an export of a ledger: its first line holds no key.")
    append, stand = _append if key else _append_parts, bytearray()
    with new_ledger(path, key) as store:
        with store.writing() as head:
            for at, line in enumerate(rest, 2):
                head, stands = append(store, head, line, f"{name}, line {at}")
                stand.append(stands)
        if not head.entry:
            raise UsageError(f"{name} holds no entries.")
        _check_standing(store, stand, name)
        if key:
            keep_state(store, head)
    return head


_entry_lines = msgspec.json.Decoder(EntryLine)
_players_lines = msgspec.json.Decoder(PlayersLine)


def _check_standing(store: Store, said: bytearray, name: str) -> None:
    """Raises LedgerDamaged where a line says otherwise than the course whether its entry stands. `said` holds 1 or 0
    for each entry.
    """
    due = bytearray(len(said))
    for first, last in store.course(len(said)):
        due[first - 1 : last] = b"\1" * (last - first + 1)
    for at, (one, other) in enumerate(zip(said, due, strict=True), 1):
        if one != other:
            raise LedgerDamaged(f"{name}, line {at + 1}: e{at} {'stands' if other else 'does not stand'}.")


def _append(store: Store, head: Head, line: str, place: str) -> tuple[Head, bool]:
    try:
        said = _entry_lines.decode(line)
        bodies = tuple(bytes(body).decode() for body in said.events)
        fields = {name: getattr(said, name) for name in Heading.__struct_fields__[:-2]}
        entry = Entry(**fields, bodies=bodies, splits=tuple(said.splits))
        if written(entry, said.digest, said.stands) != line.removesuffix("\n").encode():
            raise ValueError("it is not in its canonical form")
        events = [check_whole(*both) for both in zip(bodies, said.splits, strict=True)]
        if [isinstance(event, Declared) for event in events] != [True, *[False] * (len(events) - 1)]:
            raise ValueError("an entry begins with its declaration")
    except RecursionError:
        raise LedgerDamaged(f"{place} is not an entry: it is nested too deeply.") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise LedgerDamaged(f"{place} is not an entry: {in_words(error, EntryLine)[:200]}.") from None
    if said.entry != head.entry + 1 or store.linked(head.digest, entry) != said.digest:
        raise LedgerDamaged(f"{place}: its digest does not follow from the line before; the export was changed.")
    places = [place for event in events if isinstance(event, Rolled) for place in event.places]
    counts = (said.after, said.command, said.origin, said.drawn, said.hidden, *map(abs, places))
    if not possible(said.entry, said.after, said.command, said.origin, said.drawn, said.hidden) or not all(
        count <= dice.MOST_PLACE for count in counts
    ):
        raise LedgerDamaged(f"{place} is not an entry that a ledger can hold.")
    if said.once and store.recorded(said.once) is not None:
        raise LedgerDamaged(f"{place} has the id of another command.")
    return _recorded(store, head, entry, place), said.stands


def _append_parts(store: Store, head: Head, line: str, place: str) -> tuple[Head, bool]:
    try:
        said = _players_lines.decode(line)
        if msgspec.json.encode(said) != line.removesuffix("\n").encode():
            raise ValueError("it is not in its canonical form")
        leaves = said.parts.leaves()
        check_parts(said.parts)
    except RecursionError:
        raise LedgerDamaged(f"{place} is not an entry: it is nested too deeply.") from None
    except (ValueError, KeyError, msgspec.MsgspecError) as error:
        raise LedgerDamaged(f"{place} is not an entry: {in_words(error, PlayersLine)[:200]}.") from None
    numbers = said.entry, said.after, said.command, said.origin, 0, 0
    heading = *numbers, said.recorded_at, "", "", said.program, ""
    entry = Entry(*heading, bodies=(), splits=(), parts=parts_encoded(said.parts))
    if link(head.digest, entry, said.parts.sealed, leaves) != said.digest or said.entry != head.entry + 1:
        raise LedgerDamaged(f"{place}: its digest does not follow from the line before; the export was changed.")
    if not possible(said.entry, said.after, said.command, said.origin, 0, 0):
        raise LedgerDamaged(f"{place} is not an entry that a ledger can hold.")
    return _recorded(store, head, entry, place), said.stands


def _recorded(store: Store, head: Head, entry: Entry, place: str) -> Head:
    try:
        return store.append(entry, head)
    except LedgerDamaged as error:
        raise LedgerDamaged(f"{place} cannot be recorded: {error.message}") from None
