"""From declarations to the command line: one Struct gives a verb its arguments, options, help and checks."""

import os
import re
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
import msgspec
from msgspec import Meta, structs

from ledger.errors import UsageError

from .declaration import Declaration

Complete = Callable[[click.Context, str, str], list[str]]
"""Given the context, the word a field takes and what was typed so far, gives the words that it could become."""


def option(*names: str, help: str = "", **settings: Any) -> click.Option:  # noqa: A002
    """An option. Its help is set behind click's back, which would import `inspect` to unindent it."""
    made = click.Option(names, **settings)
    made.help = help
    return made


def parameters(declaration: type[Declaration], complete: Complete) -> list[click.Parameter]:
    """The click parameters of a declaration: required fields as arguments, the others as options."""
    made: list[click.Parameter] = []
    fields = structs.fields(declaration)
    required = [field.name for field in fields if field.required]
    for field in fields:
        shape = Shape(field.type)
        completer = _completer(shape.word, complete)
        if field.required or shape.positional:
            many = shape.many or (shape.word == "text" and field.name in required[-1:])
            made.append(
                click.Argument(
                    [field.name],
                    nargs=-1 if many else 1,
                    required=field.required,
                    type=shape.click_type(),
                    metavar=f"{field.name.upper().replace('_', '-')}{'...' if many else ''}",
                    shell_complete=completer,
                )
            )
            continue
        name = field.name.replace("_", "-")
        if shape.base is bool:
            made.append(
                option(
                    f"--no-{name}" if field.default else f"--{name}", field.name, is_flag=True, help=shape.description
                )
            )
            continue
        made.append(
            option(
                f"--{name.rstrip('-')}",
                field.name,
                default=None,
                multiple=shape.many or shape.base is dict,
                type=shape.click_type(),
                metavar=shape.metavar(field.name),
                help=shape.description + _shown_default(field.default),
                shell_complete=completer,
            )
        )
    return made


def declared(declaration: type[Declaration], values: dict[str, Any], system: str) -> Declaration:
    """The declaration that the words of a command line make. Raises UsageError that names the word at fault."""
    said: dict[str, Any] = {}
    for field in structs.fields(declaration):
        given = values.get(field.name)
        if given is None or given == () or given is False:
            continue
        said[field.name] = Shape(field.type).read(field, given, system)
    try:
        return msgspec.convert(said, declaration)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        raise UsageError(f"{place.rstrip('`') or 'The declaration'} is wrong: {problem}.") from None


class Shape:
    """What a field takes, read from its type."""

    def __init__(self, hint: Any) -> None:
        self.word = ""
        self.description = ""
        self.positional = False
        while get_origin(hint) in (Annotated, Union, UnionType):
            if get_origin(hint) is Annotated:
                hint, *metas = get_args(hint)
                for meta in metas:
                    if isinstance(meta, Meta):
                        self.description = meta.description or self.description
                        self.word = (meta.extra or {}).get("word", self.word)
                        self.positional = (meta.extra or {}).get("positional", self.positional)
            else:
                (hint,) = (part for part in get_args(hint) if part is not NoneType)
        self.choices: tuple[Any, ...] = get_args(hint) if get_origin(hint) is Literal else ()
        self.inner: Shape | None = None
        self.base = get_origin(hint) or hint
        arguments = get_args(hint)
        self.many = self.base is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
        if self.many:
            self.inner = Shape(arguments[0])
            self.word = self.word or self.inner.word

    def click_type(self) -> click.ParamType[Any] | None:
        """The type that click checks; None for plain words."""
        if self.choices:
            return click.Choice([str(choice) for choice in self.choices])
        if self.base is int:
            return click.INT
        if self.inner and self.inner.base is int and not self.word:
            return click.INT
        return click.STRING

    def metavar(self, name: str) -> str | None:
        """What stands for the value in the help."""
        if self.choices:
            return None
        if self.word == "square":
            return "X,Y[,Z]"
        if self.base is dict and not self.word:
            return "NAME=VALUE"
        return {int: "N"}.get(self.base, name.upper().replace("_", "-"))

    def read(self, field: structs.FieldInfo, given: Any, system: str) -> Any:
        """The value of a field, from what click parsed."""
        if self.base is bool:
            return not field.default
        if self.many:
            assert self.inner is not None
            if self.word == "fighters":
                return tuple(name for words in given for name in _clean(words).split(",") if name)
            if self.word == "sheet":
                return tuple(sheet for words in given for sheet in read_sheets(words, system))
            return tuple(self.inner.read(field, one, system) for one in given)
        if isinstance(given, tuple) and self.word == "text":
            return _clean(" ".join(given))
        if self.word == "square":
            return read_square(given)
        if self.word == "toml":
            return read_toml(given)
        if self.base is dict:
            return dict(_pair(word) for word in given)
        return _clean(given) if isinstance(given, str) else given


def _clean(word: str) -> str:
    """The word, if it may be shown on any terminal. Raises UsageError when it holds control characters."""
    if not word.isprintable():
        raise UsageError(f"{word[:40]!a} holds characters that cannot be printed.")
    return word


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = _clean(word).partition("=")
    if not equals:
        raise UsageError(f"{word[:40]!r} is not of the form NAME=VALUE.")
    return name, value


def _shown_default(default: Any) -> str:
    return f"  [default: {default}]" if isinstance(default, int | str) and default not in ("", 0) else ""


def _completer(word: str, complete: Complete) -> Any:
    if not word:
        return None
    return lambda context, _parameter, incomplete: complete(context, word, incomplete)


SQUARE = re.compile(r"-?\d{1,6},-?\d{1,6}(,-?\d{1,6})?")


def read_square(word: str) -> tuple[int, int, int]:
    """A square, from `3,2` or `3,2,1`. Raises UsageError when it is not one."""
    if not SQUARE.fullmatch(word):
        raise UsageError(f"{word[:40]!a} is not a square.", "Write it like 3,2 or, with a height, 3,2,1.")
    x, y, z = (*map(int, word.split(",")), 0)[:3]
    return x, y, z


def read_toml(path: str) -> dict[str, Any]:
    """The content of a TOML file. Raises UsageError that says what is wrong, with the line."""
    import tomllib

    try:
        with open(path, "rb") as file:
            text = file.read(1_000_001)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not possible"
        raise UsageError(f"{path[:80]!a} cannot be read: {reason}.") from None
    if len(text) > 1_000_000:
        raise UsageError(f"{path} is larger than a megabyte; that is no stat block and no map.")
    try:
        data = tomllib.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file in UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is not TOML: {error}.") from None
    _check_printable(data, path)
    return data


def _check_printable(value: Any, path: str) -> None:
    """Raises UsageError unless every word may be shown on any terminal and every number is one that rules can use."""
    match value:
        case dict():
            for key, one in value.items():
                _check_printable(key, path)
                _check_printable(one, path)
        case list():
            for one in value:
                _check_printable(one, path)
        case str() if not value.isprintable():
            raise UsageError(f"{path}: {value[:40]!a} holds characters that cannot be printed.")
        case bool() | str():
            pass
        case int() if abs(value) < 2**53:
            pass
        case _:
            raise UsageError(f"{path}: {str(value)[:40]} is not a text, a whole number of usual size, true or false.")


def read_sheets(word: str, system: str) -> list[dict[str, Any]]:
    """The stat blocks that a word names: those of a TOML file, or an example that comes with the rules.

    A file holds one stat block with its `name`, or several under `[combatants.NAME]`. Raises UsageError when there
    is no such file or example.
    """
    if not os.path.exists(word):
        examples = example_sheets(system)
        example = examples.get(word.removesuffix(".toml").lower())
        if example is None:
            known = ", ".join(sorted(examples))
            raise UsageError(f"There is no file {word[:80]!a}.", f"Examples that come with the rules: {known}.")
        word = example
    data = read_toml(word)
    if "combatants" not in data:
        return [{"name": os.path.basename(word).removesuffix(".toml"), **data}]
    several = data["combatants"]
    if len(data) > 1 or not isinstance(several, dict) or not all(isinstance(one, dict) for one in several.values()):
        raise UsageError(f"{word} should hold nothing but tables [combatants.NAME].")
    return [{"name": name, **one} for name, one in several.items()]


def example_sheets(system: str) -> dict[str, str]:
    """Name and path of each example stat block of a rule system."""
    folder = os.path.join(os.path.dirname(__file__), system, "sheets")
    if not system or not os.path.isdir(folder):
        return {}
    return {
        name.removesuffix(".toml"): os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".toml")
    }
