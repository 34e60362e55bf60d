"""Who fights whom, hand to hand."""

from .base import Event


class Engaged(Event, tag="engaged"):
    """Two combatants are locked in combat with each other."""

    who: str
    whom: str


class Disengaged(Event, tag="disengaged"):
    """Two combatants are no longer locked in combat with each other."""

    who: str
    whom: str


class SkirmishJoined(Event, tag="skirmish-joined"):
    """A combatant takes part in a skirmish, on one of its two sides."""

    who: str
    skirmish: int
    """1 for the first skirmish of the round."""
    side: int
    """0 for the side that picked the fight, 1 for the other."""
    lasting: bool = False
    """Whether it lasts beyond the round."""


class SkirmishEnded(Event, tag="skirmish-ended"):
    """A skirmish was fought."""

    skirmish: int
