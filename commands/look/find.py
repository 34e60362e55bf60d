"""Finding: the entries at which conditions on the board became true."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.declaration import Count, says
from commands.action.systems import recorded_verbs
from commands.action.values import NEVER, meant, plain
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.errors import UsageError
from projections.changes import same, values
from projections.narration import told

from .filters import Filters, Sieve
from .timeline import Followed, Transition, forwards, names_ever

_OPERATORS = ("<=", ">=", "!=", "=", "<", ">")
_CONDITION = re.compile(r"\s*(.*?)\s*(<=|>=|!=|==|=|<|>)\s*(.*?)\s*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}")


class Criterion(Struct, frozen=True):
    """A condition: a value of the board compared with another, or its presence."""

    name: str
    sign: str
    """"" when the value only has to be there and not be a no."""
    value: str

    def holds(self, held: str) -> bool:
        """Whether the condition is true for the value; a dash stands for a value that is not on the board."""
        if not self.sign:
            return held not in NEVER
        if self.sign in ("=", "!="):
            return (plain(held) == plain(self.value)) == (self.sign == "=")
        if not _NUMBER.fullmatch(held):
            return False
        left, right = int(held), int(self.value)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[self.sign]


class Find(Filters):
    """List the entries at which some conditions became true together; without conditions, all that pass the filters.
    Undone entries do not count.
    """

    conditions: Annotated[
        tuple[str, ...],
        says("Such as 'kira.hp < 5' or goblin-1.down; with several, all must hold.", word="value", positional=True),
    ] = ()
    last: Annotated[Count, says("Only the last N of these; 0 for all.")] = 0


def find(console: Console, said: Find) -> None:
    """Prints the lines of each entry, with the values in question."""
    followed = Followed(console.book, console.book.store.head().entry)
    conditions = _named(console.book, followed, said.conditions)
    sieve = Sieve(console.book, said)
    came = _came(console.book, followed, conditions)
    passing = (one for one, became in came if sieve.passes(one.entry, one.events) and became)
    found = False
    for transition in deque(passing, said.last) if said.last else passing:
        found = True
        _tell(console, followed, transition, conditions)
    if not found and not console.json:
        console.whisper("No entry ever matched." if conditions else "Nothing that stands passes these filters.")


def _named(book: Book, followed: Followed, words: Sequence[str]) -> list[Criterion]:
    """The conditions, each with the name of its value in full. Raises UsageError when a word is not a condition,
    NameUnknown when it fits no value, or several.
    """
    head, state = book.present()
    board, ever = values(state), cache(lambda: names_ever(book, head.entry, "find"))
    return [replace(one, name=followed.then(meant(board, one.name, ever), head.entry)) for one in read_criteria(words)]


def _came(book: Book, followed: Followed, conditions: Sequence[Criterion]) -> Iterator[tuple[Transition, bool]]:
    """Every entry that stands, in order, and whether the conditions became true by it; without conditions, always."""
    names = [condition.name for condition in conditions]
    true = False
    for transition in forwards(book, book.store.head().entry, "find"):
        before = true
        if conditions and not same(transition.before, transition.after):
            now = followed.held(transition.after, transition.entry.entry, names)
            true = all(condition.holds(now[condition.name]) for condition in conditions)
        yield transition, (true and not before) or not conditions


def _tell(console: Console, followed: Followed, transition: Transition, conditions: Sequence[Criterion]) -> None:
    names = list(dict.fromkeys(condition.name for condition in conditions))
    verbs = recorded_verbs(transition.after.campaign.system)
    entry = transition.entry
    old = followed.held(transition.before, entry.after, names)
    new = followed.held(transition.after, entry.entry, names)
    if console.json:
        changed = [{"name": name, "before": old[name], "after": new[name]} for name in names]
        at = {"entry": transition.entry.entry, "typed": transition.entry.typed}
        console.give({**at, "changes": changed, "lines": told(transition.events, verbs)})
        return
    console.narrate(told(transition.events, verbs), f"e{transition.entry.entry}")
    for name in names:
        arrow = f"{old[name]} -> {new[name]}" if old[name] != new[name] else new[name]
        console.say(console.paint(harmless(f"    {name}: {arrow}"), "2"))


def read_criteria(words: Sequence[str]) -> list[Criterion]:
    """The conditions in the words of a command line; each is one word, or three with the sign in the middle. Raises
    UsageError for a word that is not a condition.
    """
    joined: list[str] = []
    glue = False
    for word in words:
        sign = word.strip() in (*_OPERATORS, "==")
        if joined and (sign or glue):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
        glue = sign
    return [_condition(word) for word in joined]


def _condition(word: str) -> Criterion:
    parts = _CONDITION.fullmatch(word)
    name, sign, value = parts.groups() if parts else (word.strip(), "", "")
    sign = "=" if sign == "==" else sign
    if not name or (sign and not value):
        message = f"{word[:60]!r} is not a condition."
        raise UsageError(message, "Write it like 'kira.hp < 5', goblin-1.down or 'round = 3'.")
    if sign and sign not in ("=", "!=") and not _NUMBER.fullmatch(value):
        raise UsageError(f"{sign} compares whole numbers; {value[:40]!r} is not one.", f"'{name} = {value[:40]}'")
    return Criterion(name, sign, value)
