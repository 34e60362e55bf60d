"""Who is near whom: melee, occupied foes, and from where a blow comes."""

from commands.action.resolution import Remedy, Resolution, adjusted
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, Counted, Disengaged, Engaged, whose

from . import ability, distance
from .conditions import MOUNTED, PRONE, SURPRISED, UNAWARE

SINCE = "met before round"
"""What is counted of pairs for the encounter: the round after that of meeting."""
CLOSED, PARTED = "closed", "parted"
"""What is counted of pairs for the round: who came up to whom, and who parted."""
FLANK, REAR, FACED = "at the flank", "at the rear", "faced"
"""What is counted of pairs: where the one stands to the other, and whom somebody has turned to."""
AMBUSHED = "ambushed"
"""What is counted of an encounter: that somebody was surprised in it."""


def fall(fight: Resolution, who: str) -> None:
    """Somebody is off his feet; a rider leaves the saddle. arkm.whip.result"""
    if fight.state.conditions.has(who, MOUNTED):
        fight.rule("arkm.whip.result", "out of the saddle", who=who)
        fight.record(ConditionEnded(who, MOUNTED))
    if not fight.state.conditions.has(who, PRONE):
        fight.record(ConditionGained(who, PRONE))


def check_hostile(fight: Resolution, who: str, target: str, clause: str) -> None:
    """arkm.in-melee.definition: nobody is in melee with a friend, or with those at peace."""
    if fight.hostile(who, target):
        return
    side = fight.state.roster.members[target].side
    mine = side == fight.state.roster.members[who].side
    near = foes(fight, who)
    several = getattr(fight.declaration, "target", "")
    others = [one for one in several if fight.hostile(who, one)] if isinstance(several, tuple) else []
    there: list[Remedy | str] = [fight.otherwise(target=others)] if others else []
    there += [f"In melee with {who}: {', '.join(near)}."] if near else []
    truce = f"There is a truce with {whose(target)} side, the {side}."
    message = f"{target} is on {whose(who)} side." if mine else truce
    fight.refuse(clause, message, there if mine else [adjusted(who, "no-truce", side)])


def foes(view: View, who: str) -> list[str]:
    """The standing foes that somebody is in melee with, in the order of the roster.

    arkm.in-melee.definition: hostile, standing, within 5 feet, and nothing between them.
    """
    near = view.state.engagement.of(who)
    return [o for o in view.state.roster.order if o in near and view.hostile(who, o) and view.state.stands(o)]


def near(view: View, who: str) -> list[str]:
    """The standing foes within 5 feet of somebody, in the order of the roster: those in melee, and those known to be so
    near with nothing between.
    """
    return [one for one in view.state.roster.order if one != who and _is_near(view, who, one)]


def _is_near(view: View, who: str, foe: str) -> bool:
    if not (view.hostile(who, foe) and view.state.stands(foe)):
        return False
    if foe in view.state.engagement.of(who):
        return True
    return 0 < distance.known(view, who, foe) <= distance.MELEE and not view.state.counts.get(*_between(who, foe))


def comes_near(fight: Resolution, who: str, foe: str) -> None:
    """arkm.in-melee.definition: two who are known to be within 5 feet of each other are in melee."""
    if foe not in fight.state.engagement.of(who) and _is_near(fight, who, foe):
        meet(fight, who, foe)


_BARRIER = "obstacle between"
"""What is counted of a pair, once, of the one whose name comes first: that something separates them."""


def _between(one: str, other: str) -> tuple[str, str, str]:
    first, second = sorted((one, other))
    return first, _BARRIER, second


def separate(fight: Resolution, one: str, other: str, barrier: bool) -> None:
    """Something is between two from now on, or nothing any more."""
    first, what, second = _between(one, other)
    if bool(fight.state.counts.get(first, what, second)) != barrier:
        fight.record(Counted(first, what, int(barrier), second, "encounter-end"))


def occupied(view: View, foe: str, apart_from: str) -> bool:
    """Whether a foe is in melee with somebody else, too."""
    return any(other != apart_from for other in foes(view, foe))


def unoccupied(view: View, who: str) -> list[str]:
    """The able foes in melee with somebody who have nobody else to fight: with these they are engaged.

    arkm.in-melee.engaged
    """
    return [foe for foe in foes(view, who) if not occupied(view, foe, who) and not ability.is_helpless(view, foe)]


def _met_in(view: View, who: str, foe: str) -> int:
    """The round in which two came into melee with each other, 0 for before the first."""
    return view.state.counts.get(who, SINCE, foe) - 1


def since_earlier(view: View, who: str, foe: str) -> bool:
    """Whether two have been in melee with each other since an earlier round."""
    return foe in view.state.engagement.of(who) and _met_in(view, who, foe) < view.state.turns.round


def engaged_since_earlier(view: View, who: str) -> bool:
    """Whether somebody is engaged with a foe since an earlier round."""
    return any(since_earlier(view, who, foe) for foe in unoccupied(view, who))


def first_round_of(view: View, who: str, foe: str) -> bool:
    """Whether this is the first round in which the two are in melee."""
    return max(_met_in(view, who, foe), 1) == view.state.turns.round


def meet(fight: Resolution, who: str, foe: str) -> None:
    """Two come within 5 feet of each other, by what `who` does."""
    if foe in fight.state.engagement.of(who):
        return
    separate(fight, who, foe, barrier=False)
    fight.record(Engaged(who, foe))
    if fight.state.counts.get(who, PARTED, foe):
        for one, other in ((who, foe), (foe, who)):
            fight.record(Counted(one, PARTED, 0, other))
    else:
        met(fight, who, foe)
    fight.record(Counted(who, CLOSED, 1, foe))


def part(fight: Resolution, who: str, foe: str, far: int = 0) -> None:
    """Two are no longer within 5 feet of each other, but so many feet, if that is known.

    If they meet again in the same round, their melee goes on.
    """
    if foe not in fight.state.engagement.of(who):
        return
    fight.record(Disengaged(who, foe))
    distance.apart(fight, who, foe, far)
    for one, other in ((who, foe), (foe, who)):
        fight.record(Counted(one, PARTED, 1, other))
        for what in (FLANK, REAR, FACED):
            if fight.state.counts.get(one, what, other):
                fight.record(Counted(one, what, 0, other, "encounter-end"))


def moves_off(fight: Resolution, who: str) -> None:
    """What a movement ends: where somebody stood to others."""
    state = fight.state
    for what in (FLANK, REAR):
        for other in sorted(state.counts.of(who, what)):
            fight.record(Counted(who, what, 0, other, "encounter-end"))
    for other in state.roster.order:
        separate(fight, who, other, barrier=False)
        if state.counts.get(other, FACED, who):
            fight.record(Counted(other, FACED, 0, who, "encounter-end"))


def stands_at(view: View, who: str, foe: str) -> str:
    """Where somebody stands to a foe, as far as it was recorded: front, flank or rear."""
    counts = view.state.counts
    return "rear" if counts.get(who, REAR, foe) else "flank" if counts.get(who, FLANK, foe) else "front"


def comes_from(fight: Resolution, who: str, foe: str, direction: str) -> None:
    """Records where somebody stands to a foe, if it is news."""
    for what, word in ((FLANK, "flank"), (REAR, "rear")):
        if bool(fight.state.counts.get(who, what, foe)) != (direction == word):
            fight.record(Counted(who, what, int(direction == word), foe, "encounter-end"))


def turn_to(fight: Resolution, who: str, foe: str) -> None:
    """arkm.flank.until-faced: who strikes at one who stood at his flank or rear has turned to face him."""
    if stands_at(fight, foe, who) != "front":
        fight.rule("arkm.flank.until-faced", f"faces {foe}", who=who)
        fight.record(Counted(who, FACED, 1, foe, "encounter-end"))
        comes_from(fight, foe, who, "front")


def check_direction(fight: Resolution, who: str, foe: str, direction: str) -> None:
    """arkm.flank.until-faced: nobody is struck from the side by a foe whom they face."""
    if direction != "front" and fight.state.counts.get(foe, FACED, who):
        message = f"{foe} has turned to face {who}."
        fight.refuse("arkm.flank.until-faced", message, f"{who} must move first, with --to-flank or --to-rear.")


def is_surprised(view: View, who: str) -> bool:
    """Whether somebody is surprised, or does not see what is coming."""
    held = ability.conditions(view, who)
    return SURPRISED in held or UNAWARE in held


def check_unaware(fight: Resolution, who: str, foe: str, clause: str) -> None:
    """Refuses to surprise one who knows: it fights openly, has turned to its attacker, or was surprised before.

    Who is out of the fight sees nothing coming.

    arkm.surprise-attack.until-faced
    """
    if is_surprised(fight, foe) or not fight.state.stands(foe):
        return
    counts, unaware = fight.state.counts, [adjusted(foe, "condition", UNAWARE)]
    if counts.get(foe, FACED, who):
        fight.refuse(clause, f"{foe} has turned to face {who}.", unaware)
    elif counts.get(foe, AMBUSHED):
        fight.refuse(clause, f"{foe} was surprised before, and has turned to their foes since.", unaware)
    elif counts.get(foe, CLOSED, who):
        fight.refuse(clause, f"{foe} has come up to {who} this round.", unaware)
    elif since_earlier(fight, who, foe) or counts.get(foe, "attacks", who):
        fight.refuse(clause, f"{foe} fights {who} openly.", unaware)


def ambush(fight: Resolution, foe: str) -> None:
    """arkm.surprise-attack.until-faced: anyone who is struck unaware stays so to the end of the round."""
    if not fight.state.conditions.has(foe, SURPRISED):
        fight.record(ConditionGained(foe, UNAWARE, "round-end"))
    if not fight.state.counts.get(foe, AMBUSHED):
        fight.record(Counted(foe, AMBUSHED, 1, until="encounter-end"))


def met(fight: Resolution, one: str, other: str) -> None:
    """Counts the round in which two came into melee; before the first round it counts as 1 less than that."""
    for who, whom in ((one, other), (other, one)):
        fight.record(Counted(who, SINCE, fight.state.turns.round + 1, whom, "encounter-end"))
