"""Where everybody stands."""

from .base import Event


class Placed(Event, tag="placed"):
    """A combatant stands somewhere without having walked there."""

    who: str
    """Who stands there."""
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class Moved(Event, tag="moved"):
    """A combatant moved."""

    who: str
    """Who moved."""
    how: str
    """Walk, run, fly, or the word of the rule system."""
    squares: int
    """How much of the allowance it cost, in squares."""
    to: tuple[int, int, int] | None = None
    """Where it stands now: x, y and height, in squares; none when nobody counts squares."""
