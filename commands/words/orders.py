"""From the words of a recorded verb to an order: each word in its place, options by name or by a beginning of it, their
values as they are. No word moves.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from commands.action.book import Order
from commands.action.declaration import Declaration, Shape, shapes
from ledger.errors import AffrayError, UsageError

from . import parameters
from .dice_words import Hand, owners_of, read_dice
from .parameters import FindFile, declared, is_option, marked, plain, read_value, spelled, takes_number

CarryOut = Callable[[Order, bool, bool], None]
"""Carries out an order; whether --json and --brief were said."""
_DICE = (
    "Dice you rolled, in order; - in place of a die lets the program roll it. You can type them after the action:"
    " attack corm g1 14 6. sigrun:6 is Sigrun's die; ask:party asks you for the party's dice."
)
_ALLOW = "Allow what a rule refuses; the reason is recorded."
_SECRET = "Hide it from the players, until `affray reveal` opens it."
SHARED: dict[str, dict[str, Any]] = {
    "--dice": {"by": "gm", "metavar": "FACES|ask|roll", "help": _DICE},
    "--spare": {"is_flag": True, "shared": True, "help": "Set typed dice aside that this could not have needed."},
    "--allow": {"metavar": "REASON", "by": "gm", "shared": True, "help": _ALLOW},
    "--dry-run": {"is_flag": True, "shared": True, "help": "Show what would happen; record nothing."},
    "--secret": {"is_flag": True, "by": "gm", "shared": True, "help": _SECRET},
    "--once": {"metavar": "ID", "shared": True, "help": "Do nothing if a command with this id is on record."},
}
"""The options of every recorded verb, but for --brief and --json, with what click makes of them."""
TOLD = ("--brief", "--json")
"""The options of every verb that are no part of its order."""
_RECORDED = (*SHARED, *TOLD)
"""The options of every recorded verb."""
FLAGS = frozenset((*TOLD, *(option for option, said in SHARED.items() if "is_flag" in said)))
"""Those that take no value."""
_DIGITS = 9
"""The most digits of a number."""
_HELP = ("--help", "-h")
"""Words that ask for help."""
Written = Callable[[str, str], None]
"""Is told what a beginning was written out as."""


def name_of(option: str) -> str:
    """The name under which the value of an option of every verb stands."""
    return "_" + option.removeprefix("--").replace("-", "_")


def order_from(
    name: str, declaration: type[Declaration], values: dict[str, Any], system: str, file: FindFile | None = None
) -> Order:
    """The order for the values of a line. Raises UsageError that names the wrong word."""
    dice, spare, allow, dry_run, secret, once = (values.pop(name_of(option)) for option in SHARED)
    dice, owners = owners_of(dice)
    faces, ask = read_dice(dice)
    return Order(
        verb=name,
        declaration=declared(declaration, values, system, *([file] if file else [])),
        dice=faces,
        owners=owners,
        ask=ask,
        side=ask.side if ask else "",
        option=Hand() if dice is None and not os.environ.get("AFFRAY_DICE") else None,
        allow=plain(allow),
        once=plain(once),
        dry_run=dry_run,
        secret=secret,
        spare=spare,
    )


def carry_out_line(
    name: str,
    declaration: type[Declaration],
    values: dict[str, Any],
    system: str,
    carry_out: CarryOut,
    file: FindFile | None = None,
) -> None:
    """Carries out what the values of a line say. An error of a file that it names says where in it."""
    json, brief = values.pop("_json"), values.pop("_brief")
    files = _files(declaration, values, file)
    try:
        order = order_from(name, declaration, values, system, file)
        if any(files.values()):
            from .encounter_files import undecided

            order = replace(order, undecided=undecided(files, system))
        carry_out(order, json, brief)
    except AffrayError as error:
        said = error.at and (error.sheet >= 0 or (files["encounter"] and not values.get(str(error.at[0]))))
        if error.row or said:
            from .encounter_files import located

            located(error, files, system)
        raise


def _files(declaration: type[Declaration], values: Mapping[str, Any], file: FindFile | None) -> dict[str, list[str]]:
    """The files with stat blocks, prepared encounters and the party that words name, by the kind of word."""
    files: dict[str, list[str]] = {"sheet": [], "encounter": [], "party": []}
    for field, shape in shapes(declaration):
        if shape.word in files:
            words = values[field.name]
            said = (words,) if isinstance(words, str) else words or ()
            named = [one for word in said for one in (parameters.files_of(word) if shape.word == "sheet" else [word])]
            files[shape.word] += [file(one, shape.word) if file else one for one in named]
    return files


@cache
def _options(
    declaration: type[Declaration], every: Sequence[str], besides: type[Declaration] | None
) -> dict[str, tuple[str, Shape | None]]:
    """The options of a verb: under which name the value of each stands, and what it takes; None for those of every
    verb. Those besides have a mark before their name.
    """
    found: dict[str, tuple[str, Shape | None]] = {option: (name_of(option), None) for option in every}
    for kind, mark in ((besides, BESIDES), (declaration, "")):
        for field, shape in shapes(kind) if kind else ():
            if is_option(field, shape):
                no = "no-" if shape.base is bool and field.default else ""
                found[f"--{no}{spelled(field.name)}"] = (mark + field.name, shape)
    return found


BESIDES = "+"
"""Stands before the names of the fields that a verb takes besides its own."""


def asks_for_help(words: Sequence[str]) -> bool:
    """Whether one of the words asks what a verb takes."""
    return any(word in _HELP for word in takewhile(_ARGUMENTS.__ne__, words))


_ARGUMENTS = "--"
"""Behind it no word is an option."""


def read(
    name: str,
    declaration: type[Declaration],
    words: Sequence[str],
    written: Written = lambda said, meant: None,
    every: Sequence[str] = _RECORDED,
    besides: type[Declaration] | None = None,
) -> dict[str, Any]:
    """The values of a line of a verb, by the names of its fields, of the options that `every` verb of its kind has, and
    of those of another declaration that it takes besides. Raises UsageError that names the wrong word.
    """
    options = _options(declaration, every, besides)
    values: dict[str, Any] = {field.name: None for field, _ in shapes(declaration)}
    values |= {one: False if option in FLAGS else None for option, (one, shape) in options.items() if shape is None}
    flags = [option for option in options if _is_flag(option, options[option][1])]
    for_others = any(shape.word == "rest" for _, shape in shapes(declaration))
    left = marked(words, declaration, "--dice" in options, flags)
    _fill(name, values, declaration, _optioned(name, options, left, values, written, for_others))
    return values


def _optioned(
    name: str,
    options: Mapping[str, tuple[str, Shape | None]],
    words: Sequence[str],
    values: dict[str, Any],
    written: Written,
    for_others: bool = False,
) -> list[str]:
    """Puts what the options say into the values, and gives the other words; among them those for another verb."""
    left, said = list(words), list[str]()
    while left:
        word = left.pop(0)
        if word == _ARGUMENTS:
            return [*said, *left]
        option, equals, value = word.partition("=")
        if word[:1] != "-" or word == "-" or (for_others and option not in options):
            said.append(word)
            continue
        whole = _whole(option, options, name)
        if whole != option:
            written(word, f"{whole}{equals}{value}")
        field, shape = options[whole]
        values[field] = _given(name, whole, shape, values.get(field), value if equals else None, left)
    return said


def corrected(
    verb: str, declaration: type[Declaration], words: Sequence[str], system: str
) -> tuple[dict[str, Any], str | None]:
    """The fields of a correction, each of which is an option, with their new values, and the game master's new reason
    if there is one. Raises UsageError that names the wrong word.
    """
    options: dict[str, tuple[str, Shape | None]] = {"--allow": ("_allow", None)}
    flags = [(field, shape) for field, shape in shapes(declaration) if shape.base is bool]
    options |= {f"--no-{spelled(field.name)}": (field.name, shape) for field, shape in flags}
    options |= {f"--{spelled(field.name)}": (field.name, shape) for field, shape in shapes(declaration)}
    values: dict[str, Any] = {}
    try:
        if said := _optioned(verb, options, marked(words, declaration, False), values, _not_begun):
            raise UsageError(f"{verb} has no place for {' '.join(said)[:200]!r}.", _help(verb))
    except UsageError as error:
        if error.hint == _help(verb):
            instead = f"--as '{verb} ...' puts a whole command in its place"
            error.hint = f"Every argument is an option here; {instead}.\n{error.hint}"
        raise
    allow = values.pop("_allow", None)
    kinds = {field.name: (field, shape) for field, shape in shapes(declaration)}
    unset = {field for option, (field, _) in options.items() if option in words and option != f"--{spelled(field)}"}
    read = {
        name: name not in unset if kinds[name][1].base is bool else read_value(*kinds[name], given, system, True)
        for name, given in values.items()
    }
    return read, None if allow is None else plain(allow)


def _not_begun(said: str, meant: str) -> None:
    """What is recorded as it was typed must mean the same for ever."""
    raise UsageError(f"{said.partition('=')[0]!r} could be {meant.partition('=')[0]}.", "Options are typed whole here.")


def _given(name: str, option: str, shape: Shape | None, before: Any, value: str | None, left: list[str]) -> Any:
    """What an option says, with what it said before; its value is taken off what is left, unless it stands in the same
    word. Raises UsageError where it lacks one, takes none, or takes only one.
    """
    if _is_flag(option, shape):
        if value is not None:
            raise UsageError(f"Option {option!r} does not take a value.", _help(name))
        return True
    if value is None and not left:
        raise UsageError(f"Option {option!r} requires an argument.", _help(name))
    given = _value(left.pop(0) if value is None else value, shape, option)
    if shape is not None and parameters.is_repeated(shape):
        return (*(before or ()), given)
    if before is not None:
        raise UsageError(f"{option} is said twice.", "It takes one value: say it once.")
    return given


def in_front(name: str, declaration: type[Declaration], words: Sequence[str], every: Sequence[str]) -> int:
    """How many words are options in front of all others. Raises UsageError that names one which there is not."""
    options, at = _options(declaration, every, None), 0
    while at < len(words) and words[at][:1] == "-":
        option, equals, _ = words[at].partition("=")
        whole = _whole(option, options, name)
        at += 1 if equals or _is_flag(whole, options[whole][1]) else 2
    return at


def _whole(option: str, options: Mapping[str, object], name: str) -> str:
    """The option that a word is, or begins. Raises UsageError when it is none, or could be several."""
    if option in options:
        return option
    begun = [one for one in options if one.startswith(option)] if len(option) > len(_ARGUMENTS) else []
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise UsageError(f"{option!r} could be {', '.join(begun)}.", "Type more of the option.")
    raise UsageError(f"{name} has no option {option[:40]!r}.", _help(name))


def _is_flag(option: str, shape: Shape | None) -> bool:
    """Whether an option takes no value."""
    return shape.base is bool if shape else option in FLAGS


def _help(name: str) -> str:
    return f"affray {name} --help"


def _fill(name: str, values: dict[str, Any], declaration: type[Declaration], said: Sequence[str]) -> None:
    """Gives the other words to the arguments. Raises UsageError where one is missing, or there are too many."""
    arguments = [(field, shape) for field, shape in shapes(declaration) if not is_option(field, shape)]
    many = [parameters.takes_many(declaration, field.name, shape) for field, shape in arguments]
    more = max(len(said) - len(arguments) + 1, 0)
    at = 0
    for (field, shape), rest in zip(arguments, many, strict=True):
        words = said[at : at + (more if rest else 1)]
        at += len(words)
        title = parameters.argument_name(declaration, field.name, shape, True).removesuffix("...")
        if field.required and not words:
            if at and takes_number(shape) and said[at - 1].isdigit():  # it stands where the one before it belongs
                field, shape = arguments[at - 1]
                title = parameters.argument_name(declaration, field.name, shape, True).removesuffix("...")
            about = shape.description
            about = about if about[1:2].isupper() else f"{about[:1].lower()}{about[1:]}"
            choices = f" Choose from: {', '.join(map(str, shape.choices))}." if shape.choices else ""
            raise UsageError(f"{name} needs {title}, {about}{choices}", _help(name))
        if words:
            read = [_value(word, shape, title) for word in words]
            values[field.name] = tuple(read) if rest else read[0]
    if at < len(said):
        raise UsageError(f"{name} has no place for {' '.join(said[at:])[:200]!r}.", _help(name))


def _value(word: str, shape: Shape | None, title: str) -> str | int:
    """The value of a word. Raises UsageError where it is no number, or none of what can be chosen."""
    if shape and shape.choices:
        low, every = word.removeprefix(parameters.NOT_AN_OPTION).casefold(), [str(one) for one in shape.choices]
        found = [one for one in every if one.casefold() == low]
        found = found or [one for one in every if low and one.casefold().startswith(low)]
        if len(found) != 1:
            raise UsageError(f"{title} cannot be {word[:40]!r}.", f"It can be: {', '.join(every)}.")
        return found[0]
    if not shape or not takes_number(shape):
        return word
    bare = word.strip()
    digits = bare.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise UsageError(f"{title} is a whole number, not {bare[:40]!r}.")
    return int(bare)
