"""The board at a glance: one line for each combatant, with its harm as bars and numbers, its place, and its state."""

from collections.abc import Iterator, Mapping, Sequence

from commands.action.board import Bar
from commands.action.view import View
from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import GAP, padded
from commands.words.width import breadth, wrapped
from projections.state import State

from .boards import Board, board_of, friends

_FULL, _LOST = "█", "░"
"""What a bar is drawn with: what is left, and what is lost or spent."""
_CELLS = (6, 4)
"""The length of a bar where a combatant has one of them, and where it has several."""
_AMPLE = 40
"""The least places for the state where every column has its bar; else only the first one has."""
_COLOURS = {"much": "32", "some": "33", "little": "31", "stock": "34"}
"""Those of bars and their numbers, by how much is left: the same as on the page."""
_SIGNS = ("●", "▲")
"""Before the names of those whom the players play, and before those of all others."""
_NOW = ("> ", "  ")
"""Before these: for those who may act now, and for the others."""
_LEAST = 20
"""The least places for the state beside the other cells; it stands below them where there is less room."""
_REST = "status shows all"
_WIDE = "status --wide shows all of it"


def _drawn(bar: Bar, cells: int) -> str:
    """A bar, as long as what is left; nobody who has anything left, or has lost anything, seems to have all or nothing.

    >>> _drawn(Bar("hp", 1, 60), 6), _drawn(Bar("hp", 59, 60), 6), _drawn(Bar("pain", 4, 6, "taken"), 6)
    ('█░░░░░', '█████░', '██░░░░')
    """
    full = min(cells - (bar.left < bar.most), max(0, -(-bar.left * cells // bar.most))) if bar.most else 0
    return _FULL * full + _LOST * (cells - full)


def cut(text: str, width: int) -> str:
    """The text, shortened to this width.

    >>> cut("Vasko, Warlord", 10), cut("Vasko", 10)
    ('Vasko, Wa…', 'Vasko')
    """
    if breadth(text) <= width:
        return text
    while text and breadth(text) > width - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _fitting(words: str, width: int) -> str:
    """As many whole words as fit, with a sign that there are more; of the first one at least a beginning.

    >>> _fitting("in melee with Aldric; broken", 26), _fitting("broken", 4)
    ('in melee with Aldric; …', 'bro…')
    """
    short = cut(words, width)
    whole = short[:-1].rpartition(" ")[0]
    return short if short == words or not whole or words[len(short) - 1 : len(short)] == " " else f"{whole} …"


def _several(names: Sequence[str], width: int) -> str:
    """As many names as fit, at least one, and how many more there are.

    >>> _several(("Vasko", "Warlord", "Hound"), 40), _several(("Vasko", "Warlord", "Hound"), 20)
    ('Vasko, Warlord, Hound', 'Vasko and 2 more')
    """
    for shown in range(len(names), 0, -1):
        more = len(names) - shown
        said = ", ".join(names[:shown]) + (f" and {more} more" if more else "")
        if breadth(said) <= width or shown == 1:
            return said
    return ""


def _state(row: Mapping[str, str], said: Mapping[str, str]) -> str:
    """The state of somebody, in words: what is said of each of these columns."""
    words = [row.get("down", ""), *(way.format(row[one]) for one, way in said.items() if row.get(one))]
    return harmless("; ".join(filter(None, words)))


class _Table:
    """The rows of a board, in columns that are the same for all of them, and stay where they are while an encounter
    lasts: as wide as everybody needs, also those who are down, with room for the mark of those who may act and for full
    numbers. In a narrow terminal only the first number has a bar, or none has, and columns that do not fit are told
    with the state.
    """

    def __init__(self, state: State, board: Board, width: int) -> None:
        own, view, names = board_of(state), View(state), [*board.rows]
        columns = [*own.glance] or [one.column for who in names[:1] for one in own.bars(view, who)]
        told = ("side", "down", *columns)
        rest = (title for row in board.rows.values() for title in row if title not in told)
        said: Mapping[str, str] = own.state or {title: f"{title}: {{}}" for title in rest}
        self._state, self._board, self._party = state, board, friends(state)
        self._bars = {who: {one.column: one for one in own.bars(view, who)} for who in names}
        kinds = [column for column in columns if any(column in of for of in self._bars.values())]
        cells = _CELLS[len(kinds) > 1]
        for drawn, least in ((kinds, _AMPLE), (kinds[:1], 0), ((), 0)):
            self._lay(columns, said, dict.fromkeys(drawn, cells))
            if self.across + least <= width:
                break
        while self.across > width and columns:
            last = columns.pop()
            said = {last: f"{last} {{}}", **said}
            self._lay(columns, said, {})

    def _lay(self, columns: Sequence[str], said: Mapping[str, str], cells: Mapping[str, int]) -> None:
        """Sets the columns, those with bars that have a length, and what is said behind them."""
        state, board, bars = self._state, self._board, self._bars
        self.colours: dict[tuple[str, int], str] = {}
        """That of what somebody has in a column."""
        self.titles, self.rows = ["", *columns], dict[str, list[str]]()
        self.state: dict[str, str] = {}
        self.brief: dict[str, str] = {}
        """The state without the ends of conditions."""
        widths = [*map(breadth, self.titles)]
        for who in bars:
            row = board.rows[who]
            mark = _NOW[who not in board.now] if board.now or state.encounter.running else ""
            sign = _SIGNS[state.roster.members[who].side not in self._party]
            shown = [f"{mark}{sign} {harmless(who)}"]
            for at, column in enumerate(columns, 1):
                cell, bar = harmless(row.get(column, "")), bars[who].get(column)
                room = breadth(cell) + breadth(cell) % 2
                if bar:
                    number = cell if "/" in cell or not bar.most else f"{cell}/{bar.most}"
                    cell = f"{_drawn(bar, cells[column])} {number}" if bar.most and column in cells else number
                    room = breadth(cell) + max(0, breadth(f"{bar.most}/{bar.most}") - breadth(number))
                    self.colours[who, at] = _COLOURS[bar.grade]
                widths[at] = max(widths[at], room)
                shown.append(cell)
            self.rows[who] = shown
            self.state[who] = _state(row, said)
            self.brief[who] = _state({**row, **self._without_ends(who, row)}, said)
            widths[0] = max(widths[0], breadth(shown[0]))
        used = [at for at in range(len(self.titles)) if not at or any(row[at] for row in self.rows.values())]
        self.widths = {at: widths[at] for at in used}

    def _without_ends(self, who: str, row: Mapping[str, str]) -> dict[str, str]:
        """The cell of somebody's conditions, without what ends each of them."""
        own = board_of(self._state)
        cell = row.get(own.labelled, "")
        for one in own.labels(View(self._state), who) if cell else ():
            cell = cell.replace(one.told, one.what)
        return {own.labelled: cell} if cell else {}

    @property
    def across(self) -> int:
        """How many places the columns take."""
        return sum(one + len(GAP) for one in self.widths.values()) - len(GAP)

    def line(self, cells: Sequence[str], paint: Sequence[str], console: Console, behind: str = "") -> str:
        """A row in its columns, each cell in a style, with the state behind them."""
        last = max(nth for nth, at in enumerate(self.widths) if cells[at] or not at)
        shown = [padded(cells[at], places) for at, places in self.widths.items()]
        if not behind:
            shown = [*shown[:last], shown[last].rstrip()]
        return GAP.join([*map(console.paint, shown, paint), *([behind] if behind else [])])


def table(console: Console, state: State, board: Board, width: int, names: Sequence[str], flat: bool) -> Iterator[str]:
    """The rows of these combatants; with `flat` each on one line, however much is to be said of it. The titles come
    first.
    """
    if not names:
        return
    made, party = _Table(state, board, width), friends(state)
    if any(made.titles):
        yield made.line(made.titles, ["1"] * len(made.widths), console)
    room = width - made.across - len(GAP)
    for who in names:
        row = made.rows[who]
        down = who in state.harm.down
        side = "36" if state.roster.members[who].side in party else "33"
        paint = ["2" if down else side if not at else made.colours.get((who, at), "") for at in made.widths]
        style, words = "2" if down else "", made.state[who]
        if flat:
            said = words if breadth(words) <= room else _fitting(made.brief[who], room) if room > 1 else ""
            yield made.line(row, paint, console, console.paint(said, style))
            continue
        below = wrapped(f"    {words}", width, "      ")
        beside = wrapped(words, room, "") if room >= _LEAST else []
        if not words or 0 < len(beside) <= len(below) + 1:
            first, *others = beside or [""]
            yield made.line(row, paint, console, console.paint(first, style))
            yield from (" " * (width - room) + console.paint(text, style) for text in others)
        else:
            yield made.line(row, paint, console)
            yield from (console.paint(text, style) for text in below)


def folded(console: Console, state: State, board: Board, width: int, most: int, ample: int | None = None) -> list[str]:
    """The board in so many lines at most, none of them wider than the terminal; the encounter and whose turn it is are
    always among them. Those who are down share a line. Where all that is to be said of them takes more lines than are
    `ample`, each has one line; where there is none for everybody, a line names those who are left out, and how to see
    them.
    """
    lines = [console.paint(cut(harmless(" ".join(board.first())), width), "1")]
    lines += [cut(line, width) for line in _turn(board, width)]
    lines += [cut(harmless(line), width) for line in board.waiting()][: max(0, most - len(lines) - 1)]
    down = [who for who in board.rows if who in state.harm.down]
    up = [who for who in board.rows if who not in state.harm.down]
    fallen = [console.paint(cut(_fallen(board, down), width), "2")] if down else []
    room = most - len(lines) - len(fallen)
    if room < min(len(up), 2):
        return lines
    shown = up
    if len(up) > room:
        ranked = sorted(up, key=lambda who: (who not in board.now, who not in board.next))
        shown = [who for who in up if who in ranked[: room - 1]]
    rows = list(table(console, state, board, width, shown, flat=False))
    if shown != up or len(lines) + len(rows) + len(fallen) > min(most, most if ample is None else ample):
        rows = list(table(console, state, board, width, shown, flat=True))
    left = [harmless(who) for who in up if who not in shown]
    lines += rows[len(rows) > room - bool(left) :]
    if left:
        before, after = f"{len(left)} more: ", f" · {_REST}"
        lines.append(console.paint(f"{before}{_several(left, width - len(before) - len(after))}{after}", "2"))
    return [*lines, *fallen]


def rows_within(console: Console, state: State, board: Board, width: int, most: int) -> list[str]:
    """The rows of everybody; where these are more than so many lines, those who are down share a line, and if need be
    each row is cut to one line, with a line that says how to see all of it.
    """
    down = [who for who in board.rows if who in state.harm.down]
    up = [who for who in board.rows if who not in state.harm.down]
    fallen = [console.paint(one, "2") for one in wrapped(_fallen(board, down), width)] if down else []
    whole = [*table(console, state, board, width, [*board.rows], flat=False)]
    if len(whole) <= most:
        return whole
    shorter = [*table(console, state, board, width, up, flat=False), *fallen]
    if len(shorter) <= most:
        return shorter
    return [*table(console, state, board, width, up, flat=True), *fallen, console.paint(_WIDE, "2")]


def _turn(board: Board, width: int) -> list[str]:
    """Who is now, with what is asked of them if there is room for it, and what is next: on one line, if that has room
    for the first name.
    """
    then = f"Next: {_several([harmless(one) for one in board.next], width // 2)}" if board.next else ""
    if not board.now:
        return [then] if then else []
    names, asked = [harmless(who) for who in board.now], "; ".join(one.what for one in board.due if one.acting)
    least = len("Now: ") + breadth(_several(names, 1 if names[1:] else width))
    beside = bool(then) and least + len(" · ") + breadth(then) <= width
    room = width - len("Now: ") - (len(" · ") + breadth(then)) * beside
    now = _several(names, room)
    if asked and least + len(f" ({asked})") <= room:
        now = f"{_several(names, room - len(f' ({asked})'))} ({asked})"
    return [f"Now: {now} · {then}"] if beside else [f"Now: {now}", *([then] if then else [])]


def _fallen(board: Board, down: Sequence[str]) -> str:
    """Those who are down, by what is said of them."""
    ways: dict[str, list[str]] = {}
    for who in down:
        ways.setdefault(board.rows[who].get("down", ""), []).append(harmless(who))
    return " · ".join(f"{(how or 'down').capitalize()}: {', '.join(names)}" for how, names in ways.items())
