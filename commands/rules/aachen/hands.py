"""What hands do besides attacks: shoving, grappling, healing, readying and stowing, reloading."""

from typing import Annotated

from commands.action import ground
from commands.action.declaration import Declaration, Fighter, says
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Unequipped

from . import actions, gear, healing, struggles
from .healing import Heal
from .struggles import Grapple, Push
from .tables import SHIELD


def push(fight: Resolution, said: Push) -> None:
    """aachen.shove.hit: a main action."""
    actions.main_action(fight, said.who)
    struggles.shove(fight, said)


def grapple(fight: Resolution, said: Grapple) -> None:
    """Main actions all; only letting go costs nothing."""
    if sum((bool(said.target), said.escape, said.release, bool(said.drag))) != 1:
        fight.impossible("One thing at a time.", "Name a target, or say one of --escape, --release and --drag.")
    if said.with_ and said.with_.casefold() not in ("unarmed", "none"):
        fight.impossible("A grapple takes bare hands.", "Leave out --with.")
    if said.release and said.mod:
        fight.impossible("Letting go takes no roll.", "Leave out --mod.")
    if said.release:
        struggles.release(fight, said.who)
        return
    actions.main_action(fight, said.who)
    struggles.grapple(fight, said)


def heal(fight: Resolution, said: Heal) -> None:
    """A main action in a fight."""
    actions.main_action(fight, said.who, combat=False)
    healing.carry_out(fight, said)


class Draw(Declaration):
    """Ready an item that is carried, for a main action. It is free if it is at hand. Picking something up from
    the ground takes a move action, no matter who dropped it.
    """

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item: a weapon, or shield.", min_length=1)]
    at_hand: Annotated[bool, says("It is at hand: no action.")] = False
    pick_up: Annotated[bool, says("It lies on the ground: a move action.")] = False


def draw(fight: Resolution, said: Draw) -> None:
    """aachen.actions.items: from the ground also what somebody else has let fall."""
    who = said.who
    owner = _lies_near(fight, said)
    name = owner[1] if owner[0] not in ("", who) else gear.carried(fight, who, said.item)
    fight.write_in_full(said.item, name)
    if name in fight.state.gear.equipped.get(who, ()) and owner[0] in ("", who):
        fight.impossible(f"{who} already has {name} in hand.")
    if said.at_hand and said.pick_up:
        fight.impossible("It is at hand, or it lies on the ground.")
    if said.at_hand:
        actions.take_turn(fight, who, combat=False)
    elif not (said.pick_up or owner[0]):
        actions.main_action(fight, who, combat=False)
    elif actions.take_turn(fight, who, combat=False):
        actions.move_action(fight, who, "aachen.actions.items")
    if owner[0] not in ("", who):
        name = _find(fight, who, *owner)
    gear.take(fight, who, name)


def _lies_near(fight: Resolution, said: Draw) -> tuple[str, str]:
    """Whose thing is picked up, and its name: what somebody else let fall, where --pick-up says so or nobody would
    mean an own one; an own thing that lies there; two empty words for what is carried.
    """
    if said.at_hand:
        return "", ""
    sheet, word = fight.sheet(said.who), said.item
    own = SHIELD if sheet.shield and SHIELD.startswith(word.casefold()) else getattr(sheet.weapon(word), "name", "")
    if own and ground.lies(fight, said.who, own):
        return said.who, own
    if own and not (said.pick_up and own in fight.state.gear.equipped.get(said.who, ())):
        return "", ""
    return ground.found(fight, said.who, word)


def _find(fight: Resolution, who: str, owner: str, name: str) -> str:
    """What another has let fall is somebody's from now on; its name with them."""
    from .gm import hand_over

    ground.lift(fight, owner, name)
    return hand_over(fight, owner, who, name)


class Stow(Declaration):
    """Put an item away, for a main action; or drop it, free and at any time."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item: a weapon, or shield.", min_length=1)]
    drop: Annotated[bool, says("Drop it: no action, on any turn.")] = False


def stow(fight: Resolution, said: Stow) -> None:
    """aachen.actions.items: dropping is an instant."""
    name = gear.carried(fight, said.who, said.item)
    if name not in fight.state.gear.equipped.get(said.who, ()):
        fight.impossible(f"{said.who} does not have {name} in hand.")
    if said.drop:
        actions.check_able(fight, said.who)
        gear.drop(fight, said.who, name)
        return
    actions.main_action(fight, said.who, combat=False)
    fight.record(Unequipped(said.who, name))


class Reload(Declaration):
    """Reload a weapon that takes a main action to load."""

    who: Annotated[Fighter, says("Who reloads.")]
    weapon: Annotated[str, says("Which, if several are empty.", positional=True)] = ""


def reload(fight: Resolution, said: Reload) -> None:
    """aachen.ranged.reload: a main action. Bows are reloaded for nothing."""
    held, sought = fight.state.conditions.of.get(said.who, {}), said.weapon.casefold()
    empty = [weapon for weapon in fight.sheet(said.who).weapons if gear.unloaded(weapon) in held]
    chosen = [weapon for weapon in empty if weapon.name.casefold() == sought]
    chosen = chosen or [weapon for weapon in empty if weapon.name.casefold().startswith(sought)]
    if len(chosen) != 1:
        names = ", ".join(weapon.name for weapon in empty)
        message = "Which one?" if chosen else f"{said.who} has nothing to reload."
        fight.impossible(message, f"Empty: {names}." if names else "")
    fight.write_in_full(said.weapon, chosen[0].name)
    actions.main_action(fight, said.who, combat=False)
    fight.record(ConditionEnded(said.who, gear.unloaded(chosen[0])))
