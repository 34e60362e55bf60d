"""What a combatant may still spend."""

from .base import Event


class PointsSet(Event, tag="points-set"):
    """An allowance was set, usually at the start of a turn."""

    who: str
    """Whose allowance."""
    kind: str
    """What is counted: action, attack, swap, movement, reaction ..."""
    points: int
    """What may be spent."""


class PointsSpent(Event, tag="points-spent"):
    """Part of an allowance was spent."""

    who: str
    """Whose allowance."""
    kind: str
    """What is counted."""
    points: int
    """What was spent."""
    left: int
    """What remains."""
