"""Execution attacks: on those who do not see it coming, or cannot help it."""

from commands.action.resolution import Resolution, adjusted
from ledger.events import Felled, number

from . import actions, checks, contact, damage, falls, gear, grips, melee, ranged, strike
from .fighters import ADJACENT, HELPLESS, UNAWARE
from .melee import Attack
from .strike import Arm
from .tables import Weapon

_BANDS = {"close": (6, "point blank"), "normal": (8, "normal range"), "extreme": (10, "extreme range")}
"""aachen.execution.ranged: the difficulty by distance."""


def execute(fight: Resolution, said: Attack) -> None:
    """Allowed before initiative as well: aachen.execution.preparation."""
    who, target = said.who, said.target
    if said.snap or said.off_hand:
        fight.impossible("An execution attack is neither a snap attack nor one with two weapons.")
    if said.mod:
        fight.impossible("An execution attack has no attack roll.", "Leave out --mod.")
    if actions.counted(fight.state):
        actions.main_action(fight, who)
    else:
        actions.check_able(fight, who)
    strike.check_target(fight, who, target)
    actions.check_fights(fight, who)
    helpless = _check_victim(fight, said)
    weapon = _weapon(fight, said)
    grips.check_attack(fight, who, target, weapon)
    used = strike.arm(fight, who, weapon, said, thrown=not weapon.melee or bool(said.range_ and weapon.range))
    with fight.upon(who, target):
        if _aims(fight, said) if used.thrown else _reaches(fight, said, used):
            _strike_down(fight, said, used, helpless)
        if used.thrown:
            gear.shot(fight, who, weapon)
        elif said.distance <= ADJACENT:
            contact.touch(fight, who, target)
        fight.no_longer(target, UNAWARE)


def _weapon(fight: Resolution, said: Attack) -> Weapon:
    """The one named; else the first in hand, and with a band the first that has distances. It must be fit to shoot."""
    names = (one.name for one in gear.readied(fight, said.who) if one.range)
    weapon = gear.for_melee(fight, said.who, said.with_ or (next(names, "") if said.range_ else ""))
    if not weapon.melee:
        gear.check_loaded(fight, said.who, weapon)
        ranged.check_hands(fight, said.who, weapon)
    return weapon


def _check_victim(fight: Resolution, said: Attack) -> bool:
    """Whether the target is helpless; else it must be unaware, after a minute of preparation."""
    state, target = fight.state, said.target
    if state.conditions.has(target, HELPLESS) or target in state.harm.down:
        return True
    clause = "aachen.execution.preparation"
    if not state.conditions.has(target, UNAWARE):
        fight.refuse(clause, f"{target} is neither unaware nor helpless.", [adjusted(target, "condition", UNAWARE)])
    elif not said.prepared:
        ways = [fight.otherwise(prepared=True), "Say that there was time: --prepared."]
        fight.refuse(clause, "An execution takes a minute of undisturbed preparation.", ways)
    return False


def _reaches(fight: Resolution, said: Attack, used: Arm) -> bool:
    """aachen.execution.melee: no roll to hit, whatever the Armor Class."""
    if said.range_:
        fight.impossible(f"{used.weapon.name} is not a ranged weapon, and has no band.")
    melee.check_reach(fight, said.who, used.weapon, said.distance)
    return fight.rule("aachen.execution.melee", "hit", who=said.who, about=said.target) == "hit"


def _aims(fight: Resolution, said: Attack) -> bool:
    """aachen.execution.ranged: a DEX/Shoot check."""
    if said.range_ is None:
        ways = [fight.otherwise(range_=band) for band in _BANDS]
        fight.impossible("How far away is the target?", [ways, "Say how far: --range close, normal or extreme."])
    difficulty = number("difficulty", *_BANDS[said.range_])
    score = checks.throw(fight, checks.Try(said.who, "DEX", "shoot"), said.target)
    clause = "aachen.execution.ranged"
    return fight.compare(clause, score, ">=", difficulty, said.who, said.target, yes="hit", no="miss")


def _strike_down(fight: Resolution, said: Attack, used: Arm, helpless: bool) -> None:
    """aachen.execution.save; but aachen.execution.helpless: the helpless get none."""
    who, target = said.who, said.target
    if helpless:
        fight.rule("aachen.execution.helpless", "no save", who=who, about=target)
    else:
        clause = "aachen.execution.save"
        lowered = [(-(fight.sheet(who).skill(used.skill) or 0), used.skill.capitalize(), clause)]
        if checks.saves(fight, target, "physical", lowered, clause, who):
            most = damage.most(fight, who, used)
            fight.rule("aachen.execution.maximum-damage", "", [most], who, target)
            damage.lose(fight, target, most.total)
            return
    if said.nonlethal:
        if fight.state.stands(target):
            fight.record(Felled(target, "unconscious"))
            falls.lie_down(fight, target)
        return
    damage.lose(fight, target, max(fight.state.harm.hp[target].now, 1))
