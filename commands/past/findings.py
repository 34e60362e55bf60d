"""What an examination of a record finds, each with the check that found it and its place."""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

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

Sort = Literal["damage", "drift", "fault", "unchecked"]
"""The sorts of findings."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """Something that is not as it should be, or not as it would be today."""

    sort: Sort
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


class Findings:
    """The findings of one examination so far."""

    def __init__(self, checks: Collection[Check]) -> None:
        """Only what `checks` find is kept."""
        self.checks = checks
        self.all: list[Finding] = []
        self.unsound: dict[int, Check] = {}
        """Entries of which the bytes, the dice or the place are not what was recorded, each with the check that found
        it."""

    @property
    def spoils(self) -> bool:
        """Whether something is not what was recorded, or could not be checked."""
        return bool(self.unsound) or any(finding.sort in ("damage", "unchecked") for finding in self.all)

    def say(self, sort: Sort, entry: int, message: str, *found_by: Check) -> None:
        """A finding of some checks, or of every check, if one of them is made."""
        if check := next((check for check in found_by or self.checks if check in self.checks), None):
            self.all.append(Finding(sort, entry, message, check))

    def unchecked(self, entry: int, message: str, *found_by: Check) -> None:
        """Something could not be checked."""
        self.say("unchecked", entry, message, *found_by)

    def damage(self, entry: int, message: str, *found_by: Check) -> None:
        """Something is wrong with an entry, which is not to blame for it or is not there."""
        self.say("damage", entry, f"e{entry} {message}", *found_by)

    def spoiled(self, entry: int, message: str, found_by: Check, *also_by: Check) -> None:
        """An entry is not what was recorded: it is not resolved again."""
        self.damage(entry, message, found_by, *also_by)
        self.unsound.setdefault(entry, found_by)
