"""The commands that play a record again: a new ledger with the same state, to its digest.

They are every entry that stands, in order, with its dice; undone entries are comments. With them come the files that
they read: stat blocks, maps, and the campaign's own tables.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.common import Join
from commands.action.declaration import Declaration, Shape, is_entry, shapes
from commands.action.dice_sources import Answer, Dice, Layer, Question, Throw, answers
from commands.action.quoting import quoted
from commands.past import secrets
from commands.past.acts import Act, act_of
from commands.past.order import Course
from commands.past.rerun import Result
from commands.past.thrown import Fell, Thrown
from commands.seen.record import Record
from commands.words.encounter_files import begin_of
from commands.words.parameters import NOT_AN_OPTION, pieces
from commands.words.screen import harmless
from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import Declared, Event, Rolled, square
from projections.state import State

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class Script:
    """The commands of a script, and the files that they read."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.files: dict[str, str] = {}
        """Path and content of each."""
        self.standing = 0
        self._system = record.campaign.system

    def commands(self) -> Iterator[str]:
        """A line for each entry: a command for one that stands, otherwise a comment. The first line opens the ledger.
        Where a command names an entry by its number, notes take the places of entries that do not stand.
        """
        played = (_declared(entry) for entry, _ in self.record.entries() if self._played(entry))
        numbered = any("entry" in said.said or is_entry(str(said.said.get("what", ""))) for said in played)
        instants: list[Entry] = []
        made = 0
        for entry, _ in self.record.entries():
            if not self._played(entry):
                yield f"# e{entry.entry}, which does not stand: {harmless(entry.typed)}"
                continue
            self.standing += 1
            instants.append(entry)
            if _declared(entry).instant:
                continue
            said = self._answered(instants) if instants[1:] else [(self.command(entry), 1)]
            first = instants[0].entry - (len(said) > 1)
            while numbered and made < first - 1:
                made += 1
                yield f"note 'e{made} does not stand'"
            for line, count in said:
                made += count
                yield line
            instants = []

    def _played(self, entry: Entry) -> bool:
        """Whether an entry stands and is more than a jump of the course. What stirs or reveals holds in any case."""
        if systems.past(_declared(entry).verb) == "lasts":
            return True
        return self.record.stands(entry.entry) and act_of(entry) is not None

    def _answered(self, entries: Sequence[Entry]) -> list[tuple[str, int]]:
        """The commands for instants and the action that they change, each with the number of entries that it makes. At
        the table the action comes first and is resolved again after each instant. So the script puts it first too, with
        the dice that were thrown for it.
        """
        *instants, action = [act for act in map(act_of, entries) if act]
        thrown = Thrown(self.record.store, self.record.head.entry)
        state = Book(self.record.store).state_at(entries[0].after)
        known = {act.entry: thrown.of(act) for act in (*instants, action)}
        (first,) = self._resolved(state, [action], known)
        fallen = _dice_of(first.events)
        lines = [(self.command(entries[-1], _faces(first.events)), 1)]
        for act, entry in zip(instants, entries, strict=False):
            instant, again = self._resolved(state, [act, action], known)
            new = [answer.face for question, answer in _dice_of(again.events).items() if question not in fallen]
            lines.append((self.command(entry, [*_faces(instant.events), *new]), 2))
            fallen |= _dice_of(again.events)
            state = instant.state
        return lines

    def _resolved(self, state: State, course: Sequence[Act], known: dict[int, Fell]) -> list[Result]:
        """The results of some actions on their dice. Raises UsageError when one is no longer possible."""
        results = [*Course(course, lambda act: known[act.entry], lambda _: _any()).results(state)]
        for result in results:
            if result.refused:
                raise UsageError(result.refused.message)
        return results

    def command(self, entry: Entry, faces: Sequence[int] | None = None) -> str:
        """The command that records again what an entry records, with the dice of the entry or with others.

        Raises UsageError when there is none.
        """
        events, declared = events_of(entry), _declared(entry)
        try:
            if declared.verb == "init":
                words = self._init(declared.said)
            elif systems.past(declared.verb) == "lasts":
                kind = secrets.Stir if declared.verb == "stir" else secrets.Reveal
                words = [declared.verb, *self._words(kind, declared.said, [])]
            else:
                _, declaration = systems.procedure(systems.find_verb(self._system, declared.verb))
                thrown = _faces(events) if faces is None else faces
                dice = ["--dice", ",".join(map(str, thrown))] if thrown else []
                words = [declared.verb, *self._words(declaration, declared.said, dice)]
            allowed = _said("--allow", declared.allow) if declared.allow else []
            once = _said("--once", entry.once) if entry.once else []
            secret = ["--secret"] if declared.secret else []
            return shell_words([words[0], *once, *secret, *allowed, *words[1:]])
        except UsageError as error:
            raise UsageError(
                f"e{entry.entry} cannot be typed again as a command: {error.message}",
                "affray export fight.jsonl",
            ) from None

    def _init(self, said: Mapping) -> list[str]:
        key = self.record.store.key()
        words = ["init", said["name"], "--system", said["system"], "--key", key.hex()]
        for name, value in said.get("options", {}).items():
            words += _said("--option", f"{name}={value}")
        for name, table in said.get("tables", {}).items():
            words += _said("--table", f"{name}={self._table(table)}")
        return words

    def _words(self, declaration: type[Declaration], said: Mapping, dice: list[str]) -> list[str]:
        """The words of a declaration with its dice: the inverse of `commands.words.parameters.declared`."""
        options: list[str] = []
        arguments: list[str] = []
        for field, shape in shapes(declaration):
            if field.required or shape.positional:
                arguments += self._values(shape, said[field.name]) if field.name in said else []
            elif field.name in said:
                options += self._option(field.name, shape, said[field.name])
        bare = any(word.startswith("-") and not word[1:2].isdigit() for word in arguments)
        options += dice
        return [*options, "--", *arguments] if bare else [*arguments, *options]

    def _option(self, name: str, shape: Shape, value: Any) -> list[str]:
        word = f"--{name.rstrip('_').replace('_', '-')}"
        if shape.base is bool:
            return [word if value else f"--no-{word[2:]}"]
        values = self._values(shape, value)
        if shape.word == "words":
            values = _together(values)
        return [said for one in values for said in _said(word, one)]

    def _values(self, shape: Shape, value: Any) -> list[str]:
        """A value as the words that are read as it, one for each time that its option is said."""
        match shape.word:
            case "square":
                return ["/".join(map(square, value))] if shape.many else [square(value)]
            case "places":
                return ["/".join(value)]
            case "fighters" | "blows" | "groups":
                return [",".join(value)]
            case "sheet":
                return [self._file(sheet, str(sheet.get("name", "sheet"))) for sheet in value]
            case "toml":
                return [self._file(value, "map")]
            case "encounter":
                return [self._file(_as_file(value, self._system), _stem(value))]
            case "party":
                return [self._file({"join": _as_file(value, self._system).get("party", [])}, _stem(value))]
            case "table":
                return [self._table(value)]
        if shape.many:
            assert shape.inner is not None
            return [word for one in value for word in self._values(shape.inner, one)]
        if shape.base is dict:
            return [f"{name}={one}" for name, one in value.items()]
        return [str(value)]

    def _file(self, content: Mapping, name: str) -> str:
        """The path of a TOML file with this content."""
        text = toml(content)
        stem = "".join(sign for sign in name.lower() if sign.isascii() and (sign.isalnum() or sign in "-_")) or "file"
        number = 1
        while self.files.setdefault(path := f"{stem}{f'-{number}' * (number > 1)}.toml", text) != text:
            number += 1
        return path

    def _table(self, table: Mapping) -> str:
        """The path of a table of the campaign's own, whose record keeps the name of its file."""
        name, text, number = str(table.get("file", "")), toml(table.get("content", {})), 1
        if not name or "/" in name or not name.isprintable():
            raise UsageError(f"{name[:40]!r} is not a file name.")
        while self.files.setdefault(path := f"tables-{number}/{name}", text) != text:
            number += 1
        return path


def row_of(kind: type[Declaration], said: Mapping) -> dict[str, Any]:
    """A table of a file that says this of a declaration."""
    row = {}
    for field, shape in shapes(kind):
        if field.name in said and shape.word not in ("encounter", "party"):
            value = said[field.name]
            if shape.word == "square":
                value = "/".join(map(square, value)) if shape.many else square(value)
            if shape.word == "sheet" and len(value) == 1:
                (value,) = value
            row["sheet" if field.name == "sheets" else field.name.rstrip("_")] = value
    return row


def _stem(content: Mapping) -> str:
    """The name of the file that is recorded, without its folder and its ending."""
    return os.path.basename(str(content.get("file", "encounter"))).removesuffix(".toml")


def _together(values: list[str]) -> list[str]:
    """Several words with commas between, where that is read as the same words."""
    with suppress(UsageError):
        if pieces(",".join(values)) == values:
            return [",".join(values)]
    return values


def _declared(entry: Entry) -> Declared:
    event = events_of(entry)[0]
    if not isinstance(event, Declared):
        raise UsageError(f"e{entry.entry} does not begin with a declaration.", "affray verify")
    return event


def _faces(events: Sequence[Event]) -> list[int]:
    """The dice of an entry as they are typed, in the order in which they fell."""
    rolls = [event for event in events if isinstance(event, Rolled)]
    if rolls and not any(roll.faces for roll in rolls):
        raise UsageError("none of its dice were thrown, so the program would roll them.")
    while rolls and not rolls[-1].faces:
        rolls.pop()
    if not all(roll.faces for roll in rolls):
        raise UsageError("a die was not thrown, but later ones were.")
    return [face for roll in rolls for face in roll.faces]


def _dice_of(events: Sequence[Event]) -> dict[Question, Answer]:
    """The dice of an entry, by what they decide, without dice that were left out."""
    rolls = (event for event in events if isinstance(event, Rolled))
    return {question: answer for question, answer in answers(rolls) if answer.face}


def _any() -> Dice:
    """Dice that nobody threw, for an action that will be resolved again without them: any face will do."""

    def ask(throw: Throw, used: list[Any]) -> None:
        throw.found |= dict.fromkeys(throw.open, Answer(1, 0))

    return Dice(Layer(ask))


def _said(option: str, value: str) -> list[str]:
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def shell_words(words: Sequence[str]) -> str:
    """The words on one line, quoted for a shell. Raises UsageError for a word that no line can hold. A space at the
    beginning of a word is doubled, because the command line removes the first one as a mark.
    """
    for word in words:
        if not word.isprintable():
            raise UsageError(f"{word[:40]!r} holds characters that cannot be typed.")
    return " ".join(quoted(f" {word}" if word.startswith(NOT_AN_OPTION) else word) for word in words)


def toml(content: Mapping) -> str:
    """The text of a TOML file with this content: texts, whole numbers, truths, lists and tables of them."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in content.items())


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case dict():
            return f"{{{', '.join(f'{_key(name)} = {_value(one)}' for name, one in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case int():
            return str(value)
    raise UsageError(f"{str(value)[:40]!r} cannot be written in TOML.")


def _text(words: str) -> str:
    """A basic string of TOML: as in JSON, with DEL written out."""
    return msgspec.json.encode(words).decode().replace("\x7f", "\\u007f")


def _as_file(content: Mapping[str, Any], system: str) -> dict[str, Any]:
    """What a file says of which this is recorded: the inverse of `read_encounter`."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for name in ("party", "join"):
        rows[name] = [row_of(Join, row) for row in content.get(name, [])]
    for verb, said in content.get("ground", []):
        rows.setdefault(verb, []).append(row_of(systems.procedure(systems.find_verb(system, verb))[1], said))
    own = row_of(begin_of(system), content.get("begin", {}))
    return {**own, **{key: tables for key, tables in rows.items() if tables}}
