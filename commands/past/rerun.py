"""Again: actions that were recorded are resolved again, each on its own dice; only new questions need new dice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.dice_sources import LEFT_OUT, Dice, Question
from commands.action.names import check_names
from commands.action.procedures import any_dice, check_used, resolve, thrown_for
from commands.action.resolution import Again, Latest, Needed, Resolution, Roll, counts
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.events import Event, Joined, Rolled, Ruled, TurnBegan, TurnEnded, encode, spoken
from projections.narration import told
from projections.plain_words import plainly
from projections.state import State, fold

from .acts import Act
from .people import the_same_persons
from .thrown import Falls, Kept, joining, set_aside


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
    meant: Act | None = None
    """The act under the names of now; it is told under those of then."""
    aside: tuple[tuple[Question, int], ...] = ()
    """The dice of the entry for which there is no use any more, with their faces; all when it is not possible."""

    @property
    def moot(self) -> bool:
        """Whether there is nothing to go on to: a turn, a phase or a pass of somebody who has none is no loss."""
        if self.refused is None:
            return False
        return systems.find_verb(self.state.campaign.system, self.act.declared.verb).lets_go

    @property
    def waits(self) -> bool:
        """Whether the act is only held up: the fight waits for somebody."""
        return bool(self.refused and self.refused.on)

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


Supply = Callable[[Act], Dice]
"""Gives an action the dice that were not thrown for it before, when its turn comes."""


def no_dice(act: Act) -> Dice:
    """No new dice for an action."""
    return Dice(faces=())


def resolved(state: State, act: Act, answered: Act | None, thrown: Falls, new: Supply, keep: bool = True) -> Result:
    """The result of one action. `answered` is the action that it changes, if it is an instant. Without `keep` its dice
    stay where they are.
    """
    kept = _kept(state, act, thrown, new)
    unseen: list[Act] = []
    latest = partial(_without, state, answered, thrown, new, unseen)
    try:
        fight = _prepared(state, act, kept.dice, latest)
        try:
            resolve(fight)
        except Again:
            fight = _prepared(state, replace(act, declared=replace(act.declared, instant=True)), kept.dice, latest)
            resolve(fight)
        if fight.instant and answered:
            _check_answered(fight.state, answered, thrown, new)
        left = kept.not_used if act.another else ()
        spare = not_needed(state, replace(act, before=tuple(fight.events)), latest, left) if left else []
        if not spare:
            check_used(Dice(faces=kept.not_used), fight.asked)
    except Needed:
        return Result(act, state, new=kept.new(fight, lacking=True), lacking=True)
    except AffrayError as error:
        keep = False
        return Result(act, state, refused=error, unseen=bool(unseen), aside=set_aside(act, thrown(act)))
    finally:
        if not keep:
            kept.dice.back()
    if keep:
        kept.hand_over()
    return Result(act, fight.state, tuple(fight.events), new=kept.new(fight), aside=(*kept.aside(), *spare))


def not_needed(state: State, act: Act, last: Latest, faces: Sequence[int | None]) -> list[tuple[Question, int]]:
    """What dice were thrown for that were said with an action, as it was resolved, which did not need them, such as
    that of the damage of a miss; none where that is unclear.
    """
    begun = partial(_prepared, state, act, latest=last)
    rolls = (event for event in act.before if isinstance(event, Rolled))
    came = [Roll(begun(Dice()), roll.who, roll.dice, roll.purpose, roll.about) for roll in rolls]
    return [(die, face) for die, face in thrown_for(begun, came, faces) if face is not None]


def asked_in_order(state: State, act: Act, faces: Sequence[int | None]) -> list[Question]:
    """What each face is for, where they are all dice of an action, in the order in which they fall; [] where they are
    not.
    """
    dice = Dice(faces=faces)
    with suppress(AffrayError, Again, Needed):
        resolve(_prepared(state, act, dice, tuple))
        each = [one for throw in dice.throws for one in zip(throw.pool, throw.answers, strict=True)]
        asked = [question for question, answer in each if answer is not LEFT_OUT]
        return asked if len(asked) == len(faces) and not dice.rest else []
    return []


def _kept(state: State, act: Act, thrown: Falls, new: Supply) -> Kept:
    """The dice of an action in a state. Those who join have those of the persons who they are."""
    places: dict[str, str] = {}
    if any(isinstance(event, Joined) for event in act.before):
        with suppress(AffrayError, Again):
            fight = resolve(_prepared(state, act, any_dice(), tuple))
            places = joining(the_same_persons(act.before, fight.events))
    return Kept(act, thrown(act), new(act), places)


def _without(state: State, act: Act | None, thrown: Falls, new: Supply, unseen: list[Act]) -> tuple[Event, ...]:
    """The result of an action before any instant changes it, as far as its dice go. An action that lacks dice is put
    into `unseen`.
    """
    if act is None:
        return ()
    dice = _kept(state, act, thrown, new).dice
    try:
        fight = _prepared(state, act, dice, tuple)
        resolve(fight)
    except Needed:
        unseen.append(act)
    except Again:
        pass
    except AffrayError:
        return ()
    finally:
        dice.back()
    return tuple(fight.events)


def _check_answered(state: State, act: Act, thrown: Falls, new: Supply) -> None:
    """Raises the reason why the action is not possible after the instant, which makes the instant impossible too."""
    dice = _kept(state, act, thrown, new).dice
    with suppress(Needed, Again):  # possible as far as the dice go
        try:
            resolve(_prepared(state, act, dice, tuple))
        finally:
            dice.back()


def as_recorded(state: State, act: Act, names: Sequence[str], thrown: Falls) -> Result:
    """The result of an action that keeps its facts; impossible when a name in them is no longer at the table."""
    for who in names:
        if who not in state.roster.members:
            return impossible(state, act, NameUnknown(f"{who} is not at the table."), thrown)
    events = (replace(act.declared, counts=counts(state, act.declared.verb)), *act.before[1:])
    return Result(act, fold(state, events), events)


def impossible(state: State, act: Act, why: AffrayError, thrown: Falls) -> Result:
    """The result of an action that is left out, whatever the rules say."""
    return Result(act, state, refused=why, aside=set_aside(act, thrown(act)))


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


def differs(result: Result, verbs: Mapping[str, cards.Verb]) -> bool:
    """Whether a log tells an act otherwise than it was, but for whose turn it is."""
    return any(differing_lines(result.act.before, result.events, verbs, turns=False))


def differing_lines(
    before: Sequence[Event], after: Sequence[Event], verbs: Mapping[str, cards.Verb], turns: bool = True
) -> tuple[list[str], list[str]]:
    """The lines that a log tells of each of two resolutions and not of the other; without `turns` none that only says
    whose turn it is.
    """
    begun = (event for event in (*before, *after) if not turns and isinstance(event, TurnBegan | TurnEnded))
    of_turns = {spoken(event.sentence()) for event in begun}
    old, new = (
        [line for one in told(events, verbs) for line in one.lines if not of_turns.issuperset(line.split("; "))]
        for events in (before, after)
    )
    return [line for line in old if line not in new], [line for line in new if line not in old]


def _prepared(state: State, act: Act, dice: Dice, latest: Latest) -> Resolution:
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
    before = act.before if declared.allow == getattr(next(iter(act.before), None), "allow", "") else ()
    how = latest, declared.instant, declared.secret, before, declared.out_of_order
    return Resolution(state, declared.verb, said, dice, declared.allow, *how)
