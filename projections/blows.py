"""Blows: each harm of one kind that somebody suffered from one other in one entry."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.events import Event, Felled
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
