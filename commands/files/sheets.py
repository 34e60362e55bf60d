"""Stat blocks: the ones that come with the rules, what each field means, and templates for new ones."""

import ast
import inspect
import json
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Struct

from commands.action import rulebook, systems
from commands.action.declaration import Declaration, says
from commands.action.mistakes import allowed, structs_in
from commands.action.names import check_meaning
from commands.action.quoting import quoted
from commands.action.spelling import nearest
from commands.action.view import View, sheet_decoder
from commands.words.console import Console
from commands.words.rule_systems import check_system
from commands.words.screen import harmless
from commands.words.sheet_files import example_files, example_sheets, read_sheet, read_sheets
from commands.words.tables import GAP, listed
from commands.words.toml_lines import toml
from ledger.errors import NameUnknown

from .drafts import check_new, write_new

_WIDTH = 100
"""The widest line of a template."""
_NONE = "none"
"""What stands for a default that is not written."""


class Sheets(Declaration):
    """List the stat blocks and prepared encounters that come with the rules: of the ledger's rule system, or of all
    when there is no ledger.
    """

    system: Annotated[str, says("The rule system, if not the ledger's.", word="system", positional=True)] = ""


def sheets(console: Console, said: Sheets) -> None:
    """Prints the name of each stat block, its side, and the first comment of its file."""
    named = said.system or console.system
    if named:
        systems.check_named(named, "Name one of them.")
    for system in [named] if named else systems.every():
        if console.json:
            for name, side, about_it in shipped(system):
                console.give({"system": system, "sheet": name, "side": side, "about": about_it})
            continue
        console.say(console.paint(f"{systems.load(system).title} ({system})", "1"))
        for line in listed([[harmless(cell) for cell in row] for row in shipped(system)], console.width, GAP):
            console.say(line)
        for name, path in sorted(example_files("encounters", system).items()):
            console.say(f"{GAP}begin --from {name}: {about(path)}")


def shipped(system: str) -> list[tuple[str, str, str]]:
    """The name of each stat block that comes with a rule system, its side, and what it says of itself."""
    side_of = rulebook.of(system).sheet.side
    kind = sheet_decoder(system).type
    every = sorted(example_sheets(system).items())
    return [(name, side_of(msgspec.convert(read_sheet(path, system), kind)), about(path)) for name, path in every]


def about(path: str) -> str:
    """What the first comment of a stat block says of it; "" without one."""
    with open(path, encoding="utf-8") as file:
        first = file.readline().strip()
    return first.removeprefix("#").strip() if first.startswith("#") else ""


class Sheet(Declaration):
    """Print a stat block that comes with the rules, as it stands in its file. `affray sheets` lists them;
    `affray sheet new` writes a new one, and `affray sheet set` gives somebody at the table another one.
    """

    name: Annotated[str, says("Its name.", word="shipped")]
    system: Annotated[str, says("The rule system, if not the ledger's.", word="system")] = ""


def sheet(console: Console, said: Sheet) -> None:
    """Prints the file."""
    try:
        system, name = _shipped(console, said.name, said.system or console.system)
    except NameUnknown as error:
        if any(who.casefold() == said.name.casefold() for who in _at_table(console)):
            error.hint = f"affray show {quoted(said.name)}"
        raise
    path = example_sheets(system)[name]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    console.answer({"system": system, "sheet": name, "text": text}, text.rstrip("\n"), whole=True)


def _shipped(console: Console, word: str, system: str) -> tuple[str, str]:
    """The rule system and the name of a stat block that comes with it. Raises NameUnknown when there is none, or when
    several systems have one and none is named.
    """
    if system:
        check_system(console, system)
    name = word.removesuffix(".toml").lower()
    having = [one for one in ([system] if system else systems.every()) if name in example_sheets(one)]
    if len(having) == 1:
        return having[0], name
    if having:
        message = f"{len(having)} rule systems have a stat block {name}."
        raise NameUnknown(message, "\n".join(f"affray sheet {name} --system {one}" for one in having))
    with_it = systems.load(system).title if system else "Affray"
    close = nearest(name, example_sheets(system)) if system else []
    lines = [*(f"affray sheet {one}" for one in close[:1]), f"affray sheets {system}".rstrip()]
    raise NameUnknown(f"No stat block {word[:40]!r} comes with {with_it}.", "\n".join(lines))


def _at_table(console: Console) -> Sequence[str]:
    """Everybody at the table of the ledger, if there is one."""
    return console.book.present()[1].roster.order if console.system else ()


class SheetNew(Declaration):
    """Write a new stat block: a file with every field, its meaning and its range, to be filled in."""

    file: Annotated[
        str, says("The new file, such as boffin.toml. A file that exists is not replaced.", word="new-sheet")
    ]
    like: Annotated[
        str,
        says(
            "Fill in the values of somebody at the table as they are now, or of a stat block: its name or file.",
            word="sheet-name",
        ),
    ] = ""
    system: Annotated[str, says("The rule system, if not the ledger's.", word="system")] = ""


def sheet_new(console: Console, said: SheetNew) -> None:
    """Writes the file. Raises LedgerMissing when there is a file of that name, UsageError without a rule system, or for
    a name that means something else in a command.
    """
    system, name = said.system or console.system, os.path.basename(said.file).removesuffix(".toml")
    check_system(console, system)
    check_meaning(name)
    check_new(said.file)
    values = _like(console, said.like, system) if said.like else {}
    write_new(said.file, template(system, values or {"name": name[:1].upper() + name[1:]}))
    if console.json:
        console.give({"ok": True, "system": system, "file": said.file})
        return
    console.say(harmless(f"{said.file} is a stat block of {systems.load(system).title}. Fill it in."))
    console.whisper(harmless(f"Then: affray join {quoted(said.file)}"))


def _like(console: Console, word: str, system: str) -> dict[str, Any]:
    """The values of somebody at the table, or else of a stat block."""
    if console.system == system and not os.path.exists(word):
        state = console.book.present()[1]
        if who := next((one for one in state.roster.order if one.casefold() == word.casefold()), ""):
            now = rulebook.of(system).sheet.as_it_stands(View(state), who)
            now = msgspec.structs.replace(now, name=state.roster.members[who].truly or who)
            return dict(msgspec.to_builtins(now))
    return read_sheet(word, system)


# Fields


class Explained(Struct, frozen=True):
    """A field of a stat block, or of a part of one."""

    name: str
    """As it is written in a file."""
    meaning: str
    takes: str
    """What it takes, in words."""
    default: str
    """As it is written in a file; "" for none."""
    required: bool
    parts: tuple[type[Struct], ...]
    """What its tables are made of, where it holds any."""
    hint: Any
    """Its type."""


@cache
def explained(kind: Any) -> tuple[Explained, ...]:
    """The fields of a stat block or of a part of one, in their order, those of its bases first."""
    meanings: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if one not in (object, Struct) and issubclass(one, Struct):
            meanings |= _docstrings(one)
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        Explained(
            field.encode_name,
            meanings.get(field.name, ""),
            allowed(hints[field.name]),
            "" if field.default in (NODEFAULT, None, "", ()) else toml(msgspec.to_builtins(field.default)),
            field.required,
            tuple(structs_in(hints[field.name])),
            hints[field.name],
        )
        for field in msgspec.structs.fields(kind)
    )


@cache
def _docstrings(kind: Any) -> dict[str, str]:
    """The docstring below each field of a class."""
    module = ast.parse(inspect.getsource(sys.modules[kind.__module__]))
    body = next(node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
    found = {}
    for node, after in pairwise(body):
        match node, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
    return found


# Examples


def examples(system: str) -> dict[tuple[type[Struct], str], Any]:
    """For each field of a stat block and of its parts a value: the first that a shipped stat block has, else the one
    in `fields.json` of its rule system, else one of its type.
    """
    kind: Any = sheet_decoder(system).type
    found: dict[tuple[type[Struct], str], Any] = {}
    for _, path in sorted(example_sheets(system).items()):
        _gather(found, kind, read_sheets(path, system)[0])
    file = Path(systems.folder(system), "fields.json")
    own = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for one in (kind, *parts(kind)):
        for field in explained(one):
            found.setdefault((one, field.name), own.get(one.__name__, {}).get(field.name, sample(field.hint)))
    return found


def parts(kind: type[Struct]) -> list[type[Struct]]:
    """What the tables in a stat block are made of, in the order of its fields."""
    return list(dict.fromkeys(part for field in explained(kind) for part in field.parts))


def _gather(found: dict[tuple[type[Struct], str], Any], kind: type[Struct], data: Mapping[str, Any]) -> None:
    for field in explained(kind):
        if field.name in data:
            found.setdefault((kind, field.name), data[field.name])
            for part in field.parts:
                for row in _rows(data[field.name]):
                    _gather(found, part, row)


def _rows(value: Any) -> Iterator[Mapping[str, Any]]:
    """The tables in a value of a field that holds some: the value itself, its members or its values."""
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    yield from [one for one in inner if isinstance(one, dict)] or ([value] if isinstance(value, dict) else [])


def sample(hint: Any) -> Any:
    """A value of a type, other than the usual ones where that is easy.

    >>> sample(Literal["none", "light"]), sample(bool), sample(dict[str, int]), sample(tuple[int, int])
    ('light', True, {'one': 1}, [1, 1])
    """
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin is Annotated:
        least = next((one.ge for one in inner[1:] if isinstance(one, Meta) and one.ge is not None), 0)
        made = sample(inner[0])
        return max(made, int(least)) if type(made) is int else made
    if origin is Literal:
        return inner[-1] if inner[-1] != "" else inner[0]
    if origin in (tuple, list):
        return [sample(one) for one in inner if one is not Ellipsis]
    if origin is dict:
        key = sample(inner[0])
        return {"one" if key == "word" else key: sample(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Struct):
        return {field.name: sample(field.hint) for field in explained(origin) if field.required}
    if origin in (bool, int, str):
        return {bool: True, int: 1, str: "word"}[origin]
    return sample(inner[0])


# Templates


def template(system: str, values: Mapping[str, Any]) -> str:
    """A stat block with every field and what it means; fields without a value are comments."""
    kind: Any = sheet_decoder(system).type
    shown = examples(system)
    players = systems.load(system).players
    lines = [
        f"# A stat block of {systems.load(system).title}. Lines that begin with # are comments:",
        "# take the # away from a field that you need. The others are as their default says.",
    ]
    for field in explained(kind):
        lines += ["", *_commented(f"{field.name}: {field.meaning}"), *_commented(range_of(field))]
        for part in field.parts:
            lines += _part_lines(part, shown)
        if field.name in values:
            lines.append(assigned(field.name, values[field.name]))
        elif field.required:
            lines.append(assigned(field.name, players[0] if field.name == "side" else shown[kind, field.name]))
        else:
            lines += [f"# {line}" for line in assigned(field.name, shown[kind, field.name]).splitlines()]
    return "\n".join([*lines, ""])


def _part_lines(part: type[Struct], shown: Mapping[tuple[type[Struct], str], Any]) -> Iterator[str]:
    """The fields of a table within a field."""
    yield "#   The fields of the table:"
    for field in explained(part):
        said = f"{field.name} = {toml(shown[part, field.name])}: {field.meaning} {range_of(field)}"
        yield from textwrap.wrap(said, _WIDTH, initial_indent="#   - ", subsequent_indent="#     ")


def _commented(text: str) -> list[str]:
    """A text as comments."""
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def range_of(field: Explained) -> str:
    """What a field takes, and its default, as a sentence."""
    takes = re.sub(r"a table with the fields \w+(, \w+)*", "a table with the fields below", field.takes)
    default = f"Default: {field.default or _NONE}"
    return f"It takes {takes}. {'Required' if field.required else default}."


def assigned(name: str, value: Any) -> str:
    """A field with its value, as a file holds it: each table of a list on a line of its own."""
    line = f"{name} = {toml(value)}"
    if isinstance(value, list) and len(line) > _WIDTH - 2:
        return "\n".join([f"{name} = [", *(f"  {toml(one)}," for one in value), "]"])
    return line
