"""Stat blocks: what a sheet may say, and what a combatant brings to the table."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from commands.action.grid import Square, body, gap
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, Equipped, HpSet, OrderSet, Placed

from . import actions, bodies, health, slots
from .conditions import PRONE

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Bonus = Annotated[int, Meta(ge=-100, le=100)]
Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]
Points = Annotated[int, Meta(ge=1, le=1_000_000)]


class Size(Struct, frozen=True):
    """What a size means."""

    hp: int
    """Health points of an enemy."""
    across: int
    """Squares along one edge of the body."""


SIZES = {"minion": Size(1, 1), "small": Size(20, 1), "medium": Size(30, 2), "large": Size(40, 4)}
"""freepg.enemy.health and freepg.enemy.footprint, as a table."""


class Item(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An enhanced item. Its numbers count while it is equipped; penalties are negative."""

    name: Name
    slot: Literal["weapon", "ring", "hand", "head", "pendant", "armor", "belt", "feet"]
    equipped: bool = True
    attack: Bonus = 0
    damage: Bonus = 0
    defense: Bonus = 0
    armor: Bonus = 0
    speed: Bonus = 0
    fly: Bonus = 0
    skill: dict[Name, Bonus] = {}


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A combatant's stat block."""

    name: Name
    kind: Literal["pc", "ally", "enemy", "trap"] = "pc"
    seat: Annotated[str, Meta(max_length=40)] = ""
    """Who plays it; "" for its own name (a player character) or the seat `gm`."""
    size: Literal["minion", "small", "medium", "large"] = "small"
    health_die: Annotated[int, Meta(ge=1, le=20)] | Literal["roll"] | None = None
    """The d20 that its health was rolled with, or "roll" to roll it now."""
    hp_max: Points | None = None
    hp: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """Health points at the start, if not the maximum."""
    flat_bonus: Bonus = 0
    speed: Annotated[int, Meta(ge=0, le=1000)] = 5
    fly: Annotated[int, Meta(ge=0, le=1000)] = 3
    skill: dict[Name, Bonus] = {}
    extra_attacks: Annotated[int, Meta(ge=0, le=100)] = 0
    position: Annotated[tuple[Coordinate, ...], Meta(min_length=2, max_length=3)] | None = None
    """x, y and perhaps height, in squares."""
    prone: bool = False
    trap: Literal["single", "continuous"] | None = None
    items: tuple[Item, ...] = ()

    def seat_of(self, who: str) -> str:
        """The seat that plays this combatant, under its name at the table."""
        return self.seat or (who if self.kind == "pc" else actions.GM)

    @property
    def across(self) -> int:
        """Squares along one edge of its body."""
        return SIZES[self.size].across

    def item(self, name: str) -> Item | None:
        """The item of that name, or whose name alone begins so, in any case."""
        sought = name.casefold()
        found = [item for item in self.items if item.name.casefold().startswith(sought)]
        exact = [item for item in found if item.name.casefold() == sought]
        return exact[0] if exact else found[0] if len(found) == 1 else None


def side(sheet: Sheet) -> str:
    """Player characters and the referee's allies are the party; enemies and traps are the foes."""
    return "party" if sheet.kind in ("pc", "ally") else "foes"


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that breaks a rule."""
    if (sheet.kind == "trap") != (sheet.trap is not None):
        fight.impossible(f"{who} must be of kind trap, and single or continuous, or neither.", 'trap = "single"')
    if sheet.flat_bonus and (sheet.kind != "enemy" or not 0 <= sheet.flat_bonus <= 3):
        fight.refuse(
            "freepg.enemy.flat-bonus",
            f"{who} has a flat bonus of {sheet.flat_bonus}; only an enemy may have one, of 1, 2 or 3.",
        )
    if sheet.kind == "pc" and (len(sheet.skill) > 1 or any(bonus != 5 for bonus in sheet.skill.values())):
        fight.refuse("freepg.check.skill-bonus", f"{who} is a player character: one skill, at +5.")
    slots.check_items(fight, who, sheet.items)


def enter(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    """Records health, gear, posture and place of a newcomer, who may act at once if it is its seat's turn."""
    for item in sheet.items:
        if item.equipped:
            fight.record(Equipped(who, item.name))
    if sheet.prone:
        fight.record(ConditionGained(who, PRONE))
    _place(fight, who, sheet, at)
    if sheet.kind != "trap":
        _health(fight, who, sheet)
    _sit_down(fight, who, sheet)


def _place(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    square = at
    if square is None and sheet.position:
        x, y, height = (*sheet.position, 0)[:3]
        square = (x, y, height)
    if square is None:
        return
    mine = body(square, sheet.across)
    if sheet.kind != "trap" and any(gap(mine, theirs) == 0 for theirs in bodies.all_bodies(fight).values()):
        if at is None:
            return  # The sheet's square is taken, perhaps by another of its kind: the newcomer is placed later.
        fight.refuse("freepg.move.occupied", f"There is no room for {who} on that square.", "Choose another --at.")
    fight.record(Placed(who, square))


def _health(fight: Resolution, who: str, sheet: Sheet) -> None:
    most = sheet.hp_max or health.start(fight, who, sheet.kind, sheet.size, SIZES[sheet.size].hp, sheet.health_die)
    hp = most if sheet.hp is None else sheet.hp
    if hp > most:
        fight.impossible(f"{who} cannot have {hp} hp of {most}.")
    fight.record(HpSet(who, hp, most))
    if hp == 0:
        health.fall(fight, who)


def _sit_down(fight: Resolution, who: str, sheet: Sheet) -> None:
    """A seat that joins late sits down just before the referee's."""
    if not actions.counted(fight.state):
        return
    seat, order = sheet.seat_of(who), fight.state.turns.order
    if seat not in order:
        place = order.index(actions.GM) if actions.GM in order[1:] else len(order)
        fight.record(OrderSet((*order[:place], seat, *order[place:])))
    if seat == fight.state.turns.who:
        actions.refresh(fight, who)
