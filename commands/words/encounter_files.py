"""Encounter files: prepared encounters, and the party that always comes. `docs/encounters.md` describes them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import FieldInfo

from commands.action import rulebook, systems
from commands.action.common import Join
from commands.action.declaration import Declaration, Shape, pieces, read_square, shapes
from commands.action.mistakes import allowed
from ledger.errors import AffrayError, UsageError

from . import sheet_files
from .sheet_files import Block, check_usable, checked, converted, found_file, named, read_toml, shown
from .toml_lines import Place

_MOST_BYTES = 1_000_000
"""The most that an encounter may hold, together with its stat blocks."""


class _Part(NamedTuple):
    """A table in an encounter file: the file itself, or one of its parts such as `[[join]]`."""

    block: Block
    """Where it stands."""
    said: dict[str, Any]
    """The fields of a declaration that it gives."""
    sheets: Sequence[Block] = ()
    """The stat blocks that it names or holds."""


class _Content(NamedTuple):
    """All parts of an encounter file."""

    begin: _Part
    party: Sequence[_Part]
    join: Sequence[_Part]
    ground: Sequence[tuple[str, _Part]]
    """Verbs that lay the ground, each with what is said."""


def read_encounter(word: str, system: str) -> dict[str, Any]:
    """What `begin --from` records of a file, or of a prepared encounter that comes with the rules. Raises UsageError
    that says what is wrong, with the line.
    """
    found = _content(word, system)
    rows = {
        "begin": found.begin.said,
        "party": [part.said for part in found.party],
        "join": [part.said for part in found.join],
        "ground": [[verb, part.said] for verb, part in found.ground],
    }
    return _small({"file": word, **{name: value for name, value in rows.items() if value}})


def read_party(word: str, system: str) -> dict[str, Any]:
    """What `begin --party` records of a file. Raises UsageError that says what is wrong, with the line."""
    return _small({"file": word, "party": [part.said for part in _party(word, system)]})


def _small(content: dict[str, Any]) -> dict[str, Any]:
    """What is recorded of a file. Raises UsageError when it is too much."""
    if len(msgspec.json.encode(content)) > _MOST_BYTES:
        raise UsageError(f"{content['file'][:80]} and its stat blocks are larger than a megabyte together.")
    return content


# Parts of a file


def _fields(declaration: type[Declaration]) -> dict[str, tuple[FieldInfo, Shape]]:
    """The fields of a declaration by their names in a file. What a file stands for is not one of them."""
    return {
        "sheet" if field.name == "sheets" else field.name.rstrip("_"): (field, shape)
        for field, shape in shapes(declaration)
        if shape.word not in ("encounter", "party")
    }


def begin_of(system: str) -> type[Declaration]:
    """The declaration of `begin` in a rule system."""
    return systems.procedure(systems.find_verb(system, "begin"))[1]


def _content(word: str, system: str) -> _Content:
    whole, folder = _opened(word, "encounters", system)
    ground = rulebook.of(system).gm.ground
    begin = _part(whole, begin_of(system), system, folder, ("party", "join", *ground))
    party = whole.data.get("party", [])
    return _Content(
        begin,
        _named_party(whole, party, system, folder)
        if isinstance(party, str)
        else [*_parts(whole, "party", Join, system, folder)],
        [*_parts(whole, "join", Join, system, folder)],
        [
            (verb, part)
            for verb in ground
            for part in _parts(whole, verb, systems.procedure(systems.find_verb(system, verb))[1], system, folder)
        ],
    )


def _named_party(whole: Block, word: str, system: str, folder: str) -> list[_Part]:
    """The parts of the party file that an encounter names."""
    try:
        found_file(word, "", system, folder)
    except UsageError as error:
        error.message = f"{whole.where(('party',))}: party is {shown(word)}. {error.message}"
        raise
    return _party(word, system, folder)


def _party(word: str, system: str, folder: str = "") -> list[_Part]:
    """The parts of a party file."""
    whole, folder = _opened(word, "", system, folder)
    for key in whole.data:
        if key != "join":
            raise UsageError(f"{whole.where((key,))}: {named((key,))} is not a field of a party; there is: join.")
    return [*_parts(whole, "join", Join, system, folder)]


def _opened(word: str, kind: str, system: str, folder: str = "") -> tuple[Block, str]:
    """A file, and the folder in which its words are looked for."""
    path, file = found_file(word, kind, system, folder)
    text, data = sheet_files.read(path)
    check_usable(file, text, data)
    return Block(file, text, (), data), os.path.dirname(path)


def _parts(whole: Block, key: str, kind: type[Declaration], system: str, folder: str) -> Iterator[_Part]:
    """The tables of a list in a file, such as `[[join]]`."""
    tables = whole.data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        or_file = ', or names a file: party = "party.toml"' if key == "party" else ""
        raise UsageError(f"{whole.where((key,))}: {key} is written [[{key}]], above its fields{or_file}.")
    for nth, table in enumerate(tables):
        yield _part(Block(whole.file, whole.text, (key, nth), table), kind, system, folder)


def _part(block: Block, kind: type[Declaration], system: str, folder: str, others: Sequence[str] = ()) -> _Part:
    """What a table says of a declaration; `others` are its keys that are no fields of it."""
    known, said, sheets = _fields(kind), dict[str, Any](), list[Block]()
    for key, value in block.data.items():
        if key in others:
            continue
        if key not in known:
            names = ", ".join((*known, *others))
            raise UsageError(f"{block.where((key,))}: {named((key,))} is not a field; there are: {names}.")
        field, shape = known[key]
        if shape.word == "sheet":
            sheets = list(_sheets(block, key, value, system, folder))
            said[field.name] = [sheet.data for sheet in sheets]
            continue
        try:
            said[field.name] = _value(field, shape, value, folder)
        except UsageError as error:
            error.message = f"{block.where((key,))}: {key} is {shown(value)}. {error.message}"
            raise
    for key, (field, shape) in known.items():
        if field.required and field.name not in said:
            raise UsageError(f"{block.where(())}: {key} is missing; it takes {_takes(field, shape)}.")
    return _Part(block, msgspec.to_builtins(converted(block, said, kind)), sheets)


def _sheets(block: Block, key: str, value: Any, system: str, folder: str) -> Iterator[Block]:
    """The stat blocks that a value names or holds."""
    several = value if isinstance(value, list) else [value]
    for nth, one in enumerate(several):
        place: Place = (key, nth) if isinstance(value, list) else (key,)
        if isinstance(one, dict):
            yield checked(Block(block.file, block.text, (*block.place, *place), one), system)
        elif isinstance(one, str):
            try:
                found_file(one, "sheets", system, folder)
            except UsageError as error:
                error.message = f"{block.where(place)}: {named(place)} is {shown(one)}. {error.message}"
                raise
            yield from (checked(sheet, system) for sheet in sheet_files.blocks(one, system, folder))
        else:
            raise UsageError(f"{block.where(place)}: {named(place)} is {shown(one)}; it takes {_SHEETS}.")
    if not several:
        raise UsageError(f"{block.where((key,))}: {key} is empty; it takes {_SHEETS}.")


def _value(field: FieldInfo, shape: Shape, value: Any, folder: str) -> Any:
    """The value of a field, from a file. A list of texts is said as on the command line, or as a list."""
    if shape.many or shape.word == "square":
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise UsageError(f"It takes {_takes(field, shape)}.")
        return _several(shape, texts)
    if shape.word == "toml" and isinstance(value, str):
        return read_toml(os.path.join(folder, value))
    if shape.base is dict and shape.word != "toml" and isinstance(value, dict):
        return {name: str(one).lower() if isinstance(one, bool) else str(one) for name, one in value.items()}
    return value


def _several(shape: Shape, texts: list[str]) -> Any:
    """The words, places or squares of some texts; where one square is asked for, that one."""
    if shape.word not in ("square", "places"):
        return [piece for text in texts for piece in pieces(text)]
    words = [word for text in texts for word in text.split("/")]
    if shape.word == "places":
        return words
    squares = [read_square(word) for word in words]
    if not shape.many and squares[1:]:
        raise UsageError("It takes one square.")
    return squares if shape.many else squares[0]


_SHEETS = "the name of a stat block that comes with the rules, a file, a table with its fields, or a list of these"
"""What a field with stat blocks takes."""


def _takes(field: FieldInfo, shape: Shape) -> str:
    """What a field takes in a file, in words."""
    match shape.word:
        case "sheet":
            return _SHEETS
        case "square":
            return 'squares, such as "8,8", or "8,8/9,8" for two' if shape.many else 'a square, such as "8,8"'
        case "places":
            return 'a name with a square, such as "NAME=3,2", or a list of them'
        case "toml":
            return "the name of a TOML file, or a table with what it holds"
    if shape.many:
        return "a text, or a list of texts"
    return "a table of names and values" if shape.base is dict else allowed(field.type)


# Errors


def located(error: AffrayError, files: Mapping[str, Sequence[str]], system: str) -> None:
    """Writes into an error of a rule where in a file that is what it is about. `files` are the words that named files,
    by the kind of word.
    """
    encounter = _content(files["encounter"][0], system) if files["encounter"] else None
    if error.row:
        part = _part_of(error.row, encounter, _party(files["party"][0], system) if files["party"] else None)
        if error.at and error.sheet >= 0:
            sheet_files.located(error, part.sheets)
        else:
            error.message = f"{part.block.where(())}: {error.message}"
        return
    if error.sheet < 0:
        assert encounter is not None
        _point_at(error, str(error.at[0]), encounter)
        return
    typed = [block for word in files["sheet"] for block in sheet_files.blocks(word, system)]
    sheet_files.located(error, typed or (encounter.begin.sheets if encounter else ()))


def undecided(files: Mapping[str, Sequence[str]], system: str) -> tuple[str, ...]:
    """A line about each stat block, of those that a line brings, of which an import left something open."""
    parts = [part for word in files["party"] for part in _party(word, system)]
    for content in (_content(word, system) for word in files["encounter"]):
        parts += [content.begin, *content.party, *content.join]
    blocks = [block for word in files["sheet"] for block in sheet_files.blocks(word, system)]
    blocks += [sheet for part in parts for sheet in part.sheets]
    return tuple(dict.fromkeys(filter(None, map(sheet_files.undecided, blocks))))


def _point_at(error: AffrayError, key: str, encounter: _Content) -> None:
    """Writes into an error where the field stands that it is about: at the top of the file, or in the first part or
    stat block whose words the error names. It is about what was typed if there is none.
    """
    parts = [encounter.begin, *encounter.party, *encounter.join]
    for block in (encounter.begin.block, *(block for part in parts for block in (part.block, *part.sheets))):
        if key in block.data:
            words = str(block.data[key]).split("/")
            if block is encounter.begin.block or any(repr(word) in error.message for word in words):
                error.message = f"{block.where((key,))}: {key} is {shown(block.data[key])}. {error.message}"
                return


def _part_of(row: tuple[str, int], encounter: _Content | None, party: Sequence[_Part] | None) -> _Part:
    """The part of a file that is the row of that name and number."""
    name, number = row
    if name == "party" and party is not None:
        return party[number]
    assert encounter is not None
    if name in ("party", "join"):
        return (encounter.party if name == "party" else encounter.join)[number]
    return [part for verb, part in encounter.ground if verb == name][number]
