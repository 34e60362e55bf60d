"""Reading a line by the form of a verb. Exactly: each word in its place, and what is clear may be left out. Leniently:
each word goes to the field that takes it at the least cost; that is only offered.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import NamedTuple

from commands.action import rulebook, systems
from commands.action.names import find, find_all
from commands.action.resolution import REASON
from commands.action.spelling import near
from ledger.errors import AffrayError, UsageError

from . import meanings
from .form import FLAG, GRAMMARS, NUMBER, OPEN, SQUARE, UNLISTED, Field, Table, is_alone
from .meanings import EDIT, FACE, MEANT, PASSED, SMALL, Meanings, Said
from .orders import FLAGS, SHARED, TOLD
from .parameters import BEFORE_DICE, dice_apart, spelled

_MOVED, _AS_OPTION, _FILLED, _SEVERAL, _BARE = 1, 1, 2, 4, 5
"""What it costs that a word stands in another place, is an option without its name, is left out, is left out where
several are possible, or is a number that nobody says of what."""
_UNREAD = 99
"""More than any reading costs."""
_BEAM, _WAYS, _MOST_FILLED = 24, 40, 8
"""How many readings of the words so far are kept, how many whole ones there are, and how many ways to fill one in."""
_MOST_WORDS = 24
"""The most words of a line that is read."""
_INSTEAD = re.compile(r"use ([\w-]+)[.,;]")
"""The verb that the rules have in place of one that others have."""


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

    @property
    def typed(self) -> tuple[str, Said]:
        """Its verb, and the words of the fields that somebody said."""
        return self.verb, {name: words for name, words in self.said.items() if name not in self.filled}

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
        self.table, self.means = table, Meanings(table)

    def readings(self, typed: Sequence[str], lenient: bool) -> list[Reading]:
        """The ways to read a line, the nearest first; none where a word has no place, or an option is not taken."""
        words = dice_apart(typed)
        if not words or len(words) > _MOST_WORDS or not all(map(str.strip, words)):
            return []
        found: dict[tuple[str, ...], Reading] = {}
        for cost, verb, said, rest in self._heads(words, lenient):
            form = self.table.form(verb)
            for one in self._of_verb(verb, form, said, rest, lenient):
                whole = one._replace(cost=one.cost + cost)
                key = tuple(whole.line(form))
                if key not in found or found[key].cost > whole.cost:
                    found[key] = whole
        named = {one.verb for one in found.values() if "who" in one.said and "who" not in one.filled}
        complete = {one.verb: one.cost for one in found.values() if self._is_complete(one)}
        far = min(complete.values(), default=_UNREAD) + _FILLED
        kept = [
            one
            for one in found.values()
            if not one.filled
            or (
                one.verb not in complete
                and one.cost < far
                and ("who" not in one.filled or self._aims(one, one.verb in named))
            )
        ]
        return self._nearest_first(kept, named)[:_WAYS]

    @staticmethod
    def _nearest_first(kept: Sequence[Reading], named: set[str]) -> list[Reading]:
        """Readings in order: one who may act now is meant before the one who is named and may not."""
        unable = {one.verb for one in kept if "who" in one.filled} & named
        return sorted(kept, key=lambda one: one.cost + _SEVERAL * (one.verb in unable and "who" not in one.filled))

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
        if who in named or (doubtful and named[:1] and named[0] in self.table.acting):
            return False  # nobody is both
        magic = bool({"spell", "prayer"} & {*one.said})  # for friend or foe
        return magic or all(self.table.aims_at(one.verb, who, other) for other in named)

    # The verb

    def _heads(self, words: Sequence[str], lenient: bool) -> Iterator[tuple[int, str, str, list[str]]]:
        """The verbs that a line may begin with, each with its cost, the word that means it and those that are left."""
        for at in range(min(len(words), 3 if lenient else 1)):
            if words[at].startswith("-") and not lenient:
                return
            two = " ".join(words[at : at + 2])
            if two in self.table.verbs:
                yield at * MEANT, two, two, [*words[:at], *words[at + 2 :]]
                continue
            most = EDIT if all(map(self.means.names, words[:at])) else MEANT
            for many, said in ((1, words[at]), (2, two)):
                for cost, verb in (
                    self.verbs(said, lenient) if many == 1 else self._also(two) if lenient and " " in two else ()
                ):
                    if not at or cost <= most:  # behind other words than a name none is misspelt
                        yield cost + at * MEANT, verb, said, [*words[:at], *words[at + many :]]

    def verbs(self, word: str, lenient: bool) -> list[tuple[int, str]]:
        """The verbs that a word may stand for, each with its cost."""
        low, known, own = word.casefold(), self.table.verbs, ""
        try:
            own = systems.begun(low, known)
        except UsageError:  # a beginning of several is none
            return []
        if own not in self.table.tools or not lenient:
            return [(0, own)] if own else self._meant(low) if lenient else []
        return [(0, own), *self._also(low)]

    def _meant(self, low: str) -> list[tuple[int, str]]:
        """The verbs that a word that is none may stand for."""
        close = near(low, (name for name in self.table.verbs if " " not in name))
        like = [(EDIT * far, name) for name, far in close if 3 * far <= len(low)]
        if low in map(str.casefold, rulebook.of(self.table.system).board.harm):
            return sorted(like)[:4]  # a unit is no verb: 3 pain is not 3 damage
        return sorted({*like, *self._also(low)})[:4]

    def _also(self, low: str) -> list[tuple[int, str]]:
        """The verbs for which a word is another one, or that the rules have in place of it."""
        forms, elsewhere = {low, *meanings.stems(low)}, systems.load(self.table.system).elsewhere
        instead = {found[1] for one in forms if (found := _INSTEAD.search(elsewhere.get(one, "")))}
        return [
            (MEANT, name)
            for name, card in self.table.verbs.items()
            if not forms.isdisjoint((name, *card.also)) or name in instead
        ]

    # The words behind it

    def _of_verb(
        self, verb: str, form: Sequence[Field], said: str, rest: Sequence[str], lenient: bool
    ) -> Iterator[Reading]:
        free = list[str]()
        if (start := self._options(Reading(0, verb, {}), form, rest, free, lenient)) is None:
            return
        for cost, dice, words in self._dice(form, free, start, lenient):
            begun = start._replace(cost=start.cost + cost, dice=(*start.dice, *dice))
            for one in self._assigned(form, begun, words, lenient):
                whole = self._as_verb(form, one, said.casefold()) if lenient else one
                yield from self._filled(form, whole, lenient)

    def _as_verb(self, form: Sequence[Field], one: Reading, word: str) -> Reading:
        """A reading with what another word for the verb says besides: `drop` is `stow --drop`."""
        also = [said for said in (word, *meanings.stems(word)) if said in self.table.verbs[one.verb].also]
        for field in form:
            said = next((said for said in also if self._as_named(field, said)), "")
            if said and field.option and field.name not in one.said and said != field.default:
                return self._with(one, field, () if field.kind == FLAG else (said,), 0)
        return one

    def _as_named(self, field: Field, word: str) -> bool:
        """Whether a word is the name of a flag, or a value of an option that is chosen from a list."""
        if field.kind == FLAG:
            return word == spelled(field.name)
        return field.kind in ("choice", "skill") and word in self.table.words(field, {})

    def _options(
        self, start: Reading, form: Sequence[Field], rest: Sequence[str], free: list[str], lenient: bool
    ) -> Reading | None:
        """A reading that holds the options; None where one is not taken. The words that are none go into `free`."""
        left, one = list(rest), start
        while left:
            word = left.pop(0)
            if lenient and word == "dice" and left and FACE.fullmatch(left[0].partition(",")[0]):
                word = "--dice"
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
        flag = field in FLAGS if isinstance(field, str) else field is not None and field.kind == FLAG
        if field is None or (flag and equals) or not (flag or equals or left):
            return None
        if flag:
            said = () if isinstance(field, str) else {**one.said, field.name: one.said.get(field.name, ())}
            more = {"shared": (*one.shared, field)} if isinstance(field, str) else {"said": said}
            return one._replace(cost=one.cost + cost, **more)
        given = value if equals else left.pop(0)
        if lenient and given.startswith("--"):
            return None
        if lenient and not isinstance(field, str) and not equals:
            given = self._joined(field, given, left, one.said)
        if field == "--dice":
            return one._replace(cost=one.cost + cost, dice=(*one.dice, *meanings.faces(given, left, lenient)))
        if isinstance(field, str):
            return one._replace(cost=one.cost + cost, shared=(*one.shared, field, given))
        took, dearer = self._value(field, given, one, lenient)
        said = {**one.said, field.name: (*one.said.get(field.name, ()), took)}
        return one._replace(cost=one.cost + cost + dearer, said=said)

    def _joined(self, field: Field, given: str, left: list[str], said: Said) -> str:
        """The value that the first words behind an option are together, which are taken off what is left."""
        many, ways = next(self.means.joined(field, [given, *left], {**said, "who": ("",)}), (1, []))
        del left[: many - 1]
        return ways[0][0] if ways else given

    def _value(self, field: Field, given: str, one: Reading, lenient: bool) -> tuple[str, int]:
        """The value of an option, as it was typed or as it may be meant, with what that costs."""
        if lenient and field.kind not in (OPEN, SQUARE):
            anybody = {**one.said, "who": ("",)}  # who acts is read behind the options
            ways = sorted(self.means.takes(field, given, anybody, lenient), key=lambda way: way[1])
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
        meant: list[tuple[int, Field]] = []
        for field in (one for one in form if one.option):
            explained = re.findall(r"\w+", field.shape.description.casefold()) if len(word) > 3 else []
            meant += [(at, field) for at, one in enumerate([*field.shape.also, *explained]) if one == word]
        if meant:
            return MEANT, min(meant, key=lambda one: one[0])[1]
        like = near(word, (one.removeprefix("--") for one in known))[:1]
        return (EDIT * like[0][1], known[f"--{like[0][0]}"]) if like else (0, None)

    def _dice(
        self, form: Sequence[Field], free: Sequence[str], start: Reading, lenient: bool
    ) -> Iterator[tuple[int, list[str], Sequence[str]]]:
        """The dice behind an action, and the words before them, with what that costs; behind its own numbers only
        where it is offered. A number that may be part of a name, or the value of an option without its dashes, is not
        silently a die.
        """
        first = meanings.where_faces_begin(free, lenient)
        numbers, unclear = meanings.own_numbers(form, free[:first], lenient)
        end = first + numbers
        if end < len(free) and not unclear and not start.dice:
            for cost, at in self._where_dice_begin(form, free, first, numbers, lenient):
                yield cost, meanings.faces_in(free[at:], lenient), free[:at]
            alone = lenient and len(free) == end + 1  # a number may be one of another kind
            if not alone and not all(map(GRAMMARS[SQUARE].fullmatch, free[end:])):
                return
        yield 0, [], free

    def _where_dice_begin(
        self, form: Sequence[Field], free: Sequence[str], first: int, numbers: int, lenient: bool
    ) -> Iterator[tuple[int, int]]:
        """The places where dice may begin, each with what that costs, where the first number stands at `first`, and so
        many belong to the action.
        """
        end, before = first + numbers, free[first - 1] if first else ""
        named = bool(first) and self.means.is_numbered(free[first - 1 : first + 1])
        options = [one for one in form if one.option and one.kind == NUMBER]
        is_value = any(is_alone(form, one) or before.casefold() in one.called for one in options)
        if lenient and first and (named or is_value):
            yield 0, end + 1
        if not named or (lenient and self.means.names(before)):
            yield PASSED * named, end

    def _assigned(
        self, form: Sequence[Field], start: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[Reading]:
        """The words, each in a field, at the least cost."""
        beam: list[list[Reading]] = [[start], *([] for _ in words)]
        for at, word in enumerate(words):
            for one in sorted(beam[at], key=lambda one: one.cost)[:_BEAM]:
                for length, reading in self._steps(form, one, words, at, lenient):
                    beam[at + length].append(reading)
                if lenient and (word.casefold() in SMALL or self._says_whose_turn(form, word)):
                    beam[at + 1].append(one._replace(cost=one.cost + PASSED, passed=(*one.passed, word)))
        yield from sorted(beam[-1], key=lambda one: one.cost)[:_BEAM]

    def _says_whose_turn(self, form: Sequence[Field], word: str) -> bool:
        """Whether a word names the one who may act, before what takes nobody's name: `boffin done`."""
        with suppress(AffrayError):
            return all(one.option for one in form) and [find(self.table.state, word)] == self.table.acting
        return False

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
                yield from self._as_text(args, place, one, words[at:], lenient)
            elif lenient or place >= one.last:
                yield from self._as_argument(field, place, one, words[at:], lenient)
        for field in form:
            if field.option and (field.name not in one.said or (lenient and field.kind == "fighters")):
                yield from self._as_option(form, field, one, words[at : at + 3], lenient)

    def _as_text(
        self, args: Sequence[Field], place: int, one: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """The next words as a text, in its own place: behind all that stands before it, but for who acts. Leniently
        also as one of those that are listed with it, and a name and a number as a pair.
        """
        field, lacking = args[place], [before.name for before in args[:place] if before.name not in one.said]
        named = self.means.names(words[0]) or near(words[0], self.table.state.roster.order)
        if not lacking or (lacking == ["who"] and not named):
            many, cost = len(words) if field.many and field.shape.word == "text" else 1, 0
            text = " ".join(words[:many])
            if lenient and field.listed and (ways := self.means.listed(field.listed, text, lenient)):
                text, cost = ways[0]
            elif (
                lenient and field.shape.description.startswith("NAME=N") and named and words[1:] and words[1].isdigit()
            ):
                many, text, cost = 2, "=".join(words[:2]), PASSED
            said = {**one.said, field.name: (*one.said.get(field.name, ()), text)}
            yield many, one._replace(cost=one.cost + cost, said=said, last=place)

    def _as_argument(
        self, field: Field, place: int, one: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """The next word, or leniently some that are one, as an argument."""
        taken, word = one.said.get(field.name, ()), words[0]
        moved = _MOVED * ((place < one.last) + bool(taken))
        ways = self.means.takes(field, word, one.said, lenient)
        if lenient and not ways and not moved and field.kind in UNLISTED and word.casefold() not in SMALL:
            ways = [(word, _FILLED)]
        for many, each in ((1, ways), *(self.means.joined(field, words, one.said) if lenient else ())):
            for value, cost in each:
                new = {**one.said, field.name: (*taken, value)}
                yield many, one._replace(cost=one.cost + cost + moved, said=new, last=max(place, one.last))

    @staticmethod
    def _behind(args: Sequence[Field], one: Reading, place: int) -> bool:
        """Whether somebody is named for a later argument already, or for an option without its name: names keep the
        order in which they were typed.
        """
        return one.last >= len(args) or any(field.people and field.name in one.said for field in args[place + 1 :])

    def _as_option(
        self, form: Sequence[Field], field: Field, one: Reading, words: Sequence[str], lenient: bool
    ) -> Iterator[tuple[int, Reading]]:
        """The next word as an option without its name, or beside the word that is its name."""
        word = words[0].casefold()
        if lenient and field.kind != FLAG and field.name not in one.said and words[1:]:
            yield from self._beside_its_name(field, one, words)
        if field.kind == FLAG:
            if word == spelled(field.name) or (lenient and word in field.called):
                yield 1, self._with(one, field, (), _AS_OPTION)
        elif field.kind == NUMBER and lenient:
            ways = [(1, self.means.takes(field, word, {}, lenient)), *self.means.joined(field, words, {})]
            for many, found in ways if is_alone(form, field) else ():
                cost = _AS_OPTION if many > 1 or meanings.measured(word)[1] else _BARE
                yield from ((many, self._with(one, field, (number,), cost)) for number, _ in found)
        elif self._goes_without(form, field, one):
            last = len(form) if field.people else one.last  # nobody is named before whom these words name
            for value, cost in self.means.takes(field, words[0], one.said, lenient):
                several = ",".join((*one.said.get(field.name, ()), value))
                yield 1, self._with(one._replace(last=last), field, (several,), cost + _AS_OPTION)

    def _beside_its_name(self, field: Field, one: Reading, words: Sequence[str]) -> Iterator[tuple[int, Reading]]:
        """The next words as an option and its name, whichever comes first; behind the name a small word may stand
        between them, and the value may be one that the rules know.
        """
        skip = 2 if words[2:] and words[1].casefold() in SMALL else 1
        for name, value in ((words[0], words[skip]), (words[1], words[0])):
            if name.casefold() not in field.called:
                continue
            ways = [(value, 0)] if field.kind == OPEN else self.means.takes(field, value, one.said, True)
            behind = name is words[0] and value.isalpha() and not self.means.names(value)
            if not ways and behind and field.kind in UNLISTED and value.casefold() not in SMALL:
                ways = [(value, _FILLED)]
            for way, cost in ways:
                yield (skip + 1 if name is words[0] else 2), self._with(one, field, (way,), cost)

    @staticmethod
    def _goes_without(form: Sequence[Field], field: Field, one: Reading) -> bool:
        """Whether the value of an option may be said without its name: of squares that of the likeliest."""
        if field.kind != SQUARE:
            return field.kind in ("thing", "choice", "skill") or (field.people and field.name in ("to", "target"))
        squares = [each for each in form if each.option and each.kind == SQUARE and each.name not in one.said]
        return field is next((each for each in squares if each.name in ("to", "at")), squares[0])

    @staticmethod
    def _with(one: Reading, field: Field, said: tuple[str, ...], cost: int) -> Reading:
        return one._replace(cost=one.cost + cost, said={**one.said, field.name: said})

    # What was left out

    def _filled(self, form: Sequence[Field], one: Reading, lenient: bool) -> Iterator[Reading]:
        """A reading with what was left out, where that can be found."""
        ways: list[Reading] = [one]
        for field in self._lacks(form, one):
            filled = [
                way._replace(
                    cost=way.cost + cost, said={**way.said, field.name: (value,)}, filled=(*way.filled, field.name)
                )
                for way in ways
                for value, cost in self._lacking(field, way, lenient)
            ][: 2 * _MOST_FILLED]
            ways = filled if field.required else [*ways, *filled]
        yield from ways

    @staticmethod
    def _lacks(form: Sequence[Field], one: Reading) -> list[Field]:
        """The fields that were left out, among them whom a deed is aimed at, where it is aimed at no square."""
        squares = {field.name for field in form if field.kind == SQUARE}
        aimless = one.said.keys().isdisjoint({"target", *squares})
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
        if field.name == "who" and self.table.verbs[one.verb].by == "gm":
            return []  # the game master's word is about anybody
        if field.name == "who":
            pool = self.table.acting
        else:
            given = self.means.given(one.said)
            pool = self.table.words(field, given)
            if field.name == "target" and (who := "".join(given.get("who", ())[:1])):
                pool = [other for other in pool if self.table.aims_at(one.verb, who, other)]
            pool = pool[:_MOST_FILLED]
        return [(name, _FILLED if len(pool) == 1 else _SEVERAL) for name in pool]
