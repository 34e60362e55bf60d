"""Soundness: everything about a record that can be checked, in one run, with every finding and its place."""

from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import is_entry
from commands.action.dice_sources import Recorded
from commands.action.mistakes import in_words
from commands.action.procedures import resolve
from commands.action.progress import watched
from commands.action.resolution import Resolution
from ledger import dice
from ledger.chain import GENESIS, Entry, head_line
from ledger.errors import AffrayError, LedgerDamaged, RulesMissing
from ledger.events import (
    CampaignBegan,
    Declared,
    DiceRevealed,
    Event,
    Retracted,
    Revealed,
    Rolled,
    Stirred,
    TableSet,
    decode,
    encode,
    split,
)
from ledger.forms import check_parts
from ledger.parts import decode as decode_parts
from ledger.parts import encode as encode_parts
from ledger.store import BATCH
from projections.narration import told
from projections.state import VERSION, State, fold
from projections.state import decode as decode_state

from .amendment import Amendment, revision
from .examined_course import ExaminedCourse
from .examined_dice import ExaminedDice, Grades
from .instants import answered, taken_back
from .rerun import Act, Result, Thrown, differing, named_otherwise, renamed, today
from .secrets import revealed_entries
from .undo import Redo, Undo, jump

Check = Literal["chain", "dice", "course", "rules", "file", "checkpoints"]
"""A part of the examination, which can be made alone."""
CHECKS: dict[Check, str] = {
    "chain": "every digest follows from the entry and the digest before it",
    "dice": "every die of the stream shows the face that the key gives at its place",
    "course": "every entry stands where its words lead",
    "rules": "every declaration, resolved again with its own dice, gives the same events",
    "file": "SQLite finds no damage; the file has all that a ledger has, nothing else, and no event without its entry",
    "checkpoints": "every checkpoint holds the state that the events make",
}
"""The checks in their order, each with what it finds to be so."""

KEPT = 64
"""States kept in memory while the record is read; older ones are folded again when an entry stands after them."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """Something that is not as it should be, or not as it would be today."""

    sort: Literal["damage", "drift", "fault", "unchecked"]
    """damage: bytes, dice or chain are not what was recorded. drift: another version of the rules resolved the entry,
    and today's would do it otherwise; the recorded facts stand. fault: so does the version that wrote it, which should
    not be. unchecked: what damage elsewhere keeps from being checked.
    """
    entry: int
    """0 when it concerns no entry."""
    message: str
    check: Check | Literal[""] = ""
    """The check that found it; of several the first."""
    rules: str = ""
    """The version of the rules that resolved the entry, of a drift."""
    recorded: tuple[str, ...] = ()
    """What the record tells of it, where today's rules tell something else."""
    now: tuple[str, ...] = ()
    """What today's rules tell of it, where the record tells something else; empty when they refuse it."""


class Audit(Struct, frozen=True):
    """What an audit found."""

    entries: int
    events: int
    dice: int
    head: str
    """The head line."""
    state: str
    """Digest of the state at the head; "" when it cannot be told."""
    checks: tuple[Check, ...] = tuple(CHECKS)
    """What was checked."""
    findings: tuple[Finding, ...] = ()
    missing: str = ""
    """The rule system of the campaign, if it is not installed: nothing was resolved again then."""
    players: bool = False
    """Whether it is a file for players: nothing can be resolved again from it."""
    grades: Grades = Grades()

    def of(self, *sorts: str) -> tuple[Finding, ...]:
        """The findings of some sorts."""
        return tuple(finding for finding in self.findings if finding.sort in sorts)


def examine(book: Book, checks: Collection[str] = ()) -> Audit:
    """Checks everything, or only what `checks` name, and goes on after each finding with what can still be checked.

    The chain: every digest follows from the entry and the digest before. The dice: every face of the stream is what
    the key gives at its place, and each place comes right after the one before. The course: every jump leads where its
    words say. The rules: every declaration, resolved again from the state that its entry stands after, with its own
    dice, gives the same events to the byte. The file: its guards are there, and no event is without its entry. The
    checkpoints: each sound one holds the state that the events make. What keeps a check from being made is a finding
    of that check too.
    """
    return _Examination(book, tuple(check for check in CHECKS if not checks or check in checks)).made()


_OPENING = (CampaignBegan, Stirred, DiceRevealed, Revealed)
OURS = "The same version of the rules, {}, wrote it: the fault is ours, unless somebody chained the record anew."


def damage(book: Book) -> str:
    """The first damage of a ledger; "" when it has none. Faults, drift and what could not be checked are no damage."""
    found = examine(book).of("damage")
    return found[0].message if found else ""


class _Differs(Exception):
    """An entry is not what today's rules make of its declaration."""

    def __init__(self, message: str, now: tuple[Event, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.now = now
        """What they make of it; nothing when they refuse it."""


class _Command:
    """A command that appends several entries: actions resolved again after a correction, or after an instant."""

    def __init__(self, first: int, program: str, acts: tuple[Act, ...], thrown: Any, goes_on: bool) -> None:
        self.first = first
        self.program = program
        self.rest = acts
        """The actions that are still to come, or to be found impossible."""
        self.thrown = thrown
        self.goes_on = goes_on
        """Whether what holds up an action is passed or done before it."""

    def appends(self, entry: Entry) -> bool:
        """Whether an entry says that it is part of this command, or resolves an action of it again."""
        again = entry.origin != entry.entry and any(act.origin == entry.origin for act in self.rest)
        return again or entry.command == self.first

    def take(self, entry: Entry) -> tuple[Act, ...] | None:
        """Takes the actions up to that of an entry from the rest. Gives those before it; None when it has none here. An
        entry that is not of the course may be put in before the next action, because the table went on.
        """
        origin = 0 if entry.origin == entry.entry else entry.origin
        at = next((at for at, act in enumerate(self.rest) if act.origin == origin), None)
        if at is None:
            return () if self.goes_on and not origin else None
        before, self.rest = self.rest[:at], self.rest[at:]
        return before


class _Examination:
    """One run over the whole record."""

    def __init__(self, book: Book, checks: tuple[Check, ...]) -> None:
        self.book, self.store = book, book.store
        self.checks = checks
        self.resolves = "rules" in checks or "course" in checks
        """Whether declarations are resolved again: which entries a correction appends hangs on what is possible."""
        self.missing = ""
        """The rule system of the campaign, if it is not installed."""
        self.folds = self.resolves or "checkpoints" in checks
        """Whether the states are needed."""
        self.found: list[Finding] = []
        self.states: OrderedDict[int, State] = OrderedDict({0: State()})
        self.dark: dict[int, int] = {}
        """Entries after which nobody knows the state, each with the damaged entry to blame."""
        self.waiting: dict[int, list[int]] = {}
        """Entries that were not resolved again, by the damaged entry that keeps them from it."""
        self.unsound: dict[int, Check] = {}
        """Entries of which the bytes, the dice or the place are not what was recorded, each with the check that found
        it."""
        self.checkpoints: set[int] = set()
        self.trusted = True
        """Whether no checkpoint so far holds another state than it should."""
        self.key: bytes | None = None
        self.players = self.store.is_for_players
        self.dice = ExaminedDice(self.store, self._wrong_dice)
        self.course = ExaminedCourse(self._wrong_course)
        self.command: _Command | None = None
        self.unreadable: set[int] = set()
        """Entries on damaged pages of the file."""
        self.lost: set[int] = set()
        """First entries of commands of which nobody knows what else they append."""

    def made(self) -> Audit:
        """The whole audit."""
        store = self.store
        self._check_file()
        self._read_key()
        head = store.head()
        self.checkpoints = set(store.checkpoints())
        digest, events_read, expected = GENESIS, 0, 1
        strays: set[int] = set()
        also = ""  # the digest that the entry before should have, where the file holds another
        try:
            for entry, held in watched(self._readable(head.entry, strays), head.entry, "verify"):
                gap = entry.entry != expected
                if gap:
                    self._gap(expected, entry.entry - 1)
                    self._say("unchecked", entry.entry, f"Whether e{entry.entry} is what was recorded was not checked:"
                              " its digest follows from the entry before it.", "chain")  # fmt: skip
                    expected = entry.entry
                due, sound = held, gap or not self.key
                self._check_form(entry)
                if self.key or entry.parts:
                    due = store.linked(digest, entry)
                    sound = gap or held == due or bool(also and held == store.linked(also, entry))
                also = "" if sound else due
                if not sound:
                    self._damage(entry.entry, "is not what was recorded: its digest does not follow from the entry"
                                 " before it.", "chain")  # fmt: skip
                    self.unsound.setdefault(entry.entry, "chain")
                events_read += self._entry(entry)
                digest, expected = held, expected + 1
        except LedgerDamaged as error:
            self._say("damage", 0, error.message)
            self._say("unchecked", 0, f"Nothing from e{expected} on was checked.")
        else:
            if expected <= head.entry:
                self._gap(expected, head.entry)
        if not head.entry:
            self._say("damage", 0, f"{store.path} holds no entries.")
        self._end_command(head.entry + 1)
        if "file" in self.checks:
            self._whole_file(strays)
        for blame, entries in self.waiting.items():
            self._say("unchecked", entries[0], f"{_runs(entries)} could not be resolved again because of e{blame}.",
                      "rules", "checkpoints")  # fmt: skip
        state = self.states.get(head.entry)
        return Audit(
            head.entry, events_read, self.dice.drawn, head_line(head.entry, digest),
            state.digest() if self.folds and state and head.entry not in self.dark else "",
            self.checks,
            tuple(sorted(self.found, key=lambda finding: finding.entry)),
            self.missing,
            self.players,
            self.dice.grades,
        )  # fmt: skip

    def _readable(self, last: int, strays: set[int]) -> Iterator[tuple[Entry, str]]:
        """All entries that can be read; of those that cannot, `unreadable` says so."""
        number = 1
        while number <= last:
            try:
                for found in self.store.entries(number, last, strays):
                    number = found[0].entry + 1
                    yield found
                return
            except LedgerDamaged:  # somewhere among the next ones
                for one in range(number, min(number + BATCH, last + 1)):
                    try:
                        yield from self.store.entries(one, one, strays)
                    except LedgerDamaged:
                        self.unreadable.add(one)
                number += BATCH

    # Findings

    def _say(self, sort: Any, entry: int, message: str, *found_by: Check) -> None:
        """A finding of some checks, or of every check, if one of them is made."""
        if check := next((check for check in found_by or self.checks if check in self.checks), None):
            self.found.append(Finding(sort, entry, message, check))

    def _damage(self, entry: int, message: str, *found_by: Check) -> None:
        self._say("damage", entry, f"e{entry} {message}", *found_by)

    def _wrong_dice(self, entry: int, message: str) -> None:
        self._damage(entry, message, "dice")
        self.unsound.setdefault(entry, "dice")

    def _wrong_course(self, entry: int, message: str) -> None:
        self._damage(entry, message, "chain", "course")
        self.unsound.setdefault(entry, "chain")

    def _differs(self, entry: Entry, differs: _Differs, before: State, events: tuple[Event, ...]) -> None:
        """An entry differs from what today's rules make of it: drift, or a fault of ours."""
        rules = systems.rules_named(entry.program)
        began = (event.system for event in events if isinstance(event, CampaignBegan))
        system = before.campaign.system or next(began, "")
        if systems.is_current(entry.program, system):
            message = f"e{entry.entry}{differs.message} {OURS.format(rules)}"
            self._say("fault", entry.entry, message, "rules")
            return
        if "rules" in self.checks:
            verbs = systems.recorded(system)
            recorded, now = (
                differing(events, differs.now, verbs)
                if differs.now
                else ([one.outcome for one in told(events, verbs)], [])
            )
            message = f"e{entry.entry}{differs.message}"
            self.found.append(Finding("drift", entry.entry, message, "rules", rules, tuple(recorded), tuple(now)))

    # The file

    def _check_file(self) -> None:
        """What SQLite finds wrong with the file, and how its tables, indexes, triggers and views differ from the
        format.

        From now on every course is found in the rows; where the file itself is damaged, nothing comes from an index.
        """
        broken, differing = self.store.unsound()
        for problem in broken:
            self._say("damage", 0, f"SQLite finds damage in {self.store.path}: {problem}.", "file")
        for problem in differing:
            self._say("damage", 0, problem, "file")
        try:
            self.store.trust_rows(only=bool(broken))
        except LedgerDamaged as error:
            self._say("damage", 0, error.message)

    def _read_key(self) -> None:
        if self.players:
            self.resolves = self.folds = False
            self._look_ahead()
            return
        try:
            self.key = self.store.key()
        except LedgerDamaged as error:
            self._say("damage", 0, error.message, "chain", "dice", "file")
            self._say("unchecked", 0, "Neither the chain nor the faces of the dice were checked, because the key of the"
                      " campaign is missing.", "chain", "dice")  # fmt: skip
        else:
            self.dice.take_key(self.key)

    def _look_ahead(self) -> None:
        """Of a file for players: what its entries reveal of others."""
        known: list[tuple[Event, ...]] = []
        for entry, _ in self._readable(self.store.head().entry, set()):
            with suppress(LedgerDamaged):
                known.append(tuple(event for event in events_of(entry) if isinstance(event, _OPENING)))
        self.dice.take_secrets(known)
        for events in known:
            self.course.look_ahead(events)

    def _gap(self, first: int, last: int) -> None:
        if not any(first <= one <= last for one in self.unreadable):
            self._damage(first, f"to e{last} are missing." if last > first else "is missing.")
            self.dark |= dict.fromkeys(range(first, last + 1), first)
        else:
            for missing in range(first, last + 1):
                self._damage(missing, "cannot be read." if missing in self.unreadable else "is missing.")
                self.dark[missing] = missing
        self._end_command(last + 1)
        self.dice.miss()

    def _whole_file(self, strays: set[int]) -> None:
        store = self.store
        for stray in sorted(strays):
            self._damage(stray, f"is not there, but {store.path} holds events of it.", "file")
        try:
            if store.has_strays():
                self._say("damage", 0, f"{store.path} holds events of an entry that it does not hold.", "file")
            for problem in store.disorder():
                self._say("damage", 0, problem, "file")
        except LedgerDamaged as error:
            self._say("damage", 0, error.message, "file")

    # An entry

    def _check_form(self, entry: Entry) -> None:
        """A ledger holds events and no parts, a file for players parts and nothing that no part covers."""
        covered = bool(entry.by or entry.typed or entry.once or entry.drawn or entry.hidden or entry.bodies)
        if bool(entry.parts) is not self.players or (entry.parts and covered):
            self._damage(entry.entry, "holds both what a ledger holds and what a file for players does.", "chain")
            self.unsound.setdefault(entry.entry, "chain")
        if not self.players:
            return
        try:
            parts = decode_parts(entry.parts)
            check_parts(parts)
            if encode_parts(parts) != entry.parts:
                raise ValueError("the parts of an entry are not in their canonical form")
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            self._damage(entry.entry, f"is not in its form: {error}.", "chain")
            self.unsound.setdefault(entry.entry, "chain")

    def _entry(self, entry: Entry) -> int:
        """Checks an entry, and gives the number of its events."""
        number = entry.entry
        try:
            events = events_of(entry)
        except LedgerDamaged as error:
            self._say("damage", number, error.message, "dice", "course", "rules", "checkpoints")
            self.dark[number] = number
            self.dice.skip(entry)
            self.command = None
            return len(entry.bodies)
        self.course.examine(entry, events, decode_parts(entry.parts) if entry.parts else None)
        self.dice.examine(entry, events)
        for event in events:
            if isinstance(event, CampaignBegan) and not systems.is_known(event.system):
                self.resolves = False
                self._say("unchecked", number, RulesMissing(event.system).message, "rules", "course")
                self.missing = event.system
        if not 0 <= entry.after < number:
            self._damage(number, f"stands after e{entry.after}, which does not come before it.", "course")
            entry = replace(entry, after=number - 1)
            self.unsound.setdefault(number, "course")
        if not self.folds:
            return len(events)
        if entry.after in self.dark:
            blame = self.dark[number] = self.dark[entry.after]
            self.waiting.setdefault(blame, []).append(number)
            self.command = None
            return len(events)
        try:
            before = self._before(entry.after)
        except LedgerDamaged as error:
            self.dark[number] = entry.after
            self._say("unchecked", number, f"e{number} was not resolved again: {error.message}",
                      "course", "rules", "checkpoints")  # fmt: skip
            return len(events)
        if self.resolves:
            self._check_sound(entry, events, before)
        try:
            after = fold(before, events)
        except Exception:  # of a reducer that was never given such facts
            self._damage(number, "holds facts that do not follow from those before it.", "rules")
            self.dark[number] = number
            return len(events)
        self._checkpoint(number, after)
        self.states[number] = after
        if len(self.states) > KEPT:
            self.states.popitem(last=False)
        return len(events)

    def _check_sound(self, entry: Entry, events: tuple[Event, ...], before: State) -> None:
        """Resolves an entry again, unless it is known not to be what was recorded."""
        number = entry.entry
        if (found_by := self.unsound.get(number)) is None:
            self._check_said(entry, events, before)
            return
        if found_by not in self.checks:
            self._say("unchecked", number, f"e{number} was not resolved again: --check {found_by} finds damage there.")
        if self.command and self.command.take(entry) is not None:
            self.command.rest = self.command.rest[1:]
        else:
            self._end_command(number)
            self.lost.add(number)

    def _before(self, entry: int) -> State:
        """The state after an earlier entry. Raises LedgerDamaged when something of its course cannot be read."""
        if entry in self.states:
            return self.states[entry]
        if self.trusted:
            return self.book.state_at(entry)
        return fold(State(), map(decode, self.store.bodies([*self.store.course(entry)][::-1])))

    def _checkpoint(self, number: int, state: State) -> None:
        if number not in self.checkpoints or not (held := self.store.checkpoint(VERSION, number, number)):
            return
        if held.state != state.encoded() and not _means(held.state, state):
            self._say("damage", number, f"The checkpoint of e{number} holds another state than its events make.",
                      "checkpoints")  # fmt: skip
            self.trusted = False

    # The rules

    def _check_said(self, entry: Entry, events: tuple[Event, ...], before: State) -> None:
        """The entry is what its declaration comes to, or part of what an earlier one does."""
        try:
            if self.command and self.command.appends(entry):
                self._check_member(self.command, entry, events, before)
                return
            self._end_command(entry.entry)
            if entry.command in self.lost and entry.command < entry.entry:
                self._check_alone(entry, events, before)
                return
            self._check_place(entry, events)
            self._check_rules(entry, events, before)
        except _Differs as differs:
            self._differs(entry, differs, before, events)
        except LedgerDamaged as error:  # of another entry, which it needs
            self._say("unchecked", entry.entry, f"e{entry.entry} was not resolved again: {error.message}",
                      "course", "rules")  # fmt: skip
            self.lost.add(entry.entry)
        except _Misplaced as misplaced:
            self._damage(entry.entry, misplaced.message, "course", "rules")

    def _check_place(self, entry: Entry, events: tuple[Event, ...]) -> None:
        declared = events[0]
        if (entry.command, entry.origin) != (entry.entry, entry.entry):
            raise _Misplaced("says that it belongs to another command, but it does not.")
        if not isinstance(declared, Declared):
            raise _Misplaced("does not begin with a declaration.")

    def _check_rules(self, entry: Entry, events: tuple[Event, ...], before: State) -> None:
        declared = events[0]
        assert isinstance(declared, Declared)
        past = systems.past(declared.verb)
        if past == "jumps":
            now = self._jumped(entry, declared)
        elif past == "amends" or declared.instant:
            now = self._begun(entry, declared, before, events)
        elif entry.after != entry.entry - 1:
            raise _Misplaced(f"stands after e{entry.after}, but is no undo, redo or amendment.")
        elif past == "lasts":
            now = self._opened(entry.entry - 1, declared, events)
        else:
            now = self._resolved(declared, events, before)
        _compare(entry, events, now)

    def _opened(self, head: int, declared: Declared, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """What a stir or a reveal records. That it comes from the key is a check of the dice."""
        what = declared.said.get("what")
        match events[1:]:
            case (Stirred(words=words),) if words == dice.used(str(declared.said.get("words"))):
                return events
            case (DiceRevealed(hidden=hidden),) if what == "dice" and hidden is declared.said.get("hidden", False):
                return events
            case (Revealed(), *_) if is_entry(str(what)) and 1 <= int(str(what)[1:]) <= head:
                return (declared, *revealed_entries(self.store, head, int(str(what)[1:])))
        raise _Differs(" is no stir and no reveal that could have been recorded.")

    def _check_alone(self, entry: Entry, events: tuple[Event, ...], before: State) -> None:
        """An entry of a command of several, of which nobody knows what it should append."""
        declared = events[0]
        if not isinstance(declared, Declared):
            raise _Misplaced("does not begin with a declaration.")
        if declared.instant:
            self._say("unchecked", entry.entry, f"e{entry.entry} was not resolved again, as e{entry.command} was not.",
                      "course", "rules")  # fmt: skip
            return
        _compare(entry, events, self._resolved(declared, events, before))

    def _resolved(self, declared: Declared, events: tuple[Event, ...], before: State) -> tuple[Event, ...]:
        """An action, resolved again with its own dice."""
        source = Recorded(event for event in events if isinstance(event, Rolled))
        declaration = None
        try:
            _, declaration = systems.procedure(systems.find_verb(before.campaign.system, declared.verb))
            said = msgspec.convert(declared.said, declaration)
            fight = resolve(
                Resolution(before, declared.verb, said, source, declared.allow, secret=declared.secret, recorded=events)
            )
        except Exception as error:
            raise _Differs(f" would be refused by this version's rules: {_named(error, declaration)}") from None
        if source.rest:
            raise _Differs(" holds dice that its action does not ask for.", tuple(fight.events))
        return tuple(fight.events)

    def _jumped(self, entry: Entry, declared: Declared) -> tuple[Event, ...]:
        """What an undo or a redo records. Raises _Misplaced when it leads elsewhere."""
        kind = Undo if declared.verb == "undo" else Redo
        try:
            msgspec.convert(declared.said, kind)
            leads = jump(self.store, entry.entry - 1, declared.verb, declared.said)
        except LedgerDamaged:
            raise
        except (AffrayError, msgspec.ValidationError) as error:
            raise _Misplaced(f"could not have been recorded: {in_words(error, kind)}") from None
        if leads.after != entry.after:
            raise _Misplaced(f"stands after e{entry.after}; its words lead to e{leads.after}.")
        return (declared, *leads.events)

    # Commands of several entries

    def _begun(self, entry: Entry, declared: Declared, before: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """What the first entry of a command records that resolves earlier actions again."""
        head = entry.entry - 1
        if declared.instant:
            after, course = answered(self.store, head)
            if not course:
                self.lost.add(entry.entry)
                raise _Differs(" would be refused by this version's rules: there was no action to answer.")
            acts = (Act(declared), *course)
            self.command = _Command(entry.entry, entry.program, acts, Thrown(self.store, head).of, False)
            self._check_after(entry, after)
            try:
                taken = tuple(act.entry for act in course)
                return taken_back(self._next(self.command, before, events).events, taken)
            finally:
                self.command.rest = course
        try:
            said = {**declared.said, "entry": int(str(declared.said.get("entry")).removeprefix("e"))}
            planned = revision(self.store, head, msgspec.convert(said, Amendment))
        except LedgerDamaged:
            raise
        except (AffrayError, msgspec.ValidationError, ValueError) as error:
            self.lost.add(entry.entry)
            raise _Differs(f" would be refused by this version's rules: {in_words(error, Amendment)}") from None
        self.command = _Command(entry.entry, entry.program, planned.acts, planned.thrown, True)
        self._check_after(entry, planned.after)
        return (declared, Retracted(planned.gone, ()))

    def _check_after(self, entry: Entry, after: int) -> None:
        if entry.after != after:
            raise _Misplaced(f"stands after e{entry.after}; its words lead to e{after}.")

    def _check_member(self, command: _Command, entry: Entry, events: tuple[Event, ...], before: State) -> None:
        """A later entry of a command: an action of its course, resolved again."""
        left_out = command.take(entry)
        if left_out is None or (entry.command, entry.after) != (command.first, entry.entry - 1):
            command.rest = command.rest[left_out is not None :]
            raise _Misplaced(f"does not stand where e{command.first}, which it belongs to, puts it.")
        for nth, act in enumerate(left_out):
            self._check_left_out(command, act, (*left_out[nth:], *command.rest), before)
        if command.goes_on and entry.origin == entry.entry:
            self._skip_impossible(command, before)
        rest, command.rest = command.rest, command.rest[1:]
        result = self._next(command, before, events, rest)
        if result.act.puts_in is not None:
            command.rest = rest
        elif names := named_otherwise(result.act.before, result.events):
            command.rest = tuple(renamed(act, names, before.campaign.system) for act in command.rest)
        if bool(result.act.origin) is (entry.origin == entry.entry):
            raise _Misplaced(f"does not stand where e{command.first}, which it belongs to, puts it.")
        _compare(entry, events, result.events)

    def _next(
        self, command: _Command, before: State, events: tuple[Event, ...], rest: tuple[Act, ...] | None = None
    ) -> Result:
        """What comes of the next action of a command, on its dice and those that are new in its entry."""
        source = Recorded(event for event in events if isinstance(event, Rolled))
        if not (rest := command.rest if rest is None else rest):
            raise _Misplaced("belongs to a command that appends no more entries.")
        result = today(before, rest, command.thrown, source, command.goes_on)
        if isinstance(result.refused, LedgerDamaged):
            raise result.refused
        if result.refused:
            raise _Differs(f" would be refused by this version's rules: {result.refused}")
        if result.lacking:
            raise _Differs(" would be refused by this version's rules: more dice are needed than it holds.")
        return result

    def _skip_impossible(self, command: _Command, before: State) -> None:
        """Takes from a command the next actions that are not possible: what the entry puts in is before a later one."""
        while command.rest:
            result = today(before, command.rest, command.thrown, goes_on=True)
            if not result.refused:
                return
            command.rest = command.rest[1:]

    def _check_left_out(self, command: _Command, act: Act, course: tuple[Act, ...], before: State) -> None:
        """An action that a command leaves out is not possible any more."""
        result = today(before, course, command.thrown, goes_on=command.goes_on)
        if result.refused or result.lacking:
            return
        message = f"e{command.first} leaves out e{act.entry}, which is possible."
        programs = (command.program, act.program or command.program)
        if all(systems.is_current(program, before.campaign.system) for program in programs):
            rules = systems.rules_named(command.program)
            self._say("fault", command.first, f"{message} {OURS.format(rules)}", "rules")
        else:
            self._say("drift", command.first, message, "rules")

    def _end_command(self, number: int) -> None:
        """No more entries of a command of several come: all that is left of its actions is impossible."""
        command, self.command = self.command, None
        if command is None or not command.rest or number - 1 in self.dark or number - 1 not in self.states:
            return
        before = self.states[number - 1]
        for at, act in enumerate(command.rest):
            self._check_left_out(command, act, command.rest[at:], before)


class _Misplaced(Exception):
    """An entry says of itself, or of the course, what cannot be so by any rules."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _compare(entry: Entry, events: tuple[Event, ...], now: tuple[Event, ...]) -> None:
    """Raises _Differs when the events that are recorded are not those that come out, to the byte."""
    bodies = [*map(encode, now)]
    again = tuple(map(bytes.decode, bodies))
    if again == entry.bodies:
        if tuple(map(split, now, bodies)) != entry.splits:
            raise _Differs(" divides an event otherwise into its open and its closed half.", now)
        return
    pairs = zip(again, entry.bodies, strict=False)
    nth = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(again), len(entry.bodies)))
    if nth < min(len(now), len(events)):
        was, is_ = events[nth], now[nth]
        if isinstance(was, TableSet) and isinstance(is_, TableSet) and was.table == is_.table:
            raise _Differs(
                f" uses the {was.table} table of another version of the rules (digest {was.digest[:12]}; that of this"
                f" version: {is_.digest[:12]}).",
                now,
            )
    raise _Differs(f", resolved again by the rules, differs from the record at its event {nth + 1}.", now)


def _means(text: str, state: State) -> bool:
    """Whether a checkpoint of other bytes holds this state."""
    try:
        return decode_state(text).encoded() == state.encoded()
    except (msgspec.DecodeError, ValueError):
        return False


def _named(error: Exception, kind: Any) -> str:
    ours = isinstance(error, AffrayError | msgspec.ValidationError)
    return in_words(error, kind) if ours else f"{type(error).__name__}: {error}"


def _runs(entries: list[int]) -> str:
    """Some entries in words: e4, e6 to e9."""
    runs: list[list[int]] = []
    for entry in entries:
        if runs and runs[-1][1] == entry - 1:
            runs[-1][1] = entry
        else:
            runs.append([entry, entry])
    return ", ".join(f"e{first}" if first == last else f"e{first} to e{last}" for first, last in runs)
