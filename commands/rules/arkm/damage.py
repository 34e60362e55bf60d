"""Damage: dice, their doubling, and the order of what is added and taken off."""

from msgspec.structs import replace

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import HpLost, Number, number

from . import losses, scores, strike_order, tohit
from .concentration import shot
from .stat_block import Sheet, Weapon, split
from .tables import Backstab
from .temporary import check_out
from .tohit import Blow, HitRoll


def roll(fight: Resolution, blow: Blow, outcome: HitRoll) -> Number:
    """arkm.damage.order: all sets of dice, the flat part, ability, magic and other bonuses; at least 1; half if
    untrained; less what was needed above 20.
    """
    effect = tohit.effect(fight, blow) if outcome.critical else ""
    if blow.off_hand:
        blow = replace(blow, weapon=_which_weapon(fight, blow))
    sets = _sets(fight, blow, effect)
    if sets > 1:
        words = "double damage" if sets == 2 else f"{sets} sets of dice"
        fight.rule("arkm.damage.double", words, who=blow.who, about=blow.target, also=_doublings(fight, blow))
    if blow.shot and blow.weapon:
        ability = scores.ranged_damage(fight, blow.who, blow.weapon)
    else:
        ability = scores.melee_damage(fight, blow.who, blow.weapon, blow.damage_ability)
    magic = [scores.Term(blow.weapon.magic, "magic")] if blow.weapon else []
    total = scores.plus(_dice(fight, blow, sets, effect), [ability, *magic, *blow.damage_mods])
    if sets > 1 and fight.option("double_damage") == "total":
        total = total.times(sets, "double damage" if sets == 2 else "manifold damage")
    total = total.at_least(int(fight.option("minimum_damage")), "at least", "arkm.damage.minimum")
    if scores.is_untrained(fight, blow.who, blow.weapon):
        total = total.over(2, "untrained", True, "arkm.untrained.half-damage")
    above = max(outcome.needed - 20, 0)
    total = total.minus(above, "needed above 20", "arkm.natural-20.over-20-damage").at_least(0, "at least")
    also = [_base(fight, blow)]
    if blow.shot and blow.weapon and scores.is_mechanical(blow.weapon) and scores.modifier(fight, blow.who, "dex"):
        also.append("arkm.ranged-damage.mechanical")
    fight.rule("arkm.damage.order", "", [total], blow.who, blow.target, also)
    return total


NONE: tuple[list[str], int] = ([], 0)
"""Neither dice nor points: a hit does no damage of its own."""


def does_any(fight: Resolution, blow: Blow) -> bool:
    """Whether a blow that hits does damage: a weapon or attack may have none, and only say what happens besides."""
    if split(expression(blow)) != NONE:
        return True
    fight.rule("arkm.damage.normal-weapon", "no damage of its own", who=blow.who, about=blow.target)
    return False


def _base(fight: Resolution, blow: Blow) -> str:
    """The clause that says which dice are thrown."""
    if _two_d6(blow):
        pair = (blow.who, blow.target) if blow.set_ else (blow.target, blow.who)
        if strike_order.both_double(fight, *pair):
            return "arkm.set.both-double"
        return "arkm.set.damage" if blow.set_ else "arkm.charge.lance-double-damage"
    if blow.weapon and "improvised" in blow.weapon.tags:
        return "arkm.object-as-weapon.d4"
    return "arkm.damage.normal-weapon" if blow.weapon or blow.line else "arkm.empty-hand.d4"


def expression(blow: Blow) -> str:
    """The damage of the weapon or natural attack; of a charging or set weapon 2D6 in place of it."""
    return "2d6" if _two_d6(blow) else own(blow)


def own(blow: Blow) -> str:
    """The damage of the weapon or natural attack, however it strikes."""
    return blow.line.damage if blow.line else blow.weapon.damage if blow.weapon else "1d4"


def _two_d6(blow: Blow) -> bool:
    """Whether a charging lance or a weapon set against a charge strikes."""
    return blow.set_ or bool(blow.lance and blow.weapon and "lance" in blow.weapon.tags)


def _doublings(fight: Resolution, blow: Blow) -> list[str]:
    """The clauses of the manner of the attack that give more sets of dice."""
    found = ["arkm.temporary-damage.surprise-doubles"] if blow.sets > 1 else []
    if blow.charge and blow.line and blow.line.horns:
        both = strike_order.both_double(fight, blow.target, blow.who)
        found.append("arkm.set.both-double" if both else "arkm.charge.horns-double")
    if blow.backstab:
        more = _backstab_sets(fight, blow.who) > 2
        found.append("arkm.backstab.thief-multiplier" if more else "arkm.backstab.double-damage")
    return found


def _backstab_sets(view: View, who: str) -> int:
    """Twice the dice; more for thieves of higher levels."""
    sheet: Sheet = view.sheet(who)
    return Backstab.used(view.state).sets(max(sheet.level, 1)) if sheet.class_.lower() == "thief" else 2


def _sets(view: View, blow: Blow, effect: str) -> int:
    """arkm.damage.double: several doublings add a set of dice each; with the option `once`, the largest counts."""
    critical = {"double": 1, "triple": 2}.get(effect, 0)
    extra = blow.sets - 1
    if blow.charge and blow.line and blow.line.horns:
        extra += 1
    if blow.backstab:
        extra += _backstab_sets(view, blow.who) - 1
    special = extra
    return 1 + (special + critical if view.option("stack_doubling") == "add" else max(special, critical))


def _dice(fight: Resolution, blow: Blow, sets: int, effect: str) -> Number:
    """The dice, set by set, with the flat part once; a number in place of dice counts as a set of them."""
    first, flat = split(expression(blow))
    set_, points = split(own(blow))
    extra = sets - 1 if fight.option("double_damage") == "dice" else 0
    dice = [*first, *(set_ * extra)]
    if not set_:  # arkm.damage.double
        flat += points * extra
    what = blow.line.name if blow.line else blow.weapon.id if blow.weapon else "fist"
    if not dice:
        return number("damage", flat, what)
    if effect == "max":
        return most(dice).plus(flat, what)
    return fight.roll(blow.who, joined(dice), "damage", about=blow.target).number("damage").plus(flat, what)


def joined(dice: list[str]) -> str:
    """Dice of one roll: `2d6` for 1d6 and 1d6.

    >>> joined(["1d6", "2d6"]), joined(["1d8", "1d4"])
    ('3d6', '1d8+1d4')
    """
    sizes = {die.partition("d")[2] for die in dice}
    if len(sizes) > 1:
        return "+".join(dice)
    return f"{sum(int(die.partition('d')[0]) for die in dice)}d{sizes.pop()}"


def most(dice: list[str]) -> Number:
    """The most that dice can show."""
    highest = sum(int(count) * int(size) for count, _, size in (die.partition("d") for die in dice))
    return number("damage", highest, f"the most of {joined(dice)}")


def take(fight: Resolution, target: str, damage: Number, by: str = "", missile: bool = False) -> None:
    """arkm.damage.zero-hp: hit points stop at 0; anyone who has none left is slain, by the option zero_hp only out."""
    hp = fight.state.harm.hp[target]
    points = min(damage.total, hp.now)
    if damage.total <= 0:
        return
    if points:
        fight.record(HpLost(target, points, hp.now - points, hp.most))
    if missile and points:
        shot(fight, target)
    check_zero(fight, target, by)


def check_zero(fight: Resolution, target: str, by: str = "") -> None:
    """Anyone who has no hit points left is slain, by the option zero_hp only out; so is who has none in effect."""
    none_left = fight.state.harm.hp[target].now <= 0
    if none_left and fight.option("zero_hp") == "down" and fight.state.harm.how(target) != "dead":
        fight.rule("arkm.damage.zero-hp", "dead", who=target, aside=True)
        losses.fell(fight, target, "dead", by)
    check_out(fight, target, by)
    losses.thin(fight, target)


def _which_weapon(fight: Resolution, blow: Blow) -> Weapon | None:
    """arkm.florentine.which-weapon: of two of different sizes a D6 says which one hit, 1-3 the main one."""
    main, off = blow.weapon, blow.off_hand
    if main is None or off is None or main.size == off.size:
        return main
    die = fight.roll(blow.who, "1d6", "which weapon", about=blow.target)
    found = main if die.natural <= 3 else off
    fight.rule("arkm.florentine.which-weapon", found.id, [die.number()], blow.who, blow.target, aside=True)
    return found
