"""A fight, from its beginning to its end, and the ground it is fought on."""

from .base import Event


class EncounterBegan(Event, tag="encounter-began"):
    """A fight began."""

    number: int
    """1 for the first fight of the campaign."""
    name: str = ""
    """What the fight is called; "" if it has no name."""
    ordered: bool = True
    """False when the fight is played without turns."""


class EncounterEnded(Event, tag="encounter-ended"):
    """The fight is over."""

    number: int
    """Which fight."""


class GroundLaid(Event, tag="ground-laid"):
    """Squares of the map were given a feature."""

    feature: str
    """What lies there, in the word of the rule system: obstacle, difficult, amplifier ..."""
    squares: tuple[tuple[int, int], ...]
    """x and y."""


class GroundCleared(Event, tag="ground-cleared"):
    """Squares of the map lost a feature."""

    feature: str
    """What lies there no longer."""
    squares: tuple[tuple[int, int], ...]
    """x and y."""
