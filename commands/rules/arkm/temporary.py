"""Empty hands and temporary damage: two columns, and being out of the fight without being slain."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, HpLost, Number, Rose, number

from . import losses
from .ability import effective, temporary
from .conditions import TEMPORARY
from .tohit import Blow

DICE, POINTS = "empty-hand dice", "empty-hand points"
"""What is counted of one attacker on one target, for the length of an encounter."""
_STRONG = 16
_ALL_TEMPORARY = {"pulled": "arkm.pull-punches.all-temporary", "subdued": "arkm.subdue.any-weapon"}
"""The clause of each manner of striking that does temporary damage alone."""


def sets(surprise: bool, backstab: bool) -> int:
    """Sets of dice of a blow whose damage is temporary, bar critical hits.

    A blow from behind has more sets of its own; they do not multiply.
    """
    return 2 if surprise and not backstab else 1


def hurt(fight: Resolution, blow: Blow, damage: Number) -> None:
    """Damage of empty hands, pulled punches or a blow to subdue, just thrown: it never slays.

    A pulled die is no die of a pair.
    """
    who, by = blow.target, blow.who
    last = fight.asked[-1]
    dice = len(last.faces) if last.purpose == "damage" else 1
    actual = _share(fight, who, damage, by, dice) if blow.manner == "empty-hand" else 0
    hp = fight.state.harm.hp[who]
    lost = min(actual, hp.now)
    if lost:
        fight.record(HpLost(who, lost, hp.now - lost, hp.most))
    add(fight, who, damage.total - actual)
    if damage.total:
        also = [_ALL_TEMPORARY[blow.manner]] if blow.manner in _ALL_TEMPORARY else []
        fight.rule("arkm.temporary-damage.column", "", [effective(fight, who)], by, who, also)
    check_out(fight, who, by)


def _share(fight: Resolution, who: str, damage: Number, by: str, dice: int) -> int:
    """Actual points of this blow: 1 for every two dice so far, 2 for the strong, and never more than they showed.

    arkm.empty-hand.actual-share, arkm.empty-hand.strong
    """
    strong = (fight.sheet(by).str_ or 0) >= _STRONG
    each = 2 if strong else 1
    thrown, points = fight.state.counts.get(by, DICE, who), fight.state.counts.get(by, POINTS, who)
    before = min(each * (thrown // 2), points)
    thrown, points = thrown + dice, points + damage.total
    fight.record(Counted(by, DICE, thrown, who, "encounter-end"))
    fight.record(Counted(by, POINTS, points, who, "encounter-end"))
    actual = number("actual so far", thrown, "dice").over(2, "pairs").times(each, "points").at_most(points, "all of it")
    fight.rule("arkm.empty-hand.strong" if strong else "arkm.empty-hand.actual-share", "", [actual], who=by, about=who)
    return actual.total - before


def add(fight: Resolution, who: str, points: int) -> None:
    """Adds to the temporary column, or takes off it."""
    now = temporary(fight, who)
    if points and now + points > 0:
        fight.record(ConditionGained(who, TEMPORARY, amount=now + points))
    elif points and now:
        fight.record(ConditionEnded(who, TEMPORARY))


def check_out(fight: Resolution, who: str, by: str = "") -> None:
    """arkm.zero-hp.out: anyone who has no effective hit point left is knocked out."""
    if fight.state.stands(who) and effective(fight, who).total <= 0:
        fight.rule("arkm.zero-hp.out", "out of the fight", [number("effective", effective(fight, who).total)], who=who)
        losses.fell(fight, who, "unconscious", by)


def come_round(fight: Resolution, who: str) -> None:
    """Anyone who was out and has effective hit points again is back."""
    if fight.state.harm.how(who) == "unconscious" and effective(fight, who).total > 0:
        fight.rule("arkm.zero-hp.out", "no longer out", [effective(fight, who)], who=who)
        fight.record(Rose(who))
