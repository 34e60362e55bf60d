"""Flight: who flees from whom, who is after him, and when he has turned again; and who follows one who backs away."""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, Counted

from . import distance, order, position
from .conditions import FLEEING, IN_FLIGHT, PURSUING
from .distance import FEET, GAP, MELEE
from .groups import group, standing

AFTER = "after"
"""What is counted of a foe for the encounter: that it is after one who flees."""
ROLLED = "pursuit rolled"
"""What is counted of a group, about one or a group who flees: 1 when they pursue, 2 when they do not."""
FOLLOWS, LEAVES = "may follow", "has left"
"""What is counted of a round: whom a foe may follow at once, and whom somebody has left without having moved yet."""
PURSUE, STAY = 1, 2


def flees(view: View, who: str) -> bool:
    """Whether somebody has turned his back."""
    return view.state.conditions.has(who, FLEEING)


def _is_from(view: View, who: str, foe: str) -> bool:
    """Whether somebody flees from a foe."""
    held = view.state.conditions.get(who, FLEEING)
    return held is not None and (not held.whom or foe in held.whom)


def pursues(view: View, foe: str, who: str) -> bool:
    """Whether a foe is after one who flees: for its attacks alone his back is turned.

    arkm.retreat.faster-pursuer
    """
    return flees(view, who) and bool(view.state.counts.get(foe, AFTER, who))


def begin(fight: Resolution, who: str, foes: list[str]) -> None:
    """Somebody turns and flees from these foes; nobody is after him yet."""
    _forget(fight, who)
    fight.record(ConditionGained(who, FLEEING, whom=tuple(dict.fromkeys(foes))))


def is_after(fight: Resolution, foe: str, who: str) -> None:
    """From now on a foe is after one who flees."""
    if flees(fight, who) and not pursues(fight, foe, who):
        fight.rule("arkm.retreat.faster-pursuer", f"is after {who}", who=foe)
        fight.record(Counted(foe, AFTER, 1, who, "encounter-end"))


def comes_up(fight: Resolution, who: str, foe: str) -> None:
    """Somebody comes to within 5 feet of a foe by a movement of his own."""
    turns(fight, who, foe)
    if _is_from(fight, foe, who):
        is_after(fight, who, foe)


def turns(fight: Resolution, who: str, foe: str = "") -> None:
    """arkm.retreat.turn-and-reengage: who fled attacks, parries, comes up to a foe or turns to face one."""
    if flees(fight, who):
        fight.rule("arkm.retreat.turn-and-reengage", f"fights {foe} again" if foe else "turns to fight again", who=who)
        end(fight, who)


def end(fight: Resolution, who: str) -> None:
    """Somebody flees no more, and nobody is after him."""
    fight.record(ConditionEnded(who, FLEEING))
    _forget(fight, who)


def _forget(fight: Resolution, who: str) -> None:
    """The pursuers of one flight, and the rolls for them, are no part of the next."""
    counts = fight.state.counts
    for foe in fight.state.roster.order:
        if counts.get(foe, AFTER, who):
            fight.record(Counted(foe, AFTER, 0, who, "encounter-end"))
    for name in dict.fromkeys(group(fight, foe) for foe in fight.state.roster.order):
        if counts.get(name, ROLLED, who):
            fight.record(Counted(name, ROLLED, 0, who, "encounter-end"))


def runs_on(view: View, who: str) -> bool:
    """Whether one who flees just runs on: there is nobody in melee with him but those from whom he flees."""
    return flees(view, who) and all(_is_from(view, who, foe) for foe in position.foes(view, who))


def left_behind(view: View, who: str) -> dict[str, int]:
    """From whom a movement without an aim leads straight away, and how far they are before it, in feet.

    arkm.distance.pair: from whom one flees, or whose melee one leaves.
    """
    behind = dict.fromkeys(view.state.engagement.of(who), 0)
    for foe in view.state.roster.order:
        if foe in behind or not view.hostile(who, foe):
            continue
        far = distance.known(view, who, foe)
        if view.state.counts.get(who, LEAVES, foe) or (far and _is_from(view, who, foe)):
            behind[foe] = far
    return behind


def follows(fight: Resolution, who: str, near: tuple[str, ...]) -> bool:
    """Whether somebody follows one who has just backed away, and needs no place in the order for it."""
    first = fight.state.turns.phase == "movement" and not fight.state.counts.get(who, FEET)
    if len(near) != 1 or not first or not fight.state.counts.get(who, FOLLOWS, near[0]):
        return False
    fight.rule("arkm.withdraw.followed", f"{who} follows {near[0]} at once", who=who)
    return True


def runs(view: View, name: str, how: str) -> tuple[str, ...]:
    """The groups that a group pursues, or flees from."""
    return view.state.conditions.whom(name, how)


def over(fight: Resolution, hunters: str, prey: str) -> None:
    """Nobody runs any more: from now on the gap is the distance of each pair, at the least that of a melee."""
    left = max(fight.state.counts.get(hunters, GAP, prey), MELEE)
    for one, name, other in ((hunters, PURSUING, prey), (prey, IN_FLIGHT, hunters)):
        fight.fewer(one, name, other)
    if fight.state.counts.get(hunters, GAP, prey):
        fight.record(Counted(hunters, GAP, 0, prey, "encounter-end"))
    for one in standing(fight, hunters):
        for other in standing(fight, prey):
            if other not in fight.state.engagement.of(one):
                distance.apart(fight, one, other, left)


def end_flight(fight: Resolution, who: str) -> None:
    """Who runs no more at the end of a round, with nobody in contact, flees no more. arkm.retreat.faster-pursuer"""
    runs = fight.state.conditions.has(group(fight, who), IN_FLIGHT)
    if not position.foes(fight, who) and not runs and order.acted(fight, who) not in ("retreat", order.RUN):
        end(fight, who)
