"""Gear: what somebody carries and has in hand, and whether it is loaded."""

from commands.action import ground
from commands.action.resolution import STATUS, Remedies, Resolution
from commands.action.view import View
from ledger.events import ConditionGained, Equipped, whose

from . import actions
from .tables import SHIELD, UNARMED, Weapon


def readied(view: View, who: str) -> list[Weapon]:
    """The weapons that somebody has in hand: what was drawn last comes first."""
    named = {weapon.name: weapon for weapon in view.sheet(who).weapons}
    return [named[name] for name in view.state.gear.equipped.get(who, ()) if name in named]


def has_shield(view: View, who: str) -> bool:
    """Whether somebody has a shield in hand."""
    return SHIELD in view.state.gear.equipped.get(who, ())


def for_melee(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon that is named, else the first one in hand to strike with, else bare hands, which is said."""
    if name:
        return find(fight, who, name)
    ready = readied(fight, who)
    found = next((weapon for weapon in ready if weapon.melee), UNARMED)
    if ready and found is UNARMED:
        fight.rule("aachen.attack.readied-weapon", f"{who} strikes with bare hands", who=who, aside=True)
        fight.makeshift = True
    return found


def check_hands(fight: Resolution, who: str, weapon: Weapon) -> None:
    """aachen.attack.hands: what takes two hands is not used with a shield in one of them."""
    if weapon.hands == 2 and has_shield(fight, who):
        message = f"{weapon.name} takes two hands, and {who} has a shield in one."
        fight.refuse("aachen.attack.hands", message, [("stow", {"who": who, "item": SHIELD, "drop": True})])


def for_shooting(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon that is named, else the first one in hand with distances."""
    found = find(fight, who, name) if name else next((one for one in readied(fight, who) if one.range), None)
    if found is None:
        names = [one.name for one in fight.sheet(who).weapons if one.range]
        draws = [way for name in names for way in _now(fight, who, "draw", item=name)]
        fight.impossible(f"{who} has nothing in hand to shoot with.", [*draws, STATUS])
    return found


def _now(fight: Resolution, who: str, verb: str, **said: str) -> Remedies:
    """The command that readies something, which takes a main action; an instant leaves no time for it."""
    return [(verb, {"who": who, **said})] if actions.could_act(fight, who) else ()


def find(fight: Resolution, who: str, name: str) -> Weapon:
    """A weapon by name: aachen.attack.readied-weapon; bare hands are always ready."""
    if name.casefold() in (UNARMED.name, "none"):
        return UNARMED
    weapon: Weapon | None = fight.sheet(who).weapon(name)
    if weapon is None:
        names = ", ".join(one.name for one in fight.sheet(who).weapons) or "nothing"
        fight.impossible(f"{who} has no weapon {name[:40]!r}.", f"{who} has: {names}, unarmed.")
    fight.write_in_full(name, weapon.name)
    if weapon not in readied(fight, who):
        message = f"{who} does not have {weapon.name} in hand."
        fight.refuse("aachen.attack.readied-weapon", message, _now(fight, who, "draw", item=weapon.name))
    return weapon


def take(fight: Resolution, who: str, name: str) -> None:
    """A thing comes to hand, perhaps from the ground."""
    ground.lift(fight, who, name)
    fight.record(Equipped(who, name, drawn=True))


def drop(fight: Resolution, who: str, name: str) -> None:
    """aachen.actions.items: a thing leaves the hand and lies on the ground."""
    fight.rule("aachen.actions.items", "", who=who)
    ground.lay(fight, who, name)


def forget(fight: Resolution, who: str, weapon: Weapon) -> None:
    """Nothing is left to be said of a weapon that is gone."""
    fight.no_longer(who, unloaded(weapon))
    ground.lift(fight, who, weapon.name)


def unloaded(weapon: Weapon) -> str:
    """The condition of somebody whose weapon must be reloaded."""
    return f"{weapon.name} empty"


def check_loaded(fight: Resolution, who: str, weapon: Weapon) -> None:
    """aachen.ranged.reload: a crossbow shoots once."""
    if fight.state.conditions.has(who, unloaded(weapon)):
        ways = _now(fight, who, "reload", weapon=weapon.name)
        fight.refuse("aachen.ranged.reload", f"{whose(who)} {weapon.name} is empty.", ways)


def shot(fight: Resolution, who: str, weapon: Weapon) -> None:
    """aachen.ranged.reload: what takes a main action to reload is empty now."""
    if weapon.reload == "main":
        fight.record(ConditionGained(who, unloaded(weapon)))


def carried(fight: Resolution, who: str, name: str) -> str:
    """The name of a weapon or the shield of somebody. Raises UsageError with what there is."""
    sheet = fight.sheet(who)
    shield = sheet.shield and SHIELD.startswith(name.casefold())
    whole = SHIELD if shield else getattr(sheet.weapon(name), "name", "")
    if not whole:
        names = [one.name for one in sheet.weapons] + [SHIELD] * sheet.shield
        fight.impossible(f"{who} has no {name[:40]!r}.", f"{who} has: {', '.join(names) or 'nothing'}.")
    return fight.write_in_full(name, whole)
