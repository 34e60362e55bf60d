"""Grid, size and facing: which tiles a creature takes, who fits where, how far apart two are, who looks where."""

from collections.abc import Mapping
from itertools import count

from msgspec import Struct

from commands.action.grid import Square, bearing, gap, midpoint, turned
from commands.action.resolution import Remedies, Resolution, Roll, adjusted
from commands.action.view import View
from ledger.events import Faced, Number, number


class Size(Struct, frozen=True):
    """A row of the table of sizes."""

    quarters: int
    """How much of each of its tiles it takes, in quarters."""
    threat: int
    wounds: int
    """Wound capacity."""
    footprint: tuple[tuple[int, int], ...]
    """Its tiles, as offsets from its position."""


SIZES = {
    "tiny": Size(1, 1, 0, ((0, 0),)),
    "small": Size(2, 1, 1, ((0, 0),)),
    "medium": Size(4, 1, 2, ((0, 0),)),
    "large": Size(4, 1, 3, ((0, 0), (1, 0))),
    "huge": Size(4, 2, 4, ((0, 0), (1, 0), (0, 1))),
    "massive": Size(4, 2, 5, ((0, 0), (1, 0), (0, 1), (1, 1))),
}
"""dungeoneers.size.tiles, dungeoneers.wounds.capacity."""
_TILE = 4
"""A tile, in quarters."""


def tiles_at(view: View, who: str, at: Square) -> tuple[Square, ...]:
    """The tiles that a creature would take at a place."""
    sheet = view.sheet(who)
    x, y, height = at
    return tuple((x + across, y + up, height) for across, up in sheet.footprint or SIZES[sheet.size].footprint)


def body(view: View, who: str) -> tuple[Square, ...]:
    """The tiles on which a creature stands or lies; none when it has no place."""
    at = view.state.positions.at.get(who)
    return tiles_at(view, who, at) if at else ()


def tiles(view: View, who: str) -> tuple[Square, ...]:
    """The tiles that a living creature takes: the dead take none."""
    return body(view, who) if view.state.stands(who) else ()


def fits(view: View, places: Mapping[str, Square], leaving: str = "") -> bool:
    """dungeoneers.size.sharing: whether creatures can stand at those places together, beside everybody else.

    On each tile the living may take up one tile at most: a small creature half of it, a tiny one a quarter. One who is
    `leaving` is not counted.
    """
    taken: dict[Square, int] = {}
    for who in view.state.roster.order:
        if who not in places and who != leaving:
            for tile in tiles(view, who):
                taken[tile] = taken.get(tile, 0) + SIZES[view.sheet(who).size].quarters
    wanted: set[Square] = set()
    for who, at in places.items():
        for tile in tiles_at(view, who, at):
            taken[tile] = taken.get(tile, 0) + SIZES[view.sheet(who).size].quarters
            wanted.add(tile)
    return all(taken[tile] <= _TILE for tile in wanted)


def room(view: View, who: str, near: Square | None = None) -> Square:
    """The place that nobody else takes any of, nearest to a tile: to where a creature stands, or else to the first who
    has a place.
    """
    places = view.state.positions.at
    taken = {tile for other in view.state.roster.order if other != who for tile in tiles(view, other)}
    x, y, height = near or places.get(who) or next(iter(places.values()), (0, 0, 0))
    squares = (range(-far, far + 1) for far in count())
    there = ((x + across, y + up, height) for square in squares for across in square for up in square)
    return next(at for at in there if taken.isdisjoint(tiles_at(view, who, at)))


def placing(fight: Resolution, who: str) -> Remedies:
    """The way on for one who has no place, or none with room: the game master says where it stands."""
    at = room(fight, who)
    return [adjusted(who, "at", ",".join(map(str, at if at[2] else at[:2])))]


def distance(fight: Resolution, one: str, other: str) -> Number:
    """In tiles, between the nearest tiles of two creatures; a diagonal step is one."""
    for who in (one, other):
        if who not in fight.state.positions.at:
            fight.impossible(f"{who} has no place on the map.", placing(fight, who))
    return number("distance", gap(body(fight, one), body(fight, other)), "distance", "dungeoneers.grid.distance")


# Facing

_BEHIND = 4
"""Eighths of a circle from a direction to its opposite."""


def looks(view: View, who: str) -> str:
    """dungeoneers.facing.always: one of eight directions; north until something else is said."""
    return view.state.facing.of.get(who, "N")


def turn(fight: Resolution, who: str, direction: str) -> None:
    """Records a new facing, if it is one."""
    if direction and direction != looks(fight, who):
        fight.record(Faced(who, direction))


def turn_freely(fight: Resolution, who: str, direction: str, keep: bool) -> None:
    """dungeoneers.facing.automatic: on its own turn a creature turns for nothing before it moves or acts."""
    if fight.state.turns.who == who and not keep and direction and direction != looks(fight, who):
        fight.rule("dungeoneers.facing.automatic", "", who=who)
        turn(fight, who, direction)


def turn_to(fight: Resolution, who: str, target: str, keep: bool) -> None:
    """On its own turn a creature may turn to its target for nothing."""
    turn_freely(fight, who, direction(fight, who, target), keep)


def direction(view: View, one: str, other: str) -> str:
    """The nearest of eight, from the middle of one body to that of the other."""
    mine, theirs = body(view, one), body(view, other)
    if not mine or not theirs:
        return ""
    (x, y), (there_x, there_y) = midpoint(mine), midpoint(theirs)
    return bearing(there_x - x, there_y - y)


def roll_rear(fight: Resolution, attacker: str, defender: str) -> Roll | None:
    """dungeoneers.facing.rear-penalty: a d8 that will be taken from the defender's dodge, where the attacker stands
    opposite to where the defender looks; beside that, too, by a house rule.
    """
    back = turned(looks(fight, defender), _BEHIND)
    rear = {back, turned(back, -1), turned(back, 1)} if fight.option("rear_arc") == "arc" else {back}
    behind = direction(fight, defender, attacker) in rear
    return fight.roll(defender, "1d8", "rear", about=attacker) if behind else None
