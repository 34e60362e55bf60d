"""What a rule will want to know later."""

from typing import Literal

from .base import Event


class Counted(Event, tag="counted"):
    """Something was counted that a rule will ask for later in the round, or in the encounter."""

    who: str
    """Whose count."""
    what: str
    """What is counted, in the word of the rule system: feet, attacks, distance ..."""
    count: int
    """What it comes to now; 0 forgets it."""
    whom: str = ""
    """In regard to whom: there is one count for each; "" for nobody in particular."""
    until: Literal["round-end", "encounter-end"] = "round-end"
    """When it is forgotten."""
