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
