"""The dice that were thrown for an action, found again when it is resolved again: whose they are, and what for."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from commands.action.book import events_of
from commands.action.dice_sources import LEFT_OUT, Answer, Dice, Layer, Question, Throw, answers, in_a_row
from commands.action.resolution import Resolution, Roll
from ledger.dice import written
from ledger.events import Declared, Event, Joined, Retracted, Rolled
from ledger.store import Store
from projections.persons import Persons, told_under

from .acts import Act
from .course import moved


class Die(Struct, frozen=True, gc=False):
    """Whose a die of an action is and what it was thrown for, and not at whom the action is aimed: so it is found again
    when the action is resolved again with other words.
    """

    who: str
    purpose: str
    sides: int
    blow: str
    """Against whom it was, of an action against several; "" of any other."""
    strike: int
    """Which blow of theirs it belongs to: each begins with what they throw first."""
    nth: int
    """Which of the dice that are alike in these, 0 for the first of the action."""


class Tally:
    """Tells the dice of one action from each other, in the order in which they are thrown."""

    def __init__(self, part: Callable[[str], str] = str, several: Container[str] = ()) -> None:
        self._part = part
        """Whose part somebody has, where that is somebody else's."""
        self._several = several
        """Those against whom it is, where they are several: a blow at one of them that falls away leaves its dice."""
        self._counts: dict[tuple[str, str, int, str, int], int] = {}
        self._strikes: dict[tuple[str, str], tuple[str, int]] = {}

    def next(self, question: Question) -> Die:
        """The die that a question asks for."""
        who, blow = self._part(question.who), self._part(question.about)
        blow = blow if question.about in self._several or blow in self._several else ""
        first, strike = self._strikes.get((who, blow), (question.purpose, -1))
        strike += question.purpose == first and not question.die
        self._strikes[who, blow] = first, strike
        alike = (who, question.purpose, question.sides, blow, strike)
        nth = self._counts[alike] = self._counts.get(alike, -1) + 1
        return Die(*alike, nth)


def in_place_of(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, str]:
    """Who has whose part in an action that is said otherwise: in each field of the declaration those who come in stand
    for those who are left out, in order.
    """
    found: dict[str, str] = {}
    for field in before:
        was, is_ = _names(before[field]), _names(now.get(field))
        gone, come = [one for one in was if one not in is_], [one for one in is_ if one not in was]
        found |= zip(gone, come, strict=False)
    return found


def named_in(said: Mapping[str, Any]) -> set[str]:
    """All texts in what a declaration says."""
    return {name for value in said.values() for name in _names(value)}


def _lacks(now: object, before: object) -> bool:
    """Whether a list of names is one of before without some of them."""
    return isinstance(now, list) and isinstance(before, list) and now == [one for one in before if one in now]


def _names(value: object) -> list[str]:
    """The texts in what a field of a declaration says."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


Fell = dict[Die, tuple[Answer, ...]]
"""Dice thrown for an action, by what they were thrown for; after several resolutions, in the order of preference."""
Falls = Callable[[Act], Fell]
"""Gives the dice that were thrown for an action."""


class Thrown:
    """The dice of the record up to an entry, by the action that they were thrown for."""

    def __init__(self, store: Store, until: int, persons: Persons | None = None) -> None:
        """`persons` say who bore which name, where names may be others now than when the dice were thrown."""
        self.store, self._persons = store, persons
        self._amendment = cache(self._amended)
        self._resolutions: dict[int, list[int]] = {}
        for entry, origin in store.resolved_again(until):
            self._resolutions.setdefault(origin, []).append(entry)

    def as_said(self, act: Act) -> Act:
        """An act with those who fell away from it as dead by a correction of another entry."""
        declared, number, own = act.declared, act.entry, {act.origin, *self._resolutions.get(act.origin, ())}
        while number != act.origin:
            corrected, gone = self._amendment(self.store.entry(number).command)
            if not own & gone or corrected in {f"e{one}" for one in own}:
                break
            number = max(own & gone)
            said = _said(events_of(self.store.entry(number)))
            left = {field: value for field, value in said.items() if value != declared.said.get(field)}
            if not left or not all(_lacks(declared.said.get(field), value) for field, value in left.items()):
                break
            declared = msgspec.structs.replace(declared, said={**declared.said, **left})
        return msgspec.structs.replace(act, declared=declared) if declared is not act.declared else act

    def _amended(self, command: int) -> tuple[object, frozenset[int]]:
        """The entry that an amendment corrects, and those that it takes back."""
        events = events_of(self.store.entry(command))
        return _said(events).get("entry"), frozenset(moved(events, Retracted))

    def of(self, act: Act) -> Fell:
        """The dice of an action in all its resolutions, also undone ones: first those that stand, then the newest. One
        that was thrown by hand and shows what another shows is the same die, unless both fell in one resolution, or the
        other was thrown for what is asked there, and read otherwise.
        """
        several = _several(act.before, act.declared)
        found, same = dice_of(act.before, act.declared), set[Die]()
        for entry in (*reversed(self._resolutions.get(act.origin, ())), act.origin):
            if entry not in (0, act.entry):
                events = events_of(self.store.entry(entry))
                if self._persons and (names := self._called_now(self._persons, entry, act)):
                    events = tuple(told_under(names, event) for event in events)
                more = dice_of(events, act.declared, several)
                fell = ((die, one) for die, some in found.items() for one in some if one.face)
                lying = Counter((die.purpose, one) for die, one in fell if one in more.get(die, (one,)))  # not misread
                for die, (one,) in sorted(more.items(), key=lambda each: each[1][0] not in found.get(each[0], ())):
                    if one.place or not (die in same or lying[die.purpose, one] > 0):
                        found[die] = (*found.get(die, ()), one)
                    else:
                        same.add(die)
                    lying[die.purpose, one] -= 1
        return found

    def _called_now(self, persons: Persons, entry: int, act: Act) -> dict[str, str]:
        """Those who are called otherwise now than at another resolution of an action, each with the name of now."""
        then, later = (persons.at(self.store.after(one)) for one in (entry, act.entry))
        names = {one: one for one in then.of} | then.among(later)  # a seat or a group of then is nobody of these
        return {name: act.called.get(one, one) for name, one in names.items()}


def dice_of(events: Sequence[Event], now: Declared, several: Iterable[str] = ()) -> Fell:
    """The dice of an action that was recorded and is said so now, by what they were thrown for."""
    return {die: (answer,) for die, _, answer in each_die(events, now, several)}


def each_die(events: Sequence[Event], now: Declared, of: Iterable[str] = ()) -> Iterator[tuple[Die, Question, Answer]]:
    """The dice of an action, recorded and said so now, in order, each with its use; `of` names more of several."""
    if rolls := [event for event in events if isinstance(event, Rolled)]:
        places = parts_of(events, now)
        tally = Tally(lambda who: places.get(who, who), _several(events, now).union(of))
        yield from ((tally.next(question), question, answer) for question, answer in answers(rolls))


def _said(events: Sequence[Event]) -> Mapping[str, Any]:
    """What the declaration of an entry says."""
    return events[0].said if events and isinstance(events[0], Declared) else {}


def _several(events: Sequence[Event], now: Declared) -> set[str]:
    """Those against whom an action was recorded or is said now, where they are several."""
    said = now.said, _said(events)
    fields = {field for one in said for field in one if len(_names(one[field])) > 1}
    return {name for one in said for field in fields for name in _names(one.get(field))}


def dies_of(act: Act, asked: Iterable[Question]) -> list[Die]:
    """The dice of an action that is resolved again, by what it asks for."""
    tally = Tally(several=_several(act.before, act.declared))
    return [tally.next(question) for question in asked]


def parts_of(events: Sequence[Event], now: Declared) -> dict[str, str]:
    """Whose part those have who rolled in an action that was recorded, and is said so now: their places where they
    join, else that of the one who is named in their stead.
    """
    before = events[0]
    return joining(events) or (in_place_of(before.said, now.said) if isinstance(before, Declared) else {})


def joining(events: Iterable[Event]) -> dict[str, str]:
    """Those who join, each with a word for the person who they are: nobody's name."""
    joined = enumerate((event for event in events if isinstance(event, Joined)), 1)
    return {event.who: f"joins as {event.place or nth}" for nth, event in joined}


class Kept:
    """The dice of an action that is resolved again. First those of the entry that stands, then those that were said for
    it now, then those of resolutions that do not stand, then new ones.
    """

    def __init__(self, act: Act, fell: Fell, new: Dice, places: Mapping[str, str]) -> None:
        """`places` says as whom those join who join by it."""
        self._act, self._fell, self._own, self._new = act, fell, dice_of(act.before, act.declared), new
        self._stand = {one.place for answers in self._own.values() for one in answers} - {0}
        self._tally = Tally(lambda who: places.get(who, who), _several(act.before, act.declared))
        self._dies: dict[Question, Die] = {}
        self._first, self._later = Layer(self._of_the_entry), Layer(self._of_others)
        self._said = in_a_row(act.dice)
        first = (self._said, self._first) if act.another else (self._first, self._said)
        self.dice = Dice(*first, self._later, *new.layers)

    def _of_the_entry(self, throw: Throw, used: list[Question]) -> None:
        """The dice of the entry that stands."""
        self._dies |= {question: self._tally.next(question) for question in throw.pool}
        self._give(throw, used, lambda die: self._fell.get(die, ())[:1] if die in self._own else ())

    def _of_others(self, throw: Throw, used: list[Question]) -> None:
        """The dice of resolutions that do not stand, but for those that the entry has for something else."""
        self._give(throw, used, lambda die: [one for one in self._fell.get(die, ()) if one.place not in self._stand])

    def _give(self, throw: Throw, used: list[Question], of: Callable[[Die], Sequence[Answer]]) -> None:
        given = {one.place for one in (*self.dice.given(), *throw.answers) if one and one.place}
        for nth in throw.open:
            question = throw.pool[nth]
            die = self._dies[question]
            if [*self._dies.values()].count(die) > 1:
                continue  # it fell in another form
            if not of(die) and (other := self._of_another_form(die)):
                die = self._dies[question] = other
            left = (one for one in of(die) if one.place not in given)  # no die of the stream falls twice
            if found := [one for one in left if throw.optional or one is not LEFT_OUT]:
                used.append(question)
                throw.found[nth] = found[0]
                given |= {found[0].place} - {0}

    def _of_another_form(self, die: Die) -> Die | None:
        """The die in whose place another one is, where one throw against all was one against somebody, or the other way
        round: an area that is wider now, or narrower.
        """
        free = (one for one in self._own if one not in self._dies.values() and bool(one.blow) is not bool(die.blow))
        alike = (one for one in free if (one.who, one.purpose, one.sides) == (die.who, die.purpose, die.sides))
        return next(alike, None)

    @property
    def not_used(self) -> tuple[int, ...]:
        """The faces that were said now and that nothing needs."""
        rest = (face for at, face in enumerate(self._act.dice) if at not in self._said.used)
        return tuple(face for face in rest if face is not None)

    def new(self, fight: Resolution, lacking: bool = False) -> tuple[Roll, ...]:
        """The rolls of an action with dice that were not thrown before, or that nobody has thrown yet; only those
        dice.
        """
        kept, found = {*self._first.used, *self._later.used}, list[Roll]()
        for roll, throw in zip(fight.asked, self.dice.throws, strict=False):
            dice = [
                one.sides
                for one, answer in zip(throw.pool, throw.answers, strict=True)
                if one not in kept and answer is not LEFT_OUT and not (lacking and answer)
            ]
            found += [Roll(fight, roll.who, written(dice), roll.purpose, roll.about)] if dice else []
        return tuple(found)

    def hand_over(self) -> None:
        """What came from the new dice counts as given by them: what was asked for is recorded as if it was typed."""
        kept = {*self._first.used, *self._later.used}
        for throw in self.dice.throws:
            places = [nth for nth, one in enumerate(throw.pool) if one not in kept]
            part = Throw([throw.pool[nth] for nth in places], throw.optional, throw.hidden)
            part.found = {at: throw.found.get(nth) for at, nth in enumerate(places)}
            self._new.throws.append(part)

    def aside(self) -> tuple[tuple[Question, int], ...]:
        """The dice of the entry for which no use was found, with their true faces."""
        thrown = (each for throw in self.dice.throws for each in zip(throw.pool, throw.answers, strict=True))
        used = {self._dies[one] for one, answer in thrown if answer in self._fell.get(self._dies[one], ())}
        return set_aside(self._act, self._fell, used)


def set_aside(act: Act, fell: Fell, used: Container[Die] = ()) -> tuple[tuple[Question, int], ...]:
    """The dice of an entry for which no use was found, with their true faces; all of an entry that is left out."""
    return tuple(
        (question, fell[die][0].face)
        for die, question, answer in each_die(act.before, act.declared)
        if die not in used and answer is not LEFT_OUT and die in fell
    )
