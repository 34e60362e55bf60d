"""Ranged attacks: the distance to the target square, and whether it can be seen."""

from collections.abc import Sequence

from msgspec import Struct

from commands.action import grid
from commands.action.grid import Square
from commands.action.resolution import Resolution
from ledger.events import number

from . import bodies

ADJACENT = 1
"""The greatest distance, in squares, of an attack that is not ranged: freepg.range.definition."""


class Mat:
    """The mat seen from above: what blocks a straight line. Heights are the game master's: freepg.los.elevation."""

    def __init__(self, fight: Resolution) -> None:
        self.obstacles = frozenset(fight.state.encounter.ground.get("obstacle", ()))
        self.bodies = {who: frozenset((x, y) for x, y, _ in body) for who, body in bodies.all_bodies(fight).items()}

    def sees(self, start: Square, end: Square) -> bool:
        """Whether the line between two centres passes through no obstacle and no creature.

        The two end squares do not block, nor do the bodies that stand on them.
        """
        ends = {start[:2], end[:2]}
        between = frozenset().union(*(body for body in self.bodies.values() if not body & ends))
        return grid.sees(start, end, self.obstacles) and grid.sees(start, end, between)

    def between(self, start: Square, end: Square) -> str:
        """What stands on the line between two centres: `Grub-1`, or `an obstacle and Grub-1`; "" for nothing."""
        line, ends = {*grid.crossed(start, end)}, {start[:2], end[:2]}
        walls = ["an obstacle"] * bool(line & self.obstacles)
        return " and ".join([*walls, *(who for who, body in self.bodies.items() if body & line and not body & ends)])


class Sighted(Struct, frozen=True):
    """The target square and how far away it is."""

    square: Square
    distance: int


def target_square(
    fight: Resolution, attacker: str, standing: Sequence[Square], targets: Sequence[Square], word: str
) -> Sighted:
    """The nearest of the target's squares that the attacker sees from any of its own.

    Refuses a ranged attack on what nobody can see; `word` is the game master's, clear or blocked, or "".
    """
    found = [Sighted(square, grid.gap(standing, [square])) for square in targets]
    by_distance = sorted(found, key=lambda one: one.distance)
    nearest, wide = by_distance[0], bool(standing[1:] or targets[1:])
    if nearest.distance <= ADJACENT:
        return nearest
    if word == "clear":
        return ranged(fight, attacker, nearest, wide)
    mat = Mat(fight)
    for one in by_distance if word != "blocked" else ():
        if any(mat.sees(start, one.square) for start in standing):
            clause, also = "freepg.range.line-of-sight", ["freepg.los.geometry"]
            fight.rule(clause, "in line of sight", who=attacker, also=also, aside=True)
            return ranged(fight, attacker, one, wide)
    refuse_unseen(fight, attacker, "" if word else mat.between(standing[0], nearest.square))
    return ranged(fight, attacker, nearest, wide)


def ranged(fight: Resolution, attacker: str, sighted: Sighted, wide: bool) -> Sighted:
    """Records that an attack is ranged, with its distance; of a wide body it is that of its nearest square."""
    distance = [number("distance", sighted.distance)]
    also = ["freepg.enemy.footprint"] if wide else []
    fight.rule("freepg.range.definition", "ranged", distance, who=attacker, also=also, aside=True)
    return sighted


def refuse_unseen(fight: Resolution, attacker: str, between: str = "") -> None:
    """Refuses a ranged attack without line of sight, because of what stands `between`."""
    hint = f"{f'In the way: {between}. ' if between else ''}Move, or say that height opens the line: --los clear"
    fight.refuse("freepg.range.line-of-sight", f"{attacker} does not see the target square.", hint)
