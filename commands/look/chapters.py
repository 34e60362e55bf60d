"""What a chronicle tells of each encounter: who fought, where it begins, and how it went, where it ends."""

from collections.abc import Sequence

from commands.action.systems import in_play, past
from ledger.chain import Entry
from ledger.events import Declared, Event
from projections.chronicle import Chronicle
from projections.persons import Persons

from .filters import Chapter
from .timeline import seconds_of


class Encounters:
    """The encounters of a record. Takes all entries in the order of recording."""

    def __init__(self, persons: Persons, partly: bool) -> None:
        self._persons = persons
        self._partly = partly
        """Whether the readers do not know all numbers."""
        self._chronicle = Chronicle()
        self._last: dict[int, int] = {}
        self._times: dict[int, int] = {}

    def take(self, entry: Entry, events: Sequence[Event], stands: bool) -> None:
        """The next entry, as it is told. One that resolves an action again was played when that was."""
        time = seconds_of(entry.recorded_at)
        self._times[entry.entry] = time
        if stands and events and not changes_course(events):
            told = self._persons.under_told_names(entry.after, entry.origin, events)
            self._chronicle.take(entry.entry, told, self._times.get(entry.origin, time), in_play(told[0]))

    def mention(self, entry: int, chapter: Chapter) -> None:
        """An entry that is told in this chronicle."""
        self._last[chapter.encounter] = entry

    def opening(self, encounter: int) -> str:
        """Who fought in an encounter, in words; "" for what is none."""
        found = self._chronicle.encounters.get(encounter)
        return found.opening() if found else ""

    def closing(self, entry: int, chapter: Chapter) -> list[str]:
        """How an encounter went, in words, if an entry is the last that is told of it."""
        found = self._chronicle.encounters.get(chapter.encounter)
        return found.closing(self._partly) if found and self._last.get(chapter.encounter) == entry else []


def changes_course(events: Sequence[Event]) -> bool:
    """Whether an entry is no play, but an undo, a redo or an amendment."""
    declared = events[0]
    return isinstance(declared, Declared) and past(declared.verb) in ("jumps", "amends")
