"""Stat blocks: what a creature brings to the table."""

from collections.abc import Mapping
from typing import Any, get_args

from msgspec.structs import replace

from commands.action.grid import Square
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger import events
from ledger.events import number
from ledger.events.sentences import counted
from projections.state import State

from . import bodies, conditions, gear, order, threat, wounds
from .stat_block import BASIC, Sheet, find_item, find_spell
from .tables import TOME, Die, Item, armor, foci, spells, weapons

HOSTILE = True


_ROW = "Give the sheet a row for it, or take one of the tables: see rules items."
"""What to do about an item that is in no table."""


def items(state: State) -> dict[str, str]:
    """The tables of weapons, armor and foci, and a tome of each spell."""
    told: dict[str, str] = {}
    for name, weapon in weapons().items():
        kind = f"{weapon.category} {weapon.rank or ''}".strip() or "for everybody"
        shoots = f", range {weapon.range} ({weapon.ammunition})" if weapon.ammunition else ""
        reach = f", threat +{weapon.threat}" if weapon.threat else ""
        toss = ", toss" if weapon.toss else ""
        hands = ", two-handed" if weapon.two_handed else ""
        harm = f"{counted(weapon.wounds, 'wound')}, {weapon.type}"
        does = f"hit d{weapon.hit}, pierce d{weapon.pierce}, {harm}{shoots}{reach}{toss}{hands}"
        told[name] = f"weapon, {kind}; {does}{_burden(weapon)}"
    for name, worn in armor().items():
        protects = f"armor value {worn.av}, spell resistance {worn.sr}"
        told[name] = f"armor, {worn.category or worn.slot}; {protects}{_burden(worn)}"
    for name, focus in foci().items():
        told[name] = f"focus, {focus.school or 'every'} school; magica {focus.magica}{_burden(focus)}"
    for name, spell in spells().items():
        told[f"{TOME}{name}"] = f"tome, {spell.school or 'no'} school; {spell.kind}, {spell.cost} magica"
    return told


def _burden(item: Item) -> str:
    """What an item gives or takes when its bearer casts, and what power it takes to bear it lightly."""
    parts = {"spellboon": item.spellboon, "spellbane": item.spellbane, "power": item.power_needed}
    return "".join(f", {name} {number}" for name, number in parts.items() if number)


def skills(state: State) -> dict[str, str]:
    """The categories of weapons, in which ranks are held."""
    told: dict[str, list[str]] = {}
    for name, weapon in weapons().items():
        if weapon.category:
            told.setdefault(weapon.category, []).append(name)
    return {category: f"ranks E to A; {', '.join(names)}" for category, names in told.items()}


def player(data: Mapping[str, Any]) -> bool:
    """With player: a player plays it. What goes without saying does not count."""
    return data.get("player") is True


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that breaks a rule, or that names what no table holds."""
    for field, has, some in (("equipped", "has equipped", sheet.equipped), ("carried", "carries", sheet.carried)):
        for nth, name in enumerate(some):
            if find_item(sheet, name) is None:
                fight.impossible(f"{who} {has} {name!r}, which is in no table.", _ROW, (field, nth))
    _check_words(fight, who, sheet)
    for nth, name in enumerate(sheet.cantrips):
        if find_spell(sheet, name) is None:
            message = f"{who} knows {name!r}, which is not a spell."
            fight.impossible(message, "Give the sheet a row for it.", ("cantrips", nth))
    for nth, name in enumerate(sheet.denied_actions):
        if name.casefold() not in BASIC:
            message, hint = f"{who} is denied {name!r}, which is not a basic action.", f"These are: {', '.join(BASIC)}."
            fight.impossible(message, hint, ("denied_actions", nth))
    names = [name.casefold() for name in (*sheet.equipped, *sheet.carried)]
    for nth, name in enumerate(names):
        if name in names[:nth]:
            message, worn = f"Two items of {who} have the same name.", len(sheet.equipped)
            at = ("equipped", nth) if nth < worn else ("carried", nth - worn)
            fight.impossible(message, "Give the sheet a row for the second.", at)
    gear.check_slots(fight, who, sheet)
    if sheet.wounds > sheet.wound_capacity:
        message = f"{who} can have at most {sheet.wound_capacity} wounds."
        fight.refuse("dungeoneers.wounds.capacity", message, at=("wounds",))
    if sheet.magica is not None and sheet.magica > sheet.magica_capacity:
        message = f"{who} can have at most {sheet.magica_capacity} magica."
        fight.refuse("dungeoneers.magica.capacity", message, at=("magica",))


def _check_words(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses ranks in what is no category of weapons, ammunition that no weapon shoots, dice that nobody has."""
    spells = [(spell.gives, ("spells", name, "gives")) for name, spell in sheet.spells.items()]
    for given, at in ((sheet.effects, ("effects",)), *spells):
        for kind, sides in given.items():
            if kind.endswith("_die") and sides not in get_args(Die):
                message = f"{who} has an effect of a {kind} of {sides}."
                fight.impossible(message, f"Dice: {', '.join(map(str, get_args(Die)))}.", (*at, kind))
    if sheet.ranks or sheet.ammo:
        rows = [*weapons().values(), *sheet.weapons.values()]
        categories = dict.fromkeys(row.category.casefold() for row in rows if row.category)
        kinds = dict.fromkeys(row.ammunition for row in rows if row.ammunition)
        for name in sheet.ranks:
            if name.casefold() not in categories:
                message = f"{who} has a rank in {name!r}, which is not a category of weapons."
                fight.impossible(message, f"These: {', '.join(categories)}.", ("ranks", name))
        for name in sheet.ammo:
            if name not in kinds:
                message, hint = f"{who} has {name!r}, which no weapon shoots.", f"Ammunition is: {', '.join(kinds)}."
                fight.impossible(message, hint, ("ammo", name))


def enter(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    """Records what a newcomer brings; one that comes during a fight is threatened at once, and acts next round."""
    for name in sheet.equipped:
        if item := find_item(sheet, name):
            fight.record(events.Equipped(who, item.name))
    for kind in sorted(sheet.ammo):
        fight.record(events.AmmunitionSet(who, kind, sheet.ammo[kind]))
    for kind, amount in sorted(sheet.effects.items()):
        _take_effect(fight, who, kind, amount)
    if sheet.wounds:
        fight.record(events.WoundsSustained(who, sheet.wounds, sheet.wounds, most=sheet.wound_capacity))
    if sheet.stress:
        fight.record(events.StressGained(who, sheet.stress, sheet.stress, sheet.stress_capacity))
    if magica := sheet.magica_capacity if sheet.magica is None else sheet.magica:
        fight.record(events.MagicaGained(who, magica, magica, sheet.magica_capacity))
    _place(fight, who, sheet, at)
    fight.record(events.Faced(who, sheet.facing))
    if fight.state.encounter.running:
        fight.record(events.PointsSet(who, "reaction", reactions(fight, who)))
        order.take_in(fight, who)
        threat.recalculate(fight)


def _place(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    """Of several of a kind for whom no places are said, each stands on the nearest free tile. Any other who finds the
    tile of the stat block taken has no place yet.
    """
    square = at or (*sheet.position, 0)
    if not at and getattr(fight.declaration, "count", 1) > 1:
        square = bodies.room(fight, who, square)
    if bodies.fits(fight, {who: square}):
        fight.record(events.Placed(who, square))
    elif at:
        fight.refuse("dungeoneers.movement.occupied", f"{who} does not fit there.", "Choose another --at.")
        fight.record(events.Placed(who, square))


def reactions(fight: Resolution, who: str) -> int:
    """dungeoneers.reaction.points: 1 unless the sheet or the campaign says otherwise."""
    own: int | None = fight.sheet(who).reaction_points
    return fight.option("default_reaction_points") if own is None else own


def leaves(fight: Resolution, who: str) -> None:
    """Anyone who leaves the table holds and threatens nobody any more."""
    wounds.bury(fight, who, "gone")
    if fight.state.turns.who == who:
        fight.record(events.TurnEnded(who))


def _take_effect(fight: Resolution, who: str, kind: str, amount: int) -> None:
    """An effect that the sheet names is in force."""
    modifies = kind.replace("_", " ")
    fight.record(events.ConditionGained(who, f"effect on {modifies}", amount=amount, modifies=modifies))


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with what they have and it does not name: they carry that, with its rows."""
    before: Sheet = fight.sheet(who)
    names = {name.casefold() for name in (*named.equipped, *named.carried)}
    others = [name for name in (*before.equipped, *before.carried) if name.casefold() not in names]
    had = {name.casefold() for name in (*others, *fight.state.lying.found.get(who, ()))}
    tables: dict[str, Any] = {}
    for table in ("weapons", "armor", "foci"):
        rows = getattr(named, table)
        known = {key.casefold() for key in rows}
        own = {key: row for key, row in getattr(before, table).items() if key.casefold() in had - known}
        tables[table] = {**rows, **own}
    return replace(named, carried=(*named.carried, *others), **tables)


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    sheet: Sheet = fight.sheet(who)
    _check_room(fight, who, sheet, before)
    _change_gear(fight, who, sheet, before, named)
    _change_effects(fight, who, sheet, before)
    for kind in sorted(sheet.ammo):
        if kind not in before.ammo and not fight.state.ammunition.left(who, kind):
            fight.record(events.AmmunitionSet(who, kind, sheet.ammo[kind]))
    _cut(fight, who, sheet)
    conditions.part(fight)
    threat.recalculate(fight)


def _check_room(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """dungeoneers.movement.occupied: one who has grown still fits in."""
    at, grown = fight.state.positions.at.get(who), (sheet.size, sheet.footprint) != (before.size, before.footprint)
    if grown and at and fight.state.stands(who) and not bodies.fits(fight, {who: at}):
        message = f"{who} does not fit there any more."
        fight.refuse("dungeoneers.movement.occupied", message, "Move somebody first.", ("size",))


def _change_gear(fight: Resolution, who: str, sheet: Sheet, before: Sheet, named: Sheet) -> None:
    """What is not named, or has no place any more, is put away; what is new is put on as far as there are places."""
    names = {name.casefold() for name in (*named.equipped, *named.carried, *fight.state.lying.found.get(who, ()))}
    for name in fight.state.gear.equipped.get(who, ()):
        if name.casefold() not in names:
            fight.record(events.Unequipped(who, name))
    left = dict(sheet.places)
    for item in gear.worn(fight, who):
        if item.places > left[item.slot]:
            fight.record(events.Unequipped(who, item.name))
        else:
            left[item.slot] -= item.places
    had = {name.casefold() for name in before.equipped}
    for name in sheet.equipped:
        new = find_item(sheet, name)
        if new and name.casefold() not in had and new.places <= left[new.slot] and new not in gear.worn(fight, who):
            fight.record(events.Equipped(who, new.name))
            left[new.slot] -= new.places


def _change_effects(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """Effects that the new sheet does not have end; others are as it says."""
    for kind in sorted({*before.effects, *sheet.effects}):
        name = f"effect on {kind.replace('_', ' ')}"
        if kind not in sheet.effects and fight.state.conditions.has(who, name):
            fight.record(events.ConditionEnded(who, name))
        elif kind in sheet.effects and sheet.effects[kind] != before.effects.get(kind):
            _take_effect(fight, who, kind, sheet.effects[kind])


def _cut(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Nobody has more wounds, and more magica, than their capacity."""
    borne, held = fight.state.injuries.total(who), fight.state.magica.left(who)
    if borne > sheet.wound_capacity:
        clause = "dungeoneers.wounds.cap-at-maximum"
        most = sheet.wound_capacity
        fight.rule(clause, "", [number("wounds", borne, "borne").at_most(most, "capacity", clause)], who=who)
        fight.record(events.WoundsHealed(who, borne - most, most, most))
    if held > sheet.magica_capacity:
        clause = "dungeoneers.magica.capacity"
        most = sheet.magica_capacity
        fight.rule(clause, "", [number("magica", held, "held").at_most(most, "capacity", clause)], who=who)
        fight.record(events.MagicaSpent(who, held - most, most, most))


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now."""
    sheet: Sheet = view.sheet(who)
    state, held = view.state, {name.casefold() for name in view.state.gear.equipped.get(who, ())}
    items = (*sheet.equipped, *sheet.carried)
    magica = state.magica.left(who)
    return replace(
        sheet,
        equipped=tuple(name for name in items if name.casefold() in held),
        carried=tuple(name for name in items if name.casefold() not in held),
        ammo={kind: left for kind, left in state.ammunition.of.get(who, {}).items() if left or kind in sheet.ammo},
        wounds=state.injuries.total(who),
        stress=state.stress.total(who),
        magica=None if magica == sheet.magica_capacity else magica,
    )
