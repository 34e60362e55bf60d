"""Statistics: damage, dice, luck and pace, as tables or JSON."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from msgspec import Struct

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import says
from commands.past.course import Repeats
from commands.past.thrown import parts_of
from commands.words.console import Console
from commands.words.progress import watched
from commands.words.screen import columns, harmless
from commands.words.tables import GAP, fitted
from ledger.chain import Entry
from ledger.events import Declared, Event, side_word, whose
from ledger.hurting import UNITS
from ledger.store import Store
from projections.persons import Persons, persons_of
from projections.statistics import Luck, Pile, Score, Statistics, median

from .filters import Filters, Sieve
from .timeline import origins, seconds_of

Section = Literal["damage", "dice", "luck", "pace"]
_EVERYBODY = "everybody"
"""The name for all rollers together."""
_NOBODY = "the table"
"""Rolls for nobody in particular."""


class Stats(Filters):
    """Add up damage and hits, how the dice fell, who was lucky, and how long it took.
    Damage, hits and time count only in entries that stand; every die counts once, also in undone entries.
    """

    section: Annotated[Section, says("Only this part; by default all four.", positional=True)] | None = None


class Dice(Struct, frozen=True):
    """The dice of one size that somebody threw by hand, or that the program rolled for them."""

    who: str
    source: str
    sides: int
    thrown: int
    faces: list[int]
    """How often each face fell, from 1 on."""
    mean: float
    expected: float
    """The mean of fair dice."""


class Fortune(Struct, frozen=True):
    """The sum of somebody's dice, against the expected sum."""

    who: str
    dice: int
    total: int
    expected: float
    score: float
    """The difference, in standard deviations."""
    higher: float
    """How often as many fair dice have a lower sum."""


class Report(Struct, frozen=True):
    """All the statistics."""

    encounters: int
    fighters: list[dict[str, Any]]
    sides: list[dict[str, Any]]
    dice: list[Dice]
    by_hand: int
    """How many of the dice were thrown by hand."""
    again: int
    """How often somebody rolled again: the same verb by the same actor at the same place of the course, when an undo
    had taken the first away.
    """
    luck: list[Fortune]
    pace: dict[str, Any]
    for_players: bool
    """Whether only what the players saw is counted."""


def stats(console: Console, said: Stats) -> None:
    """Adds up, and prints the parts that were asked for."""
    found = report(console.book, said)
    if console.json:
        console.give(found)
        return
    for section, show in _SECTIONS.items():
        if said.section in (None, section):
            for line in show(found):
                console.say(console.paint(harmless(line), "1") if line.endswith(":") else harmless(line))


def report(book: Book, said: Filters) -> Report:
    """All statistics of the entries that pass the filters."""
    sieve = Sieve(book, said)
    counting = _counted(book.store, sieve)
    counted, again, only = counting.statistics, counting.again, sieve.who
    everyone = [(who, side, score) for (who, side), score in counted.fighters.items() if only in ("", who)]
    order = list(dict.fromkeys(who for who, _ in counted.fighters))
    piles = {pile: faces for pile, faces in counted.faces.items() if only in ("", pile.who)}
    return Report(
        encounters=counted.encounters,
        fighters=[{"name": who, "side": side, **_score(score)} for who, side, score in everyone],
        sides=[] if only else [{"side": side, **_score(score)} for side, score in counted.sides().items()],
        dice=_piled(piles, order),
        by_hand=sum(sum(faces) for pile, faces in piles.items() if pile.source == "typed"),
        again=again,
        luck=[_fortune(who or _NOBODY, luck) for who, luck in counted.luck.items() if only in ("", who)],
        pace=_pace(counted, only),
        for_players=book.store.is_for_players,
    )


class Counting:
    """Adds up the entries of a ledger, as they are told, in the order of recording.

    An entry that resolves an action again gets the time of the first resolution.
    """

    def __init__(self, persons: Persons, again: dict[int, int]) -> None:
        """`again`: the entries that resolve an action again, each with the one that first resolved it."""
        self.statistics = Statistics(again)
        self._persons = persons
        self.again = 0
        """How often somebody rolled again."""
        self._origins = again
        self._moments = dict.fromkeys(again.values(), 0)
        self._said: dict[int, Declared] = {}
        """What was said when an action was resolved first that is resolved again."""
        self._repeats = Repeats()

    def take(self, entry: Entry, events: tuple[Event, ...], stands: bool, meant: bool = True) -> None:
        """The next entry. One that is not `meant` is only known, so that later ones make sense."""
        told = self._persons.under_told_names(entry.after, entry.origin, events)
        seconds = self._moments.get(self._origins.get(entry.entry, 0)) or seconds_of(entry.recorded_at)
        if entry.entry in self._moments:
            self._moments[entry.entry] = seconds
        parts: dict[str, str] = {}
        origin = self._origins.get(entry.entry, entry.entry)
        if origin in self._moments and isinstance(told[0], Declared):
            parts = parts_of(told, self._said.setdefault(origin, told[0]))
        self.statistics.take(entry.entry, told, stands, seconds, meant, systems.in_play(told[0]), parts)
        self.again += self._repeats.again(entry, events) and meant


def _counted(store: Store, sieve: Sieve) -> Counting:
    """Adds up all entries."""
    head = store.head().entry
    pieces = sorted(store.course(head))
    counted = Counting(persons_of(store), origins(store, head))
    piece = 0
    for entry, _ in watched(store.entries(1, head), head, "stats"):
        events = events_of(entry)
        while piece < len(pieces) and entry.entry > pieces[piece][1]:
            piece += 1
        stands = piece < len(pieces) and entry.entry >= pieces[piece][0]
        counted.take(entry, events, stands, not sieve.filters or sieve.reaches(entry, events))
    counted.statistics.finish()
    return counted


def _score(score: Score) -> dict[str, Any]:
    dealt, taken = ({unit: harm.get(unit, 0) for unit in UNITS} for harm in (score.dealt, score.taken))
    blows = {"hits": score.hits, "misses": score.misses, "felled": score.felled, "fell": score.fell}
    return {"dealt": dealt, "taken": taken, **blows}


def _piled(piles: dict[Pile, list[int]], order: Sequence[str]) -> list[Dice]:
    """All dice; those of everybody together come last."""
    together: dict[Pile, list[list[int]]] = {}
    for pile, faces in piles.items():
        together.setdefault(Pile(_EVERYBODY, pile.source, pile.sides), []).append(faces)
    sums = {pile: [sum(face) for face in zip(*each, strict=True)] for pile, each in together.items() if len(each) > 1}
    place = {who: at for at, who in enumerate(order)}
    listed = sorted(piles, key=lambda pile: (place.get(pile.who, len(place)), pile.who, pile.sides, pile.source))
    every = [
        *((Pile(pile.who or _NOBODY, pile.source, pile.sides), piles[pile]) for pile in listed),
        *((pile, sums[pile]) for pile in sorted(sums, key=lambda pile: (pile.sides, pile.source))),
    ]
    found = []
    for pile, faces in every:
        mean = round(sum(face * count for face, count in enumerate(faces, 1)) / sum(faces), 4)
        found.append(Dice(pile.who, pile.source, pile.sides, sum(faces), faces, mean, (pile.sides + 1) / 2))
    return found


def _fortune(who: str, luck: Luck) -> Fortune:
    expected = luck.halves / 2
    score = (luck.total - expected) / math.sqrt(luck.twelfths / 12)
    higher = math.erfc(-score / math.sqrt(2)) / 2
    return Fortune(who, luck.dice, luck.total, expected, round(score, 3), round(higher, 3))


def _pace(counted: Statistics, only: str) -> dict[str, Any]:
    def lasted(lengths: Sequence[int]) -> dict[str, int]:
        return {"ended": len(lengths), "median": median(lengths), "total": sum(lengths)}

    turns = [{"who": who, **lasted(each)} for who, each in counted.turns.items() if only in ("", who)]
    return {"rounds": lasted(counted.rounds), "turns": turns}


# As tables


def _damage(found: Report) -> Iterator[str]:
    yield "Damage and hits:"
    units = [unit for unit in UNITS if any(row["taken"][unit] or row["dealt"][unit] for row in found.fighters)]
    titles = ["", "side", *(f"{unit} {way}" for unit in units for way in ("dealt", "taken"))]
    rows = [[row["name"], side_word(row["side"]), *_cells(row, units)] for row in found.fighters]
    rows += [[f"@{row['side']}", "", *_cells(row, units)] for row in found.sides]
    if not rows:
        yield "  No combatant took part."
        return
    yield from _table([*titles, "hits", "misses", "of blows", "felled", "fell"], rows)
    if found.for_players:
        yield "Only what the players saw is counted. They do not know how much the others lost."


def _cells(row: dict[str, Any], units: Sequence[str]) -> list[str]:
    blows = row["hits"] + row["misses"]
    share = f"{100 * row['hits'] // blows}%" if blows else ""
    harm = [str(row[way][unit]) for unit in units for way in ("dealt", "taken")]
    return [*harm, str(row["hits"]), str(row["misses"]), share, str(row["felled"]), str(row["fell"])]


def _dice(found: Report) -> Iterator[str]:
    yield "Dice:"
    if not found.dice:
        yield "  Nothing was rolled."
        return
    rows = [
        [side_word(one.who), f"d{one.sides}", one.source, str(one.thrown), f"{one.mean:.1f}", f"{one.expected:.1f}"]
        for one in found.dice
    ]
    yield from _table(["", "die", "source", "thrown", "mean", "fair mean"], rows)
    yield f"Rolled by hand: {found.by_hand}. Rolled again after an undo: {found.again}."


def _luck(found: Report) -> Iterator[str]:
    yield "Luck:"
    if not found.luck:
        yield "  Nothing was rolled."
        return
    rows = []
    for one in found.luck:
        sums = str(one.total), f"{one.expected:.1f}", f"{one.total - one.expected:+.1f}"
        rows.append([side_word(one.who), str(one.dice), *sums, _words(one)])
    yield from _table(["", "dice", "sum", "expected", "difference", "fair dice come to less"], rows)


def _words(one: Fortune) -> str:
    hundredths = round(100 * one.higher)
    times = "more than 99 times" if hundredths > 99 else f"{hundredths} times" if hundredths > 1 else "once"
    times = f"{'less than ' * (not hundredths)}{times} in 100"
    return f"{times}, high" if one.score >= 2 else f"{times}, low" if one.score <= -2 else times


def _times(found: Report) -> Iterator[str]:
    yield "Pace:"
    rounds, turns = found.pace["rounds"], found.pace["turns"]
    if not rounds["ended"] and not turns:
        yield "  No round and no turn has ended."
        return
    rows = [["a round", *_pace_cells(rounds)]] if rounds["ended"] else []
    rows += [[f"{whose(turn['who'])} turn", *_pace_cells(turn)] for turn in turns]
    yield from _table(["", "ended", "median", "in all"], rows)


def _pace_cells(pace: dict[str, Any]) -> list[str]:
    return [str(pace["ended"]), _clock(pace["median"]), _clock(pace["total"])]


def _clock(seconds: int) -> str:
    """A length of time: `45 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


_SECTIONS = {"damage": _damage, "dice": _dice, "luck": _luck, "pace": _times}


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from (f"{GAP}{line}" for line in fitted(titles, rows, columns() - len(GAP)))
