"""The work of what-if in pieces: a ledger, or some fights of a large one, which any process can resolve again."""

import os
from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from commands.action.book import Book
from commands.action.quoting import quoted
from commands.past.soundness import damage
from commands.words.discovery import opened, shown
from ledger.errors import AffrayError, LedgerDamaged, UsageError
from ledger.store import Store

from .fights import Bench, Compared, Fight, fights
from .house_rule import HouseRule, Wanted, house_rule

TOGETHER = 250
"""Fights are given to a process until they have this many entries together."""


class Task(Struct, frozen=True):
    """A ledger, or some fights of one."""

    path: str
    head: int = 0
    """The last entry that counts; 0 where nobody has looked yet."""
    fights: tuple[Fight, ...] = ()


class Failure(Struct, frozen=True):
    """Why a ledger, or a fight of it, could not be resolved again."""

    ledger: str
    message: str
    hint: str
    code: int
    reference: str

    @property
    def error(self) -> AffrayError:
        """The same as an error."""
        made = AffrayError(self.message, self.hint)
        made.code, made.reference, made.data = self.code, self.reference, {"ledger": self.ledger}
        return made


class Answered(Struct, frozen=True):
    """The answer to a task."""

    path: str
    named: str
    """What the ledger is called."""
    system: str = ""
    compared: tuple[Compared, ...] = ()
    failure: Failure | None = None
    """The first fight or ledger that could not be resolved again."""
    failed: int = 0
    """How many fights could not."""
    unfit: tuple[str, ...] = ()
    """What of the house rule the rule system cannot have."""
    left_out: bool = False
    """Whether it cannot have any of it, and the ledger was left out."""
    other: bool = False
    """Whether it is a ledger of a rule system that nobody asked for."""


class Worker:
    """Resolves the fights of one ledger after another."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._rules: dict[str, HouseRule] = {}
        self._store: tuple[str, Store] | None = None
        self._bench: Bench | None = None

    def __call__(self, task: Task) -> tuple[Answered, list[Task]]:
        """The answer to a task, and the tasks that remain of a large ledger."""
        named = shown(task.path)
        try:
            store = self._opened(task.path)
            if task.head:
                return self._resolved(task, store, named), []
            return self._looked_at(task.path, store, named)
        except Exception as error:
            book = Book(self._store[1]) if self._store else None
            return Answered(task.path, named, failure=_failure(named, error, book)), []

    def __reduce__(self) -> tuple[type["Worker"], tuple[Wanted]]:
        """Another process opens its ledgers itself."""
        return Worker, (self.wanted,)

    def close(self) -> None:
        """Closes the ledger that is open."""
        if self._store:
            self._store[1].close()
        self._store = self._bench = None

    def _opened(self, path: str) -> Store:
        if self._store is None or self._store[0] != path:
            self.close()
            self._store = path, opened(path)
        return self._store[1]

    def _looked_at(self, path: str, store: Store, named: str) -> tuple[Answered, list[Task]]:
        """The answer, if the ledger is small; the tasks that it makes, if it is not."""
        if store.is_for_players:
            message = f"{named} holds only what the players see; its fights cannot be resolved again."
            raise UsageError(message, "Ask the game master for the ledger itself.")
        system = store.system()
        if self.wanted.system not in ("", system):
            return Answered(path, named, system, other=True), []
        rule = self._rule(system)
        if not rule.events:
            return Answered(path, named, system, unfit=rule.unfit, left_out=True), []
        with store.still() as head:
            tasks = [Task(path, head.entry, some) for some in _together(fights(store, head.entry))]
        if len(tasks) == 1:
            return self._resolved(tasks[0], store, named), []
        return Answered(path, named, system, unfit=rule.unfit), tasks

    def _rule(self, system: str) -> HouseRule:
        if system not in self._rules:
            self._rules[system] = house_rule(system, self.wanted)
        return self._rules[system]

    def _resolved(self, task: Task, store: Store, named: str) -> Answered:
        """The fights of a task, resolved again; those after one that cannot be read too."""
        system = store.system()
        rule = self._rule(system)
        if self._bench is None or self._bench.head != task.head:
            self._bench = Bench(Book(store), task.head, rule, named)
        compared: list[Compared] = []
        failure, failed = None, 0
        for fight, found in zip(task.fights, self._bench.compared(task.fights), strict=True):
            if isinstance(found, Compared):
                compared.append(found)
            else:
                failed += 1
                failure = failure or _failure(named, found, Book(store), fight)
        return Answered(task.path, named, system, tuple(compared), failure, failed, rule.unfit)


def _together(found: list[Fight]) -> Iterator[tuple[Fight, ...]]:
    """Fights one after another, as many as a process does at a time; one empty group of none."""
    some: list[Fight] = []
    entries = 0
    for fight in found:
        some.append(fight)
        entries += sum(last - first + 1 for first, last in fight.pieces)
        if entries >= TOGETHER:
            yield tuple(some)
            some, entries = [], 0
    if some or not found:
        yield tuple(some)


def _failure(named: str, error: Exception, book: Book | None, fight: Fight | None = None) -> Failure:
    """Why a ledger or one of its fights could not be resolved again, in a sentence that names it."""
    if not isinstance(error, AffrayError):
        if os.environ.get("AFFRAY_DEBUG"):
            raise error
        found = ""
        with suppress(Exception):
            found = damage(book) if book else ""
        error = LedgerDamaged(found, "affray verify") if found else _Fault(f"{type(error).__name__}: {error}")
    where = f"{named}, fight {fight.number}" if fight else named
    message = error.message if named in error.message and not fight else f"{where}: {error.message}"
    lines = [line for line in error.hint.splitlines() if not line.startswith("affray ")]
    hint = "\n".join([*lines, f"affray --ledger {quoted(named)} verify"] if isinstance(error, LedgerDamaged) else lines)
    return Failure(named, message, hint, error.code, error.reference)


class _Fault(AffrayError):
    """An error that is not the user's."""

    code, reference = 70, "fault"

    def __init__(self, what: str) -> None:
        message = f"this is a fault of Affray, not yours: {what[:300]}"
        super().__init__(message, "Report it with the command; AFFRAY_DEBUG=1 shows where it happened.")
