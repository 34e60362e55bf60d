"""What is worn and wielded."""

from .base import Event


class Equipped(Event, tag="equipped"):
    """An item was put on or drawn."""

    who: str
    item: str


class Unequipped(Event, tag="unequipped"):
    """An item was taken off or put away."""

    who: str
    item: str
