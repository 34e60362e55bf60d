"""The campaign: its house rules and tables, disputes and how they were settled, undo and redo."""

from typing import Any, Literal

from ledger.dice import Epoch

from .declared import Event
from .sentences import Sentence, alone


class CampaignBegan(Event, tag="campaign-began"):
    """The ledger was opened. Always the first event of a ledger, and never anywhere else."""

    OPEN = ("name", "system", "commitments")
    name: str
    """The name of the campaign."""
    system: str
    """The short name of the rule system, such as `freepg`."""
    commitments: tuple[tuple[str, str], tuple[str, str]]
    """Of epochs 0 and 1 of the dice, each the SHA-256 of the secrets of its open and of its hidden dice, in
    hexadecimal: the coming dice were fixed before the first roll."""
    TOLD = 'the campaign "{name}" begins ({system})'


class OptionChanged(Event, tag="option-changed"):
    """A house rule was set. It applies to every later entry."""

    OPEN = ("option", "value")
    option: str
    """The name of the house rule."""
    value: str | int | bool
    """What it is set to."""

    def sentence(self) -> Sentence:
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return alone(f"{self.option} is {value if value != '' else 'none'}")


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

    def sentence(self) -> Sentence:
        return alone(f"the {self.table} table is that of {self.file} ({self.digest[:12]})" if self.file else "")


class Stirred(Event, tag="stirred"):
    """The players stirred the dice: a new epoch of the dice begins. No undo brings the epoch before it back."""

    OPEN = ("epoch", "words", "first", "commitments")
    epoch: int
    """1 for the first stir."""
    words: str
    """What the players said, as it is used: without blanks and signs, in small letters."""
    first: int
    """The first place of the open stream that belongs to the epoch."""
    commitments: tuple[str, str]
    """SHA-256 of the secrets of the epoch after this one: of its open and of its hidden dice, in hexadecimal."""
    first_hidden: int
    """The first place of the hidden stream that belongs to the epoch."""
    LASTS = True
    TOLD = "the dice are stirred with {words} (epoch {epoch})"

    @property
    def begins(self) -> Epoch:
        """The epoch that begins with it."""
        return Epoch(self.epoch, self.words, self.first, self.first_hidden)


class DiceRevealed(Event, tag="dice-revealed"):
    """The secrets of the dice of past epochs were revealed: anybody can recompute these dice. No undo hides them."""

    OPENS = LASTS = True
    OPEN = ("hidden", "secrets")
    hidden: bool
    """Whether they are the secrets of the hidden dice; else those of the open ones."""
    secrets: tuple[str, ...]
    """The secret of each epoch, from epoch 0 on, in hexadecimal."""

    def sentence(self) -> Sentence:
        epochs = "epoch 0" if len(self.secrets) == 1 else f"epochs 0 to {len(self.secrets) - 1}"
        return alone(f"the {'hidden' if self.hidden else 'open'} dice of {epochs} are revealed")


class Revealed(Event, tag="revealed"):
    """What an entry hid from the players was revealed; later exports for players show it. No undo hides it."""

    OPENS = LASTS = True
    OPEN = ("entry",)
    entry: int
    """The entry."""
    TOLD = "e{entry} is revealed"


class DisputeOpened(Event, tag="dispute-opened"):
    """Somebody disputes what an entry says. An entry has one open dispute at a time."""

    entry: int
    """The entry in dispute."""
    why: str
    """What is said against it."""
    TOLD = "e{entry} is disputed: {why}"


class DisputeSettled(Event, tag="dispute-settled"):
    """A dispute was settled. The decision is a precedent."""

    entry: int
    """The entry that was in dispute."""
    how: Literal["stands", "amended"]
    """stands: the entry was right; amended: it was corrected."""
    why: str
    """The reasons."""

    def sentence(self) -> Sentence:
        return alone(f"e{self.entry} {'stands' if self.how == 'stands' else 'is amended'}: {self.why}")


class Marked(Event, tag="marked"):
    """Somebody set a bookmark at an entry, or wrote a comment on it. Changes nothing."""

    OPEN = ("entry",)
    entry: int
    """The entry."""
    VAGUE = "a mark at e{entry}"
    text: str
    """The words."""
    FOR_ALL = True
    TOLD = "mark at e{entry}: {text}"


class Agreed(Event, tag="agreed"):
    """A value of the board agrees with somebody's own sheet. Changes nothing."""

    name: str
    """Which value, by the name that it has on the board, such as `kira.hp`."""
    value: str
    """The value on both."""

    def sentence(self) -> Sentence:
        value = "not set" if self.value == "-" else self.value
        return alone(f"{self.name} is {value}, as on the sheet")


class Retracted(Event, tag="retracted"):
    """Entries were taken back, with all that followed from them."""

    OPEN = ("entries", "ends")
    entries: tuple[int, ...]
    """The entries that no longer stand."""
    ends: tuple[int, ...]
    """The last entry of each course that redo can bring back, the next one last."""

    def sentence(self) -> Sentence:
        are = "are" if self.entries[1:] else "is"
        return alone(f"{_entries(self.entries)} {are} taken back" if self.entries else "")


class Reinstated(Event, tag="reinstated"):
    """Entries that had been taken back stand again."""

    OPEN = ("entries", "ends")
    entries: tuple[int, ...]
    """The entries that stand again."""
    ends: tuple[int, ...] = ()
    """The last entry of each course that redo can still bring back, the next one last."""

    def sentence(self) -> Sentence:
        return alone(f"{_entries(self.entries)} stand{'s' if len(self.entries) == 1 else ''} again")


def _entries(entries: tuple[int, ...]) -> str:
    if len(entries) > 3:
        return f"{len(entries)} entries, e{min(entries)} to e{max(entries)},"
    return ", ".join(f"e{entry}" for entry in entries)
