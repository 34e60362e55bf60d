"""The game master's word: what can be set, and what follows by the rules."""

from msgspec.structs import replace

from commands.action import adjust
from commands.action.adjust import Field
from commands.action.declaration import read_square
from commands.action.grid import COMPASS
from commands.action.resolution import Resolution, adjusted
from commands.action.view import View
from ledger import events
from projections.state import State

from . import bodies, conditions, gear, ground, threat, wounds
from .stat_block import Sheet, find_item
from .tables import DEFENSIVE, GRAPPLED, GRAPPLING, PRONE, SPRINTING, THREATENED, Armor, Focus, Spell, Weapon
from .tables import spells as spell_table
from .tables import weapons as weapon_table


def _wounds(fight: Resolution, who: str, value: str) -> None:
    """dungeoneers.wounds.capacity: as many as the size allows; the last of them does not kill."""
    clause, capacity = "dungeoneers.wounds.capacity", fight.sheet(who).wound_capacity
    before = fight.state.injuries.total(who)
    total = adjust.ranged(fight, who, "wounds", value, before, 0, capacity, above=clause)
    if total > before:
        fight.record(events.WoundsSustained(who, total - before, total, most=capacity))
    elif total < before:
        fight.record(events.WoundsHealed(who, before - total, total, capacity))


def kinds(state: State) -> list[str]:
    """dungeoneers.wounds.type: those of weapons and spells, and those that somebody at the table is open to."""
    sheets = [View(state).sheet(who) for who in state.roster.order]
    rows: list[Weapon | Spell] = [*weapon_table().values(), *spell_table().values()]
    rows += [row for sheet in sheets for row in (*sheet.weapons.values(), *sheet.spells.values())]
    hurts = [word for sheet in sheets for word in (*sheet.vulnerability, *sheet.resistance_to)]
    return list(dict.fromkeys(word.casefold() for word in (*(row.type for row in rows if row.type), *hurts)))


def damage(fight: Resolution, who: str, points: int, kind: str) -> None:
    """Wounds, with all that makes them more or fewer but armour: dungeoneers.wounds.order."""
    if wounds.alive(fight, who):
        wounds.suffer(fight, who, events.number("wounds", points, "the game master"), kind)


def _stress(fight: Resolution, who: str, value: str) -> None:
    """Stress has no limit, but more of it than three times the capacity wounds: dungeoneers.stress.triple-wound."""
    before = fight.state.stress.total(who)
    total = adjust.ranged(fight, who, "stress", value, before)
    capacity = fight.sheet(who).stress_capacity
    if total > before:
        fight.record(events.StressGained(who, total - before, total, capacity))
        if before <= 3 * capacity:
            wounds.check_exertion(fight, who)
    elif total < before:
        fight.record(events.StressEased(who, before - total, total, capacity))


def _magica(fight: Resolution, who: str, value: str) -> None:
    """dungeoneers.magica.capacity: up to what the mind holds."""
    clause, capacity = "dungeoneers.magica.capacity", fight.sheet(who).magica_capacity
    before = fight.state.magica.left(who)
    total = adjust.ranged(fight, who, "magica", value, before, 0, capacity, above=clause)
    if total > before:
        fight.record(events.MagicaGained(who, total - before, total, capacity))
    elif total < before:
        fight.record(events.MagicaSpent(who, before - total, total, capacity))


def _ambient(fight: Resolution, who: str, value: str) -> None:
    """The magica of the place."""
    now = adjust.ranged(fight, who, "ambient-magica", value, fight.state.magica.ambient or 0)
    fight.record(events.AmbientMagicaSet(now))


def _down(fight: Resolution, who: str, value: str) -> None:
    """The dead threaten nobody and hold nobody: dungeoneers.death.effects. No more do those who cannot act."""
    how = adjust.how_down(fight, who, value, ("unconscious", "dead"))
    if how != "no":
        fight.record(events.Felled(who, "dead" if how == "dead" else "unconscious"))
        wounds.bury(fight, who, how)
    else:
        fight.record(events.Rose(who))
        threat.recalculate(fight)


def _follow(fight: Resolution, who: str, condition: str) -> None:
    """Half a grapple is none; a condition of the rules has its end, and threatened names those who threaten."""
    conditions.mend(fight)
    conditions.part(fight)
    for name in (DEFENSIVE, SPRINTING):
        held = fight.state.conditions.get(who, name)
        if held and held.until == "removed":
            fight.record(events.ConditionGained(who, name, "turn-start", who))
    threatened = fight.state.conditions.get(who, THREATENED)
    if threatened and not threatened.whom:
        fight.record(events.ConditionEnded(who, THREATENED))
        if fight.state.encounter.running:
            threat.become(fight, who, threat.threatening(fight, who))


def _side(fight: Resolution, who: str, value: str) -> None:
    """Who is hostile to whom decides who is threatened: dungeoneers.threat.hostility."""
    adjust.set_side(fight, who, value, "dungeoneers.threat.hostility")
    threat.recalculate(fight)


def _at(fight: Resolution, who: str, value: str) -> None:
    """A move is a move: dungeoneers.movement.occupied."""
    at = read_square(value)
    if fight.state.stands(who) and not bodies.fits(fight, {who: at}):
        fight.refuse("dungeoneers.movement.occupied", f"{who} does not fit there.", "Name another tile.")
    fight.record(events.Placed(who, at))
    conditions.after_moves(fight, (who,))


def _facing(fight: Resolution, who: str, value: str) -> None:
    direction = next((one for one in COMPASS if one.casefold() == value.casefold()), "")
    if not direction:
        fight.impossible(f"There is no direction {value[:40]!r}.", f"There are: {', '.join(COMPASS)}.")
    fight.record(events.Faced(who, direction))


def _equipped(fight: Resolution, who: str, value: str) -> None:
    """As far as there are places: dungeoneers.equipment.slots."""
    item = gear.own(fight, who, value)
    if item in gear.worn(fight, who):
        fight.impossible(f"{who} has already equipped {item.name}.")
    gear.check_room(fight, who, fight.sheet(who), gear.worn(fight, who), item)
    fight.record(events.Equipped(who, item.name))
    conditions.part(fight)


def _no_equipped(fight: Resolution, who: str, value: str) -> None:
    adjust.put_away(fight, who, value)
    conditions.part(fight)


def _dropped(fight: Resolution, who: str, value: str) -> None:
    name, sign, place = value.rpartition("@")
    item = adjust.one_of(fight, name if sign else value, gear.possessions(fight, who), f"thing of {who}")
    at = read_square(place) if sign else fight.state.positions.at.get(who)
    if at is None:
        fight.impossible("Where does it lie?", adjust.repeated(who, "dropped", f"{item}@3,2"))
    fight.record(events.Dropped(who, item, at))
    conditions.part(fight)


def _picked_up(fight: Resolution, who: str, value: str) -> None:
    """However far away it lies."""
    lying = [one.item for one in fight.state.lying.items]
    ground.pick_up(fight, who, adjust.one_of(fight, value, lying, "thing on the ground"))


def _ammunition(fight: Resolution, who: str, value: str) -> None:
    kind, sign, left = value.partition("=")
    everybody = fight.state.roster.order
    rows = [*weapon_table().values(), *(row for one in everybody for row in fight.sheet(one).weapons.values())]
    kinds = sorted({*fight.state.ammunition.of.get(who, {}), *filter(None, (row.ammunition for row in rows))})
    meant = adjust.one_of(fight, kind, kinds, "ammunition")
    if not sign:
        fight.impossible(f"How many has {who}?", adjust.repeated(who, "ammunition", f"{meant}=10"))
    before = fight.state.ammunition.left(who, meant)
    fight.record(events.AmmunitionSet(who, meant, adjust.ranged(fight, who, f"ammunition {meant}", left, before)))


# Items


def _give(fight: Resolution, who: str, item: ground.Row, owner: str) -> None:
    """From the tables, a row as in a stat block, or of somebody else; it is carried: dungeoneers.weapon.table."""
    if owner:
        _take(fight, owner, item)
    sheet: Sheet = fight.sheet(who)
    name = item.name
    if name in gear.possessions(fight, who):
        if not isinstance(item, ground.Row):
            fight.impossible(f"{who} already has {name}.")
        name = adjust.free_name(name, gear.possessions(fight, who))
    known = find_item(sheet, name)
    if known and replace(known, name="") != replace(item, name=""):
        name, known = adjust.free_name(name, [name]), None
    if not known and isinstance(item, ground.Row):
        sheet = ground.with_row(sheet, name, item)
    adjust.gain(fight, who, name, replace(sheet, carried=(*sheet.carried, name)))


def _read(fight: Resolution, row: adjust.Row) -> ground.Row:
    """A weapon has hit dice, a focus magica; anything else is armor, or something worn."""
    kind = Weapon if {"hit", "pierce", "wounds"} & set(row) else Focus if "magica" in row else Armor
    item: ground.Row = adjust.read_row(fight, row, kind)
    if not 0 < len(item.name) <= 40:
        fight.impossible("An item needs a name of 1 to 40 characters.", adjust.as_written(ground.ROW))
    return item


def _take(fight: Resolution, who: str, item: ground.Row) -> None:
    """What somebody picked up goes before what the stat block has."""
    name = item.name
    if name in fight.state.gear.equipped.get(who, ()):
        fight.record(events.Unequipped(who, name))
    sheet: Sheet = fight.sheet(who)
    if name not in fight.state.lying.found.get(who, ()):
        for field in ("carried", "equipped"):
            words: tuple[str, ...] = getattr(sheet, field)
            at = next((at for at, word in enumerate(words) if word.casefold() == name.casefold()), None)
            if at is not None:
                sheet = replace(sheet, **{field: (*words[:at], *words[at + 1 :])})
                break
    adjust.lose(fight, who, name, sheet)
    conditions.part(fight)


BY_VERB: dict[str, adjust.Way] = {
    GRAPPLED: [("grapple", {"who": "{foe}", "target": "{who}"}, "the reason")],
    GRAPPLING: [("grapple", {"who": "{who}", "target": "{foe}"}, "the reason")],
}
"""Conditions that come of something else, which sets them and ends them."""

FIELDS = {
    "wounds": Field("0 to the capacity", _wounds),
    "stress": Field("0 or more: beyond three times the capacity it wounds", _stress),
    "magica": Field("0 to twice the mind", _magica),
    "ambient-magica": Field("0 or more: that of the place", _ambient),
    "down": Field("unconscious, dead or no", _down),
    **adjust.conditions(BY_VERB, (PRONE, DEFENSIVE, SPRINTING, THREATENED), _follow, ended=BY_VERB),
    "side": Field("a side at the table", _side),
    "truce": Field("another side; the two are no longer enemies", adjust.then(adjust.set_truce, threat.recalculate)),
    "no-truce": Field("the other side of a truce", adjust.then(adjust.end_truce, threat.recalculate)),
    "at": Field("a tile where there is room: X,Y or X,Y,HEIGHT", _at),
    "facing": Field(", ".join(COMPASS), _facing),
    "equipped": Field("an item that is carried, if there is a place for it", _equipped),
    "no-equipped": Field("an item in use", _no_equipped),
    "dropped": Field("an item, which then lies on their tile; or ITEM@X,Y", _dropped),
    "picked-up": Field("an item on the ground", _picked_up),
    **adjust.items(
        "an item of the tables, a row as in a stat block, or ITEM@NAME from somebody",
        "an item that is carried",
        _read,
        gear.own,
        _give,
        _take,
        ground.ROW,
        lambda fight, who, word: find_item(fight.sheet(who), word),
    ),
    "ammunition": Field("KIND=N, such as arrow=10", _ammunition),
    "action": adjust.allowance("action"),
    "movement": adjust.allowance("movement"),
    "reaction": adjust.allowance("reaction"),
}
"""What can be set."""

ELSEWHERE: dict[str, adjust.Way] = {
    "prone": [adjusted("{who}", "condition", "prone")],
    "hp": [adjusted("{who}", "wounds", 1)],
    "pain": [adjusted("{who}", "stress", 1)],
    "area": [adjusted("{who}", "at", "3,2")],
    "engaged": [adjusted("{who}", "at", "3,2")],
    "initiative": [("initiative", {"scores": ["{who}=5"]})],
}
"""What cannot, and how to get it."""

RESTS = "rest {who} full"
ON_JOINING = ("name", "position", "ammo")
"""Fields of a stat block that nothing reads once somebody has joined."""
