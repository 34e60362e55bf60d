"""Where everybody stands, and which way everybody looks."""

from .base import Event


class Placed(Event, tag="placed"):
    """A combatant stands somewhere without having walked there."""

    who: str
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class Moved(Event, tag="moved"):
    """A combatant moved."""

    who: str
    how: str
    """Walk, run, fly, or the word of the rule system."""
    squares: int
    """How much of the allowance it cost, in squares."""
    to: tuple[int, int, int] | None = None
    """Where it stands now: x, y and height, in squares; none when nobody counts squares."""


class Faced(Event, tag="faced"):
    """A combatant looks in a direction."""

    who: str
    direction: str
    """N, NE, E, SE, S, SW, W or NW; north is where y grows."""
