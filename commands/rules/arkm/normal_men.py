"""Many attacks on Normal Men: how many, and the number slain that is to be expected."""

from msgspec.structs import replace

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted, HpLost, counted, number

from . import losses, order, scores, tohit
from .aim import Arms
from .damage import NONE, expression
from .stat_block import AttackLine, Sheet, split
from .tohit import ROLLS, Blow


def _ordinary(arms: Arms) -> int:
    """Attacks of a round at anybody: one, or a monster's routine."""
    return max(len(arms.lines), 1)


def most(view: View, who: str, arms: Arms) -> int:
    """Attacks of a round at Normal Men.

    arkm.normal-men.attacks-by-level; arkm.normal-men.monster-attacks-by-hd: whole Hit Dice;
    arkm.untrained.as-normal-man: one.
    """
    sheet: Sheet = view.sheet(who)
    usual = _ordinary(arms)
    if scores.is_untrained(view, who, arms.weapon):
        return 1
    if sheet.class_:
        return max(sheet.level, usual) if qualifies(view, sheet) else usual
    return max(sheet.hit_dice.whole, usual)


def qualifies(view: View, sheet: Sheet) -> bool:
    """arkm.normal-men.who-qualifies: player characters, and important NPCs of the fighter group."""
    fighter = scores.is_fighter(view, sheet)
    if sheet.pc:
        return fighter or view.option("normal_men_attackers") == "any-pc"
    return sheet.important and fighter


def _is_normal(view: View, who: str) -> bool:
    """Whether somebody is a Normal Man."""
    normal: bool = view.sheet(who).is_normal_man
    return normal


def left(view: View, who: str, targets: list[str], arms: Arms) -> int:
    """Attacks that somebody still has in this round, if these are the next targets."""
    made = view.state.counts.of(who, ROLLS)
    normal = all(_is_normal(view, one) for one in (*made, *targets) if one in view.state.roster.members)
    return (most(view, who, arms) if normal else _ordinary(arms)) - sum(made.values())


def check(fight: Resolution, who: str, targets: list[str], arms: Arms) -> None:
    """Refuses more attacks in a round than somebody has. arkm.normal-men.only-normal-men"""
    sheet: Sheet = fight.sheet(who)
    made = sum(fight.state.counts.of(who, ROLLS).values())
    if len(targets) <= left(fight, who, targets, arms):
        return
    usual, many = _ordinary(arms), most(fight, who, arms)
    wanted = made + len(targets)
    own = f"{who} has {counted(many, 'attack')} a round, not {wanted}."
    others = [one for one in (*fight.state.counts.of(who, ROLLS), *targets) if not _is_normal(fight, one)]
    if others and many > usual:
        message = f"{who} has {counted(usual, 'attack')} a round, and {many} only against Normal Men;"
        fight.refuse("arkm.normal-men.only-normal-men", f"{message} {others[0]} is not one.")
    elif sheet.class_ and sheet.level > 1 and not qualifies(fight, sheet):
        fight.refuse("arkm.normal-men.who-qualifies", f"{who} has 1 attack a round, not {wanted}.")
    elif arms.weapon and scores.is_untrained(fight, who, arms.weapon):
        message = f"{who} is not trained with {arms.weapon.id}, and has 1 attack a round."
        fight.refuse("arkm.untrained.as-normal-man", message)
    elif sheet.class_:
        fight.refuse("arkm.normal-men.attacks-by-level", own)
    else:
        fight.refuse("arkm.normal-men.monster-attacks-by-hd", own)


def sweep(fight: Resolution, blow: Blow, targets: list[str], arms: Arms, rounding: str) -> None:
    """The shortcut: how many are slain by all attacks of the round, without a die.

    arkm.normal-men.shortcut-percentage: (21 - needed) / 20, the roll needed taken between 2 and 20.
    arkm.normal-men.shortcut-kills: attacks x chance x what one hit slays, which is one at most.
    arkm.normal-men.shortcut-rounding: whole creatures, as many as stand.
    """
    who = blow.who
    if fight.state.counts.of(who, ROLLS):
        message = f"{who} has already attacked this round; --expected is for a whole round."
        fight.refuse("arkm.normal-men.shortcut-kills", message)
    others = [one for one in targets if not _is_normal(fight, one)]
    if others:
        message = f"{others[0]} is not a Normal Man."
        fight.refuse("arkm.normal-men.only-normal-men", message, "Name Normal Men alone, or strike without --expected.")
    if scores.is_untrained(fight, who, blow.weapon) and blow.weapon:
        message = f"{who} is not trained with {blow.weapon.id}, and has 1 attack a round, to be rolled."
        fight.refuse("arkm.untrained.as-normal-man", message, "Strike without --expected.")
    harmless = [one for one in targets if tohit.immune(fight, replace(blow, target=one))]
    if harmless:
        fight.refuse("arkm.natural-20.immune", f"Nothing that {who} strikes with harms {harmless[0]}.")
    attacks = most(fight, who, arms)
    need = tohit.needed(fight, blow, tohit.seen(fight, blow))
    chance = 21 - min(max(need.total, 2), 20)
    with fight.upon(who, blow.target):
        fight.rule("arkm.normal-men.shortcut-percentage", f"{5 * chance}%", [need], who, blow.target, aside=True)
    hurt = _damage(fight, blow, arms.lines, attacks, need.total)
    life = sum(_points(fight, one) for one in targets)
    # hits = attacks x chance / 20; what a hit slays = damage (hurt / 2 attacks) over hit points (life / 2 a target)
    top, bottom = attacks * chance, 20
    slays, lives = hurt * len(targets), attacks * life
    top, bottom = top * min(slays, lives), bottom * lives
    whole = {"up": -(-top // bottom), "down": top // bottom, "nearest": (2 * top + bottom) // (2 * bottom)}[rounding]
    told = f"{decimal(attacks * chance, 20)} hits, {decimal(top, bottom)} slain"
    fight.rule("arkm.normal-men.shortcut-kills", told, [number("attacks", attacks)], who)
    slain = min(whole, len(targets))
    fight.rule("arkm.normal-men.shortcut-rounding", f"{slain} slain", who=who)
    fight.record(Counted(who, ROLLS, attacks, targets[0]))
    fight.record(Counted(who, order.ATTACKS, 0))
    for one in targets[:slain]:
        with fight.upon(who, one):
            hp = fight.state.harm.hp[one]
            if hp.now:
                fight.record(HpLost(one, hp.now, 0, hp.most))
            losses.fell(fight, one, "dead", who)


def _damage(view: View, blow: Blow, lines: tuple[AttackLine, ...], attacks: int, needed: int) -> int:
    """Twice the damage of all attacks together: exact, without a fraction."""
    total, over = 0, max(needed - 20, 0)
    bonus = 0 if lines else scores.melee_damage(view, blow.who, blow.weapon, blow.damage_ability).value
    bonus += (blow.weapon.magic if blow.weapon else 0) + sum(one.value for one in blow.damage_mods)
    for nth in range(attacks):
        line = lines[nth % len(lines)] if lines else None
        dice, flat = said = split(line.damage if line else expression(blow))
        if said == NONE:
            continue
        total += max(_mean(dice) + 2 * (flat + bonus - over), 0)
    return total


def _mean(dice: list[str]) -> int:
    """Twice what dice show on the average."""
    return sum(int(count) * (int(size) + 1) for count, _, size in (die.partition("d") for die in dice))


def _points(view: View, who: str) -> int:
    """Twice the hit points that a target has on the average: of its dice, or its own where the sheet gives them."""
    sheet: Sheet = view.sheet(who)
    if not sheet.hp_dice and (sheet.hp_max is not None or sheet.hp is not None):
        return 2 * view.state.harm.hp[who].now
    dice, flat = split(sheet.hp_dice or "1d6")
    return _mean(dice) + 2 * flat


def decimal(top: int, bottom: int) -> str:
    """A fraction in decimals, two at most, rounded to the nearest.

    >>> decimal(112, 20), decimal(10, 9), decimal(140, 20)
    ('5.6', '1.11', '7')
    """
    hundredths = (200 * top + bottom) // (2 * bottom)
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")
