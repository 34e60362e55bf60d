"""A command that appends several entries: each is compared with what its course comes to."""

from collections.abc import Mapping
from typing import Any

from commands.action import systems
from commands.action.book import events_of
from commands.action.dice_sources import Dice, of_record
from ledger.chain import Entry
from ledger.errors import LedgerDamaged
from ledger.events import Event, Rolled
from ledger.store import Store
from projections.state import State

from .acts import Act
from .amend_proposal import by_todays_rules
from .findings import Findings
from .order import Course, Moment
from .rerun import Result

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
        self,
        entry: Entry,
        acts: tuple[Act, ...],
        thrown: Any,
        when: Mapping[int, Moment] | None,
        findings: Findings,
        store: Store,
    ) -> None:
        """`entry` is its first one, `acts` are the actions that are still to come or to be found impossible. `when`
        says when they were done, where the law of order holds for them.
        """
        self.first = self._at = entry.entry
        self._store = store
        self._program = entry.program
        self._findings = findings
        self._goes_on = when is not None
        self._own: Dice = Dice(faces=())
        """The new dice of the entry that is examined."""
        self._course = Course(acts, thrown, self._new, when)

    def appends(self, entry: Entry) -> bool:
        """Whether an entry says that it is part of this command, or resolves an action of it again."""
        return entry.command == self.first or any(act.origin == entry.origin for act in self._course.rest)

    def pass_over(self, entry: Entry) -> bool:
        """Believes an entry that is not what was recorded which action it resolved; whether it resolved one."""
        rest, origin = self._course.rest, _origin(entry)
        at = next((at for at, act in enumerate(rest) if act.origin == origin), None)
        if at is None:
            return self._goes_on and not origin
        self._course.rest = rest[at + 1 :]
        return True

    def instant(self, declared: Act, before: State, events: tuple[Event, ...]) -> Result:
        """What comes of the instant itself, with which the command begins."""
        self._own = _dice_of(events)
        self._course.rest.insert(0, declared)
        return self._checked(by_todays_rules(self._course, before))

    def member(self, entry: Entry, events: tuple[Event, ...], before: State) -> tuple[Event, ...]:
        """What comes of a later entry: an action of the course, resolved again. Raises Misplaced and Differs."""
        self._at, origin = entry.entry, _origin(entry)
        self._own = _dice_of(events)
        known = any(act.origin == origin for act in self._course.rest) or (self._goes_on and not origin)
        if not known or (entry.command, entry.after) != (self.first, entry.entry - 1):
            self.pass_over(entry)
            raise Misplaced(f"does not stand where e{self.first}, which it belongs to, puts it.")
        while self._course.rest:
            result = by_todays_rules(self._course, before)
            if result.act.origin == origin and not (result.refused and not origin and self._goes_on):
                return self._checked(result).events
            if isinstance(result.refused, LedgerDamaged):
                raise result.refused
            self._leave_out(result)
        raise Misplaced("belongs to a command that appends no more entries.")

    def _checked(self, result: Result) -> Result:
        """The result that an entry must have."""
        if isinstance(result.refused, LedgerDamaged):
            raise result.refused
        if result.refused:
            raise Differs(f" would be refused by this version's rules: {result.refused}")
        if result.lacking:
            self._drop(result.act)
            raise Differs(" would be refused by this version's rules: more dice are needed than it holds.")
        return result

    def _drop(self, act: Act) -> None:
        self._course.rest = [one for one in self._course.rest if one.entry != act.entry]

    def _new(self, act: Act) -> Dice:
        """The dice of an action that are new in its entry."""
        return self._own if not act.origin or self._store.entry(self._at).origin == act.origin else self._coming(act)

    def _coming(self, act: Act) -> Dice:
        """The new dice of an action that stands in a later entry of the command."""
        number, last = self._at, self._store.head().entry
        while number < last:
            number += 1
            entry = self._store.entry(number)
            if entry.command != self.first:
                break
            if entry.origin == act.origin:
                return _dice_of(events_of(entry))
        return Dice(faces=())

    def _leave_out(self, result: Result) -> None:
        """An action that the command leaves out is not possible any more."""
        act = self._course.rest[0] if result.act.puts_in is not None else result.act
        self._drop(act)
        if result.refused or result.lacking:
            return
        message = f"e{self.first} leaves out e{act.entry}, which is possible."
        programs = (self._program, act.program or self._program)
        if all(systems.is_current(program, result.state.campaign.system) for program in programs):
            rules = systems.rules_named(self._program)
            self._findings.say("fault", self.first, f"{message} {OURS.format(rules)}", "rules")
        else:
            self._findings.say("drift", self.first, message, "rules")

    def end(self, before: State) -> None:
        """No more entries come: all that is left of its actions is impossible."""
        self._own = Dice(faces=())
        while self._course.rest:
            self._leave_out(by_todays_rules(self._course, before))


def _dice_of(events: tuple[Event, ...]) -> Dice:
    """The dice that an entry holds."""
    return Dice(of_record(event for event in events if isinstance(event, Rolled)))


def _origin(entry: Entry) -> int:
    """The entry that first resolved the action of an entry; 0 for one that is put in."""
    return 0 if entry.origin == entry.entry else entry.origin
