"""Fights: those that a ledger holds, and how each comes out when it is resolved again under a house rule.

A fight is all that stands from the entry that begins an encounter to the one that ends it. It is resolved from the
state in which it was recorded, so that no fight depends on how another one would have come out.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.dice_sources import Dice, Layer, Throw, stream
from commands.past.acts import Act, acts_of, entries_of
from commands.past.amend_proposal import keeping_drifted
from commands.past.course import standing, tip
from commands.past.order import Course
from commands.past.rerun import Result, differing
from commands.past.thrown import Thrown
from ledger.chain import Entry
from ledger.dice import parse
from ledger.events import EncounterBegan, EncounterEnded, Event, Ruled, decode, encode
from ledger.hashing import digest, frames, hmac
from ledger.store import Range, Store
from projections.changes import HARM, HURTING, differences, values
from projections.narration import told
from projections.persons import Persons, persons_of
from projections.state import State, fold

from .house_rule import HouseRule

_DRAWN = b"what-if"
"""The key under which the dice are drawn that the record lacks."""
OUTCOME = ("who fell", "who won", "the rounds")
"""The parts of an outcome, in words."""
UNDECIDED, NOBODY = "undecided", "nobody"
"""Who won, where several sides still stand at the end, and where none does."""


class Fight(Struct, frozen=True):
    """A fight of a ledger."""

    number: int
    name: str
    lead: tuple[Range, ...]
    """What stands between the fight before and this one, as first and last entry of each unbroken piece."""
    pieces: tuple[Range, ...]
    """Its own entries that stand."""
    ended: bool


class Reading(Struct, frozen=True):
    """A value as it was recorded, and as it is under the house rule."""

    name: str
    recorded: str
    what_if: str


class Fighter(Struct, frozen=True):
    """How somebody comes out of a fight otherwise."""

    name: str
    side: str
    entry: int
    """The first entry after which one of their main values differs; 0 when none ever does."""
    first: tuple[Reading, ...]
    """The main values that differ then."""
    end: tuple[Reading, ...]
    """All that differs at the end, the main values first."""


class Difference(Struct, frozen=True):
    """The first entry of a fight that differs."""

    entry: int
    recorded: tuple[str, ...]
    what_if: tuple[str, ...]


class Side(Struct, frozen=True):
    """How many of a side fell."""

    side: str
    recorded: int
    what_if: int


class Outcome(Struct, frozen=True):
    """How a fight comes out on one course."""

    won: str
    """The only side that still stands; nobody, or undecided."""
    rounds: int
    """The rounds until only one side stood; where it never came to that, those that began."""
    fell: tuple[str, ...]
    """Those who fell and did not rise again, in order."""


class Compared(Struct, frozen=True):
    """What a house rule changes in a fight."""

    ledger: str
    fight: int
    name: str
    first: int
    """Its first entry."""
    last: int
    ended: bool
    entries: int
    """How many entries were resolved again."""
    differs: bool
    recorded: Outcome
    what_if: Outcome
    sides: tuple[Side, ...]
    difference: Difference | None
    fighters: tuple[Fighter, ...]
    """Those for whom something differs, on the way or at the end."""
    impossible: int
    """How many entries were not possible any more."""
    stuck: int
    """The first of them; 0 when there is none."""
    clauses: dict[str, int]
    """How often each clause refused them; those that no clause refused are missing here."""
    dice: int
    """How many dice were drawn anew."""
    kept: int
    """How many entries of another version of the rules keep what was recorded."""

    @property
    def changed(self) -> tuple[str, ...]:
        """What of its outcome differs, in words."""
        one, other = self.recorded, self.what_if
        same = (one.fell == other.fell, one.won == other.won, one.rounds == other.rounds)
        return tuple(what for what, is_same in zip(OUTCOME, same, strict=True) if not is_same)


def fights(store: Store, head: int) -> list[Fight]:
    """The fights that stand at an entry, in order."""
    numbers = standing(store, tip(store, head))
    there = set(numbers)
    found: list[Fight] = []
    begun: tuple[int, EncounterBegan] | None = None
    for entry, body in store.of_kinds("encounter-began", "encounter-ended"):
        if entry not in there:
            continue
        match decode(body):
            case EncounterBegan() as event:
                begun = entry, event
            case EncounterEnded() if begun:
                found.append(_fight(numbers, found, begun, entry, True))
                begun = None
    if begun:
        found.append(_fight(numbers, found, begun, numbers[-1], False))
    return found


def _fight(
    numbers: Sequence[int], found: Sequence[Fight], begun: tuple[int, EncounterBegan], last: int, ended: bool
) -> Fight:
    entry, event = begun
    start, end = bisect_left(numbers, entry), bisect_right(numbers, last)
    before = bisect_right(numbers, found[-1].pieces[-1][1]) if found else start
    return Fight(event.number, event.name, _pieces(numbers[before:start]), _pieces(numbers[start:end]), ended)


def _pieces(numbers: Sequence[int]) -> tuple[Range, ...]:
    """Entries as first and last of each unbroken piece."""
    pieces: list[Range] = []
    for number in numbers:
        if pieces and pieces[-1][1] == number - 1:
            pieces[-1] = pieces[-1][0], number
        else:
            pieces.append((number, number))
    return tuple(pieces)


def _numbers(pieces: Sequence[Range]) -> list[int]:
    return [number for first, last in pieces for number in range(first, last + 1)]


def _derived(act: Act) -> Dice:
    """The dice that the record of an action lacks, from HMAC-SHA-256 of `what-if` and the digest of its events. This
    digest holds no blinds, which come from the key of the campaign: the same events always give the same dice. Open and
    hidden dice share one stream.
    """
    whole = stream(lambda _: hmac(_DRAWN, digest(frames(str(act.entry).encode(), *map(encode, act.before)))))

    def ask(throw: Throw, used: list[Any]) -> None:
        throw.hidden = False
        whole.ask(throw, used)

    return Dice(Layer(ask))


class Bench:
    """An open ledger whose fights are resolved again."""

    def __init__(self, book: Book, head: int, rule: HouseRule, named: str) -> None:
        self.book, self.head, self.rule = book, head, rule
        self.named = named
        """What the ledger is called."""
        self._thrown = Thrown(book.store, head)
        self._persons = persons_of(book.store)

    def compared(self, some: Sequence[Fight]) -> Iterator[Compared | Exception]:
        """What the house rule changes in some fights, one after another; why not, for one that cannot be resolved
        again. They are read together.
        """
        store = self.book.store
        wanted = [(_numbers(fight.lead if at else ()), _numbers(fight.pieces)) for at, fight in enumerate(some)]
        entries = entries_of(store, [number for lead, own in wanted for number in (*lead, *own)])
        state: State | None = None
        broken: Exception | None = None
        for fight, (lead, own) in zip(some, wanted, strict=True):
            try:
                if broken:
                    raise broken
                try:
                    read = [*islice(entries, len(lead) + len(own))]
                except Exception as error:
                    broken = error
                    raise
                if state:
                    state = fold(state, (event for entry in read[: len(lead)] for event in events_of(entry)))
                else:
                    state = self.book.state_at(store.after(own[0]))
                told, state = self._told(fight, state, read[len(lead) :])
                yield told
            except Exception as error:
                state = None
                yield error

    def _told(self, fight: Fight, start: State, entries: Sequence[Entry]) -> tuple[Compared, State]:
        """What the house rule changes in a fight, and the state that was recorded after it."""
        acts: Sequence[Act] = acts_of(entries)
        if not all(systems.is_current(act.program, self.rule.system) for act in acts):
            acts = keeping_drifted(start, acts, self._thrown.of)  # what today's rules resolve otherwise
        course = [self.rule.under(act) for act in acts]
        trial = _Trial(self.rule, start, self._persons, entries[0].after)
        for result in Course(course, self._thrown.of, _derived).results(self.rule.put(start)):
            trial.take(result)
        return trial.compared(self.named, fight), trial.recorded.state


class _Side:
    """A fight on one of its two courses."""

    def __init__(self, state: State, told: Mapping[str, str]) -> None:
        self.state = state
        self.fell: dict[str, str] = {}
        """Those who fell and did not rise again, under told names, each with their side."""
        self.rounds = 0
        self._down = frozenset(told.get(who, who) for who in state.harm.down)
        self._met = False
        """Whether two sides ever stood against each other."""
        self._decided: int | None = None
        """The round in which only one side was left."""
        self._look(told)

    def go(self, state: State, told: Mapping[str, str]) -> None:
        """The state after the next action, and the name under which everybody in it is told."""
        before, self.state = self.state, state
        self.rounds = max(self.rounds, state.turns.round)
        if state.harm is not before.harm or state.roster is not before.roster:
            self._look(told)

    def _look(self, told: Mapping[str, str]) -> None:
        members = {told.get(who, who): one for who, one in self.state.roster.members.items()}
        down = [told.get(who, who) for who in self.state.harm.down]
        for who in [who for who in self.fell if who in members and who not in down]:
            del self.fell[who]
        for who in down:
            if who in members and who not in self._down:
                self.fell.setdefault(who, members[who].side)
        self._down = self._down & frozenset(down)
        self._sides = {one.side for who, one in members.items() if who not in down}
        self._met = self._met or len(self._sides) > 1
        if len(self._sides) > 1:
            self._decided = None
        elif self._met and self._decided is None:
            self._decided = self.rounds

    def outcome(self) -> Outcome:
        """How it ended."""
        won = UNDECIDED
        if self._met and len(self._sides) < 2:
            won = next(iter(self._sides), NOBODY)
        return Outcome(won, self.rounds if self._decided is None else self._decided, tuple(self.fell))


class _Trial:
    """A fight, resolved again action by action beside what was recorded."""

    def __init__(self, rule: HouseRule, start: State, persons: Persons, before: int) -> None:
        self.rule = rule
        self._persons, self._told = persons, persons.told_at(before)
        self.recorded, self.what_if = _Side(start, self._told), _Side(rule.put(start), self._told)
        self.difference: Difference | None = None
        self.seen: dict[str, tuple[str, int, tuple[Reading, ...]]] = {}
        """Those whose main values differ, as they are told: the side, the first entry, and the values then."""
        self.entries = self.impossible = self.stuck = self.dice = self.kept = 0
        self.clauses: Counter[str] = Counter()

    def take(self, result: Result) -> None:
        """The result of the next action."""
        act = result.act
        self._told = self._told | self._persons.told_at(act.entry)
        self.recorded.go(fold(self.recorded.state, act.before), self._told)
        self.what_if.go(result.state, self._told)
        self.entries += 1
        self.kept += act.kept is not None and not systems.about_record(act.declared.verb) and not result.refused
        self.dice += sum(len(parse(roll.dice)[0]) for roll in result.new)
        if result.refused:
            self.impossible += 1
            self.stuck = self.stuck or act.entry
            if result.refused.clause:
                self.clauses[result.refused.clause] += 1
        self.difference = self.difference or self._first(result)
        if self.difference:
            self._compare(act.entry)

    def _first(self, result: Result) -> Difference | None:
        """The action as the first that differs; None when it does not differ, but for what the house rule itself sets,
        and for the clauses that a ruling names, by which the same numbers came out the same.
        """
        if result.act.before == result.events:
            return None
        before, after = self._came(result.act.before), self._came(result.events)
        entry, verbs = result.act.entry, systems.recorded_verbs(self.rule.system)
        if result.refused:
            heading = result.refused.heading().removeprefix("Error: ")
            why = f"not possible any more: {heading}{result.refused.message}"
            return Difference(entry, tuple(one.outcome for one in told(before, verbs)), (why,))
        after[:1] = before[:1]  # what was said, which the house rule may have changed
        if [*map(encode, before)] == [*map(encode, after)] or [*map(_bare, before)] == [*map(_bare, after)]:
            return None
        if [one.lines for one in told(before, verbs)] == [one.lines for one in told(after, verbs)]:
            before, after = ([event for event in some if not isinstance(event, Ruled)] for some in (before, after))
            if before == after:
                return None
        old, new = differing(before, after, verbs)
        return Difference(entry, tuple(old), tuple(new))

    def _came(self, events: Sequence[Event]) -> list[Event]:
        """What came of an action."""
        return [event for event in events if not self.rule.is_of(event)]

    def _compare(self, entry: int) -> None:
        one, other = self.recorded.state, self.what_if.state
        if all(getattr(one, aspect) == getattr(other, aspect) for aspect in HURTING):
            return
        for who, member in one.roster.members.items():
            name = self._told.get(who, who)
            if name not in self.seen and _harmed(one, who) != _harmed(other, who):
                self.seen[name] = member.side, entry, _readings(one, other, who, main_only=True)

    def compared(self, ledger: str, fight: Fight) -> Compared:
        """All of it."""
        one, other = self.recorded, self.what_if
        recorded, what_if = one.outcome(), other.outcome()
        sides = dict.fromkeys((*one.fell.values(), *other.fell.values()))
        return Compared(
            ledger=ledger,
            fight=fight.number,
            name=fight.name,
            first=fight.pieces[0][0],
            last=fight.pieces[-1][1],
            ended=fight.ended,
            entries=self.entries,
            differs=self.difference is not None,
            recorded=recorded,
            what_if=what_if,
            sides=tuple(Side(side, _count(one.fell, side), _count(other.fell, side)) for side in sides),
            difference=self.difference,
            fighters=tuple(self._fighters()) if self.difference else (),
            impossible=self.impossible,
            stuck=self.stuck,
            clauses=dict(sorted(self.clauses.items())),
            dice=self.dice,
            kept=self.kept,
        )

    def _fighters(self) -> Iterator[Fighter]:
        one, other = self.recorded.state, self.what_if.state
        members = {**other.roster.members, **one.roster.members}
        for who in dict.fromkeys((*one.roster.order, *other.roster.order)):
            end, name = _readings(one, other, who), self._told.get(who, who)
            _, entry, first = self.seen.pop(name, ("", 0, ()))
            if end or entry:
                yield Fighter(name, members[who].side, entry, first, end)
        yield from (Fighter(name, side, entry, first, ()) for name, (side, entry, first) in self.seen.items())


def _bare(event: Event) -> Event:
    """What a ruling came to, without how it was decided; any other event."""
    return replace(event, clause="", sign="", also=(), nth=1) if isinstance(event, Ruled) else event


def _harmed(state: State, who: str) -> list[tuple[str, str, str]]:
    """How badly a fighter is hurt, to compare it."""
    return [said for aspect in HURTING for said in getattr(state, aspect).board(who)]


def _readings(one: State, other: State, who: str, main_only: bool = False) -> tuple[Reading, ...]:
    """What differs of a fighter between two states, the main values first."""
    found = [
        Reading(name.removeprefix(f"{who}."), old, new)
        for name, old, new in differences(values(one, who), values(other, who))
        if name.startswith(f"{who}.")
    ]
    main = [reading for word in HARM for reading in found if reading.name == word]
    return tuple(main if main_only else [*main, *(reading for reading in found if reading not in main)])


def _count(fell: dict[str, str], side: str) -> int:
    return sum(one == side for one in fell.values())
