"""Audit: the whole record checked, without trusting anything but its first line."""

from typing import Annotated

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.declaration import Declaration, is_entry
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.errors import LedgerDamaged, RulesMissing, UsageError

from .examined_dice import Grades
from .findings import CHECKS, Check, Finding
from .processes import cores
from .soundness import Audit, examine


class Checking(Declaration):
    """What is to be checked."""

    head: Annotated[
        tuple[str, ...],
        Meta(
            description="A head line that you kept; checks whether it lies on the chain of this ledger. Its entry and"
            " the first 16 digits are enough."
        ),
    ] = ()
    check: Annotated[
        tuple[Check, ...],
        Meta(description="Only this; several with commas, such as chain,dice.", extra={"word": "words"}),
    ] = ()
    strict: Annotated[bool, Meta(description="Treat drift as an error too.")] = False
    state: Annotated[
        bool,
        Meta(description="Print the digest of the state too. It holds what players do not know: keep it to yourself."),
    ] = False


_SHORT = 16
"""The digits of a head line that are read aloud."""
_SORTS = ("damage", "fault", "drift", "unchecked")
"""The sorts of findings, the worst first."""


class _Kept(Struct, frozen=True):
    """A head line that somebody kept, compared with the ledger."""

    head: str
    lies: bool
    """Whether it lies on the chain."""
    why: str = ""
    """Why it does not."""


class _Unsound(LedgerDamaged):
    """An audit found something. `--json` gives all of it."""

    def __init__(self, message: str, found: Audit, rescue: str, heads: tuple[_Kept, ...] = ()) -> None:
        strayed = {kept.why for kept in heads}
        torn = any(finding.message not in strayed for finding in found.of("damage"))
        super().__init__(message, rescue if torn else "")
        self.data = {**to_builtins(found), "heads": to_builtins(heads)}


def verify(console: Console, said: Checking, book: Book) -> None:
    """Audits, and says all that was found. Raises LedgerDamaged when something is not as it should be."""
    lines = tuple(map(_read_head, said.head))
    found = examine(book, (*said.check, "chain") if said.check and lines else said.check, cores())
    heads = tuple(_kept(book, found, line) for line in lines)
    strayed = tuple(Finding("damage", 0, kept.why, "chain") for kept in heads if not kept.lies)
    shown = found.state_digest if said.state else ""
    found = replace(found, findings=(*strayed, *found.findings), state_digest=shown)
    wrong = found.of("damage", "fault", "unchecked", *(["drift"] if said.strict else []))
    if found.missing and len(wrong) == 1:
        if not console.json:
            console.say(f"{found.entries} entries in one chain, {found.dice} dice where the stream has them.")
            _show_heads(console, heads)
            _say_ends(console, found)
        missing = RulesMissing(found.missing)
        missing.data = {**to_builtins(found), "heads": to_builtins(heads)}
        raise missing
    if wrong:
        if not console.json:
            _show_heads(console, heads)
            _show(console, found)
        raise _unsound(found, wrong, book.store.rescue, heads)
    if console.json:
        console.give({"ok": True, **to_builtins(found), "heads": to_builtins(heads)})
        return
    _say_sound(console, found)
    _show(console, found)
    _show_heads(console, heads)
    _say_ends(console, found)


def _say_ends(console: Console, found: Audit) -> None:
    """The last lines of a sound record, to keep or to compare."""
    if found.state_digest:
        console.say(f"state {found.state_digest}", whole=True)
    if "chain" in found.checks:
        console.say(found.head, whole=True)


def audit(book: Book, processes: int = 1) -> Audit:
    """Checks everything. Raises LedgerDamaged when anything at all is found, drift too."""
    found = examine(book, processes=processes)
    if found.findings:
        raise _unsound(found, found.findings, book.store.rescue)
    return found


def _unsound(found: Audit, wrong: tuple[Finding, ...], rescue: str, heads: tuple[_Kept, ...] = ()) -> _Unsound:
    worst = sorted(wrong, key=lambda finding: (_SORTS.index(finding.sort), finding.entry == 0))
    more = len(found.findings) - 1
    counted = f" ({more} more {'finding' if more == 1 else 'findings'} in the list)" if more else ""
    return _Unsound(f"{worst[0].message}{counted}", found, rescue, heads)


def _say_sound(console: Console, found: Audit) -> None:
    if len(found.checks) < len(CHECKS):
        console.say(f"{found.entries} {'entry was' if found.entries == 1 else 'entries were'} checked, only for this:")
        for check in found.checks:
            console.say(f"  {check:<11} {CHECKS[check]}")
        return
    if found.players:
        console.say(
            f"Sound: {found.entries} entries in one chain, {found.events} events that the players see. What is left out"
            " is sealed in the same chain."
        )
        _say_grades(console, found.grades)
        return
    counted = f"{found.entries} entries in one chain, {found.events} events"
    match = ", the one program die matches the stream" if found.dice == 1 else ""
    match = f", all {found.dice} program dice match the stream" if found.dice > 1 else match
    if drifted := len({finding.entry for finding in found.of("drift")}):
        entries = "1 entry comes" if drifted == 1 else f"{drifted} entries come"
        drift = f"{entries} out differently under today's rules; what was recorded stands."
        console.say(f"Sound: {counted}{match}. {drift}")
    else:
        console.say(f"Sound: {counted} replayed with identical results{match}.")
    _say_grades(console, found.grades)


def _say_grades(console: Console, grades: Grades) -> None:
    """How sure anybody can be of the dice, in a line."""
    told = [
        f"{grades.proven} proven" if grades.proven else "",
        f"{grades.unproven} not proven before they are revealed" if grades.unproven else "",
        f"{grades.by_hand} rolled by hand" if grades.by_hand else "",
        f"{grades.set_aside} thrown and set aside" if grades.set_aside else "",
    ]
    if not any(told):
        return
    first = f" {grades.unstirred} fell before the first stir." if grades.unstirred else ""
    times = "once" if grades.again == 1 else f"{grades.again} times"
    skipped = f" {grades.skipped} hidden dice before the last one that is shown are sealed." if grades.skipped else ""
    again = f" Somebody rolled again after an undo {times}." if grades.again else ""
    console.say(f"Dice: {', '.join(filter(None, told))}.{first}{skipped}{again}")


def _show(console: Console, found: Audit) -> None:
    """Every finding with its place; of a drift both readings, one below the other."""
    for finding in found.findings:
        by = f" It was recorded by {finding.rules}." if finding.rules else ""
        console.say(f"{console.paint(f'{finding.sort:<9}', '1')} {harmless(finding.message)}{harmless(by)}")
        for word, told in (("recorded", finding.recorded), ("today", finding.now)):
            for line in told:
                console.say(f"  {word:<8} {harmless(line)}")


def _show_heads(console: Console, heads: tuple[_Kept, ...]) -> None:
    """Each head line that was given, with whether it lies on the chain."""
    for kept in heads:
        console.say(f"{'on the chain' if kept.lies else 'not on the chain'}: {harmless(kept.head)}")


def _read_head(line: str) -> str:
    """A head line with one space between its words: whole, or an entry and the first 16 digits, as they are read
    aloud. Raises UsageError when it is none.
    """
    entry, *groups = line.lower().removeprefix("affray ").split() or [""]
    digest = "".join(groups)
    if not (is_entry(entry) and len(digest) in (_SHORT, 64) and set(digest) <= set("0123456789abcdef")):
        raise UsageError(
            f"{line[:100]!r} is not a head line.",
            f"A head line is the last line that verify prints, in quotes; or its entry and first {_SHORT} digits.",
        )
    return f"affray {entry} {digest}"


def _kept(book: Book, found: Audit, line: str) -> _Kept:
    """Whether the very entry that a head line names stands on the chain of a ledger, and if not, why."""
    _, name, wanted = line.split()
    entry, last = int(name[1:]), book.store.head().entry
    if not 1 <= entry <= last:
        why = f"The record is shorter than it was: it ends with e{last}, the head line names e{entry}."
        return _Kept(line, False, why)
    broken = [finding.entry for finding in found.of("damage", "unchecked") if finding.check == "chain"]
    if any(place <= entry for place in broken):
        why = f"Whether the head line of e{entry} lies on the chain cannot be told"
        return _Kept(line, False, f"{why}: it breaks at e{min(place or entry for place in broken)}.")
    for _, digest in book.store.entries(entry, entry):
        if digest.startswith(wanted):
            return _Kept(line, True)
        return _Kept(line, False, f"The record is another one: its e{entry} has the digest {digest}.")
    return _Kept(line, False, f"The record lacks e{entry}, which the head line names.")
