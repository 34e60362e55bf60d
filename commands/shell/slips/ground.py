"""Squares, and the directions in which steps lead."""

from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from projections.state import State

STEPS = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1)
}  # fmt: skip
"""The directions, each with how far east and how far north it leads."""
DIRECTIONS = {
    north + between + east: north[:1] + east[:1]
    for north in ("", "north", "south")
    for between in ("", "-")
    for east in ("", "east", "west")
    if (north and east) or (not between and north + east)
} | {step: step for step in STEPS}  # fmt: skip
"""What directions are called, and their short names."""
FARTHEST = 20
"""The longest way that is written out, in steps."""


def beyond(state: "State", who: str, steps: Sequence[str]) -> str:
    """The square to which steps lead somebody; "" for one who has no place."""
    if who not in state.positions.at:
        return ""
    x, y, height = state.positions.at[who]
    x, y = x + sum(STEPS[one][0] for one in steps), y + sum(STEPS[one][1] for one in steps)
    return f"{x},{y},{height}" if height else f"{x},{y}"


def way(state: "State", who: str, square: str) -> list[str]:
    """The directions of the shortest way to a square, diagonal steps first; none for a way that nobody goes."""
    here = state.positions.at.get(who)
    if here is None:
        return []
    x, y = (int(part) for part in square.split(",")[:2])
    east, north = x - here[0], y - here[1]
    steps: list[str] = []
    while (east or north) and len(steps) < FARTHEST:
        right, ahead = (east > 0) - (east < 0), (north > 0) - (north < 0)
        steps.append(next(name for name, step in STEPS.items() if step == (right, ahead)).upper())
        east, north = east - right, north - ahead
    return [] if east or north else steps


def toward(state: "State", who: str, goal: str) -> list[str]:
    """The direction in which somebody looks at another, or at a square, as the only one in a list; none where one has
    no place.
    """
    at = state.positions.at
    there = at[goal][:2] if goal in at else tuple(int(part) for part in goal.split(",")[:2] if part[-1:].isdigit())
    if who not in at or len(there) < 2 or at[who][:2] == there:
        return []
    east, north = there[0] - at[who][0], there[1] - at[who][1]
    return [max(STEPS, key=lambda one: (STEPS[one][0] * east + STEPS[one][1] * north) / hypot(*STEPS[one])).upper()]


def beside(state: "State", who: str, other: str) -> list[str]:
    """The squares beside somebody where nobody stands, the nearest to the one who goes there first."""
    at, here = state.positions.at, state.positions.at.get(who)
    if here is None or other not in at:
        return []
    x, y, _ = at[other]
    taken = {place[:2] for place in at.values()}
    free = [(x + east, y + north) for east, north in STEPS.values() if (x + east, y + north) not in taken]
    free.sort(key=lambda one: (one[0] - here[0]) ** 2 + (one[1] - here[1]) ** 2)
    return [f"{east},{north}" for east, north in free]
