"""Chronicle: what a reader wants to know of an encounter. Who fought, who fell, how long it took, and the best blow.

Adds up the entries that stand, as they are told: of a file for players only what the players know. Who did harm is
said by the passages. Everybody has one name from beginning to end, as `projections.persons` gives it. Harm of one kind
to one combatant by another in one entry is one blow.
"""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.events import EncounterBegan, EncounterEnded, Event, Felled, Joined, Left, Rose, RoundBegan, SideChanged
from ledger.events.sentences import counted, side_word, together
from ledger.hurting import WORST

from .blows import Blow, blows

BREAK = 3600
"""A pause of more seconds than this between two entries is no time at the table."""


class Fall(Struct, frozen=True):
    """Somebody went down."""

    entry: int
    how: str
    rose: bool = False
    """Whether they got up again."""


class Encounter(Struct):
    """One encounter, as far as it was played."""

    number: int
    began: int
    """The entry with which it began."""
    sides: dict[str, str] = field(default_factory=dict)
    """The side of everybody who fought, in the order of joining."""
    falls: dict[str, Fall] = field(default_factory=dict)
    """Who fell, in the order in which they fell first."""
    rounds: int = 0
    seconds: int = 0
    """The time at the table, without long pauses."""
    blows: dict[str, Blow] = field(default_factory=dict)
    """The best blow of each kind of harm; of equals the first."""
    ended: int = 0
    """The entry with which it ended; 0 while it goes on."""

    @property
    def best(self) -> Blow | None:
        """The best blow: in hit points where there are any, else in pain, then in wounds, then in other harm."""
        return next((self.blows[unit] for unit in WORST if unit in self.blows), None)

    def opening(self) -> str:
        """Who fought, in words."""
        sides: dict[str, list[str]] = {}
        for who, side in self.sides.items():
            sides.setdefault(side, []).append(who)
        told = [f"{together(names)} ({side_word(side)})" for side, names in sides.items()]
        return f"{' against '.join(told)}." if told else "Nobody is there."

    def closing(self, partly: bool = False) -> list[str]:
        """How long it took, who fell, and the best hit, in words. `partly` when not all numbers are known."""
        rounds = [counted(self.rounds, "round")] if self.rounds else []
        took = together([*rounds, f"{_time(self.seconds)} at the table"])
        told = [f"Over after {took}." if self.ended else f"Still going: {took} so far."]
        fell = ", ".join(
            f"{who} ({fall.how}, e{fall.entry}{', up again' if fall.rose else ''})" for who, fall in self.falls.items()
        )
        told.append(f"Fell: {fell}." if fell else "Nobody fell.")
        if self.best:
            told.append(f"Biggest {'known ' if partly else ''}hit: {self.best.line()} (e{self.best.entry}).")
        return told


class Chronicle:
    """Adds up one entry that stands after another."""

    def __init__(self) -> None:
        self.encounters: dict[int, Encounter] = {}
        """By number."""
        self._now: Encounter | None = None
        self._sides: dict[str, str] = {}
        self._down: set[str] = set()
        self._clock = 0

    def take(self, entry: int, events: Sequence[Event], seconds: int, in_play: bool = True) -> None:
        """The next entry that stands, under told names, and when it was played. Blows fall only `in_play`."""
        if self._now:
            passed = seconds - self._clock
            self._now.seconds += passed if 0 < passed <= BREAK else 0
        self._clock = seconds
        for event in events:
            self._people(event)
            match event:
                case EncounterBegan(number=number):
                    up = {who: side for who, side in self._sides.items() if who not in self._down}
                    self._now = self.encounters[number] = Encounter(number, entry, up)
                case RoundBegan(round=round_) if self._now:
                    self._now.rounds = max(self._now.rounds, round_)
                case Felled(who=who, how=how) if self._now:
                    self._now.falls[who] = Fall(entry, how)
                case Rose(who=who) if self._now and who in self._now.falls:
                    self._now.falls[who] = replace(self._now.falls[who], rose=True)
        if self._now:
            if in_play:
                self._blows(self._now, entry, events)
            if any(isinstance(event, EncounterEnded) for event in events):
                self._now.ended = entry
                self._now = None

    def _people(self, event: Event) -> None:
        """Keeps who is at the table, on which side, and who of them is down."""
        match event:
            case Joined(who=who, side=side) | SideChanged(who=who, side=side):
                self._sides[who] = side
                if isinstance(event, Joined):
                    self._down.discard(who)
                self._fights(who)
            case Left(who=who):
                self._sides.pop(who, None)
                self._down.discard(who)
            case Felled(who=who):
                self._down.add(who)
            case Rose(who=who):
                self._down.discard(who)
                self._fights(who)

    def _fights(self, who: str) -> None:
        if self._now and who in self._sides:
            self._now.sides[who] = self._sides[who]

    def _blows(self, now: Encounter, entry: int, events: Sequence[Event]) -> None:
        """The blows of an entry, if one of them is the best of its kind."""
        for one in blows(entry, events):
            best = now.blows.get(one.unit)
            if one.doer not in ("", one.victim) and (best is None or one.points > best.points):
                now.blows[one.unit] = one


def _time(seconds: int) -> str:
    """A time at the table, in minutes, and in hours from two of them on."""
    minutes = (seconds + 30) // 60
    if not minutes:
        return "under a minute"
    if minutes < 120:
        return counted(minutes, "minute")
    hours, rest = divmod(minutes, 60)
    return f"{hours} hours{f' {rest} minutes' if rest else ''}"
