"""Equipment: what is in hand, what it takes, and what it gives. Only what is equipped gives anything."""

from collections.abc import Iterable, Iterator

from commands.action.effects import called
from commands.action.resolution import Remedies, Remedy, Resolution, adjusted
from commands.action.view import View
from ledger.events import Number, number
from projections.harm import Condition

from .stat_block import Sheet, find_item, find_spell
from .tables import RANKS, Armor, Focus, Item, Spell, Tome, Weapon, improvised

_IMPROVISED = ("improvised", "fist")
"""What --with can say for a blow with no weapon at all."""
FIST = "dungeoneers.attack.weapon-or-fist"
"""By which clause such a blow is struck."""


def worn(view: View, who: str) -> list[Item]:
    """dungeoneers.equipment.equipped-only: what a creature has equipped; nothing else gives it anything."""
    return [item for name in view.state.gear.equipped.get(who, ()) if (item := find_item(view.sheet(who), name))]


def _ranked(view: View, who: str, weapon: Weapon) -> bool:
    """Whether a wielder has the rank that a weapon takes; a higher one includes it."""
    ranks = view.sheet(who).ranks
    rank = next((ranks[one] for one in ranks if one.casefold() == weapon.category.casefold()), None)
    return weapon.rank is None or (rank is not None and RANKS.index(rank) >= RANKS.index(weapon.rank))


def _as_wielded(view: View, who: str, item: Item) -> Weapon:
    """The row by which an item strikes.

    Without the rank it is the improvised one, and the weapon's properties are nothing. So is that of what is no weapon.
    """
    if not isinstance(item, Weapon):
        return improvised(FIST)
    return item if _ranked(view, who, item) else improvised("dungeoneers.weapon.rank-improvised")


def weapons(view: View, who: str) -> list[Weapon]:
    """The weapons in hand that their wielder can use as such."""
    return [item for item in worn(view, who) if isinstance(item, Weapon) and _ranked(view, who, item)]


def in_hand(fight: Resolution, who: str, named: str) -> tuple[str, Weapon]:
    """What an attack is made with: the item named, else the first weapon in hand, else a fist."""
    items = worn(fight, who)
    if named.casefold() in _IMPROVISED:
        return "", improvised(FIST)
    if not named:
        first = next((item for item in items if isinstance(item, Weapon)), None)
        return (first.name, _as_wielded(fight, who, first)) if first else ("", improvised(FIST))
    held = [one.name for one in items]
    item = find_item(fight.sheet(who), begun(held, named) or begun(possessions(fight, who), named) or named)
    if item is None:
        carried = ", ".join(fight.state.gear.equipped.get(who, ())) or "nothing"
        fight.impossible(f"There is no weapon {named[:40]!r}.", f"{who} has equipped: {carried}.")
    if item not in items:
        ways = [*drawing(fight, who, item), f"{who} has equipped: {', '.join(one.name for one in items) or 'nothing'}."]
        fight.refuse("dungeoneers.equipment.equipped-only", f"{who} has not equipped {item.name}.", ways)
    fight.write_in_full(named, item.name)
    return item.name, _as_wielded(fight, who, item)


def begun(names: Iterable[str], word: str) -> str:
    """The name that a word is, in any case, or that alone begins with it; "" for none and for several."""
    begin = [one for one in dict.fromkeys(names) if word and one.casefold().startswith(word.casefold())]
    exact = [one for one in begin if one.casefold() == word.casefold()]
    return (exact or begin or [""])[0] if exact or len(begin) == 1 else ""


def drawing(fight: Resolution, who: str, item: Item) -> list[Remedy]:
    """How an item is taken in hand: as it is, instead of one thing in its slot, or instead of all of them."""
    rivals = [one.name for one in worn(fight, who) if one.slot == item.slot]
    away = [*([one] for one in rivals), *([rivals] if rivals[1:] else [])]
    said = {"who": who, "item": item.name}
    return [("draw", said), *(("draw", {**said, "instead": some}) for some in away)]


def owned(fight: Resolution, who: str) -> list[Item]:
    """All that a creature has equipped or carries and some table holds."""
    return [item for name in possessions(fight, who) if (item := find_item(fight.sheet(who), name))]


def shoots(fight: Resolution, who: str) -> bool:
    """Whether a creature has a weapon that shoots, or one that it can throw, in hand or carried."""
    rows = [_as_wielded(fight, who, item) for item in owned(fight, who) if isinstance(item, Weapon)]
    return any(row.range or row.toss for row in rows)


def reaching(fight: Resolution, who: str, far: int) -> list[Weapon]:
    """The weapons, in hand or carried, with which a creature can shoot so far."""
    ranked = [item for item in owned(fight, who) if isinstance(item, Weapon) and _ranked(fight, who, item)]
    left = fight.state.ammunition.left
    return [one for one in ranked if one.range >= far and (not one.ammunition or left(who, one.ammunition))]


def for_melee(fight: Resolution, who: str, named: str, clause: str = "dungeoneers.grapple.roll") -> Weapon:
    """The weapon of a grapple, a push or an opportune strike: the one named, else the first that does not shoot."""
    if named:
        weapon = in_hand(fight, who, named)[1]
        if weapon.range:
            fight.refuse(clause, f"{weapon.name} is not a melee weapon.", [fight.otherwise(with_="improvised")])
        return weapon
    usable = (_as_wielded(fight, who, item) for item in worn(fight, who) if isinstance(item, Weapon))
    return next((weapon for weapon in usable if not weapon.range), improvised(FIST))


def check_slots(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that equips more than there are places for."""
    items: list[Item] = []
    for nth, name in enumerate(sheet.equipped):
        if item := find_item(sheet, name):
            check_room(fight, who, sheet, items, item, ("equipped", nth))
            items.append(item)


def check_room(
    fight: Resolution, who: str, sheet: Sheet, items: list[Item], new: Item, at: tuple[str | int, ...] = ()
) -> None:
    """dungeoneers.equipment.slots, and for what takes both hands dungeoneers.weapon.two-handed.

    `at` is where the item stands in a stat block.
    """
    rivals = [item for item in items if item.slot == new.slot]
    if new.places > sheet.places[new.slot] - sum(item.places for item in rivals):
        fight.refuse(
            "dungeoneers.weapon.two-handed" if new.places > 1 else "dungeoneers.equipment.slots",
            f"{new.name} takes {new.places} of the {sheet.places[new.slot]} places in the slot {new.slot} of {who},"
            f" who has {', '.join(item.name for item in rivals) or 'nothing'} there.",
            _instead(fight, who, rivals),
            at,
        )


def _instead(fight: Resolution, who: str, rivals: list[Item]) -> Remedies:
    """The way on when there is no place for an item: what is put away for it, one thing or all of them."""
    names = [item.name for item in rivals]
    if fight.verb == "adjust":
        return [adjusted(who, "no-equipped", name) for name in names]
    away = [*([name] for name in names), names]
    return [*(fight.otherwise(instead=some) for some in away if some), "Put it under `carried` in the stat block."]


def plus_effects(view: View, who: str, score: Number, clause: str, kind: str = "") -> Number:
    """The score with the effects that a clause adds to it, or to `kind` if that is its name, by their names."""
    for name, held in giving(view, who, kind or score.of):
        score = score.plus(held.amount, name, clause)
    return score


def giving(view: View, who: str, kind: str) -> list[tuple[str, Condition]]:
    """The effects on somebody that change one kind of number, each with its name."""
    return [(called(name), one) for name, one in view.state.conditions.held(who) if one.modifies == kind]


def die_size(fight: Resolution, clause: str, who: str, kind: str, own: int) -> int:
    """How many sides a die has: as an effect says, of several the one with the most; else as the sheet says."""
    sizes = [held.amount for _, held in giving(fight, who, kind)]
    if not sizes:
        return own
    fight.rule(clause, f"d{max(sizes)}", who=who, aside=True)
    return max(sizes)


def armor_value(view: View, who: str) -> Number:
    """The natural value, all armor that is equipped, spells and other effects."""
    clause = "dungeoneers.armor.value-sum"
    value = number("armor value", view.sheet(who).armor_value, "natural")
    for item in worn(view, who):
        if isinstance(item, Armor):
            value = value.plus(item.av, item.name, clause)
    return plus_effects(view, who, value, clause)


def spell_resistance(view: View, who: str) -> Number:
    """As the armor value, with what armor resists of spells."""
    sheet, clause = view.sheet(who), "dungeoneers.spell-resistance.value"
    value = number("spell resistance", sheet.spell_resistance, "natural")
    if view.option("spell_resistance_base") == "resistance":
        value = plus_effects(view, who, value.plus(sheet.resistance, "resistance", clause), clause, "resistance")
    for item in worn(view, who):
        if isinstance(item, Armor):
            value = value.plus(item.sr, item.name, clause)
    return plus_effects(view, who, value, clause)


def less_weight(fight: Resolution, who: str, dice: Number) -> Number:
    """The number of dice, less one for each point of power that the heaviest item asks in vain."""
    heavy = _too_heavy(fight, who)
    if not heavy:
        return dice
    needed = heavy[0].power_needed
    return dice.minus(needed - fight.sheet(who).power, f"power {needed}", "dungeoneers.armor.power-penalty")


def _too_heavy(view: View, who: str) -> list[Item]:
    """What a creature has equipped and has not the power for, the heaviest first."""
    power = view.sheet(who).power
    return sorted([item for item in worn(view, who) if item.power_needed > power], key=lambda item: -item.power_needed)


def weighed(fight: Resolution, who: str) -> tuple[str, ...]:
    """The clauses by which the heaviest item weighs what it does: its category's, and that only the heaviest counts."""
    heavy = _too_heavy(fight, who)
    by_category = bool(heavy) and heavy[0].power_needed > heavy[0].power
    highest = ["dungeoneers.armor.power-highest"] if heavy[1:] else []
    return (*["dungeoneers.armor.category-power"] * by_category, *highest)


def plus_spellcraft(fight: Resolution, who: str, dice: Number) -> Number:
    """The caster's dice with every spellboon and spellbane."""
    for item in worn(fight, who):
        dice = dice.plus(item.spellboon, item.name, "dungeoneers.spellboon.bonus")
        dice = dice.minus(item.spellbane, item.name, "dungeoneers.spellbane.penalty")
    return dice


def plus_foci(fight: Resolution, who: str, school: str, extra: Number) -> Number:
    """The extra magica with what foci count for: one of a school serves its spells, one without serves all."""
    for item in worn(fight, who):
        if isinstance(item, Focus) and item.school in ("", school):
            clause = "dungeoneers.focus.school" if item.school else "dungeoneers.focus.any"
            extra = extra.plus(item.magica, item.name, clause)
    return extra


def sources(fight: Resolution, who: str) -> Iterator[str]:
    """dungeoneers.spellcast.source: the spells in equipped tomes, and the cantrips."""
    yield from (item.spell for item in worn(fight, who) if isinstance(item, Tome))
    sheet = fight.sheet(who)
    yield from (spell.name for name in sheet.cantrips if (spell := find_spell(sheet, name)))


def possessions(view: View, who: str) -> list[str]:
    """The names of all that a creature carries or has equipped: what it brought and did not lose, what it found."""
    sheet, lying = view.sheet(who), view.state.lying
    lost = list(lying.lost.get(who, ()))
    kept = []
    for name in (*sheet.equipped, *sheet.carried):
        item = find_item(sheet, name)
        known = item.name if item else name
        if known in lost:
            lost.remove(known)
        else:
            kept.append(known)
    return [*kept, *lying.found.get(who, ())]


def own(fight: Resolution, who: str, name: str) -> Item:
    """The item that a creature has and some table holds: its name, or a beginning that only one of its items has.

    Raises UsageError with what there is.
    """
    owned = dict.fromkeys(possessions(fight, who))
    meant = begun(owned, name)
    item = find_item(fight.sheet(who), meant) if meant else None
    if item is None:
        fight.impossible(f"{who} has no {name[:40]!r} to equip.", f"{who} has: {', '.join(owned) or 'nothing'}.")
    fight.write_in_full(name, item.name)
    return item


def known(fight: Resolution, who: str, name: str) -> Spell:
    """The row of a spell; a beginning will do, of a spell that somebody can cast, or else of one in a tome that they
    carry, and is recorded in full.
    """
    sheet = fight.sheet(who)
    carried = [item.spell for item in owned(fight, who) if isinstance(item, Tome)]
    spell = find_spell(sheet, name) or find_spell(sheet, begun(sources(fight, who), name) or begun(carried, name))
    if spell is None:
        at_hand = ", ".join(sources(fight, who)) or "none"
        fight.impossible(f"There is no spell {name[:40]!r}." if name else "Which spell?", f"{who} can cast: {at_hand}.")
    fight.write_in_full(name, spell.name)
    return spell


def check_source(fight: Resolution, who: str, spell: Spell, clause: str) -> None:
    """Refuses a spell that is neither in an equipped tome nor a cantrip of one's own."""
    at_hand = list(sources(fight, who))
    if spell.name not in at_hand:
        message = f"{who} has {spell.name} neither in an equipped tome nor as a cantrip."
        tomes = [item for item in owned(fight, who) if isinstance(item, Tome) and item.spell == spell.name]
        ways = [way for tome in tomes for way in drawing(fight, who, tome)]
        fight.refuse(clause, message, [*ways, f"{who} can cast: {', '.join(at_hand) or 'nothing'}."])
