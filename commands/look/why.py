"""Reasons: the entries that made a value of the board what it is, and those that make two boards differ."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from commands.action.book import Book, events_of
from commands.action.declaration import Count, Declaration, is_entry, number, says
from commands.action.names import find
from commands.action.quoting import quoted
from commands.action.systems import recorded_verbs
from commands.action.values import meant
from commands.past.course import fork
from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import listed
from ledger.errors import NameUnknown, UsageError
from ledger.events import Event, Overruled, Rolled, Ruled
from projections.changes import differences as between
from projections.changes import values
from projections.narration import told as narrated
from projections.passages import passages
from projections.persons import persons_of
from projections.plain_words import plainly
from projections.state import State, fold

from .precedents import told
from .replay import roll_in_words
from .show import At, state_at
from .timeline import Change, Followed, changes, held, names_ever, under

_USUAL = 10
"""How many changes are shown by default."""


class Why(Declaration):
    """Show why a value of the board is what it is: every entry that changed it, the newest first, with the rulings and
    the arithmetic of each change. The name of a combatant alone lists what can be asked about them. Without a name it
    tells the last entry again, with its arithmetic; with an entry such as e42, that one.
    """

    name: Annotated[str, says("A value such as kira.hp, a combatant, or an entry.", word="value", positional=True)] = ""
    at: At = ""
    last: Annotated[Count, says("Only the last N changes; 0 for all.")] = _USUAL


class Made(Struct, frozen=True):
    """How an entry changed a value."""

    entry: int
    before: str
    after: str
    headline: str
    dice: tuple[str, ...]
    rulings: tuple[dict[str, Any], ...]
    """Each ruling behind the change: its clause, all clauses that it names, and its text."""
    facts: tuple[str, ...]
    """The text of the events that changed it."""


def why(console: Console, said: Why) -> None:
    """Walks the course backwards to the entry that put the value on the board, or through the last N changes."""
    if not said.name or is_entry(said.name):
        _tell_again(console, said.name)
        return
    entry, state = state_at(console, said.at)
    if theirs := _askable(state, said.name):
        _list(console, theirs)
        return
    name = meant(values(state), said.name, lambda: names_ever(console.book, entry, "why"))
    name = Followed(console.book, entry).then(name, entry)
    sought, more = {name}, False
    held_now = held(state, sought)[name]
    found: list[Made] = []
    for change in changes(console.book, entry, sought, "why"):
        if change.old == change.new:
            continue
        if said.last and len(found) == said.last:
            more = True
            break
        found.append(_made(change))
        if change.old == "-":
            break
    if console.json:
        console.give({"name": name, "value": held_now, "entry": entry, "changes": found, "more": more})
        return
    value = "not on the board" if held_now == "-" else held_now
    console.say(console.paint(harmless(f"{name} is {value} after e{entry}."), "1"))
    for one in found:
        console.say(harmless(f"e{one.entry}  {one.before} -> {one.after}  {one.headline}"))
        for line in one.dice:
            console.say(harmless(f"    dice    {line}"))
        for rule in one.rulings:
            console.say(harmless(f"    rule    {', '.join(rule['clauses'])}: {rule['says']}".removesuffix(": ")))
        for fact in one.facts:
            console.say(harmless(f"    result  {fact}"))
    if more:
        at = f" --at {said.at}" if said.at else ""
        console.say(f"There are earlier changes: affray why {harmless(name)!r}{at} --last 0")
    if not found:
        console.say("It has not changed since the start.")


def _tell_again(console: Console, at: str) -> None:
    """Tells an entry with its arithmetic; without one, the last."""
    store, verbs = console.book.store, console.book.verbs
    wanted = console.book.check_entry(number(at)) if at else store.head().entry
    lines = narrated(events_of(store.entry(wanted)), verbs)
    if console.json:
        console.give({"entry": wanted, "lines": lines})
        return
    stands = any(first <= wanted <= last for first, last in store.course(store.head().entry))
    console.narrate(lines, f"e{wanted}", stands=stands)


def _askable(state: State, word: str) -> dict[str, str]:
    """The values of the combatant whom a word names; none where it names nobody, or a value of the board."""
    board = values(state)
    if "." in word or word.casefold() in board:
        return {}
    try:
        who = find(state, word)
    except NameUnknown:
        return {}
    return {name: value for name, value in board.items() if name.startswith(f"{who}.")}


def _list(console: Console, board: dict[str, str]) -> None:
    """Says which values can be asked about, and how."""
    if console.json:
        console.give({"values": board})
        return
    for name, value in board.items():
        console.say(harmless(f"{name} = {value}"))
    console.say(harmless(f"Ask for one of them: affray why {quoted(next(iter(board)))}"), whole=True)


def _made(change: Change) -> Made:
    """How an entry changed a value: the events of the change, and the rulings that led to them."""
    events, state = change.transition.events, change.transition.before
    facts: list[Event] = []
    last, value = 0, change.old
    for at, event in enumerate(events):
        state = fold(state, (event,))
        now = held(state, (change.then,))[change.then]
        if now != value:
            facts.append(event)
            last, value = at, now
    led = _leading(events[:last], change.then.partition(".")[0])
    return Made(
        entry=change.transition.entry.entry,
        before=change.old,
        after=change.new,
        headline=told(change.transition.entry, events, recorded_verbs(change.transition.after.campaign.system)),
        dice=tuple(roll_in_words(event) for event in led if isinstance(event, Rolled) and event.faces),
        rulings=tuple(_rule(event) for event in led if isinstance(event, Ruled | Overruled)),
        facts=tuple(event.line() or plainly(event) for event in facts),
    )


def _leading(events: Sequence[Event], who: str) -> list[Event]:
    """What led to what befell somebody: the rulings of the passages in which they are acted upon, those on nobody in
    particular of them and of those who act, the dice of all these, and the overruled rules. If there are none, the
    rulings for `who` about others count.
    """
    pairs = [(passage, event) for passage, event in passages(events) if isinstance(event, Ruled | Rolled)]
    acting = {"", who, *(passage.who for passage, _ in pairs if passage.target == who)}
    led = [event for passage, event in pairs if passage.target == who or (not passage.target and event.who in acting)]
    if not any(isinstance(event, Ruled) for event in led):
        led = [event for _, event in pairs if event.who == who]
    return [event for event in events if isinstance(event, Overruled) or any(event is one for one in led)]


def _rule(event: Ruled | Overruled) -> dict[str, Any]:
    says = event.line() if isinstance(event, Ruled) else f"overruled: {event.why} The game master: {event.reason}"
    return {"clause": event.clause, "clauses": event.clauses, "says": says}


class Diff(Declaration):
    """Show the differences between the boards after two entries, and which entry made each."""

    entries: Annotated[
        tuple[str, ...], says("Two entries, such as e30 e58 or e30..e58; e30.. goes to the last one.", positional=True)
    ] = ()
    before_amendment: Annotated[
        str, says("The board before the amendment that this entry belongs to, and after it.")
    ] = ""


class Difference(Struct, frozen=True):
    """A value that differs between two boards, and the entry that changed it."""

    name: str
    before: str
    after: str
    entry: int
    """The last entry of the second course that changed it, or else of the first course."""
    course: str
    """first or second: the course on which the entry lies."""
    headline: str


def diff(console: Console, said: Diff) -> None:
    """Prints how two boards differ. The first may lie on the way to the second, or on a course that was left."""
    book, (one, other) = console.book, _ends(console, said)
    left, found = fork(book.store.course(one), book.store.course(other)), differences(book, one, other)
    if console.json:
        console.give({"before": one, "after": other, "fork": left, "differences": found})
        return
    console.say(console.paint(harmless(f"From e{one} to e{other}:"), "1"))
    if left not in (one, other):
        console.say(f"The two versions differ after e{left}; < marks one from the earlier version.")
    if not found:
        console.say("Nothing on the board differs.")
        return
    rows = [
        [f"{one.name}:", f"{one.before} -> {one.after}", f"{'<' * (one.course == 'first')}e{one.entry}", one.headline]
        for one in found
    ]
    for line in listed([[harmless(cell) for cell in row] for row in rows], console.width):
        console.say(line)


def _ends(console: Console, said: Diff) -> tuple[int, int]:
    book = console.book
    last = book.store.head().entry
    if bool(said.entries) == bool(said.before_amendment):
        raise UsageError("Give two entries, or an amendment.", "Write e30..e58, or --before-amendment e60.")
    if said.entries:
        words = " ".join(said.entries)
        one, dots, other = ("..".join(said.entries) if len(said.entries) == 2 else words).partition("..")
        if not dots or not is_entry(one) or (other and not is_entry(other)):
            raise UsageError(f"{words[:40]!r} does not give two entries.", _two_of(words, last))
        return book.check_entry(number(one)), book.check_entry(number(other) if other else last)
    if not is_entry(said.before_amendment):
        raise UsageError(f"{said.before_amendment[:40]!r} is not an entry.", "Write it like --before-amendment e60.")
    amended = book.store.entry(book.check_entry(number(said.before_amendment)))
    jump = book.store.entry(amended.command)
    if jump.after == jump.entry - 1:
        message = f"e{amended.entry} belongs to no amendment: it stands after e{amended.after}, as it was recorded."
        raise UsageError(message, f"affray diff e{amended.after}..e{amended.entry}" if amended.after else "affray log")
    end = jump.entry
    for entry, _ in book.store.entries(jump.entry, last):
        if entry.command != jump.entry:
            break
        end = entry.entry
    return jump.entry - 1, end


def _two_of(words: str, last: int) -> str:
    """How to say two entries up to the last one; where some are among the words, the command with them."""
    found = [number for number in re.findall(r"\be?(\d{1,12})\b", words) if 0 < int(number) <= last]
    if not found:
        return "Write e30..e58, or e30.. for up to now."
    return f"affray diff e{found[0]}..{''.join(f'e{one}' for one in found[1:2])}"


def differences(book: Book, one: int, other: int) -> list[Difference]:
    """The differences between the boards after two entries, each with the entry that made it. Everybody is named as on
    the second; who is not there, as they are told.
    """
    left, persons = fork(book.store.course(one), book.store.course(other)), persons_of(book.store)
    names = persons.at(one).among(persons.at(other))
    different = between(values(book.state_at(one).under(names)), values(book.state_at(other)))
    sought = {name for name, _, _ in different}
    after = _last(book, other, left, sought)
    back = {now: then for then, now in names.items()}
    found = _last(book, one, left, {under(back, name) for name in sought - after.keys()})
    before = {under(names, name): change for name, change in found.items()}
    made: list[Difference] = []
    for name, old, new in different:
        change, course = (after[name], "second") if name in after else (before[name], "first")
        entry = change.transition.entry
        made.append(Difference(name, old, new, entry.entry, course, told(entry, change.transition.events, book.verbs)))
    return made


def _last(book: Book, tip: int, above: int, names: set[str]) -> dict[str, Change]:
    """The newest change of each value on the course to `tip`, above an entry."""
    found: dict[str, Change] = {}
    wanted: set[str] = set(names)
    for change in changes(book, tip, wanted, "diff") if tip > above and wanted else ():
        if change.transition.entry.entry <= above or not wanted:
            break
        if change.old != change.new and change.name not in found:
            found[change.name] = change
            wanted.discard(change.name)
    return found
