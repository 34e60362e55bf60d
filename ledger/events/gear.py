"""What is worn and wielded."""

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
