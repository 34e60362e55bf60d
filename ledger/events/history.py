"""The course of the record itself: what was taken back, and what was brought back."""

from .base import Event


class Retracted(Event, tag="retracted"):
    """Entries were taken back, with all that followed from them."""

    entries: tuple[int, ...]
    """The entries that no longer stand."""
    ends: tuple[int, ...]
    """The last entry of each course that redo can bring back, the next one last."""


class Reinstated(Event, tag="reinstated"):
    """Entries that had been taken back stand again."""

    entries: tuple[int, ...]
    """The entries that stand again."""
    ends: tuple[int, ...] = ()
    """The last entry of each course that redo can still bring back, the next one last."""
