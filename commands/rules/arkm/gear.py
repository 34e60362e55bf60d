"""Drawing, putting away and loading."""

from typing import Annotated

from commands.action import ground
from commands.action.declaration import Declaration, Fighter, says
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, Equipped, whose

from . import acting, order
from .conditions import RELOADING, broken
from .hands import check_free, in_hand, let_go, own, owned, take, unloaded
from .stat_block import SHIELD, names


class Draw(Declaration):
    """Take a weapon in hand: free, once a round. Picking one up from the ground takes the action of the round.

    Without --beside it takes the place of the weapon in hand. A two-handed one leaves no hand for a shield; naming
    `shield` takes the shield up again.
    """

    who: Annotated[Fighter, says("Who draws.")]
    item: Annotated[str, says("The weapon, or shield.")]
    beside: Annotated[bool, says("Keep the weapon in hand in the other hand.")] = False


def draw(fight: Resolution, said: Draw) -> None:
    """arkm.disarm.outcome: picking up is the action of the round; arkm.draw.once: drawing anything else is free."""
    who = said.who
    shield = fight.sheet(who).shield != "none" and SHIELD.startswith(said.item.casefold())
    owner, name = ("", "") if shield or owned(fight, who, said.item) else ground.found(fight, who, said.item)
    if owner:
        fight.write_in_full(said.item, name)
        from .gm import hand_over

        if fight.state.turns.round:
            acting.may_act(fight, said.who, "draw")
            if fight.option("pickup_action"):
                acting.use_action(fight, said.who, "pick up")
        take(fight, said.who, hand_over(fight, owner, said.who, name), said.beside)
        return
    weapon = None if shield else own(fight, who, said.item)
    item = fight.write_in_full(said.item, weapon.id if weapon else SHIELD)
    if item in fight.state.gear.equipped.get(who, ()):
        fight.impossible(f"{who} already has {item} in hand.")
    if fight.state.turns.round:
        acting.may_act(fight, who, "draw")
        if ground.lies(fight, who, item):
            if fight.option("pickup_action"):
                acting.use_action(fight, who, "pick up")
        else:
            check_free(fight, who)
    if weapon:
        take(fight, who, weapon, said.beside)
        return
    for held in in_hand(fight, who):
        if held.hands == 2:
            away = [("stow", {"who": who, "item": held.id})]
            fight.refuse("arkm.ac.shield", f"{who} holds {held.id} in both hands.", away)
    fight.record(Equipped(who, SHIELD))


class Stow(Declaration):
    """Put a weapon or the shield away: free."""

    who: Annotated[Fighter, says("Who puts it away.")]
    item: Annotated[str, says("The weapon, or shield.")]


def stow(fight: Resolution, said: Stow) -> None:
    """What is put away is carried still."""
    held = fight.state.gear.equipped.get(said.who, ())
    found = [item for item in held if item.casefold().startswith(said.item.casefold())]
    if len(found) != 1:
        fight.impossible(f"{said.who} has no {said.item[:40]!r} in hand.", f"In hand: {', '.join(held) or 'nothing'}.")
    if fight.state.turns.round:
        acting.may_act(fight, said.who, "stow")
    fight.write_in_full(said.item, found[0])
    let_go(fight, said.who, found[0])


class Reload(Declaration):
    """Load a crossbow or a flintlock: the whole action of this round."""

    who: Annotated[Fighter, says("Who loads.")]
    weapon: Annotated[str, says("Which, if several are empty.", positional=True, word="item")] = ""


def reload(fight: Resolution, said: Reload) -> None:
    """arkm.reload.takes-one-round: it is loaded at the end of this round."""
    who, clause = said.who, "arkm.reload.takes-one-round"
    phase = fight.state.turns.phase
    acting.may_act(fight, who, "reload", phase if phase in ("", "movement") else "missile")
    weapon = _empty_one(fight, who, said.weapon)
    for condition in (ground.dropped(weapon), broken(weapon)):
        if fight.state.conditions.has(who, condition):
            fight.impossible(f"{whose(who)} {weapon} is {condition.removesuffix(f' {weapon}')}.")
    order.check_not_acted(fight, who, clause)
    acting.use_action(fight, who, order.RELOAD)
    fight.rule(clause, f"{weapon} is loaded at the end of round {fight.state.turns.round}", who=who)
    fight.record(ConditionGained(who, RELOADING, "round-end", whom=(weapon,)))


def _empty_one(fight: Resolution, who: str, named: str) -> str:
    """The weapon to load: the one that is named, else the one that is empty, in hand before others."""
    empty = unloaded(fight, who)
    if named:
        weapon = owned(fight, who, named)
        if weapon is None:
            fight.impossible(f"{who} has no {named[:40]}.", f"Empty: {names(empty)}.")
        if weapon.id not in empty:
            fight.refuse("arkm.reload.takes-one-round", f"{whose(who)} {weapon.id} is not empty.", "It can be shot.")
        return fight.write_in_full(named, weapon.id)
    if not empty:
        fight.impossible(f"{who} has no empty weapon.")
    held = [weapon.id for weapon in in_hand(fight, who) if weapon.id in empty]
    if len(held or empty) > 1:
        each = [fight.otherwise(weapon=one) for one in held or empty]
        fight.impossible(f"Which one? Empty: {names(held or empty)}.", [each])
    return (held or empty)[0]
