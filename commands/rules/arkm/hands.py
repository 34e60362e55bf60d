"""Weapons: what somebody owns, what is in hand and loaded; drawing and dropping it; a weapon in each hand."""

from commands.action import ground
from commands.action.resolution import Remedies, Resolution, about
from commands.action.view import View
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Counted, Equipped, Unequipped, whose

from . import ability, holding, order, ways
from .conditions import EMPTY, ENTANGLED, FLORENTINE, RELOADING, SET, broken, empty
from .stat_block import SHIELD, AttackLine, Sheet, Weapon
from .tables import Weapons

_MOST = 1000
"""The most stat blocks of which the weapons are kept."""
_known: dict[tuple[int, int], tuple[Sheet, Weapons, tuple[Weapon, ...]]] = {}
"""Weapons that were found, by the sheet and the table: as long as these are kept here, nothing else has their place."""


def arsenal(view: View, sheet: Sheet) -> tuple[Weapon, ...]:
    """The weapons of a sheet, in its order. Raises UsageError when one is in no table, or makes no sense."""
    table = Weapons.used(view.state)
    place = id(sheet), id(table)
    if (held := _known.get(place)) is None:
        if len(_known) >= _MOST:
            _known.clear()
        found: list[Weapon] = []
        for nth, named in enumerate(sheet.weapons):
            weapon = named if isinstance(named, Weapon) else table.find(named)
            with about(at=("weapons", nth)):
                if weapon is None:
                    known = ", ".join(row.id for row in table.rows)
                    raise UsageError(f"{whose(sheet.name)} weapon {named!r} is in no table.", f"There are: {known}.")
                if problem := weapon.problem():
                    raise UsageError(f"{whose(sheet.name)} {weapon.id} is wrong: {problem}.")
            found.append(weapon)
        held = _known[place] = sheet, table, tuple(found)
    return held[2]


def owned(fight: Resolution, who: str, name: str) -> Weapon | None:
    """The weapon of somebody that `name` is or begins, in any case; none when there is none or several."""
    sought = name.casefold()
    found = [one for one in arsenal(fight, fight.sheet(who)) if sought and one.id.casefold().startswith(sought)]
    exact = [one for one in found if one.id.casefold() == sought]
    return exact[0] if exact else found[0] if len(found) == 1 else None


def in_hand(view: View, who: str) -> list[Weapon]:
    """The weapons in hand, in the order of drawing them."""
    mine = {weapon.id: weapon for weapon in arsenal(view, view.sheet(who))}
    return [mine[item] for item in view.state.gear.equipped.get(who, ()) if item in mine]


FIGHTS_WITH = "fights with"
"""What is counted of a round: with what somebody fights, where that is not all that is in hand."""


def fights_with(fight: Resolution, who: str, names: tuple[str, ...]) -> None:
    """Counts with what somebody fights in this round; nothing for all that is in hand."""
    for name in fight.state.counts.of(who, FIGHTS_WITH):
        if name not in names:
            fight.record(Counted(who, FIGHTS_WITH, 0, name))
    for name in names:
        if not fight.state.counts.get(who, FIGHTS_WITH, name):
            fight.record(Counted(who, FIGHTS_WITH, 1, name))


def in_use(fight: Resolution, who: str) -> list[Weapon]:
    """The weapons in hand with which somebody fights in this round."""
    used, held = fight.state.counts.of(who, FIGHTS_WITH), in_hand(fight, who)
    return [weapon for weapon in held if weapon.id in used] if used else held


def has_shield(view: View, who: str) -> bool:
    """Whether a shield is in hand."""
    return SHIELD in view.state.gear.equipped.get(who, ())


_DRAWN = "drawn"
"""What is counted of one who has drawn something in this round."""
SINCE = "in hand since"
"""What is counted, in regard to a weapon: the round in which it came to hand."""


def own(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon of somebody that is named. Raises UsageError when there is none, or it is broken."""
    weapon = owned(fight, who, name)
    if weapon is None:
        carried = ", ".join(one.id for one in arsenal(fight, fight.sheet(who))) or "nothing"
        fight.impossible(f"{who} has no {name[:40]!r}.", f"{who} has: {carried}.")
    if fight.state.conditions.has(who, broken(weapon.id)):
        fight.impossible(f"{whose(who)} {weapon.id} is broken.")
    fight.write_in_full(name, weapon.id)
    return weapon


def check_free(fight: Resolution, who: str) -> None:
    """arkm.draw.once: counts what is drawn for free; refuses a second one in a round."""
    if fight.state.counts.get(who, _DRAWN):
        message = f"{who} has already drawn something this round; that is free once."
        fight.refuse("arkm.draw.once", message, ways.next_round(fight))
    fight.record(Counted(who, _DRAWN, 1))


def ready(fight: Resolution, who: str, weapon: Weapon, beside: bool = False) -> None:
    """Draws a weapon that is not in hand, for free; refuses to pick one up so."""
    if weapon in in_hand(fight, who):
        return
    if ground.lies(fight, who, weapon.id):
        up: Remedies = [("draw", {"who": who, "item": weapon.id}), "To pick it up takes the action of a round."]
        fight.refuse("arkm.disarm.outcome", f"{whose(who)} {weapon.id} lies on the ground.", up)
    check_free(fight, who)
    take(fight, who, weapon, beside)


def take(fight: Resolution, who: str, weapon: Weapon, beside: bool = False) -> None:
    """A weapon comes to hand; another, and a shield if both hands are needed, goes."""
    held = in_hand(fight, who)
    both = weapon.hands == 2 or any(one.hands == 2 for one in held)
    if beside and (both or len(held) > 1 or (held and has_shield(fight, who))):
        message = f"{who} has no hand free for {weapon.id}."
        fight.refuse("arkm.florentine.requirements", message, "Draw it without --beside.")
    for one in held:
        if not beside:
            let_go(fight, who, one.id)
    if weapon.hands == 2 and has_shield(fight, who):
        fight.record(Unequipped(who, SHIELD))
    ground.lift(fight, who, weapon.id)
    fight.record(Equipped(who, weapon.id))
    if fight.state.turns.round:
        fight.record(Counted(who, SINCE, fight.state.turns.round, weapon.id, "encounter-end"))


def let_go(fight: Resolution, who: str, item: str) -> None:
    """A weapon or the shield leaves the hand, and with it the stance of two weapons, or that against a charge."""
    fight.record(Unequipped(who, item))
    if not any("whip" in weapon.tags for weapon in in_hand(fight, who)):
        holding.whip_slackens(fight, who)
    held = fight.state.conditions.get(who, ENTANGLED)
    if held and held.modifies in ("weapon", "item") and not in_hand(fight, who):
        holding.free_of_whips(fight, who)
    for name in (FLORENTINE, SET):
        stance = fight.state.conditions.get(who, name)
        if stance and item in stance.whom:
            fight.record(ConditionEnded(who, name))


def drop(fight: Resolution, who: str, item: str, near: str = "") -> None:
    """A weapon leaves the hand and lies within 5 feet, or `near` another at whom it was thrown."""
    let_go(fight, who, item)
    ground.lay(fight, who, item, near)


def unloaded(view: View, who: str) -> list[str]:
    """The weapons of somebody that must be loaded before they can shoot."""
    return [name.removesuffix(EMPTY) for name, _ in view.state.conditions.held(who) if name.endswith(EMPTY)]


def check_loaded(fight: Resolution, who: str, weapon: Weapon) -> None:
    """arkm.reload.every-other-round: an empty weapon does not shoot."""
    if fight.state.conditions.has(who, empty(weapon.id)):
        when = " until this round ends" if weapon.id in fight.state.conditions.whom(who, RELOADING) else ""
        others = [one.id for one in in_hand(fight, who) if one.shoots and one.id not in unloaded(fight, who)]
        load = "reload", {"who": who, "weapon": weapon.id}
        ways: Remedies = [*(fight.otherwise(with_=one) for one in others), load, "It takes a round to load."]
        fight.refuse("arkm.reload.every-other-round", f"{whose(who)} {weapon.id} is not loaded{when}.", ways)


def fired(fight: Resolution, who: str, weapon: Weapon) -> None:
    """A weapon that must be loaded after each shot is empty now."""
    if weapon.reload_rounds:
        fight.record(ConditionGained(who, empty(weapon.id)))


def finish_loading(fight: Resolution, who: str) -> None:
    """The round ends: what was being loaded is loaded, unless its bearer was stunned, pinned or put out of the fight.

    With the option auto_reload, a round without any action loads, too.
    """
    weapons = fight.state.conditions.whom(who, RELOADING)
    if fight.option("auto_reload") and not order.acted(fight, who):
        weapons = tuple(unloaded(fight, who)[:1])
    for weapon in weapons:
        if ability.is_able(fight, who) and fight.state.conditions.has(who, empty(weapon)):
            fight.rule("arkm.reload.takes-one-round", f"{weapon} is loaded", who=who)
            fight.record(ConditionEnded(who, empty(weapon)))


def load_all(fight: Resolution) -> None:
    """An encounter begins: everything is loaded, but for what the sheet says is not."""
    for who in fight.state.roster.order:
        for name in unloaded(fight, who):
            weapon = owned(fight, who, name)
            if weapon is None or weapon.loaded:
                fight.record(ConditionEnded(who, empty(name)))


def take_two(fight: Resolution, who: str, main: str, off: str) -> tuple[Weapon, tuple[AttackLine, ...], Weapon]:
    """arkm.florentine.requirements: two one-handed melee weapons in hand, and no shield."""
    clause = "arkm.florentine.requirements"
    if not main or not off:
        fight.impossible("Two weapons are needed.", "Say both: --with sword --off-hand dagger.")
    weapons = own(fight, who, main), own(fight, who, off)
    if weapons[0].id == weapons[1].id:
        fight.impossible("Two weapons are needed.", "Say two that are carried: --with sword --off-hand dagger.")
    for weapon in weapons:
        if weapon.hands == 2 or not weapon.is_("melee"):
            fight.refuse(clause, f"{weapon.id} is not a one-handed melee weapon.")
    if has_shield(fight, who):
        away: Remedies = [("stow", {"who": who, "item": SHIELD}), "Put the shield away first."]
        fight.refuse(clause, f"{who} has a shield in use.", away)
    ready(fight, who, weapons[0], beside=weapons[1] in in_hand(fight, who))
    ready(fight, who, weapons[1], beside=True)
    names = (weapons[0].id, weapons[1].id)
    held = fight.state.conditions.get(who, FLORENTINE)
    if held is None or held.whom != names:
        fight.record(ConditionGained(who, FLORENTINE, "encounter-end", whom=names))
    return weapons[0], (), weapons[1]


def end_florentine(fight: Resolution, who: str) -> None:
    """arkm.florentine.ac-bonus: the stance ends with the first action without it."""
    fight.no_longer(who, FLORENTINE)
