"""`affray sheet import`: a stat block that somebody wrote as text becomes a sheet, each value with its words."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count
from typing import Annotated, Any, Literal

import msgspec

from commands.action import systems
from commands.action.as_written import Entry, Question, Value, Written
from commands.action.declaration import Declaration, says
from commands.action.names import check_meaning, proper, proper_side
from commands.action.quoting import quoted
from commands.action.view import sheet_decoder
from commands.files.drafts import write_new
from commands.words.asking import answer
from commands.words.console import Console
from commands.words.rule_systems import check_system
from commands.words.screen import harmless
from commands.words.sheet_files import ASKED
from commands.words.toml_lines import toml
from ledger.errors import AffrayError, UsageError
from ledger.events.sentences import counted

from .blocks import words as words_of
from .families import Scales
from .fields import PACES, SCALES
from .read_block import Reading, read

_LARGEST = 2_000_000
"""The most bytes of a text."""
_USUAL = "arkm"
"""The rule system whose sheets such texts describe, where there is no ledger."""


_Game = Literal["ose", "bx", "bfrpg", "labyrinth-lord", "swords-wizardry", "dark-dungeons"]


class SheetImport(Declaration):
    """Read stat blocks as people write them, and print them as sheets. Each value carries the words that it came from;
    what fits no field is listed below them. Nobody joins; `affray join` takes the file.
    """

    file: Annotated[str, says("The text; - for standard input, which is also read without it.", positional=True)] = "-"
    as_: Annotated[_Game | None, says("The game that it was written for, where its labels do not say.")] = None
    ac: Annotated[
        Literal["descending", "ascending", "ascending11"] | None,
        says("What a lone armour class is; unarmoured is 9 descending, 10 or 11 ascending."),
    ] = None
    move: Annotated[
        Literal["turn", "round", "tens"] | None,
        says("What a lone movement is: feet in a turn, feet in a round, or tens of feet in a turn."),
    ] = None
    side: Annotated[str, says("Their side.")] = ""
    called: Annotated[str, says("Another name, for one stat block.")] = ""
    output: Annotated[str, says("A new file for the sheets. A file that exists is not replaced.")] = ""
    strict: Annotated[bool, says("Exit with 1 if anything is to be decided.")] = False
    system: Annotated[str, says("The rule system, if not the ledger's.", word="system")] = ""


class Draft(msgspec.Struct):
    """A sheet in the making."""

    key: str
    """Its name in a file of several."""
    entries: list[Entry]
    unread: list[str]
    asked: list[Question]


class Undecided(AffrayError):
    """A text leaves something open, and `--strict` takes no such text."""

    code = 1
    reference = "undecided"


def sheet_import(console: Console, said: SheetImport) -> None:
    """Prints the sheets, or writes their file; one line on standard error says how much was read. Raises Undecided
    where something is open and that is not allowed.
    """
    system = said.system or console.system or _USUAL
    check_system(console, system)
    sheet_of = _reader(system)
    text = _text(console, said.file)
    if re.match(r"\s*(?:\{\s*[\"}]|\[\s*[{\"\]])", text):  # it may have been cut off
        raise UsageError("This is JSON; stat blocks are read from text as people write it.", "affray sheets")
    drafts = _drafts(said, sheet_of, text)
    if not any(map(_is_one, drafts)):
        message = "No stat block was found: there is no label such as AC, HD or Armour Class."
        raise UsageError(message, "affray sheet import --help")
    if console.asks and said.file != "-":
        drafts = _asked(said, system, sheet_of, text, drafts)
    made = _written(drafts, system)
    if said.output:
        write_new(said.output, made)
    told = {"system": system, "sheets": list(map(_told, drafts)), "file": said.output or None}
    asked = sum(len(draft.asked) for draft in drafts)
    open_ = asked if said.strict else 0
    if console.json and not open_:
        console.give({"ok": True, **told})
    elif not console.json and not said.output:
        console.say(made.rstrip("\n"), whole=True)
    console.whisper(_summary(drafts))
    if open_:
        error = Undecided(f"{counted(open_, 'thing')} to decide: see `# asked:` in the sheets.")
        error.data = told
        raise error
    if said.output and not console.json and not asked:
        console.whisper(harmless(f"Then: affray join {quoted(said.output)}"))


SheetOf = Callable[[Written], tuple[list[Entry], list[Question], list[str]]]
"""Makes the fields of a sheet of what was read, and gives what is open and what no field holds."""


def _is_one(draft: Draft) -> bool:
    """Whether anything of a stat block was found: a value or a question, besides a name."""
    fields = {one.field for one in draft.entries} | {one.field for one in draft.asked}
    return bool(fields - {"name", "side", "special"})


def sheets_of(text: str, system: str, said: SheetImport) -> str:
    """The sheets in a text as a TOML file, without questions at a terminal."""
    return _written(_drafts(said, _reader(system), text), system)


def _reader(system: str) -> SheetOf:
    """The function that makes a sheet of a rule system. Raises UsageError when it has none."""
    if not systems.has_module(system, "pasted"):
        having = [one for one in systems.every() if systems.has_module(one, "pasted")]
        message = f"{systems.load(system).title} reads no stat blocks from text."
        raise UsageError(message, f"These do: {', '.join(having)}; name one with --system.")
    found: SheetOf = systems.found(system, "pasted", "sheet_of")
    return found


def _text(console: Console, file: str) -> str:
    """What a file or standard input holds."""
    try:
        if file == "-":
            if console.prompting:
                raise UsageError("At the prompt a text comes from a file.", "Write it to a file, and name that.")
            if sys.stdin.isatty():
                console.whisper("Paste the stat blocks; Ctrl-D on a line of its own ends them.")
            raw = _typed()
        else:
            if not os.path.isfile(file):
                why = "is a folder" if os.path.isdir(file) else "is not a file"
                raise UsageError(f"{file[:80]!r} {why}.", "Name a file with stat blocks, or - for standard input.")
            with open(file, "rb") as opened:
                raw = opened.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has an impossible name"
        raise UsageError(f"{file[:80]!r} cannot be read: {reason}.") from None
    named = "standard input" if file == "-" else file[:80]
    if len(raw) > _LARGEST:
        raise UsageError(f"{named} is larger than two megabytes: too large for stat blocks.", "Paste less at once.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{named} is not a text in UTF-8.", "Save it as UTF-8.") from None
    if not text.strip():
        raise UsageError(f"{named} is empty.", "Paste a stat block into it.")
    return text


def _typed() -> bytes:
    """What standard input holds, in UTF-8 whatever the terminal uses."""
    plain = getattr(sys.stdin, "buffer", None)
    found: bytes = plain.read(_LARGEST + 1) if plain else sys.stdin.read(_LARGEST + 1).encode()
    return found


def _drafts(said: SheetImport, sheet_of: "SheetOf", text: str) -> list[Draft]:
    """The sheets in a text. Words of it that stand in no comment and in no special power end the last of them."""
    readings = read(text, Scales(said.ac or "", said.move or ""), said.as_ or "")
    if said.called and len(readings) > 1:
        raise UsageError(f"--called names one stat block; there are {len(readings)}.", "Leave it out.")
    drafts: list[Draft] = []
    for nth, reading in enumerate(readings, 1):
        if said.called:
            _call(reading, said.called)
        drafts.append(_draft(reading, sheet_of, nth, {draft.key for draft in drafts}))
    if said.side:
        side = Entry("side", proper_side(said.side), (), "said with --side")
        for draft in drafts:
            draft.entries = [side if one.field == "side" else one for one in draft.entries]
    told = {word for draft in drafts for word in words_of(_all_words(draft))}
    if missing := [word for word in words_of([text]) if word not in told]:
        drafts[-1].unread.append(" ".join(dict.fromkeys(missing)))
    return drafts


def _call(reading: Reading, name: str) -> None:
    """Gives a stat block another name."""
    check_meaning(name)
    had = reading.written.name
    reading.asked = [question for question in reading.asked if question.field != "name"]
    reading.written.name = Value(proper(name), had.words if had else "")


def _draft(reading: Reading, sheet_of: "SheetOf", nth: int, taken: set[str]) -> Draft:
    """The sheet of a stat block. What the rule system has no field for joins what was not read."""
    entries, asked, more = sheet_of(reading.written)
    fields = {entry.field: entry for entry in entries}
    name = str(fields["name"].value) if "name" in fields else ""
    try:
        check_meaning(proper(name or "x"))
    except AffrayError as error:
        asked.append(Question("name", f"name: {error.message}", reading.block.name))
        del fields["name"]
        name = ""
    base = name or f"Nameless-{nth}"
    key = next(one for one in chain([base], (f"{base}-{number}" for number in count(2))) if one not in taken)
    if key != base and name:
        fields["name"] = Entry("name", key, fields["name"].words)
    questions = [*reading.asked, *asked]
    told = {words for entry in entries for words in entry.words} | {one.words for one in questions}
    told.update(fields["special"].value if "special" in fields else ())
    unread = [*more, *reading.unread]
    values = (getattr(getattr(reading.written, field), "words", "") for field in Written.__struct_fields__)
    for words in (*reading.written.special, *values, reading.written.blows):
        if words and words not in told and words not in unread:
            unread.append(words)
    return Draft(key, [*fields.values()], unread, questions)


def _all_words(draft: Draft) -> Iterator[str]:
    """The words of the text that a sheet tells."""
    for entry in draft.entries:
        yield from entry.words
        if entry.field == "special":
            yield from entry.value
    yield from draft.unread
    yield from (question.words for question in draft.asked)


# Questions


def _asked(said: SheetImport, system: str, sheet_of: SheetOf, text: str, drafts: list[Draft]) -> list[Draft]:
    """Asks what is open, at the terminal: first the scales, which may answer much, then each field. Enter leaves it
    open.
    """
    armour = ("ac", SCALES, "A lone armour class, unarmoured 9, 10 or 11, is")
    for option, choices, what in (armour, ("move", tuple(PACES), "A lone movement is in")):
        if any(question.scale == option for draft in drafts for question in draft.asked):
            given = (answer(f"{what} {', '.join(choices)}? ") or "").strip().casefold()
            fitting = [one for one in choices if one == given] or [one for one in choices if one.startswith(given)]
            if given and len(fitting) == 1:
                said = msgspec.structs.replace(said, **{option: fitting[0]})
                drafts = _drafts(said, sheet_of, text)
    fields: dict[str, str] = systems.found(system, "pasted", "FIELDS")
    for draft in drafts:
        for question in list(draft.asked):
            if question.field in fields and not question.scale:
                _ask(draft, question, fields[question.field], sheet_decoder(system).type)
    return drafts


def _ask(draft: Draft, question: Question, field: str, kind: Any) -> None:
    """Asks for a field until the answer is one that the sheet can hold, or none."""
    while given := (answer(f"{draft.key}: {harmless(question.asks)}  {field} = ") or "").strip():
        try:
            value = proper(given) if field == "name" else _fitting(draft, field, given, kind)
        except (AffrayError, msgspec.ValidationError) as error:
            sys.stderr.write(f"{harmless(str(error))}\n")
            continue
        draft.asked.remove(question)
        at = next((nth for nth, one in enumerate(draft.entries) if one.field == "side"), 0)
        draft.entries.insert(0 if field == "name" else at + 1, Entry(field, value, (question.words,), "as answered"))
        if field == "name":
            draft.key = str(value)
        return


def _fitting(draft: Draft, field: str, given: str, kind: Any) -> str | int:
    """An answer as a sheet can hold it, a number or a text. Raises ValidationError when it is neither."""
    values = {"name": "X", **{one.field: one.value for one in draft.entries if one.field == "side"}}
    if re.fullmatch(r"-?[0-9]{1,9}", given):
        try:
            msgspec.convert({**values, field: int(given)}, kind)
        except msgspec.ValidationError as error:
            if "Expected `str`" not in str(error):
                raise
        else:
            return int(given)
    msgspec.convert({**values, field: given}, kind)
    return given


# What is printed


def _written(drafts: Sequence[Draft], system: str) -> str:
    """The sheets as a TOML file: one as it is, several in tables."""
    title = systems.load(system).title
    lines = [f"# Read from text, for {title}. Behind each value stand the words that it came from."]
    for draft in drafts:
        if len(drafts) > 1:
            lines += ["", f"[combatants.{toml({draft.key: 0})[2:-6]}]"]
        lines += [line for entry in draft.entries for line in _entry_lines(entry)]
        for one in draft.asked:
            words = one.asks if one.words in one.asks else f"{one.asks}  ({one.words})"
            lines.append(f"{ASKED}{_one_line(words)}")
        lines += [f"# unread: {_one_line(words)}" for words in draft.unread]
    return "\n".join([*lines, ""])


def _entry_lines(entry: Entry) -> Iterator[str]:
    """A field with the words that it came from."""
    words = "; ".join(filter(None, (*entry.words, entry.why)))
    comment = f"  # {_one_line(words)}" if words else ""
    if isinstance(entry.value, list):
        yield f"{entry.field} = [{comment}"
        yield from (f"  {toml(_safe(one))}," for one in entry.value)
        yield "]"
        return
    yield f"{entry.field} = {toml(_safe(entry.value))}{comment}"


def _safe(value: Any) -> Any:
    """A value whose texts are safe on any terminal."""
    if isinstance(value, dict):
        return {key: _safe(one) for key, one in value.items()}
    return _one_line(value) if isinstance(value, str) else value


def _one_line(text: str) -> str:
    return harmless(" ".join(text.split()))


def _summary(drafts: Sequence[Draft]) -> str:
    """How much was read, in one line."""
    values = sum(1 for draft in drafts for entry in draft.entries if entry.field != "side")
    unread, asked = sum(len(draft.unread) for draft in drafts), sum(len(draft.asked) for draft in drafts)
    several = f"{len(drafts)} stat blocks: " if len(drafts) > 1 else ""
    return f"{several}read {values}, left {unread} unread, {asked} to decide"


def _told(draft: Draft) -> dict[str, Any]:
    """A sheet for the answer in JSON."""
    return {
        "name": draft.key,
        "sheet": {entry.field: _safe(entry.value) for entry in draft.entries},
        "words": {entry.field: list(entry.words) for entry in draft.entries},
        "asked": [{"field": one.field, "asks": one.asks, "words": one.words} for one in draft.asked],
        "unread": draft.unread,
    }
