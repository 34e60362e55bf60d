"""Moments: every entry that is on the page, with the board just after it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from ledger.chain import GENESIS, Entry
from ledger.events import Event
from projections.narration import lines
from projections.state import State, fold

from ..book import Book, events_of
from ..desk import harmless
from ..looking import Chapter, Chapters
from ..progress import watched

Row = dict[str, str]
"""The cells of one combatant, by the title of their column."""


class Veil(Protocol):
    """What hides the secret from the players."""

    def events(self, events: Sequence[Event], state: State) -> Sequence[Event]:
        """What may be told of an entry, given the state after it; nothing to leave it out."""

    def header(self, state: State, told: list[str]) -> list[str]:
        """The lines above the board, as far as they may be shown."""

    def row(self, state: State, who: str, cells: Row) -> Row | None:
        """The cells of a combatant, as far as they may be shown; none to leave it off the board."""

    def knows(self, state: State, who: str) -> bool:
        """Whether a combatant's hit points, pain and the like may be shown."""


class Moment(Struct, frozen=True, gc=False):
    """An entry, and the board just after it."""

    entry: Entry
    previous: str
    """The digest of the entry before it."""
    digest: str
    chapter: Chapter
    stands: bool
    events: Sequence[Event]
    lines: list[str]
    """What it says, in signs that nothing obeys."""
    header: list[str]
    rows: dict[str, Row]
    """For each combatant at the table its cells, in the order of the roster."""
    levels: dict[str, dict[str, int]]
    """For each measure that is in use the value of each combatant; see `MEASURES`."""


def _hp(state: State) -> Mapping[str, int]:
    return {who: hp.now for who, hp in state.harm.hp.items()}


MEASURES: dict[str, tuple[Callable[[State], Mapping[str, int]], bool]] = {
    "hp": (_hp, False),
    "pain": (lambda state: state.pain.of, True),
    "stress": (lambda state: state.stress.of, True),
    "wounds": (lambda state: state.injuries.of, True),
}
"""What is drawn as curves: the value of each combatant in a state, and whether whoever is missing there has 0."""


def moments(
    book: Book, chosen: Callable[[Entry, Sequence[Event], Chapter], bool] | None, veil: Veil | None
) -> Iterator[Moment]:
    """Every entry that is chosen, undone ones too, in the order of recording."""
    store = book.store
    head = store.head().entry
    standing = {number for first, last in store.course(head) for number in range(first, last + 1)}
    targets = {entry.after for entry, _ in store.entries(1, head) if entry.after != entry.entry - 1}
    kept = {0: State()}
    state, previous, chapters = State(), GENESIS, Chapters()
    look: Callable[[State], tuple[list[str], dict[str, Row]]] = _Board(veil).look
    for entry, digest in watched(store.entries(1, head), head, "export"):
        events = events_of(entry)
        chapter = chapters.after(entry, events)
        state = fold(state if entry.after == entry.entry - 1 else kept[entry.after], events)
        if entry.entry in targets:
            kept[entry.entry] = state
        told = events if veil is None else veil.events(events, state)
        if told and (chosen is None or chosen(entry, events, chapter)):
            header, rows = look(state)
            yield Moment(
                entry=entry,
                previous=previous,
                digest=digest,
                chapter=chapter,
                stands=entry.entry in standing,
                events=told,
                lines=list(map(harmless, lines(told))),
                header=header,
                rows=rows,
                levels=_levels(state, veil),
            )
        previous = digest


class _Board:
    """Looks at one state after another. Rows that did not change are the very same object."""

    def __init__(self, veil: Veil | None) -> None:
        self._veil = veil
        self._rows: dict[str, Row] = {}

    def look(self, state: State) -> tuple[list[str], dict[str, Row]]:
        """The lines above the board of the rule system, and its rows."""
        board = import_module(f"commands.{state.campaign.system}.board")
        header: list[str] = board.header(state)
        rows: dict[str, Row] = {}
        for who in state.roster.order:
            cells: Row | None = board.row(state, who)
            if self._veil is not None and cells is not None:
                cells = self._veil.row(state, who, cells)
            if cells is not None:
                cells = {title: harmless(cell) for title, cell in cells.items()}
                rows[who] = cells if self._rows.get(who) != cells else self._rows[who]
        self._rows = rows
        return list(map(harmless, header if self._veil is None else self._veil.header(state, header))), rows


def _levels(state: State, veil: Veil | None) -> dict[str, dict[str, int]]:
    shown = [who for who in state.roster.order if veil is None or veil.knows(state, who)]
    found = {}
    for measure, (of, from_nothing) in MEASURES.items():
        values = of(state)
        if values:
            found[measure] = {
                who: values.get(who, 0) for who in shown if from_nothing or who in values
            }
    return found
