"""Damage: of a hit, of a grapple, and the shock that even a miss may do."""

from commands.action.resolution import Resolution
from ledger.events import ConditionGained, HpLost, Number, number

from . import falls, gear, grips
from .fighters import SHOCK_BLOCKED, TOTAL_DEFENSE
from .modifiers import with_mods
from .strike import Arm, Blow, arm, armor_class
from .tables import UNARMED


def of_hit(
    fight: Resolution, who: str, target: str, used: Arm, melee: bool, more: tuple[tuple[int, str], ...] = ()
) -> None:
    """aachen.damage.roll: the weapon's dice, with what is added; at least the shock: aachen.shock.on-hit."""
    dice, constant = used.weapon.dice
    total = fight.roll(who, dice, "damage", target).number().plus(constant, used.weapon.name)
    total = with_mods(added(fight, who, used, total), list(more))
    total = total.at_least(fight.option("min_hit_damage"), "damage")
    shock = _shock(fight, who, used) if melee else None
    if shock and not _too_hard(fight, target, used) and not fight.state.conditions.has(target, TOTAL_DEFENSE):
        total = total.at_least(shock.total, "shock")
    fight.rule("aachen.damage.roll", "", [total], who, target)
    lose(fight, target, total.total)


def of_miss(fight: Resolution, who: str, target: str, used: Arm) -> None:
    """aachen.shock.on-miss: a melee weapon may still hurt: aachen.shock.melee-only."""
    shock = _shock(fight, who, used)
    if shock is None:
        return
    if fight.state.conditions.has(target, TOTAL_DEFENSE):
        fight.rule("aachen.shock.total-defense", "no shock", [], who, target)
    elif _too_hard(fight, target, used):
        limit = number("shock AC", used.weapon.shock[1] if used.weapon.shock else 0)
        fight.compare("aachen.shock.ac-limit", armor_class(fight, target), ">", limit, who, target, "no shock")
    elif gear.has_shield(fight, target) and not fight.state.conditions.has(target, SHOCK_BLOCKED):
        fight.rule("aachen.shock.shield", "no shock", [], who, target)
        fight.record(ConditionGained(target, SHOCK_BLOCKED, "round-end"))
    else:
        fight.rule("aachen.shock.on-miss", "", [shock], who, target)
        lose(fight, target, shock.total)


def added(fight: Resolution, who: str, used: Arm, total: Number) -> Number:
    """aachen.damage.attribute: the attribute of the hit roll, and aachen.attack.magic.

    aachen.damage.punch: the Punch level too, untrained for 0; a monster's dice are as printed: aachen.attack.monster.
    """
    total = total.plus(used.modifier, used.attribute)
    if used.weapon.skill == "punch" and used.attribute:
        total = total.plus(fight.sheet(who).skill("punch") or 0, "Punch")
    return total.plus(used.weapon.magic, "magic")


def most(fight: Resolution, who: str, used: Arm) -> Number:
    """aachen.execution.maximum-damage: the highest dice, with what is added."""
    return added(fight, who, used, number("damage", used.weapon.most, "the most dice")).at_least(0, "damage")


def _shock(fight: Resolution, who: str, used: Arm) -> Number | None:
    """aachen.shock.modifiers: shock with the attribute, magic and Punch; none if the weapon has none."""
    if used.weapon.shock is None or used.thrown:
        return None
    return added(fight, who, used, number("shock", used.weapon.shock[0], used.weapon.name)).at_least(0, "shock")


def _too_hard(fight: Resolution, target: str, used: Arm) -> bool:
    """aachen.shock.ac-limit: a current Armor Class above the shock's lets none through."""
    return used.weapon.shock is not None and armor_class(fight, target).total > used.weapon.shock[1]


def lose(fight: Resolution, who: str, points: int) -> None:
    """Takes hit points, down to 0, and lets fall whom that fells: aachen.damage.floor."""
    hp = fight.state.harm.hp[who].now
    lost = min(points, hp)
    if lost > 0:
        fight.record(HpLost(who, lost, hp - lost))
    if points > 0 and lost == hp:
        _fall(fight, who)


def _fall(fight: Resolution, who: str) -> None:
    """At 0: the fall; who lies stable is mortally wounded anew, and who is so already stays so."""
    down = fight.state.harm.down.get(who)
    if not down or down.how == "unconscious":
        falls.fall(fight, who)
    else:
        how = "mortally wounded" if down.how == "dying" else down.how
        fight.rule("aachen.attack.legal-target", f"{how} already", who=who)


def squeeze(fight: Resolution) -> None:
    """aachen.grapple.round-damage: each holder's unarmed damage, without a roll to hit."""
    for who in fight.state.roster.order:
        for holder in grips.holders(fight, who):
            if fight.state.stands(who):
                _hurt(fight, holder, who)


def _hurt(fight: Resolution, holder: str, who: str) -> None:
    used = arm(fight, holder, UNARMED, Blow())
    dice, _ = UNARMED.dice
    total = fight.roll(holder, dice, "grapple damage", who).number("damage")
    total = added(fight, holder, used, total).at_least(0, "damage")
    fight.rule("aachen.grapple.round-damage", "", [total], holder, who)
    lose(fight, who, total.total)
