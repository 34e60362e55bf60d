"""From words to declarations: one Struct defines the arguments, options and checks of a verb. Quick to import: `spoken`
makes of it what click reads.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from commands.action.declaration import Declaration, Shape, pieces, read_square, shapes
from commands.action.names import check_once, pair
from ledger.errors import UsageError

BEFORE_DICE = "="
"""Stands between an action and its dice, also as the first sign of these: `attack g1 = 14 6`, and `attack g1 =14 6`, is
`attack g1 --dice 14,6`."""
_DICE = "--dice"
NOT_AN_OPTION = " "
"""Marks a word that begins with a minus and a digit, so that click does not take it for an option."""
_MOST_SIGNS = 2000
"""The most characters of a reason or of an id."""


FindFile = Callable[[str, str], str]
"""The file that a word of a kind, such as `sheet`, names for those who say it."""


def _as_it_is(word: str, _kind: str) -> str:
    """The word: anybody at a terminal may name any file."""
    return word


def dice_apart(words: Sequence[str], flags: Collection[str] | None = None) -> list[str]:
    """The words, with the sign that begins the dice by itself. Behind an option it is the beginning of a value, unless
    that is one of the flags, which take none; where these are not known, unless it looks like dice.

    >>> dice_apart(["attack", "g1", "=14", "6"]), dice_apart(["roll", "1d6", "--why", "=luck"])
    (['attack', 'g1', '=', '14', '6'], ['roll', '1d6', '--why', '=luck'])
    """
    for at, word in enumerate(words):
        if word[:1] == BEFORE_DICE and not _is_value(words, at, flags):
            return [*words[:at], BEFORE_DICE, *filter(None, [word[1:]]), *words[at + 1 :]]
    return [*words]


def _is_value(words: Sequence[str], nth: int, flags: Collection[str] | None) -> bool:
    """Whether a word that begins with = is the value of the option before it."""
    before, said = words[nth - 1] if nth else "", words[nth][1:]
    if not before.startswith("--") or BEFORE_DICE in before or not said:
        return False
    return not any(flag.startswith(before) for flag in flags) if flags is not None else not said[:1].isdigit()


def marked(words: Sequence[str], declaration: type[Declaration], rolls: bool, flags: Collection[str] = ()) -> list[str]:
    """The words with dice that stand behind the action as what --dice takes, and with a mark before each that begins
    with a minus and a digit. A verb that rolls nothing, or that takes a text to its end, keeps its words. `flags` are
    its options without a value.
    """
    apart = dice_apart(words, flags)
    if rolls and BEFORE_DICE in apart and not _ends_with_text(declaration):
        at = apart.index(BEFORE_DICE)
        end = next((nth for nth, word in enumerate(apart) if nth > at and word.startswith("--")), len(apart))
        words = [*apart[:at], f"--dice={','.join(apart[at + 1 : end])}", *apart[end:]]
    if rolls and sum(word.startswith(_DICE) for word in words) > 1:
        words = _dice_as_one(words)
    return [NOT_AN_OPTION + word if word[:1] == "-" and word[1:2].isdigit() else word for word in words]


def _dice_as_one(words: Sequence[str]) -> list[str]:
    """The words with all dice behind one --dice, where it is said more than once, so that none is lost.

    >>> _dice_as_one(["orc", "--dice", "15", "--mod", "2", "--dice=4"])
    ['--dice=15,4', 'orc', '--mod', '2']
    """
    thrown, others, rest = list[str](), list[str](), iter(words)
    for word in rest:
        option, equals, faces = word.partition("=")
        if option == _DICE:
            thrown.append(faces if equals else next(rest, ""))
        else:
            others.append(word)
    return [f"{_DICE}={','.join(thrown)}", *others]


def arguments(declaration: type[Declaration]) -> list[tuple[str, str]]:
    """The arguments of a declaration with their names in the help."""
    return [
        (argument_name(declaration, field.name, shape, field.required), shape.description)
        for field, shape in shapes(declaration)
        if field.required or shape.positional
    ]


def argument_name(declaration: type[Declaration], name: str, shape: Shape, required: bool) -> str:
    """What stands for an argument in the help: `WHO`, `TEXT...`, `[AT]`."""
    word = name.rstrip("_").upper().replace("_", "-") + ("..." if takes_many(declaration, name, shape) else "")
    return word if required else f"[{word}]"


def _ends_with_text(declaration: type[Declaration]) -> bool:
    """Whether a text takes all the words that are left."""
    return any(
        shape.word == "text" and takes_many(declaration, field.name, shape)
        for field, shape in shapes(declaration)
        if field.required or shape.positional
    )


def takes_many(declaration: type[Declaration], name: str, shape: Shape) -> bool:
    """Whether an argument takes all the words that are left: a last text does, else a list that is not of groups."""
    places = [(field.name, shape.word) for field, shape in shapes(declaration) if field.required or shape.positional]
    last, word = places[-1] if places else ("", "")
    return last == name if word == "text" else shape.many and shape.word != "groups"


def declared(
    declaration: type[Declaration], values: dict[str, Any], system: str, file: FindFile = _as_it_is
) -> Declaration:
    """The declaration in the words of a command line. Raises UsageError that names the wrong word."""
    said: dict[str, Any] = {}
    for field, shape in shapes(declaration):
        given = values.get(field.name)
        if given is None or given == () or given is False:
            continue
        flag = shape.base is bool
        said[field.name] = not field.default if flag else read_value(field, shape, given, system, file=file)
    try:
        return msgspec.convert(said, declaration)
    except msgspec.ValidationError as error:
        raise UsageError(impossible(error, declaration, said)) from None


def impossible(
    error: msgspec.ValidationError, declaration: type[Declaration], said: Mapping[str, Any] | None = None
) -> str:
    """Why a declaration is not possible: what the wrong argument or option takes."""
    from commands.action.mistakes import explained

    place, problem = explained(error, declaration)
    name, _, inner = place.partition("[")
    for field, shape in shapes(declaration):
        if field.name == name.partition(".")[0]:
            given = _at(said or {}, name, inner)
            title = f"--{spelled(field.name)}"
            if not is_option(field, shape):
                title = argument_name(declaration, field.name, shape, True)
            return f"{title.removesuffix('...')} {problem.removeprefix('it ')}{f', not {given}' if given else ''}."
    return f"That is not possible: {problem}."


def _at(said: Mapping[str, Any], name: str, inner: str) -> str:
    """The wrong value as it is shown: a number or a short text; "" for anything else."""
    value = said.get(name)
    if inner and isinstance(value, list | tuple) and inner.rstrip("]").isdigit():
        value = value[int(inner.rstrip("]"))]
    return f"{value!r}" if isinstance(value, int) or (isinstance(value, str) and len(value) <= 40) else ""


def spelled(name: str) -> str:
    """The name of a field as an option is spelled."""
    return name.rstrip("_").replace("_", "-")


def takes_number(shape: Shape) -> bool:
    """Whether each word for a field has to be a whole number."""
    return (shape.inner.base if shape.inner and not shape.word else shape.base) is int


def is_repeated(shape: Shape) -> bool:
    """Whether the option of a field may be said several times."""
    return shape.many or (shape.base is dict and not shape.word)


def is_option(field: msgspec.structs.FieldInfo, shape: Shape) -> bool:
    """Whether a field is an option, not an argument."""
    return not (field.required or shape.positional)


def read_value(
    field: msgspec.structs.FieldInfo,
    shape: Shape,
    given: Any,
    system: str,
    as_option: bool = False,
    file: FindFile = _as_it_is,
) -> Any:
    """The value of a field. An option may be repeated, or take several values with commas, as may NAME=N."""
    listed = shape.word in ("words", "clause") and (as_option or is_option(field, shape))
    if shape.many and (listed or shape.word == "scores"):
        given = [piece for words in given for piece in pieces(words)]
    if shape.many and isinstance(given, str):
        given = (given,)
    if shape.word == "places":
        given = [place for words in given for place in words.split("/")]
    return _read(shape, given, system, file)


def _read(shape: Shape, given: Any, system: str, file: FindFile) -> Any:
    """The value of a field."""
    if shape.many:
        return _read_many(shape, given, system, file)
    if shape.word == "text" and isinstance(given, tuple):
        return _clean(" ".join(given))
    if shape.word not in ("text", "dice") and isinstance(given, str) and "," in given and not given.strip(", "):
        raise _nobody()
    if shape.word in ("toml", "sheet", "encounter", "party", "table"):
        return _of_file(shape.word, file(given, shape.word), system)
    if shape.word == "square":
        return read_square(_clean(given))
    if shape.base is dict:
        pairs = [pair(_clean(word), "NAME=VALUE") for words in given for word in pieces(words)]
        check_once(pairs)
        return dict(pairs)
    if shape.word in ("fighter", "group"):
        return _starred(_clean(given))
    return _clean(given) if isinstance(given, str) else given


def _read_many(shape: Shape, given: Any, system: str, file: FindFile) -> tuple[Any, ...]:
    """The values of a field that takes several; of names and faces several stand in one word."""
    if shape.word in ("fighters", "blows", "groups"):
        names = tuple(_starred(name) for words in given for name in _clean(words).split(",") if name)
        if not names:
            raise _nobody()
        return names
    if shape.word == "sheet":
        from .sheet_files import read_sheets

        named = [one for words in given for one in files_of(words)]
        return tuple(sheet for one in named for sheet in read_sheets(file(one, shape.word), system))
    if shape.word == "square":
        return tuple(read_square(square) for words in given for square in _clean(words).split("/"))
    if shape.word == "faces":
        return tuple(_face(one) for words in given for one in _clean(words).split(",") if one)
    assert shape.inner is not None
    return tuple(_read(shape.inner, one, system, file) for one in given)


def _of_file(kind: str, path: str, system: str) -> Any:
    """What a file of this kind holds."""
    if kind == "table":
        return read_table(path)
    if kind in ("encounter", "party"):
        from .encounter_files import read_encounter, read_party

        return read_encounter(path, system) if kind == "encounter" else read_party(path, system)
    from .sheet_files import read_sheet, read_toml

    return read_toml(path) if kind == "toml" else read_sheet(path, system)


def _nobody() -> UsageError:
    return UsageError("That names nobody.", "Write names, such as borin,tilda, or a side, such as @party.")


def _face(word: str) -> int:
    """What a die shows, as it is typed. Raises UsageError for any other word."""
    if not (word.isascii() and word.isdigit() and len(word) <= 6):
        raise UsageError(f"{word[:20]!r} is not a face of a die.", "Write whole numbers, such as 14 3 or 14,3.")
    return int(word)


def files_of(words: str) -> list[str]:
    """The files or examples that a word names, with commas between several; a file may have a comma in its name."""
    return [words] if os.path.exists(words) else [one for one in words.split(",") if one] or [words]


def _starred(name: str) -> str:
    """`grub*` as `@grub`: everybody whose name begins so. Any other word unchanged."""
    return f"@{name[:-1]}" if name.endswith("*") and not name.startswith("@") and name[:-1] else name


def _clean(word: str) -> str:
    """The word, if it is safe on any terminal. Raises UsageError when it holds control characters."""
    word = word.removeprefix(NOT_AN_OPTION)
    if not word.isprintable():
        raise UsageError(f"{word[:40]!r} holds characters that cannot be printed.")
    return word


def plain(word: str | None) -> str:
    """The value of an option that every verb has; "" without it. Raises UsageError when it is too long or
    unprintable.
    """
    if word and len(word) > _MOST_SIGNS:
        raise UsageError(f"{word[:40]!r}... has more than {_MOST_SIGNS:,} characters.")
    return _clean(word or "")


def read_table(path: str) -> dict[str, Any]:
    """The name and the content of a TOML file that holds a table. Raises UsageError when it does not."""
    from .sheet_files import read_toml

    return {"file": _clean(os.path.basename(path)), "content": read_toml(path)}
