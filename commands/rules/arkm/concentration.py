"""Concentration: what prevents a spell, what disturbs it, and what ends one that is kept up."""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, Counted
from projections.harm import Condition

from . import ability, order
from .conditions import MAINTAINING, PINNED, STRUGGLING, STUNNED
from .position import CLOSED, engaged_since_earlier
from .tohit import ATTACKED_BY

MAINTAINED, MISSILES = "maintained", "missiles"
"""What is counted of a round: that a spell was kept up; missiles that hurt."""


def is_meleed(view: View, who: str) -> bool:
    """Whether somebody is engaged since an earlier round, or was attacked in melee in this one."""
    return engaged_since_earlier(view, who) or bool(view.state.counts.of(who, ATTACKED_BY))


def closers(view: View, who: str) -> list[str]:
    """The standing foes who came within 5 feet of somebody in this round, and still are."""
    return [
        foe
        for foe in view.state.engagement.of(who)
        if view.state.counts.get(foe, CLOSED, who) and view.hostile(who, foe) and view.state.stands(foe)
    ]


def threats(view: View, who: str) -> list[str]:
    """arkm.phase.threatened-caster: those of them who have the better initiative; all, by the option caster_threat."""
    if not view.sheet(who).caster:
        return []
    every = view.option("caster_threat") == "any"
    return [foe for foe in closers(view, who) if every or order.before(view, foe, who) < 0]


def prevented(view: View, who: str) -> str:
    """The clause by which somebody cannot cast an ordinary spell, for foes in melee; "" when he can."""
    if is_meleed(view, who):
        return "arkm.cast.not-while-meleed"
    return "arkm.phase.threatened-caster" if threats(view, who) else ""


def shot(fight: Resolution, who: str) -> None:
    """Counts a missile that cost somebody hit points; it may disturb his spell of this round."""
    fight.record(Counted(who, MISSILES, fight.state.counts.get(who, MISSILES) + 1))


def spell_of(maintaining: Condition) -> str:
    """What is maintained, in words; the game master may not have said."""
    return next(iter(maintaining.whom), "the spell")


def lapse(fight: Resolution, who: str) -> None:
    """The time to maintain a spell is over: it ends if its caster did not, or cannot."""
    helpless = not fight.state.stands(who) or bool(ability.conditions(fight, who) & _LOSING)
    if helpless or not fight.state.counts.get(who, MAINTAINED):
        interrupt(fight, who)


_LOSING = {STUNNED, PINNED, STRUGGLING}
"""Conditions in which no spell is maintained."""


def interrupt(fight: Resolution, who: str) -> None:
    """A spell that somebody maintains ends."""
    held = fight.state.conditions.get(who, MAINTAINING)
    if held:
        fight.rule("arkm.concentration.maintained", f"{spell_of(held)} ends", who=who)
        fight.record(ConditionEnded(who, MAINTAINING))
