"""The record for an export: entry by entry, each with its encounter and round."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.progress import watched
from commands.look.chronicle import Encounters, changes_course
from commands.look.filters import Chapter, Filters, Sieve
from ledger.chain import Entry, head_line
from ledger.events import EncounterBegan, Event, lasts
from projections.state import State, fold

from .player_safe import WHOLE, Players, Seen

Fact = tuple[int, dict[str, Any]]
"""The place of an event in its entry, 1 for the first, and its fields with its kind under `event`."""


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
    ) -> None:
        self.store = book.store
        self.head, self.state_digest = book.store.head(), ""
        if book.store.is_for_players:
            self.campaign = fold(State(), events_of(book.store.entry(1))).campaign
        else:
            state = book.present()[1]
            self.state_digest, self.campaign = state.digest(), state.campaign
        self.table = table
        """Which table, where a format holds one; "" for all of them."""
        self.sides = sides
        """The sides of the players, where secrets are left out; None where nothing is."""
        self.standing = standing
        """Whether only what stands is exported, without the undos, redos and amendments."""
        self.arithmetic = arithmetic
        """Whether a chronicle shows how each outcome was reached."""
        self.encounters: dict[int, str] = {}
        """The names of the encounters read so far, by number."""
        self._book = book
        self._filters = filters
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
        system = self.campaign.system
        return self.sides or (systems.load(system).players if systems.is_known(system) else ())

    def entries(self) -> Iterator[tuple[Entry, str]]:
        """All entries with their digests, as recorded. A terminal shows the progress."""
        return watched(self.store.entries(1, self.head.entry), self.head.entry, "export")

    def stands(self, entry: int) -> bool:
        """Whether an entry belongs to the course of play at the head."""
        at = bisect_right(self._course, (entry, self.head.entry))
        return at > 0 and entry <= self._course[at - 1][1]

    def present(self) -> State:
        """The state at the head."""
        return self._book.present()[1]

    def state_before(self, entry: Entry) -> State:
        """The state before an entry."""
        return self._book.state_at(entry.after)

    def pages(self) -> Iterator[Page]:
        """The entries that pass the filters, without the secrets if the export is for players."""
        return (page for page, passes in self._read(False) if passes)

    def everything(self) -> Iterator[tuple[Page, bool]]:
        """All entries as `pages` gives them, without their fields, each with whether it passes the filters."""
        return self._read(True)

    def played(self) -> Encounters:
        """The encounters, added up from all that stands and is told, whatever the filters leave out."""
        found = Encounters(self.sides is not None or self.store.is_for_players)
        for page, passes in self._read(True):
            found.take(page.entry, page.events, page.stands)
            if passes:
                found.told(page.entry.entry, page.chapter)
        return found

    def _read(self, everything: bool) -> Iterator[tuple[Page, bool]]:
        """The entries, each with whether it is exported; only those that are, unless `everything`."""
        sieve = Sieve(self._book, self._filters)
        players = Players(self.store, self.sides) if self.sides is not None else None
        for entry, digest in self.entries():
            events = events_of(entry)
            self.encounters |= {one.number: one.name for one in events if isinstance(one, EncounterBegan)}
            passes, chapter = sieve.passes(entry, events), sieve.chapter
            stands = self.stands(entry.entry) or lasts(events)
            if self.standing and (not stands or changes_course(events)):
                passes = False
            seen = players.see(entry, events) if players else WHOLE
            if not (passes or everything):
                continue
            if players:
                told = [*seen.told(entry, events)]
                shown, facts = tuple(event for event, _ in told), tuple(fact for _, fact in told)
                open_entry = entry if seen.whole else replace(entry, by="", typed="", once="", bodies=(), splits=())
                yield Page(open_entry, digest, stands, chapter, shown, facts, seen), passes
            else:
                facts = () if everything else tuple(enumerate(map(msgspec.json.decode, entry.bodies), 1))
                yield Page(entry, digest, stands, chapter, events, facts, WHOLE), passes
