"""Moments: every entry on the page, with the board right after it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import events_of
from commands.files.exports.json_lines import line_of
from commands.files.exports.record import Page, Record
from commands.look.boards import Board, read_board
from commands.words.console import harmless
from ledger.chain import GENESIS, Blinds
from ledger.events import Event
from projections.narration import Told, story
from projections.state import State, fold

Row = dict[str, str]
"""The cells of one combatant, by the title of their column."""

SEEN = frozenset({"side", "down", "at", "area", "contact", "engaged", "in melee with"})
"""The cells that everybody at the table sees. The players see the others only for their own side."""


class Moment(Struct, frozen=True, gc=False):
    """An entry in words, and the board right after it."""

    page: Page
    previous: str
    """The digest of the entry before it."""
    line: str
    """Its line of an export for players, with all parts that may be seen on the page."""
    told: list[Told]
    """Its outcomes with their arithmetic, with control characters escaped."""
    header: list[str]
    rows: dict[str, Row]
    """For each combatant at the table its cells, in the order of the roster; names as `harmless` writes them."""
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
"""The measures drawn as curves: the value of each combatant in a state, and whether a missing combatant has 0."""


def moments(record: Record) -> Iterator[Moment]:
    """The entries of a ledger in words, each with the board right after it."""
    head = record.head.entry
    targets = {entry.after for entry, _ in record.store.entries(1, head) if entry.after != entry.entry - 1}
    blinds = Blinds(record.store.key())
    kept = {0: State()}
    state, previous = State(), GENESIS
    board = Boards(record.sides)
    pages = record.pages()
    page = next(pages, None)
    for entry, digest in record.store.entries(1, head):
        state = state if entry.after == entry.entry - 1 else kept[entry.after]
        if not (page and page.entry.entry == entry.entry and page.seen.secret):
            state = after(state, events_of(entry))
        if entry.entry in targets:
            kept[entry.entry] = state
        if page and page.entry.entry == entry.entry:
            if page.events:
                header, rows = board.look(state)
                line = msgspec.json.encode(line_of(entry, digest, page.seen.parts(entry, blinds))).decode()
                said = [
                    Told(harmless(one.outcome), tuple(map(harmless, one.arithmetic)))
                    for one in story(page.events, record.arithmetic)
                ]
                lean = replace(page, facts=())
                yield Moment(lean, previous, line, said, header, rows, _levels(state, record.sides))
            page = next(pages, None)
        previous = digest


def after(state: State, events: Iterable[Event]) -> State:
    """The state after some events, without those of somebody whom the players do not know to be there."""
    try:
        return fold(state, events)
    except KeyError:
        for event in events:
            with suppress(KeyError):
                state = fold(state, (event,))
        return state


class Boards:
    """Looks at one state after another. Rows that did not change are the same object."""

    def __init__(self, sides: Collection[str] | None) -> None:
        self._sides = sides
        self._rows: dict[str, Row] = {}

    def look(self, state: State) -> tuple[list[str], dict[str, Row]]:
        """The lines above the board of the rule system, and its rows."""
        mine = [who for who in state.roster.order if _known(state, who, self._sides)]
        if self._sides is None:
            board = read_board(state, turns=False)
        else:
            board = _for_players(read_board(_without_scores(state, mine), turns=False), state, mine)
        rows: dict[str, Row] = {}
        for who, cells in board.rows.items():
            row: Row = {title: harmless(cell) for title, cell in cells.items() if who in mine or title in SEEN}
            name = harmless(who)
            rows[name] = row if row != self._rows.get(name) else self._rows[name]
        self._rows = rows
        return list(map(harmless, board.lines(mine))), rows


def _without_scores(state: State, mine: Sequence[str]) -> State:
    """Without the initiative of the others, which a file for players does not hold; the order stays."""
    known = {who: score for who, score in state.initiative.scores.items() if who in mine}
    return replace(state, initiative=replace(state.initiative, scores=known))


def _for_players(board: Board, state: State, mine: Sequence[str]) -> Board:
    """What players may read of it: of the others only that it is their turn, which everybody is told. What they owe,
    and what they can still do, rests on their numbers and their plans.
    """
    due = [replace(one, who=who) for one in board.due if (who := tuple(name for name in one.who if name in mine))]
    acting = [state.turns.who] if state.turns.who in state.turns.order else []
    now = [who for who in board.now if who in mine] or acting
    return replace(board, now=now, next=[who for who in board.next if who in mine], due=due)


def _known(state: State, who: str, sides: Collection[str] | None) -> bool:
    return sides is None or state.roster.members[who].side in sides


def _levels(state: State, sides: Collection[str] | None) -> dict[str, dict[str, int]]:
    known = [who for who in state.roster.order if _known(state, who, sides)]
    found = {}
    for measure, (of, from_nothing) in MEASURES.items():
        values = of(state)
        if values:
            found[measure] = {harmless(who): values.get(who, 0) for who in known if from_nothing or who in values}
    return found
