"""A command that appends several entries: each is compared with what its course comes to."""

from typing import Any

from commands.action import systems
from commands.action.book import events_of
from commands.action.dice_sources import Recorded, Source, Typed
from ledger.chain import Entry
from ledger.errors import LedgerDamaged
from ledger.events import Declared, Event, Rolled
from ledger.store import Store
from projections.state import State

from .findings import Findings
from .rerun import Act, Result, named_otherwise, renamed, today

OURS = "The same version of the rules, {}, wrote it: the fault is ours, unless somebody chained the record anew."


class Differs(Exception):
    """An entry is not what today's rules make of its declaration."""

    def __init__(self, message: str, now: tuple[Event, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.now = now
        """What they make of it; nothing when they refuse it."""


class Misplaced(Exception):
    """An entry says of itself, or of the course, what cannot be so by any rules."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ExaminedCommand:
    """Examines the entries of a command that resolves actions again, after a correction or after an instant."""

    def __init__(
        self, entry: Entry, acts: tuple[Act, ...], thrown: Any, goes_on: bool, findings: Findings, store: Store
    ) -> None:
        """`entry` is its first one, `acts` are the actions that are still to come or to be found impossible. With
        `goes_on`, what holds up an action is passed or done before it.
        """
        self.first = self._at = entry.entry
        self._store = store
        self._program = entry.program
        self._rest = acts
        self._thrown, self._goes_on = thrown, goes_on
        self._findings = findings

    def appends(self, entry: Entry) -> bool:
        """Whether an entry says that it is part of this command, or resolves an action of it again."""
        again = entry.origin != entry.entry and any(act.origin == entry.origin for act in self._rest)
        return again or entry.command == self.first

    def pass_over(self, entry: Entry) -> bool:
        """Believes an entry that is not what was recorded which action it resolved; whether it resolved one."""
        if self._take(entry) is None:
            return False
        self._rest = self._rest[1:]
        return True

    def _take(self, entry: Entry) -> tuple[Act, ...] | None:
        """Takes the actions up to that of an entry from the rest. Gives those before it; None when it has none here. An
        entry that is not of the course may be put in before the next action, because the table went on.
        """
        origin = 0 if entry.origin == entry.entry else entry.origin
        at = next((at for at, act in enumerate(self._rest) if act.origin == origin), None)
        if at is None:
            return () if self._goes_on and not origin else None
        before, self._rest = self._rest[:at], self._rest[at:]
        return before

    def instant(self, declared: Act, before: State, events: tuple[Event, ...]) -> Result:
        """What comes of the instant itself, with which the command begins."""
        return self._next(before, events, (declared, *self._rest))

    def member(self, entry: Entry, events: tuple[Event, ...], before: State) -> tuple[Event, ...]:
        """What comes of a later entry: an action of the course, resolved again. Raises Misplaced and Differs."""
        self._at = entry.entry
        left_out = self._take(entry)
        if left_out is None or (entry.command, entry.after) != (self.first, entry.entry - 1):
            self._rest = self._rest[left_out is not None :]
            raise Misplaced(f"does not stand where e{self.first}, which it belongs to, puts it.")
        for nth, act in enumerate(left_out):
            self._check_left_out(act, (*left_out[nth:], *self._rest), before)
        if self._goes_on and entry.origin == entry.entry:
            self._skip_impossible(before)
        rest, self._rest = self._rest, self._rest[1:]
        result = self._next(before, events, rest)
        if result.act.puts_in is not None:
            self._rest = rest
        elif names := named_otherwise(result.act.before, result.events):
            self._rest = tuple(renamed(act, names, before.campaign.system) for act in self._rest)
        if bool(result.act.origin) is (entry.origin == entry.entry):
            raise Misplaced(f"does not stand where e{self.first}, which it belongs to, puts it.")
        return result.events

    def _next(self, before: State, events: tuple[Event, ...], rest: tuple[Act, ...]) -> Result:
        """What comes of the next action, on its dice and those that are new in its entry."""
        source = Recorded(event for event in events if isinstance(event, Rolled))
        if not rest:
            raise Misplaced("belongs to a command that appends no more entries.")
        result = today(before, rest, self._thrown, source, self._goes_on, self._coming)
        if isinstance(result.refused, LedgerDamaged):
            raise result.refused
        if result.refused:
            raise Differs(f" would be refused by this version's rules: {result.refused}")
        if result.lacking:
            raise Differs(" would be refused by this version's rules: more dice are needed than it holds.")
        return result

    def _coming(self, act: Act) -> Source:
        """The new dice of an action that instants answer: they stand in its own entry, which comes after those."""
        number, last = self._at, self._store.head().entry
        while number < last:
            number += 1
            entry = self._store.entry(number)
            events = events_of(entry)
            if entry.command != self.first:
                break
            if entry.origin == act.origin:
                return Recorded(event for event in events if isinstance(event, Rolled))
            if entry.origin != number and not (isinstance(events[0], Declared) and events[0].instant):
                break
        return Typed(())

    def _skip_impossible(self, before: State) -> None:
        """Takes the next actions that are not possible: what the entry puts in is before a later one."""
        while self._rest:
            result = today(before, self._rest, self._thrown, goes_on=True, coming=self._coming)
            if not result.refused:
                return
            self._rest = self._rest[1:]

    def _check_left_out(self, act: Act, course: tuple[Act, ...], before: State) -> None:
        """An action that the command leaves out is not possible any more."""
        result = today(before, course, self._thrown, goes_on=self._goes_on, coming=self._coming)
        if result.refused or result.lacking:
            return
        message = f"e{self.first} leaves out e{act.entry}, which is possible."
        programs = (self._program, act.program or self._program)
        if all(systems.is_current(program, before.campaign.system) for program in programs):
            rules = systems.rules_named(self._program)
            self._findings.say("fault", self.first, f"{message} {OURS.format(rules)}", "rules")
        else:
            self._findings.say("drift", self.first, message, "rules")

    def end(self, before: State) -> None:
        """No more entries come: all that is left of its actions is impossible."""
        for at, act in enumerate(self._rest):
            self._check_left_out(act, self._rest[at:], before)
