"""Reasons: the entries that made a value of the board what it is, and those that make two boards differ."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from commands.action.book import Book
from commands.action.declaration import Count, Declaration, is_entry, number
from commands.action.values import meant
from commands.past.course import fork
from commands.words.console import Console, harmless
from ledger.errors import UsageError
from ledger.events import Event, Overruled, Rolled, Ruled
from projections.changes import between, values
from projections.narration import plainly
from projections.state import fold

from .precedents import told
from .replay import thrown
from .show import At, columns, state_at
from .timeline import Change, changes, held, names_ever

USUAL = 10
"""How many changes are shown unless somebody asks for another number."""


class Why(Declaration):
    """Say why a value of the board is what it is: the entries that made it since it came onto the board, the newest
    first, with the rulings and the arithmetic that led to each change.
    """

    name: Annotated[str, Meta(description="Which value, such as kira.hp.", extra={"word": "value"})]
    at: At = ""
    last: Annotated[Count, Meta(description="Only the last N changes; 0 for all.")] = USUAL


class Made(Struct, frozen=True):
    """How an entry changed a value."""

    entry: int
    before: str
    after: str
    headline: str
    dice: tuple[str, ...]
    rulings: tuple[dict[str, Any], ...]
    """Of each ruling that led to the change its clause, all clauses that it names, and what it says."""
    facts: tuple[str, ...]
    """What the events that changed it say."""


def why(console: Console, said: Why) -> None:
    """Walks the course backwards to the first entry that put the value on the board, or as far as was asked for."""
    entry, state = state_at(console, said.at)
    name = meant(values(state), said.name, lambda: names_ever(console.book, entry, "why"))
    sought, more = {name}, False
    held_now = held(state, sought)[name]
    found: list[Made] = []
    for change in changes(console.book, entry, sought, "why"):
        if change.old == change.new:
            continue
        if said.last and len(found) == said.last:
            more = True
            break
        found.append(made(change))
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
            console.say(harmless(f"    fact    {fact}"))
    if more:
        at = f" --at {said.at}" if said.at else ""
        console.say(f"There are earlier changes: affray why {harmless(name)!r}{at} --last 0")
    if not found:
        console.say("It has not changed since the start.")


def made(change: Change) -> Made:
    """How an entry changed a value: the events that did it, and the rulings before them that led there."""
    events, state = change.transition.events, change.transition.before
    facts: list[Event] = []
    last, value = 0, change.old
    for at, event in enumerate(events):
        state = fold(state, (event,))
        now = held(state, (change.name,))[change.name]
        if now != value:
            facts.append(event)
            last, value = at, now
    who = change.name.partition(".")[0]
    led = _leading(events[:last], who)
    return Made(
        entry=change.transition.entry.entry,
        before=change.old,
        after=change.new,
        headline=told(change.transition.entry, events),
        dice=tuple(thrown(event) for event in led if isinstance(event, Rolled) and event.faces),
        rulings=tuple(_rule(event) for event in led if isinstance(event, Ruled | Overruled)),
        facts=tuple(event.line() or plainly(event) for event in facts),
    )


def _leading(events: Sequence[Event], who: str) -> list[Event]:
    """The rulings that concern somebody, the dice that they were made with, and what was overruled.

    A ruling concerns the one whom it is about, or whose it is when it is about nobody; so do those, about nobody, of
    those who act upon somebody. If nothing concerns `who`, what was ruled for `who` about others does.
    """
    rulings = [event for event in events if isinstance(event, Ruled)]
    actors = {event.who for event in rulings if event.about == who and event.who}
    concerning = [
        event
        for event in rulings
        if event.about == who or (not event.about and (event.who in (who, "") or event.who in actors))
    ]
    concerning = concerning or [event for event in rulings if event.who == who]
    pairs = {(event.who, event.about) for event in concerning if event.about}
    pairs |= {(about, doer) for doer, about in pairs} | {(one, "") for one in (who, *actors)}
    dice = [event for event in events if isinstance(event, Rolled) and (event.who, event.about) in pairs]
    kept = [*concerning, *dice]
    return [event for event in events if isinstance(event, Overruled) or any(event is one for one in kept)]


def _rule(event: Ruled | Overruled) -> dict[str, Any]:
    says = event.line() if isinstance(event, Ruled) else f"overruled: {event.why} The referee: {event.reason}"
    return {"clause": event.clause, "clauses": event.clauses, "says": says}


class Diff(Declaration):
    """Show what differs between the boards after two entries, and which entry made each difference."""

    entries: Annotated[
        str, Meta(description="Two entries, such as e30..e58; e30.. goes to the last one.", extra={"positional": True})
    ] = ""
    before_amendment: Annotated[
        str, Meta(description="The board before the amendment that this entry belongs to, and after it.")
    ] = ""


class Difference(Struct, frozen=True):
    """A value that differs between two boards, and the entry that made it so."""

    name: str
    before: str
    after: str
    entry: int
    """The entry of the second course that changed it last; of the first course, where none of the second did."""
    course: str
    """first or second: on the way to which of the two boards the entry lies."""
    headline: str


def diff(console: Console, said: Diff) -> None:
    """Compares two boards, whether the first lies on the way to the second or on a course that was left."""
    first, second = _ends(console, said)
    found = differences(console.book, first, second)
    left = fork(console.book.store.course(first), console.book.store.course(second))
    if console.json:
        console.give({"before": first, "after": second, "fork": left, "differences": found})
        return
    console.say(console.paint(f"From e{first} to e{second}:", "1"))
    if left not in (first, second):
        console.say(f"Their courses part after e{left}; a < marks an entry of the first.")
    if not found:
        console.say("Nothing on the board differs.")
        return
    rows = [
        [f"{one.name}:", f"{one.before} -> {one.after}", f"{'<' * (one.course == 'first')}e{one.entry}", one.headline]
        for one in found
    ]
    for line in columns(rows):
        console.say(line)


def _ends(console: Console, said: Diff) -> tuple[int, int]:
    book = console.book
    last = book.store.head().entry
    if bool(said.entries) == bool(said.before_amendment):
        raise UsageError("Say which two entries, or which amendment.", "Write e30..e58, or --before-amendment e60.")
    if said.entries:
        one, dots, other = said.entries.partition("..")
        if not dots or not is_entry(one) or (other and not is_entry(other)):
            raise UsageError(f"{said.entries[:40]!r} are not two entries.", "Write e30..e58, or e30.. for up to now.")
        return book.check_entry(number(one)), book.check_entry(number(other) if other else last)
    if not is_entry(said.before_amendment):
        raise UsageError(f"{said.before_amendment[:40]!r} is not an entry.", "Write it like --before-amendment e60.")
    amended = book.store.entry(book.check_entry(number(said.before_amendment)))
    jump = book.store.entry(amended.command)
    if jump.after == jump.entry - 1:
        raise UsageError(
            f"e{amended.entry} belongs to no amendment: it stands after e{amended.after}, as it was recorded.",
            f"affray diff e{amended.after}..e{amended.entry}" if amended.after else "affray log",
        )
    end = jump.entry
    for entry, _ in book.store.entries(jump.entry, last):
        if entry.command != jump.entry:
            break
        end = entry.entry
    return jump.entry - 1, end


def differences(book: Book, first: int, second: int) -> list[Difference]:
    """What differs between the boards after two entries, each with the entry that made it so."""
    different = between(book.state_at(first), book.state_at(second))
    left = fork(book.store.course(first), book.store.course(second))
    sought = {name for name, _, _ in different}
    after = _last(book, second, left, sought)
    before = _last(book, first, left, sought - after.keys())
    made: list[Difference] = []
    for name, old, new in different:
        change, course = (after[name], "second") if name in after else (before[name], "first")
        made.append(
            Difference(
                name,
                old,
                new,
                change.transition.entry.entry,
                course,
                told(change.transition.entry, change.transition.events),
            )
        )
    return made


def _last(book: Book, tip: int, above: int, names: set[str]) -> dict[str, Change]:
    """The newest change of each value on the course to `tip`, above an entry."""
    found: dict[str, Change] = {}
    wanted: set[str] = set(names)
    if tip == above or not wanted:
        return found
    for change in changes(book, tip, wanted, "diff"):
        if change.transition.entry.entry <= above:
            break
        if change.old != change.new and change.name not in found:
            found[change.name] = change
            wanted.discard(change.name)
            if not wanted:
                break
    return found
