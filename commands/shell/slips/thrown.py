"""The faces of dice among typed words."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tokens import Reader

_SIZE = re.compile(r"(?<![^,;/ ])\d*d\d+[:=](?=\d)")
"""The size of a die before its face, as in `d20:14`."""
_DICE_SIZES = (2, 3, 4, 6, 8, 10, 12, 20, 100)
"""How many sides dice have."""
_OWN = re.compile(r"([^\W\d][^,;:=]*)[:=](\d+)")
"""A face with the one who rolls it, as in `sigrun:6`."""
_DICE_WORDS = frozenset({"roll", "rolls", "rolled", "rolling", "nat", "natural", "die", "dice", "damage", "dmg"}) | {
    "defense",
    "defence",
    "dodge",
    "pierce",
}
"""Words beside the faces of dice."""
_ROLLED = frozenset({"rolled", "rolls", "rolling", "threw"})
"""Words before the faces that fell; numbers before them are none."""
_HITS = frozenset({"hit", "hits", "harm"})
"""Words behind the face of a die that struck."""
_BETWEEN = frozenset(["vs", "v", "versus", "against", "and", "to", "for"])
"""Words between the faces of two."""
_FAR_AT = frozenset({"at", "range", "distance", "from", "within", "feet", "squares"})
"""Words before a number that says how far."""
_FAR_UNITS = frozenset(
    {"feet", "foot", "ft", "squares", "square", "sq", "away", "hp", "points", "pain", "rounds", "turns"}
)
"""Words behind a number that is on no die."""
LARGEST = 20
"""The highest face of a die of these games that is thrown at the table."""
_DIGITS = 2
"""The most digits of such a face."""
_MANY = frozenset(map(str, range(1, 11)))
"""How many dice are rolled, before their size."""
_TWO = 2
"""The dice of a blow: to hit, and what it does."""


def thrown(reader: "Reader", words: Sequence[str], counts: int, sizes: bool) -> Iterator[tuple[str, list[str]]]:
    """The faces among the words of a deed, as --dice takes them, and the other words: numbers that do not say how far,
    and of which no argument takes any but the first `counts`: `attack boffin grub 14 vs 6`, `14 attack boffin grub`.
    Where each stands behind a name, they are first those of these: `resolve hakon 14 thrall 8`. `sizes` says whether
    one of the words is that of the dice which are rolled: `roll d20 14`.
    """
    faces, whose, left, far = list[str](), list[str](), list[str](), 0
    since = next((at for at, word in enumerate(words) if word.casefold() in _ROLLED), 0)  # `pistol 2, rolled 15 and 5`
    for at, word in enumerate(words):
        adds = word[0] in "+-" or left[-1:] in (["+"], ["-"])
        many = sizes and word in _MANY and "".join(words[at + 1 : at + 2])[:1] in ("d", "D")  # `roll 1 d20`
        found = [] if adds or many else faces_of(word)
        if found and (at < since or _says_how_far(words, at, far < counts and not faces)):
            far, found = far + 1, []
        elif not found and not (sizes and reader.is_throw(word)) and _is_die(reader, word, words[at + 1 :]):
            continue
        if not found:
            beside = faces and faces_of(words[at - 1]) and word.casefold() in _DICE_WORDS | _HITS  # `15 hit 4 damage`
            left += [] if beside else [word]
            continue
        owners = [owner for face in found for owner in [face.rpartition(":")[0]] if owner]
        before = left[-1:] if at and left[-1:] == [*words[at - 1 : at]] else []
        whose += found if owners else [f"{name.rstrip(',:=')}:{face}" for name in before for face in found]
        left += [owner for owner in owners if owner not in left]
        faces += [face.rpartition(":")[2] for face in found]
    names = [one.partition(":")[0] for one in whose]
    if len(whose) == len(faces) and len({*names}) > 1 and all(map(reader.is_name, names)):
        yield ",".join(whose), left
    if faces:
        yield ",".join(faces), left


def hit_points(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The faces of hit dice among the words of those who join, and the other words: `orc x4 hp 4 5 3 6`, `orc with 4
    hp`.
    """
    at = next((at for at, word in enumerate(words) if word.casefold() == "hp"), -1)
    if at < 0:
        return [], [*words]
    end = next((nth for nth in range(at + 1, len(words)) if not faces_of(words[nth])), len(words))
    start = at
    while end <= at + 1 and start and faces_of(words[start - 1]):
        start -= 1
    faces = [face for word in (*words[start:at], *words[at + 1 : end]) for face in faces_of(word)]
    return faces, [*(word for word in words[:start] if not faces or word != "with"), *words[end:]]


def _is_die(reader: "Reader", word: str, behind: Sequence[str]) -> bool:
    """Whether a word only says of which die the face behind it is; one of somebody or of a thing hardly does."""
    beside = is_beside(word) and bool(faces_of("".join(behind[:1])))
    return beside and not (reader.names_somebody(word) or reader.is_thing(word))


def _says_how_far(words: Sequence[str], at: int, counts: bool) -> bool:
    """Whether a number says how far or how often: by the word beside it, or because it is on no die; where one
    `counts`, the first is it, unless only the faces of two dice are said.
    """
    before, behind = "".join(words[:at][-1:]).casefold(), "".join(words[at + 1 :][:1]).casefold()
    led = before in _FAR_AT and not "".join(words[: at - 1][-1:]).isdigit()  # `40 feet 14 5`
    if led or behind in _FAR_UNITS or not words[at].isdigit():
        return words[at].isdigit()
    large = len(words[at]) > _DIGITS or int(words[at]) > LARGEST
    return large or (counts and len([word for word in words if word.rstrip(",").isdigit()]) != _TWO)


def dice(rest: list[str], reader: "Reader | None" = None) -> list[str]:
    """The faces behind --dice, taken from the words that are left, each with the one who threw it where the `reader`
    knows them: `14 and 6`, `hakon 15, thrall-1 7`. What names dice, as d20, leaves them to the program.
    """
    found: list[str] = []
    at, own = 0, False
    while at < len(rest):
        faces, behind = faces_of(rest[at]), faces_of("".join(rest[at + 1 : at + 2]))
        name = rest[at].rstrip(",:=")
        if not faces and behind and reader and reader.is_name(name):
            faces, at, own = [f"{name}:{behind[0]}", *behind[1:]], at + 1, True
        elif faces and own and ":" not in faces[0]:
            faces[0] = f":{faces[0]}"  # nobody's
        elif not faces and not (behind and is_beside(rest[at])):
            break
        found += faces
        at += 1
    del rest[: at if found else 1]
    return found


def faces_of(word: str) -> list[str]:
    """The faces of dice that a word is, each with who threw it where it says so; none for any other word."""
    found: list[str] = []
    word = re.sub(r"\b(9|1\d|20)\+\d+", r"\1", word) if "," in word else word  # `15+1,4` adds what the program adds
    for part in re.split(r"[,;./+\s]+|(?<=\d)-(?=\d)", _SIZE.sub("", word)):
        if own := _OWN.fullmatch(part):
            found.append(f"{own[1]}:{own[2]}")
        elif (die := re.fullmatch(r"d(\d+)", part)) and int(die[1]) not in _DICE_SIZES:  # `d14,d11`
            found.append(die[1])
        elif re.fullmatch(r"-|:?-?\d[\d:-]*", part):
            found += [part] if part[0] == ":" else filter(None, part.split(":"))
        elif part:
            return []
    return found


def is_beside(word: str) -> bool:
    """Whether a word may stand before a face of a die: it says which die it is, or that it is another's."""
    low = word.casefold().rstrip(",:=")
    return low in _DICE_WORDS | _BETWEEN or bool(re.fullmatch(r"\d*d\d+", low))
