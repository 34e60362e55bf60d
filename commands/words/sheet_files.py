"""Files in TOML: stat blocks, maps and tables; and what is wrong in them, with the line."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from commands.action import systems
from commands.action.view import sheet_decoder
from ledger.errors import AffrayError, UsageError

from .toml_lines import Place, lines, toml

MOST_PARTS = 40
"""The most parts of a key in a TOML file."""
_MOST_TABLES = 5000
"""The most tables of a TOML file."""
_KEY = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = rf"(?<![\w-]){_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{{MOST_PARTS}}}"
"""A key of very many parts, joined by dots, which would take far too long to read."""
ASKED = "# asked: "
"""How a line of a sheet begins that says what an import left open."""
LONGEST = 60
"""The most characters that are shown of what stands in a file."""


def read_toml(path: str) -> dict[str, Any]:
    """The content of a TOML file. Raises UsageError that says what is wrong, with the line."""
    text, data = read(path)
    check_usable(path, text, data)
    return data


def read(path: str) -> tuple[str, dict[str, Any]]:
    """The text and the content of a TOML file."""
    import tomllib

    try:
        kind = os.stat(path).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            raise UsageError(f"{path[:80]!r} is a pipe or a device, not a file.", "Write it to a file first.")
        with open(path, "rb") as file:
            raw = file.read(1_000_001)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has an impossible name"
        raise UsageError(f"{path[:80]!r} cannot be read: {reason}.") from None
    if len(raw) > 1_000_000:
        raise UsageError(f"{path} is larger than a megabyte: too large for a stat block or map.")
    try:
        text = raw.decode("utf-8")
        if raw.count(b"\n[") > _MOST_TABLES:
            raise UsageError(f"{path} has more than {_MOST_TABLES:,} tables.", "Divide it into several files.")
        if re.search(_LONG_KEY, text):
            raise UsageError(f"{path} has a key of more than {MOST_PARTS} parts.")
        data = tomllib.loads(text)
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file in UTF-8.") from None
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply.") from None
    except ValueError as error:
        why = "it holds a number of thousands of digits" if "integer string" in str(error) else str(error)[:200]
        at = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
        word = re.match(r"\w*", text.split("\n")[int(at[1]) - 1][int(at[2]) - 1 :][:40]) if at else None
        quotes = "" if word is None or word[0].isascii() else "A word with other letters than a to z stands in quotes."
        raise UsageError(f"{path} is not TOML: {why}.", quotes) from None
    return text, data


def check_usable(file: str, text: str, data: dict[str, Any]) -> None:
    """Raises UsageError unless every word is safe on any terminal and every number is one that rules can use."""
    try:
        for place, problem in _unusable(data, ()):
            raise UsageError(f"{file}, line {_line(text, place)}: {problem}")
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply.") from None


def _unusable(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """What is not safe on any terminal, and what is no number that rules can use."""
    match value:
        case dict():
            for key, one in value.items():
                if not key.isprintable():
                    yield place, f"{key[:40]!r} holds characters that cannot be printed."
                yield from _unusable(one, (*place, key))
        case list():
            for nth, one in enumerate(value):
                yield from _unusable(one, (*place, nth))
        case str() if not value.isprintable():
            yield place, f"{named(place)} is {value[:40]!r}, which holds characters that cannot be printed."
        case bool() | str():
            pass
        case int() if abs(value) < 2**53:
            pass
        case _:
            word = "a very large number" if isinstance(value, int) and value.bit_length() > 200 else str(value)[:40]
            yield place, f"{named(place)} is {word}; it takes a text, a whole number below 2^53, true or false."


def _line(text: str, place: Place) -> int:
    """The line in which something stands; of what is missing, the line of what it is missing in."""
    known = lines(text)
    while place not in known:
        place = place[:-1]
    return known[place]


def named(place: Place) -> str:
    """A place in words, such as `weapons[0].damage`."""
    words = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in place).removeprefix(".")
    return words if len(words) <= LONGEST and words.isprintable() else f"{words[:40]!r}..."


class Block(NamedTuple):
    """A stat block in a file."""

    file: str
    """The file, as it was typed."""
    text: str
    """The whole file."""
    place: Place
    """Where in the file it stands: () for the whole file."""
    data: dict[str, Any]

    def where(self, place: Place) -> str:
        """A file with the line of something in this stat block."""
        return f"{self.file}, line {_line(self.text, (*self.place, *place))}"


def read_sheets(word: str, system: str) -> list[dict[str, Any]]:
    """The stat blocks that a word names: those of a TOML file, or an example that comes with the rules.

    A file holds one stat block with its `name`, or several under `[combatants.NAME]`. Raises UsageError when there
    is no such file or example, or when a field of it is wrong.
    """
    return [checked(block, system).data for block in blocks(word, system)]


def checked(block: Block, system: str) -> Block:
    """The stat block. Raises UsageError when a field of it is wrong."""
    if system:
        converted(block, block.data, sheet_decoder(system).type)
    check_usable(block.file, block.text, block.data)
    return block


def read_sheet(word: str, system: str) -> dict[str, Any]:
    """The only stat block that a word names."""
    found = read_sheets(word, system)
    if len(found) > 1:
        raise UsageError(f"{word[:80]} holds {len(found)} stat blocks.", "Name a file that holds one.")
    return found[0]


def blocks(word: str, system: str, folder: str = "") -> Iterator[Block]:
    """The stat blocks that a word names; a file is looked for in a folder."""
    path, word = found_file(word, "sheets", system, folder)
    text, data = read(path)
    if "combatants" not in data:
        yield Block(word, text, (), {"name": os.path.basename(path).removesuffix(".toml"), **data})
        return
    several = data["combatants"]
    if len(data) > 1 or not isinstance(several, dict) or not all(isinstance(one, dict) for one in several.values()):
        raise UsageError(f"{word} should hold nothing but tables [combatants.NAME].")
    yield from (Block(word, text, ("combatants", name), {"name": name, **one}) for name, one in several.items())


def found_file(word: str, kind: str, system: str, folder: str = "") -> tuple[str, str]:
    """The path of a TOML file, and the name that it is called by: a file that is looked for in a folder, where its
    ending may be left out, or one that comes with the rules, such as one of their `sheets`. The kind is "" where none
    comes. Raises UsageError when there is none.
    """
    file = os.path.join(folder, word)
    for path in (file, f"{file}.toml"):
        try:
            os.stat(path)
            return path, path
        except PermissionError as error:
            raise UsageError(f"{file[:80]!r} cannot be looked for: {error.strerror}.") from None
        except (OSError, ValueError):
            pass
    shipped = example_files(kind, system)
    path = shipped.get(word.removesuffix(".toml").lower(), "")
    if not path:
        hint = f"Examples that come with the rules: {', '.join(sorted(shipped))}." if shipped else ""
        raise UsageError(f"There is no file {file[:80]!r}.", hint)
    return path, word


def converted(block: Block, data: Any, kind: Any) -> Any:
    """The data of a block in their type. Raises UsageError that names the field at fault, what stands there, and what
    is allowed.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        from commands.action.mistakes import pinpointed

        place, problem = pinpointed(error, kind, data)
        raise UsageError(f"{block.where(place)}: {_said(data, place, problem)}.") from None


def _said(data: Any, place: Place, problem: str) -> str:
    """What stands at a place, and what is wrong with it."""
    name = named(place)
    if problem.startswith("its names are"):
        return f"{name} is unknown; the names are {problem.removeprefix('its names are ')}"
    if problem.startswith("it has no field"):
        return f"{name} is not a field; there are: {problem.partition('; there are: ')[2]}"
    if problem.startswith("it is missing"):
        return f"{name} {problem.removeprefix('it ')}"
    return f"{name} is {shown(_at(data, place))}; {problem}"


def _at(data: Any, place: Place) -> Any:
    for one in place:
        data = data[one]
    return data


def shown(value: Any) -> str:
    """What stands in a file, as it is written there, if it is short."""
    text = f'"{value}"' if isinstance(value, str) else toml(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def located(error: AffrayError, found: Sequence[Block]) -> None:
    """Writes into an error of a rule where the stat block stands that it is about, of those that are found."""
    block, place = found[error.sheet], tuple(error.at)
    try:
        stands = f"{named(place)} is {shown(_at(block.data, place))}"
    except (LookupError, TypeError):
        stands = f"there is no {named(place)}"
    error.message = f"{block.where(place)}: {stands}. {error.message}"


def undecided(block: Block) -> str:
    """A line about what an import left open in a stat block; "" where that is nothing."""
    rows = block.text.splitlines()[_line(block.text, block.place) if block.place else 0 :]
    own = takewhile(lambda row: not (block.place and row.startswith("[")), rows)
    asked = [row.removeprefix(ASKED) for row in own if row.startswith(ASKED)]
    return f"The sheet of {block.data['name']} leaves open: {'; '.join(asked)}" if asked else ""


def example_sheets(system: str) -> dict[str, str]:
    """Name and path of each example stat block of a rule system."""
    return example_files("sheets", system)


def example_files(kind: str, system: str) -> dict[str, str]:
    """Name and path of each TOML file of a kind that comes with a rule system: `sheets` or `encounters`."""
    folder = os.path.join(systems.folder(system), kind) if system and kind else ""
    if not os.path.isdir(folder):
        return {}
    names = [name for name in os.listdir(folder) if name.endswith(".toml")]
    return {name.removesuffix(".toml"): os.path.join(folder, name) for name in names}
