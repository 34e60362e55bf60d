"""Changing what is equipped."""

from typing import Annotated

from commands.action.declaration import AnyOrder, Declaration, Fighter, says
from commands.action.resolution import Resolution
from ledger.events import Equipped, Unequipped

from . import conditions, gear, ground, points


class Draw(Declaration):
    """Take a weapon in hand, or put on anything else that is carried, or that lies on your tile or the next."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item.", word="item")]
    instead: Annotated[AnyOrder, says("An item to put away for it.")] = ()
    ap: Annotated[int, says("What it costs in action points.", ge=0, le=100)] = 0


def draw(fight: Resolution, said: Draw) -> None:
    """dungeoneers.equipment.slots: as far as there are places, for nothing unless the game master says so."""
    who = said.who
    ground.pick_up_beside(fight, who, said.item)
    item = gear.own(fight, who, said.item)
    away = [gear.own(fight, who, name) for name in said.instead]
    worn = gear.worn(fight, who)
    if item in worn:
        fight.impossible(f"{who} has already equipped {item.name}.")
    _pay(fight, who, said.ap)
    for other in away:
        if other not in worn:
            fight.impossible(f"{who} has not equipped {other.name}.")
        fight.record(Unequipped(who, other.name))
    gear.check_room(fight, who, fight.sheet(who), gear.worn(fight, who), item)
    fight.record(Equipped(who, item.name, drawn=True))
    conditions.part(fight)


class Stow(Declaration):
    """Put a weapon away, or take something off."""

    who: Annotated[Fighter, says("Who does it.")]
    item: Annotated[str, says("The item.", word="item")]
    ap: Annotated[int, says("What it costs in action points.", ge=0, le=100)] = 0


def stow(fight: Resolution, said: Stow) -> None:
    """What is put away is carried, and gives nothing."""
    item = gear.own(fight, said.who, said.item)
    if item not in gear.worn(fight, said.who):
        fight.impossible(f"{said.who} has not equipped {item.name}.")
    _pay(fight, said.who, said.ap)
    fight.record(Unequipped(said.who, item.name))
    conditions.part(fight)


def _pay(fight: Resolution, who: str, cost: int) -> None:
    """Once a round has begun, on the own turn only."""
    points.check_alive(fight, who)
    if fight.state.turns.round or cost:
        points.check_turn(fight, who)
    if cost:
        points.pay_action(fight, who, cost)
