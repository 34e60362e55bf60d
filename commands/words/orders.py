"""From the words of a recorded verb to an order. A plain line is read here, and click is not even imported for it; it
reads every other one, by what the same declaration says.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from commands.action.book import Order
from commands.action.declaration import Declaration, Shape, shapes
from ledger.errors import AffrayError

from .dice_words import Hand, by_default, owners_of, read_dice
from .parameters import (
    NOT_AN_OPTION,
    declared,
    is_option,
    is_repeated,
    marked,
    plain,
    spelled,
    takes_many,
    takes_number,
)

CarryOut = Callable[[Order, bool, bool], None]
"""Carries out an order; whether --json and --brief were said."""
SHARED: dict[str, dict[str, Any]] = {
    "--dice": {
        "by": "referee",
        "metavar": "FACES|ask|roll",
        "help": "Dice you rolled, in order; - lets the program roll that one. They can follow the action: "
        "attack g1 14 6. Name them with sigrun:6; ask:party prompts.",
    },
    "--spare": {
        "is_flag": True,
        "shared": True,
        "help": "Set typed dice aside that this could not have needed.",
    },
    "--allow": {
        "metavar": "REASON",
        "by": "referee",
        "shared": True,
        "help": "Allow what a rule refuses; the reason is recorded.",
    },
    "--dry-run": {"is_flag": True, "shared": True, "help": "Show what would happen; record nothing."},
    "--secret": {
        "is_flag": True,
        "by": "referee",
        "shared": True,
        "help": "Hide it from the players, until `affray reveal` opens it.",
    },
    "--once": {"metavar": "ID", "shared": True, "help": "Record this command only once under this id."},
}
"""The options of every recorded verb, but for --brief and --json, with what click makes of them."""
_TOLD = ("--brief", "--json")
"""The options of every verb that are no part of its order."""
_FLAGS = frozenset((*_TOLD, *(option for option, said in SHARED.items() if "is_flag" in said)))
_FILES = ("sheet", "encounter", "party", "table", "toml")
"""The kinds of words that name a file."""
_DIGITS = 9
"""The most digits of a number on a plain line."""


def name_of(option: str) -> str:
    """The name under which the value of an option of every verb stands."""
    return "_" + option.removeprefix("--").replace("-", "_")


def order_from(name: str, declaration: type[Declaration], values: dict[str, Any], system: str) -> Order:
    """The order for the values of a line. Raises UsageError that names the wrong word."""
    dice, spare, allow, dry_run, secret, once = (values.pop(name_of(option)) for option in SHARED)
    dice, owners = owners_of(dice)
    faces, ask = read_dice(dice)
    return Order(
        verb=name,
        declaration=declared(declaration, values, system),
        dice=faces,
        owners=owners,
        ask=ask,
        side=ask.side if ask else "",
        option=Hand() if by_default(dice) else None,
        allow=plain(allow),
        once=plain(once),
        dry_run=dry_run,
        secret=secret,
        spare=spare,
    )


def carry_out_line(
    name: str, declaration: type[Declaration], values: dict[str, Any], system: str, carry_out: CarryOut
) -> None:
    """Carries out what the values of a line say. An error of a file that it names says where in it."""
    json, brief = values.pop("_json"), values.pop("_brief")
    files = _files(declaration, values)
    try:
        carry_out(order_from(name, declaration, values, system), json, brief)
    except AffrayError as error:
        said = error.at and (error.sheet >= 0 or (files["encounter"] and not values.get(str(error.at[0]))))
        if error.row or said:
            from .encounter_files import located

            located(error, files, system)
        raise


def _files(declaration: type[Declaration], values: Mapping[str, Any]) -> dict[str, list[str]]:
    """The words that name files with stat blocks, prepared encounters and the party, by the kind of word."""
    files: dict[str, list[str]] = {"sheet": [], "encounter": [], "party": []}
    for field, shape in shapes(declaration):
        if shape.word in files:
            words = values[field.name]
            files[shape.word] += (words,) if isinstance(words, str) else words or ()
    return files


@cache
def _options(declaration: type[Declaration]) -> dict[str, tuple[str, Shape | None]]:
    """The options of a verb: under which name the value of each stands, and what it takes; None for those of every
    verb.
    """
    every: dict[str, tuple[str, Shape | None]] = {option: (name_of(option), None) for option in (*SHARED, *_TOLD)}
    for field, shape in shapes(declaration):
        if is_option(field, shape):
            no = "no-" if shape.base is bool and field.default else ""
            every[f"--{no}{spelled(field.name)}"] = (field.name, shape)
    return every


def read_plain(declaration: type[Declaration], words: Sequence[str]) -> dict[str, Any] | None:
    """The values of a plain line, as click would give them: options in full and each said once, unless it may be
    repeated, no word too few or too many, every number and choice as it has to be, and no file. None for any other
    line: click explains it, says what is wrong with it, or understands it after all.
    """
    options, said = _options(declaration), list[str]()
    values: dict[str, Any] = {field.name: None for field, _ in shapes(declaration)}
    values |= {name: False if option in _FLAGS else None for option, (name, shape) in options.items() if shape is None}
    flags = [option for option in options if _is_flag(option, options[option][1])]
    left = iter(marked(words, declaration, True, flags))
    for word in left:
        if word[:1] != "-":
            said.append(word)
            continue
        option, equals, value = word.partition("=")
        name, shape = options.get(option, ("", None))
        flag = _is_flag(option, shape)
        if not name or (_is_said(values[name]) and not (shape and is_repeated(shape))) or (flag and equals):
            return None
        if not flag and not equals and (value := next(left, "-"))[:1] == "-":
            return None
        read = True if flag else _plainly(value, shape)
        if read is None:
            return None
        values[name] = (*(values[name] or ()), read) if shape and is_repeated(shape) else read
    return values if _fill(values, declaration, said) else None


def _is_said(value: Any) -> bool:
    """Whether an option has a value; 0 is one."""
    return value is not None and value is not False


def _is_flag(option: str, shape: Shape | None) -> bool:
    """Whether an option takes no value."""
    return shape.base is bool if shape else option in _FLAGS


def _fill(values: dict[str, Any], declaration: type[Declaration], said: Sequence[str]) -> bool:
    """Gives the words that belong to no option to the arguments. Whether they are as many as these need, and as they
    have to be.
    """
    arguments = [(field, shape) for field, shape in shapes(declaration) if not is_option(field, shape)]
    many = [takes_many(declaration, field.name, shape) for field, shape in arguments]
    more = len(said) - len(arguments) + 1
    if any(many) and more < 0:
        return False
    at = 0
    for (field, shape), rest in zip(arguments, many, strict=True):
        words = said[at : at + (more if rest else 1)]
        at += len(words)
        read = [_plainly(word, shape) for word in words]
        if None in read or (field.required and not words):
            return False
        if words:
            values[field.name] = tuple(read) if rest else read[0]
    return at == len(said)


def _plainly(word: str, shape: Shape | None) -> str | int | None:
    """The value of a word; None where it is for click to read."""
    if not word or (shape and shape.word in _FILES):
        return None
    if shape and shape.choices:
        return word if word in map(str, shape.choices) else None
    if not shape or not takes_number(shape):
        return word
    digits = word.removeprefix(NOT_AN_OPTION).removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS else None
