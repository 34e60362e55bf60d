"""What is worn and wielded, what is shot away, and what lies on the ground."""

from .base import Event


class Equipped(Event, tag="equipped"):
    """An item was put on or drawn."""

    who: str
    item: str


class Unequipped(Event, tag="unequipped"):
    """An item was taken off or put away."""

    who: str
    item: str


class AmmunitionSet(Event, tag="ammunition-set"):
    """Ammunition was counted: on joining, or by the referee."""

    who: str
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    left: int


class AmmunitionSpent(Event, tag="ammunition-spent"):
    """Ammunition was shot away."""

    who: str
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    pieces: int
    """1 or more."""
    left: int


class Dropped(Event, tag="dropped"):
    """An item left its bearer, who no longer wears or wields it, and lies on a square."""

    who: str
    item: str
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class PickedUp(Event, tag="picked-up"):
    """An item that lay on the ground is carried again, perhaps by somebody else."""

    who: str
    item: str
    at: tuple[int, int, int]
    """Where it lay: x, y and height, in squares."""
