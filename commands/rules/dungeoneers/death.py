"""Death, and what goes with it."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Felled

from . import threat
from .grapples import release
from .points import GRAPPLED, GRAPPLING, alive

READIED, WINDOW = "readied", "window"
"""What can wait: a readied action, and a window for opportune strikes."""
ANY_GAP = "between turns"
"""When a readied action can be taken for which the turn of one without turns was named, by the referee's word."""


def die(fight: Resolution, who: str) -> None:
    """dungeoneers.death.effects: the dead take no part in anything any more."""
    if alive(fight, who):
        fight.record(Felled(who, "dead"))
        bury(fight, who)


def bury(fight: Resolution, who: str, why: str = "dead") -> None:
    """Ends what the dead one held, threatened and had readied, and the turn's other conditions of its own.

    Who is unconscious by the referee's word, or leaves, takes no part either: `why`.
    """
    for condition in (GRAPPLING, GRAPPLED):
        release(fight, who, condition, "dungeoneers.grapple.separated", why)
    for other in fight.state.roster.order:
        by = threat.threatened_by(fight, other)
        if who in by:
            threat.become(fight, other, tuple(name for name in by if name != who))
    for condition, held in fight.state.conditions.held(who):
        if held.until != "removed":
            fight.record(ConditionEnded(who, condition))
    fight.settle(READIED, who, "lost")  # dungeoneers.ready.lapse
    fight.settle(WINDOW, who, why)
