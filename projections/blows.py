"""Blows: each harm of one kind that somebody suffered from one other in one entry; who hits, and who falls by whose
hand. All by the passages.

**What is a hit.** A ruling with the outcome `hit` or `miss` is one of who acts. `NAME wins` is a hit of theirs and
a miss of the other. An outcome that ends with `a hit` or `a miss`, such as `by luck a hit`, turns their last one.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.events import Event, Felled, Joined, Left, Passage, Rose, Ruled
from ledger.events.sentences import measured
from ledger.hurting import WORST, harm

from .passages import doer, passages


class Blow(Struct, frozen=True):
    """Harm of one kind that somebody suffered from one other, or from nobody, in one entry."""

    entry: int
    doer: str
    """"" for nobody."""
    victim: str
    unit: str
    points: int
    """0 where they are not known."""
    felled: bool
    """Whether the victim went down in it."""

    def line(self) -> str:
        """In words."""
        return f"{self.doer} against {self.victim}, {measured(self.points, self.unit)}"

    @property
    def rank(self) -> tuple[int, int, bool, int]:
        """How much it changed, the most first: by the kind of harm, the worst first; by its points; of equals those
        that felled, then by the entry.
        """
        return WORST.index(self.unit), -self.points, not self.felled, self.entry


def blows(entry: int, events: Sequence[Event]) -> Iterator[Blow]:
    """The blows of an entry, given its events, which were suffered in play."""
    struck: dict[tuple[str, str, str], int] = {}
    felled: set[tuple[str, str]] = set()
    for passage, event in passages(events):
        if suffered := harm(event):
            victim, unit, points = suffered
            blow = doer(passage, victim), victim, unit
            struck[blow] = struck.get(blow, 0) + points
        elif isinstance(event, Felled):
            felled.add((doer(passage, event.who), event.who))
    for (by, victim, unit), points in struck.items():
        yield Blow(entry, by, victim, unit, points, (by, victim) in felled)


def strokes(passage: Passage, event: Event) -> Iterator[tuple[str, int, int]]:
    """Who hits or misses by an event of a passage, with how many hits and how many misses more that makes."""
    if not isinstance(event, Ruled) or passage.who in ("", passage.target):
        return
    what = event.outcome.removeprefix(f"{passage.who} ")
    if what in ("hit", "miss"):
        yield passage.who, what == "hit", what == "miss"
    elif what == "wins":
        yield from ((passage.who, 1, 0), (passage.target, 0, 1))
    elif what.endswith((" a hit", " a miss")):
        turned = 1 if what.endswith("hit") else -1
        yield passage.who, turned, -turned


class Hands:
    """By whose hand everybody falls, told every event that stands, one after another. Who falls outside of a passage,
    as when a phase closes, falls by the hand of the one who did them the last harm.
    """

    def __init__(self) -> None:
        self._down: set[str] = set()
        self._harmed: dict[str, str] = {}

    def of(self, passage: Passage, event: Event, suffered: tuple[str, str, int] | None) -> str | None:
        """By whose hand somebody goes down by this event, given the harm in it: "" for nobody's; None where nobody
        does. Who is down already does not: it is only said how they are now.
        """
        match event:
            case Joined(who=who) | Left(who=who) | Rose(who=who):
                self._down.discard(who)
                self._harmed.pop(who, None)
            case Felled(who=who) if who not in self._down:
                self._down.add(who)
                by = doer(passage, who) or self._harmed.get(who, "")
                return by if by != who else ""
            case _ if suffered:
                self._harmed[suffered[0]] = doer(passage, suffered[0])
        return None
