"""Disarm: taking the weapon out of a foe's hand."""

from typing import Annotated

from msgspec.structs import replace

from commands.action.declaration import Fighter, says
from commands.action.resolution import Resolution
from ledger.events import whose

from . import ability, acting, blows, damage, mass, ways
from .aim import Aim, Arms, aimed, arms_used, as_attack, at_hand, check_ability
from .hands import in_hand
from .hindered import check_may_strike, check_space
from .losses import lose_weapon
from .position import check_hostile
from .saves import saved
from .scores import Term
from .stat_block import Weapon


class Disarm(Aim):
    """Try to strike a one-handed weapon out of a foe's hand, with a one-handed weapon."""

    who: Annotated[Fighter, says("Who tries.")]
    target: Annotated[Fighter, says("Whose weapon.")]


def disarm(fight: Resolution, said: Disarm) -> None:
    """The ordinary to-hit roll, with two weapons the better of two dice; on a hit the target saves, or is disarmed."""
    who, target = said.who, said.target
    mass.check_single(fight, who, target)
    if not fight.state.stands(target):
        fight.impossible(f"{target} is down already.")
    ability.check(fight, who, target=target)
    weapon, theirs = _check_weapons(fight, who, target)
    arms = (at_hand(fight, who) if weapon else None) or Arms(None, ())
    arms_used(fight, who, arms)
    acting.may_act(fight, who, "disarm", "melee", target, able=True)
    check_may_strike(fight, who)
    check_space(fight, who, arms.weapons)
    attack = as_attack(said, who, target)
    check_ability(fight, attack, arms)
    blow = aimed(fight, attack, arms, target)
    acting.use_action(fight, who, "disarm")
    blow = replace(blow, harmless=not fight.option("disarm_damage"))
    with fight.upon(who, target):
        outcome = blows.rolled(fight, blow, said.slots)
        if not outcome.hit:
            return
        if not saves(fight, who, target) and theirs:
            lose_weapon(fight, target, theirs.id, who)
        if fight.option("disarm_damage") and damage.does_any(fight, blow):
            damage.take(fight, target, damage.roll(fight, blow, outcome), who)


def _check_weapons(fight: Resolution, who: str, target: str) -> tuple[Weapon | None, Weapon | None]:
    """arkm.disarm.eligibility: both hold a one-handed weapon, within 5 feet of each other."""
    clause = "arkm.disarm.eligibility"
    check_hostile(fight, who, target, clause)
    if target not in fight.state.engagement.of(who):
        fight.refuse(clause, f"{target} is not within 5 feet of {who}.", ways.come_up(fight, who, target))
    weapons = []
    for one in (who, target):
        held = [weapon for weapon in in_hand(fight, one) if weapon.is_("melee")]
        if not held:
            fight.refuse(clause, f"{one} has no weapon in hand.")
        elif held[0].hands == 2:
            fight.refuse(clause, f"{whose(one)} {held[0].id} needs both hands.")
        weapons.append(held[0] if held else None)
    return weapons[0], weapons[1]


def saves(fight: Resolution, who: str, target: str) -> bool:
    """arkm.disarm.reflex-save: with the difference of the levels."""
    difference = fight.sheet(target).experience - fight.sheet(who).experience
    fight.rule("arkm.disarm.reflex-save", f"saves with {difference:+d} for the levels", who=target)
    return saved(fight, target, "reflex", [Term(difference, "levels", "arkm.disarm.reflex-save")], about=who)
