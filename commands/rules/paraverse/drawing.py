"""Changing weapons: free, once, at the start of the round."""

from typing import Annotated

from commands.action import ground
from commands.action.declaration import Declaration, Fighter, says
from commands.action.resolution import STATUS, Resolution, adjusted
from ledger.events import Equipped, PointsSpent, Unequipped, whose

from . import actions, hands


class Draw(Declaration):
    """Draw a weapon, or switch to another that is carried. A two-handed weapon lowers the shield."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The weapon to have in hand.")]
    shield: Annotated[bool, says("Raise the shield with it.")] = False
    no_shield: Annotated[bool, says("Lower the shield with it.")] = False


def draw(fight: Resolution, said: Draw) -> None:
    """paraverse.weapon.free-change: costs no action, and takes the shield along."""
    who = said.who
    _check_time(fight, said)
    sheet = fight.sheet(who)
    name = sheet.weapon(said.item)
    if not name:
        carried = ", ".join(sheet.weapons) or "nothing"
        fight.refuse("paraverse.weapon.free-change", f"{who} has no {said.item[:40]!r}.", f"{who} carries: {carried}.")
        fight.impossible(f"{who} has no {said.item[:40]!r} to draw.")
    fight.write_in_full(said.item, name)
    held = fight.state.gear.equipped.get(who, ())
    shielded = hands.SHIELD in held
    raised = _shield(fight, said, name, shielded)
    for item in (name, *[hands.SHIELD] * raised):
        if ground.lies(fight, who, item):
            picked_up = [adjusted(who, "picked-up", item)]
            fight.refuse("paraverse.weapon.free-change", f"{whose(who)} {item} lies on the ground.", picked_up)
            ground.lift(fight, who, item)
    kept = {name, hands.SHIELD} if raised else {name}
    if kept == set(held):
        others = [*(fight.otherwise(item=other) for other in sheet.weapons), STATUS]
        fight.refuse("paraverse.weapon.free-change", f"{who} already has {name} in hand.", others)
    for away in sorted(held, key=lambda item: item == hands.SHIELD):
        if away not in kept:
            fight.record(Unequipped(who, away))
    for item in [name] * (name not in held) + [hands.SHIELD] * (raised and not shielded):
        fight.record(Equipped(who, item))
    left = fight.state.points.left(who, hands.CHANGE)
    if left:
        fight.record(PointsSpent(who, hands.CHANGE, 1, left - 1))
    action = fight.state.pending.of(actions.KIND, who)
    if action and action.verb in ("attack", "shoot"):
        fight.rule("paraverse.weapon.start-only", "", who=who)
        actions.settle(fight, who, actions.WITHDRAWN, why="what is in hand has changed")


def _check_time(fight: Resolution, said: Draw) -> None:
    """Only in planning, only by the able, only once."""
    who, phase = said.who, fight.state.turns.phase
    if phase not in ("", "planning"):
        ways = [*(adjusted(who, "equipped", item) for item in (said.item, *[hands.SHIELD] * said.shield)), STATUS]
        message = f"Weapons are changed in planning; this is the {phase} phase."
        fight.refuse("paraverse.weapon.start-only", message, ways)
    actions.check_able(fight, fight.state, who)
    if phase and not fight.state.points.left(who, hands.CHANGE):
        fight.refuse("paraverse.weapon.one-change", f"{who} has already changed weapons this round.", STATUS)


def _shield(fight: Resolution, said: Draw, weapon: str, shielded: bool) -> bool:
    """Whether the shield is up afterwards."""
    possible = fight.sheet(said.who).can_raise_shield(weapon)
    if said.shield and (not possible or said.no_shield):
        fight.impossible(f"{said.who} cannot have a shield up with {weapon}.", [fight.otherwise(shield=False)])
    return possible and not said.no_shield and (said.shield or shielded)
