"""The record for an export: entry by entry, each with its encounter and round."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.book import Book, events_of
from commands.look.chapters import Encounters, changes_course
from commands.look.filters import Chapter, Filters, Sieve
from commands.words.progress import watched
from ledger.chain import GENESIS, Entry, head_line
from ledger.errors import LedgerDamaged, UsageError
from ledger.events import EncounterBegan, Event, Felled, Joined, Left, Renamed, Rose, SideChanged, lasts
from projections.persons import Persons, persons_of
from projections.state import State, fold

from .player_safe import WHOLE, Players, Seen

Fact = tuple[int, dict[str, Any]]
"""The place of an event in its entry, 1 for the first, and its fields with its kind under `event`."""


class Present(Struct, frozen=True):
    """Somebody at the table."""

    side: str
    up: bool
    """Whether they are not down."""


class Page(Struct, frozen=True):
    """An entry as it is exported."""

    entry: Entry
    digest: str
    stands: bool
    """Whether it belongs to the course of play at the head."""
    chapter: Chapter
    events: tuple[Event, ...]
    """The events as they are told; a secret is told as far as it is known."""
    facts: tuple[Fact, ...]
    """As they are written. Where something is left out, so are its fields."""
    seen: Seen
    """Which of its parts may be seen."""
    there: Mapping[str, Present]
    """Who was at the table before it, as far as that may be seen, by name."""
    verbs: Mapping[str, cards.Verb]
    """The cards of the verbs, by which its story is told."""
    persons: Persons

    def person(self, who: object) -> str | None:
        """Who bears a name in it, as `e3.2`: the second who joined in the entry 3; None where nobody does."""
        before, now = (self.persons.at(one).of for one in (self.entry.after, self.entry.entry))
        found = now.get(str(who)) or before.get(str(who))
        return f"e{found.entry}.{found.place}" if found else None


class Record:
    """A ledger that is being exported, as it was when the export began."""

    def __init__(
        self,
        book: Book,
        filters: Filters,
        table: str = "",
        sides: Sequence[str] | None = None,
        standing: bool = False,
        arithmetic: bool = True,
        work: str = "export",
        checked: bool = False,
    ) -> None:
        self.store = book.store
        self.head, self.state_digest = book.store.head(), ""
        state = known_now(book)
        if not book.store.is_for_players:
            self.state_digest = state.digest()
        self.campaign, self._players = state.campaign, systems.players_sides(state)
        self.table = table
        """Which table, where a format holds one; "" for all of them."""
        self.sides = sides if sides is None or sides else self._players
        """The sides of the players, where secrets are left out; None where nothing is."""
        self.standing = standing
        """Whether only what stands is exported, without the undos, redos and amendments."""
        self.arithmetic = arithmetic
        """Whether a chronicle shows how each outcome was reached."""
        self.encounters: dict[int, str] = {}
        """The names of the encounters read so far, by number."""
        self._book = book
        self._filters = filters
        self._work = work
        """The work, as the line of progress names it; "" for no such line."""
        self._checked = checked
        """Whether the digest of each entry is computed anew."""
        self._course = sorted(book.store.course(self.head.entry))

    @property
    def line(self) -> str:
        """The head line of what is exported."""
        return head_line(self.head.entry, self.head.digest)

    @property
    def title(self) -> str:
        """The title of the rule system."""
        system = self.campaign.system
        return systems.load(system).title if systems.is_known(system) else system

    @property
    def players(self) -> Sequence[str]:
        """The sides of the players, whether anything is left out or not."""
        return self.sides or self._players

    def entries(self) -> Iterator[tuple[Entry, str]]:
        """All entries with their digests, as recorded. A terminal shows the progress.

        Raises LedgerDamaged for one whose digest is another, where that is checked.
        """
        entries = self.store.entries(1, self.head.entry)
        if self._checked:
            entries = self._sound(entries)
        return watched(entries, self.head.entry, self._work) if self._work else entries

    def _sound(self, entries: Iterator[tuple[Entry, str]]) -> Iterator[tuple[Entry, str]]:
        before, last = GENESIS, 0
        for entry, held in entries:
            if entry.entry != last + 1:
                break
            before, last = self.store.linked(before, entry), entry.entry
            if before != held:
                raise LedgerDamaged(f"e{last} of {self.store.path} is not as it was recorded.", "affray verify")
            yield entry, held
        if last < self.head.entry:
            raise LedgerDamaged(f"{self.store.path} has no entry {last + 1}.", "affray verify")

    def stands(self, entry: int) -> bool:
        """Whether an entry belongs to the course of play at the head."""
        at = bisect_right(self._course, (entry, self.head.entry))
        return at > 0 and entry <= self._course[at - 1][1]

    def present(self) -> State:
        """The state at the head."""
        return self._book.present()[1]

    def pages(self) -> Iterator[Page]:
        """The entries that pass the filters, without the secrets if the export is for players."""
        return (page for page, passes in self._read(False) if passes)

    def everything(self) -> Iterator[tuple[Page, bool]]:
        """All entries as `pages` gives them, without their fields, each with whether it passes the filters."""
        return self._read(True)

    def played(self) -> Encounters:
        """The encounters, added up from all that stands and is told, whatever the filters leave out."""
        found = Encounters(self.persons, self.sides is not None or self.store.is_for_players)
        for page, passes in self._read(True):
            found.take(page.entry, page.events, page.stands)
            if passes:
                found.mention(page.entry.entry, page.chapter)
        return found

    @cached_property
    def persons(self) -> Persons:
        """The persons, as far as those know them who read the export."""
        hides = Players(self.store, self.sides).hides if self.sides is not None else None
        return persons_of(self.store, hides)

    def _shows(self, events: tuple[Event, ...], stands: bool) -> bool:
        """Whether entries like this are wanted: all, or those that stand."""
        return not self.standing or (stands and not changes_course(events))

    def _read(self, everything: bool) -> Iterator[tuple[Page, bool]]:
        """The entries, each with whether it is exported; only those that are, unless `everything`."""
        sieve = Sieve(self._book, self._filters)
        players = Players(self.store, self.sides) if self.sides is not None else None
        present: dict[int, Mapping[str, Present]] = {0: {}}
        verbs = systems.recorded_verbs(self.campaign.system)
        for entry, digest in self.entries():
            events = events_of(entry)
            self.encounters |= {one.number: one.name for one in events if isinstance(one, EncounterBegan)}
            passes, chapter = sieve.passes(entry, events), sieve.chapter
            stands = self.stands(entry.entry) or lasts(events)
            passes = passes and self._shows(events, stands)
            seen = players.see(entry, events) if players else WHOLE
            there = present[entry.entry] = present.get(entry.after, {})
            wanted = passes or everything
            if not (wanted or any(type(event) in _ROSTER for event in events)):
                continue
            shown, facts = _seen(entry, events, seen if players else None)
            present[entry.entry] = reduce(moved, (event for event in shown if type(event) in _ROSTER), there)
            if not wanted:
                continue
            if not (players or everything):
                facts = tuple(enumerate(map(msgspec.json.decode, entry.bodies), 1))
            open_entry = entry if seen.whole else replace(entry, by="", typed="", once="", bodies=(), splits=())
            yield Page(open_entry, digest, stands, chapter, shown, facts, seen, there, verbs, self.persons), passes


_ROSTER = {Joined, SideChanged, Renamed, Left, Felled, Rose}
"""The kinds of events that change who is at the table, on which side, and who of them is down."""


def _seen(entry: Entry, events: tuple[Event, ...], seen: Seen | None) -> tuple[tuple[Event, ...], tuple[Fact, ...]]:
    """The events that readers see, and what a file for players says of each."""
    told = seen.facts(entry, events) if seen else []
    return tuple(event for event, _ in told) if seen else events, tuple(fact for _, fact in told)


def moved(there: Mapping[str, Present], event: Event) -> Mapping[str, Present]:
    """Who is at the table after an event."""
    match event:
        case Joined(who=who, side=side):
            return {**there, who: Present(side, True)}
        case SideChanged(who=who, side=side) if who in there:
            return {**there, who: Present(side, there[who].up)}
        case Felled(who=who) | Rose(who=who) if who in there:
            return {**there, who: Present(there[who].side, isinstance(event, Rose))}
        case Renamed():
            return event.moves(there)
        case Left(who=left):
            return {who: present for who, present in there.items() if who != left}
    return there


def known_now(book: Book) -> State:
    """The present state; of a players' file, which does not hold it, that of its first entry."""
    return fold(State(), events_of(book.store.entry(1))) if book.store.is_for_players else book.present()[1]


def players_sides(book: Book, said: Sequence[str]) -> tuple[str, ...]:
    """The players' sides, about which an export for players tells everything: those that were said, else as they stand
    now. Raises UsageError when nobody knows.
    """
    state = book.present()[1]
    if found := tuple(said) or systems.players_sides(state):
        return found
    message = f"The rule system {state.campaign.system[:40]!r} is not installed, so the players' sides are not known."
    raise UsageError(message, "Name them with --sides.")
