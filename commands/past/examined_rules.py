"""The rules of a record: every declaration, resolved again with its own dice, gives the same events."""

from typing import Any

import msgspec

from commands.action import systems
from commands.action.declaration import is_entry
from commands.action.dice_sources import Dice, answers, of_answers
from commands.action.mistakes import in_words
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from ledger import dice
from ledger.chain import Entry
from ledger.errors import AffrayError, LedgerDamaged
from ledger.events import encode, split
from ledger.events.campaign import CampaignBegan, DiceRevealed, Retracted, Revealed, Stirred, TableSet
from ledger.events.declared import Declared, Event, Rolled
from ledger.store import Store
from projections.narration import told
from projections.state import State

from .acts import Act
from .amend_proposal import Amendment, revision
from .answers import answered, taken_back
from .examined_command import OURS, Differs, ExaminedCommand, Misplaced
from .findings import Finding, Findings
from .rerun import differing
from .secrets import revealed_entries
from .thrown import Thrown
from .undo import Redo, Undo, jump


class ExaminedRules:
    """Resolves entry after entry again, each from the state that it stands after, and compares the events."""

    def __init__(self, store: Store, findings: Findings) -> None:
        self._store, self._findings = store, findings
        self._command: ExaminedCommand | None = None
        """The command of several entries that is under way."""
        self._lost: set[int] = set()
        """First entries of commands of which nobody knows what else they append."""

    def examine(self, entry: Entry, events: tuple[Event, ...], before: State, last: State | None) -> State | None:
        """Resolves an entry again, unless it is known not to be what was recorded. `last` is the state after the entry
        before it, if somebody knows it. Gives the state after the entry, if that came of it.
        """
        number = entry.entry
        found_by = self._findings.unsound.get(number)
        if found_by is None:
            return self._check_said(entry, events, before, last)
        if found_by not in self._findings.checks:
            self._findings.say(
                "unchecked", number, f"e{number} was not resolved again: --check {found_by} finds damage there."
            )
        if not self._command or not self._command.pass_over(entry):
            self.end(last)
            self._lost.add(number)
        return None

    def end(self, last: State | None) -> None:
        """No more entries of a command of several come. `last` is the state after it, if somebody knows that."""
        command, self._command = self._command, None
        if command and last:
            command.end(last)

    def miss(self) -> None:
        """An entry was not resolved again: nobody knows whether it belongs to the command that is under way."""
        self._command = None

    def _check_said(self, entry: Entry, events: tuple[Event, ...], before: State, last: State | None) -> State | None:
        """The entry is what its declaration comes to, or part of what an earlier one does. Gives the state after it, if
        that came of it.
        """
        try:
            if self._command and self._command.appends(entry):
                _compare(entry, events, self._command.member(entry, events, before))
                return None
            self.end(last)
            if entry.command in self._lost and entry.command < entry.entry:
                return self._check_alone(entry, events, before)
            return self._check_rules(entry, _declared(entry, events), events, before)
        except Differs as differs:
            self._differs(entry, differs, before, events)
        except LedgerDamaged as error:  # of another entry, which it needs
            self._unchecked(entry, f": {error.message}")
            self._lost.add(entry.entry)
        except Misplaced as misplaced:
            self._findings.damage(entry.entry, misplaced.message, "course", "rules")
        return None

    def _differs(self, entry: Entry, differs: Differs, before: State, events: tuple[Event, ...]) -> None:
        """An entry differs from what today's rules make of it: drift, or a fault of ours."""
        rules = systems.rules_named(entry.program)
        began = (event.system for event in events if isinstance(event, CampaignBegan))
        system = before.campaign.system or next(began, "")
        if systems.is_current(entry.program, system):
            self._findings.say("fault", entry.entry, f"e{entry.entry}{differs.message} {OURS.format(rules)}", "rules")
            return
        if "rules" in self._findings.checks:
            verbs = systems.recorded_verbs(system)
            recorded, now = (
                differing(events, differs.now, verbs)
                if differs.now
                else ([one.outcome for one in told(events, verbs)], [])
            )
            message = f"e{entry.entry}{differs.message}"
            self._findings.all.append(
                Finding("drift", entry.entry, message, "rules", rules, tuple(recorded), tuple(now))
            )

    def _check_rules(self, entry: Entry, declared: Declared, events: tuple[Event, ...], before: State) -> State | None:
        past = systems.past(declared.verb)
        if past == "jumps":
            now = self._jumped(entry, declared)
        elif past == "amends" or declared.instant:
            now = self._begun(entry, declared, before, events)
        elif entry.after != entry.entry - 1:
            raise Misplaced(f"stands after e{entry.after}, but is not an undo, redo or amendment.")
        elif past == "lasts":
            now = self._opened(entry.entry - 1, declared, events)
        else:
            return self._resolved(entry, declared, events, before)
        _compare(entry, events, now)
        return None

    def _opened(self, head: int, declared: Declared, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """What a stir or a reveal records. That it comes from the key is a check of the dice."""
        what = declared.said.get("what")
        match events[1:]:
            case (Stirred(words=words),) if words == dice.used(str(declared.said.get("words"))):
                return events
            case (DiceRevealed(hidden=hidden),) if what == "dice" and hidden is declared.said.get("hidden", False):
                return events
            case (Revealed(), *_) if is_entry(str(what)) and 1 <= int(str(what)[1:]) <= head:
                return (declared, *revealed_entries(self._store, head, int(str(what)[1:])))
        raise Differs(" is neither a stir nor a reveal that could have been recorded.")

    def _unchecked(self, entry: Entry, why: str) -> None:
        self._findings.unchecked(entry.entry, f"e{entry.entry} was not resolved again{why}", "course", "rules")

    def _check_alone(self, entry: Entry, events: tuple[Event, ...], before: State) -> State | None:
        """An entry of a command of several, of which nobody knows what it should append."""
        declared = events[0]
        if not isinstance(declared, Declared):
            raise Misplaced("does not begin with a declaration.")
        if declared.instant:
            self._unchecked(entry, f", as e{entry.command} was not.")
            return None
        return self._resolved(entry, declared, events, before)

    def _resolved(self, entry: Entry, declared: Declared, events: tuple[Event, ...], before: State) -> State:
        """The state after an action that is resolved again with its own dice, and comes out as it was recorded."""
        known = dict(answers(event for event in events if isinstance(event, Rolled)))
        recorded, declaration = of_answers(known), None
        try:
            _, declaration = systems.procedure(systems.find_verb(before.campaign.system, declared.verb))
            said = msgspec.convert(declared.said, declaration)
            fight = resolve(
                Resolution(
                    before,
                    declared.verb,
                    said,
                    Dice(recorded),
                    declared.allow,
                    secret=declared.secret,
                    recorded=events,
                    out_of_order=declared.out_of_order,
                )
            )
        except Exception as error:
            raise Differs(f" would be refused by this version's rules: {_named(error, declaration)}") from None
        if len(recorded.used) < len(known):
            raise Differs(" holds dice that its action does not ask for.", tuple(fight.events))
        _compare(entry, events, tuple(fight.events))
        return fight.state

    def _jumped(self, entry: Entry, declared: Declared) -> tuple[Event, ...]:
        """What an undo or a redo records. Raises Misplaced when it leads elsewhere."""
        kind = Undo if declared.verb == "undo" else Redo
        try:
            msgspec.convert(declared.said, kind)
            leads = jump(self._store, entry.entry - 1, declared.verb, declared.said)
        except LedgerDamaged:
            raise
        except (AffrayError, msgspec.ValidationError) as error:
            raise Misplaced(f"could not have been recorded: {in_words(error, kind)}") from None
        if leads.after != entry.after:
            raise Misplaced(f"stands after e{entry.after}; its words lead to e{leads.after}.")
        return (declared, *leads.events)

    def _begun(self, entry: Entry, declared: Declared, before: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """What the first entry of a command records that resolves earlier actions again."""
        head = entry.entry - 1
        if declared.instant:
            after, course = answered(self._store, head)
            if not course:
                self._lost.add(entry.entry)
                raise Differs(" would be refused by this version's rules: there was no action to answer.")
            command = ExaminedCommand(entry, course, Thrown(self._store, head).of, None, self._findings, self._store)
            self._command = command
            _check_after(entry, after)
            return taken_back(command.instant(Act(declared), before, events).events, tuple(act.entry for act in course))
        try:
            said = {**declared.said, "entry": int(str(declared.said.get("entry")).removeprefix("e"))}
            planned = revision(self._store, head, msgspec.convert(said, Amendment))
        except LedgerDamaged:
            raise
        except (AffrayError, msgspec.ValidationError, ValueError) as error:
            self._lost.add(entry.entry)
            raise Differs(f" would be refused by this version's rules: {in_words(error, Amendment)}") from None
        when = planned.when(before)
        self._command = ExaminedCommand(entry, planned.acts, planned.thrown, when, self._findings, self._store)
        _check_after(entry, planned.after)
        return (declared, Retracted(planned.gone, ()))


def _check_after(entry: Entry, after: int) -> None:
    if entry.after != after:
        raise Misplaced(f"stands after e{entry.after}; its words lead to e{after}.")


def _declared(entry: Entry, events: tuple[Event, ...]) -> Declared:
    """The declaration of an entry that begins a command. Raises Misplaced when it is none."""
    if (entry.command, entry.origin) != (entry.entry, entry.entry):
        raise Misplaced("says that it belongs to another command, but it does not.")
    if not isinstance(declared := events[0], Declared):
        raise Misplaced("does not begin with a declaration.")
    return declared


def _compare(entry: Entry, events: tuple[Event, ...], now: tuple[Event, ...]) -> None:
    """Raises Differs when the events that are recorded are not those that come out, to the byte."""
    bodies = [*map(encode, now)]
    again = tuple(map(bytes.decode, bodies))
    if again == entry.bodies:
        if tuple(map(split, now, bodies)) != entry.splits:
            raise Differs(" divides an event otherwise into its open and its closed half.", now)
        return
    pairs = zip(again, entry.bodies, strict=False)
    nth = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(again), len(entry.bodies)))
    if nth < min(len(now), len(events)):
        was, is_ = events[nth], now[nth]
        if isinstance(was, TableSet) and isinstance(is_, TableSet) and was.table == is_.table:
            raise Differs(
                f" uses the {was.table} table of another version of the rules (digest {was.digest[:12]}; that of this"
                f" version: {is_.digest[:12]}).",
                now,
            )
    raise Differs(f", resolved again by the rules, differs from the record at its event {nth + 1}.", now)


def _named(error: Exception, kind: Any) -> str:
    ours = isinstance(error, AffrayError | msgspec.ValidationError)
    return in_words(error, kind) if ours else f"{type(error).__name__}: {error}"
