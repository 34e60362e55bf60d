"""The encounter: beginning, seats, the ground, the end."""

from typing import Annotated, Literal, NoReturn

from msgspec import Meta, Struct

from commands.action.declaration import Declaration, Square, TomlFile, Words, says
from commands.action.encounters import close_encounter, require_encounter
from commands.action.grid import Cell
from commands.action.opening import Opening, arrive, lay_ground
from commands.action.resolution import Resolution, about
from commands.action.view import read_as
from ledger.events import EncounterBegan, GroundCleared, GroundLaid, OrderSet

from .actions import GM
from .health import DYING

Feature = Literal["obstacle", "amplifier", "drain", "difficult"]
_FEATURES = {"obstacles": "obstacle", "amplifiers": "amplifier", "drains": "drain", "difficult": "difficult"}
"""The lists of a map file, and what lies on their squares."""
_MOST_SQUARES = 10_000
Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]
Cells = Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(max_length=_MOST_SQUARES)]


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """What a map file may say: for each feature its squares, as [x, y]."""

    obstacles: Cells = ()
    amplifiers: Cells = ()
    drains: Cells = ()
    difficult: Cells = ()


class Begin(Opening):
    """Begin an encounter. Then `initiative` decides who has the first turn."""

    map: Annotated[TomlFile, says("A TOML file with lists of squares.")] = {}
    seats: Annotated[Words, says("The seats around the table, clockwise; gm is yours.", joined=",")] = ()
    unordered: Annotated[bool, says("Count neither turns nor actions.")] = False


def begin(fight: Resolution, said: Begin) -> None:
    """The seats as they sit, and the ground."""
    said = arrive(fight, said)
    with about(at=("map",)):
        ground = read_as(Map, said.map, "The map", f"It holds lists of [x, y]: {', '.join(_FEATURES)}.")
    with about(at=("seats",)):
        seats = _seats(fight, said)
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name, not said.unordered))
    for listed, feature in _FEATURES.items():
        if squares := getattr(ground, listed):
            fight.record(GroundLaid(feature, tuple(sorted(set(squares)))))
    if not said.unordered:
        fight.record(OrderSet(seats))
    lay_ground(fight, said)


def _seats(fight: Resolution, said: Begin) -> tuple[str, ...]:
    """The seats named, then those of everybody else in the order of joining, and gm if nobody named it."""
    taken = [fight.sheet(who).seat_of(who) for who in fight.state.roster.order]
    known = {seat.casefold(): seat for seat in (GM, *taken)}
    seats = [known.get(seat.casefold()) or _nobodys(fight, seat, said, known) for seat in said.seats]
    if len(set(seats)) < len(seats):
        fight.impossible("A seat is named twice.")
    return tuple(dict.fromkeys((*seats, *[seat for seat in taken if seat not in seats and seat != GM], GM)))


def _nobodys(fight: Resolution, word: str, said: Begin, known: dict[str, str]) -> NoReturn:
    """Refuses a seat that nobody plays. Remedies the seats of those who were named, and the nearest of the others: in
    words where a map was read, as the record does not say from which file.
    """
    from difflib import get_close_matches

    players = {who.casefold(): who for who in fight.state.roster.order}
    seats = dict(known)
    for folded, who in players.items():
        seats.setdefault(folded, fight.sheet(who).seat_of(who))
    meant = [seats[near] for seat in said.seats for near in get_close_matches(seat.casefold(), seats, 1)]
    why = f"The seats are {', '.join(known.values())}."
    if named_instead := players.get(word.casefold()):
        why = f"{named_instead} is played by {seats[word.casefold()]}."
    right = [*dict.fromkeys(meant)]
    way = [f"Say --seats {','.join(right)} instead."] if said.map else [fight.otherwise(seats=right)]
    fight.impossible(f"Nobody plays the seat {word[:40]!r}. {why}", way)


class End(Declaration):
    """End the encounter."""


def end(fight: Resolution, said: End) -> None:
    """What was to last for a turn, a round or the encounter ends with it, and the clocks of the dying stop."""
    require_encounter(fight)
    close_encounter(fight, DYING)


class Terrain(Declaration):
    """Change the ground during an encounter: obstacle, amplifier, drain or difficult."""

    feature: Annotated[Feature, says("What lies there.")]
    at: Annotated[tuple[Square, ...], says("Where; several squares joined by /.", min_length=1)]
    to: Annotated[Square | None, says("The opposite corner, to change a rectangle.")] = None
    clear: Annotated[bool, says("Take it away.")] = False


def terrain(fight: Resolution, said: Terrain) -> None:
    """The game master lays or clears some squares, or all squares between two corners."""
    if not fight.state.encounter.running:
        fight.impossible("The ground belongs to an encounter, and none is under way.", [("begin", {})])
    if said.to and said.at[1:]:
        fight.impossible("A rectangle has two corners.", "Say one square, and with --to the opposite corner.")
    squares = _rectangle(fight, said.at[0], said.to) if said.to else tuple(sorted({(x, y) for x, y, _ in said.at}))
    fight.record(GroundCleared(said.feature, squares) if said.clear else GroundLaid(said.feature, squares))


def _rectangle(fight: Resolution, one: Square, other: Square) -> tuple[Cell, ...]:
    across, up = sorted((one[0], other[0])), sorted((one[1], other[1]))
    if (across[1] - across[0] + 1) * (up[1] - up[0] + 1) > _MOST_SQUARES:
        fight.impossible(f"That is more than {_MOST_SQUARES:,} squares.")
    return tuple((x, y) for x in range(across[0], across[1] + 1) for y in range(up[0], up[1] + 1))
