"""What a combatant may still spend."""

from .base import Event


class PointsSet(Event, tag="points-set"):
    """An allowance was set, usually at the start of a turn."""

    who: str
    kind: str
    """What is counted: action, attack, swap, movement, reaction ..."""
    points: int


class PointsSpent(Event, tag="points-spent"):
    """Part of an allowance was spent."""

    who: str
    kind: str
    points: int
    left: int
