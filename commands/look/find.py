"""Finding: the entries at which something on the board became so."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.declaration import Count, Declaration
from commands.action.values import Condition, meant, read_conditions
from commands.words.console import Desk, harmless
from projections.changes import same, values
from projections.narration import lines

from .filters import Filters, Sieve
from .show import tell_entry
from .timeline import Step, forwards, held, names_ever

Conditions = Annotated[
    tuple[str, ...],
    Meta(description="Such as 'kira.hp < 5' or goblin-1.down; of several all.", extra={"word": "value"}),
]


class Find(Filters):
    """List the entries at which some conditions became true together; without conditions, all that pass the filters.
    Only what stands counts.
    """

    conditions: Annotated[Conditions, Meta(extra={"positional": True})] = ()
    last: Annotated[Count, Meta(description="Only the last N of these; 0 for all.")] = 0


def find(desk: Desk, said: Find) -> None:
    """The lines of each entry, with the values that count there."""
    conditions = named(desk.book, said.conditions, "find")
    sieve = Sieve(desk.book, said)
    kept: deque[Step] = deque(maxlen=said.last or 1)
    found = False
    for step, became in came(desk.book, conditions, "find"):
        if sieve.passes(step.entry, step.events) and became:
            found = True
            if said.last:
                kept.append(step)
            else:
                _tell(desk, step, conditions)
    for step in kept:
        _tell(desk, step, conditions)
    if not found and not desk.json:
        desk.whisper("That was never so." if conditions else "Nothing that stands passes these filters.")


class Bisect(Declaration):
    """Find the first entry that stands at which some conditions became true together."""

    conditions: Conditions


def bisect(desk: Desk, said: Bisect) -> None:
    """The entry, what made it so, and whether it is still so."""
    conditions = named(desk.book, said.conditions, "bisect")
    for step, became in came(desk.book, conditions, "bisect"):
        if became:
            _tell(desk, step, conditions)
            if not desk.json:
                state = desk.book.present()[1]
                now = held(state, [condition.name for condition in conditions])
                still = all(condition.holds(now[condition.name]) for condition in conditions)
                desk.whisper("It is still so." if still else "It is no longer so.")
            return
    if desk.json:
        desk.give({"entry": None})
        return
    desk.whisper("That was never so.")


def named(book: Book, words: Sequence[str], what: str) -> list[Condition]:
    """The conditions that are meant, each with the name of its value in full.

    Raises UsageError when a word is no condition, NameUnknown when it names no value, or several could be meant.
    """
    head, state = book.present()
    board = values(state)
    past: list[str] = []

    def ever() -> list[str]:
        past[:] = past or names_ever(book, head.entry, what)
        return past

    return [replace(one, name=meant(board, one.name, ever)) for one in read_conditions(words)]


def came(book: Book, conditions: Sequence[Condition], what: str) -> Iterator[tuple[Step, bool]]:
    """Every entry that stands, in order, and whether the conditions became true by it; without conditions, always."""
    names = [condition.name for condition in conditions]
    true = False
    for step in forwards(book, book.store.head().entry, what):
        before = true
        if conditions and not same(step.before, step.after):
            now = held(step.after, names)
            true = all(condition.holds(now[condition.name]) for condition in conditions)
        yield step, (true and not before) or not conditions


def _tell(desk: Desk, step: Step, conditions: Sequence[Condition]) -> None:
    names = list(dict.fromkeys(condition.name for condition in conditions))
    old, new = held(step.before, names), held(step.after, names)
    if desk.json:
        changed = [{"name": name, "before": old[name], "after": new[name]} for name in names]
        at = {"entry": step.entry.entry, "typed": step.entry.typed}
        desk.give({**at, "changes": changed, "lines": lines(step.events)})
        return
    tell_entry(desk, step.entry.entry, step.events)
    for name in names:
        arrow = f"{old[name]} -> {new[name]}" if old[name] != new[name] else new[name]
        desk.say(desk.paint(harmless(f"    {name}: {arrow}"), "2"))
