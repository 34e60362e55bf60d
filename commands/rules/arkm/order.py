"""Whose place it is: phases, places in the order of initiative, paired fights, and the one action of a round.

The pointer, phase and place, only moves forward. Groups with equal numbers share a place.
"""

from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution

from .conditions import HASTED
from .groups import group

PHASES = ("movement", "missile", "magic", "melee")
"""arkm.phase.order: after them comes the initiative of the next round."""
TIE = " and "
"""Between the groups that share a place."""
QUICK = " (hasted)"
"""After the name of a group: those of it who are hasted."""
ATTACK, SHOT, SPELL, PARRY, RELOAD, PASS = "attack", "shot", "spell", "parry", "reload", "pass"
"""Actions that other rules ask for; there are more."""
SPENT = {PARRY: "arkm.parry.no-attacks", RELOAD: "arkm.reload.takes-one-round", "run": "arkm.move.run"}
"""The clause by which an action excludes all others; one action a round in any case."""
ACTED = "acted"
"""What is counted of one who has had the action of his round: 1, in regard to what he did."""
ATTACKS = "attacks left"
"""Attacks that can still be made at once, before anybody else acts."""
REVERSED = "shot before moving"
"""What is counted of one who shot in the movement phase: he moves in the missile phase."""


def check_decided_or_open(fight: Resolution) -> None:
    """Refuses what is done in a round, whatever the phase, before there is one."""
    if not fight.state.turns.phase:
        check_decided(fight)


def pair_of(fight: Resolution, who: str) -> int:
    """The paired fight in which somebody has initiative of its own; 0 for none."""
    if not fight.state.skirmishes.of:
        return 0
    return pair_number(fight, who)


def is_decided(fight: Resolution) -> bool:
    """Whether initiative is rolled for this round."""
    return bool(fight.state.turns.order or fight.state.initiative.scores)


def check_decided(fight: Resolution) -> None:
    """Refuses to begin a round's movement phase before its initiative is rolled."""
    require_encounter(fight)
    if not is_decided(fight):
        fight.refuse(
            "arkm.initiative.reroll-each-round", "Initiative is not rolled for this round.", "affray initiative"
        )


def seat(fight: Resolution, who: str) -> str:
    """With whom somebody has its place: its group, or those of its group who are hasted.

    arkm.haste.has-initiative: apart from its own group.
    """
    return group(fight, who) + (QUICK if fight.state.conditions.has(who, HASTED) else "")


def places(fight: Resolution) -> tuple[str, ...]:
    """The order of this round: as rolled, those hasted since then before all, groups that came since then after all."""
    order = fight.state.turns.order
    seats = dict.fromkeys(seat(fight, who) for who in fight.state.roster.order if not pair_of(fight, who))
    new = [name for name in seats if not any(shares(place, name) for place in order)]
    quick = TIE.join(name for name in new if name.endswith(QUICK))
    late = TIE.join(name for name in new if not name.endswith(QUICK))
    return (*filter(None, [quick]), *order, *filter(None, [late]))


def place(fight: Resolution, who: str) -> int:
    """The place of somebody in the order, 0 for the first."""
    mine = seat(fight, who)
    return next((at for at, names in enumerate(places(fight)) if shares(names, mine)), 0)


def shares(place: str, name: str) -> bool:
    """Whether one has a place, alone or with others."""
    return f"{TIE}{name}{TIE}" in f"{TIE}{place}{TIE}"


def pointer(fight: Resolution) -> int:
    """The place whose time it is, 0 for the first."""
    every, now = places(fight), fight.state.turns.who
    return every.index(now) if now in every else 0


def acted(fight: Resolution, who: str) -> str:
    """What somebody has done this round; "" for nothing."""
    return next(iter(fight.state.counts.of(who, ACTED)), "")


def before(fight: Resolution, who: str, other: str) -> int:
    """Who comes first by haste and initiative: negative for `who`, positive for `other`, 0 for neither."""
    if pair_of(fight, who):
        return before_in_pair(fight, who, other)
    return place(fight, who) - place(fight, other)


def tied(fight: Resolution, who: str, other: str) -> bool:
    """arkm.initiative.tie-simultaneous: whether two are of different groups that act at the same time."""
    members = fight.state.roster.members
    if not is_decided(fight) or who not in members or other not in members:
        return False
    if pair_of(fight, who) != pair_of(fight, other):
        return False
    return group(fight, who) != group(fight, other) and before(fight, who, other) == 0


RUN = "run"
DISSOLVED = "dissolved"
"""What is counted of an encounter, in regard to the number of a paired fight that ends with the next roll."""


def pair_number(fight: Resolution, who: str) -> int:
    """The paired fight in which somebody has initiative of its own this round, 1 for the first; 0 for none."""
    at = pair_found(fight, who)
    if not at or fight.state.skirmishes.number(at).done:
        return 0
    return at if fight.state.initiative.scores.get(who) else 0


def pair_found(fight: Resolution, who: str) -> int:
    """The paired fight that somebody was last put in, over or not; 0 for none."""
    return max((at for at, one in enumerate(fight.state.skirmishes.of, 1) if who in one.members), default=0)


def is_apart(fight: Resolution, who: str) -> bool:
    """Whether somebody is in a paired fight that the next roll of initiative is made for."""
    at = pair_found(fight, who)
    return bool(at) and not is_over(fight, at)


def is_over(fight: Resolution, at: int) -> bool:
    """Whether a paired fight is dissolved, or has nobody left on a side."""
    one = fight.state.skirmishes.number(at)
    if one.done or fight.state.counts.get("encounter", DISSOLVED, str(at)):
        return True
    return not all(any(map(fight.state.stands, side)) for side in one.sides)


def before_in_pair(fight: Resolution, who: str, other: str) -> int:
    """Who comes first of two in one paired fight: negative for `who`, positive for `other`, 0 for neither."""
    return rank(fight, other) - rank(fight, who)


def rank(fight: Resolution, who: str) -> int:
    """Its side's die; a hasted one is before all: arkm.haste.has-initiative."""
    hasted = fight.state.conditions.has(who, HASTED)
    return fight.state.initiative.scores.get(who, 0) + (10 if hasted else 0)
