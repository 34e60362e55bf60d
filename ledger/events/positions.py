"""Where everybody stands, and which way everybody looks."""

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
    measure: str = ""
    """How far, in the measure of the rule system, such as 60 feet, when nobody counts squares."""


class Faced(Event, tag="faced"):
    """A combatant looks in a direction."""

    who: str
    """Who looks."""
    direction: str
    """N, NE, E, SE, S, SW, W or NW; north is where y grows."""


class AreasLaid(Event, tag="areas-laid"):
    """The ground of the encounter was divided into areas that have names."""

    areas: tuple[str, ...]


class LinkLaid(Event, tag="link-laid"):
    """Two areas were joined, or the link between them was changed."""

    one: str
    other: str
    move: bool = True
    """Whether one can go from one area to the other."""
    see: bool = True
    """Whether one area is seen from the other."""
    oneway: bool = False
    """True when one can go only from the first to the other."""
    check: str = ""
    """The skill with which the way must be won; "" when anybody can go."""
    difficulty: int = 0
    """What the check must beat; 0 when nothing is to be won."""


class AreaEntered(Event, tag="area-entered"):
    """A combatant stands in an area now, and no longer in another."""

    who: str
    area: str
