"""Statistics: what everybody did and suffered, how the dice fell, and how long it took. Counted, in whole numbers.

**Who did it.** The passage in which the harm stands names who acts upon the victim; nobody does where somebody bleeds
or falls, or by the word of the game master. Harm to oneself is taken, but not dealt. `blows` says what is a hit, and by
whose hand somebody goes down.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from ledger.dice import parse
from ledger.errors import UsageError
from ledger.events import Event, Felled, Joined, Rolled, SideChanged
from ledger.events.encounter import EncounterBegan, EncounterEnded, RoundBegan, TurnBegan, TurnEnded
from ledger.hurting import harm

from .blows import Hands, strokes
from .passages import doer, passages


class Score(Struct):
    """What somebody, or a side, did and suffered."""

    dealt: dict[str, int] = field(default_factory=dict)
    """By unit."""
    taken: dict[str, int] = field(default_factory=dict)
    hits: int = 0
    misses: int = 0
    felled: int = 0
    """How many others it put down."""
    fell: int = 0
    """How often it went down."""

    def add(self, other: "Score") -> None:
        """Adds what another one did."""
        for mine, theirs in ((self.dealt, other.dealt), (self.taken, other.taken)):
            for unit, points in theirs.items():
                mine[unit] = mine.get(unit, 0) + points
        self.hits += other.hits
        self.misses += other.misses
        self.felled += other.felled
        self.fell += other.fell


class Luck(Struct):
    """The sum of somebody's dice, against the average of fair dice."""

    dice: int = 0
    total: int = 0
    """The sum of all faces."""
    halves: int = 0
    """The expected sum, in halves of a point."""
    twelfths: int = 0
    """The variance of that, in twelfths of a point squared."""

    def add(self, face: int, sides: int, times: int = 1) -> None:
        """Adds a die, or several that fell alike."""
        self.dice += times
        self.total += times * face
        self.halves += times * (sides + 1)
        self.twelfths += times * (sides * sides - 1)


def faces_of(event: Rolled) -> list[tuple[int, int]]:
    """The dice of a roll, each with its sides and its face; none where nobody can tell what was rolled."""
    with suppress(UsageError):
        return [*zip(parse(event.dice)[0], event.faces, strict=False)]
    return []


class Pile(Struct, frozen=True):
    """Whose dice, of which size, thrown by whom."""

    who: str
    """"" for the table."""
    source: str
    """typed or program."""
    sides: int


class Die(Struct, frozen=True):
    """A die that was thrown."""

    pile: Pile
    face: int


class Statistics:
    """Adds up one entry after another.

    `again` are the entries that resolve an earlier action again, each with the entry that first resolved it.
    """

    def __init__(self, again: dict[int, int]) -> None:
        self.fighters: dict[tuple[str, str], Score] = {}
        """By the name under which they are told and side, in the order of joining."""
        self.faces: dict[Pile, list[int]] = {}
        """How often each face fell, from 1 on."""
        self.luck: dict[str, Luck] = {}
        self.rounds: list[int] = []
        """The length of each round that ended, in seconds."""
        self.turns: dict[str, list[int]] = {}
        """The lengths of the turns of each seat, side or combatant, in seconds."""
        self.encounters = 0
        self._again = again
        self._families = set(again.values())
        self._shared: dict[tuple[Any, ...], Die | None] = {}
        self._drawn = {False: 0, True: 0}
        self._sides: dict[str, str] = {}
        self._joined: dict[str, None] = {}
        self._hands = Hands()
        self._round: int | None = None
        self._turn: tuple[str, int] | None = None

    def take(
        self,
        entry: int,
        events: Sequence[Event],
        stands: bool,
        seconds: int,
        counts: bool = True,
        in_play: bool = True,
        parts: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """The next entry, in the order of recording, under told names. Without `counts` it is only known, so that later
        ones make sense. Harm is suffered only `in_play`. `parts` says of those who roll whose dice they are in the
        first resolution.

        What does not stand counts only for its dice.
        """
        self._dice(entry, events, counts, parts)
        if not stands:
            return
        for passage, event in passages(events):
            for who, hits, misses in strokes(passage, event) if counts else ():
                self._score(who, True).hits += hits
                self._score(who, True).misses += misses
            suffered = harm(event)
            hand = self._hands.of(passage, event, suffered)
            match event:
                case Joined(who=who, side=side) | SideChanged(who=who, side=side):
                    self._sides[who] = side
                    self._score(who, counts and isinstance(event, Joined))
                    if isinstance(event, Joined):
                        self._joined[who] = None
                case Felled(who=who) if hand is not None and counts and in_play:
                    self._score(who, True).fell += 1
                    self._score(hand, bool(hand)).felled += 1
                case RoundBegan() | EncounterBegan() | EncounterEnded() | TurnBegan() | TurnEnded():
                    self._time(event, seconds, counts)
                case _ if in_play and counts and suffered:
                    self._harm(doer(passage, suffered[0]), *suffered)

    def finish(self) -> None:
        """Counts the dice that several resolutions of one action share, and puts everybody in the order of joining."""
        for thrown in self._shared.values():
            if thrown:
                self._throw(thrown)
        self._shared.clear()
        place = {who: at for at, who in enumerate(self._joined)}
        self.fighters = dict(sorted(self.fighters.items(), key=lambda item: place.get(item[0][0], len(place))))
        self.luck = dict(sorted(self.luck.items(), key=lambda item: place.get(item[0], len(place))))

    def sides(self) -> dict[str, Score]:
        """What each side did and suffered."""
        sums: dict[str, Score] = {}
        for (_, side), score in self.fighters.items():
            sums.setdefault(side, Score()).add(score)
        return sums

    # Deeds

    def _score(self, who: str, counts: bool) -> Score:
        key = (who, self._sides.get(who, ""))
        return self.fighters.setdefault(key, Score()) if counts else self.fighters.get(key, Score())

    def _harm(self, doer: str, who: str, unit: str, points: int) -> None:
        taken = self._score(who, True).taken
        taken[unit] = taken.get(unit, 0) + points
        if doer and doer != who:
            dealt = self._score(doer, True).dealt
            dealt[unit] = dealt.get(unit, 0) + points

    # Dice

    def _dice(self, entry: int, events: Sequence[Event], counts: bool, parts: Mapping[str, str]) -> None:
        """Each die once: a program die by its place in the stream, a typed one by whose it is and what it is for."""
        origin = self._again.get(entry, entry)
        alike: dict[tuple[str, str, int], int] = {}
        for event in events:
            if not isinstance(event, Rolled):
                continue
            shown = zip(event.faces, event.places, strict=False)
            for size in parse(event.dice)[0]:
                die = (parts.get(event.who, event.who), event.purpose, size)
                nth = alike[die] = alike.get(die, -1) + 1
                face, place = next(shown, (0, 0))
                if not face:  # it was left out
                    continue
                thrown = Die(Pile(event.who, "program" if place else "typed", size), face)
                if not place and origin in self._families:
                    self._shared[origin, *die, nth] = thrown if counts else None
                elif not place or abs(place) > self._drawn[place < 0]:
                    self._drawn[place < 0] = max(abs(place), self._drawn[place < 0])
                    if counts:
                        self._throw(thrown)

    def _throw(self, thrown: Die) -> None:
        pile = thrown.pile
        self.faces.setdefault(pile, [0] * pile.sides)[thrown.face - 1] += 1
        self.luck.setdefault(pile.who, Luck()).add(thrown.face, pile.sides)

    # Time

    def _time(self, event: Event, seconds: int, counts: bool) -> None:
        """Ends and begins the turns and rounds that this event ends and begins. A clock that goes back counts 0."""
        if self._turn and not isinstance(event, RoundBegan):
            who, began = self._turn
            self._turn = None
            if counts:
                self.turns.setdefault(who, []).append(max(0, seconds - began))
        if isinstance(event, TurnBegan):
            self._turn = (event.who, seconds)
        elif not isinstance(event, TurnEnded):
            if self._round is not None and counts:
                self.rounds.append(max(0, seconds - self._round))
            self._round = seconds if isinstance(event, RoundBegan) else None
            self.encounters += counts and isinstance(event, EncounterBegan)


def median(lengths: Sequence[int]) -> int:
    """The one in the middle; of two in the middle the shorter one; 0 of none."""
    return sorted(lengths)[(len(lengths) - 1) // 2] if lengths else 0
