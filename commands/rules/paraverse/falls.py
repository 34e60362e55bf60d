"""Falling and waking: incapacitated, dying, dead, and back."""

from commands.action.resolution import Resolution
from ledger.events import Felled, Number, PainEased, Rose, Settled, number
from projections.state import State

from . import engagement
from .harm import FALL
from .options import chosen
from .wound_table import BLEEDING


def stamina(fight: Resolution, state: State, who: str) -> Number:
    """Endurance less pain; it may be negative: paraverse.stat.endurance."""
    return number("Stamina", fight.sheet(who).stamina, "Endurance").minus(state.pain.points(who), "pain")


def is_bleeding(state: State, who: str) -> bool:
    """Whether a wound bleeds: paraverse.wound.bleeder."""
    bleeding = BLEEDING[chosen(state, "wound_table")]
    return bool(chosen(state, "critical_wound_effects")) and any(w in bleeding for w in state.wounds.names(who))


def is_dying(state: State, who: str) -> bool:
    """Whether somebody is incapacitated and bleeding: paraverse.dying.definition."""
    down = state.harm.down.get(who)
    return down is not None and down.how != "dead" and is_bleeding(state, who)


def settle(fight: Resolution) -> None:
    """A phase closes: whoever was felled in it goes down now, and is engaged no longer."""
    for who in fight.state.roster.order:
        _settle(fight, who)
        if who in fight.state.harm.down:
            engagement.free(fight, who)


def _settle(fight: Resolution, who: str) -> None:
    """Falls by wounds, and by pain that has used up the Stamina: paraverse.incapacitated.stamina."""
    by_wound, down = fight.state.pending.of(FALL, who), fight.state.harm.down.get(who)
    if by_wound:
        fight.record(Settled(FALL, who, "done"))
    if down and down.how == "dead":
        return
    if by_wound and by_wound.said["text"] == "dead":
        fight.record(Felled(who, "dead"))
        return
    if down:
        return
    left = stamina(fight, fight.state, who)
    if left.total <= 0 and fight.option("incapacitation"):
        fight.rule("paraverse.incapacitated.stamina", "incapacitated", [left], who=who)
        fight.record(Felled(who, "unconscious"))
    elif by_wound:
        fight.record(Felled(who, "unconscious"))


def ease(fight: Resolution, who: str, points: int) -> None:
    """Takes pain away, down to 0. Who has Stamina again by that, wakes."""
    pain = fight.state.pain.points(who)
    eased = min(points, pain)
    fight.record(PainEased(who, eased, pain - eased))
    if eased:
        wake(fight, who)


def wake(fight: Resolution, who: str) -> None:
    """Who has Stamina again wakes, whatever had felled it."""
    left, down = stamina(fight, fight.state, who), fight.state.harm.down.get(who)
    if left.total >= 1 and down and down.how != "dead":
        fight.rule("paraverse.incapacitated.wakes", "awake", [left], who=who)
        fight.record(Rose(who))
