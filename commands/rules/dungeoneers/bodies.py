"""Grid and size: which tiles a creature takes, who fits where, how far apart two are."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from commands.action.grid import Square, gap
from commands.action.resolution import Offers, Resolution, adjusted

if TYPE_CHECKING:
    from projections.state import State


class Table(Protocol):
    """Whoever can see the state and the stat blocks."""

    @property
    def state(self) -> "State":
        """What is so."""

    def sheet(self, who: str) -> Any:
        """A stat block."""


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
TILE = 4
"""A tile, in quarters."""


def tiles_at(table: Table, who: str, at: Square) -> tuple[Square, ...]:
    """The tiles that a creature would take at a place."""
    sheet = table.sheet(who)
    x, y, height = at
    return tuple((x + across, y + up, height) for across, up in sheet.footprint or SIZES[sheet.size].footprint)


def body(table: Table, who: str) -> tuple[Square, ...]:
    """The tiles on which a creature stands or lies; none when it has no place."""
    at = table.state.positions.at.get(who)
    return tiles_at(table, who, at) if at else ()


def tiles(table: Table, who: str) -> tuple[Square, ...]:
    """The tiles that a living creature takes: the dead take none."""
    return body(table, who) if table.state.stands(who) else ()


def fits(table: Table, places: Mapping[str, Square], leaving: str = "") -> bool:
    """dungeoneers.size.sharing: whether creatures can stand at those places together, beside everybody else.

    On each tile the living may take up one tile at most: a small creature half of it, a tiny one a quarter. One who is
    `leaving` is not counted.
    """
    taken: dict[Square, int] = {}
    for who in table.state.roster.order:
        if who not in places and who != leaving:
            for tile in tiles(table, who):
                taken[tile] = taken.get(tile, 0) + SIZES[table.sheet(who).size].quarters
    wanted: set[Square] = set()
    for who, at in places.items():
        for tile in tiles_at(table, who, at):
            taken[tile] = taken.get(tile, 0) + SIZES[table.sheet(who).size].quarters
            wanted.add(tile)
    return all(taken[tile] <= TILE for tile in wanted)


def room(table: Table, who: str) -> Square:
    """The tile nearest to where a creature stands, or else to the first who has a place, on which it fits in."""
    places = table.state.positions.at
    x, y, height = places.get(who) or next(iter(places.values()), (0, 0, 0))
    for far in range(10):
        for across in range(-far, far + 1):
            for up in range(-far, far + 1):
                at = (x + across, y + up, height)
                if max(abs(across), abs(up)) == far and fits(table, {who: at}):
                    return at
    return (x, y, height + 1)


def placing(fight: Resolution, who: str) -> Offers:
    """The way on for one who has no place, or none with room: the referee says where it stands."""
    at = room(fight, who)
    return [adjusted(who, "at", ",".join(map(str, at if at[2] else at[:2])))]


def distance(fight: Resolution, one: str, other: str) -> int:
    """dungeoneers.grid.distance: in tiles, between the nearest tiles of two creatures; a diagonal step is one."""
    for who in (one, other):
        if who not in fight.state.positions.at:
            fight.impossible(f"{who} has no place on the map.", placing(fight, who))
    return gap(body(fight, one), body(fight, other))
