"""Who may act now."""

from commands.resolution import Resolution


def may_act(fight: Resolution, who: str, verb: str, phase: str, target: str = "") -> None:
    """Refuses what somebody may not do at this moment; brings the round to the phase that the deed belongs to.

    Whoever is down does nothing more, except what is owed to it.
    """
    down = fight.state.harm.down.get(who)
    if down and not owed(fight, who, target):
        how = "slain" if down.how == "dead" else "out of the fight"
        fight.refuse("arkm.damage.zero-hp", f"{who} is {how}.", f"affray adjust {who} down no WHY")


def owed(fight: Resolution, who: str, target: str = "") -> bool:
    """Whether somebody who is down still has a blow to give in this round: to anybody, or to `target`."""
    due = fight.state.counts.of(who, "owed")
    return "" in due or (target in due and bool(target))
