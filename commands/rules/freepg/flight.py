"""In the air: who hovers, and falling to the surface."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Placed

from .conditions import ALOFT


def hovers(fight: Resolution, who: str) -> bool:
    """Whether a combatant is in the air and stands on nothing."""
    return fight.state.conditions.has(who, ALOFT)


def take_off(fight: Resolution, who: str) -> None:
    """From now on it hovers."""
    if not hovers(fight, who):
        fight.record(ConditionGained(who, ALOFT))


def touch_down(fight: Resolution, who: str) -> None:
    """From now on it stands on something."""
    if hovers(fight, who):
        fight.record(ConditionEnded(who, ALOFT))


def fall_down(fight: Resolution, who: str) -> None:
    """It falls to the surface below, height 0."""
    touch_down(fight, who)
    at = fight.state.positions.at.get(who)
    if at and at[2] > 0:
        fight.record(Placed(who, (at[0], at[1], 0)))
