"""The game master's word: what can be set, and what follows by the rules."""

from functools import partial

from msgspec.structs import replace

from commands.action import adjust
from commands.action.adjust import Field
from commands.action.names import proper_side
from commands.action.resolution import Resolution, adjusted
from ledger.events import ConditionGained, Felled, SideChanged, Unequipped

from . import damage as harm
from . import falls, fighters, gear, grips
from .actions import MAIN, MOVE, TURN
from .fighters import STABLE
from .sheet import Sheet, check_side, check_weapon
from .tables import SHIELD, UNARMED, Weapon


def _hp(fight: Resolution, who: str, value: str) -> None:
    """At 0 one falls as by a blow, above 0 one revives as by magic.

    aachen.damage.floor, aachen.mortal.magic-healing
    """
    before, now = adjust.set_hp(fight, who, value, "aachen.damage.floor", "aachen.mortal.magic-healing")
    down = fight.state.harm.how(who)
    if now <= 0 and falls.can_fall(fight, who):
        falls.fall(fight, who)
    elif now > 0 and down == "dead":
        fight.rule("aachen.mortal.magic-healing", "stays dead", who=who)
    elif now > 0 and down and (before <= 0 or down == "dying"):
        fight.rule("aachen.mortal.magic-healing", "revives", who=who)
        falls.rise(fight, who)


def damage(fight: Resolution, who: str, points: int, kind: str) -> None:
    """Hit points are lost, down to 0: aachen.damage.floor."""
    if fight.state.harm.hp[who].now or falls.can_fall(fight, who):
        harm.lose(fight, who, points)


def _down(fight: Resolution, who: str, value: str) -> None:
    """The mortally wounded have a clock, and nobody stands with no hit points."""
    match adjust.how_down(fight, who, value, ("dying", "unconscious", "dead")):
        case "no":
            adjust.give_one_hp(fight, who)
            falls.rise(fight, who)
        case "dying":
            fight.record(Felled(who, "dying"))
            fight.no_longer(who, STABLE)
            falls.lie_down(fight, who)
        case "unconscious":
            falls.get_up(fight, who)
            fight.record(Felled(who, "unconscious"))
            if fight.state.harm.hp[who].now <= 0:
                fight.record(ConditionGained(who, STABLE))
            falls.lie_down(fight, who)
        case _:
            fight.record(Felled(who, "dead"))
            falls.lie_down(fight, who)


def _follow(fight: Resolution, who: str, condition: str) -> None:
    """Half a grapple is none; anyone who is gone or has surrendered takes no part any more."""
    grips.mend(fight)
    if fighters.out_of_it(fight.state, who):
        falls.drop_out(fight, who)
        falls.settle_morale(fight, gone=(who,))


def _side(fight: Resolution, who: str, value: str) -> None:
    """aachen.sides: there are two. Anyone who changes sides is in contact with no friend."""
    meant = next((one for one in fighters.SIDES if value and one.startswith(value.casefold())), value)
    fight.record(SideChanged(who, proper_side(meant)))
    check_side(fight, who)
    adjust.part_friends(fight, who)
    falls.settle_morale(fight, gone=(who,))


def _engaged(fight: Resolution, who: str, value: str) -> None:
    """aachen.melee.contact is between enemies who both stand."""
    for other in adjust.several(fight, value):
        adjust.engage(fight, who, other)


def _equipped(fight: Resolution, who: str, value: str) -> None:
    name = gear.carried(fight, who, value)
    if name in fight.state.gear.equipped.get(who, ()):
        fight.impossible(f"{who} already has {name} in hand.")
    gear.take(fight, who, name)


def _give(fight: Resolution, who: str, weapon: Weapon, owner: str) -> str:
    """A weapon as in a stat block, or of somebody else; it is carried. Gives the name that it has there."""
    if owner:
        _take(fight, owner, weapon)
    sheet: Sheet = fight.sheet(who)
    taken = [SHIELD, UNARMED.name, *(one.name for one in sheet.weapons)]
    weapon = replace(weapon, name=adjust.free_name(weapon.name, taken), ready=False)
    check_weapon(fight, who, weapon)
    adjust.gain(fight, who, weapon.name, replace(sheet, weapons=(*sheet.weapons, weapon)))
    return weapon.name


def hand_over(fight: Resolution, owner: str, who: str, name: str) -> str:
    """A weapon or a shield of one is another's from now on; its name with them. Nobody carries two shields."""
    mine, theirs = fight.sheet(owner), fight.sheet(who)
    if name != SHIELD:
        return _give(fight, who, _weapon(fight, owner, name), owner)
    if theirs.shield:
        fight.impossible(f"{who} already has a shield.")
    worth = mine.shield_bonus
    adjust.lose(fight, owner, name, replace(mine, shield=False, ac=mine.ac - worth))
    adjust.gain(fight, who, name, replace(theirs, shield=True, shield_bonus=worth, ac=theirs.ac + worth))
    return name


def _weapon(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon of somebody that is named; a shield is part of the Armor Class and stays."""
    mine: dict[str, Weapon] = {one.name: one for one in fight.sheet(who).weapons}
    return mine[adjust.one_of(fight, name, tuple(mine), "weapon")]


def _take(fight: Resolution, who: str, weapon: Weapon) -> None:
    if weapon.name in fight.state.gear.equipped.get(who, ()):
        fight.record(Unequipped(who, weapon.name))
    gear.forget(fight, who, weapon)
    sheet: Sheet = fight.sheet(who)
    rest = tuple(one for one in sheet.weapons if one.name != weapon.name)
    adjust.lose(fight, who, weapon.name, replace(sheet, weapons=rest))


BY_VERB: dict[str, adjust.Way] = {
    fighters.GRAPPLED: [("grapple", {"who": "{foe}", "target": "{who}"}, "the reason")],
    fighters.GRAPPLING: [("grapple", {"who": "{who}", "target": "{foe}"}, "the reason")],
    fighters.MORTAL: "It follows from the field down: dying, unconscious, dead or no.",
    fighters.STABLE: "It follows from the field down: dying, unconscious, dead or no.",
    fighters.SURPRISED: "The verb surprise gives it; it ends with the surprise round.",
    fighters.WITHDRAWING: "The verb withdraw gives it; it ends with the turn.",
    fighters.DELAYING: "The verb turn gives it, with --after; it ends when the turn begins.",
    fighters.CHARGING: "The verb charge gives it; it ends with the round.",
    fighters.TOTAL_DEFENSE: "The verb defend gives it; it ends with the round.",
}
"""Conditions that come of something else, which sets them and ends them."""

FIELDS = {
    "hp": Field("0 to the maximum: at 0 they fall, above 0 they revive", _hp),
    "hp-max": Field("1 or more", adjust.set_most_hp),
    "down": Field("dying, unconscious, dead or no", _down),
    **adjust.conditions(BY_VERB, fighters.BY_WORD, _follow, ended=(fighters.GRAPPLED, fighters.GRAPPLING)),
    "side": Field("pc or opp", _side),
    "engaged": Field("enemies who are in contact from now on", _engaged),
    "no-engaged": Field("enemies who are no longer in contact", adjust.disengage),
    "equipped": Field("a weapon that is carried, or shield", _equipped),
    "no-equipped": Field("a weapon in hand, or shield", adjust.put_away),
    **adjust.items(
        "a weapon that was found, as in a stat block; or WEAPON@NAME from somebody",
        "a weapon that is carried",
        partial(adjust.read_row, kind=Weapon),
        _weapon,
        _give,
        _take,
        'name = "{}", damage = "1d6"',
    ),
    TURN: adjust.allowance(TURN, 1),
    MAIN: adjust.allowance(MAIN),
    MOVE: adjust.allowance(MOVE),
}
"""What can be set."""

ELSEWHERE: dict[str, adjust.Way] = {
    "prone": [adjusted("{who}", "condition", "prone"), adjusted("{who}", "no-condition", "prone")],
    "wounds": "Aachen counts hit points: set hp or down.",
    "initiative": [("initiative", {"scores": ["{who}=5"]})],
    "at": "Aachen counts contact, not squares: set engaged or no-engaged.",
    "dropped": "Use stow --drop.",
    "picked-up": "Use draw --pick-up for what lies on the ground; set item for what somebody else has.",
}
"""What cannot, and how to get it."""

RESTS = "rest {who} --days {days}"
ON_JOINING = ("name",)
"""Fields of a stat block that nothing reads once somebody has joined."""
