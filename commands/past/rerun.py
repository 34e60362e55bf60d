"""Again: actions that were recorded are resolved again, each on its own dice; only new questions need new dice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import events_of
from commands.action.dice_sources import LEFT_OUT, Answer, Question, Recorded, Source, Typed
from commands.action.names import check_names
from commands.action.procedures import carry_out
from commands.action.resolution import Again, Latest, Needed, Resolution, Roll
from ledger.chain import Entry
from ledger.errors import AffrayError, LedgerDamaged, NameUnknown, UsageError
from ledger.events import Declared, Event, Retracted, Rolled, Ruled, encode
from ledger.store import Store
from projections.narration import plainly, told
from projections.state import State, fold

from .course import standing

Dice = dict[Question, tuple[Answer, ...]]
"""Dice thrown for an action, by what they decide; after several resolutions, in the order of preference."""


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

    @property
    def program(self) -> str:
        """The program that resolved it, if that was an older one; "" for this program."""
        return "" if self.act.kept is None else self.act.program

    @property
    def same(self) -> bool:
        """Whether the result is the same, to the byte."""
        return bool(self.events) and [*map(encode, self.events)] == [*map(encode, self.act.before)]


class Anew(Source):
    """The dice that were thrown for an action. Another source answers new questions."""

    def __init__(self, thrown: Dice, new: Source) -> None:
        self.thrown = thrown
        self.new = new
        self._rolls = -1
        self._asked: dict[int, list[int]] = {}

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face that was thrown for this question, or a new one."""
        self._rolls += question.die == 0
        for found in self.thrown.get(question, ()):
            if optional or found is not LEFT_OUT:
                return found
        answer = self.new.answer(question, optional, hidden)
        if answer is not LEFT_OUT:
            self._asked.setdefault(self._rolls, []).append(question.sides)
        return answer

    def asked(self, fight: Resolution) -> tuple[Roll, ...]:
        """The rolls of an action with dice that were not thrown before; only those dice."""
        return tuple(
            Roll(fight, fight.asked[at].who, written(sizes), fight.asked[at].purpose, fight.asked[at].about)
            for at, sizes in self._asked.items()
        )


def written(sizes: Sequence[int]) -> str:
    """Dice of these sizes, such as `2d6+1d4`."""
    return "+".join(f"{sizes.count(size)}d{size}" for size in dict.fromkeys(sizes))


class Thrown:
    """The dice of the record up to an entry, by the action that they were thrown for."""

    def __init__(self, store: Store, until: int) -> None:
        self.store = store
        self._resolutions: dict[int, list[int]] = {}
        for entry, origin in store.resolved_again(until):
            self._resolutions.setdefault(origin, []).append(entry)

    def of(self, act: Act) -> Dice:
        """The dice of an action in all its resolutions, also undone ones: first those that stand, then the newest."""
        thrown: Dice = {}
        _add(thrown, act.before)
        for entry in (*reversed(self._resolutions.get(act.origin, ())), act.origin):
            if entry not in (0, act.entry):
                _add(thrown, events_of(self.store.entry(entry)))
        return thrown


def _add(thrown: Dice, events: Iterable[Event]) -> None:
    for question, answer in Recorded(event for event in events if isinstance(event, Rolled)).rest.items():
        thrown[question] = (*thrown.get(question, ()), answer)


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


def carry_on(
    state: State,
    course: Sequence[Act],
    thrown: Callable[[Act], Dice],
    new: Callable[[Act], Source],
    coming: Callable[[Act], Source] = lambda _: Typed(()),
) -> Iterator[Result]:
    """Resolves actions one after another from a state, each on its own dice. `new` gives the source of an action's
    dice that were not thrown before, when its turn comes. Leaves out what is no longer possible, and an instant that
    makes the action after it impossible. Ends with the first action that lacks dice, because all later ones depend on
    them. `coming` gives those of these dice that an instant may look at, before the action that it changes has them.
    """
    for at, act in enumerate(course):
        if act.kept is not None:
            result = _as_recorded(state, act, act.kept)
            state = result.state
            yield result
            continue
        source = new(act)
        mark = source.mark()
        answered = next((later for later in course[at + 1 :] if not later.declared.instant), None)
        dice = Anew(thrown(act), source)
        unseen: list[Act] = []
        latest = partial(without, state, answered, thrown, unseen, coming)
        try:
            fight = _prepared(state, act, dice, latest)
            try:
                carry_out(fight, dice)
            except Again:
                fight = _prepared(state, _as_instant(act), dice, latest)
                carry_out(fight, dice)
            if fight.instant:
                _check_answered(fight.state, answered, thrown, coming)
        except Needed:
            yield Result(act, state, new=dice.asked(fight), lacking=True)
            return
        except AffrayError as error:
            source.back(mark)
            yield Result(act, state, refused=error, unseen=bool(unseen))
        else:
            state = fight.state
            yield Result(act, state, tuple(fight.events), new=dice.asked(fight))


def without(
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
    dice = Anew(thrown(act), coming(act))
    try:
        fight = _prepared(state, act, dice, tuple)
    except AffrayError:
        return ()
    try:
        carry_out(fight, dice)
    except Needed:
        unseen.append(act)
    except Again:
        pass
    except AffrayError:
        return ()
    return tuple(fight.events)


def _check_answered(
    state: State, act: Act | None, thrown: Callable[[Act], Dice], coming: Callable[[Act], Source]
) -> None:
    """Raises the reason why the action is not possible after the instant, which makes the instant impossible too."""
    if act is None:
        return
    dice = Anew(thrown(act), coming(act))
    try:
        carry_out(_prepared(state, act, dice, tuple), dice)
    except (Needed, Again):
        return  # possible as far as the dice go


def _as_recorded(state: State, act: Act, names: Sequence[str]) -> Result:
    """The result of an action that keeps its facts; impossible when a name in them is no longer at the table."""
    for who in names:
        if who not in state.roster.members:
            return Result(act, state, refused=NameUnknown(f"{who} is not at the table."))
    return Result(act, fold(state, act.before), act.before)


def keeping_drifted(state: State, course: Sequence[Act], thrown: Callable[[Act], Dice]) -> tuple[Act, ...]:
    """The actions of a course. Those that today's rules would resolve differently keep their facts; another version of
    the rules resolved them. `state` is the one before the first of them, and each was resolved from the state that the
    facts before it make.
    """
    made: list[Act] = []
    for at, act in enumerate(course):
        if not systems.is_current(act.program, state.campaign.system) and not today(state, course[at:], thrown).same:
            act = replace(act, kept=_named(state, act.before))
        made.append(act)
        state = fold(state, act.before)
    return tuple(made)


def today(state: State, course: Sequence[Act], thrown: Callable[[Act], Dice], new: Source | None = None) -> Result:
    """The result of the first action of a course by this version's rules, whatever was recorded."""
    try:
        return next(carry_on(state, course, thrown, lambda _: new or Typed(())))
    except Exception as error:  # these rules were never made for such a record
        return Result(course[0], state, refused=UsageError(f"{type(error).__name__}: {error}."))


def _named(state: State, events: Iterable[Event]) -> tuple[str, ...]:
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
    before: Sequence[Event], after: Sequence[Event], verbs: Mapping[str, systems.Verb]
) -> tuple[list[str], list[str]]:
    """The lines of each of two resolutions that the other has not; where no line differs, the events in full."""
    old, new = ([line for one in told(events, verbs) for line in one.lines] for events in (before, after))
    if old == new:
        old, new = ([plainly(event) for event in events] for events in (before, after))
    return [line for line in old if line not in new], [line for line in new if line not in old]


def _as_instant(act: Act) -> Act:
    return replace(act, declared=replace(act.declared, instant=True))


def _prepared(state: State, act: Act, dice: Source, latest: Latest) -> Resolution:
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
        state, declared.verb, said, dice, declared.allow, latest, declared.instant, declared.secret, act.before
    )
