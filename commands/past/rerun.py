"""Again: actions that were recorded are resolved again, each on its own dice; only new questions need new dice."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.book import events_of
from commands.action.declaration import PEOPLE, shapes
from commands.action.dice_sources import (
    LEFT_OUT,
    Answer,
    Corrected,
    Die,
    Question,
    Source,
    Stream,
    Tally,
    Typed,
    answers,
    parts,
    several,
)
from commands.action.names import check_names
from commands.action.procedures import ANY_DICE, check_used, resolve
from commands.action.resolution import Again, Latest, Needed, Resolution, Roll, counts
from ledger.chain import Entry
from ledger.dice import written
from ledger.errors import AffrayError, LedgerDamaged, NameUnknown, UsageError
from ledger.events import Declared, Event, Joined, Retracted, Rolled, Ruled, encode
from ledger.store import Store
from projections.narration import told
from projections.plain_words import plainly
from projections.state import State, fold

from .course import standing
from .people import the_same_persons

Dice = dict[Die, tuple[Answer, ...]]
"""Dice thrown for an action, by what they were thrown for; after several resolutions, in the order of preference."""


class Act(Struct, frozen=True):
    """An action of a course that is resolved again or inserted."""

    declared: Declared
    entry: int = 0
    """The entry that stands; 0 when the action is inserted."""
    origin: int = 0
    """The entry that first resolved this action; 0 when it is inserted."""
    before: tuple[Event, ...] = ()
    """The events of that entry."""
    program: str = ""
    """The program that resolved it."""
    kept: tuple[str, ...] | None = None
    """The names in its facts, if it keeps them because today's rules differ; None when it is resolved again."""
    dice: tuple[int | None, ...] = ()
    """Faces of dice that it did not need before, None for a die of the program."""
    puts_in: int | None = None
    """The entry before which it is put in because the table went on there, as somebody passes: 0 before what was
    inserted; None when it was said."""
    why: str = ""
    """Why it is put in, or does more than was said: for whom the fight waited."""


class Result(Struct, frozen=True):
    """The result of an act."""

    act: Act
    state: State
    """The state after the act; the state before it, when the act is not possible."""
    events: tuple[Event, ...] = ()
    """The events to record; none when the act is not possible or lacks dice."""
    refused: AffrayError | None = None
    """Why the act is no longer possible."""
    new: tuple[Roll, ...] = ()
    """The rolls with dice that were not thrown before; only those dice."""
    lacking: bool = False
    """Whether some of these dice are still missing."""
    unseen: bool = False
    """Whether it was refused as an instant while the action that it changes lacked dice."""
    aside: tuple[tuple[Question, int], ...] = ()
    """The dice of the entry for which there is no use any more, with their faces; all when it is not possible."""

    @property
    def moot(self) -> bool:
        """Whether there is nothing to go on to: a turn, a phase or a pass of somebody who has none is no loss."""
        if self.refused is None:
            return False
        return systems.find_verb(self.state.campaign.system, self.act.declared.verb).lets_go

    @property
    def lost(self) -> bool:
        """Whether an entry is left out that somebody had played."""
        return bool(self.refused and self.act.entry and not self.moot)

    @property
    def program(self) -> str:
        """The program that resolved it, if that was an older one; "" for this program."""
        return "" if self.act.kept is None else self.act.program

    @property
    def same(self) -> bool:
        """Whether the result is the same, to the byte."""
        return bool(self.events) and [*map(encode, self.events)] == [*map(encode, self.act.before)]


class Anew(Source):
    """The dice that were thrown for an action in a state. Another source answers new questions. Those who join have
    the dice of the persons who they are, whatever their names.
    """

    def __init__(self, state: State, thrown: Dice, new: Source, act: Act) -> None:
        self.thrown = thrown
        self.own = dice_of(act.before, act.declared)
        """The dice of the entry that stands; the others that were thrown are of resolutions that do not."""
        self.new = new
        self.used: set[Die] = set()
        """The dice that were found."""
        places = _joining_anew(state, act)
        self._tally = Tally(lambda who: places.get(who, who), _several(act.before, act.declared))
        self._rolls = -1
        self._asked: dict[int, list[int]] = {}
        self._missing: dict[int, list[int]] = {}

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face that was thrown for this, or a new one."""
        self._rolls += question.die == 0
        die = self._tally.next(question)
        thrown = [found for found in self.thrown.get(die, ()) if optional or found is not LEFT_OUT]
        if thrown and (die in self.own or not self.new.knows(question)):
            self.used.add(die)
            return thrown[0]
        answer = self.new.answer(question, optional, hidden)
        if answer is not LEFT_OUT:
            self._asked.setdefault(self._rolls, []).append(question.sides)
        if answer is None:
            self._missing.setdefault(self._rolls, []).append(question.sides)
        return answer

    def asked(self, fight: Resolution) -> tuple[Roll, ...]:
        """The rolls of an action with dice that were not thrown before; only those dice."""
        return _rolls(fight, self._asked)

    def missing(self, fight: Resolution) -> tuple[Roll, ...]:
        """The rolls of an action with dice that nobody has thrown yet; only those dice."""
        return _rolls(fight, self._missing)


def _rolls(fight: Resolution, sizes: Mapping[int, Sequence[int]]) -> tuple[Roll, ...]:
    """Rolls of an action by their place in it, each with dice of some sizes."""
    some = ((fight.asked[at], written(dice)) for at, dice in sizes.items())
    return tuple(Roll(fight, roll.who, dice, roll.purpose, roll.about) for roll, dice in some)


class Thrown:
    """The dice of the record up to an entry, by the action that they were thrown for."""

    def __init__(self, store: Store, until: int) -> None:
        self.store = store
        self._resolutions: dict[int, list[int]] = {}
        for entry, origin in store.resolved_again(until):
            self._resolutions.setdefault(origin, []).append(entry)

    def of(self, act: Act) -> Dice:
        """The dice of an action in all its resolutions, also undone ones: first those that stand, then the newest."""
        found = dice_of(act.before, act.declared)
        for entry in (*reversed(self._resolutions.get(act.origin, ())), act.origin):
            if entry not in (0, act.entry):
                for die, others in dice_of(events_of(self.store.entry(entry)), act.declared).items():
                    found[die] = (*found.get(die, ()), *others)
        return found


def dice_of(events: Sequence[Event], now: Declared) -> Dice:
    """The dice of an action that was recorded and is said so now, by what they were thrown for."""
    return {die: (answer,) for die, _, answer in told_apart(events, now)}


def told_apart(events: Sequence[Event], now: Declared) -> Iterator[tuple[Die, Question, Answer]]:
    """The dice of an action that was recorded and is said so now, in order, each with what it was thrown for."""
    if rolls := [event for event in events if isinstance(event, Rolled)]:
        places = parts_of(events, now)
        tally = Tally(lambda who: places.get(who, who), _several(events, now))
        for question, answer in answers(rolls):
            yield tally.next(question), question, answer


def _several(events: Sequence[Event], now: Declared) -> set[str]:
    """Those against whom an action was recorded or is said now, where they are several."""
    return several(now.said, *(event.said for event in events[:1] if isinstance(event, Declared)))


def parts_of(events: Sequence[Event], now: Declared) -> dict[str, str]:
    """Whose part those have who rolled in an action that was recorded, and is said so now: their places where they
    join, else that of the one who is named in their stead.
    """
    before = events[0]
    otherwise = parts(before.said, now.said) if isinstance(before, Declared) and before != now else {}
    return _joining(events) or otherwise


def _joining_anew(state: State, act: Act) -> dict[str, str]:
    """Those who join by an action that is resolved again, each with a word for the person who they are."""
    if not any(isinstance(event, Joined) for event in act.before):
        return {}
    with suppress(AffrayError, Again):
        fight = resolve(prepared(state, act, Stream(ANY_DICE, 0), tuple))
        return _joining(the_same_persons(act.before, fight.events))
    return {}


def _joining(events: Iterable[Event]) -> dict[str, str]:
    """Those who join, each with a word for the person who they are: nobody's name."""
    joined = enumerate((event for event in events if isinstance(event, Joined)), 1)
    return {event.who: f"joins as {event.place or nth}" for nth, event in joined}


def _set_aside(act: Act, thrown: Dice, used: Container[Die] = ()) -> tuple[tuple[Question, int], ...]:
    """The dice of an entry for which no use was found, with their true faces; all of an entry that is left out."""
    return tuple(
        (question, thrown[die][0].face)
        for die, question, answer in told_apart(act.before, act.declared)
        if die not in used and answer is not LEFT_OUT and die in thrown
    )


def acts(store: Store, present: int, first: int) -> list[Act]:
    """The actions that stand at the tip `present`, from the entry `first` on, in order."""
    return acts_of(entries_of(store, standing(store, present, above=first - 1)))


def acts_of(entries: Iterable[Entry]) -> list[Act]:
    """The actions of some entries, in order."""
    return [act for entry in entries if (act := act_of(entry))]


def act_of(entry: Entry) -> Act | None:
    """The action of an entry; None for what only changes the course, stirs the dice or reveals something.

    Raises LedgerDamaged when nothing was said.
    """
    events = events_of(entry)
    declared = events[0]
    if not isinstance(declared, Declared):
        raise LedgerDamaged(f"e{entry.entry} does not begin with a declaration.")
    if systems.past(declared.verb):
        return None
    return Act(declared, entry.entry, entry.origin, _plain(events), entry.program)


def entries_of(store: Store, numbers: Sequence[int]) -> Iterator[Entry]:
    """Entries by number; neighbours are read together."""
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            for entry, _ in store.entries(numbers[start], numbers[at - 1]):
                yield entry
            start = at


def _plain(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events without those of an instant that change the course."""
    return tuple(event for event in events if not isinstance(event, Retracted))


Sources = Callable[[Act], Source]
"""Gives the source of an action's dice that were not thrown before, when its turn comes."""


_NAMING = {*PEOPLE, "group", "groups", "places", "value", "words", ""}
"""The words of the types that may name somebody, alone or among other words."""


def under(names: Mapping[str, str], words: str) -> str:
    """Words in which everybody has another name, all at once."""
    if not names:
        return words
    sought = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<![\w'-])({sought})(?![\w'-])", lambda found: names[found[1]], words)


def renamed(act: Act, names: Mapping[str, str], system: str) -> Act:
    """The action, said under other names, with the dice of those who bear them. Free words stay."""
    if act.kept is not None:
        return act

    def new(value: Any) -> Any:
        match value:
            case str():
                return under(names, value)
            case list() | tuple():
                return [new(one) for one in value]
            case dict():
                return {new(key): new(one) for key, one in value.items()}
        return value

    def said_so(declared: Declared) -> Declared:
        _, declaration = systems.procedure(systems.find_verb(system, declared.verb))
        naming = {field.name for field, shape in shapes(declaration) if shape.word in _NAMING}
        return replace(declared, said={at: new(one) if at in naming else one for at, one in declared.said.items()})

    before = tuple(
        said_so(event) if isinstance(event, Declared)
        else replace(event, who=new(event.who), about=new(event.about)) if isinstance(event, Rolled) else event
        for event in act.before
    )  # fmt: skip
    return replace(act, declared=said_so(act.declared), before=before)


def resolved(
    state: State, act: Act, answered: Act | None, thrown: Callable[[Act], Dice], new: Sources, coming: Sources
) -> Result:
    """The result of one action. `answered` is the action that it changes, if it is an instant."""
    source = new(act)
    own = Corrected(act.dice, source) if act.dice else None
    source = own or source
    mark = source.mark()
    dice = Anew(state, thrown(act), source, act)
    unseen: list[Act] = []
    latest = partial(_without, state, answered, thrown, unseen, coming)
    try:
        fight = prepared(state, act, dice, latest)
        try:
            resolve(fight)
        except Again:
            fight = prepared(state, _as_instant(act), dice, latest)
            resolve(fight)
        if fight.instant:
            _check_answered(fight.state, answered, thrown, coming)
        if own:
            check_used(Typed([face for face in own.rest if face is not None]), fight.asked)
    except Needed:
        return Result(act, state, new=dice.missing(fight), lacking=True)
    except AffrayError as error:
        source.back(mark)
        return Result(act, state, refused=error, unseen=bool(unseen), aside=_set_aside(act, dice.thrown))
    aside = _set_aside(act, dice.thrown, dice.used)
    return Result(act, fight.state, tuple(fight.events), new=dice.asked(fight), aside=aside)


def _without(
    state: State,
    act: Act | None,
    thrown: Callable[[Act], Dice],
    unseen: list[Act],
    coming: Callable[[Act], Source] = lambda _: Typed(()),
) -> tuple[Event, ...]:
    """The result of an action before any instant changes it, as far as its dice go. An action that lacks dice is put
    into `unseen`.
    """
    if act is None:
        return ()
    source = coming(act)
    mark = source.mark()
    dice = Anew(state, thrown(act), source, act)
    try:
        fight = prepared(state, act, dice, tuple)
        resolve(fight)
    except Needed:
        unseen.append(act)
    except Again:
        pass
    except AffrayError:
        return ()
    finally:
        source.back(mark)
    return tuple(fight.events)


def _check_answered(
    state: State, act: Act | None, thrown: Callable[[Act], Dice], coming: Callable[[Act], Source]
) -> None:
    """Raises the reason why the action is not possible after the instant, which makes the instant impossible too."""
    if act is None:
        return
    source = coming(act)
    mark = source.mark()
    try:
        resolve(prepared(state, act, Anew(state, thrown(act), source, act), tuple))
    except (Needed, Again):
        return  # possible as far as the dice go
    finally:
        source.back(mark)


def as_recorded(state: State, act: Act, names: Sequence[str], thrown: Callable[[Act], Dice]) -> Result:
    """The result of an action that keeps its facts; impossible when a name in them is no longer at the table."""
    for who in names:
        if who not in state.roster.members:
            return impossible(state, act, NameUnknown(f"{who} is not at the table."), thrown)
    declared = replace(act.declared, counts=counts(state, act.declared.verb))
    events = (declared, *act.before[1:])
    return Result(act, fold(state, events), events)


def impossible(state: State, act: Act, why: AffrayError, thrown: Callable[[Act], Dice]) -> Result:
    """The result of an action that is left out, whatever the rules say."""
    return Result(act, state, refused=why, aside=_set_aside(act, thrown(act)))


def named(state: State, events: Iterable[Event]) -> tuple[str, ...]:
    """The names in some facts of combatants at the table."""
    words = set[str]()
    for event in events:
        if not isinstance(event, Ruled):
            _gather(msgspec.to_builtins(event, enc_hook=lambda _: None), words)
    return tuple(who for who in state.roster.order if who in words)


def _gather(value: object, words: set[str]) -> None:
    match value:
        case str():
            words.add(value)
        case dict():
            for one in value.values():
                _gather(one, words)
        case list() | tuple():
            for one in value:
                _gather(one, words)


def differing(
    before: Sequence[Event], after: Sequence[Event], verbs: Mapping[str, cards.Verb]
) -> tuple[list[str], list[str]]:
    """The lines of each of two resolutions that the other has not; where no line differs, the events in full."""
    old, new = differing_lines(before, after, verbs)
    if old or new:
        return old, new
    old, new = ([plainly(event) for event in events] for events in (before, after))
    return [line for line in old if line not in new], [line for line in new if line not in old]


def differing_lines(
    before: Sequence[Event], after: Sequence[Event], verbs: Mapping[str, cards.Verb]
) -> tuple[list[str], list[str]]:
    """The lines that a log tells of each of two resolutions and not of the other."""
    old, new = ([line for one in told(events, verbs) for line in one.lines] for events in (before, after))
    return [line for line in old if line not in new], [line for line in new if line not in old]


def _as_instant(act: Act) -> Act:
    return replace(act, declared=replace(act.declared, instant=True))


def prepared(state: State, act: Act, dice: Source, latest: Latest) -> Resolution:
    """The resolution of an act, before it is carried out. Raises UsageError and NameUnknown when its words are
    wrong.
    """
    declared = act.declared
    _, declaration = systems.procedure(systems.find_verb(state.campaign.system, declared.verb))
    try:
        said = msgspec.convert(declared.said, declaration)
    except msgspec.ValidationError as error:
        from commands.action.mistakes import in_words

        raise UsageError(f"{in_words(error, declaration)}.") from None
    check_names(state, said)
    return Resolution(
        state,
        declared.verb,
        said,
        dice,
        declared.allow,
        latest,
        declared.instant,
        declared.secret,
        act.before if declared.allow == getattr(next(iter(act.before), None), "allow", "") else (),
        declared.out_of_order,
    )
