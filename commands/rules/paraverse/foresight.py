"""Foresight: what will stand against a fight that is declared, while it can still be declared otherwise."""

from commands.action.resolution import Resolution
from ledger.events import PhaseBegan

from . import actions, assignment, movement, places


def warn(fight: Resolution, who: str) -> None:
    """paraverse.assign.gang-up: says, as everybody has declared so far, that the target is taken and another is free.

    The melee is tried with what is declared: who moves in by then counts as being there.
    """
    waiting = fight.state.pending.of(actions.KIND, who)
    target = waiting.said.get("target", "") if waiting else ""
    if fight.state.turns.phase != "planning" or not target or not _may_be_taken(fight, who, target):
        return
    tried = fight.trial()
    for phase in ("ranged", "melee"):
        movement.arrive_all(tried, phase)
        tried.record(PhaseBegan(phase))
    if any(one.who == who for one in assignment.form(tried)):
        for objection in assignment.gang_up(tried, who, target):
            fight.rule(objection.clause, f"so far {objection.message.rstrip('.')}", who=who)


def _may_be_taken(fight: Resolution, who: str, target: str) -> bool:
    """Whether the target fights somebody else as it is declared, or is engaged with somebody."""
    aims = {one.who: one.said.get("target", "") for one in fight.state.pending.waiting if one.kind == actions.KIND}
    others = [other for other, aim in aims.items() if other != who and aim == target]
    return bool(others or aims.get(target, "") not in ("", who) or places.opponents(fight.state, target))
