"""Filters: choose entries by encounter, round, name, kind of event and clause, for the verbs that list."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated

from msgspec import Struct

from commands.action.book import Book
from commands.action.declaration import Count, Declaration, says
from commands.action.names import find
from ledger.chain import Entry
from ledger.errors import NameUnknown, UsageError
from ledger.events import EncounterBegan, EncounterEnded, Event, RoundBegan, tag
from projections.persons import Persons, persons_of


class Filters(Declaration):
    """Filters of the verbs that list entries."""

    encounter: Annotated[Count | None, says("Only this encounter.")] = None
    round: Annotated[Count | None, says("Only this round.")] = None
    name: Annotated[str, says("Only what concerns this combatant.", word="fighter")] = ""
    kind: Annotated[str, says("Only entries with events of this kind.", word="kind")] = ""
    clause: Annotated[str, says("Only entries that name this clause, or a part of its id.", word="clause")] = ""


class Chapter(Struct, frozen=True):
    """Where in the campaign an entry stands."""

    encounter: int
    """0 between encounters."""
    round: int


class Chapters:
    """Finds the encounter and round of one entry after another."""

    def __init__(self) -> None:
        self._of: dict[int, Chapter] = {0: Chapter(0, 0)}

    def after(self, entry: Entry, events: Sequence[Event]) -> Chapter:
        """The chapter of an entry, given those of all entries before it."""
        chapter = self._of.get(entry.after, Chapter(0, 0))
        ended = chapter
        for event in events:
            match event:
                case EncounterBegan(number=encounter):
                    chapter = ended = Chapter(encounter, 0)
                case RoundBegan(round=round_):
                    ended = Chapter(chapter.encounter, round_)
                    chapter = chapter if chapter.round else ended
                case EncounterEnded():
                    ended = Chapter(0, 0)
        self._of[entry.entry] = ended
        return chapter


class Sieve:
    """Tests one entry after another, from the first on, whether it passes the filters.

    Raises UsageError when there is no such kind of event, NameUnknown when there is no such clause.
    """

    def __init__(self, book: Book, said: Filters) -> None:
        self._persons = persons_of(book.store) if said.name else Persons()
        self.who = _meant(book, self._persons, said.name) if said.name else ""
        """The name under which those are told whom `name` means; "" without it."""
        self.chapter = Chapter(0, 0)
        """The chapter of the last entry that was tested."""
        self._chapters = Chapters()
        self._said = said
        self.filters = (said.encounter, said.round) != (None, None) or bool(said.name or said.kind or said.clause)
        """Whether anything is left out at all."""
        if said.kind:
            from ledger.events import KINDS

            kinds = [tag(one) for one in KINDS]
            if said.kind not in kinds:
                raise UsageError(f"There is no event of kind {said.kind[:40]!r}.", f"Kinds: {', '.join(kinds)}.")
        if said.clause:
            from .clauses import check_clause

            check_clause(book, said.clause)

    def passes(self, entry: Entry, events: Sequence[Event]) -> bool:
        """Whether an entry passes."""
        return self.reaches(entry, events) and (not self.who or self._concerns(entry, events))

    def _concerns(self, entry: Entry, events: Sequence[Event]) -> bool:
        told = self._persons.under_told_names(entry.after, entry.origin, events)
        return any(getattr(event, field, "") == self.who for event in told for field in ("who", "about", "target"))

    def reaches(self, entry: Entry, events: Sequence[Event]) -> bool:
        """Whether an entry passes, apart from the filter by name."""
        chapter = self.chapter = self._chapters.after(entry, events)
        said = self._said
        return (
            said.encounter in (None, chapter.encounter)
            and said.round in (None, chapter.round)
            and (not said.kind or any(tag(type(event)) == said.kind for event in events))
            and (not said.clause or any(said.clause in clause for event in events for clause in event.clauses))
        )


def begun(names: Iterable[str], word: str) -> list[str]:
    """The names that a word means in any case: those that are called so, else those that begin so."""
    found = [name for name in names if name.casefold().startswith(word.casefold())]
    return [name for name in found if name.casefold() == word.casefold()] or found


def _meant(book: Book, persons: Persons, word: str) -> str:
    """The name under which the one is told whom a word means at the table, or else ever meant."""
    with suppress(NameUnknown, UsageError):  # no state is known from a file for players
        head, state = book.present()
        return persons.told(persons.at(head.entry).of[find(state, word)])
    return persons.meant(word)
