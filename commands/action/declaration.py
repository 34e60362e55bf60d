"""Declarations: what can be said at the table. One Struct defines the words, options, help and record of a verb."""

from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct, structs

from ledger.errors import UsageError

MOST = 1_000_000
"""The largest number that anybody can say, either way."""


class Declaration(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What somebody declares. Fields without a default are the verb's arguments, the others its options.

    The docstring of a subclass is the help of its verb. `says("...")`, or `Meta(description=...)`, explains a field;
    `positional=True` makes an argument of one that has a default; `players=True` says that a trusted player may say it
    without being asked about.
    """


def says(description: str, **more: Any) -> Meta:
    """What a field is for, in a sentence; its limits, as in Meta; and what `Shape` knows of it besides, such as
    `positional=True` or `word="item"`.
    """
    limits = {name: more.pop(name) for name in ("ge", "le", "min_length", "max_length") if name in more}
    return Meta(description=description, extra=more or None, **limits)


Fighter = Annotated[str, Meta(extra={"word": "fighter"})]
"""The name of somebody at the table, or any unambiguous beginning of it, in any case; `.` is the one on turn."""
Fighters = Annotated[tuple[str, ...], Meta(extra={"word": "fighters"})]
"""Several names, separated by commas; `@party` stands for that side, `@all` for everybody, `@due` for those for whom
the fight waits, or who owe what is declared, `@grub` for all whose names begin so; the dead are left out."""
SomeOrAll = Annotated[Fighters, Meta(extra={"all": True})]
"""Several names as well, or `all` for all of those who can be meant."""
Groups = Annotated[tuple[str, ...], Meta(extra={"word": "groups"})]
"""Groups and names, separated by commas."""
Blows = Annotated[tuple[str, ...], Meta(extra={"word": "blows"})]
"""Several names, separated by commas. A name may be repeated: one for each blow."""
PEOPLE = ("fighter", "fighters", "blows")
"""The words of the types whose every name is of somebody at the table; what Groups name may be a group of the rules."""
EntryId = Annotated[str, Meta(pattern="^(e?[0-9]{1,12})?$", extra={"word": "entry"})]
"""The id of an entry, such as e57."""
Square = Annotated[tuple[int, int, int], Meta(extra={"word": "square"})]
"""A square, said as `3,2` or, with a height, `3,2,1`."""
Words = Annotated[tuple[str, ...], Meta(extra={"word": "words"})]
"""Several words: the option is repeated, or takes them separated by commas."""
AnyOrder = Annotated[Words, Meta(extra={"any_order": True})]
"""Several words that mean the same in whatever order they are typed."""
_BEFORE_EQUALS = "^()([^=]+)(?==)"
Named = Annotated[AnyOrder, Meta(extra={"names": _BEFORE_EQUALS})]
"""Several words of the form NAME=..."""
Pairs = Annotated[AnyOrder, Meta(extra={"names": "()([^:]+)", "joined": ":"})]
"""Several words of the form NAME:NAME."""
Behind = Annotated[AnyOrder, Meta(extra={"names": "^([^:@]*@)([^:]+)"})]
"""Several words that may be of the form WHAT@NAME, perhaps with more behind a colon."""
Places = Annotated[tuple[str, ...], Meta(extra={"word": "places", "any_order": True, "names": _BEFORE_EQUALS})]
"""Several people, each with a square, as `NAME=3,2`: the option is repeated, or takes them joined by `/`."""
Text = Annotated[str, Meta(min_length=1, max_length=2000, extra={"word": "text"})]
"""Free words."""
Count = Annotated[int, Meta(ge=0, le=MOST)]
"""A number that is not negative."""
Amount = Annotated[int, Meta(ge=-MOST, le=MOST)]
"""Any number."""
Mapping = dict[str, Any]
"""The content of a TOML file that is named on the command line."""
TomlFile = Annotated[Mapping, Meta(extra={"word": "toml"})]
"""A TOML file."""
TableFile = Annotated[Mapping, Meta(extra={"word": "table"})]
"""A TOML file that holds a table of the rules: its name under `file`, what it holds under `content`."""
SheetFile = Annotated[Mapping, Meta(extra={"word": "sheet"})]
"""A stat block: a TOML file, or the name of one of the examples that come with the rule system."""
EncounterFile = Annotated[Mapping, Meta(extra={"word": "encounter"})]
"""A prepared encounter: a TOML file, or the name of one that comes with the rule system."""
PartyFile = Annotated[Mapping, Meta(extra={"word": "party"})]
"""A TOML file that says who always comes."""


class Shape:
    """What a field takes, read from its type."""

    def __init__(self, hint: Any) -> None:
        self.word = ""
        self.description = ""
        self.positional = False
        self.any_order = False
        self.dead = False
        """Whether a word with @ names the dead, too, once the fight is over or nobody else is left."""
        self.takes_all = False
        """Whether `all` stands for all of those who can be meant."""
        self.players = False
        """Whether a trusted player may say it without being asked about: `Meta(extra={"players": True})`."""
        self.offers: tuple[str, ...] = ()
        """Words that a page offers to tap, where others are taken too: `Meta(extra={"offers": [...]})`."""
        self.also: tuple[str, ...] = ()
        """Other words for the option, which are no names of it: `Meta(extra={"also": [...]})`."""
        self.of = ""
        """What it is about, where only some rule systems have that: a field of the stat block, or one that the game
        master sets, or a part of `gm`: `Meta(extra={"of": "area"})`."""
        self.joined = ""
        """The sign between several words for the option: `Meta(extra={"joined": ":"})` makes a pair of two, a comma a
        list of all."""
        self.names = ""
        """A pattern that finds the names within its words: what stands before a name, and the name."""
        while (origin := get_origin(hint)) in (Annotated, Union, UnionType):
            if origin is Annotated:
                hint, *metas = get_args(hint)
                for meta in metas:
                    if isinstance(meta, Meta):
                        self._take(meta)
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

    def _take(self, meta: Meta) -> None:
        """Takes what stands beside a type."""
        self.description = meta.description or self.description
        for name, value in (meta.extra or {}).items():
            setattr(self, "takes_all" if name == "all" else name, tuple(value) if isinstance(value, list) else value)


@cache
def shapes(declaration: type[Declaration]) -> tuple[tuple[structs.FieldInfo, Shape], ...]:
    """The fields of a declaration, each with what it takes."""
    return tuple((field, Shape(field.type)) for field in structs.fields(declaration))


def in_order(declaration: Declaration) -> Declaration:
    """The declaration as it is carried out and recorded: fields whose order means nothing are sorted. So no result
    depends on the order of typing, and the record holds exactly what was carried out.
    """
    changes: dict[str, Any] = {}
    for field, shape in shapes(type(declaration)):
        if shape.any_order:
            changes[field.name] = tuple(sorted(getattr(declaration, field.name)))
        elif shape.base is dict or (shape.inner and shape.inner.base is dict):
            changes[field.name] = _sorted(getattr(declaration, field.name))
    return structs.replace(declaration, **changes) if changes else declaration


def _sorted(value: Any) -> Any:
    """The value, with the keys of every mapping sorted. The order of a list stays."""
    match value:
        case dict():
            return {key: _sorted(value[key]) for key in sorted(value)}
        case list() | tuple():
            return type(value)(map(_sorted, value))
    return value


def number(word: str) -> int:
    """The number of an entry that is written like e57."""
    return int(word.removeprefix("e"))


def is_entry(word: str) -> bool:
    """Whether a word is the id of an entry, with its e."""
    digits = word.removeprefix("e")
    return word != digits and digits.isascii() and digits.isdigit() and len(digits) <= 12


def whole(word: str) -> int:
    """The number that a word stands for. Raises UsageError when it is not a number."""
    digits = word.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
        unit = word.strip("+-0123456789 ")
        alone = (
            f"Write the number without {unit[:40]!r}." if unit and digits[0].isdigit() and digits.endswith(unit) else ""
        )
        raise UsageError(f"{word[:40]!r} is not a whole number up to {MOST:,}.", alone)
    return int(word)


def changed(word: str, now: int) -> int:
    """The number that a word stands for where there is a number now: +3 and by -3 are relative to it. Raises UsageError
    when it is not a number.
    """
    said = word.strip()
    if said.casefold().startswith("by "):
        return now + whole(said[3:].strip().removeprefix("+"))
    return now + whole(said[1:]) if said.startswith("+") else whole(said)


def read_square(word: str) -> tuple[int, int, int]:
    """A square, from `3,2` or `3,2,1`. Raises UsageError when it is not one."""
    numbers = word.split(",")
    digits = [number.removeprefix("-") for number in numbers]
    if len(numbers) not in (2, 3) or not all(n.isascii() and n.isdigit() and len(n) <= 6 for n in digits):
        raise UsageError(f"{word[:40]!r} is not a square.", "Write it like 3,2 or, with a height, 3,2,1.")
    x, y, z = (*map(int, numbers), 0)[:3]
    return x, y, z


def pieces(words: str) -> list[str]:
    """The values of one word: `hall,yard` and `a=5,b=4` are two, `list=a,b` and `2:cold, wet` are one.

    Each has the sign that comes first in the first of them. Raises UsageError when that leaves it open.
    """
    found = [piece.strip() for piece in words.split(",") if piece.strip()]
    sign = next((sign for sign in "".join(found[:1]) if sign in "=:"), "")
    if all(sign in piece for piece in found):
        return found
    if any(sign in piece or (sign == ":" and piece.lstrip("+-").isdigit()) for piece in found[1:]):
        raise UsageError(f"{words[:40]!r} can be read as one value or as several.", "Repeat the option for each value.")
    return [words]
