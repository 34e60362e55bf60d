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
    """The ways on that have still to be tried, in place of a hint; only while an action is carried out."""
    data: Mapping[str, object] = {}
    """What `--json` gives besides."""

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
    """A name that nobody bears, or that several could bear."""

    code = 3
    reference = "name"


class RulesMissing(AffrayError):
    """The rule system of a campaign is not installed."""

    reference = "rules"

    def __init__(self, system: str) -> None:
        super().__init__(
            f"The rule system {system[:40]!a} of this campaign is not installed: the ledger can be read, exported and"
            " verified as far as its chain and dice go, but not played."
        )


class Disagreement(AffrayError):
    """The board says another thing than somebody's sheet."""

    code = 1
    reference = "disagreement"


class LedgerBusy(AffrayError):
    """Another process is writing, or wrote between reading and appending."""

    code = 4
    reference = "busy"


class LedgerDamaged(AffrayError):
    """The file is not a sound ledger, or an audit differs."""

    code = 5
    reference = "damaged"


class LedgerMissing(AffrayError):
    """No ledger, or more than one, where one was looked for; or it cannot be written."""

    reference = "ledger"


class NoLedger(LedgerMissing):
    """None was named that is there, and none or more than one was found: there is nothing to ask for a rule system."""


class Recorded(AffrayError):
    """Something went wrong after the command had been recorded: it stands."""

    code = 6
    reference = "recorded"


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
