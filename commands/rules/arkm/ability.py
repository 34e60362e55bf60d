"""Who can act at all: the slain, those out of the fight, the stunned, the pinned, the surprised."""

from commands.action.resolution import Remedies, Resolution, adjusted
from commands.action.view import View
from ledger.events import Number, number

from . import ways
from .conditions import BLOW_DUE, IN_FLIGHT, PINNED, PURSUING, STRUGGLING, STUNNED, SURPRISED, TEMPORARY
from .groups import group

_REASONS = (
    (SURPRISED, "arkm.surprise.free-round"),
    (STUNNED, "arkm.stunned.no-attack-no-defence"),
    (PINNED, "arkm.grapple.pinned"),
)
"""Conditions in which nothing can be declared, with their clauses."""


def conditions(view: View, who: str) -> set[str]:
    """The names of somebody's conditions."""
    return {*view.state.conditions.of.get(who, {})}


def is_owed(view: View, who: str, target: str = "") -> bool:
    """Whether a tie owes somebody the action of this round, or the blow at `target`, whatever has become of him."""
    due = view.state.conditions.get(who, BLOW_DUE)
    return due is not None and (not due.whom or target in due.whom)


def is_able(view: View, who: str) -> bool:
    """Whether somebody can declare anything."""
    held = view.state.conditions.of.get(who)
    if not held:
        return view.state.stands(who)
    return BLOW_DUE in held or (view.state.stands(who) and not any(name in held for name, _ in _REASONS))


def is_dead(view: View, who: str) -> bool:
    """Whether there is nobody left to strike at. arkm.zero-hp.out: those who are only out can be struck."""
    return view.state.harm.how(who) == "dead"


def is_helpless(view: View, who: str) -> bool:
    """Whether somebody cannot defend himself: no DEX bonus, shield, parry or second weapon counts for him."""
    held = conditions(view, who)
    return BLOW_DUE not in held and (not view.state.stands(who) or STUNNED in held or PINNED in held)


def check(fight: Resolution, who: str, struggling: bool = False, moving: bool = False, target: str = "") -> None:
    """Refuses what somebody cannot do who is not able, or runs."""
    check_able(fight, who, struggling, moving, target)
    _check_running(fight, who)


def _check_running(fight: Resolution, who: str) -> None:
    """arkm.pursuit.rounds-running: those who run do nothing else."""
    mine = group(fight, who)
    held = fight.state.conditions.of.get(mine, {})
    for name in (PURSUING, IN_FLIGHT):
        if name in held:
            other = next(iter(held[name].whom), "")
            hunters, prey = (mine, other) if name == PURSUING else (other, mine)
            goes_on = [("pursue", {"who": [hunters], "target": [prey]})]
            fight.refuse("arkm.pursuit.rounds-running", f"{who} is running ({name}).", goes_on)


def check_able(fight: Resolution, who: str, struggling: bool = False, moving: bool = False, target: str = "") -> None:
    """Refuses what somebody cannot do; `struggling` says that it can be done while struggling in a grapple."""
    held = conditions(fight, who)
    if BLOW_DUE in held and is_owed(fight, who, target):
        return
    down = fight.state.harm.how(who)
    if down == "dead":
        fight.refuse("arkm.damage.zero-hp", f"{who} is down.", [adjusted(who, "down", "no")])
    elif down:
        fight.refuse("arkm.zero-hp.out", f"{who} is out of the fight.", [adjusted(who, "down", "no")])
    for name, clause in _REASONS:
        if name in held and not (name == STUNNED and moving and fight.option("stunned_moves")):
            last = fight.state.conditions.of[who][name].round
            until = f" until the end of round {last}" if last else ""
            fight.refuse(clause, f"{who} is {name}{until}.", ways.next_round(fight)[:-1])
    if STRUGGLING in held and not struggling:
        foes = ", ".join(fight.state.conditions.whom(who, STRUGGLING)) or "somebody"
        later = f"{who} can try to get free in the melee phase."
        free: Remedies = [("grapple", {"who": [who], "contest": True}), later]
        fight.refuse("arkm.grapple.struggling", f"{who} is struggling with {foes}.", free)


def temporary(view: View, who: str) -> int:
    """The temporary damage of somebody."""
    return view.state.conditions.amount(who, TEMPORARY)


def effective(view: View, who: str) -> Number:
    """Hit points less temporary damage."""
    return number("effective", view.state.harm.hp[who].now, "hp").minus(temporary(view, who), "temporary")
