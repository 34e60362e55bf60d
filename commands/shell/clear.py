"""What is clear need not be said: who acts, where only one may act now; whom they act upon, where the rules allow only
one, or where they strike the same again; that a square is where somebody goes or stands; and that numbers are dice,
where no other number is possible. Loaded only when a command has failed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from commands.action import cards, systems
from commands.action.book import events_of
from commands.action.declaration import PEOPLE, Shape, shapes
from commands.action.dice_sources import Stream
from commands.action.names import TURN, SeveralNamed, acting, find_all, resolve_names
from commands.action.procedures import ANY_DICE, after_opening, resolve
from commands.action.quoting import quoted
from commands.action.resolution import Again, Needed, Resolution
from commands.past.course import newest
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from commands.words.parameters import BEFORE_DICE, is_option, spelled
from ledger.dice import parse
from ledger.errors import AffrayError, NameUnknown, Refused, RulesMissing, UsageError
from ledger.events import Declared, EncounterBegan

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from commands.action.declaration import Declaration
    from projections.state import State

    Field = tuple[FieldInfo, Shape]

_NAMES = (*PEOPLE, "group", "groups", "item", "spell", "scores")
"""What is no number where it stands as an argument."""
_SQUARE = re.compile(r"-?\d+,-?\d+(,-?\d+)?(/-?\d+,-?\d+(,-?\d+)?)*")
"""A square, or several, as they are typed."""
_FACE = re.compile(r"\d{1,3}|-|[^\W\d][\w'-]*:\d{1,3}(,[\w':-]+)*")
"""A face of a die, also with the name of who threw it, or the dash that leaves it to the program."""
_FEET = "feet"
"""The option that says how far somebody goes."""
_TRIES = 60
"""The most ways to fill in names that are tried."""
_BACK = 300
"""The most entries among which the last blow of somebody is looked for."""


class Unclear(UsageError):
    """Dice were typed, and the blow that they are for is not clear."""


class _Way(NamedTuple):
    """A command, with the names that were left out."""

    words: list[str]
    doer: str = ""
    """Who acts in it."""
    aimless: bool = False
    """Whether whom they act upon was left out."""
    filled: bool = False
    """Whether any name was."""


def completed(console: Console, root: click.Context, typed: Sequence[str]) -> list[str]:
    """The words with what was left out, where the rules allow only one way to fill it in, or where the one who acts
    did the same before; else none. The only way that there is at all is given, too, if the rules refuse it and not its
    words. Raises Unclear for the dice of a blow, where it is not clear whose they are, and NameUnknown where dice stand
    behind a `.` that could be several.
    """
    if not console.system or not typed or not all(map(str.strip, typed)):
        return []
    try:
        clear = _Clear(console, root)
        return clear.blow(typed) if _are_dice(typed) else clear.completed(typed)
    except Unclear:
        raise
    except UsageError as error:
        if _are_dice(typed):
            raise Unclear(f"{_alone(typed)}. {error.message}", error.hint) from None
        return []
    except RulesMissing:
        return []


class _Clear:
    """What may have been left out, at one moment of one ledger."""

    def __init__(self, console: Console, root: click.Context) -> None:
        self.book, self.root, self.system = console.book, root, console.system
        self.state = console.book.present()[1]

    def completed(self, typed: Sequence[str]) -> list[str]:
        """The words with what was left out; none where that is not clear."""
        verbs = systems.load(self.system).verbs
        name = whole_verb(typed[0], self.system)
        verb = verbs.get(name) or systems.COMMON.get(name)
        if not verb:
            return []
        fields = shapes(systems.procedure(verb)[1])
        if far := self._how_far(typed, fields):
            return far
        said, rest, thrown = _dice_apart(fields, typed[1:])
        if thrown and TURN in said:
            find_all(self.state, (TURN,))
        unsure = verb.hints.blow and any(map(_SQUARE.fullmatch, said))  # these may be dice
        said, rest, armed = _options_apart(self.state, fields, said, rest)
        ways = [_Way([name, *said, *rest])]
        only = next((way.words for way in self._allowed(ways, strictly=True)), [])
        other = not name.startswith(typed[0].casefold())  # another word for the verb
        if not only and not (other and _is_of_beasts(typed[0])):  # who is bitten bites nobody
            ways = [*self._ways(name, verb, said, rest)] or ways
            only = self._only(ways) or (self._likeliest(ways) if thrown and verb.hints.blow else [])
        if thrown and not only and _may_name_more(self.state, fields, said):
            return [name, *said, *rest]  # the rules ask for whom, and no number is somebody's name
        if not only or only == [name, *typed[1:]] or ((armed or unsure) and not self._tried(only)):
            return []
        return only if not thrown or self._are_its_dice(only, fields, verb, not said) else []

    def _how_far(self, typed: Sequence[str], fields: "Sequence[Field]") -> list[str]:
        """The words where the only number, at the end, is how many feet somebody goes by an action without dice, as in
        `move orc-1 30`; none for others.
        """
        *words, far = typed
        takes = any(field.name == _FEET and is_option(field, shape) for field, shape in fields)
        if not (takes and far.isdigit() and words) or any(word[:1].isdigit() or word[:1] == "-" for word in words):
            return []
        said = [*words, f"--{_FEET}", far]
        with suppress(AffrayError):
            said = self.completed(said) or said
            fight = self._tried(said)
            return said if fight and not (fight.asked or fight.makeshift) else []
        return []

    def blow(self, dice: Sequence[str]) -> list[str]:
        """The blow that dice alone mean. Raises Unclear, with those that it may be, where that is not clear."""
        blows = [(name, verb) for name, verb in systems.load(self.system).verbs.items() if verb.hints.blow]
        ways = [way for blow in blows for way in self._ways(*blow, [], [BEFORE_DICE, *dice])]
        if found := self._only(ways) or self._likeliest(ways):
            return found
        raise Unclear(f"{_alone(dice)}, but nobody can strike anybody now.")

    def _likeliest(self, ways: Sequence[_Way]) -> list[str]:
        """What the one who acts did last, else the first of their blows, where the rules refuse it, so that they say
        why. Raises Unclear with those that they allow.
        """
        if found := [*islice(self._allowed(ways[:_TRIES]), 3)]:
            hint = "\n".join(f"affray {' '.join(map(quoted, way.words))}" for way in found)
            raise Unclear("These dice may be those of several blows; say who strikes whom.", hint)
        if len({way.doer for way in ways}) != 1:
            return []
        likeliest = self._again(ways) or ways[0]
        return likeliest.words if self._tried(likeliest.words) is None else []

    def _only(self, ways: Sequence[_Way]) -> list[str]:
        """The words of the only way that the rules allow; where they allow several, those of what the one who acts did
        last, if they allow that.
        """
        ways = ways[:_TRIES]
        found = [*islice(self._allowed(ways), 2)]
        if len(found) == 1:
            return found[0].words
        if len({way.doer for way in ways}) == 1 and (again := self._again(ways)):
            return next((way.words for way in self._allowed([again], strictly=True)), [])
        return []

    def _allowed(self, ways: Sequence[_Way], strictly: bool = False) -> Iterator[_Way]:
        """Those of some commands that the rules allow now, whatever dice fall; a single one also if they refuse it,
        unless they are asked `strictly`.
        """
        for way in ways:
            with suppress(AffrayError):
                fight = self._tried(way.words)
                if fight is None and (strictly or ways[1:]):
                    continue
                if fight is None or not (fight.makeshift or (fight.allow and way.filled)):
                    yield way

    def _tried(self, words: Sequence[str]) -> Resolution | None:
        """What comes of a command with any dice; None where the rules refuse it. Raises UsageError for words that mean
        nothing.
        """
        try:
            with self.root:
                order = order_of(words, self.system)
                now = after_opening(self.state, order.verb, order.declaration)
                said = self._named_in_full(now, order.declaration)
                return resolve(Resolution(now, order.verb, said, Stream(ANY_DICE, 0), order.allow))
        except Refused:
            return None
        except (Again, Needed, click.ClickException, msgspec.ValidationError) as error:
            raise UsageError(str(error)) from None

    def _named_in_full(self, state: "State", declaration: "Declaration") -> "Declaration":
        """The declaration with every name written in full; where several act in turn, that of the first who stands."""
        try:
            return resolve_names(state, declaration)
        except SeveralNamed as several:
            if getattr(declaration, "who", "") != several.word:
                raise
            able = [who for who in find_all(state, tuple(several.word.split(","))) if state.stands(who)]
            return resolve_names(state, msgspec.structs.replace(declaration, who="".join(able[:1])))

    def _are_its_dice(self, words: Sequence[str], fields: "Sequence[Field]", verb: cards.Verb, alone: bool) -> bool:
        """Whether the numbers behind a command are dice that it throws. Where they are `alone` what was said, one that
        no such die shows may be that of an option, as in `distance 25`. Of a command that the rules refuse, whether a
        number can be nothing else.
        """
        fight = self._tried(words)
        if fight is None:
            return verb.hints.blow or not any(shape.base is int or shape.word == "square" for _, shape in fields)
        if verb.hints.blow and not fight.asked:  # which says why it needs none
            return True
        sides = [side for roll in fight.asked for side in parse(roll.dice)[0]]
        numbers = [int(word) for word in words[words.index(BEFORE_DICE) + 1 :] if word.isdigit()]
        counts = alone and any(is_option(field, shape) and shape.base is int for field, shape in fields)
        return bool(sides) and not (counts and max(numbers, default=0) > max(sides))

    # Who, and whom

    def _ways(self, name: str, verb: cards.Verb, said: Sequence[str], rest: Sequence[str]) -> Iterator[_Way]:
        """The words of a verb, with those who may have been left out."""
        if verb.by != "combatant" or verb.passive:
            yield _Way([name, *said, *rest])
            return
        fields = shapes(systems.procedure(verb)[1])
        places = [(field.name, shape) for field, shape in fields if not is_option(field, shape)]
        if not places or places[0][0] != "who" or places[0][1].word != "fighter":
            return
        named = [_named(self.state, word) for word in said]
        upon = next((at for at, (_, shape) in enumerate(places[1:], 1) if shape.word in PEOPLE), 0)
        able = acting(self.state)
        has_doer = bool(named and named[0])
        aimed = upon == 1 and "release" not in verb.hints.ideas  # who is named takes what they have readied
        if has_doer and aimed and sum(map(bool, named)) == 1 and not {*named[0]} <= {*able}:
            if any(self._is_whole([name, who, *rest]) for who in able):  # what is declared needs no target any more
                yield _Way([name, *said, *rest], said[0])
                return
            has_doer = not any(self._fits(who, one, verb) for who in able for one in named[0])  # else it is the target
        doers = [said[0]] if has_doer else able
        said, named = (said[1:], named[1:]) if has_doer else (said, named)
        has_target = not upon or any(named)
        for doer in doers:
            who = "".join(_named(self.state, doer)[:1])
            given = [one for names in named for one in names]
            if upon == 1 and not has_doer and not all(self._fits(who, one, verb) for one in given):
                continue
            for target in (
                [""] if has_target else [one for one in self.state.roster.order if self._fits(who, one, verb)]
            ):
                filled = [doer, *said]
                if target:
                    filled.insert(min(upon, len(filled)), target)
                yield _Way([name, *filled, *rest], who, bool(target), bool(target) or not has_doer)

    def _is_whole(self, words: Sequence[str]) -> bool:
        """Whether the rules allow a command as it stands, without anything that was left out."""
        with suppress(AffrayError):
            return self._tried(words) is not None
        return False

    def _fits(self, who: str, other: str, verb: cards.Verb) -> bool:
        """Whether somebody may be the one whom the other acts upon: a friend where it is done for friends, else a
        foe.
        """
        members = self.state.roster.members
        return self.state.stands(other) and (members[who].side == members[other].side) is verb.hints.friendly

    def _again(self, ways: Sequence[_Way]) -> _Way | None:
        """The way by which the one who acts does again what they did last in this encounter, to the same target and
        with the same weapon; None where that is none of them.
        """
        verbs = systems.load(self.system).verbs
        meant = {way.words[0]: way for way in ways if way.aimless}
        for entry in newest(self.book.store, _BACK):
            events = events_of(entry)
            if any(isinstance(event, EncounterBegan) for event in events):
                return None
            declared = events[0]
            if not isinstance(declared, Declared) or declared.verb not in verbs or declared.instant:
                continue
            if declared.said.get("who") != ways[0].doer or not verbs[declared.verb].hints.blow:
                continue
            if (way := meant.get(declared.verb)) is None:
                return None
            target, weapon = declared.said.get("target", ""), declared.said.get("with_", "")
            upon = target if isinstance(target, str) else ",".join(target)
            held = "--with" in way.words or not weapon
            words = [*way.words[:2], upon, *way.words[3:], *(() if held else ("--with", weapon))]
            return way._replace(words=words) if upon else None
        return None


def _are_dice(words: Sequence[str]) -> bool:
    """Whether words are faces of dice and nothing else."""
    return all(map(_FACE.fullmatch, words)) and any(word[-1:].isdigit() for word in words)


def _alone(dice: Sequence[str]) -> str:
    """What is said of dice without a verb."""
    return f"{' '.join(dice)[:40]} stands alone, as the dice of a blow do"


def _dice_apart(fields: "Sequence[Field]", words: Sequence[str]) -> tuple[list[str], list[str], bool]:
    """The arguments, the rest with the dice marked, and whether there are numbers that may be dice: at the end of the
    arguments, or of the whole, where no argument takes a number.
    """
    end = next((at for at, word in enumerate(words) if word.startswith(("--", BEFORE_DICE))), len(words))
    said, rest = [*words[:end]], [*words[end:]]
    numbers = any(_is_number(shape) for field, shape in fields if not is_option(field, shape))
    if numbers or any(word.startswith((BEFORE_DICE, "--d")) for word in rest):
        return said, rest, False
    for part in (said, rest):
        many = next((nth for nth, word in enumerate(reversed(part)) if not _FACE.fullmatch(word)), len(part))
        thrown = part[len(part) - many :]
        if part is rest and thrown and _takes_value(fields, part[-many - 1]):
            thrown = thrown[1:]
        if thrown and _are_dice(thrown):
            del part[len(part) - len(thrown) :]
            return said, [*rest, BEFORE_DICE, *thrown], True
    return said, rest, False


def _takes_value(fields: "Sequence[Field]", word: str) -> bool:
    """Whether a word is an option that takes the word behind it."""
    flags = [f"--{spelled(field.name)}" for field, shape in fields if shape.base is bool]
    return word.startswith("--") and "=" not in word and not any(flag.startswith(word) for flag in flags)


def _options_apart(
    state: "State", fields: "Sequence[Field]", said: Sequence[str], rest: Sequence[str]
) -> tuple[list[str], list[str], bool]:
    """The arguments; the rest with the options of what stood among these and can be nothing else: a square, a word that
    only one option has, a number before those of whom there are so many, one more name for whom to go to; and whether
    the only other word is that of a weapon.
    """
    places = [shape for field, shape in fields if not is_option(field, shape)]
    options = {field.name: shape for field, shape in fields if is_option(field, shape)}
    squares = [name for name, shape in options.items() if shape.word == "square"]
    if any(_is_number(shape) and shape.base is str for shape in places):
        return [*said], [*rest], False
    left, made, names, others = list[str](), list[str](), list[str](), list[str]()
    for at, word in enumerate(said):
        named = _named(state, word)
        having = [name for name, shape in options.items() if _has(name, shape, word)]
        if squares and _SQUARE.fullmatch(word):
            made += [f"--{spelled('to' if 'to' in squares else squares[0])}", word]
        elif at == 0 and "count" in options and word.isdigit():
            made += ["--count", word]
        elif len(having) == 1 and not named:
            made += [f"--{spelled(having[0])}", *([] if options[having[0]].base is bool else [word])]
        else:
            left.append(word)
            (names if named else others).append(word)
    if "to" in options and options["to"].word in PEOPLE and len(names) > len(places):
        left.remove(names[-1])
        made += ["--to", names[-1]]
    armed = len(others) == 1 and "with_" in options and all(shape.word in PEOPLE for shape in places)
    if armed:
        left.remove(others[0])
        made += ["--with", others[0]]
    return left, [*made, *rest], armed


def _is_of_beasts(word: str) -> bool:
    """Whether a word says what beasts do, as bite. Loads the vocabulary, which is read already for another word."""
    from commands.action.vocabulary import of_beasts

    return bool(of_beasts(word.casefold()))


def _may_name_more(state: "State", fields: "Sequence[Field]", said: Sequence[str]) -> bool:
    """Whether only names were said, as many as are needed, and more may stand behind them."""
    places = [(field.required, shape) for field, shape in fields if not is_option(field, shape)]
    needed = sum(required for required, _ in places)
    several = any(shape.many and shape.word in PEOPLE for required, shape in places if not required)
    return several and len(said) >= needed and all(_named(state, word) for word in said)


def _has(name: str, shape: Shape, word: str) -> bool:
    """Whether a word alone says an option: the name of a flag, or one of its choices, such as a direction."""
    choices = {str(one).casefold() for one in (shape.inner or shape).choices}
    return spelled(name) == word if shape.base is bool else word.casefold() in choices


def _is_number(shape: Shape) -> bool:
    """Whether a number could be meant by what stands in a place."""
    return not (shape.word in _NAMES or shape.choices or shape.base is bool)


def _named(state: "State", word: str) -> tuple[str, ...]:
    """Those whom a word names; nobody where it names none."""
    with suppress(NameUnknown):
        return find_all(state, tuple(word.split(",")))
    return ()
