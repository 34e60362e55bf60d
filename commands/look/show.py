"""Verbs that look: the board, one combatant or entry, the log, the map."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from commands.action import cards
from commands.action.book import Book, events_of
from commands.action.declaration import Count, Declaration, EntryId, is_entry, number, says
from commands.action.names import find
from commands.action.view import View
from commands.past.course import in_its_place
from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import GAP, fitted, padded
from commands.words.width import breadth, wrapped
from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import Declared, EncounterBegan, Event, Passage, Ruled, lasts
from ledger.store import Store
from projections.changes import values
from projections.declarations import headline
from projections.narration import story, told
from projections.persons import persons_of
from projections.plain_words import plainly, worded
from projections.state import State

from .boards import Board, board_of, friends, read_board
from .filters import Chapter, Filters, Sieve
from .glance import rows_within
from .marked import marks_at

At = Annotated[EntryId, says("The state right after this entry.")]


class Status(Declaration):
    """Show the board: the encounter, who may act now and what is due, and the state of everybody."""

    at: At = ""
    wide: Annotated[bool, says("Also armour, gear and all else, on one line for each combatant, however long.")] = False


def status(console: Console, said: Status) -> None:
    """Prints what holds for everybody, and the table of the rule system's board."""
    entry, state = state_at(console, said.at)
    board = read_board(state)
    disputed = [f"In dispute: e{case.entry}, {case.why}" for case in state.disputes.open]
    rows = _rows(state, board)
    if console.json:
        about = {"entry": entry, "state_digest": state.digest(), "header": [*board.header, *disputed]}
        parts = {name: getattr(board, name) for name in ("turn", "now", "next", "due", "readied", "seats", "ground")}
        console.give({**about, **parts, "rows": rows, "values": values(state)})
        return
    width, height = None if said.wide else console.width, console.height - len(disputed)
    for line in board_lines(console, state, board, width, height):
        console.say(line, whole=True)
    if not rows:
        console.say("Nobody is at the table yet: affray join SHEET")
    for line in disputed:
        console.say(harmless(line), whole=said.wide)


def _rows(state: State, board: Board) -> dict[str, dict[str, str]]:
    """The cells of everybody, with the true name of one whom the players know by another."""
    members = state.roster.members
    return {who: row | ({"really": name} if (name := members[who].truly) else {}) for who, row in board.rows.items()}


_MARKS = ("> ", "  ")
"""Before the names of those who may act now, and before the others."""


def board_lines(
    console: Console, state: State, board: Board, most: int | None, height: int = sys.maxsize
) -> Iterator[str]:
    """What holds for everybody, and the table at a glance in lines of at most so many places; the whole table for None.
    It is shorter where it would have more lines than `height`. Where colour is used, names have
    that of their side; harm and those who are down are marked.
    """
    rows = _rows(state, board)
    above = [harmless(line) for line in board.lines()]
    said = above if most is None else [part for line in above for part in wrapped(line, most)]
    yield from (part if nth else console.paint(part, "1") for nth, part in enumerate(said))
    if not rows:
        return
    if most is not None:
        masks = [f"{who} is really {name}" for who, row in rows.items() if (name := row.get("really"))]
        yield from rows_within(console, state, board, most, height - len(said) - len(masks))
        yield from masks
        return
    yield from _whole_table(console, state, board, rows)


def _whole_table(console: Console, state: State, board: Board, rows: dict[str, dict[str, str]]) -> Iterator[str]:
    """The table of everybody, however wide it is."""
    names = [f"{_MARKS[who not in board.now]}{who}" if board.now else who for who in rows]
    titles = list(dict.fromkeys(title for row in rows.values() for title in row))
    each = [[row.get(title, "") for title in titles] for row in rows.values()]
    cells = [[*map(harmless, (name, *row))] for name, row in zip(names, each, strict=True)]
    own, order, party = board_of(state), list(rows), friends(state)

    def paint(nth: int, at: int, text: str) -> str:
        who = order[nth - 1]
        if not nth or who in state.harm.down:
            return console.paint(text, "2" if nth else "1")
        if not at:
            return console.paint(text, "36" if state.roster.members[who].side in party else "33")
        hurt = at > 0 and is_harmed(text.strip(), own.harm.get(titles[at - 1], ""))
        return console.paint(text, "31") if hurt else text

    yield from fitted(["", *titles], cells, None, paint=paint)


def is_harmed(cell: str, counts: str) -> bool:
    """Whether a cell says that somebody is hurt: by what is `left` of a number, or by what was `taken`.

    >>> is_harmed("9/20", "left"), is_harmed("20/20", "left"), is_harmed("0/2", "taken"), is_harmed("4", "taken")
    (True, False, False, True)
    """
    now, _, most = cell.partition(" ")[0].partition("/")
    return bool(counts) and bool(now) and (now != most if counts == "left" else now != "0")


def state_at(console: Console, at: str) -> tuple[int, State]:
    """The entry and its state: those of the head, or of an earlier entry."""
    if at:
        entry = console.book.check_entry(number(at))
        return entry, console.book.state_at(entry)
    head, state = console.book.present()
    return head.entry, state


class Show(Declaration):
    """Show one combatant or one entry in full; without a name, every value on the board. With --evening show what
    somebody did since the last long pause: blows, hits taken, saves, the best and the worst moment, luck.
    """

    what: Annotated[str, says("A name, or an entry such as e42.", word="shown", positional=True)] = ""
    at: At = ""
    evening: Annotated[bool, says("What they did in the evening, up to the last entry or to --at.")] = False


def show(console: Console, said: Show) -> None:
    """Prints the sheet and state of a combatant, or the events of an entry."""
    word = said.what
    if is_entry(word):
        _show_entry(console, console.book.check_entry(number(word)))
        return
    if said.evening:
        from .heroes import tell

        if not word:
            raise UsageError("Whose evening is it?", "Write it like show NAME --evening.")
        tell(console, word, console.book.check_entry(number(said.at)) if said.at else console.book.store.head().entry)
        return
    entry, state = state_at(console, said.at)
    named = values(state)
    if not word:
        shown: dict[str, Any] = {"entry": entry, "state_digest": state.digest(), "values": named}
    else:
        who = find(state, word)
        own = {name.removeprefix(f"{who}."): value for name, value in named.items() if name.startswith(f"{who}.")}
        board = {title: cell for title, cell in read_board(state).rows[who].items() if cell and title not in own}
        sheet = msgspec.json.decode(state.roster.members[who].sheet)
        shown = {"name": who, "values": own, "board": board, "sheet": sheet}
    if console.json:
        console.give(shown)
        return
    if word:
        console.say(console.paint(shown["name"], "1"))
        for key, value in shown["sheet"].items():
            if key != "name":
                console.say(harmless(f"  sheet {key} = {_written(value)}"))
    for name, value in (shown["values"] | shown.get("board", {})).items():
        console.say(harmless(f"  {name} = {value}"))
    if not word:
        console.say(f"  state {shown['state_digest']} after e{entry}")


def _written(value: Any, inside: bool = False) -> str:
    """A value of a stat block in words: an item by its name, with its fields in brackets."""
    match value:
        case dict():
            said = {key: one for key, one in value.items() if one not in ("", [], {}, None)}
            name = str(said.pop("name", "") or said.pop("id", "")) if inside else ""
            fields = ", ".join(f"{key} {_written(one, True)}" for key, one in said.items())
            return " ".join(filter(None, [name, f"({fields})" if fields and inside else fields])) or "none"
        case list():
            return ", ".join(_written(one, True) for one in value) or "none"
        case str():
            return value or "none"
    return worded(value)


def _show_entry(console: Console, wanted: int) -> None:
    ((entry, digest),) = console.book.store.entries(wanted, wanted)
    stands = any(first <= wanted <= last for first, last in console.book.store.course(console.book.store.head().entry))
    if console.json:
        console.give(_as_json(entry, digest, stands))
        return
    undone = "" if stands else f"  ({_instead(console, wanted)})"
    console.say(harmless(f"e{entry.entry}  {entry.recorded_at}  {entry.by}  {entry.program}{undone}"))
    console.say(harmless(f"  typed   {entry.typed}"))
    console.say(f"  after   e{entry.after}")
    console.say(harmless(f"  digest  {digest}"))
    verbs = console.book.verbs
    for event in events_of(entry):
        console.say(harmless(f"  {_in_full(event, verbs)}"))
    for by, text in marks_at(console.book, wanted):
        console.say(harmless(f"  marked in e{by}: {text}"))


def _instead(console: Console, entry: int) -> str:
    """What became of an entry that does not stand: which one stands in its place, if any does."""
    try:
        return f"now e{in_its_place(console.book.store, console.book.store.head().entry, entry)}"
    except UsageError:
        return "undone"


def _in_full(event: Event, verbs: Mapping[str, cards.Verb]) -> str:
    """An event of an entry, with all that it says."""
    match event:
        case Declared():
            return f"declared: {headline(event, verbs)}"
        case Ruled():
            return f"ruled by {', '.join((event.clause, *event.also))}: {event.line()}"
        case Passage(who=who, target=target):
            does = f"{who} does{f' to {target}' if target else ''}" if who else f"befalls {target}" if target else ""
            return f"what {does or 'was declared'}:"
    return plainly(event)


def _as_json(entry: Entry, digest: str, stands: bool) -> dict[str, Any]:
    head = {name: getattr(entry, name) for name in Entry.__struct_fields__ if name != "bodies"}
    events = [msgspec.Raw(body.encode()) for body in entry.bodies]
    return {**head, "digest": digest, "stands": stands, "events": events}


class Log(Filters):
    """List the entries; undone ones are struck through, or left out with --standing. Without filters: the last twenty
    entries.
    """

    entries: Annotated[str, says("Only these entries: e40..e52, or e40.. to the newest.", positional=True)] = ""
    since: Annotated[EntryId, says("From this entry on, as e40.. does.")] = ""
    last: Annotated[Count | None, says("Only the last N of these; 0 for all.")] = None
    standing: Annotated[
        bool, says("Only what stands, as a chronicle: who fought, what came of it, and how it went.")
    ] = False
    arithmetic: Annotated[bool, says("With --standing: show how each outcome was reached.")] = False


def log(console: Console, said: Log) -> None:
    """Prints one line or more for each entry that passes the filters."""
    if said.entries and said.since:
        raise UsageError("The entries are named twice.", "Leave out --since.")
    entries = f"e{number(said.since)}.." if said.since else said.entries
    if said.standing:
        if entries:
            raise UsageError("A chronicle tells whole encounters, not some entries.", "Leave one of them out.")
        _chronicle(console, said)
        return
    found, verbs = _wanted(console, said, entries), console.book.verbs
    for entry, digest, events, stands in found:
        if console.json:
            console.give({**_as_json(entry, digest, stands), "lines": told(events, verbs)})
            continue
        console.narrate(told(events, verbs), f"e{entry.entry}", stands=stands)
    if not found and not console.json:
        console.whisper("Nothing in the record passes these filters.")


def _wanted(console: Console, said: Log, entries: str) -> list[tuple[Entry, str, tuple[Event, ...], bool]]:
    """The last of the entries that pass the filters, in a range of them; says how many stand before those that nobody
    asked to be the last.
    """
    book, sieve = console.book, Sieve(console.book, said)
    few = said.last if said.last is not None else 0 if sieve.filters or entries else 20
    start, end = _between(book, entries, book.store.head().entry)
    if not sieve.filters:
        start = max(start, end - few + 1) if few else start
        if start > 1 and said.last is None and not (entries or console.json):
            console.say(f"{start - 1} earlier {'entries' if start > 2 else 'entry'}: affray log --last 0")
        return [*_entries(book.store, start, end)]
    passing = (one for one in _entries(book.store, 1, end) if sieve.passes(one[0], one[2]))
    return [one for one in passing if one[0].entry >= start][-few:]


def _between(book: Book, words: str, head: int) -> tuple[int, int]:
    """The first and the last entry that a range names; all of them where none is named. Raises UsageError where it
    names none.
    """
    if not words:
        return 1, head
    first, dots, last = words.partition("..")
    if not is_entry(first) or not (is_entry(last) or (dots and not last)):
        raise UsageError(f"{words[:40]!r} are not entries.", "Say the first and the last: e40..e52, or e40.. alone.")
    return book.check_entry(number(first)), book.check_entry(number(last)) if last else head


def _chronicle(console: Console, said: Log) -> None:
    """Prints the entries that stand, encounter by encounter."""
    from .chapters import Encounters, changes_course

    store = console.book.store
    head = store.head().entry
    sieve, encounters = Sieve(console.book, said), Encounters(persons_of(store), store.is_for_players)
    names, verbs = dict[int, str](), console.book.verbs
    found: list[tuple[Entry, str, tuple[Event, ...], Chapter]] = []
    for entry, digest, events, stands in _entries(store, 1, head):
        passes = sieve.passes(entry, events)
        names |= {one.number: one.name for one in events if stands and isinstance(one, EncounterBegan)}
        encounters.take(entry, events, stands)
        if passes and stands and not changes_course(events):
            found.append((entry, digest, events, sieve.chapter))
    limit = said.last if said.last is not None else 0 if sieve.filters else 20
    found = found[-limit:]
    for entry, _, _, chapter in found:
        encounters.mention(entry.entry, chapter)
    now = 0
    for entry, digest, events, chapter in found:
        if console.json:
            console.give({**_as_json(entry, digest, True), "lines": story(events, verbs, said.arithmetic)})
            continue
        if chapter.encounter != now and (opening := encounters.opening(chapter.encounter)):
            name = names[chapter.encounter]
            console.say(console.paint(harmless(f"Encounter {chapter.encounter}{f': {name}' if name else ''}"), "1"))
            console.say(harmless(opening))
        now = chapter.encounter
        console.narrate(story(events, verbs, said.arithmetic), f"e{entry.entry}")
        for line in encounters.closing(entry.entry, chapter):
            console.say(harmless(line))
    if not found and not console.json:
        console.whisper("Nothing that stands passes these filters.")


def _entries(store: Store, first: int, last: int) -> Iterator[tuple[Entry, str, tuple[Event, ...], bool]]:
    """Entries with their digests and events, and whether they stand at the end of the ledger, or last."""
    ranges = sorted(store.course(store.head().entry))
    for entry, digest in store.entries(first, last):
        events = events_of(entry)
        yield entry, digest, events, lasts(events) or any(low <= entry.entry <= high for low, high in ranges)


def struck(console: Console, line: str, stands: bool) -> str:
    """The line; struck through when its entry was undone, by signs as well as by style."""
    return line if stands else console.paint(f"~~{line}~~", "9;2")


class DrawMap(Declaration):
    """Draw the map: the ground and the combatants on it."""

    at: At = ""


def draw_map(console: Console, said: DrawMap) -> None:
    """Prints squares as signs, north at the top, with a legend, which stands beside them where the terminal has not the
    rows for it below; or the areas, who is in each, and their links.
    """
    _, state = state_at(console, said.at)
    if state.areas.names:
        if console.json:
            console.give({"areas": state.areas.names, "links": state.areas.links, "at": state.areas.at})
            return
        for line in plan(state)[0]:
            console.say(line, hanging=" " * (line.find("]") + 3))
        return
    if console.json:
        bodies, ground, heights, headings = _squares(state)
        console.give({"bodies": bodies, "heights": heights, "headings": headings, "ground": ground})
        return
    drawn, legend = plan(state)
    below = [*drawn, *legend]
    for line in below if len(below) <= console.height else beside(drawn, legend, console.width) or below:
        console.say(line, whole=True)


def _squares(state: State) -> tuple[Any, Any, Any, Any]:
    """The squares of everybody and of the ground, how high they are, and where they look."""
    board, view = board_of(state), View(state)
    bodies = {who: squares for who in state.roster.order if (squares := board.body(view, who))}
    heights = {who: state.positions.at[who][2] for who in bodies}
    headings = {who: looks for who in bodies if (looks := board.heading(view, who))}
    return bodies, {**state.encounter.ground, **board.ground(view)}, heights, headings


def plan(state: State) -> tuple[list[str], list[str]]:
    """The lines of the map and those of its legend; of areas there is none."""
    from projections.plan import draw, draw_areas

    drawn, legend = (draw_areas(state), []) if state.areas.names else draw(*_squares(state))
    return [*map(harmless, drawn)], [*map(harmless, legend)]


def beside(drawn: Sequence[str], legend: Sequence[str], width: int) -> list[str]:
    """A map with its legend to the right of it, in so many columns as it needs; nothing where it is too wide for that.

    >>> beside(["1 A", "0 B"], ["A Anna", "B Bert", "C Carl"], 24)
    ['1 A  A Anna  C Carl', '0 B  B Bert']
    """
    shown = [*drawn]
    for at in range(0, len(legend), len(drawn)):
        across = max(map(breadth, shown))
        for row, one in enumerate(legend[at : at + len(drawn)]):
            shown[row] = f"{padded(shown[row], across)}{GAP}{one}"
    return shown if max(map(breadth, shown)) <= width else []
