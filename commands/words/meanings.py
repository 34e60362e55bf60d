"""What a word may mean in a field of a form, as it was typed or as it may be meant, and what that costs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product, takewhile

from commands.action.grid import POINTS
from commands.action.names import DUE, TURN, find, find_all, of_stat_block
from commands.action.spelling import bare, near
from ledger.errors import AffrayError

from .form import DICE, FLAG, GRAMMARS, NUMBER, OPEN, SQUARE, Field, Table

PASSED, MEANT, EDIT = 1, 2, 3
"""What it costs that a word is passed over or only written otherwise, is another word for what is meant, or has a wrong
letter."""
_PASSED_OVER = "a an the to at with on in of from for by and his her their its my then now please upon against vs is"
SMALL = frozenset(_PASSED_OVER.split())
"""Words that are passed over."""
_SMALLEST = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_ONES = _SMALLEST.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(number) for number, word in enumerate(_ONES)} | {
    ten + (f"-{one}" if number else ""): str(20 + 10 * tens + number)
    for tens, ten in enumerate(_TENS.split())
    for number, one in enumerate(_ONES[:10])
}
"""Numbers as words, up to ninety-nine."""
FACE = re.compile(r"\d{1,3}|-|[^\W\d][\w'-]*:\d{1,3}")
"""A face of a die, perhaps with who threw it, or the dash that leaves it to the program."""
_MEASURED = re.compile(r"([+-]?\d{1,7}) ?([a-z]+)")
"""A number with its unit."""
_JOINED = 3
"""The most words that are one word of a list, typed with spaces."""

Said = Mapping[str, tuple[str, ...]]


class Meanings:
    """What words may mean at one moment of a fight."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def names(self, word: str) -> bool:
        """Whether a word names somebody."""
        with suppress(AffrayError):
            return bool(find_all(self.table.state, (word,)))
        return False

    def is_numbered(self, words: Sequence[str]) -> bool:
        """Whether a name and the number behind it name somebody."""
        return len(words) == 2 and words[1].isdigit() and self.names("-".join(words))

    def joined(self, field: Field, words: Sequence[str], said: Said) -> Iterator[tuple[int, list[tuple[str, int]]]]:
        """What a field makes of several words that were typed for one, with how many they are: a name and its number,
        a number and its unit, a square without its comma, a thing of several words.
        """
        for many in range(2, min(_JOINED, len(words)) + 1):
            if field.people and not self.is_numbered(words[:many]):
                return
            text = ("," if field.kind == SQUARE else "-" if field.people else " ").join(words[:many])
            if (ways := self.takes(field, text, said, True)) and field.kind != DICE:
                yield many, ways

    def takes(self, field: Field, word: str, said: Said, lenient: bool) -> list[tuple[str, int]]:
        """What a field makes of a word, each with its cost; nothing where it cannot be meant."""
        if field.kind in GRAMMARS:
            figures, unit = measured(word)
            if field.kind == NUMBER and lenient and figures and (not unit or field.is_unit(unit)):
                return [(figures, PASSED)]
            return [(word, 0)] if GRAMMARS[field.kind].fullmatch(word) else []
        if field.kind in (OPEN, FLAG):
            return []
        if field.people:
            return self._people(field, word, said, lenient)
        if field.kind in ("entry", "disputed", "shown") and re.fullmatch(r"e\d+", word):
            return [(word, 0)]
        return self.listed(self.table.words(field, self.given(said)), word, lenient)

    def listed(self, pool: Sequence[str], word: str, lenient: bool) -> list[tuple[str, int]]:
        """Those of a list that a word is, begins, or is a part of, leniently with other hyphens, that are short for it,
        or that are spelled most like it.
        """
        low, plain = bare(word), [(one, bare(one)) for one in pool]
        for sign in ("-", "")[: 1 + lenient]:
            sought = low.replace("-", sign)
            found = [(one, name) for one, each in plain if (name := each.replace("-", sign)).startswith(sought)]
            if exact := [one for one, name in found if name == sought]:
                return [(exact[0], 0 if sign else PASSED)]
            if found and low not in SMALL:
                return [(one, 0 if sign and len(found) == 1 else PASSED) for one, _ in found[:3]]
        return self._partly(plain, word, low) if lenient and " " not in word else []

    def _partly(self, plain: Sequence[tuple[str, str]], word: str, low: str) -> list[tuple[str, int]]:
        """Those of which a word is a part, for which it is short, or that are spelled most like it."""
        pool = [one for one, _ in plain]
        parts = [one for one, name in plain if low in re.split(r"\W+", name) or (name.endswith(low) and low[2:])][:3]
        parts = parts or [one for one, name in plain if one.isupper() and (low.startswith(name) and name[2:])]
        way = POINTS.get(low.replace("-", ""), "")
        if parts := parts or [one for one in pool if way and one == way]:
            return [(one, PASSED) for one in parts]
        return [] if self.names(word) else _misspelt(low, pool)

    def _people(self, field: Field, word: str, said: Said, lenient: bool) -> list[tuple[str, int]]:
        """Names as they were typed, where they are somebody's, or as they are spelled that are most like them."""
        if "," in word and field.kind in ("fighter", "group"):
            return []
        ways = [self._person(field, part, said, lenient) for part in word.split(",") if part]
        return [(",".join(name for name, _ in way), sum(cost for _, cost in way)) for way in product(*ways)][:4]

    def _person(self, field: Field, word: str, said: Said, lenient: bool) -> list[tuple[str, int]]:
        """Whom one name may mean."""
        state, low = self.table.state, word.casefold()
        sides = field.kind in ("group", "groups")
        if low in (TURN, f"@{DUE}") or (sides and low in state.roster.sides()):
            return [(word, 0)]
        if lenient and low in SMALL and low not in map(str.casefold, state.roster.order):
            return []
        plural = lenient and not sides and low[3:] and low.endswith("s")
        for name, cost in ((word, 0), *([(f"@{low[:-1]}", PASSED)] if plural else [])):
            with suppress(AffrayError):
                several = field.kind not in ("fighter", "group") or (field.name == "who" and name.startswith("@"))
                find_all(state, (name,)) if several else find(state, name)
                return [(name, cost)]
        return self._nearly_called(self.table.words(field, self.given(said)), word, sides) if lenient else []

    def _nearly_called(self, pool: Sequence[str], word: str, sides: bool) -> list[tuple[str, int]]:
        """Those whose name or whose group begins so, whose stat block is called so, or who are spelled most like it."""
        low = word.casefold()
        single = low.removesuffix("s")
        if sides and (group := next((part for part in (low, single) for one in pool if _begins(one, part)), "")):
            return [(word if group == low else group, PASSED * (group != low))]
        begun = [one for one in pool if _begins(one, low)] or of_stat_block(self.table.state, low)
        return [(one, MEANT) for one in begun[:3]] or _misspelt(low, pool)

    def given(self, said: Said) -> dict[str, tuple[str, ...]]:
        """What is filled already, with the name of who acts in full."""
        given = {name: tuple(words) for name, words in said.items()}
        if given.get("who"):
            with suppress(AffrayError):
                given["who"] = (find(self.table.state, given["who"][0]),)
        elif len(self.table.acting) == 1:
            given["who"] = (self.table.acting[0],)
        return given


def _begins(name: str, word: str) -> bool:
    """Whether a name begins with a word."""
    return bare(name).startswith(bare(word))


def _misspelt(word: str, pool: Iterable[str]) -> list[tuple[str, int]]:
    """Those of some names that a word may be, misspelt, each with its cost."""
    return [(name, EDIT * far) for name, far in near(word, pool)]


def faces(value: str, left: list[str], lenient: bool) -> list[str]:
    """The dice behind their option; leniently also those that follow, which are taken off what is left."""
    more = [*takewhile(FACE.fullmatch, left)] if lenient else []
    del left[: len(more)]
    return faces_in([value, *more], lenient)


def own_numbers(form: Sequence[Field], before: Sequence[str], lenient: bool) -> tuple[int, bool]:
    """How many numbers behind these words belong to the action, and whether that is unclear."""
    others = [one for one in form if not one.option and one.shape.word != "scores"]
    own = [one for one in others if one.kind == NUMBER]
    units = [unit for text in (*before, *map(" ".join, pairwise(before))) if lenient and (unit := measured(text)[1])]
    numbers = max(len(own) - sum(any(one.is_unit(unit) for one in own) for unit in units), 0)
    return numbers, any(one.kind == OPEN for one in others) or (numbers > 0 and not lenient)


def where_faces_begin(free: Sequence[str], lenient: bool) -> int:
    """Where the numbers at the end of a line begin."""
    first = len(free)
    for at in reversed(range(len(free))):
        faces = faces_in(free[at : at + 1], lenient)
        if not all(map(FACE.fullmatch, faces)):
            break
        first = at if faces else first
    return first


def faces_in(words: Sequence[str], lenient: bool) -> list[str]:
    """The faces of dice that words say; leniently also numbers as words, with small words between them."""
    if not lenient:
        return [face for word in words for face in word.split(",")]
    said = (word for word in words if word.casefold() not in SMALL)
    return [NUMBERS.get(face.casefold(), face) for word in said for face in re.split(r"[,;]", word) if face]


def measured(text: str) -> tuple[str, str]:
    """The number of a text in figures and its unit, if it has one; two empty words for what is no number in words or
    with a unit.

    >>> measured("60ft"), measured("sixty feet"), measured("sixty"), measured("60"), measured("x")
    (('60', 'ft'), ('60', 'feet'), ('60', ''), ('', ''), ('', ''))
    """
    first, _, unit = text.casefold().partition(" ")
    found = _MEASURED.fullmatch(f"{NUMBERS.get(first, first)} {unit}".rstrip())
    return (found[1], found[2]) if found else (NUMBERS.get(first, "") if not unit else "", "")


def stems(word: str) -> list[str]:
    """What a verb may be without the ending of its third person.

    >>> stems("passes"), stems("runs"), stems("run")
    (['pass', 'passe'], ['run'], [])
    """
    return [word.removesuffix(end) for end in ("es", "s") if word.endswith(end)]
