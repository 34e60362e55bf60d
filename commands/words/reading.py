"""Reading a line by the form of a verb. Exactly: each word in its place, and what is clear may be left out. Leniently:
each word goes to the field that takes it at the least cost; that is only offered.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product, takewhile
from typing import NamedTuple

from commands.action import rulebook, systems
from commands.action.names import DUE, TURN, find, find_all
from commands.action.resolution import REASON
from commands.action.spelling import bare, near
from ledger.errors import AffrayError, UsageError

from .form import FLAG, GRAMMARS, NUMBER, OPEN, SQUARE, UNLISTED, Field, Table
from .orders import SHARED, TOLD
from .parameters import BEFORE_DICE, dice_apart, spelled

_PASSED, _MOVED, _AS_OPTION, _MEANT, _FILLED, _EDIT, _SEVERAL = 1, 1, 1, 2, 2, 3, 4
"""What it costs that a word is passed over, stands in another place, is an option without its name, is another word for
the verb, is left out, has a wrong letter, or is left out where several are possible."""
_SMALL = frozenset([
    "a", "an", "the", "to", "at", "with", "on", "in", "of", "from", "for", "by", "and",
    "his", "her", "their", "its", "my", "then", "now", "please", "upon", "against", "is",
])  # fmt: skip
"""Words that are passed over."""
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
"""Numbers as words."""
_FACE = re.compile(r"\d{1,3}|-|[^\W\d][\w'-]*:\d{1,3}")
"""A face of a die, perhaps with who threw it, or the dash that leaves it to the program."""
_BEAM, _WAYS, _MOST_FILLED = 24, 40, 8
"""How many readings of the words so far are kept, how many whole ones there are, and how many ways to fill one in."""
_MOST_WORDS = 24
"""The most words of a line that is read."""

Said = Mapping[str, tuple[str, ...]]


class Reading(NamedTuple):
    """A line as it may be meant."""

    cost: int
    """0 for one that needs no change."""
    verb: str
    said: Said
    """The words for each field, in the order of the form; of a flag none."""
    shared: tuple[str, ...] = ()
    """The options of every verb, as they were typed."""
    dice: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    """The small words that were passed over."""
    last: int = -1
    """The place of the last argument that a word went to."""
    filled: tuple[str, ...] = ()
    """The fields that nobody said."""

    def line(self, form: Sequence[Field]) -> list[str]:
        """The words as they are typed."""
        words = [*self.verb.split()]
        for field in form:
            said = self.said.get(field.name)
            if said is None:
                continue
            if not field.option:
                words += said
            elif field.kind == FLAG:
                words.append(field.typed)
            else:
                words += [part for word in said for part in (field.typed, word)]
        return [*words, *(("--dice", ",".join(self.dice)) if self.dice else ()), *self.shared]


class Reader:
    """Reads lines at one moment of a fight."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def readings(self, typed: Sequence[str], lenient: bool) -> list[Reading]:
        """The ways to read a line, the nearest first; none where a word has no place, or an option is not taken."""
        words = dice_apart(typed)
        if not words or len(words) > _MOST_WORDS or not all(map(str.strip, words)):
            return []
        found: dict[tuple[str, ...], Reading] = {}
        for cost, verb, rest in self._heads(words, lenient):
            form = self.table.form(verb)
            for one in self._of_verb(verb, form, rest, lenient):
                whole = one._replace(cost=one.cost + cost)
                key = tuple(whole.line(form))
                if key not in found or found[key].cost > whole.cost:
                    found[key] = whole
        named = {one.verb for one in found.values() if "who" in one.said and "who" not in one.filled}
        complete = {one.verb for one in found.values() if self._is_complete(one)}
        kept = [
            one
            for one in found.values()
            if not one.filled
            or (one.verb not in complete and ("who" not in one.filled or self._aims(one, one.verb in named)))
        ]
        return sorted(kept, key=lambda one: one.cost)[:_WAYS]

    def _is_complete(self, one: Reading) -> bool:
        """Whether nothing was left out, so that nobody else is meant than those who are named."""
        return not one.filled and not self._lacks(self.table.form(one.verb), one)

    def _aims(self, one: Reading, doubtful: bool) -> bool:
        """Whether those who are named may be acted upon by the one who was left out; where the first of them may be who
        acts, only where that one may not act now.
        """
        state, who = self.table.state, one.said["who"][0]
        people = [field.name for field in self.table.form(one.verb) if field.people and field.name not in one.filled]
        named: list[str] = []
        for word in (word for name in people for word in one.said.get(name, ())):
            with suppress(AffrayError):
                named += find_all(state, tuple(word.split(",")))
        if doubtful and named[:1] and named[0] in self.table.acting:
            return False
        magic = bool({"spell", "prayer"} & {*one.said})  # for friend or foe
        return magic or all(self.table.aims_at(one.verb, who, other) for other in named)

    # The verb

    def _heads(self, words: Sequence[str], lenient: bool) -> Iterator[tuple[int, str, list[str]]]:
        """The verbs that a line may begin with, each with its cost and the words that are left."""
        for at in range(min(len(words), 3 if lenient else 1)):
            if words[at].startswith("-") and not lenient:
                return
            two = " ".join(words[at : at + 2])
            if two in self.table.verbs:
                yield at * _MEANT, two, [*words[:at], *words[at + 2 :]]
            else:
                most = _EDIT if all(map(self._names, words[:at])) else _MEANT
                for cost, verb in self.verbs(words[at], lenient):
                    if at and cost > most:
                        continue  # behind other words than a name none is misspelt
                    yield cost + at * _MEANT, verb, [*words[:at], *words[at + 1 :]]

    def verbs(self, word: str, lenient: bool) -> list[tuple[int, str]]:
        """The verbs that a word may stand for, each with its cost."""
        low, known = word.casefold(), self.table.verbs
        if low in known:
            return [(0, low)]
        try:
            if begun := systems.begun(low, known.items()):
                return [(0, begun)]
        except UsageError:  # a beginning of several is none
            return []
        if not lenient:
            return []
        like = [(_EDIT * far, name) for name, far in near(low, (name for name in known if " " not in name))]
        if low in map(str.casefold, rulebook.of(self.table.system).board.harm):
            return sorted(like)[:4]  # a unit is no verb: 3 pain is not 3 damage
        bare = low.removesuffix("s")
        also = [(_MEANT, name) for name, card in known.items() if low in card.also or bare in (name, *card.also)]
        return sorted({*like, *also})[:4]

    # The words behind it

    def _of_verb(self, verb: str, form: Sequence[Field], rest: Sequence[str], lenient: bool) -> Iterator[Reading]:
        free = list[str]()
        if (start := self._options(Reading(0, verb, {}), form, rest, free, lenient)) is None:
            return
        for dice, words in self._dice(form, free, start):
            begun = start._replace(dice=(*start.dice, *dice))
            for one in self._assigned(form, begun, words, lenient):
                yield from self._filled(form, one, lenient)

    def _options(
        self, start: Reading, form: Sequence[Field], rest: Sequence[str], free: list[str], lenient: bool
    ) -> Reading | None:
        """A reading that holds the options; None where one is not taken. The words that are none go into `free`."""
        left, one = list(rest), start
        while left:
            word = left.pop(0)
            if word == BEFORE_DICE:
                thrown = [*takewhile(lambda face: not face.startswith("--"), left)]
                if not thrown:
                    return None
                del left[: len(thrown)]
                one = one._replace(dice=(*one.dice, *(face for faces in thrown for face in faces.split(","))))
            elif not word.startswith("--") or len(word) < 3:
                free.append(word)
            elif (more := self._with_option(one, form, word, left, lenient)) is None:
                return None
            else:
                one = more
        return one

    def _with_option(
        self, one: Reading, form: Sequence[Field], word: str, left: list[str], lenient: bool
    ) -> Reading | None:
        """A reading with an option, whose value is taken off what is left; None where it is not taken."""
        name, equals, value = word.partition("=")
        cost, field = self._option(form, name, lenient)
        flag = field in _FLAGS if isinstance(field, str) else field is not None and field.kind == FLAG
        if field is None or (flag and equals) or not (flag or equals or left):
            return None
        if flag:
            said = () if isinstance(field, str) else {**one.said, field.name: one.said.get(field.name, ())}
            more = {"shared": (*one.shared, field)} if isinstance(field, str) else {"said": said}
            return one._replace(cost=one.cost + cost, **more)
        given = value if equals else left.pop(0)
        if lenient and given.startswith("--"):
            return None
        if field == "--dice":
            return one._replace(cost=one.cost + cost, dice=(*one.dice, *_faces(given, left, lenient)))
        if isinstance(field, str):
            return one._replace(cost=one.cost + cost, shared=(*one.shared, field, given))
        took, dearer = self._value(field, given, one, lenient)
        said = {**one.said, field.name: (*one.said.get(field.name, ()), took)}
        return one._replace(cost=one.cost + cost + dearer, said=said)

    def _value(self, field: Field, given: str, one: Reading, lenient: bool) -> tuple[str, int]:
        """The value of an option, as it was typed or as it may be meant, with what that costs."""
        if lenient and field.kind not in (OPEN, SQUARE):
            anybody = {**one.said, "who": ("",)}  # who acts is read behind the options
            ways = sorted(self._takes(field, given, anybody, lenient), key=lambda way: way[1])
            if ways and given not in [way for way, _ in ways]:
                return ways[0]
        return given, 0

    def _option(self, form: Sequence[Field], name: str, lenient: bool) -> tuple[int, Field | str | None]:
        """The option that a word names, one of the verb or of every verb, with its cost; None for none."""
        known: dict[str, Field | str] = {one.typed: one for one in form if one.option}
        known |= {one: one for one in (*SHARED, *TOLD)}
        if name in known:
            return 0, known[name]
        begun = [one for one in known if one.startswith(name)]
        if len(begun) == 1:
            return 0, known[begun[0]]
        if not lenient:
            return 0, None
        word = name.removeprefix("--")
        for field in form:
            explained = re.findall(r"\w+", field.shape.description.casefold()) if len(word) > 3 else ()
            if field.option and (word in field.shape.also or word in explained):
                return _MEANT, field
        like = near(word, (one.removeprefix("--") for one in known))[:1]
        return (_EDIT * like[0][1], known[f"--{like[0][0]}"]) if like else (0, None)

    def _dice(
        self, form: Sequence[Field], free: Sequence[str], start: Reading
    ) -> Iterator[tuple[list[str], Sequence[str]]]:
        """The dice behind an action whose arguments are no numbers, and the words before them."""
        end = len(free)
        while end and all(map(_FACE.fullmatch, free[end - 1].split(","))):
            end -= 1
        numbers = any(one.kind in (NUMBER, OPEN) and not one.option for one in form)
        if end < len(free) and not numbers and not start.dice:
            yield [face for word in free[end:] for face in word.split(",")], free[:end]
            if not all(map(GRAMMARS[SQUARE].fullmatch, free[end:])):
                return
        yield [], free

    def _assigned(
        self, form: Sequence[Field], start: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[Reading]:
        """The words, each in a field, at the least cost."""
        beam: list[list[Reading]] = [[start], *([] for _ in words)]
        for at, word in enumerate(words):
            for one in sorted(beam[at], key=lambda one: one.cost)[:_BEAM]:
                for length, reading in self._steps(form, one, words, at, lenient):
                    beam[at + length].append(reading)
                if lenient and word.casefold() in _SMALL:
                    beam[at + 1].append(one._replace(cost=one.cost + _PASSED, passed=(*one.passed, word)))
        yield from sorted(beam[-1], key=lambda one: one.cost)[:_BEAM]

    def _steps(
        self, form: Sequence[Field], one: Reading, words: Sequence[str], at: int, lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """What the next word may be: how many words it takes, and the reading with it."""
        args = [field for field in form if not field.option]
        for place, field in enumerate(args):
            taken = one.said.get(field.name)
            if (taken and not field.many) or (field.people and self._behind(args, one, place)):
                continue
            if field.kind == OPEN:
                yield from self._as_text(args, place, one, words[at:])
            elif lenient or place >= one.last:
                yield from self._as_argument(field, place, one, words[at], lenient)
        for field in form:
            if field.option and field.name not in one.said:
                yield from self._as_option(form, field, one, words[at : at + 2], lenient)

    def _as_text(
        self, args: Sequence[Field], place: int, one: Reading, words: Sequence[str]
    ) -> Iterator[tuple[int, Reading]]:
        """The next words as a text, in its own place: behind all that stands before it, but for who acts."""
        field, lacking = args[place], [before.name for before in args[:place] if before.name not in one.said]
        named = self._names(words[0]) or near(words[0], self.table.state.roster.order)
        if not lacking or (lacking == ["who"] and not named):
            many = len(words) if field.many and field.shape.word == "text" else 1
            said = {**one.said, field.name: (*one.said.get(field.name, ()), " ".join(words[:many]))}
            yield many, one._replace(said=said, last=place)

    def _as_argument(
        self, field: Field, place: int, one: Reading, word: str, lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """The next word as an argument."""
        taken = one.said.get(field.name, ())
        moved = _MOVED * ((place < one.last) + bool(taken))
        ways = self._takes(field, word, one.said, lenient)
        if lenient and not ways and not moved and field.kind in UNLISTED and word.casefold() not in _SMALL:
            ways = [(word, _FILLED)]
        for value, cost in ways:
            new = {**one.said, field.name: (*taken, value)}
            yield 1, one._replace(cost=one.cost + cost + moved, said=new, last=max(place, one.last))

    def _names(self, word: str) -> bool:
        """Whether a word names somebody."""
        with suppress(AffrayError):
            return bool(find_all(self.table.state, (word,)))
        return False

    @staticmethod
    def _behind(args: Sequence[Field], one: Reading, place: int) -> bool:
        """Whether somebody is named for a later argument already, or for an option without its name: names keep the
        order in which they were typed.
        """
        named = any(field.people and field.name in one.said for field in args[place + 1 :])
        return named or one.last >= len(args)

    def _as_option(
        self, form: Sequence[Field], field: Field, one: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """The next word as an option without its name, or beside the word that is its name."""
        named = {spelled(field.name), *field.shape.also}
        if lenient and field.kind != FLAG and words[1:]:
            for name, value in (words, words[::-1]):
                if name.casefold() in named:
                    ways = [(value, 0)] if field.kind == OPEN else self._takes(field, value, one.said, lenient)
                    for way, cost in ways:
                        yield 2, self._with(one, field, (way,), cost)
        word = words[0].casefold()
        if field.kind == FLAG:
            if word == spelled(field.name) or (lenient and word in named):
                yield 1, self._with(one, field, (), _AS_OPTION)
        elif self._goes_without(form, field, one):
            last = len(form) if field.people else one.last  # nobody is named before whom these words name
            for value, cost in self._takes(field, words[0], one.said, lenient):
                yield 1, self._with(one._replace(last=last), field, (value,), cost + _AS_OPTION)

    @staticmethod
    def _goes_without(form: Sequence[Field], field: Field, one: Reading) -> bool:
        """Whether the value of an option may be said without its name: of squares that of the likeliest."""
        if field.kind != SQUARE:
            return field.kind in ("thing", "choice") or (field.people and field.name == "to")
        squares = [each for each in form if each.option and each.kind == SQUARE and each.name not in one.said]
        return field is next((each for each in squares if each.name in ("to", "at")), squares[0])

    @staticmethod
    def _with(one: Reading, field: Field, said: tuple[str, ...], cost: int) -> Reading:
        return one._replace(cost=one.cost + cost, said={**one.said, field.name: said})

    def _takes(self, field: Field, word: str, said: Said, lenient: bool) -> list[tuple[str, int]]:
        """What a field makes of a word, each with its cost; nothing where it cannot be meant."""
        if field.kind in GRAMMARS:
            spoken = field.kind == NUMBER and lenient and word.casefold() in _NUMBERS
            typed = [(word, 0)] if GRAMMARS[field.kind].fullmatch(word) else []
            return [(str(_NUMBERS.index(word.casefold())), _PASSED)] if spoken else typed
        if field.kind in (OPEN, FLAG):
            return []
        if field.people:
            return self._people(field, word, said, lenient)
        if field.kind in ("entry", "disputed", "shown") and re.fullmatch(r"e\d+", word):
            return [(word, 0)]
        return self._listed(self.table.words(field, self.given(said)), word, lenient)

    def _listed(self, pool: Sequence[str], word: str, lenient: bool) -> list[tuple[str, int]]:
        """Those of a list that a word is, begins, or is a part of, or that are spelled most like it."""
        low, plain = bare(word), [(one, bare(one)) for one in pool]
        if exact := [one for one, name in plain if name == low]:
            return [(exact[0], 0)]
        begun = [one for one, name in plain if name.startswith(low)][:3]
        if begun and low not in _SMALL:
            return [(one, 0 if len(begun) == 1 else _PASSED) for one in begun]
        if not lenient:
            return []
        parts = [one for one, name in plain if low in re.split(r"\W+", name)][:3]
        return [(one, _PASSED) for one in parts] or ([] if self._names(word) else _misspelt(low, pool))

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
        if lenient and low in _SMALL and low not in map(str.casefold, state.roster.order):
            return []
        with suppress(AffrayError):
            several = field.kind not in ("fighter", "group") or (field.name == "who" and word.startswith("@"))
            find_all(state, (word,)) if several else find(state, word)
            return [(word, 0)]
        if not lenient:
            return []
        pool = self.table.words(field, self.given(said))
        begun = [(one, _MEANT) for one in pool if bare(one).startswith(bare(low))][:3]
        return ([(word, 0)] if sides and begun else begun) or _misspelt(low, pool)

    def given(self, said: Said) -> dict[str, tuple[str, ...]]:
        """What is filled already, with the name of who acts in full."""
        given = {name: tuple(words) for name, words in said.items()}
        if given.get("who"):
            with suppress(AffrayError):
                given["who"] = (find(self.table.state, given["who"][0]),)
        elif len(self.table.acting) == 1:
            given["who"] = (self.table.acting[0],)
        return given

    # What was left out

    def _filled(self, form: Sequence[Field], one: Reading, lenient: bool) -> Iterator[Reading]:
        """A reading with what was left out, where that can be found."""
        ways: list[Reading] = [one]
        for field in self._lacks(form, one):
            filled = [
                way._replace(
                    cost=way.cost + cost,
                    said={**way.said, field.name: (value,)},
                    filled=(*way.filled, field.name),
                )
                for way in ways
                for value, cost in self._lacking(field, way, lenient)
            ][: 2 * _MOST_FILLED]
            ways = filled if field.required else [*ways, *filled]
        yield from ways

    @staticmethod
    def _lacks(form: Sequence[Field], one: Reading) -> list[Field]:
        """The fields that were left out, among them whom a deed is aimed at, where it is aimed at no square."""
        aimless = "target" not in one.said and not any(
            field.kind == SQUARE and field.name in one.said for field in form
        )
        return [
            field
            for field in form
            if field.name not in one.said
            and (field.required or (field.name == "target" and aimless and field.people and not field.option))
        ]

    def _lacking(self, field: Field, one: Reading, lenient: bool) -> list[tuple[str, int]]:
        """What may stand in a field that was left out."""
        if field.shape.word == "text":
            return [(REASON, _FILLED)] if lenient and field.name == "why" else []
        if field.kind in GRAMMARS or field.kind in (OPEN, FLAG, "value", "setting", "sheet"):
            return []
        if field.name == "who":
            pool = self.table.acting
        else:
            given = self.given(one.said)
            pool = self.table.words(field, given)
            if field.name == "target" and (who := "".join(given.get("who", ())[:1])):
                pool = [other for other in pool if self.table.aims_at(one.verb, who, other)]
            pool = pool[:_MOST_FILLED]
        return [(name, _FILLED if len(pool) == 1 else _SEVERAL) for name in pool]


_FLAGS = frozenset((*TOLD, *(option for option, said in SHARED.items() if "is_flag" in said)))


def _faces(value: str, left: list[str], lenient: bool) -> list[str]:
    """The dice behind their option; leniently also those that follow, which are taken off what is left."""
    if not lenient:
        return value.split(",")
    more = [*takewhile(_FACE.fullmatch, left)]
    del left[: len(more)]
    return [*filter(None, re.split(r"[,;]", value)), *more]


def _misspelt(word: str, pool: Iterable[str]) -> list[tuple[str, int]]:
    """Those of some names that a word may be, misspelt, each with its cost."""
    return [(name, _EDIT * far) for name, far in near(word, pool)]
