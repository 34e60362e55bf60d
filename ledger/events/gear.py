"""What is worn and wielded, what is shot away, and what lies on the ground; what is given and taken."""

from msgspec import Raw

from .base import Event


class Equipped(Event, tag="equipped"):
    """An item was put on or drawn."""

    who: str
    """Who has it in hand or on now."""
    item: str
    """The name of the item on the sheet."""


class Unequipped(Event, tag="unequipped"):
    """An item was taken off or put away."""

    who: str
    """Who put it away."""
    item: str
    """The name of the item on the sheet."""


class AmmunitionSet(Event, tag="ammunition-set"):
    """Ammunition was counted: on joining, or by the referee."""

    who: str
    """Whose ammunition."""
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    left: int
    """How many pieces there are."""


class AmmunitionSpent(Event, tag="ammunition-spent"):
    """Ammunition was shot away."""

    who: str
    """Who shot."""
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    pieces: int
    """1 or more."""
    left: int
    """How many pieces remained."""


class Dropped(Event, tag="dropped"):
    """An item left its bearer, who no longer wears or wields it, and lies on a square."""

    who: str
    """Who had it."""
    item: str
    """The name of the item on the sheet."""
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class PickedUp(Event, tag="picked-up"):
    """An item that lay on the ground is carried again, perhaps by somebody else."""

    who: str
    """Who has it now."""
    item: str
    """The name of the item."""
    at: tuple[int, int, int]
    """Where it lay: x, y and height, in squares."""


class ItemGained(Event, tag="item-gained"):
    """Somebody has an item that was not on the stat block: found, bought, or taken from another."""

    who: str
    """Who has it now; it is carried, and not in hand yet."""
    item: str
    """The name of the item."""
    sheet: Raw
    """The stat block from now on, as JSON, in the words of its rule system."""


class ItemLost(Event, tag="item-lost"):
    """Somebody has an item no more."""

    who: str
    """Who had it."""
    item: str
    """The name of the item."""
    sheet: Raw
    """The stat block from now on, as JSON, in the words of its rule system."""
