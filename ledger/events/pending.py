"""What was announced and is still to come."""

from typing import Any

from .base import Event


class Awaited(Event, tag="awaited"):
    """Something waits: a declared action for its phase, a readied one for its moment, a window for its answer."""

    kind: str
    """What sort of thing waits: declared, readied, window ..."""
    who: str
    """Whose it is. There is one of a kind for each combatant; a new one replaces the old."""
    verb: str
    """What is left to do."""
    said: dict[str, Any]
    """The fields of its declaration."""
    answerable: tuple[str, ...] = ()
    """Who may answer, while nobody else may act; empty when it holds up nobody."""
    until: str = ""
    """The moment at which it lapses, in the words of the rule system."""


class Settled(Event, tag="settled"):
    """What waited was carried out, declined, lost or lapsed."""

    kind: str
    """What sort of thing waited."""
    who: str
    """Whose it was."""
    how: str
    """What became of it, in the words of the rule system."""
