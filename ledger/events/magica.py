"""Magica: what spells are paid with."""

from .base import Event


class MagicaGained(Event, tag="magica-gained"):
    """Magica came, or came back."""

    who: str
    """Who gained it."""
    points: int
    """What was really gained, 0 or more."""
    left: int
    """What the combatant has now."""


class MagicaSpent(Event, tag="magica-spent"):
    """Magica was spent."""

    who: str
    """Who spent it."""
    points: int
    """1 or more."""
    left: int
    """What the combatant has now."""


class AmbientMagicaSet(Event, tag="ambient-magica-set"):
    """The magica of the place itself is counted from now on, until the encounter ends."""

    points: int
    """What there is."""


class AmbientMagicaSpent(Event, tag="ambient-magica-spent"):
    """Magica of the place was spent."""

    points: int
    """1 or more."""
    left: int
    """What there is now."""
