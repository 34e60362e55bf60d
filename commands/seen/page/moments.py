"""Moments: every entry on the page, with the board right after it."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import events_of
from commands.seen.players_lines import line_of
from commands.seen.record import Page, Record
from commands.seen.scenes import Eyes, Scene, after, correction_of, dice_of, is_deed, marked_by
from commands.seen.sightings import Sightings
from commands.words.screen import harmless
from ledger.chain import GENESIS, Blinds
from ledger.events import Event
from projections.narration import Told, story
from projections.state import State


class Moment(Struct, frozen=True, gc=False):
    """An entry in words, and the board right after it."""

    page: Page
    previous: str
    """The digest of the entry before it."""
    line: str
    """Its line of an export for players, with all parts that may be seen on the page."""
    told: list[Told]
    """Its outcomes, each with all of its arithmetic, with control characters escaped."""
    dice: list[tuple[int, int]]
    """The sides and the face of each die that is drawn."""
    deed: bool
    """Whether the table talks of it, and of nothing that keeps the books."""
    known: tuple[Event | None, ...]
    """Each event of it that is known whole, in its place; None for one that is not."""
    scene: Scene
    correction: str
    """What it did to the course, if it is no play, but an undo, a redo or an amendment."""

    @property
    def marks(self) -> int:
        """The entry at which it sets a mark; 0 for none."""
        return marked_by(self.page.events)

    @property
    def passing(self) -> bool:
        """Whether it is no part of what stands: taken back, or a correction itself."""
        return not self.page.stands or bool(self.correction)


def moments(record: Record) -> Iterator[Moment]:
    """The entries of a ledger in words, each with what the page shows right after it."""
    head = record.head.entry
    targets = {entry.after for entry, _ in record.store.entries(1, head) if entry.after != entry.entry - 1}
    blinds = Blinds(record.store.key())
    kept = {0: (State(), Sightings())}
    (state, seen), previous = kept[0], GENESIS
    eyes = Eyes(record.sides)
    for (entry, digest), (page, passes) in zip(record.store.entries(1, head), record.everything(), strict=True):
        if entry.after != entry.entry - 1:
            state, seen = kept[entry.after]
        events = events_of(entry)
        if not page.seen.secret:
            state = after(state, events)
            if record.sides is not None:
                seen = seen.after(page.seen.open(events))
        if entry.entry in targets:
            kept[entry.entry] = state, seen
        if passes and page.events:
            line = msgspec.json.encode(
                line_of(entry, digest, record.stands(entry.entry), page.seen.parts(entry, blinds.of(previous, entry)))
            ).decode()
            outcomes = story(page.events, page.verbs, True)
            said = [Told(harmless(one.outcome), tuple(map(harmless, one.arithmetic)), one.tone) for one in outcomes]
            dice, deed = dice_of(page.events), is_deed(page.events, outcomes, page.chapter.encounter > 0)
            known = () if page.seen.sealed else _known(page, events)
            scene, correction = eyes.look(state, seen), harmless(correction_of(page.events, outcomes))
            yield Moment(replace(page, facts=()), previous, line, said, dice, deed, known, scene, correction)
        previous = digest


def _known(page: Page, events: Sequence[Event]) -> tuple[Event | None, ...]:
    sights = page.seen.sights
    if not sights:
        return tuple(events)
    return tuple(event if sight.whole else None for event, sight in zip(events, sights, strict=True))
