"""What is in hand: drawing, putting away, dropping."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, Equipped, Unequipped

from . import grips, order, ways
from .arms import arsenal, has_shield, in_hand, owned
from .sheet import SHIELD, Weapon

DRAWN = "drawn"
"""What is counted of one who has drawn something in this round."""
SINCE = "in hand since"
"""What is counted, in regard to a weapon: the round in which it came to hand."""


class Draw(Declaration):
    """Take a weapon in hand: free, once a round. What lies on the ground takes the action of the round to pick up.

    Without --beside it takes the place of the weapon in hand. A two-handed one leaves no hand for a shield; naming
    `shield` takes the shield up again.
    """

    who: Annotated[Fighter, Meta(description="Who draws.")]
    item: Annotated[str, Meta(description="The weapon, or shield.")]
    beside: Annotated[bool, Meta(description="The weapon in hand stays in the other.")] = False


def draw(fight: Resolution, said: Draw) -> None:
    """arkm.disarm.outcome: picking up is the action of the round; arkm.draw.once: drawing anything else is free."""
    who = said.who
    shield = fight.sheet(who).shield != "none" and SHIELD.startswith(said.item.casefold())
    weapon = None if shield else own(fight, who, said.item)
    item = weapon.id if weapon else SHIELD
    if item in fight.state.gear.equipped.get(who, ()):
        fight.impossible(f"{who} has {item} in hand already.")
    if fight.state.turns.round:
        order.may_act(fight, who, "draw")
        if _is_on_the_ground(fight, who, item):
            if fight.option("pickup_action"):
                order.use_action(fight, who, "pick up")
        else:
            check_free(fight, who)
    if weapon:
        take(fight, who, weapon, said.beside)
    else:
        for held in in_hand(fight, who):
            if held.hands == 2:
                fight.refuse("arkm.ac.shield", f"{who} holds {held.id} in both hands.", f"affray stow {who} {held.id}")
        fight.record(Equipped(who, SHIELD))


class Stow(Declaration):
    """Put a weapon or the shield away: free."""

    who: Annotated[Fighter, Meta(description="Who puts it away.")]
    item: Annotated[str, Meta(description="The weapon, or shield.")]


def stow(fight: Resolution, said: Stow) -> None:
    """What is put away is carried still."""
    held = fight.state.gear.equipped.get(said.who, ())
    found = [item for item in held if item.casefold().startswith(said.item.casefold())]
    if len(found) != 1:
        fight.impossible(f"{said.who} has no {said.item[:40]!a} in hand.", f"In hand: {', '.join(held) or 'nothing'}.")
    if fight.state.turns.round:
        order.may_act(fight, said.who, "stow")
    let_go(fight, said.who, found[0])


def own(fight: Resolution, who: str, name: str) -> Weapon:
    """The weapon of somebody that is named. Raises UsageError when there is none, or it is broken."""
    weapon = owned(fight, who, name)
    if weapon is None:
        carried = ", ".join(one.id for one in arsenal(fight, fight.sheet(who))) or "nothing"
        fight.impossible(f"{who} has no {name[:40]!a}.", f"{who} has: {carried}.")
    if fight.state.conditions.has(who, f"broken {weapon.id}"):
        fight.impossible(f"{who}'s {weapon.id} is broken.")
    return weapon


def _is_on_the_ground(fight: Resolution, who: str, item: str) -> bool:
    return fight.state.conditions.has(who, f"dropped {item}")


def check_free(fight: Resolution, who: str) -> None:
    """arkm.draw.once: counts what is drawn for free; refuses a second one in a round."""
    if fight.state.counts.get(who, DRAWN):
        fight.refuse(
            "arkm.draw.once", f"{who} has drawn something this round; that is free once.", ways.next_round(fight)
        )
    fight.record(Counted(who, DRAWN, 1))


def ready(fight: Resolution, who: str, weapon: Weapon, beside: bool = False) -> None:
    """Draws a weapon that is not in hand, for free; refuses to pick one up so."""
    if weapon in in_hand(fight, who):
        return
    if _is_on_the_ground(fight, who, weapon.id):
        fight.refuse(
            "arkm.disarm.outcome",
            f"{who}'s {weapon.id} lies on the ground.",
            f"It is picked up as the action of a round: draw {who} {weapon.id}.",
        )
    check_free(fight, who)
    take(fight, who, weapon, beside)


def take(fight: Resolution, who: str, weapon: Weapon, beside: bool = False) -> None:
    """A weapon comes to hand; another, and a shield if both hands are needed, goes."""
    held = in_hand(fight, who)
    both = weapon.hands == 2 or any(one.hands == 2 for one in held)
    if beside and (both or len(held) > 1 or (held and has_shield(fight, who))):
        fight.refuse(
            "arkm.florentine.requirements", f"{who} has no hand free for {weapon.id}.", "Draw it without --beside."
        )
    for one in held:
        if not beside:
            let_go(fight, who, one.id)
    if weapon.hands == 2 and has_shield(fight, who):
        fight.record(Unequipped(who, SHIELD))
    if _is_on_the_ground(fight, who, weapon.id):
        fight.record(ConditionEnded(who, f"dropped {weapon.id}"))
    fight.record(Equipped(who, weapon.id))
    if fight.state.turns.round:
        fight.record(Counted(who, SINCE, fight.state.turns.round, weapon.id, "encounter-end"))


def let_go(fight: Resolution, who: str, item: str) -> None:
    """A weapon or the shield leaves the hand, and with it the stance of two weapons, or that against a charge."""
    fight.record(Unequipped(who, item))
    held = fight.state.conditions.get(who, grips.ENTANGLED)
    if held and held.modifies in ("weapon", "item") and not in_hand(fight, who):
        grips.free_of_whips(fight, who)
    for name in ("florentine", "set"):
        stance = fight.state.conditions.get(who, name)
        if stance and item in stance.whom:
            fight.record(ConditionEnded(who, name))


def drop(fight: Resolution, who: str, item: str) -> None:
    """A weapon leaves the hand and lies within 5 feet."""
    let_go(fight, who, item)
    fight.record(ConditionGained(who, f"dropped {item}", "encounter-end"))
