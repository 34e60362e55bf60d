"""The words of a command that begin with --, and those behind them."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from commands.action.declaration import Shape
from commands.action.resolution import REASON
from commands.words.parameters import BEFORE_DICE, dice_apart, is_option, spelled

from .thrown import dice, faces_of
from .tokens import FILLERS, JOINS

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from .tokens import Reader

    Field = tuple[FieldInfo, Shape]

_SHARED = ("dice", "spare", "allow", "dry-run", "secret", "once", "brief", "json")
"""The options that every recorded verb has; of these `_WITH_VALUE` take a word."""
_WITH_VALUE = ("allow", "once")
_MEANINGS = {
    "mod": "bonus malus penalty modifier",
    "dice": "d die roll rolls rolled thrown result results",
    "with": "using wielding weapon item",
    "target": "to on at against vs defender victim foe enemy",
    "distance": "range dist at",
    "at": "on to square",
    "to": "at into",
    "difficulty": "dc target-number",
    "because": "reason why",
    "why": "reason because",
    "name": "who only",
    "last": "entries lines count number",
    "times": "last count number entries",
    "end": "remove off stop over ends",
    "truce": "peace",
    "count": "number amount many",
    "areas": "zones places rooms",
    "kind": "type",
    "rounds": "for duration",
    "pass-rest": "skip-rest skip pass",
    "system": "rules rulebook ruleset game",
}
"""For each option what it is called elsewhere."""
_IN_HAND = ("with", "weapon", "item")
"""Words for what somebody has in hand, where no option takes it."""
_FACE_OF = re.compile(r"(damage|dmg|hit|to-hit|attack|location|dodge|pierce|defen[cs]e|d\d+)")
"""What is said of a die before its face, as an option that no verb has."""
_TWICE = {"adv": "adv", "advantage": "adv", "dis": "dis", "disadvantage": "dis"}
"""Words for two dice of which one counts, which are values of --mod in some rule systems."""
FAR = frozenset({"feet", "squares", "distance"})
"""Options that say how far."""
_ENDS_REASON = frozenset({"with", "using", "at", "to", "and", "then", "dice", "on"})
"""Words behind the reason of a modifier that begin something else."""
_ONE = frozenset({"a", "an", "one"})
"""Words for one."""
EACH = ("per", "each", "every", "a")
"""Words between a number and the time in which it comes once."""
_NUMBER = re.compile(r"[+-]?\d+")


class Said(NamedTuple):
    """What the words with -- say."""

    options: dict[str, list[str]]
    """The values of the verb's own options, by the field."""
    shared: list[str]
    """The options that every verb has, as they are typed."""
    left: list[str]
    """The words that belong to none."""
    dropped: int
    """How many options were left out because the verb has none of that name."""


def bare(fields: Sequence["Field"], words: Sequence[str]) -> list[str]:
    """The words with -- before those that are called like an option which takes the word behind it: `distance 25`,
    `instead of sword`, `join ogre as Grumsh`; and before what is counted so: `1 per round`, `2 rounds`.
    """
    own: dict[str, Field] = {}
    for field, shape in fields:
        if shape.base is int or (is_option(field, shape) and shape.base is not bool):
            own |= dict.fromkeys((*shape.also, *({*_called(field)} - FILLERS)), (field, shape))
    parts = [re.fullmatch(r"([a-z-]+)(?:=|(?=\d))(.+)", word) for word in words]  # `round1`, `ambient=2`
    apart = [part.groups() if part and part[1] in own else [word] for word, part in zip(words, parts, strict=True)]
    made = _counted(fields, [one for some in apart for one in some])
    for at, (word, behind) in enumerate(pairwise(made)):
        named = own.get(word.casefold())
        taken = behind.startswith("-") or (at and made[at - 1].startswith("--"))
        counts = named is not None and named[1].base is int and not any(map(str.isdigit, behind))
        if named and not (taken or counts):
            made[at] = f"--{spelled(named[0].name)}"
    return made


def _counted(fields: Sequence["Field"], words: Sequence[str]) -> list[str]:
    """The words with -- before the options that are named behind their number: `2 rounds`, `1 per round`. How far
    somebody goes may stand beside a direction.
    """
    options = {spelled(field.name) for field, shape in fields if is_option(field, shape) and shape.base is int} - FAR
    gives = any(field.name == "gives" for field, _ in fields)
    made: list[str] = []
    rest = [*words]
    while rest:
        word, *more = rest
        unit = "".join(more[:1]).casefold()
        each = unit in EACH and "".join(more[1:2]).casefold().startswith("round")
        named = {"each"} & options if each else {unit, f"{unit}s"} & options
        before = "".join(made[-1:]).casefold()
        if named and (word.isdigit() or word.casefold() in _ONE) and before not in options:  # `a day`
            made += [f"--{named.pop()}", word if word.isdigit() else "1"]
            del rest[: 2 + each]
        elif gives and re.fullmatch(r"[+-]\d+", word) and (what := _first(more)).isalpha():  # `+2 to evasion`
            made += ["--gives", f"{what}:{word}"]
            del rest[: 2 + more.index(what)]
        else:
            made.append(rest.pop(0))
    return made


def read(reader: "Reader", fields: Sequence["Field"], words: Sequence[str], rolls: bool) -> Said:
    """What the options say. A number behind one that a deed with dice does not have is none of these."""
    options: dict[str, list[str]] = {}
    shared: list[str] = []
    left: list[str] = []
    dropped = 0
    thrown: list[str] = []
    own = {spelled(field.name): (field.name, shape) for field, shape in fields}
    takes = {word for field, shape in fields if field.name == "mod" for word in re.findall(r"\w+", shape.description)}
    rest = _apart(reader, words if rolls else [word for word in words if word != BEFORE_DICE])
    while rest:
        word = rest.pop(0)
        low, behind = word.casefold().removeprefix("--"), "".join(rest[:1])
        if (twice := _TWICE.get(low)) in takes:
            options.setdefault("mod", []).append(str(twice))
        elif not word.startswith("--") or not low:
            left.append(word)
        elif low not in own and (chosen := _choosing(fields, low)):  # `--ac 2` is --kind ac
            options[chosen] = [low]
        elif low not in own and rolls and _FACE_OF.fullmatch(low) and (faces := faces_of(behind)):
            thrown += faces  # `--dice 15 --damage 4`
            del rest[0]
        elif not (name := option(low, fields, behind)):
            plain = low == "hp" or low in FILLERS  # `--by suori`
            left += [low] * plain
            dropped += not plain
            del rest[: bool(rolls and _NUMBER.fullmatch(behind))]
        elif name == "dice":
            thrown += dice(rest, reader)
        elif name in _SHARED:
            value = [rest.pop(0) for _ in rest[:1] if name in _WITH_VALUE]
            shared += [f"--{name}", *(value or [REASON] * (name == "allow"))]
        elif name in _IN_HAND and name not in own:  # the verb uses what is in hand, or tells of it
            rest = _from_value(rest)
            flags = {spelled(field.name) for field, shape in fields if shape.base is bool}
            told = any(shape.word == "text" for _, shape in fields)
            del rest[: not (told or "".join(rest[:1]).casefold() in flags)]  # `heal tilda with a potion`
        else:
            field, shape = own[name]
            if shape.base is bool:
                options[field] = []
            elif shape.base is int and not any(map(str.isdigit, behind)):  # `--cover half`
                dropped += 1
                if low in own and behind.startswith("--"):  # `--stress --dice 4,3`
                    options[field] = ["1"]
            elif rest := _from_value(rest):
                options.setdefault(field, []).append(_value(reader, shape, rest))
    shared += ["--dice", ",".join(thrown)] if thrown else []
    return Said(options, shared, left, dropped)


def _choosing(fields: Sequence["Field"], word: str) -> str:
    """The field of which a word is a choice; "" for none."""
    return next((field.name for field, shape in fields if word in map(str, shape.choices)), "")


def _first(words: Sequence[str]) -> str:
    """The first word that says something; "" for none."""
    return next((word for word in words if word.casefold() not in FILLERS), "")


def _from_value(rest: Sequence[str]) -> list[str]:
    """The words from the value of an option on."""
    first = _first(rest)
    return [*rest[rest.index(first) if first else 0 :]]


def _apart(reader: "Reader", words: Sequence[str]) -> list[str]:
    """The words with `--name=value` as two, and with -- before the options that are said with a sign, with one - or
    with none: `= 14`, `-d 14`, `dice 14`, `with sword`.
    """
    rest = dice_apart(
        [part for word in words for part in (word.split("=", 1) if re.match(r"--[\w-]+=", word) else [word])]
    )
    for at, word in enumerate(rest):
        low, behind = word.casefold(), "".join(rest[at + 1 : at + 2])
        held = low in ("with", "using") and not (behind.startswith("--") or faces_of(behind) or behind in _TWICE)
        if word == BEFORE_DICE or (low == "dice" and faces_of(behind)):
            rest[at] = "--dice"
        elif held and not (behind and reader.is_name(behind) and not reader.is_thing(behind)):
            rest[at] = "--with"
        elif re.fullmatch(r"-d|-[a-z]{2,}", word):
            rest[at] = f"-{word}"
    return rest


def _value(reader: "Reader", shape: Shape, rest: list[str]) -> str:
    """The value of an option, taken from the words that are left, with what belongs to it: the others of a list, the
    reason of a modifier, or more words of a thing's name.
    """
    said = rest.pop(0)
    plain = shape.base is str and not shape.word
    if plain and _NUMBER.fullmatch(said) and _goes_on(rest):  # `his +2 sword`
        said = rest.pop(0)
    if shape.word == "square":
        more = f",{rest.pop(0)}" if said.isdigit() and "".join(rest[:1]).isdigit() else ""  # `--at 3 4`
        parts = (reader.token(part).square or part for part in f"{said}{more}".split("/"))  # `--at 0,1/1,1`
        said = reader.token(said + more).square or "/".join(parts)
        while shape.many and rest and (square := reader.token(rest[0]).square):  # `--at 3,3 4,3`
            said, rest[:1] = f"{said}/{square}", []
    elif shape.base is int:
        said = reader.token(said.rstrip(",")).number or said
    elif shape.word == "words":  # `--mod -2,smoke`, `--mod 'dark -2'`
        said = re.sub(r"^([+-]?\d+),(?=[a-z])", r"\1:", said)
        said = re.sub(r"^([a-z][a-z ]*)[ ,]+\+?(-?\d+)$", r"\2:\1", said)
    while _goes_on(rest) and said.endswith(",") and not (plain and rest[0][:1].isdigit()):  # `with her staff, 13`
        said += rest.pop(0)
    if shape.joined == ":":
        said = said.replace("-", ":", 1)  # `link hall-yard`
    if shape.joined == ",":
        said = said.replace("/", ",")  # `--areas bank/bridge`
    while _goes_on(rest) and shape.joined and (shape.joined == "," or shape.joined not in said):
        word = rest.pop(0).rstrip(",")
        said = f"{said.rstrip(',')}{shape.joined}{word}" if word not in (*JOINS, "to") else said
    if shape.word == "words" and _goes_on(rest):
        if _NUMBER.fullmatch(said) and not reader.token(rest[0]).people:
            said = f"{said.removeprefix('+')}:{rest.pop(0)}"
            while rest and rest[0].isalpha() and rest[0].casefold() not in _ENDS_REASON:
                said += f" {rest.pop(0)}"
        elif _NUMBER.fullmatch(rest[0]):
            said = f"{rest.pop(0).removeprefix('+')}:{said}"
    while shape.also and shape.base is str and _goes_on(rest):
        said += f" {rest.pop(0)}"  # `join fighter named Bran the Bold`
    said = said.rstrip(",") if plain else said  # `join troll as Mossback, side orcs`
    while rest[1:] and shape.base in (str, tuple) and rest[0].casefold() in JOINS and reader.is_thing(rest[1]):
        said = f"{said},{rest[1]}"
        del rest[:2]
    while rest and plain and (whole := reader.things("", f"{said} {rest[0]}")):
        said, rest[:1] = whole[0], []
    while plain and _goes_on(rest) and reader.is_thing(rest[0]) and not _is_whole(reader, said):
        said += f"-{rest.pop(0)}"  # a short bow is a bow
    return said


def _goes_on(rest: Sequence[str]) -> bool:
    """Whether a word stands there that is no option."""
    return bool(rest) and not rest[0].startswith("--")


def _is_whole(reader: "Reader", word: str) -> bool:
    """Whether a word is the whole name of a thing."""
    return any(word.casefold() == one.casefold() for one in reader.things("", word))


def option(word: str, fields: Sequence["Field"], value: str = "") -> str:
    """The option that a word means, as it is spelled: the first way to mean one that finds any; "" for none. Of several
    that are called so elsewhere it is one that takes the `value`.
    """
    own = {spelled(field.name): shape for field, shape in fields}
    every = [*own, *_SHARED]
    means = [one for one in every if word in _MEANINGS.get(one, "").split()]
    ways = (
        [one for one in every if one == word],
        [one for one, shape in own.items() if word in shape.also],
        [word] if word in _IN_HAND and "with" not in own else [],
        sorted(means, key=lambda one: one in own and (own[one].base is int) != value.isdigit()),
        [one for one in every if one.startswith(word) or (len(one) > 3 and word.startswith(one))],
        [one for one, shape in own.items() if word in {*re.findall(r"\w+", shape.description.casefold())} - FILLERS],
        get_close_matches(word, every, 1, 0.75),
    )
    return next((found[0] for found in ways if found), "")


def _called(field: "FieldInfo") -> tuple[str, ...]:
    """What an option is called, here and elsewhere."""
    return (spelled(field.name), *_MEANINGS.get(spelled(field.name), "").split())


def written(options: dict[str, list[str]]) -> list[str]:
    """The words of options and their values."""
    return [word for name, values in options.items() for word in (f"--{spelled(name)}", *values)]
