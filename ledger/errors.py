"""What can go wrong, in one clear sentence each: what, why, what next."""

from collections.abc import Mapping, Sequence
from typing import Any


class AffrayError(Exception):
    """An error that a user can act on. Nothing was recorded, unless it is `Recorded`.

    `code` is the exit code of the process, `reference` a stable kebab-case name of the kind of error,
    `hint` what to do next, in lines: a line that begins with `affray ` (or `pip `) is a command that works as typed,
    any other a sentence ("" if there is nothing).
    """

    code = 2
    reference = "usage"
    clause = ""
    """The id of the rule that says no; "" when none does."""
    ways: Sequence[Any] = ()
    """Commands that may help, and are not tried yet."""
    deed: Any = None
    """The action that failed, as far as it was resolved; None for none."""
    overrules = True
    """Whether the game master's word for it may be offered."""
    offers: Sequence[Any] = ()
    """What can be said next, once that was looked for; the hint holds it in lines."""
    on: Sequence[Any] = ()
    """Commands by which the fight goes on, where it only waits for somebody; not tried yet."""
    held = False
    """Whether somebody else must act first, or something else must be done."""
    sheet = -1
    """The number of the stat block that it is about, of those that the command names; -1 when it is about none."""
    at: Sequence[str | int] = ()
    """Where in that stat block the fault is: names of fields, and numbers in lists."""
    row: tuple[str, int] | None = None
    """Which part of an encounter file it is about: the name of a list and a number in it; None when it is about none.
    The number of the stat block is then one of that part.
    """
    data: Mapping[str, object] = {}
    """What `--json` adds to the error."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def heading(self) -> str:
        """The words before the message."""
        return "Error: "


class UsageError(AffrayError):
    """The words of a command are wrong: a missing file, an impossible face, an unknown option."""


class NameUnknown(AffrayError):
    """A name that nobody has, or that fits several."""

    code = 3
    reference = "name"


class RulesMissing(AffrayError):
    """The rule system of a campaign is not installed."""

    reference = "rules"

    def __init__(self, system: str) -> None:
        super().__init__(
            f"The rule system {system[:40]!r} of this campaign is not installed. The ledger can be read and exported,"
            " and its chain and dice can be verified, but nobody can play on."
        )


class Disagreement(AffrayError):
    """The board and somebody's sheet say different things."""

    code = 1
    reference = "disagreement"


class LedgerBusy(AffrayError):
    """Another process is writing, or wrote between reading and appending."""

    code = 4
    reference = "busy"


class LedgerDamaged(AffrayError):
    """The file is not a sound ledger, or an audit found a difference."""

    code = 5
    reference = "damaged"


class LedgerMissing(AffrayError):
    """There is no ledger, there are several, or it cannot be written."""

    reference = "ledger"


class NoLedger(LedgerMissing):
    """No ledger was named, and none or several were found, so nothing says which rule system is played."""


class AlreadyRecorded(AffrayError):
    """Something went wrong after the command was recorded. The record stands."""

    code = 6
    reference = "recorded"


class Uncertain(AlreadyRecorded):
    """Nobody can tell now whether the command was recorded: the connection to the ledger broke meanwhile."""

    reference = "uncertain"


class Refused(AffrayError):
    """A rule says no."""

    code = 1
    reference = "refused"

    def __init__(self, clause: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.clause = clause

    def heading(self) -> str:
        """Names the clause that refuses."""
        return f"Refused by {self.clause}: "
