"""Changing items: drawing, swapping, putting away."""

from collections.abc import Callable
from typing import Annotated

from commands.action import ground
from commands.action.declaration import Declaration, Fighter, says
from commands.action.resolution import Remedies, Remedy, Resolution, adjusted
from ledger.events import Equipped, PointsSpent, Unequipped

from . import actions, slots
from .bonus import worn
from .stat_block import Item


class Draw(Declaration):
    """Draw a weapon or put on an item that is carried. It replaces what is in its slot."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item.")]
    instead: Annotated[str, says("The item to put away for it, if the slot has two places.")] = ""


def draw(fight: Resolution, said: Draw) -> None:
    """A slot with one place changes its item by itself; where there are two, the one to go is named."""
    who, item = said.who, carried(fight, said.who, said.item)
    if item in worn(fight, who):
        fight.impossible(f"{who} already has {item.name} equipped.")
    instead = carried(fight, who, said.instead) if said.instead else None
    away = to_put_away(fight, who, item, instead, lambda other: fight.otherwise(instead=other))
    _pay(fight, who, item)
    for other in away:
        fight.record(Unequipped(who, other.name))
    ground.lift(fight, who, item.name)
    fight.record(Equipped(who, item.name, drawn=True))


def to_put_away(
    fight: Resolution, who: str, item: Item, instead: Item | None, way: Callable[[str], Remedy]
) -> list[Item]:
    """What makes room for an item: the one named, or the only one in its slot. Refuses when the slot is full."""
    same_slot = [other for other in worn(fight, who) if other.slot == item.slot]
    if instead and instead not in same_slot:
        fight.impossible(f"{who} has no {instead.name} equipped in the slot {item.slot}.")
    most, clause = slots.places(fight, item.slot)
    if len(same_slot) >= most == 1:
        return same_slot
    if len(same_slot) >= most and not instead:
        names = " and ".join(other.name for other in same_slot)
        fight.refuse(clause, f"{who} already has {names} equipped.", [way(other.name) for other in same_slot])
    return [instead] if instead else []


class Stow(Declaration):
    """Put away a weapon or take off an item, which is still carried, but gives nothing; or let a weapon fall."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item.")]
    drop: Annotated[bool, says("Drop it: no action, on any turn.")] = False


def stow(fight: Resolution, said: Stow) -> None:
    """Costs as much as drawing it; to let a weapon fall costs nothing: freepg.turn.drop."""
    item = carried(fight, said.who, said.item)
    if item not in worn(fight, said.who):
        fight.impossible(f"{said.who} has not equipped {item.name}.")
    if said.drop and item.slot != "weapon":
        message = f"{item.name} is worn, and taken off like anything else."
        fight.refuse("freepg.turn.item-swap", message, [fight.otherwise(drop=False)])
    if said.drop:
        actions.able(fight, said.who)
        fight.rule("freepg.turn.drop", "", who=said.who)
        ground.lay(fight, said.who, item.name)
        return
    _pay(fight, said.who, item)
    fight.record(Unequipped(said.who, item.name))


def carried(fight: Resolution, who: str, name: str) -> Item:
    """The item of somebody that is named. Raises UsageError with what there is."""
    found: Item | None = fight.sheet(who).item(name)
    if found is None:
        names = ", ".join(item.name for item in fight.sheet(who).items) or "nothing"
        owner, lying = ground.found(fight, who, name)
        ways: Remedies | str = [adjusted(who, "picked-up", lying)] if owner else f"{who} carries: {names}."
        fight.impossible(f"{who} has no item {name[:40]!r}.", ways)
    fight.write_in_full(name, found.name)
    return found


def _pay(fight: Resolution, who: str, item: Item) -> None:
    """One weapon a turn is free; any further one, any other item, and what lies on the ground costs an action."""
    clause = "freepg.turn.weapon-swap" if item.slot == "weapon" else "freepg.turn.item-swap"
    clause = "freepg.turn.drop" if ground.lies(fight, who, item.name) else clause
    free = clause == "freepg.turn.weapon-swap" and actions.begin_and_count(fight, who, "swap") > 0
    if not (free and actions.counted(fight.state)):
        actions.spend(fight, who)
        fight.rule(clause, "costs an action", who=who, aside=True)
        return
    actions.able(fight, who)
    if actions.on_turn(fight, who):
        fight.rule(clause, "costs nothing", who=who, aside=True)
        fight.record(PointsSpent(who, "swap", 1, fight.state.points.left(who, "swap") - 1))
