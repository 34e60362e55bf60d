"""Heroes: what somebody did and suffered in an evening, from what its readers know of each entry.

An evening is what stands since the last long pause, or since the beginning of the ledger. An action that was resolved
again was played when it was resolved first.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct, field

from commands.action.book import Book, events_of
from commands.action.names import find
from commands.action.systems import in_play
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.chain import Entry
from ledger.errors import NameUnknown
from ledger.events import Event, Felled, Rolled, Ruled
from ledger.events.sentences import counted, measured
from ledger.hurting import harm
from projections.blows import Blow, Hands, blows, strokes
from projections.chance import chance_of, of_more, rolls
from projections.passages import passages
from projections.persons import Persons, persons_of
from projections.statistics import Luck, faces_of

from .chapters import changes_course
from .filters import begun
from .timeline import seconds_of

LONG = 6 * 3600
"""A pause of more seconds than this begins another evening."""
_MOST = 3
"""How many rolls are told."""
_LIKELY = Fraction(1, 2)
"""What was as likely as this is no surprise."""
_BATCH = 256
"""So many entries are read at once."""
_MOST_DICE = 600
"""Of more dice than this nobody is told how likely their sum is."""
_SAVED = {"saved": True, "save failed": False}
"""How a save came out, by the words of its ruling."""
_PASSED = {**_SAVED, "passed": True, "failed": False}
"""The same, where a die was rolled for a save."""


class Line(Struct, frozen=True):
    """A line about somebody, with the entries that it is about."""

    title: str
    text: str
    entries: tuple[int, ...] = ()


class Hero(Struct):
    """What somebody did and suffered."""

    name: str
    hits: int = 0
    misses: int = 0
    dealt: list[Blow] = field(default_factory=list)
    taken: list[Blow] = field(default_factory=list)
    struck: int = 0
    """How often others hit them."""
    felled: list[tuple[str, int]] = field(default_factory=list)
    """Whom they put down, and in which entry."""
    falls: list[tuple[str, int]] = field(default_factory=list)
    """How they went down, and in which entry."""
    saves: list[tuple[bool, int]] = field(default_factory=list)
    """Whether each save succeeded, and in which entry."""
    rolls: list[tuple[Fraction, int, str]] = field(default_factory=list)
    """How likely each of their comparisons was to come out as it did, with its entry and its arithmetic."""
    luck: Luck = field(default_factory=Luck)
    sizes: dict[int, int] = field(default_factory=dict)
    """How many dice of each size they threw."""

    def lines(self) -> Iterator[Line]:
        """What is told of them, in words."""
        if self.hits or self.misses or self.dealt:
            yield Line("Blows", f"{self._hits()}{_sums(self.dealt)}")
        if self.felled:
            yield Line("Felled", ", ".join(who for who, _ in self.felled), tuple(entry for _, entry in self.felled))
        if self.struck or self.taken:
            yield Line("Hits taken", f"{self.struck or len({one.entry for one in self.taken})}{_sums(self.taken)}")
        if self.saves:
            made = [entry for saved, entry in self.saves if saved]
            yield Line("Saves", f"{len(made)} of {len(self.saves)} made", tuple(entry for _, entry in self.saves))
        if best := self._best():
            yield best
        if worst := self._worst():
            yield worst
        for chance, entry, text in sorted(self.rolls)[:_MOST]:
            yield Line("Least likely", f"{percent(chance)}: {text}", (entry,))
        if self.luck.dice:
            dice = "1 die" if self.luck.dice == 1 else f"{self.luck.dice} dice"
            yield Line("Luck", f"{self.luck.total - self.luck.halves / 2:+g} over {dice}{self._odds()}")

    def _hits(self) -> str:
        """How many of their blows hit; where no ruling says so, how many did harm."""
        if not self.hits and not self.misses:
            return counted(len({one.entry for one in self.dealt}), "blow") + " with harm"
        return f"{self.hits} of {counted(self.hits + self.misses, 'blow')} hit"

    def _best(self) -> Line | None:
        """Their greatest blow; else the first whom they felled; else the first save."""
        known = [one for one in self.dealt if one.points]
        if known:
            best = min(known, key=lambda one: (not one.felled, *one.rank))
            fell = ", who fell" if best.felled else ""
            return Line("Best moment", f"{measured(best.points, best.unit)} against {best.victim}{fell}", (best.entry,))
        if self.felled:
            return Line("Best moment", f"felled {self.felled[0][0]}", self.felled[0][1:])
        saved = [entry for made, entry in self.saves if made]
        return Line("Best moment", "a save", (saved[0],)) if saved else None

    def _worst(self) -> Line | None:
        """Their last fall; else the greatest harm that they took; else the first save that failed."""
        if self.falls:
            return Line("Worst moment", self.falls[-1][0], self.falls[-1][1:])
        known = [one for one in self.taken if one.points]
        if known:
            worst = min(known, key=lambda one: one.rank)
            by = f" by {worst.doer}" if worst.doer and worst.doer != self.name else ""
            return Line("Worst moment", f"{measured(worst.points, worst.unit)}{by}", (worst.entry,))
        failed = [entry for made, entry in self.saves if not made]
        return Line("Worst moment", "a save that failed", (failed[0],)) if failed else None

    def _odds(self) -> str:
        """How likely fair dice come to more."""
        if self.luck.dice > _MOST_DICE:
            return ""
        return f"; fair dice would beat that {percent(of_more(self.sizes, self.luck.total))} of the time"


def percent(chance: Fraction) -> str:
    """The nearest part of a hundred, of ten thousand below one.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 400)), percent(Fraction(0))
    ('33 %', '0.25 %', '0 %')
    """
    return f"{float(100 * chance):.0f} %" if 100 * chance >= 1 else f"{float(100 * chance):.2g} %"


def _sums(found: Sequence[Blow]) -> str:
    """The harm of some blows, added up by its unit; "" where none of it is known."""
    sums: dict[str, int] = {}
    for one in found:
        sums[one.unit] = sums.get(one.unit, 0) + one.points
    told = ", ".join(measured(points, unit) for unit, points in sums.items() if points)
    return f", {told} in all" if told else ""


class Evening:
    """Adds up the entries that stand in an evening, one after another."""

    def __init__(self) -> None:
        self.heroes: dict[str, Hero] = {}
        """Everybody of whom something was seen, by name."""
        self.first = self.last = 0
        """The first and the last entry."""
        self.day = ""
        """When it began."""
        self._hands = Hands()

    def take(self, entry: Entry, events: Sequence[Event], known: Sequence[Event | None]) -> None:
        """The next entry, as its readers know it, under told names. `known` are its events in their places, None for
        one that is not known whole; () where their places are not known.
        """
        if not self.first:
            self.first, self.day = entry.entry, entry.recorded_at[:10]
        self.last = entry.entry
        if not events:
            return
        number = entry.entry
        played = in_play(events[0])
        for blow in blows(number, events) if played else ():
            self._blow(blow)
        dice = [event for event in events if isinstance(event, Rolled)]
        rolled = {one.who for one in dice if one.purpose.endswith(("save", "saving throw", "death check"))}
        for passage, event in passages(events):
            hand = self._hands.of(passage, event, harm(event))
            for who, hits, misses in strokes(passage, event):
                self.of(who).hits += hits
                self.of(who).misses += misses
                self.of(passage.target if who == passage.who else passage.who).struck += hits
            match event:
                case Felled() if played and hand is not None:
                    self._fall(event, number, hand)
                case Rolled():
                    self._dice(event)
                case Ruled():
                    self._save(passage.target or event.who, event.outcome, number, rolled)
        self._comparisons(known, number)

    def of(self, who: str) -> Hero:
        """What is known of somebody."""
        return self.heroes.setdefault(who, Hero(who))

    def _blow(self, blow: Blow) -> None:
        self.of(blow.victim).taken.append(blow)
        if blow.doer and blow.doer != blow.victim:
            self.of(blow.doer).dealt.append(blow)

    def _fall(self, event: Felled, entry: int, by: str) -> None:
        self.of(event.who).falls.append((f"{f'felled by {by}' if by else 'fell'}, {event.how}", entry))
        if by:
            self.of(by).felled.append((event.who, entry))

    def _save(self, who: str, outcome: str, entry: int, rolled: set[str]) -> None:
        """A save, by the words of its outcome."""
        saved = (_PASSED if who in rolled else _SAVED).get(outcome)
        if saved is not None and who:
            self.of(who).saves.append((saved, entry))

    def _comparisons(self, known: Sequence[Event | None], entry: int) -> None:
        thrown = rolls(known)
        for ruled in known:
            if isinstance(ruled, Ruled) and (chance := chance_of(ruled, thrown)) is not None and chance < _LIKELY:
                self.of(ruled.who).rolls.append((chance, entry, ruled.arithmetic()))

    def _dice(self, event: Rolled) -> None:
        for sides, face in faces_of(event):
            hero = self.of(event.who)
            hero.luck.add(face, sides)
            hero.sizes[sides] = hero.sizes.get(sides, 0) + 1


def tell(console: Console, word: str, last: int) -> None:
    """Prints what somebody did in the evening that ends with an entry. Raises NameUnknown when there is nobody."""
    persons = persons_of(console.book.store)
    found = evening(console.book, persons, last)
    who = _name(console.book, persons, found, word, last)
    lines = [*(found.heroes.get(who) or Hero(who)).lines()]
    if console.json:
        console.give({"name": who, "first": found.first, "last": found.last, "day": found.day, "lines": lines})
        return
    console.say(console.paint(harmless(f"{who}, the evening of {found.day} (e{found.first} to e{found.last})"), "1"))
    for line in lines:
        named = f" ({', '.join(f'e{entry}' for entry in line.entries)})" if line.entries else ""
        console.say(harmless(f"  {line.title}: {line.text}{named}"))
    if not lines:
        console.say("  Nothing is told of them.")


def evening(book: Book, persons: Persons, last: int) -> Evening:
    """The evening that ends with an entry."""
    found = Evening()
    for entry in reversed([*_backwards(book, last)]):
        events = persons.under_told_names(entry.after, entry.origin, events_of(entry))
        if not changes_course(events):
            found.take(entry, events, () if book.store.is_for_players else events)
    return found


def _backwards(book: Book, last: int) -> Iterator[Entry]:
    """The entries that stand at one and belong to its evening, the newest first."""
    after = 0
    for low, high in book.store.course(last):
        for first in range(high - (high - low) % _BATCH, low - 1, -_BATCH):
            for entry, _ in reversed([*book.store.entries(first, min(first + _BATCH - 1, high))]):
                played = entry if entry.origin == entry.entry else book.store.entry(entry.origin)
                seconds = seconds_of(played.recorded_at)
                if after and after - seconds > LONG:
                    return
                after = seconds
                yield entry


def _name(book: Book, persons: Persons, found: Evening, word: str, last: int) -> str:
    """The name under which the one is told whom a word means. In a file for players it is one of those of whom
    something was seen.
    """
    if not book.store.is_for_players:
        return persons.told(persons.bearer(word, last) or persons.at(last).of[find(book.state_at(last), word)])
    names = [*filter(None, found.heroes)]
    meant = begun(names, word)
    if len(meant) != 1:
        seen = ", ".join(names) or "nobody"
        raise NameUnknown(f"{word[:40]!r} is nobody of whom something was seen that evening.", f"There are: {seen}.")
    return meant[0]
