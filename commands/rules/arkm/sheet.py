"""What a combatant brings to the table, and what it leaves behind."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from commands.action.resolution import Resolution, about
from commands.action.view import View
from ledger.dice import parse
from ledger.events import ConditionEnded, ConditionGained, Equipped, HpSet, whose
from ledger.events.sentences import counted
from projections.state import State

from . import hands, order, split, temporary
from .conditions import HASTED, MOUNTED, empty
from .distance import newcomer
from .groups import group, own_group
from .hands import arsenal
from .holding import free, let_go
from .mass import check as check_unit
from .mass import form
from .morale import dismiss, enlist
from .scores import words
from .stat_block import LESS_THAN_ONE, SHIELD, Sheet, says_hit_dice
from .stat_block import split as parted
from .tables import Armours, MoraleTable, SavesTable, Shields, ToHit, Weapons

HOSTILE = True


def items(state: State) -> dict[str, str]:
    """The campaign's tables of weapons, armour and shields."""
    told: dict[str, str] = {}
    for weapon in Weapons.used(state).rows:
        kinds = weapon.kind if isinstance(weapon.kind, str) else ", ".join(weapon.kind)
        hands = ", two-handed" if weapon.hands == 2 else ""
        ranges = f", ranges {'/'.join(map(str, weapon.ranges))}" if weapon.ranges else ""
        told[weapon.id] = f"weapon, {kinds}; {weapon.damage}, {weapon.length} feet long{ranges}{hands}"
    for worn in Armours.used(state).rows:
        told[f'armour = "{worn.armour}"'] = f"armour class {worn.ac}"
    for held in Shields.used(state).rows:
        told[f'shield = "{held.shield}"'] = f"{held.bonus} better, against {counted(held.attackers, 'attacker')}"
    return told


def player(data: Mapping[str, Any]) -> bool:
    """With pc: a player plays it. What goes without saying does not count."""
    return data.get("pc") is True


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that contradicts itself."""
    _check_points(fight, who, sheet)
    places: list[tuple[str, tuple[str | int, ...]]] = [(sheet.hp_dice, ("hp_dice",))]
    places += [(line.damage, ("attacks", nth, "damage")) for nth, line in enumerate(sheet.attacks)]
    for dice, at in places:
        with about(at=at):
            parted(dice)
    if sheet.hp_dice and not parse(sheet.hp_dice)[0]:
        fight.impossible(f"{sheet.hp_dice!r} throws no dice.", 'Its sheet may say hp_dice = "2d8".', ("hp_dice",))
    table = MoraleTable.used(fight.state)
    if isinstance(sheet.morale, str) and sheet.morale not in table.scores:
        message = f"The morale table has no {sheet.morale!r}."
        fight.impossible(message, f"It has: {', '.join(table.scores)}.", ("morale",))
    if sheet.class_:
        _check_class(fight, who, sheet)
    if sheet.men:
        check_unit(fight, who, sheet)
    _check_weapons(fight, who, sheet)


def _check_points(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Hit points that can be: given, or thrown by Hit Dice that can be."""
    if sheet.hp is not None and sheet.hp > (sheet.hp_max or sheet.hp):
        fight.impossible(f"{who} cannot have {sheet.hp} hit points of {sheet.hp_max}.", at=("hp",))
    if sheet.hd and not says_hit_dice(sheet.hd):
        example = 'Its sheet may say hd = "6", "6+3", "2-1" or "1/2".'
        fight.impossible(f"{who} cannot have {sheet.hd!r} Hit Dice.", example, ("hd",))
    thrown = sheet.hp_dice or sheet.men or (sheet.hd and not sheet.class_)
    if not (sheet.hp is not None or sheet.hp_max is not None or thrown) and not sheet.is_normal_man:
        example = 'Its sheet may say hp_max = 12, or hp_dice = "2d8" to throw them on joining.'
        fight.impossible(f"{who} has no hit points.", example, ("hp_max",))


def _check_weapons(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Each weapon has a name of its own."""
    ids = [weapon.id for weapon in arsenal(fight, sheet)]
    twice = [name for at, name in enumerate(ids) if name in ids[:at]]
    if twice or SHIELD in ids:
        at = next(nth for nth, name in enumerate(ids) if name == SHIELD or name in ids[:nth])
        what = f"need a name each, and none is called {SHIELD}: {', '.join(twice or [SHIELD])}."
        example = 'Its sheet may say { id = "dagger-2", damage = "1d4" } for a second one.'
        fight.impossible(f"{whose(who)} weapons {what}", example, ("weapons", at))


NAMED = ("cleric", "thief", "bard", "monk", "druid", "illusionist", "assassin")
"""Classes of all others, which no table has to name."""


def _check_class(fight: Resolution, who: str, sheet: Sheet) -> None:
    """arkm.class.fighter-group: a class that some table or option knows, and a level."""
    if sheet.level_ is None:
        fight.impossible(f"{who} is a {sheet.class_} without a level.", "Its sheet may say level = 1.", at=("level",))
    groups = (*words(fight, "fighter_group"), *words(fight, "swashbuckler_classes"))
    known = {*ToHit.used(fight.state).classes, *SavesTable.used(fight.state).classes, *groups, *NAMED}
    if sheet.class_.lower() not in known:
        message = f"{who} is a {sheet.class_[:40]!r}; there are: {', '.join(sorted(known))}."
        hint = "A to-hit table of your own may name more: see table to-hit."
        fight.refuse("arkm.class.fighter-group", message, hint, ("class",))
    if sheet.is_kind != "character":
        fight.impossible(f"{who} has a class, and cannot be a {sheet.kind}.", at=("kind",))


def enter(fight: Resolution, who: str, sheet: Sheet, at: object) -> None:
    """Records hit points, what is in hand, and how it begins."""
    if at is not None:
        message = "Arkm counts feet between combatants, not squares."
        fight.impossible(message, "Say distances in play: begin --distance, distance, move --to.")
    most = sheet.hp_max or sheet.hp or _thrown_hp(fight, who, sheet)
    fight.record(HpSet(who, most if sheet.hp is None else sheet.hp, most))
    weapons = arsenal(fight, sheet)
    for weapon in weapons[:1]:
        fight.record(Equipped(who, weapon.id))
    if sheet.shield != "none" and not (weapons and weapons[0].hands == 2):
        fight.record(Equipped(who, SHIELD))
    for weapon in weapons:
        if weapon.reload_rounds and not weapon.loaded:
            fight.record(ConditionGained(who, empty(weapon.id)))
    if sheet.mounted:
        fight.record(ConditionGained(who, MOUNTED, whom=tuple(filter(None, (sheet.steed,)))))
    if sheet.hasted:
        fight.record(ConditionGained(who, HASTED))
    if fight.state.encounter.running:
        newcomer(fight, who)
        enlist(fight, who)


def _thrown_hp(fight: Resolution, who: str, sheet: Sheet) -> int:
    """arkm.normal-men.hp-d6: a Normal Man whose sheet gives no hit points throws a D6; a unit one for each man.

    arkm.hit-dice.d6: a monster throws one for each of its Hit Dice.
    """
    if sheet.men:
        return form(fight, who, sheet)
    dice = sheet.hp_dice or ("1d6" if sheet.is_normal_man else _hit_dice(sheet.hd or "1"))
    _, constant = parse(dice)
    thrown = fight.roll(who, "+".join(parted(dice)[0]), "hit points")
    points = thrown.number().plus(constant, "bonus").at_least(1, "at least")
    own = sheet.hp_dice or sheet.is_normal_man
    fight.rule("arkm.normal-men.hp-d6" if own else "arkm.hit-dice.d6", "", [points], who=who)
    return points.total


def _hit_dice(word: str) -> str:
    """The dice of so many Hit Dice.

    >>> _hit_dice("6+3"), _hit_dice("2-1"), _hit_dice("1/2")
    ('6d6+3', '2d6-1', '1d6')
    """
    if word in LESS_THAN_ONE:
        return "1d6"
    number, sign, more = word.partition("-" if "-" in word else "+")
    return f"{max(int(number), 1)}d6{sign}{more}"


def leaves(fight: Resolution, who: str) -> None:
    """Anyone who leaves the table holds nobody, and is no longer counted in its group."""
    let_go(fight, who)
    free(fight, who)
    dismiss(fight, who)


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with the weapons that they have and it does not name: they carry them, and are
    trained with them as before.
    """
    before, names = fight.sheet(who), {weapon.id for weapon in arsenal(fight, named)}
    pairs = zip(before.weapons, arsenal(fight, before), strict=True)
    others = {weapon.id: row for row, weapon in pairs if weapon.id not in names}
    trained = [name for name in others if name in before.trained and name not in named.trained]
    return replace(named, weapons=(*named.weapons, *others.values()), trained=(*named.trained, *trained))


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    sheet: Sheet = fight.sheet(who)
    if sheet.men != before.men:
        hint = "Let the unit leave, and join again."
        fight.impossible(f"{who} cannot be formed anew: that is done on joining.", hint, ("men",))
    _change_gear(fight, who, named, [weapon.id for weapon in arsenal(fight, before)], before)
    mount = fight.state.conditions.has(who, MOUNTED)
    if sheet.mounted and (sheet.steed, True) != (before.steed, before.mounted):
        fight.record(ConditionGained(who, MOUNTED, whom=tuple(filter(None, (sheet.steed,)))))
    elif before.mounted and not sheet.mounted and mount:
        fight.record(ConditionEnded(who, MOUNTED))
    if sheet.hasted and not before.hasted:
        fight.record(ConditionGained(who, HASTED))
    elif before.hasted and not sheet.hasted and fight.state.conditions.has(who, HASTED):
        fight.record(ConditionEnded(who, HASTED))
    most = sheet.hp_max or sheet.hp
    if most and most != (before.hp_max or before.hp):
        fight.record(HpSet(who, min(fight.state.harm.hp[who].now, most), most))
        temporary.check_out(fight, who)
        temporary.come_round(fight, who)
    was = View(fight.before)
    split.change_group(fight, who, group(was, who), order.seat(was, who), order.is_to_come(was, who))


def _change_gear(fight: Resolution, who: str, sheet: Sheet, had: list[str], before: Sheet) -> None:
    """What is not named leaves the hand; another first weapon is taken into an empty hand, a new shield into a free
    one.
    """
    weapons = arsenal(fight, sheet)
    names = [weapon.id for weapon in weapons]
    for name in fight.state.gear.equipped.get(who, ()):
        if name not in names and (name != SHIELD or sheet.shield == "none"):
            hands.let_go(fight, who, name)
    for weapon in weapons:
        if weapon.reload_rounds and not weapon.loaded and weapon.id not in had:
            fight.record(ConditionGained(who, empty(weapon.id)))
    if weapons and weapons[0].id not in had[:1] and not hands.in_hand(fight, who):
        hands.take(fight, who, weapons[0])
    two_handed = any(weapon.hands == 2 for weapon in hands.in_hand(fight, who))
    if two_handed and hands.has_shield(fight, who):
        hands.let_go(fight, who, SHIELD)
    elif before.shield == "none" != sheet.shield and not two_handed and len(hands.in_hand(fight, who)) < 2:
        fight.record(Equipped(who, SHIELD))


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now, without new dice for hit points."""
    sheet: Sheet = view.sheet(who)
    hp, conditions = view.state.harm.hp[who], view.state.conditions
    return replace(
        sheet,
        hp_max=hp.most,
        hp=None if hp.now == hp.most else max(hp.now, 0),
        mounted=conditions.has(who, MOUNTED),
        hasted=conditions.has(who, HASTED),
        group=sheet.group if group(view, who) == own_group(view, who) else group(view, who),
    )
