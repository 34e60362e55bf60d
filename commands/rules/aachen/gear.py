"""Gear: what is in hand, readying and stowing it, and reloading."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Equipped, Unequipped

from . import actions
from .fighters import has
from .tables import SHIELD, UNARMED, Weapon


def readied(fight: Resolution, who: str) -> list[Weapon]:
    """The weapons that somebody has in hand, in the order of the sheet."""
    held = fight.state.gear.equipped.get(who, ())
    return [weapon for weapon in fight.sheet(who).weapons if weapon.name in held]


def has_shield(fight: Resolution, who: str) -> bool:
    """Whether somebody has a shield in hand."""
    return SHIELD in fight.state.gear.equipped.get(who, ())


def for_melee(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon that is named, else the first one in hand to strike with, else bare hands."""
    if not name:
        return next((weapon for weapon in readied(fight, who) if weapon.melee), UNARMED)
    return find(fight, who, name)


def for_shooting(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon that is named, else the first one in hand with distances."""
    found = find(fight, who, name) if name else next((one for one in readied(fight, who) if one.range), None)
    if found is None:
        fight.impossible(f"{who} has nothing in hand to shoot with.", _to_draw(fight, who))
    return found


def _to_draw(fight: Resolution, who: str) -> str:
    """How somebody gets something to shoot with in hand."""
    name = next((one.name for one in fight.sheet(who).weapons if one.range), "")
    return _now(fight, who, "draw", name) if name else "affray status"


def _now(fight: Resolution, who: str, verb: str, item: str) -> str:
    """The command that readies something, which takes a main action; an instant leaves no time for it."""
    from commands.action.names import quoted

    return f"affray {verb} {who} {quoted(item)}" if actions.could_act(fight, who) else ""


def find(fight: Resolution, who: str, name: str) -> Weapon:
    """A weapon by name: aachen.attack.readied-weapon; bare hands are always ready."""
    if name.casefold() in (UNARMED.name, "none"):
        return UNARMED
    weapon: Weapon | None = fight.sheet(who).weapon(name)
    if weapon is None:
        names = ", ".join(one.name for one in fight.sheet(who).weapons) or "nothing"
        fight.impossible(f"{who} has no weapon {name[:40]!a}.", f"{who} has: {names}, unarmed.")
    if weapon not in readied(fight, who):
        message = f"{who} does not have {weapon.name} in hand."
        fight.refuse("aachen.attack.readied-weapon", message, _now(fight, who, "draw", weapon.name))
    return weapon


def unloaded(weapon: Weapon) -> str:
    """The condition of somebody whose weapon must be reloaded."""
    return f"{weapon.name} empty"


def check_loaded(fight: Resolution, who: str, weapon: Weapon) -> None:
    """aachen.ranged.reload: a crossbow shoots once."""
    if has(fight.state, who, unloaded(weapon)):
        hint = _now(fight, who, "reload", weapon.name)
        fight.refuse("aachen.ranged.reload", f"{who}'s {weapon.name} is empty.", hint)


def shot(fight: Resolution, who: str, weapon: Weapon) -> None:
    """aachen.ranged.reload: what takes a main action to reload is empty now."""
    if weapon.reload == "main":
        fight.record(ConditionGained(who, unloaded(weapon)))


class Draw(Declaration):
    """Ready an item that is carried: a main action; for nothing if it is at hand; a move action from the ground."""

    who: Annotated[Fighter, Meta(description="Who does it.")]
    item: Annotated[str, Meta(min_length=1, description="The item: a weapon, or shield.")]
    at_hand: Annotated[bool, Meta(description="It is at hand: no action.")] = False
    pick_up: Annotated[bool, Meta(description="It lies on the ground: a move action.")] = False


def draw(fight: Resolution, said: Draw) -> None:
    """aachen.actions.items"""
    name = carried(fight, said.who, said.item)
    if name in fight.state.gear.equipped.get(said.who, ()):
        fight.impossible(f"{said.who} has {name} in hand already.")
    if said.at_hand and said.pick_up:
        fight.impossible("It is at hand, or it lies on the ground.")
    if said.at_hand:
        actions.take_turn(fight, said.who, combat=False)
    elif not said.pick_up:
        actions.main_action(fight, said.who, combat=False)
    elif actions.take_turn(fight, said.who, combat=False):
        actions.move_action(fight, said.who)
    fight.record(Equipped(said.who, name))


class Stow(Declaration):
    """Put an item away: a main action; or drop it, for nothing and at any time."""

    who: Annotated[Fighter, Meta(description="Who does it.")]
    item: Annotated[str, Meta(min_length=1, description="The item: a weapon, or shield.")]
    drop: Annotated[bool, Meta(description="Let it fall: no action, on any turn.")] = False


def stow(fight: Resolution, said: Stow) -> None:
    """aachen.actions.items: dropping is an instant."""
    name = carried(fight, said.who, said.item)
    if name not in fight.state.gear.equipped.get(said.who, ()):
        fight.impossible(f"{said.who} does not have {name} in hand.")
    if not said.drop:
        actions.main_action(fight, said.who, combat=False)
    else:
        actions.check_able(fight, said.who)
        fight.rule("aachen.actions.items", f"{name} falls to the ground", who=said.who)
    fight.record(Unequipped(said.who, name))


def carried(fight: Resolution, who: str, name: str) -> str:
    """The name of a weapon or the shield of somebody. Raises UsageError with what there is."""
    sheet = fight.sheet(who)
    if sheet.shield and SHIELD.startswith(name.casefold()):
        return SHIELD
    weapon: Weapon | None = sheet.weapon(name)
    if weapon is None:
        names = [one.name for one in sheet.weapons] + [SHIELD] * sheet.shield
        fight.impossible(f"{who} has no {name[:40]!a}.", f"{who} has: {', '.join(names) or 'nothing'}.")
    return weapon.name


class Reload(Declaration):
    """Reload a weapon that takes a main action for it."""

    who: Annotated[Fighter, Meta(description="Who reloads.")]
    weapon: Annotated[str, Meta(description="Which, if several are empty.", extra={"positional": True})] = ""


def reload(fight: Resolution, said: Reload) -> None:
    """aachen.ranged.reload: a main action. Bows are reloaded for nothing."""
    empty = [weapon for weapon in fight.sheet(said.who).weapons if has(fight.state, said.who, unloaded(weapon))]
    sought = said.weapon.casefold()
    chosen = [weapon for weapon in empty if weapon.name.casefold() == sought]
    chosen = chosen or [weapon for weapon in empty if weapon.name.casefold().startswith(sought)]
    if len(chosen) != 1:
        names = ", ".join(weapon.name for weapon in empty)
        fight.impossible(f"{said.who} has nothing to reload." if not chosen else "Which one?",
                         f"Empty: {names}." if names else "")  # fmt: skip
    actions.main_action(fight, said.who, combat=False)
    fight.record(ConditionEnded(said.who, unloaded(chosen[0])))
