"""Ranged attacks: the seven steps, and how far they reach."""

from commands.action.resolution import Resolution
from ledger.events import Number, number
from projections.pending import Waiting
from projections.state import State

from . import actions, hands, places
from .harm import strike
from .rolls import Circumstances, Throw


def announce(fight: Resolution, who: str, target: str) -> None:
    """Refuses a shot that cannot be made, or declares it."""
    actions.check_time(fight, who)
    actions.check_target(fight, who, target)
    weapon = hands.weapon(fight, who)
    if not weapon or weapon.use == "melee":
        message = f"{who} has {hands.held(fight, who) or 'nothing'} in hand; that shoots nothing."
        fight.refuse("paraverse.weapon.in-hand", message, hands.drawing(fight, who, "marksman", "throwing"))
    thrown = is_thrown(fight, who)
    engaged = places.opponents(fight.state, who)
    if engaged and not thrown:
        fight.refuse(
            "paraverse.ranged.marksman-engaged",
            f"{who} is engaged with {', '.join(engaged)} and cannot shoot.",
            [("disengage", {"who": who}), "affray status"],
        )
    clause = reach_clause(fight, fight.state, who, target, thrown)
    if clause:
        there = places.of(fight.state, target)
        fight.refuse(
            clause, f"{target} is out of reach in {there}.", [("disengage", {"who": who}), *places.ways_out(fight, who)]
        )
    actions.announce(fight, who, "shoot", {"target": target}, actions.PHASE_OF["shoot"])


def is_thrown(fight: Resolution, who: str) -> bool:
    """Whether the weapon in hand is thrown; whatever shoots nothing is thrown too, if the referee lets it be."""
    weapon = hands.weapon(fight, who)
    return weapon is None or weapon.use != "marksman"


def reach_clause(fight: Resolution, state: State, who: str, target: str, thrown: bool) -> str:
    """The clause by which a target is out of reach; "" when it is within.

    Arrows reach the own area and those that are adjacent and seen; thrown weapons the own area, engaged or not.
    """
    if places.shared(state, who, target) or not fight.option("ranged_targeting"):
        return ""
    if thrown:
        return "paraverse.ranged.throwing-area"
    return "" if places.seen(state, who, target) else "paraverse.ranged.marksman-area"


def resolve_shot(fight: Resolution, waiting: Waiting, said: Circumstances, stray: str = "") -> None:
    """Carries out a declared shot, unless its target has fallen or is out of reach when the phase opens."""
    who, target = waiting.who, waiting.said["target"]
    if target not in fight.state.roster.members or not actions.can_be_struck(fight, waiting, target):
        actions.lose(fight, "paraverse.phase.target-gone", waiting, f"{target} is down or gone")
        return
    clause = reach_clause(fight, fight.opening, who, target, is_thrown(fight, who))
    if clause and not actions.allowed(waiting, clause):
        actions.lose(fight, clause, waiting, f"{target} is out of reach")
        return
    attack_at_range(fight, who, target, said, stray)
    actions.settle(fight, who)


def attack_at_range(fight: Resolution, who: str, target: str, said: Circumstances, stray: str) -> None:
    """Ranged Attack Resolution, steps 1 to 7."""
    skill = "throwing" if is_thrown(fight, who) else "marksman"
    attacking = Throw(fight, who, skill, said, about=target)  # 1
    defending = Throw(fight, target, "evasion", said, about=who)  # 2
    actions.mark_attacked(fight, target)
    attack = attacking.number().called(who)  # paraverse.ranged.attack-roll
    defence = defence_of(fight, target, defending)
    if is_hit(fight, who, target, attack, defence):  # 3
        strike(fight, who, target, difference(attack, defence))  # 4 to 7
    elif fight.option("stray_shots"):
        _stray(fight, who, target, attacking, said, stray)


def defence_of(fight: Resolution, target: str, defending: Throw) -> Number:
    """Evasion, whatever the defender is doing, and the shield it uses.

    paraverse.ranged.defence-roll, paraverse.ranged.shield
    """
    return defending.number().called(target).plus(hands.shield(fight, target), "shield")


def is_hit(fight: Resolution, who: str, target: str, attack: Number, defence: Number) -> bool:
    """Strictly higher hits; anything else misses, and nothing more is rolled: paraverse.ranged.miss-ends.

    A natural 20 or 1 means nothing of itself: paraverse.combat.no-natural-effects.
    """
    return fight.compare("paraverse.ranged.hit-if-higher", attack, ">", defence, who, target, yes="hit", no="miss")


def difference(higher: Number, lower: Number) -> Number:
    """By how much one result beats another."""
    return number("difference", higher.total, higher.of).minus(lower.total, lower.of)


def _stray(fight: Resolution, who: str, target: str, attacking: Throw, said: Circumstances, named: str) -> None:
    """A miss at somebody who is engaged with others flies on to one of these, on the bare die."""
    near = [
        one
        for one in places.opponents(fight.opening, target)
        if one != who and fight.opening.stands(one) and one in fight.state.roster.members
    ]
    if named and named not in near:
        fight.refuse(
            "paraverse.ranged.stray",
            f"{named} is not engaged with {target}.",
            f"Engaged with {target}: {', '.join(near) or 'nobody'}.",
        )
    if not near:
        return
    other = named if named in near else near[0]
    fight.rule("paraverse.ranged.stray", f"flies on to {other}", who=who, about=other)
    defending = Throw(fight, other, "evasion", said, about=who)
    actions.mark_attacked(fight, other)
    attack = number(who, attacking.natural, "d20 without skill")
    defence = defence_of(fight, other, defending)
    if is_hit(fight, who, other, attack, defence):
        strike(fight, who, other, difference(attack, defence))
