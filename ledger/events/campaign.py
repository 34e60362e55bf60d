"""The campaign: its house rules and tables, disputes and how they were settled, undo and redo."""

from typing import Any, Literal

from .words import Event


class CampaignBegan(Event, tag="campaign-began"):
    """The ledger was opened. Always the first event of a ledger, and never anywhere else."""

    name: str
    """The name of the campaign."""
    system: str
    """The short name of the rule system, such as `freepg`."""
    commitment: str
    """SHA-256 of the key of the dice stream, in hexadecimal: the coming dice were fixed before the first roll."""
    TOLD = "the campaign {name} begins ({system})"


class OptionChanged(Event, tag="option-changed"):
    """A house rule was set. It applies to every later entry."""

    option: str
    """The name of the house rule."""
    value: str | int | bool
    """What it is set to."""

    def told(self) -> str:
        value = "yes" if self.value is True else "no" if self.value is False else self.value
        return f"{self.option} is {value}"


class TableSet(Event, tag="table-set"):
    """The campaign uses this table of its rule system from now on."""

    table: str
    """The name of the table."""
    digest: str
    """SHA-256 of the table's content as canonical JSON, in hexadecimal."""
    file: str = ""
    """The name of the campaign's own file; "" for the table that comes with the rules."""
    content: dict[str, Any] = {}
    """The whole content of the campaign's own file; empty for the table that comes with the rules."""

    def told(self) -> str:
        return f"the {self.table} table is that of {self.file} ({self.digest[:12]})" if self.file else ""


class DisputeOpened(Event, tag="dispute-opened"):
    """Somebody disputes what an entry says. An entry has one open dispute at a time."""

    entry: int
    """The entry in dispute."""
    why: str
    """What is said against it."""
    TOLD = "e{entry} is disputed: {why}"


class DisputeClosed(Event, tag="dispute-closed"):
    """A dispute was settled. The decision is a precedent."""

    entry: int
    """The entry that was in dispute."""
    how: Literal["upheld", "amended"]
    """upheld: the entry was right; amended: it was corrected."""
    why: str
    """The reasons."""
    TOLD = "e{entry} is {how}: {why}"


class Agreed(Event, tag="agreed"):
    """A value of the board agrees with somebody's own sheet. Changes nothing."""

    name: str
    """Which value, by the name that it has on the board, such as `kira.hp`."""
    value: str
    """The value on both."""

    def told(self) -> str:
        held = f"{self.name} is {self.value}" if self.value != "-" else f"no {self.name}"
        return f"{held}, as on the sheet"


class Retracted(Event, tag="retracted"):
    """Entries were taken back, with all that followed from them."""

    entries: tuple[int, ...]
    """The entries that no longer stand."""
    ends: tuple[int, ...]
    """The last entry of each course that redo can bring back, the next one last."""

    def told(self) -> str:
        return f"{_entries(self.entries)} taken back"


class Reinstated(Event, tag="reinstated"):
    """Entries that had been taken back stand again."""

    entries: tuple[int, ...]
    """The entries that stand again."""
    ends: tuple[int, ...] = ()
    """The last entry of each course that redo can still bring back, the next one last."""

    def told(self) -> str:
        return f"{_entries(self.entries)} stand{'s' if len(self.entries) == 1 else ''} again"


def _entries(entries: tuple[int, ...]) -> str:
    if len(entries) > 3:
        return f"{len(entries)} entries, e{min(entries)} to e{max(entries)},"
    return ", ".join(f"e{entry}" for entry in entries)
