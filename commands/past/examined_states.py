"""The states of a record: folded from its events, entry by entry, and compared with its checkpoints."""

from collections import OrderedDict

import msgspec

from commands.action.book import Book
from ledger.errors import LedgerDamaged
from ledger.events import Event, decode
from projections.state import VERSION, State, fold
from projections.state import decode as decode_state

from .findings import Findings

_KEPT = 64
"""States kept in memory while the record is read; older ones are folded again when an entry stands after them."""


class ExaminedStates:
    """Folds the events of each entry, as far as they are known, and examines its checkpoint."""

    def __init__(self, book: Book, findings: Findings) -> None:
        self._book, self._store, self._findings = book, book.store, findings
        self._checkpoints: set[int] = set()
        self.trusted = True
        """Whether no checkpoint so far holds another state than it should."""
        self._states: OrderedDict[int, State] = OrderedDict({0: State()})
        self._dark: dict[int, int] = {}
        """Entries after which nobody knows the state, each with the damaged entry to blame."""
        self._waiting: dict[int, list[int]] = {}
        """Entries that were not resolved again, by the damaged entry that keeps them from it."""

    def open(self) -> None:
        """Before the first entry: which entries have checkpoints."""
        self._checkpoints = set(self._store.checkpoints())

    def begin(self, entry: int) -> State:
        """The state after an entry, from the checkpoints of the file: the entries after it are read from here."""
        state = self._states[entry] = self._book.state_at(entry)
        return state

    def miss(self, blame: dict[int, int]) -> None:
        """Nobody knows the state after some entries, each with the damaged entry to blame."""
        self._dark |= blame

    def waits(self, number: int, after: int) -> bool:
        """Whether nobody knows the state that an entry stands after, and therefore none of those that follow."""
        if after not in self._dark:
            return False
        blame = self._dark[number] = self._dark[after]
        self._waiting.setdefault(blame, []).append(number)
        return True

    def before(self, number: int, after: int) -> State | None:
        """The state that an entry stands after; None when something of its course cannot be read."""
        try:
            return self._at(after)
        except LedgerDamaged as error:
            self._dark[number] = after
            message = f"e{number} was not resolved again: {error.message}"
            self._findings.unchecked(number, message, "course", "rules", "checkpoints")
            return None

    def _at(self, entry: int) -> State:
        if entry in self._states:
            return self._states[entry]
        if self.trusted:
            return self._book.state_at(entry)
        return fold(State(), map(decode, self._store.bodies([*self._store.course(entry)][::-1])))

    def take(self, number: int, before: State, events: tuple[Event, ...], after: State | None = None) -> None:
        """Folds the events of an entry, unless `after` is the state after them, and compares its checkpoint."""
        try:
            after = after or fold(before, events)
        except Exception:  # of a reducer that was never given such facts
            message = "holds facts that do not follow from those before it."
            self._findings.damage(number, message, "course", "rules", "checkpoints")
            self._dark[number] = number
            return
        self._check(number, after)
        self._states[number] = after
        if len(self._states) > _KEPT:
            self._states.popitem(last=False)

    def _check(self, number: int, state: State) -> None:
        if number not in self._checkpoints or not (held := self._store.checkpoint(VERSION, number, number)):
            return
        if held.state != state.encoded() and not _means(held.state, state):
            message = f"The checkpoint of e{number} holds another state than its events make."
            self._findings.say("damage", number, message, "checkpoints")
            self.trusted = False

    def known(self, entry: int) -> State | None:
        """The state after one of the last entries; None when nobody knows it."""
        return None if entry in self._dark else self._states.get(entry)

    def close(self) -> None:
        """After the last entry: which ones wait for a damaged one."""
        for blame, entries in self._waiting.items():
            message = f"{_runs(entries)} could not be resolved again because of e{blame}."
            self._findings.unchecked(entries[0], message, "rules", "checkpoints")


def _means(text: str, state: State) -> bool:
    """Whether a checkpoint of other bytes holds this state."""
    try:
        return decode_state(text).encoded() == state.encoded()
    except (msgspec.DecodeError, ValueError):
        return False


def _runs(entries: list[int]) -> str:
    """Some entries in words: e4, e6 to e9."""
    runs: list[list[int]] = []
    for entry in entries:
        if runs and runs[-1][1] == entry - 1:
            runs[-1][1] = entry
        else:
            runs.append([entry, entry])
    return ", ".join(f"e{first}" if first == last else f"e{first} to e{last}" for first, last in runs)
