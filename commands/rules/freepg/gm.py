"""The game master's word: what can be set, and what follows by the rules."""

from functools import partial

from msgspec.structs import replace

from commands.action import adjust, ground
from commands.action.adjust import Field
from commands.action.declaration import read_square
from commands.action.resolution import Remedy, Resolution, adjusted
from ledger.events import Equipped, Felled, Placed, Rose, Unequipped

from . import actions, bodies, flight, gear, health, slots
from .bonus import worn
from .conditions import ALOFT, FIRED, PRONE, TRIGGERED, WAITING
from .stat_block import Item, Sheet


def _hp(fight: Resolution, who: str, value: str) -> None:
    """At 0 one falls, above 0 the dying are rescued: freepg.attack.damage-floor, freepg.heal.maximum."""
    _check_lives(fight, who)
    _, now = adjust.set_hp(fight, who, value, "freepg.attack.damage-floor", "freepg.heal.maximum")
    down = fight.state.harm.how(who)
    if now <= 0 and not down:
        health.fall(fight, who)
    elif now > 0 and down == "dying":
        health.rescue(fight, who)
    elif now > 0 and down:
        fight.rule("freepg.dying.dead", "stays dead", who=who)


def _hp_max(fight: Resolution, who: str, value: str) -> None:
    _check_lives(fight, who)
    adjust.set_most_hp(fight, who, value)


def damage(fight: Resolution, who: str, points: int, kind: str) -> None:
    """Health points are lost, down to 0: freepg.attack.damage-floor."""
    _check_lives(fight, who)
    health.suffer(fight, who, points)


def _down(fight: Resolution, who: str, value: str) -> None:
    """The dying have a clock, the others none; nobody stands at 0."""
    _check_lives(fight, who)
    how = adjust.how_down(fight, who, value, ("dying", "dead"))
    down = fight.state.harm.how(who)
    if how == "dying":
        if actions.is_enemy(fight, who):
            hint = adjust.repeated(who, "down", "dead")
            fight.refuse("freepg.enemy.dies-at-zero", f"{who} is an enemy: enemies are dead at once, not dying.", hint)
        health.begin_dying(fight, who)
    elif how == "dead":
        health.stop_clock(fight, who)
        fight.record(Felled(who, "dead"))
        health.drop(fight, who)
    else:
        adjust.give_one_hp(fight, who)
        if down == "dying":
            health.rescue(fight, who)
        else:
            fight.record(Rose(who))


def _check_lives(fight: Resolution, who: str) -> None:
    if who not in fight.state.harm.hp:
        fight.impossible(f"{who} is a trap, and has no health.")


def _at(fight: Resolution, who: str, value: str) -> None:
    """freepg.move.occupied: not on another body. Who is put on the surface is not aloft any more."""
    at = read_square(value)
    takes_room = who in bodies.all_bodies(fight) or who not in fight.state.positions.at
    for other in bodies.met(fight, who, at) if takes_room and fight.sheet(who).kind != "trap" else ():
        fight.refuse("freepg.move.occupied", f"{other} stands there.", "Name another square.")
    fight.record(Placed(who, at))
    if at[2] == 0:
        flight.touch_down(fight, who)


def _equipped(fight: Resolution, who: str, value: str) -> None:
    """As `draw` does it, for nothing."""
    item = gear.carried(fight, who, value)
    if item in worn(fight, who):
        fight.impossible(f"{who} already has {item.name} equipped.")
    for other in gear.to_put_away(fight, who, item, None, lambda name: adjusted(who, "no-equipped", name)):
        fight.record(Unequipped(who, other.name))
    ground.lift(fight, who, item.name)
    fight.record(Equipped(who, item.name))


def _give(fight: Resolution, who: str, item: Item, owner: str) -> None:
    """What is given has its slot and its caps, and is carried: freepg.bonus.slot-kind."""
    if owner:
        _take(fight, owner, item)
    sheet: Sheet = fight.sheet(who)
    name = adjust.free_name(item.name, [one.name for one in sheet.items])
    item = replace(item, name=name, equipped=False)
    slots.check_item(fight, who, item)
    adjust.gain(fight, who, name, replace(sheet, items=(*sheet.items, item)))


def _take(fight: Resolution, who: str, item: Item) -> None:
    if item in worn(fight, who):
        fight.record(Unequipped(who, item.name))
    ground.lift(fight, who, item.name)
    sheet: Sheet = fight.sheet(who)
    adjust.lose(fight, who, item.name, replace(sheet, items=tuple(one for one in sheet.items if one != item)))


_TRIGGERED: Remedy = ("attack", {"who": "{who}", "target": ["{foe}"], "triggered": True})
BY_VERB: dict[str, adjust.Way] = {
    health.DYING: [adjusted("{who}", "down", "dying"), adjusted("{who}", "down", "no")],
    FIRED: [_TRIGGERED],
    TRIGGERED: [_TRIGGERED],
    WAITING: [("pass", {"who": "{who}"}), ("pass", {"who": "{who}", "triggered": True})],
}
"""Conditions that come of something else, which sets them and ends them."""

FIELDS = {
    "hp": Field("0 to the maximum: at 0 they fall, above 0 the dying are rescued", _hp),
    "hp-max": Field("1 or more", _hp_max),
    "down": Field("dying, dead or no", _down),
    **adjust.conditions(BY_VERB, (PRONE, ALOFT)),
    "side": Field("a side at the table", partial(adjust.set_side, clause="freepg.initiative.gm-seat")),
    "at": Field("a free square: X,Y or X,Y,HEIGHT", _at),
    "equipped": Field("an item that is carried", _equipped),
    "no-equipped": Field("an item in use", adjust.put_away),
    **adjust.items(
        "something that was found, as in a stat block; or ITEM@NAME from somebody",
        "something that is carried",
        partial(adjust.read_row, kind=Item),
        gear.carried,
        _give,
        _take,
        'name = "{}", slot = "weapon"',
    ),
    **adjust.on_the_ground(gear.carried, _give),
    "action": adjust.allowance("action"),
    "attack": adjust.allowance("attack"),
    "swap": adjust.allowance("swap"),
}
"""What can be set."""

ELSEWHERE: dict[str, adjust.Way] = {
    "prone": [adjusted("{who}", "condition", "prone")],
    "area": [adjusted("{who}", "at", "3,2")],
    "engaged": [adjusted("{who}", "at", "3,2")],
}
"""What cannot, and how to get it."""

GROUND = ("terrain",)
ON_JOINING = ("name", "position")
"""Fields of a stat block that nothing reads once somebody has joined."""
