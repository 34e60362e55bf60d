"""What is disputed at the table, how it was settled, and what was found to be the same on somebody's sheet."""

from typing import Literal

from .base import Event


class DisputeOpened(Event, tag="dispute-opened"):
    """Somebody disputes what an entry says. One case for each entry is open at a time."""

    entry: int
    """The entry in dispute."""
    why: str
    """What is said against it."""


class DisputeClosed(Event, tag="dispute-closed"):
    """A dispute was settled: a precedent."""

    entry: int
    """The entry that was in dispute."""
    how: Literal["upheld", "amended"]
    """Whether the entry was right, or was set right."""
    why: str
    """The reasons."""


class Agreed(Event, tag="agreed"):
    """A value of the board was found to be the same on somebody's own sheet. Changes nothing."""

    name: str
    """Which value, by the name that it has on the board, such as `kira.hp`."""
    value: str
    """What both say."""
