"""Hit points, pain, stress, wounds that have a name or are counted, and who is down."""

from typing import Literal

from .base import Event


class HpSet(Event, tag="hp-set"):
    """A combatant's hit points were set: on joining, or by the referee."""

    who: str
    """Whose hit points."""
    hp: int
    """What the combatant has now."""
    most: int
    """The maximum."""


class HpLost(Event, tag="hp-lost"):
    """Hit points were lost."""

    who: str
    """Who lost them."""
    points: int
    """What was really lost, 1 or more."""
    left: int
    """What remained."""


class HpGained(Event, tag="hp-gained"):
    """Hit points were regained."""

    who: str
    """Who regained them."""
    points: int
    """What was really regained, 0 or more."""
    left: int
    """What the combatant has now."""


class PainSuffered(Event, tag="pain-suffered"):
    """Somebody is in more pain than before."""

    who: str
    points: int
    """What was added, 1 or more."""
    total: int
    """All of its pain now."""


class PainEased(Event, tag="pain-eased"):
    """Pain went away."""

    who: str
    points: int
    """What really went, 0 or more."""
    total: int
    """All of its pain now."""


class WoundSuffered(Event, tag="wound-suffered"):
    """Somebody bears a wound that has a name."""

    who: str
    wound: str
    place: str
    """Where on the body, in the word of the rule system."""


class WoundTreated(Event, tag="wound-treated"):
    """A wound is no longer one."""

    who: str
    wound: str


class StressGained(Event, tag="stress-gained"):
    """Somebody is under more stress than before."""

    who: str
    """Who gained it."""
    points: int
    """What was added, 1 or more."""
    total: int
    """All of its stress now."""


class StressEased(Event, tag="stress-eased"):
    """Stress went away."""

    who: str
    """Whose stress went."""
    points: int
    """What really went, 0 or more."""
    total: int
    """All of its stress now."""


class WoundsSustained(Event, tag="wounds-sustained"):
    """Somebody bears more wounds, of the sort that is only counted."""

    who: str
    """Who bears them."""
    wounds: int
    """How many were really added, 1 or more."""
    total: int
    """All of its wounds now."""
    type: str = ""
    """What made them: piercing, heat ...; "" for a kind of its own."""


class WoundsHealed(Event, tag="wounds-healed"):
    """Counted wounds went away."""

    who: str
    """Whose wounds went."""
    wounds: int
    """How many really went, 0 or more."""
    total: int
    """All of its wounds now."""


class Felled(Event, tag="felled"):
    """A combatant went down."""

    who: str
    """Who went down."""
    how: Literal["dying", "unconscious", "dead"]
    """What the combatant is now."""


class Rose(Event, tag="rose"):
    """A combatant is no longer down."""

    who: str
    """Who is up again."""
