"""The square grid: distances, bodies, straight lines and areas, in exact whole numbers. Knows no rule system. A square
is its x, y and height. Distance and areas count height; straight lines are seen from above.
"""

from collections.abc import Container, Iterable

Square = tuple[int, int, int]
"""x, y and height, in squares."""
Cell = tuple[int, int]
"""A square seen from above: x and y."""


def distance(one: Square, other: Square) -> int:
    """The largest of the differences in x, y and height: a diagonal step is a step.

    >>> distance((0, 0, 0), (2, -3, 1))
    3
    """
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[2] - other[2]))


def gap(one: Iterable[Square], other: Iterable[Square]) -> int:
    """The smallest distance between a square of one body and a square of another; 0 when they overlap.

    >>> gap(body((0, 0, 0), 1), body((3, 0, 0), 2))
    3
    """
    others = tuple(other)
    return min(distance(a, b) for a in one for b in others)


def body(at: Square, across: int) -> tuple[Square, ...]:
    """The squares of a body of `across` times `across` squares, from its lowest x and y, row by row.

    >>> body((3, 0, 1), 2)
    ((3, 0, 1), (4, 0, 1), (3, 1, 1), (4, 1, 1))
    """
    x, y, height = at
    return tuple((x + column, y + row, height) for row in range(across) for column in range(across))


def area(origin: Square, reach: int) -> tuple[Square, ...]:
    """The squares within `reach` of an origin, at its height, row by row; the origin alone for 0.

    >>> len(area((5, 5, 0), 2))
    25
    """
    x, y, height = origin
    return body((x - reach, y - reach, height), 2 * reach + 1)


def crossed(start: Square, end: Square) -> list[Cell]:
    """The squares whose inside the segment between two centres passes, in its order, without the two ends.

    A corner that is only touched does not count. Seen from above; heights do not count.

    >>> crossed((0, 0, 0), (4, 2, 0))
    [(1, 0), (1, 1), (2, 1), (3, 1), (3, 2)]
    >>> crossed((0, 0, 0), (2, 2, 0))
    [(1, 1)]
    """
    across, up = end[0] - start[0], end[1] - start[1]
    right, rise = (1 if across >= 0 else -1), (1 if up >= 0 else -1)
    across, up = abs(across), abs(up)
    if across == 0:
        return [(start[0], start[1] + rise * row) for row in range(1, up)]
    passed = []
    for column in range(across + 1):
        # In half squares from the start, the segment spans this column from `enters` to `leaves`; its height at a
        # half square h is up * h / across, and the inside of a row reaches from 2 * row - 1 to 2 * row + 1.
        enters, leaves = max(0, 2 * column - 1), min(2 * across, 2 * column + 1)
        lowest = (up * enters - across) // (2 * across) + 1
        highest = -(-(up * leaves + across) // (2 * across)) - 1
        passed += [(column, row) for row in range(lowest, highest + 1)]
    return [(start[0] + right * column, start[1] + rise * row) for column, row in passed[1:-1]]


def sees(start: Square, end: Square, blocked: Container[Cell]) -> bool:
    """Whether no blocked square lies between the centres of two squares. The ends themselves never block.

    >>> sees((0, 0, 0), (2, 0, 0), {(1, 0)})
    False
    >>> sees((0, 0, 0), (2, 2, 0), {(1, 0), (0, 1)})
    True
    """
    return not any(square in blocked for square in crossed(start, end))


_STEPS = (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)
COMPASS: dict[str, Cell] = dict(zip(["N", "NE", "E", "SE", "S", "SW", "W", "NW"], _STEPS, strict=True))
"""The eight directions, clockwise, with the step that each takes; y grows to the north."""
_POINTS = "north northeast east southeast south southwest west northwest"
POINTS = dict(zip(_POINTS.split(), COMPASS, strict=True))
"""The directions, by their names in full."""


def bearing(across: int, up: int) -> str:
    """The nearest of the eight directions of a way that goes `across` and `up`; "" when it goes nowhere.

    With a the longer and b the shorter leg, the way lies nearer to its axis than to the diagonal when b / a is below
    the tangent of 22.5 degrees, which is when (a + b)**2 < 2 * a**2.

    >>> bearing(1, -3), bearing(1, -2), bearing(1, 1), bearing(-1, -1)
    ('S', 'SE', 'NE', 'SW')
    """
    longer, shorter = max(abs(across), abs(up)), min(abs(across), abs(up))
    if not longer:
        return ""
    x, y = (across > 0) - (across < 0), (up > 0) - (up < 0)
    if (longer + shorter) ** 2 < 2 * longer**2:
        x, y = (x, 0) if abs(across) == longer else (0, y)
    return next(direction for direction, step in COMPASS.items() if step == (x, y))


def turned(direction: str, eighths: int) -> str:
    """A direction, turned clockwise by a number of eighths of a circle.

    >>> turned("N", 4), turned("N", -1)
    ('S', 'NW')
    """
    directions = list(COMPASS)
    return directions[(directions.index(direction) + eighths) % len(directions)]


def midpoint(squares: Iterable[Square]) -> Cell:
    """The middle of the smallest rectangle around a body, seen from above, in half squares: x and y doubled.

    >>> midpoint(((0, 0, 0), (1, 0, 0)))
    (1, 0)
    """
    xs, ys = zip(*((x, y) for x, y, _ in squares), strict=True)
    return min(xs) + max(xs), min(ys) + max(ys)


def step(at: Square, direction: str) -> Square:
    """The next square in a direction, at the same height.

    >>> step((0, 0, 0), "NE")
    (1, 1, 0)
    """
    across, up = COMPASS[direction]
    return at[0] + across, at[1] + up, at[2]
