"""Stat blocks: what a combatant brings to the table."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from commands.action.grid import Square
from commands.action.resolution import Resolution
from commands.action.spelling import nearly
from commands.action.view import View
from ledger.events import ConditionGained, Equipped, HpSet, OrderSet, Placed, SheetChanged, TurnBegan, Unequipped, whose
from projections.state import State

from . import actions, bodies, health, slots
from .bonus import worn
from .checks import HEAL, meant
from .conditions import PRONE
from .stat_block import SIZES, Sheet


def side(sheet: Sheet) -> str:
    """Player characters and the game master's allies are the party; enemies and traps are the foes."""
    return "party" if sheet.kind in ("pc", "ally") else "foes"


def player(data: Mapping[str, Any]) -> bool:
    """Of kind pc, or with the seat of a player: a player plays it. What goes without saying does not count."""
    return data.get("kind") == "pc" or data.get("seat", actions.GM) not in ("", actions.GM)


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that breaks a rule."""
    if (sheet.kind == "trap") != (sheet.trap is not None):
        message = f"{who} must be of kind trap, and single or continuous, or neither."
        fight.impossible(message, 'Write kind = "trap" and trap = "single".', at=("trap" if sheet.trap else "kind",))
    if sheet.flat_bonus and (sheet.kind != "enemy" or not 0 <= sheet.flat_bonus <= 3):
        message = f"{who} has a flat bonus of {sheet.flat_bonus}; only an enemy may have one, of 1, 2 or 3."
        fight.refuse("freepg.enemy.flat-bonus", message, at=("flat_bonus",))
    if sheet.kind == "pc" and (len(sheet.skill) > 1 or any(bonus != 5 for bonus in sheet.skill.values())):
        fight.refuse("freepg.check.skill-bonus", f"{who} is a player character: one skill, at +5.", at=("skill",))
    _check_skills(fight, who, sheet.skill, ("skill",))
    for nth, item in enumerate(sheet.items):
        _check_skills(fight, who, item.skill, ("items", nth, "skill"))
    slots.check_items(fight, who, sheet.items)


def skills(state: State) -> dict[str, str]:
    """The one skill that a rule asks for; the others are words of the table."""
    return {
        HEAL: "what heal is rolled with; healing is another word for it",
        "any other word": "what the game master asks for with check --skill",
    }


def _check_skills(fight: Resolution, who: str, named: dict[str, int], at: tuple[str | int, ...]) -> None:
    """freepg.check.skill-bonus: stops a word that means heal, by which no rule would find it, and one said twice."""
    for skill in named:
        if near := nearly(meant(skill), (HEAL,)):
            fight.notes.append(f"No rule asks for {whose(who)} skill {skill!r}; one asks for {near}.")
        if skill.casefold().startswith(HEAL) and meant(skill) != HEAL:
            message = f"{whose(who)} skill {skill!r} is never asked for; heal is."
            fight.impossible(message, "Write skill = { heal = 5 }.", (*at, skill))
        if sum(meant(other) == meant(skill) for other in named) > 1:
            fight.impossible(f"{who} has the skill {meant(skill)} twice.", "One is enough.", (*at, skill))


def enter(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    """Records health, gear, posture and place of a newcomer, who may act at once if it is its seat's turn."""
    for item in sheet.items:
        if item.equipped:
            fight.record(Equipped(who, item.name))
    if sheet.prone:
        fight.record(ConditionGained(who, PRONE))
    _place(fight, who, sheet, at)
    if sheet.kind != "trap":
        most = sheet.hp_max or health.start(fight, who, sheet.kind, sheet.size, SIZES[sheet.size].hp, sheet.health_die)
        hp = most if sheet.hp is None else sheet.hp
        if hp > most:
            fight.impossible(f"{who} cannot have {hp} hp of {most}.", at=("hp",))
        fight.record(HpSet(who, hp, most))
        if hp == 0:
            health.fall(fight, who)
    if actions.counted(fight.state):
        _take_seat(fight, sheet.seat_of(who))
        if sheet.seat_of(who) == fight.state.turns.who:
            actions.refresh(fight, who)


def _place(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    square = at
    if square is None and sheet.position:
        x, y, height = (*sheet.position, 0)[:3]
        square = (x, y, height)
    if square is None:
        return
    if sheet.kind != "trap" and bodies.met(fight, who, square):
        if at is None:
            return  # The sheet's square is taken, perhaps by another of its kind: the newcomer is placed later.
        fight.refuse("freepg.move.occupied", f"There is no room for {who} on that square.", "Choose another --at.")
    fight.record(Placed(who, square))


def _take_seat(fight: Resolution, seat: str) -> None:
    """A seat that joins late sits down just before gm; if that turn has come, at the end of the round."""
    order, now = fight.state.turns.order, fight.state.turns.who
    if seat not in order:
        place = order.index(actions.GM) if actions.GM in order[1:] else len(order)
        if now in order[place:]:
            place = len(order)
        fight.record(OrderSet((*order[:place], seat, *order[place:])))


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with what they have and it does not name: they carry that."""
    before, names = fight.sheet(who), {item.name.casefold() for item in named.items}
    others = (replace(item, equipped=False) for item in before.items if item.name.casefold() not in names)
    return replace(named, items=(*named.items, *others))


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    sheet: Sheet = fight.sheet(who)
    if (sheet.kind == "trap") != (before.kind == "trap"):
        fight.impossible(f"{who} cannot become a trap, nor a trap anything else.", at=("kind",))
    _change_gear(fight, who, named, before)
    _check_room(fight, who, sheet, before)
    if sheet.kind != "trap":
        _change_health(fight, who, sheet, before)
    if actions.counted(fight.state):
        _change_seat(fight, before.seat_of(who), sheet.seat_of(who))


def seated(fight: Resolution, who: str, seat: str) -> None:
    """Turns go around the table by seats: the new one stands on the stat block."""
    before: Sheet = fight.sheet(who)
    if before.seat_of(who) == (seat or replace(before, seat="").seat_of(who)):
        return
    raw = fight.state.roster.members[who].sheet
    fight.record(SheetChanged(who, raw, Raw(msgspec.json.encode(replace(before, seat=seat), order="deterministic"))))
    if actions.counted(fight.state):
        _change_seat(fight, before.seat_of(who), fight.sheet(who).seat_of(who))


def _change_seat(fight: Resolution, old: str, new: str) -> None:
    """A new seat takes the place of one that plays nobody any more, and its turn; else it sits down late."""
    turns, roster = fight.state.turns, fight.state.roster.order
    if new in turns.order or old not in turns.order or any(fight.sheet(who).seat_of(who) == old for who in roster):
        _take_seat(fight, new)
        return
    fight.record(OrderSet(tuple(new if seat == old else seat for seat in turns.order)))
    if turns.who == old:
        fight.record(TurnBegan(new))


def _change_gear(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """What is not named, or has no room any more, is put away; new items are put on as far as there is room."""
    names, had = {item.name for item in sheet.items}, {item.name for item in before.items if item.equipped}
    for name in fight.state.gear.equipped.get(who, ()):
        if name not in names:
            fight.record(Unequipped(who, name))
    for slot in dict.fromkeys(item.slot for item in sheet.items):
        most, _ = slots.places(fight, slot)
        on = [item.name for item in worn(fight, who) if item.slot == slot]
        for name in on[most:]:
            fight.record(Unequipped(who, name))
        new = [item.name for item in sheet.items if item.slot == slot and item.equipped and item.name not in had]
        for name in new[: max(most - len(on), 0)]:
            fight.record(Equipped(who, name))


def _check_room(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """freepg.move.occupied: one who has grown still stands on nobody."""
    if sheet.across == before.across or who not in bodies.all_bodies(fight):
        return
    for other in bodies.met(fight, who, fight.state.positions.at[who]):
        message = f"There is no room for {who}, who is {sheet.across} squares across now: {other} stands there."
        fight.refuse("freepg.move.occupied", message, "Move one of them first.", ("size",))


def _change_health(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """A new maximum, where the stat block says another one; an enemy is not dying: freepg.enemy.dies-at-zero."""
    maximum = attrgetter("hp_max", "health_die", "kind", "size")
    if maximum(sheet) != maximum(before):
        now = fight.state.harm.hp[who]
        most = sheet.hp_max or health.start(fight, who, sheet.kind, sheet.size, SIZES[sheet.size].hp, sheet.health_die)
        if most != now.most:
            fight.record(HpSet(who, min(now.now, most), most))
    if actions.is_enemy(fight, who) and fight.state.harm.how(who) == "dying":
        health.stop_clock(fight, who)
        health.fall(fight, who)


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now."""
    sheet: Sheet = view.sheet(who)
    held = view.state.gear.equipped.get(who, ())
    items = tuple(replace(item, equipped=item.name in held) for item in sheet.items)
    sheet = replace(sheet, items=items, prone=view.state.conditions.has(who, PRONE))
    if who not in view.state.harm.hp:
        return sheet
    hp, most = view.state.harm.hp[who], sheet.hp_max
    if most is None and sheet.kind == "enemy":
        most = SIZES[sheet.size].hp
    elif most is None and sheet.health_die != "roll":
        most = health.points(sheet.health_die)
    return replace(sheet, hp_max=sheet.hp_max if hp.most == most else hp.most, hp=None if hp.now == hp.most else hp.now)
