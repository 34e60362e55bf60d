"""The game master's word: what can be set, and what follows by the rules."""

from msgspec.structs import replace

from commands.action import adjust, ground
from commands.action.adjust import Field
from commands.action.resolution import Remedy, Resolution, adjusted
from ledger.events import ConditionGained, Equipped, Rose, number
from projections.state import State

from . import ability, conditions, hands, holding, losses, order, split, temporary
from . import damage as harm
from .conditions import ELEVATION, HOLDING, broken, empty
from .groups import group
from .hands import arsenal, in_hand, owned
from .position import SINCE, met
from .stat_block import SHIELD, Sheet, Weapon
from .tables import Weapons


def _hp(fight: Resolution, who: str, value: str) -> None:
    """With none left one is slain, or out, as by a blow: arkm.damage.zero-hp, arkm.zero-hp.out."""
    before, now = adjust.set_hp(fight, who, value, "arkm.damage.zero-hp", "arkm.zero-hp.out")
    if now <= 0 < before:
        harm.check_zero(fight, who)
    _cross(fight, who)
    losses.thin(fight, who)


def _hp_max(fight: Resolution, who: str, value: str) -> None:
    adjust.set_most_hp(fight, who, value)
    _cross(fight, who)


def kinds(_: State) -> list[str]:
    """The kinds of damage that are told apart: all other damage is actual."""
    return ["temporary"]


def damage(fight: Resolution, who: str, points: int, kind: str) -> None:
    """Hit points are lost, down to 0, or the second column grows: arkm.damage.zero-hp, arkm.temporary-damage.column."""
    if kind:
        temporary.add(fight, who, points)
        temporary.check_out(fight, who)
    elif fight.state.harm.hp[who].now:
        harm.take(fight, who, number("damage", points, "the game master"))


def _temporary(fight: Resolution, who: str, value: str) -> None:
    """The second column: arkm.temporary-damage.column."""
    before = ability.temporary(fight, who)
    temporary.add(fight, who, adjust.ranged(fight, who, "temporary", value, before) - before)
    _cross(fight, who)


def _cross(fight: Resolution, who: str) -> None:
    """Who falls by the new numbers, and who comes round."""
    temporary.check_out(fight, who)
    temporary.come_round(fight, who)
    if fight.state.harm.how(who) == "dead" and ability.effective(fight, who).total > 0:
        fight.rule("arkm.damage.zero-hp", "stays slain", who=who)


def _down(fight: Resolution, who: str, value: str) -> None:
    """Who is down lets go, and is missed by the group; nobody stands without an effective hit point."""
    match adjust.how_down(fight, who, value, ("unconscious", "dead")):
        case "no":
            adjust.give_one_hp(fight, who)
            over = 1 - ability.effective(fight, who).total
            if over > 0:
                temporary.add(fight, who, -over)
            fight.record(Rose(who))
        case "dead":
            losses.fell(fight, who, "dead")
        case _:
            losses.fell(fight, who, "unconscious")


def _follow(fight: Resolution, who: str, condition: str) -> None:
    """Nobody has hold of one who is held no more."""
    if condition == HOLDING:
        for other in fight.state.roster.order:
            if who in holding.held_by(fight, other):
                fight.record(ConditionGained(who, HOLDING, whom=(other,)))
                holding.let_go(fight, who)
    holding.tidy(fight)


def _side(fight: Resolution, who: str, value: str) -> None:
    """Anyone who changes sides is in melee with no friend, and may be of another group from now on."""
    before, seat, to_come = group(fight, who), order.seat(fight, who), order.is_to_come(fight, who)
    adjust.set_side(fight, who, value, "arkm.initiative.one-die-per-group")
    split.change_group(fight, who, before, seat, to_come)
    adjust.part_friends(fight, who)
    own, side = group(fight, who), fight.state.roster.members[who].side
    others = [group(fight, one) for one in fight.state.roster.of_side(side) if one != who and fight.state.stands(one)]
    if fight.state.encounter.running and others and own not in others:
        still = f"{who} is in the group {own} still"
        fight.notes.append(f"{still}: affray group {who} {others[0]} puts {who} into another.")


def _engaged(fight: Resolution, who: str, value: str) -> None:
    """Those who are put into melee are in it from now on."""
    for other in adjust.several(fight, value):
        adjust.engage(fight, who, other)
        if not fight.state.counts.get(who, SINCE, other):
            met(fight, who, other)


def _equipped(fight: Resolution, who: str, value: str) -> None:
    """As `draw` does it, for nothing: it takes the place of what is in hand. What another has dropped is taken up."""
    if fight.sheet(who).shield != "none" and value and SHIELD.startswith(value.casefold()):
        if SHIELD in fight.state.gear.equipped.get(who, ()):
            fight.impossible(f"{who} already has the shield in hand.")
        for held in in_hand(fight, who):
            if held.hands == 2:
                hint = adjust.repeated(who, "no-equipped", held.id)
                fight.refuse("arkm.ac.shield", f"{who} holds {held.id} in both hands.", hint)
        fight.record(Equipped(who, SHIELD))
        return
    weapon = owned(fight, who, value)
    owner, name = ground.found(fight, who, value)
    if weapon is None and owner:
        weapon = hand_over(fight, owner, who, name)
    weapon = weapon or hands.own(fight, who, value)
    if weapon in in_hand(fight, who):
        fight.impossible(f"{who} already has {weapon.id} in hand.")
    hands.take(fight, who, hands.own(fight, who, weapon.id))


def _no_equipped(fight: Resolution, who: str, value: str) -> None:
    hands.let_go(fight, who, adjust.in_hand(fight, who, value))


def _drop(fight: Resolution, who: str, value: str) -> None:
    item = adjust.in_hand(fight, who, value)
    if item == SHIELD:
        fight.impossible("A shield cannot be dropped, only put away.", adjust.repeated(who, "no-equipped", SHIELD))
    hands.drop(fight, who, item)


def _condition(fight: Resolution, who: str, value: str) -> None:
    if value.strip().casefold() == ELEVATION:
        value = f"{ELEVATION}=1"  # arkm.high-ground.bonus: somebody is higher, by however much
    CONDITIONS["condition"].set(fight, who, value)


def _read(fight: Resolution, row: adjust.Row) -> Weapon:
    weapon: Weapon = adjust.read_row(fight, row, Weapon)
    if problem := weapon.problem():
        fight.impossible(f"{weapon.id} is wrong: {problem}.")
    return weapon


def _own(fight: Resolution, who: str, name: str) -> Weapon:
    mine = {weapon.id: weapon for weapon in arsenal(fight, fight.sheet(who))}
    return mine[adjust.one_of(fight, name, tuple(mine), f"weapon of {who}")]


def _give(fight: Resolution, who: str, weapon: Weapon, owner: str) -> Weapon:
    """A weapon changes hands, broken or unloaded as it is; anyone who is trained with it is so with a second one."""
    marks = [mark for mark in (broken, empty) if owner and fight.state.conditions.has(owner, mark(weapon.id))]
    if owner:
        _take(fight, owner, weapon)
    sheet: Sheet = fight.sheet(who)
    name = adjust.free_name(weapon.id, [SHIELD, *(one.id for one in arsenal(fight, sheet))])
    trained = (*sheet.trained, name) if weapon.id in sheet.trained and name != weapon.id else sheet.trained
    known = Weapons.used(fight.state).find(weapon.id) == weapon and name == weapon.id
    weapon = replace(weapon, id=name)
    adjust.gain(fight, who, name, replace(sheet, weapons=(*sheet.weapons, name if known else weapon), trained=trained))
    for mark in marks:
        fight.record(ConditionGained(who, mark(name)))
    return weapon


def hand_over(fight: Resolution, owner: str, who: str, name: str) -> Weapon:
    """A weapon of one is another's from now on, as it is; with the name that it has there."""
    return _give(fight, who, _own(fight, owner, name), owner)


def _take(fight: Resolution, who: str, weapon: Weapon) -> None:
    if weapon.id in fight.state.gear.equipped.get(who, ()):
        hands.let_go(fight, who, weapon.id)
    fight.no_longer(who, ground.dropped(weapon.id), broken(weapon.id), empty(weapon.id))
    sheet: Sheet = fight.sheet(who)
    rest = tuple(one for one in sheet.weapons if weapon.id != (one.id if isinstance(one, Weapon) else one))
    adjust.lose(fight, who, weapon.id, replace(sheet, weapons=rest))


_SEIZED: Remedy = ("grapple", {"who": ["{foe}"], "target": "{who}"}, "the reason")
BY_VERB: dict[str, adjust.Way] = {
    conditions.PINNED: [_SEIZED],
    conditions.STRUGGLING: [_SEIZED],
    conditions.HOLDING: [("grapple", {"who": ["{who}"], "target": "{foe}"}, "the reason")],
    conditions.SURPRISED: [adjusted("{who}", "condition", "unaware")],
    conditions.TEMPORARY: [adjusted("{who}", "temporary", 3)],
    conditions.RELOADING: [("reload", {"who": "{who}"})],
    conditions.MAINTAINING: [("cast", {"who": "{who}", "spell": "web", "concentration": True})],
    conditions.BLOW_DUE: [("attack", {"who": "{who}", "target": ["{foe}"]}, "the reason")],
    conditions.FLORENTINE: [("defend", {"who": "{who}", "with_": "sword", "off_hand": "dagger"})],
    conditions.SET: [("set", {"who": "{who}"})],
    conditions.CHARGING: [("charge", {"who": "{who}", "target": "{foe}"})],
    conditions.PARRYING: [("parry", {"who": "{who}"})],
    conditions.WITHDRAWING: [("withdraw", {"who": "{who}"})],
}
"""Conditions that come of something else, which sets them and ends them."""
CONDITIONS = adjust.conditions(
    BY_VERB,
    conditions.BY_WORD,
    _follow,
    ended=(conditions.PINNED, conditions.STRUGGLING, conditions.HOLDING),
    counted=(conditions.ELEVATION, conditions.MOUNTED),
)
FIELDS = {
    "hp": Field("0 to the maximum: at 0 they are slain", _hp),
    "hp-max": Field("1 or more", _hp_max),
    "temporary": Field("temporary damage, 0 or more: with as much as their hp they are out", _temporary),
    "down": Field("unconscious, dead or no", _down),
    "condition": Field(CONDITIONS["condition"].takes, _condition),
    "no-condition": CONDITIONS["no-condition"],
    "side": Field("a side at the table", _side),
    "truce": Field("another side; the two are no longer enemies", adjust.set_truce),
    "no-truce": Field("the other side of a truce", adjust.end_truce),
    "engaged": Field("foes in melee", _engaged),
    "no-engaged": Field("foes who are no longer in melee", adjust.disengage),
    "equipped": Field("a weapon that is carried, or that somebody has dropped; or shield", _equipped),
    "no-equipped": Field("a weapon in hand, or shield", _no_equipped),
    "dropped": Field("a weapon in hand: it lies within 5 feet", _drop),
    **adjust.items(
        "a weapon of the weapons table, one as in a stat block, or WEAPON@NAME from somebody",
        "a weapon that is carried",
        _read,
        _own,
        _give,
        _take,
        'id = "{}"',
        lambda fight, who, word: Weapons.used(fight.state).find(word),
    ),
}
"""What can be set."""
ELSEWHERE: dict[str, adjust.Way] = {
    "prone": [adjusted("{who}", "condition", "prone")],
    "wounds": [adjusted("{who}", "hp", 3)],
    "at": [adjusted("{who}", "engaged", "{foe}")],
    "picked-up": [adjusted("{who}", "equipped", "{value}")],
    "morale": [("morale", {"who": "{who}", "trigger": "upset"})],
}
"""What cannot, and how to get it."""

RESTS = "rest {who} --days {days}"
ON_JOINING = ("name", "hp_dice", "men")
"""Fields of a stat block that nothing reads once somebody has joined."""
