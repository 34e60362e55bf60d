"""Attacking: hand to hand, from afar, and in a charge."""

from typing import Annotated, Any

from commands.action.declaration import Fighter, SomeOrAll, says
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import actions, gear, grips, melee, ranged
from .actions import MAIN, MOVE
from .fighters import ADJACENT, CHARGING, PRONE, in_contact
from .melee import Attack
from .ranged import Shoot
from .strike import Blow

_BONUS = (2, "charge", "aachen.actions.charge")
_SHORTEST = 10
"""Feet of the shortest charge by the house rule."""


def attack(fight: Resolution, said: Attack) -> None:
    """A main action, or an instant before the own turn; and the attack."""
    if said.execution:
        from . import execution

        execution.execute(fight, said)
        return
    if said.prepared or said.range_ or said.nonlethal:
        message = "Preparation, a range and mercy belong to an execution attack."
        fight.impossible(message, "Leave them out, or say --execution.")
    take = actions.snap if said.snap else actions.main_action
    take(fight, said.who)
    melee.carry_out(fight, said)


def shoot(fight: Resolution, said: Shoot) -> None:
    """aachen.ranged.reload: shooting is a main action."""
    take = actions.snap if said.snap else actions.main_action
    take(fight, said.who)
    ranged.carry_out(fight, said)


class Charge(Blow):
    """Run straight at somebody and attack, with a melee weapon or (--throw) a thrown one."""

    who: Annotated[Fighter, says("Who charges.")]
    target: Annotated[Fighter, says("Who is charged.")]
    feet: Annotated[int, says("How many feet.", ge=0, le=100_000, positional=True)] | None = None
    throw: Annotated[int, says("Throw the weapon, from this many feet away.", ge=0, le=100_000)] | None = None
    decline: Annotated[SomeOrAll, says("Enemies left behind who do not strike, or all.")] = ()


def charge(fight: Resolution, said: Charge) -> None:
    """aachen.actions.charge: main and move action, +2 to hit, and -2 to Armor Class until the end of the round."""
    who, clause = said.who, "aachen.actions.charge"
    counted = actions.take_turn(fight, who)
    grips.check_free(fight, who, "charge")
    if counted:
        actions.spend(fight, who, MAIN)
        actions.spend(fight, who, MOVE)
    distance = _check_way(fight, said)
    weapon = said.with_ if said.throw is None else _thrown(fight, said)
    leaving = [other for other in in_contact(fight.state, who) if other != said.target]
    if not melee.leave(fight, who, leaving, said.decline):
        return
    fight.rule(clause, "charges", who=who)
    fight.record(ConditionGained(who, CHARGING, "round-end", amount=-2, modifies="AC"))
    actions.moved(fight, who, "charge", distance, 0)
    words: dict[str, Any] = {"attr": said.attr, "mod": said.mod, "with_": weapon}
    if said.throw is None:
        melee.carry_out(fight, melee.Attack(who, said.target, ADJACENT, **words), [_BONUS])
        return
    ranged.carry_out(fight, ranged.Shoot(who, said.target, said.throw, **words), [_BONUS])


def _check_way(fight: Resolution, said: Charge) -> int:
    """From the movement rate to twice it; by a house rule from ten feet."""
    rate, clause = fight.sheet(said.who).rate, "aachen.actions.charge"
    least = rate if fight.option("charge_min") == "rate" else min(_SHORTEST, rate)
    if said.feet is None:
        ways = [fight.otherwise(feet=least), f"Say {least} to {2 * rate} feet, after the target: {least}."]
        fight.impossible("How far is the charge?", ways)
    if not least <= said.feet <= 2 * rate:
        nearest = [fight.otherwise(feet=min(max(said.feet, least), 2 * rate))]
        fight.refuse(clause, f"{said.who} can charge {least} to {2 * rate} feet, not {said.feet}.", nearest)
    if said.throw is None and said.target in in_contact(fight.state, said.who):
        message = f"{said.who} is already in contact with {said.target}, and cannot charge."
        fight.refuse(clause, message, [("attack", {"who": said.who, "target": said.target})])
    if fight.state.conditions.has(said.who, PRONE):
        fight.refuse(clause, f"{said.who} lies on the ground.", [("stand", {"who": said.who})])
    return said.feet


def _thrown(fight: Resolution, said: Charge) -> str:
    """The thrown weapon that is named, else the first one in hand; anyone who charges shoots nothing."""
    name = said.with_ or next((one.name for one in gear.readied(fight, said.who) if one.thrown), "")
    if not name:
        ways = [fight.otherwise(throw=None), "Leave out --throw, or name what is thrown."]
        fight.impossible(f"{said.who} has nothing in hand to throw.", ways)
    weapon = gear.find(fight, said.who, name)
    if not weapon.thrown:
        message = f"{weapon.name} is not a thrown weapon, and nobody shoots in a charge."
        fight.refuse("aachen.actions.charge", message, "Shoot it without a charge, or throw another weapon.")
    return weapon.name
