"""The words of a command that begin with --, and those behind them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from commands.action.declaration import Shape, is_entry
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
    "with": "using wielding",
    "target": "to on at against vs defender victim foe enemy",
    "distance": "range at",
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
    "kind": "type",
    "rounds": "for duration",
    "pass-rest": "skip-rest skip pass",
    "system": "rules rulebook ruleset game",
}
"""For each option what it is called elsewhere."""
_FACE_OF = re.compile(r"--(damage|dmg|hit|to-hit|attack|location|dodge|pierce|defen[cs]e|d\d+)")
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
            own |= {name: (field, shape) for name in (spelled(field.name),) if name not in FILLERS and len(name) > 2}
            own |= dict.fromkeys(shape.also, (field, shape))
    words = _counted(fields, [part for word in words for part in _numbered(word, own)])
    made = [*words]
    for at, word in enumerate(words[:-1]):
        low = word.casefold()
        named = own.get(low) or own.get(next(_means(low, own), "") if low != "at" else "")
        taken = words[at + 1].startswith("-") or (at and made[at - 1].startswith("--"))
        counts = named is not None and named[1].base is int
        taken = taken or (counts and not any(map(str.isdigit, words[at + 1])))
        if named and not taken and (named[1].word != "entry" or is_entry(words[at + 1])):
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
        elif gives and re.fullmatch(r"[+-]\d+", word) and (skill := _next(more)):  # `+2 to evasion`
            made += ["--gives", f"{skill}:{word}"]
            del rest[: 2 + more.index(skill)]
        else:
            made.append(rest.pop(0))
    return made


def _next(words: Sequence[str]) -> str:
    """The first word that adds something, if it is one of letters."""
    word = next((word for word in words if word.casefold() not in FILLERS - {"all"}), "")
    return word if word.replace("-", "").isalpha() else ""


def _numbered(word: str, own: Mapping[str, "Field"]) -> list[str]:
    """A word, or the name of an option and its value: `round1`, `ambient=2`."""
    parts = re.fullmatch(r"([a-z-]+)(?:=|(?=\d))(.+)", word)
    return [*parts.groups()] if parts and parts[1] in own else [word]


def read(reader: "Reader", fields: Sequence["Field"], words: Sequence[str], rolls: bool) -> Said:
    """What the options say. A number behind one that a deed with dice does not have is none of these."""
    options: dict[str, list[str]] = {}
    shared: list[str] = []
    left: list[str] = []
    dropped = 0
    thrown: list[str] = []
    rest = _apart(words if rolls else [word for word in words if word != BEFORE_DICE])
    while rest:
        word = rest.pop(0)
        low = word.casefold()
        with_ = low in ("with", "using") and not option("with", fields)[1:] and not (rest and faces_of(rest[0]))
        with_ = with_ and not (rest and reader.is_name(rest[0]) and not reader.is_thing(rest[0]))
        with_ = with_ and not "".join(rest[:1]).startswith("--")
        thing = "".join(rest[1:2]).casefold()
        if re.fullmatch(r"[+-]\d+", "".join(rest[:1])) and (not thing.isalpha() or thing in FILLERS):
            with_ = False  # `with +2 from the flank`
        twice = _TWICE.get(low.removeprefix("--"))
        if twice and _takes(fields, "mod", twice):
            options.setdefault("mod", []).append(twice)
            continue
        if with_ and rest and rest[0].casefold() in _TWICE:
            continue
        if twice:
            dropped += 1
            continue
        if not with_ and (not word.startswith("--") or len(word) < 3):
            left.append(word)
            continue
        if not with_ and (chosen := _choosing(fields, low[2:])):  # `--ac 2` is --kind ac
            options[chosen] = [low[2:]]
            continue
        called = rolls and _FACE_OF.fullmatch(low) and low[2:] not in {spelled(field.name) for field, _ in fields}
        if called and (faces := faces_of("".join(rest[:1]))):
            thrown += faces  # `--dice 15 --damage 4`
            del rest[0]
            continue
        if low == "--by" and rest and reader.is_name(rest[0]):
            left += ["by", rest.pop(0)]
            continue
        name = option("with" if with_ else low[2:], fields, "".join(rest[:1]))
        if not name and low == "--hp":
            left.append("hp")
        elif not name:
            dropped += 1
            del rest[: bool(rolls and rest and re.fullmatch(r"[+-]?\d+", rest[0]))]
        elif name[0] == "dice":
            thrown += dice(rest, reader)
        elif name[0] in _SHARED:
            value = [rest.pop(0) for _ in rest[:1] if name[0] in _WITH_VALUE]
            shared += [f"--{name[0]}", *(value or [REASON] * (name[0] == "allow"))]
        elif name[0] == "-" and any(shape.word == "text" for _, shape in fields):  # `damage pale with holy water 4`
            continue
        elif name[0] == "-":  # something in hand, where the verb uses what is in hand
            rest = _at_value(rest, True)
            flags = [spelled(field.name) for field, shape in fields if shape.base is bool]
            del rest[: "".join(rest[:1]).casefold() not in flags]  # `heal tilda with a potion`
        else:
            shape = next(shape for field, shape in fields if field.name == name[0])
            if shape.base is bool:
                options[name[0]] = []
            elif shape.base is int and rest and rest[0].isalpha() and any(map(str.isdigit, rest)):
                at = next(at for at, one in enumerate(rest) if one.isdigit())  # `--count minion 3`
                options[name[0]] = [rest.pop(at)]
            elif shape.base is int and not any(map(str.isdigit, "".join(rest[:1]))):  # `--cover half`
                dropped += 1
                del rest[: bool(rest and not rest[0].startswith("--"))]
            elif rest := _at_value(rest, shape.base is str and not shape.word):
                said = rest.pop(0)
                if shape.word == "square" and said.isdigit() and "".join(rest[:1]).isdigit():  # `--at 3 4`
                    said += f",{rest.pop(0)}"
                if shape.base is int:
                    said = re.sub(r"(?i)(?<=\d)(ft|feet|foot|'|sq|squares?|hp)?,?$", "", said)
                options.setdefault(name[0], []).append(reader.token(said).square if shape.word == "square" else said)
                _go_on(reader, shape, options[name[0]], rest)
    shared += ["--dice", ",".join(thrown)] if thrown else []
    return Said(options, shared, left, dropped)


def _choosing(fields: Sequence["Field"], word: str) -> str:
    """The field of which a word is a choice; "" for none, and for a word that names an option."""
    if any(spelled(field.name) == word for field, _ in fields):
        return ""
    choosing = (field.name for field, shape in fields if word in map(str, shape.choices))
    return next(choosing, "")


def _at_value(rest: Sequence[str], thing: bool) -> list[str]:
    """The words from the value of an option on: before that of a `thing` may stand `his +2`."""
    at = next((at for at, word in enumerate(rest) if word.casefold() not in FILLERS), 0)
    if thing and rest[at + 1 :] and re.fullmatch(r"[+-]\d+", rest[at]) and rest[at + 1].isalpha():
        at += 1
    return [*rest[at:]]


def _takes(fields: Sequence["Field"], name: str, word: str) -> bool:
    """Whether the help of an option has a word."""
    return any(field.name == name and word in re.findall(r"\w+", shape.description) for field, shape in fields)


def _apart(words: Sequence[str]) -> list[str]:
    """The words with `--name=value` as two, and with --dice and --with written out where a sign or letter says them."""
    rest = dice_apart(
        [part for word in words for part in (word.split("=", 1) if re.match(r"--[\w-]+=", word) else [word])]
    )
    for at, word in enumerate(rest):
        faces = "".join(rest[at + 1 : at + 2])
        if word == BEFORE_DICE or (word.casefold() in ("-d", "dice") and faces_of(faces)):
            rest[at] = "--dice"
        elif word == "-w":
            rest[at] = "--with"
        elif re.fullmatch(r"-[a-z]{2,}", word):  # `-to` for --to
            rest[at] = f"-{word}"
    return rest


def _go_on(reader: "Reader", shape: Shape, said: list[str], rest: list[str]) -> None:
    """What belongs to the value of an option: the reason of a modifier, or more words of a thing's name."""
    if shape.word == "words":  # `--mod -2,smoke`, `--mod 'dark -2'`
        said[-1] = re.sub(r"^([+-]?\d+),(?=[a-z])", r"\1:", said[-1])
        said[-1] = re.sub(r"^([a-z][a-z ]*)[ ,]+\+?(-?\d+)$", r"\2:\1", said[-1])
    while rest and said[-1].endswith(",") and not rest[0].startswith("--"):
        said[-1] += rest.pop(0)
    more = rest and not rest[0].startswith("--")
    if shape.joined == ":" and ":" not in said[-1]:
        said[-1] = said[-1].replace("-", ":", 1)  # `link hall-yard`
    while more and shape.joined and (shape.joined == "," or shape.joined not in said[-1]):
        word = rest.pop(0).rstrip(",")
        said[-1] = f"{said[-1].rstrip(',')}{shape.joined}{word}" if word not in (*JOINS, "to") else said[-1]
        more = rest and not rest[0].startswith("--")
    if more and shape.word == "words" and re.fullmatch(r"[+-]?\d+", said[-1]) and not reader.token(rest[0]).people:
        said[-1] = f"{said[-1].removeprefix('+')}:{rest.pop(0)}"
        while (
            rest and rest[0].isalpha() and rest[0].casefold() not in _ENDS_REASON and not reader.token(rest[0]).people
        ):
            said[-1] += f" {rest.pop(0)}"
    elif more and shape.word == "words" and said[-1].isalpha() and re.fullmatch(r"[+-]?\d+", rest[0]):
        said[-1] = f"{rest.pop(0).removeprefix('+')}:{said[-1]}"
    while shape.also and shape.base is str and rest and not rest[0].startswith("--") and not rest[0][-1:].isdigit():
        said[-1] += f" {rest.pop(0)}"  # `join fighter named Bran the Bold`
    while rest[1:] and shape.base in (str, tuple) and rest[0].casefold() in JOINS and reader.is_thing(rest[1]):
        said[-1] = f"{said[-1]},{rest[1]}"
        del rest[:2]
    plain = shape.base is str and not shape.word
    while rest and plain and (whole := reader.things("", f"{said[-1]} {rest[0]}")):
        said[-1], rest[:1] = whole[0], []
    while plain and more and rest and reader.is_thing(rest[0]) and not _is_whole(reader, said[-1]):
        said[-1] += f"-{rest.pop(0)}"  # a short bow is a bow


def _is_whole(reader: "Reader", word: str) -> bool:
    """Whether a word is the whole name of a thing."""
    return any(word.casefold() == one.casefold() for one in reader.things("", word))


def option(word: str, fields: Sequence["Field"], value: str = "") -> list[str]:
    """The option that a word means, as the only one in a list: of that name or beginning, or one whose help has the
    word; ["-"] for a weapon where no option names one, none where no option is meant. Of several that are called so
    elsewhere one that takes the `value`.
    """
    own = {spelled(field.name): (field.name, shape) for field, shape in fields}
    every = [*own, *_SHARED]
    word = next((one for one, (_, shape) in own.items() if word in shape.also), word)
    means = sorted(_means(word, every), key=lambda one: one in own and (own[one][1].base is int) != value.isdigit())
    found = [one for one in every if one == word] or means
    found = found or [one for one in every if one.startswith(word) or (len(one) > 3 and word.startswith(one))]
    if not found:
        found = [one for one, (_, shape) in own.items() if word in re.findall(r"\w+", shape.description.casefold())]
    found = found or get_close_matches(word, every, 1, 0.75)
    if word in ("with", "weapon", "item"):
        found = ["with"] if "with" in own else ([] if word == "with" else found) or ["-"]
    return [own[found[0]][0] if found[0] in own else found[0]] if found else []


def _means(word: str, every: Iterable[str]) -> Iterator[str]:
    """Those options that are called by another word elsewhere."""
    return (one for one in every if word in _MEANINGS.get(one, "").split())


def written(options: dict[str, list[str]]) -> list[str]:
    """The words of options and their values."""
    return [word for name, values in options.items() for word in (f"--{spelled(name)}", *values)]
