"""Soundness: everything about a record that can be checked, in one run, with every finding and its place."""

from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.words.discovery import opened
from commands.words.progress import watched
from ledger import hashing
from ledger.chain import Entry, head_line
from ledger.errors import AffrayError, LedgerDamaged, RulesMissing
from ledger.events import CampaignBegan, DiceRevealed, Event, Revealed, Stirred
from ledger.parts import decode as decode_parts

from .examined_chain import ExaminedChain
from .examined_course import ExaminedCourse
from .examined_dice import ExaminedDice, Grades
from .examined_file import ExaminedFile
from .examined_rules import ExaminedRules
from .examined_states import ExaminedStates
from .findings import CHECKS, Check, Finding, Findings

if TYPE_CHECKING:
    from .processes import Beside


class Audit(Struct, frozen=True):
    """What an audit found."""

    entries: int
    events: int
    dice: int
    head: str
    """The head line."""
    state_digest: str
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


class Later(Struct, frozen=True):
    """The later entries of a long ledger, which a second process examines: from one that begins a command."""

    path: str
    checks: tuple[Check, ...]
    first: int
    head: int


class _Half(Struct, frozen=True):
    """What a second process found in the later entries. The state before them it took from the checkpoints."""

    before: str
    """Digest of that state, which the first process comes to by itself, or believes nothing of this."""
    events: int
    dice: int
    grades: Grades
    digest: str
    """Of the last entry."""
    state: str
    """Digest of the state after it."""
    findings: tuple[Finding, ...]


class _Second(NamedTuple):
    """A second process, and what it does."""

    task: Later
    process: "Beside[Later, _Half | None]"


LONG = 5000
"""Entries from which on a second process is worth its start."""
_START, _SHARE = 100, 48
"""The second process begins after so many entries and this percentage of all: it takes some time to start, and reads
what comes before; the first one checks the file meanwhile. So both end at the same time.
"""


def later(of: Later) -> tuple[_Half | None, tuple[Later, ...]]:
    """Examines the later entries of a ledger. Nothing where that cannot be done without those before, or where anything
    is not what was recorded: then one process examines all of them.
    """
    try:
        store = opened(of.path)
        try:
            return _Examination(Book(store), of.checks).later(of.first, of.head), ()
        finally:
            store.close()
    except Exception:  # the first process meets it too, and says so
        return None, ()


def examine(book: Book, checks: Collection[str] = (), processes: int = 1) -> Audit:
    """Checks everything, or only what `checks` name, and goes on after each finding with what can still be checked.

    The chain: every digest follows from the entry and the digest before. The dice: every face of the stream is what
    the key gives at its place, and each place comes right after the one before. The course: every jump leads where its
    words say. The rules: every declaration, resolved again from the state that its entry stands after, with its own
    dice, gives the same events to the byte. The file: its guards are there, and no event is without its entry. The
    checkpoints: each sound one holds the state that the events make. What keeps a check from being made is a finding
    of that check too.

    With two processes the second one examines the later entries of a long ledger, as long as nothing is found damaged.
    What is found is the same.
    """
    return _Examination(book, tuple(check for check in CHECKS if not checks or check in checks)).made(processes)


_OPENING = (CampaignBegan, Stirred, DiceRevealed, Revealed)


def damage(book: Book) -> str:
    """The first damage of a ledger; "" when it has none. Faults, drift and what could not be checked are no damage."""
    found = examine(book).of("damage")
    return found[0].message if found else ""


class _Examination:
    """One run over the whole record, with a checker for each check."""

    def __init__(self, book: Book, checks: tuple[Check, ...]) -> None:
        self.store = book.store
        self.findings = Findings(checks)
        self.players = self.store.is_for_players
        self.resolves = not self.players and not {"rules", "course"}.isdisjoint(checks)
        """Whether declarations are resolved again: which entries a correction appends hangs on what is possible."""
        self.folds = self.resolves or (not self.players and "checkpoints" in checks)
        """Whether the states are needed."""
        self.missing = ""
        """The rule system of the campaign, if it is not installed."""
        self.file = ExaminedFile(self.store, self.findings)
        self.chain = ExaminedChain(self.store, self.findings)
        self.dice = ExaminedDice(self.store, lambda entry, wrong: self.findings.spoiled(entry, wrong, "dice"))
        self.course = ExaminedCourse(lambda entry, wrong: self.findings.spoiled(entry, wrong, "chain", "course"))
        self.states = ExaminedStates(book, self.findings)
        self.rules = ExaminedRules(self.store, self.findings)

    def made(self, processes: int) -> Audit:
        """The whole audit."""
        second = self._second() if processes > 1 and self.resolves else None
        try:
            return self._made(second)
        finally:
            if second:
                second.process.stop()

    def _made(self, second: "_Second | None") -> Audit:
        store, findings = self.store, self.findings
        self.file.open()
        if self.players:
            self._look_ahead()
        else:
            self._read_key()
        head = store.head().entry
        hashing.in_bulk(head)
        self.states.open()
        events_read, expected = 0, 1
        half: _Half | None = None
        try:
            for entry, held in watched(self.file.entries(head), head, "verify"):
                if second and entry.entry == expected == second.task.first and (half := self._joined(second, head)):
                    expected = head + 1
                    break
                if gap := entry.entry != expected:
                    self._gap(expected, entry.entry - 1)
                previous = None if gap else self.chain.digest
                self.chain.examine(entry, held, gap)
                events_read += self._entry(entry, previous)
                expected = entry.entry + 1
        except LedgerDamaged as error:
            findings.say("damage", 0, error.message)
            findings.unchecked(0, f"Nothing from e{expected} on was checked.")
        else:
            if expected <= head:
                self._gap(expected, head)
        if not head:
            findings.say("damage", 0, f"{store.path} holds no entries.")
        state = self.states.known(head)
        if not half:
            self.rules.end(state)
        if "file" in findings.checks:
            self.file.close()
        self.states.close()
        return Audit(
            head,
            events_read + (half.events if half else 0),
            half.dice if half else self.dice.drawn,
            head_line(head, half.digest if half else self.chain.digest),
            half.state if half else state.digest() if self.folds and state else "",
            tuple(findings.checks),
            tuple(sorted(findings.all, key=lambda finding: finding.entry)),
            self.missing,
            self.players,
            half.grades if half else self.dice.grades,
        )

    def _second(self) -> "_Second | None":
        """A second process for the later entries of a long ledger, and the first of them. It only reads and decodes the
        entries before, and looks at their dice: a tenth of the work.
        """
        with suppress(AffrayError, OSError):
            if (head := self.store.head().entry) < LONG:
                return None
            from .processes import Beside

            for entry, _ in self.store.entries(_START + _SHARE * head // 100, head):
                if entry.command == entry.origin == entry.entry == entry.after + 1:
                    task = Later(self.store.path, tuple(self.findings.checks), entry.entry, head)
                    return _Second(task, Beside(later, task))
        return None

    def _joined(self, second: "_Second", head: int) -> _Half | None:
        """What the second process found, if all before it is as recorded, and leads to the state that it began with."""
        before = self.states.known(second.task.first - 1)
        if second.task.head != head or not (before and self.resolves and self._sure):
            return None
        half = second.process.answer()
        if not half or half.before != before.digest():
            return None
        self.rules.end(before)
        self.findings.all += half.findings
        return half

    @property
    def _sure(self) -> bool:
        """Whether all entries so far are as they were recorded, whatever is checked."""
        return self.states.trusted and not self.findings.spoils

    def later(self, first: int, head: int) -> _Half | None:
        """Examines only the entries from `first` on; None where anything is not what was recorded."""
        self.store.trust_rows(only=False)
        self._read_key()
        hashing.in_bulk(head)
        self.states.open()
        events_read, expected, before = 0, 1, ""
        for entry, held in self.file.entries(head):
            if entry.entry != expected:
                return None
            expected += 1
            if entry.entry < first:
                events = events_of(entry)
                self.course.examine(entry, events, None)
                self.dice.examine(entry, events, self.chain.digest)
                self.chain.digest = held
                continue
            if entry.entry == first:
                before = self.states.begin(first - 1).digest()
            previous = self.chain.digest
            self.chain.examine(entry, held, False)
            events_read += self._entry(entry, previous)
        state = self.states.known(head)
        self.rules.end(state)
        if not state or not self._sure:
            return None
        dice, digest, found = self.dice, self.chain.digest, tuple(self.findings.all)
        return _Half(before, events_read, dice.drawn, dice.grades, digest, state.digest(), found)

    def _read_key(self) -> None:
        try:
            self.dice.take_key(self.store.key())
            self.chain.has_key = True
        except LedgerDamaged as error:
            self.findings.say("damage", 0, error.message, "chain", "dice", "file")
            message = "Neither the chain nor the faces of the dice were checked: the key of the campaign is missing."
            self.findings.unchecked(0, message, "chain", "dice")

    def _look_ahead(self) -> None:
        """Of a file for players: what its entries reveal of others."""
        known: list[tuple[Event, ...]] = []
        for entry, _ in self.file.entries(self.store.head().entry):
            with suppress(LedgerDamaged):
                known.append(tuple(event for event in events_of(entry) if isinstance(event, _OPENING)))
        self.dice.take_secrets(known)
        for events in known:
            self.course.look_ahead(events)

    def _gap(self, first: int, last: int) -> None:
        """Entries are missing here."""
        self.states.miss(self.file.missing(first, last))
        self.rules.miss()
        self.dice.miss()

    def _entry(self, entry: Entry, previous: str | None) -> int:
        """Checks an entry after the digest of the one before it, None where that is missing. Gives the number of its
        events.
        """
        number = entry.entry
        try:
            events = events_of(entry)
        except LedgerDamaged as error:
            self.findings.say("damage", number, error.message, "dice", "course", "rules", "checkpoints")
            self.states.miss({number: number})
            self.dice.skip(entry)
            self.rules.miss()
            return len(entry.bodies)
        parts = decode_parts(entry.parts) if entry.parts else None
        self.course.examine(entry, events, parts)
        self.dice.examine(entry, events, previous, parts)
        for event in events:
            if type(event) is CampaignBegan and not systems.is_known(event.system):
                self.resolves = False
                self.findings.unchecked(number, RulesMissing(event.system).message, "rules", "course")
                self.missing = event.system
        if not 0 <= entry.after < number:
            self.findings.spoiled(number, f"stands after e{entry.after}, which does not come before it.", "course")
            entry = replace(entry, after=number - 1)
        if self.folds:
            self._fold(entry, events)
        return len(events)

    def _fold(self, entry: Entry, events: tuple[Event, ...]) -> None:
        """Resolves an entry again from the state that it stands after, and folds its events."""
        if self.states.waits(entry.entry, entry.after):
            self.rules.miss()
            return
        before = self.states.before(entry.entry, entry.after)
        if before is None:
            return
        after = self.rules.examine(entry, events, before, self.states.known(entry.entry - 1)) if self.resolves else None
        self.states.take(entry.entry, before, events, after)
