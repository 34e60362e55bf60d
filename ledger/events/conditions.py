"""What holds for a combatant for a while, and exactly how long."""

from typing import Literal

from .base import Event

Until = Literal["removed", "turn-start", "turn-end", "round-end", "encounter-end", "place-left"]
"""When a condition ends: when somebody removes it, when the turn of `whose` starts or ends, when the round or the
encounter ends, or when its bearer leaves the square it stands on."""


class ConditionGained(Event, tag="condition-gained"):
    """A condition began to hold. A second one of the same name replaces the first."""

    who: str
    """Its bearer."""
    condition: str
    """Its name, in the word of the rule system."""
    until: Until = "removed"
    """What ends it."""
    whose: str = ""
    """Whose turn ends it: a seat, side or combatant; "" where no turn does."""
    round: int = 0
    """In which round it ends at the earliest; 0 for the first occasion."""
    amount: int = 0
    """Its number, if it has one."""
    modifies: str = ""
    """The kind of roll or score that `amount` is added to; "" if it is added to none."""
    whom: tuple[str, ...] = ()
    """The others that it concerns: who holds, who must still act."""


class ConditionEnded(Event, tag="condition-ended"):
    """A condition ceased to hold."""

    who: str
    """Its bearer."""
    condition: str
    """Its name."""
