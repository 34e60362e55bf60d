"""Whose place it is: phases, places in the order of initiative, paired fights, and the one action of a round.

The pointer, phase and place, only moves forward. Groups with equal numbers share a place.
"""

from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import TurnBegan

from . import ways
from .conditions import BLOW_DUE, HASTED
from .groups import group, while_same

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
SURPRISE_ROLLED = "surprise rolled"
"""What is counted of an encounter in which surprise was rolled, or cannot be."""


def check_decided_or_open(fight: Resolution) -> None:
    """Refuses what is done in a round, whatever the phase, before there is one."""
    if not fight.state.turns.phase:
        check_decided(fight)


def pair_of(view: View, who: str) -> int:
    """The paired fight in which somebody has initiative of its own; 0 for none."""
    if not view.state.skirmishes.of:
        return 0
    return pair_number(view, who)


def is_decided(view: View) -> bool:
    """Whether initiative is rolled for this round."""
    return bool(view.state.turns.order or view.state.initiative.scores)


def check_decided(fight: Resolution) -> None:
    """Refuses to begin a round's movement phase before its initiative is rolled."""
    require_encounter(fight)
    if not is_decided(fight):
        message = "Initiative is not rolled for this round."
        fight.hold("arkm.initiative.reroll-each-round", message, [("initiative", {})])


def seat(view: View, who: str) -> str:
    """With whom somebody has its place: its group, or those of its group who are hasted.

    arkm.haste.has-initiative: apart from its own group.
    """
    return _seats(view)[who]


@while_same("roster", "conditions")
def _seats(view: View) -> dict[str, str]:
    """The seat of everybody."""
    hasted = view.state.conditions.has
    return {who: group(view, who) + (QUICK if hasted(who, HASTED) else "") for who in view.state.roster.order}


@while_same("turns.order", "roster", "conditions", "skirmishes", "initiative")
def places(view: View) -> tuple[str, ...]:
    """The order of this round: as rolled, those hasted since then before all, groups that came since then after all."""
    order = view.state.turns.order
    seats = dict.fromkeys(seat(view, who) for who in view.state.roster.order if not pair_of(view, who))
    new = [name for name in seats if not any(shares(place, name) for place in order)]
    quick = TIE.join(name for name in new if name.endswith(QUICK))
    late = TIE.join(name for name in new if not name.endswith(QUICK))
    return (*filter(None, [quick]), *order, *filter(None, [late]))


def place(view: View, who: str) -> int:
    """The place of somebody in the order, 0 for the first."""
    return _place_of(view)[who]


@while_same("turns.order", "roster", "conditions", "skirmishes", "initiative")
def _place_of(view: View) -> dict[str, int]:
    """The place of everybody."""
    every, seats = places(view), _seats(view)
    at = {mine: next((nth for nth, names in enumerate(every) if shares(names, mine)), 0) for mine in {*seats.values()}}
    return {who: at[mine] for who, mine in seats.items()}


def next_place(view: View, at: int) -> int | None:
    """The first place from `at` on in which somebody stands, or still has a blow due; none when there is none."""
    every, there = places(view), _there(view)
    return next((nth for nth in range(at, len(every)) if any(shares(every[nth], mine) for mine in there)), None)


def _there(view: View) -> set[str]:
    """The seats of those who stand, or still have a blow due."""
    return {seat(view, who) for who in view.state.roster.order if view.state.stands(who) or is_due(view, who)}


def is_due(view: View, who: str) -> bool:
    """Whether somebody still has the blow that a tie owes them: what is struck is due no more."""
    return view.state.conditions.has(who, BLOW_DUE) and not is_spent(view, who)


def is_spent(view: View, who: str) -> bool:
    """Whether somebody has had the action of this round, with all attacks of it."""
    return bool(acted(view, who)) and not view.state.counts.get(who, ATTACKS)


def shares(place: str, name: str) -> bool:
    """Whether one has a place, alone or with others."""
    return f"{TIE}{name}{TIE}" in f"{TIE}{place}{TIE}"


def pointer(view: View) -> int:
    """The place whose time it is, 0 for the first."""
    now = view.state.turns.who.split(TIE)
    return next((nth for nth, names in enumerate(places(view)) if any(shares(names, one) for one in now)), 0)


def is_to_come(view: View, who: str) -> bool:
    """Whether somebody's place in the phase that is open is not over."""
    return bool(view.state.turns.phase) and place(view, who) >= pointer(view)


def acted(view: View, who: str) -> str:
    """What somebody has done this round; "" for nothing."""
    return next(iter(view.state.counts.of(who, ACTED)), "")


def check_not_acted(fight: Resolution, who: str, clause: str) -> None:
    """Refuses a second action in a round, by a clause."""
    if done := acted(fight, who):
        fight.hold(clause, f"{who} has already acted this round ({done}).", ways.next_round(fight), [("round", {})])


def attacks_left(many: int) -> str:
    """So many attacks, in words."""
    return f"{many} attack{'s' * (many > 1)} left"


def before(view: View, who: str, other: str) -> int:
    """Who comes first by haste and initiative: negative for `who`, positive for `other`, 0 for neither."""
    if pair_of(view, who):
        return before_in_pair(view, who, other)
    return place(view, who) - place(view, other)


def tied(view: View, who: str, other: str) -> bool:
    """arkm.initiative.tie-simultaneous: whether two are of different groups that act at the same time."""
    members = view.state.roster.members
    if not is_decided(view) or who not in members or other not in members:
        return False
    if pair_of(view, who) != pair_of(view, other):
        return False
    return group(view, who) != group(view, other) and before(view, who, other) == 0


def who_is_there(view: View, name: str) -> str:
    """A place without the groups of which nobody stands or has a blow due."""
    there = _there(view)
    return TIE.join(one for one in name.split(TIE) if one in there)


def begin_place(fight: Resolution, name: str) -> None:
    """A place in the order begins, of those groups that are there. arkm.initiative.tie-numbers: that of several is seen
    as it is now.
    """
    name = who_is_there(fight, name) or name
    fight.record(TurnBegan(name, simultaneous=TIE in name))


RUN = "run"
DISSOLVED = "dissolved"
"""What is counted of an encounter, in regard to the number of a paired fight that ends with the next roll."""


def pair_number(view: View, who: str) -> int:
    """The paired fight in which somebody has initiative of its own this round, 1 for the first; 0 for none."""
    at = pair_found(view, who)
    if not at or view.state.skirmishes.number(at).done:
        return 0
    return at if view.state.initiative.scores.get(who) else 0


def pair_found(view: View, who: str) -> int:
    """The paired fight that somebody was last put in, over or not; 0 for none."""
    return max((at for at, one in enumerate(view.state.skirmishes.of, 1) if who in one.members), default=0)


def is_apart(view: View, who: str) -> bool:
    """Whether somebody is in a paired fight that the next roll of initiative is made for."""
    at = pair_found(view, who)
    return bool(at) and not is_over(view, at)


def is_over(view: View, at: int) -> bool:
    """Whether a paired fight is dissolved, or has nobody left on a side."""
    one = view.state.skirmishes.number(at)
    if one.done or view.state.counts.get("encounter", DISSOLVED, str(at)):
        return True
    return not all(any(map(view.state.stands, side)) for side in one.sides)


def before_in_pair(view: View, who: str, other: str) -> int:
    """Who comes first of two in one paired fight: negative for `who`, positive for `other`, 0 for neither."""
    return rank(view, other) - rank(view, who)


def rank(view: View, who: str) -> int:
    """Its side's die; a hasted one is before all: arkm.haste.has-initiative."""
    return view.state.initiative.scores.get(who, 0) + 10 * view.state.conditions.has(who, HASTED)
