"""Whose time it is: order, rounds, phases and turns."""

from .base import Event


class InitiativeSet(Event, tag="initiative-set"):
    """A combatant's initiative is another than its sheet's, until the encounter ends."""

    who: str
    """Whose initiative."""
    score: int
    """The score from now on."""


class TieBroken(Event, tag="tie-broken"):
    """Equal scores of initiative were put in order."""

    score: int
    """The score that they share."""
    order: tuple[str, ...]
    """The first to act first."""
    numbers: tuple[tuple[int, ...], ...] = ()
    """What each of them rolled, in the same order; more than one number for who rolled again."""


class OrderSet(Event, tag="order-set"):
    """The order of turns was decided."""

    order: tuple[str, ...]
    """Seats, sides or combatants, the first to act first."""


class RoundBegan(Event, tag="round-began"):
    """A round of the fight began."""

    round: int
    """1 for the first round of the fight."""


class PhaseBegan(Event, tag="phase-began"):
    """A phase of the round opened."""

    phase: str
    """The name of the phase."""
    simultaneous: bool = False
    """True when all of the phase is resolved from the state as it stood now."""


class TurnBegan(Event, tag="turn-began"):
    """A turn began."""

    who: str
    """The seat, side or combatant whose turn it is."""


class TurnEnded(Event, tag="turn-ended"):
    """A turn ended."""

    who: str
    """The seat, side or combatant whose turn it was."""
