"""Ranged attacks: the seven steps, and how far they reach."""

from commands.action import ground
from commands.action.resolution import STATUS, Resolution
from ledger.events import Number, number
from projections.pending import Waiting
from projections.state import State

from . import actions, hands, places
from .harm import strike
from .rolls import Circumstances, Throw

_SEQUENCE = "paraverse.ranged.sequence"
"""The clause by which location, damage, pain and wound follow each other."""


def announce(fight: Resolution, who: str, target: str) -> None:
    """Refuses a shot that cannot be made, or declares it."""
    actions.check_time(fight, who)
    actions.check_target(fight, who, target)
    weapon = hands.weapon(fight, who)
    if not weapon or weapon.use == "melee":
        message = f"{who} has {hands.held(fight, who) or 'nothing'} in hand; that is not a missile weapon."
        fight.refuse("paraverse.weapon.in-hand", message, hands.drawing(fight, who, "marksman", "throwing"))
    thrown = _is_thrown(fight, who)
    engaged = places.opponents(fight.state, who)
    if engaged and not thrown:
        message = f"{who} is engaged with {', '.join(engaged)} and cannot shoot."
        fight.refuse("paraverse.ranged.marksman-engaged", message, [("disengage", {"who": who}), STATUS])
    clause = _reach_clause(fight, fight.state, who, target, thrown)
    if clause:
        ways = [("disengage", {"who": who}), *places.ways_out(fight, who)]
        fight.refuse(clause, _elsewhere(fight.state, who, target), ways)
    actions.announce(fight, who, "shoot", {"target": target}, actions.PHASE_OF["shoot"])


def _is_thrown(fight: Resolution, who: str) -> bool:
    """Whether the weapon in hand is thrown; whatever shoots nothing is thrown too, if the game master lets it be."""
    weapon = hands.weapon(fight, who)
    return weapon is None or weapon.use != "marksman"


def _reach_clause(fight: Resolution, state: State, who: str, target: str, thrown: bool) -> str:
    """The clause by which a target is out of reach; "" when it is within.

    Arrows reach the own area and those that are adjacent and seen; thrown weapons the own area, engaged or not.
    """
    if places.shared(state, who, target) or not fight.option("ranged_targeting"):
        return ""
    if thrown:
        return "paraverse.ranged.throwing-area"
    return "" if places.seen(state, who, target) else "paraverse.ranged.marksman-area"


def _elsewhere(state: State, who: str, target: str) -> str:
    """Where the two are, in words."""
    return f"{target} is {places.at(places.of(state, target))}, {who} {places.at(places.of(state, who))}."


def resolve_shot(fight: Resolution, waiting: Waiting, said: Circumstances, stray: str = "") -> None:
    """Carries out a declared shot, unless its target has fallen or is out of reach when the phase opens."""
    who, target = waiting.who, waiting.said["target"]
    if target not in fight.state.roster.members or not actions.can_be_struck(fight, waiting, target):
        actions.lose(fight, "paraverse.phase.target-gone", waiting, f"{target} is down or gone")
        return
    clause = _reach_clause(fight, fight.opening, who, target, _is_thrown(fight, who))
    if clause and not actions.let_through(fight, waiting, clause, _elsewhere(fight.opening, who, target)):
        actions.lose(fight, clause, waiting, _elsewhere(fight.opening, who, target).rstrip("."))
        return
    with fight.upon(who, target):
        _attack_at_range(fight, who, target, said, stray)
        weapon = hands.weapon(fight, who)
        if weapon and weapon.use == "melee":  # which the game master let them throw
            ground.lay(fight, who, hands.held(fight, who), near=target)
    actions.settle(fight, who)


def _attack_at_range(fight: Resolution, who: str, target: str, said: Circumstances, stray: str) -> None:
    """Ranged Attack Resolution, steps 1 to 7."""
    skill = "throwing" if _is_thrown(fight, who) else "marksman"
    attacking = Throw(fight, who, skill, said, about=target, by="paraverse.ranged.attack-roll")  # 1
    defending = _defend(fight, target, said, who)  # 2
    attack = attacking.number().called(who)
    defence = _defence_of(fight, defending)
    near = _near(fight, who, target) if fight.option("stray_shots") else []
    if _is_hit(fight, attack, defence, (attacking, defending), ends=not near):  # 3
        strike(fight, who, target, difference(attack, defence), _SEQUENCE)  # 4 to 7
    elif fight.option("stray_shots"):
        _stray(fight, target, attacking, said, near, stray)


def _defend(fight: Resolution, target: str, said: Circumstances, who: str) -> Throw:
    """The roll of somebody who is shot at, whatever it is doing, and hit or not."""
    defending = Throw(fight, target, "evasion", said, about=who, by="paraverse.ranged.defence-roll")
    actions.mark_attacked(fight, target)
    return defending


def _defence_of(fight: Resolution, defending: Throw) -> Number:
    """Evasion, and the shield in use."""
    shield = hands.shield(fight, defending.who)
    return defending.number().called(defending.who).plus(shield, "shield", "paraverse.ranged.shield")


def _is_hit(fight: Resolution, attack: Number, defence: Number, throws: tuple[Throw, Throw], ends: bool) -> bool:
    """Strictly higher hits; anything else misses, and the attack ends unless it flies on."""
    who, target = (throw.who for throw in throws)
    also = [clause for throw in throws for clause in throw.also]
    if any(throw.natural in (1, 20) for throw in throws):
        also.append("paraverse.combat.no-natural-effects")
    if ends and attack.total <= defence.total:
        also.append("paraverse.ranged.miss-ends")
    clause, also = "paraverse.ranged.hit-if-higher", list(dict.fromkeys(also))
    return fight.compare(clause, attack, ">", defence, who, target, yes="hit", no="miss", also=also)


def difference(higher: Number, lower: Number) -> Number:
    """By how much one result beats another."""
    return number("difference", higher.total, higher.of).minus(lower.total, lower.of)


def _near(fight: Resolution, who: str, target: str) -> list[str]:
    """Whom a miss may hit: the others with whom its target is engaged."""
    standing = [one for one in places.opponents(fight.opening, target) if one != who and fight.opening.stands(one)]
    return [one for one in standing if one in fight.state.roster.members]


def _stray(fight: Resolution, target: str, attacking: Throw, said: Circumstances, near: list[str], named: str) -> None:
    """A miss at somebody who is engaged with others flies on to one of these, on the bare die."""
    if named and named not in near:
        message = f"{named} is not engaged with {target}."
        fight.refuse("paraverse.ranged.stray", message, f"Engaged with {target}: {', '.join(near) or 'nobody'}.")
    if not near:
        return
    who, other = attacking.who, named if named in near else near[0]
    with fight.upon(who, other):
        fight.rule("paraverse.ranged.stray", f"flies on to {other}", who=who, about=other)
        _strike_stray(fight, other, attacking, said)


def _strike_stray(fight: Resolution, other: str, attacking: Throw, said: Circumstances) -> None:
    """The bare die of the shot that missed, against one whom it flies on to."""
    who = attacking.who
    defending = _defend(fight, other, said, who)
    attack = number(who, attacking.natural, "d20 without skill", roll=attacking.roll)
    defence = _defence_of(fight, defending)
    if _is_hit(fight, attack, defence, (attacking, defending), ends=True):
        strike(fight, who, other, difference(attack, defence), _SEQUENCE)
