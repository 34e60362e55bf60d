"""What lies on the ground, and who picks it up."""

from typing import Any

from msgspec.structs import replace

from commands.action.grid import gap
from commands.action.resolution import Resolution, adjusted
from ledger.events import PickedUp, counted

from . import bodies, gear
from .stat_block import Sheet, find_item
from .tables import Armor, Focus, Weapon

Row = Weapon | Armor | Focus
"""A row of a stat block's own for an item."""
ROW = 'name = "{}"'
"""The least that a stat block says of an item."""
_BESIDE = 1
"""How many tiles away somebody picks up at most: dungeoneers.equipment.pick-up."""


def pick_up_beside(fight: Resolution, who: str, word: str) -> None:
    """dungeoneers.equipment.pick-up: an item that lies on the own tile or the next one, if the word means one that lies
    somewhere and nothing that is carried.
    """
    name = gear.begun([one.item for one in fight.state.lying.items], word)
    if not name or gear.begun(gear.possessions(fight, who), word):
        return
    clause, mine = "dungeoneers.equipment.pick-up", bodies.body(fight, who)
    there = [one.at for one in fight.state.lying.items if one.item == name]
    if mine and (far := min(gap(mine, (at,)) for at in there)) > _BESIDE:
        fight.refuse(clause, f"{name} lies {counted(far, 'tile')} away from {who}.", [adjusted(who, "picked-up", name)])
    fight.rule(clause, "", who=who)
    pick_up(fight, who, name)


def pick_up(fight: Resolution, who: str, item: str) -> None:
    """What lies somewhere is carried by somebody again; a row of its own in another's stat block comes along."""
    from commands.action import adjust

    near = bodies.body(fight, who)
    places = [one.at for one in fight.state.lying.items if one.item == item]
    at = min(places, key=lambda one: gap(near, (one,))) if near else places[0]
    if find_item(fight.sheet(who), item) is None:
        rows = (row_of(fight.sheet(other), item) for other in fight.state.roster.order)
        row = next((row for row in rows if row), None)
        if row is None:
            fight.impossible(f"{item} lies there, but its stat block is gone.", adjust.as_written(ROW))
        adjust.gain(fight, who, item, with_row(fight.sheet(who), item, row))
    fight.record(PickedUp(who, item, at))


def row_of(sheet: Sheet, name: str) -> Row | None:
    """The row of a stat block's own for an item, if it has one."""
    tables: tuple[dict[str, Any], ...] = (sheet.weapons, sheet.armor, sheet.foci)
    for table in tables:
        for key, row in table.items():
            if key.casefold() == name.casefold():
                found: Row = replace(row, name=key)
                return found
    return None


def with_row(sheet: Sheet, name: str, row: Row) -> Sheet:
    """The stat block with one more row for an item."""
    field = {Weapon: "weapons", Armor: "armor", Focus: "foci"}[type(row)]
    return replace(sheet, **{field: {**getattr(sheet, field), name: replace(row, name="")}})
