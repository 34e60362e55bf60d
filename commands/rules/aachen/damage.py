"""Damage: of a hit, of a grapple, and the shock that even a miss may do."""

from collections.abc import Sequence

from commands.action.resolution import Resolution
from commands.action.view import View, guarded
from ledger.events import ConditionGained, HpLost, Number, number

from . import falls, gear, grips
from .fighters import SHOCK_BLOCKED, TOTAL_DEFENSE
from .modifiers import Term, effects, terms, with_terms
from .strike import Arm, Blow, Swing, arm
from .tables import UNARMED


def of_hit(fight: Resolution, swing: Swing, more: Sequence[Term] = ()) -> None:
    """aachen.damage.roll: the weapon's dice, with what is added; at least the shock: aachen.shock.on-hit."""
    who, target, used = swing.who, swing.target, swing.used
    dice, constant = used.weapon.dice
    if dice:
        total = fight.roll(who, dice, "damage", target).number().plus(constant, used.weapon.name)
    else:
        total = number("damage", constant, used.weapon.name)
    lasting = effects(fight, who, "damage")
    total = with_terms(total, [*_added(fight, who, used), *more, *lasting, *terms(swing.mods, "damage", who)])
    total = total.at_least(fight.option("min_hit_damage"), "damage", "aachen.damage.floor")
    shock = _shock(fight, swing)
    if shock and not _too_hard(swing) and not fight.state.conditions.has(target, TOTAL_DEFENSE):
        total = total.at_least(shock.total, "shock", "aachen.shock.on-hit")
    fight.rule("aachen.damage.roll", "", [total], who, target, _consistently(used))
    if used.weapon.special:
        fight.rule("aachen.damage.special", used.weapon.special, who=who, about=target)
    if power := guarded(fight.sheet(target).special):
        fight.rule("aachen.damage.special", power, who=who, about=target)
    lose(fight, target, total.total)


def of_miss(fight: Resolution, swing: Swing, also: Sequence[str] = ()) -> None:
    """aachen.shock.on-miss: a melee weapon may still hurt. `also` names what else this decides."""
    who, target, used = swing.who, swing.target, swing.used
    shock = _shock(fight, swing)
    if shock is None:
        if used.weapon.shock:
            fight.rule("aachen.shock.melee-only", "no shock", [], who, target)
    elif fight.state.conditions.has(target, TOTAL_DEFENSE):
        fight.rule("aachen.shock.total-defense", "no shock", [], who, target)
    elif _too_hard(swing):
        limit = number("shock AC", used.weapon.shock[1] if used.weapon.shock else 0)
        fight.compare("aachen.shock.ac-limit", swing.guard, ">", limit, who, target, "no shock")
    elif gear.has_shield(fight, target) and not fight.state.conditions.has(target, SHOCK_BLOCKED):
        fight.rule("aachen.shock.shield", "no shock", [], who, target)
        fight.record(ConditionGained(target, SHOCK_BLOCKED, "round-end"))
    else:
        fight.rule("aachen.shock.on-miss", "", [shock], who, target, (*_consistently(used), *also))
        lose(fight, target, shock.total)


def _added(view: View, who: str, used: Arm) -> list[Term]:
    """The attribute of the hit roll, the Punch level, untrained for 0, and magic; a monster's dice are as printed."""
    punch = view.sheet(who).skill("punch") or 0 if used.weapon.skill == "punch" and used.attribute else 0
    return [
        (used.modifier, used.attribute, "aachen.damage.attribute"),
        (punch, "Punch", "aachen.damage.punch"),
        (used.weapon.magic, "magic", "aachen.attack.magic"),
    ]


def _consistently(used: Arm) -> Sequence[str]:
    """aachen.attack.attribute-consistency: an attribute that was chosen is that of the hit roll."""
    return ("aachen.attack.attribute-consistency",) if used.chosen and used.modifier else ()


def most(view: View, who: str, used: Arm) -> Number:
    """aachen.execution.maximum-damage: the highest dice, with what is added."""
    total = with_terms(number("damage", used.weapon.most, "the most dice"), _added(view, who, used))
    return total.at_least(0, "damage", "aachen.damage.floor")


def _shock(view: View, swing: Swing) -> Number | None:
    """aachen.shock.modifiers: shock with the attribute, Punch, and all that magic adds to the damage; none of a weapon
    without it, or one that flies.
    """
    who, used, clause = swing.who, swing.used, "aachen.shock.modifiers"
    if used.weapon.shock is None or used.thrown:
        return None
    added = [(value, why, clause) for value, why, _ in _added(view, who, used)]
    for kind in ("damage", "shock"):
        added += [(value, why, clause) for value, why, _ in effects(view, who, kind)]
        added += terms(swing.mods, kind, who, clause=clause)
    total = with_terms(number("shock", used.weapon.shock[0], used.weapon.name), added)
    return total.at_least(0, "shock", "aachen.damage.floor")


def _too_hard(swing: Swing) -> bool:
    """aachen.shock.ac-limit: a current Armor Class above the shock's lets none through."""
    return swing.used.weapon.shock is not None and swing.guard.total > swing.used.weapon.shock[1]


def lose(fight: Resolution, who: str, points: int) -> None:
    """Takes hit points, down to 0, and lets fall whom that fells: aachen.damage.floor."""
    hp = fight.state.harm.hp[who]
    if (lost := min(points, hp.now)) > 0:
        fight.record(HpLost(who, lost, hp.now - lost, hp.most))
    if points > 0 and lost == hp.now:
        _fall(fight, who)


def _fall(fight: Resolution, who: str) -> None:
    """At 0: the fall; anyone who lies stable is mortally wounded anew, and who is so already stays so."""
    down = fight.state.harm.how(who)
    if not down or down == "unconscious":
        falls.fall(fight, who)
    else:
        fight.rule("aachen.attack.legal-target", f"{'mortally wounded' if down == 'dying' else down} already", who=who)


def squeeze(fight: Resolution) -> None:
    """aachen.grapple.round-damage: each holder's unarmed damage, without a roll to hit."""
    for who in fight.state.roster.order:
        for holder in grips.holders(fight, who):
            if fight.state.stands(who):
                _hurt(fight, holder, who)


def _hurt(fight: Resolution, holder: str, who: str) -> None:
    with fight.upon(holder, who):
        used = arm(fight, holder, UNARMED, Blow())
        dice, _ = UNARMED.dice
        total = fight.roll(holder, dice, "grapple damage", who).number("damage")
        total = with_terms(total, _added(fight, holder, used)).at_least(0, "damage", "aachen.damage.floor")
        fight.rule("aachen.grapple.round-damage", "", [total], holder, who)
        lose(fight, who, total.total)
