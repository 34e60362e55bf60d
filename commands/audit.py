"""Audit: the whole record checked, without trusting anything but its first line."""

from typing import Annotated

from msgspec import Meta, to_builtins
from msgspec.structs import replace

from ledger.errors import LedgerDamaged

from .book import Book
from .declaration import Declaration
from .desk import Desk, harmless
from .history import is_entry
from .soundness import Audit, Finding, examine


class Verify(Declaration):
    """Check the whole record: its chain, its dice, its checkpoints, and every rule anew. Prints the head line, to
    keep or to compare.

    Goes on after each finding, and lists all of them with their places. Drift is no damage: another version of the
    rules resolved the entry, and today's would do it otherwise; what was recorded stands.
    """

    head: Annotated[str, Meta(description="A head line from before: the record must still hold that very entry.")] = ""
    strict: Annotated[bool, Meta(description="Drift is an error too.")] = False


SORTS = ("damage", "fault", "drift", "unchecked")
"""The sorts of findings, the worst first."""


class Unsound(LedgerDamaged):
    """An audit found something. `--json` gives all of it."""

    def __init__(self, message: str, found: Audit) -> None:
        super().__init__(message)
        self.data = to_builtins(found)


def verify(desk: Desk, said: Verify) -> None:
    """Audits, and says all that was found. Raises LedgerDamaged when something is not as it should be."""
    if said.head:
        _check_is_head(said.head)
    found = examine(desk.book)
    if said.head and (missing := _missing(desk.book, said.head)):
        found = replace(found, findings=(Finding("damage", 0, missing), *found.findings))
    wrong = found.of("damage", "fault", "unchecked", *(["drift"] if said.strict else []))
    if wrong:
        if not desk.json:
            _show(desk, found)
        raise _unsound(found, wrong)
    if desk.json:
        desk.give({"ok": True, **to_builtins(found)})
        return
    _say_sound(desk, found)
    _show(desk, found)
    desk.say(f"state {found.state}")
    desk.say(found.head)


def audit(book: Book) -> Audit:
    """Checks everything. Raises LedgerDamaged when anything at all is found, drift too."""
    found = examine(book)
    if found.findings:
        raise _unsound(found, found.findings)
    return found


def _unsound(found: Audit, wrong: tuple[Finding, ...]) -> Unsound:
    worst = sorted(wrong, key=lambda finding: (SORTS.index(finding.sort), finding.entry == 0))
    more = len(found.findings) - 1
    counted = f" ({more} more {'finding' if more == 1 else 'findings'} in the list)" if more else ""
    return Unsound(f"{worst[0].message}{counted}", found)


def _say_sound(desk: Desk, found: Audit) -> None:
    counted = f"{found.entries} entries in one chain, {found.events} events"
    if drifted := len({finding.entry for finding in found.of("drift")}):
        entries = "1 entry comes" if drifted == 1 else f"{drifted} entries come"
        desk.say(
            f"Sound: {counted}, {found.dice} dice where the stream has them. {entries} out otherwise by today's rules:"
            " what was recorded stands."
        )
    else:
        desk.say(f"Sound: {counted} resolved again to the same bytes, {found.dice} dice where the stream has them.")


def _show(desk: Desk, found: Audit) -> None:
    """Every finding with its place; of a drift both readings, one below the other."""
    for finding in found.findings:
        by = f" It was recorded by {finding.rules}." if finding.rules else ""
        desk.say(f"{desk.paint(f'{finding.sort:<9}', '1')} {harmless(finding.message)}{harmless(by)}")
        for word, told in (("recorded", finding.recorded), ("today", finding.now)):
            for line in told:
                desk.say(f"  {word:<8} {harmless(line)}")


def _check_is_head(line: str) -> None:
    words = line.split()
    if len(words) != 3 or words[0] != "affray" or not is_entry(words[1]):
        raise LedgerDamaged("That is not a head line.", "It looks like: affray e12 0123abcd... (64 digits)")


def _missing(book: Book, line: str) -> str:
    """What the record lacks of the entry that a head line names; "" when it holds that very entry."""
    _, name, wanted = line.split()
    entry, last = int(name[1:]), book.store.head().entry
    if not 1 <= entry <= last:
        return f"The record is shorter than it was: it ends with e{last}, the head line names e{entry}."
    for _, digest in book.store.entries(entry, entry):
        if digest != wanted:
            return f"The record is another one: its e{entry} has the digest {digest}."
    return ""
