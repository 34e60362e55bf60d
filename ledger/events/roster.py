"""Who takes part."""

from msgspec import Raw

from .base import Event


class Joined(Event, tag="joined"):
    """A combatant came to the table."""

    who: str
    """The name borne at the table."""
    side: str
    """Combatants of one side are not each other's enemies."""
    sheet: Raw
    """The stat block, as JSON, in the words of its rule system."""


class Left(Event, tag="left"):
    """A combatant left the table; its sheet, health and place are forgotten."""

    who: str
    """Who left."""


class SideChanged(Event, tag="side-changed"):
    """A combatant fights for another side now."""

    who: str
    """Who changed sides."""
    side: str
    """The side fought for from now on."""


class TruceMade(Event, tag="truce-made"):
    """Two sides are not each other's enemies, until the encounter or the truce ends."""

    one: str
    """One side."""
    other: str
    """The other side."""


class TruceEnded(Event, tag="truce-ended"):
    """Two sides are each other's enemies again."""

    one: str
    """One side."""
    other: str
    """The other side."""
