"""Blows: each harm of one kind that somebody suffered in one entry, and who did it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.events import Event, Felled, Ruled
from ledger.hurting import WORST, harm

from .statistics import declarer


class Blow(Struct, frozen=True):
    """Harm of one kind that somebody suffered in one entry."""

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


def doers(events: Sequence[Event]) -> dict[str, str]:
    """For everybody about whom an entry rules the last one who acted upon them."""
    each = (event for event in events if isinstance(event, Ruled) and event.who and event.about)
    return {event.about: event.who for event in each if event.who != event.about}


def blows(entry: int, events: Sequence[Event]) -> Iterator[Blow]:
    """The blows of an entry, given its events, which were suffered in play."""
    struck: dict[tuple[str, str], int] = {}
    by, felled = doers(events), {event.who for event in events if isinstance(event, Felled)}
    for event in events:
        if suffered := harm(event):
            victim, unit, points = suffered
            struck[victim, unit] = struck.get((victim, unit), 0) + points
    for (victim, unit), points in struck.items():
        yield Blow(entry, by.get(victim) or declarer(events[0], victim), victim, unit, points, victim in felled)
