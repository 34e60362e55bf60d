"""Filters: choose entries by encounter, round, name, kind of event and clause, for the verbs that list."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commands.action.book import Book
from commands.action.declaration import Count, Declaration
from commands.action.names import find
from ledger.chain import Entry
from ledger.errors import NameUnknown, UsageError
from ledger.events import EncounterBegan, EncounterEnded, Event, Renamed, RoundBegan, decode, tag


class Filters(Declaration):
    """Filters of the verbs that list entries."""

    encounter: Annotated[Count | None, Meta(description="Only this encounter.")] = None
    round: Annotated[Count | None, Meta(description="Only this round.")] = None
    name: Annotated[str, Meta(description="Only what concerns this combatant.", extra={"word": "fighter"})] = ""
    kind: Annotated[str, Meta(description="Only entries with events of this kind.", extra={"word": "kind"})] = ""
    clause: Annotated[
        str, Meta(description="Only entries that name this clause, or a part of its id.", extra={"word": "clause"})
    ] = ""


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
        self.who = _anybody(book, said.name)
        """The full name that `name` means; "" without it."""
        self._names = _all_names(book, self.who) if self.who else set()
        self.chapter = Chapter(0, 0)
        """The chapter of the last entry that was tested."""
        self._chapters = Chapters()
        self._said = said
        numbers = (said.encounter, said.round) != (None, None)
        self.filters = numbers or bool(said.name or said.kind or said.clause)
        """Whether anything is left out at all."""
        if said.kind:
            _check_kind(said.kind)
        if said.clause:
            from .rulebook import check_clause

            check_clause(book, said.clause)

    def passes(self, entry: Entry, events: Sequence[Event]) -> bool:
        """Whether an entry passes."""
        return self.reaches(entry, events) and (not self.who or any(_concerns(event, self._names) for event in events))

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


class _Somebody(Struct):
    who: str


def _anybody(book: Book, word: str) -> str:
    """The full name of somebody at the table or of somebody who left; otherwise the word itself, because it may be a
    seat.
    """
    if not word:
        return ""
    try:
        return find(book.present()[1], word)
    except NameUnknown:
        joined = {msgspec.json.decode(body, type=_Somebody).who for _, body in book.store.of_kinds("joined")}
        begin = [who for who in sorted(joined) if who.casefold().startswith(word.casefold())]
        return begin[0] if len(begin) == 1 else word


def _check_kind(kind: str) -> None:
    from ledger.events import KINDS

    kinds = [tag(one) for one in KINDS]
    if kind not in kinds:
        raise UsageError(f"There is no event of kind {kind[:40]!r}.", f"Kinds: {', '.join(kinds)}.")


def _all_names(book: Book, who: str) -> set[str]:
    """The name of somebody, with those that they bore before it."""
    names = {who}
    for _, body in reversed(book.store.of_kinds("renamed")):
        event = decode(body)
        if isinstance(event, Renamed) and event.name in names:
            names.add(event.who)
    return names


def _concerns(event: Event, names: set[str]) -> bool:
    return any(getattr(event, field, "") in names for field in ("who", "about"))
