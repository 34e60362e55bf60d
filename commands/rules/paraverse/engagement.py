"""Engagement: who is locked in combat with whom."""

from commands.action.resolution import Resolution
from ledger.events import Disengaged, Engaged
from projections.state import State

from .options import chosen


def opponents(state: State, who: str) -> list[str]:
    """Those with whom somebody is engaged, in roster order; nobody without the option."""
    engaged = state.engagement.of(who) if chosen(state, "engagement") else ()
    return [other for other in state.roster.order if other in engaged]


def engage(fight: Resolution, one: str, other: str) -> None:
    """After a skirmish its opponents are engaged: paraverse.engaged.starts."""
    if fight.option("engagement") and other not in fight.state.engagement.of(one):
        fight.record(Engaged(one, other))


def free(fight: Resolution, who: str) -> None:
    """Ends every pair that somebody is in: paraverse.engaged.ends."""
    for other in sorted(fight.state.engagement.of(who), key=fight.state.roster.order.index):
        fight.record(Disengaged(who, other))


def check_leaving(fight: Resolution, who: str) -> None:
    """Refuses to let an engaged character leave its area; whom the referee lets out leaves its opponents behind."""
    engaged = opponents(fight.state, who)
    if engaged:
        fight.refuse(
            "paraverse.engaged.no-leaving",
            f"{who} is engaged with {', '.join(engaged)} and cannot leave its area.",
            f"affray disengage {who}",
        )
