"""The map: squares with their features and combatants, drawn with characters; or areas, in words."""

from collections.abc import Iterator, Mapping, Sequence

from .state import State

Cell = tuple[int, int]

_ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
"""The sign to the right of a combatant that faces this direction."""

_WIDEST = 60
"""The most squares drawn in one direction. The map says how many more there are."""


def draw(
    bodies: Mapping[str, Sequence[Cell]],
    ground: Mapping[str, Sequence[Cell]],
    heights: Mapping[str, int],
    headings: Mapping[str, str] | None = None,
) -> tuple[list[str], list[str]]:
    """The lines of a map, north (higher y) at the top, and those of its legend.

    `bodies` gives each combatant's squares, `ground` each feature's, `heights` the height of those above the ground,
    `headings` the direction that a combatant faces, if any.
    """
    ground = dict(sorted(ground.items()))  # a state that was kept has them in this order too
    cells = [cell for squares in (*bodies.values(), *ground.values()) for cell in squares]
    if not cells:
        return ["Nobody has a place on the map."], []
    columns, rows = zip(*cells, strict=True)
    west, south = min(columns) - 1, min(rows) - 1
    east, north = min(max(columns) + 1, west + _WIDEST), min(max(rows) + 1, south + _WIDEST)
    letters = signs(list(bodies))
    features = marks(list(ground))
    drawn = {square: features[feature] for feature, squares in ground.items() for square in squares}
    faced = {who: headings[who] for who in bodies if headings and headings.get(who)}
    looks = {bodies[who][-1]: _ARROWS[heading] for who, heading in faced.items()}
    for cell, there in _shared(bodies, letters).items():
        drawn[cell] = there[0]
        if there[1:]:  # both, or one and that there are more
            looks[cell] = there[1] if there[2:] == "" else "+"
    across, width = range(west, east + 1), max(len(str(y)) for y in (south, north))
    lines = [
        f"{y:>{width}} " + "".join(drawn.get((x, y), ".") + looks.get((x, y), " ") for x in across).rstrip()
        for y in range(north, south - 1, -1)
    ]
    lines.append(" " * (width + 1) + _ruler(across))
    laid = (f"{features[one]} {one}" for one, squares in ground.items() if squares)
    legend = [*_legend(letters, heights, faced), *laid]
    hidden = sum(not (west <= x <= east and south <= y <= north) for x, y in cells)
    return lines, [*legend, *[f"({hidden} squares lie outside of this map)"] * bool(hidden)]


def _legend(letters: Mapping[str, str], heights: Mapping[str, int], faced: Mapping[str, str]) -> Iterator[str]:
    """Whom each sign stands for, how high they are, and where they face."""
    for who, sign in letters.items():
        up = f", {heights[who]} up" if heights.get(who) else ""
        yield f"{sign} {who}{up}{f', facing {faced[who]}' if who in faced else ''}"


def _ruler(across: range) -> str:
    """The numbers below a map: of each fifth column, where there is room."""
    line = ""
    for at, x in enumerate(across):
        if x % 5 == 0 and len(line) <= 2 * at:
            line = line.ljust(2 * at) + str(x)
    return line


def _shared(bodies: Mapping[str, Sequence[Cell]], letters: Mapping[str, str]) -> dict[Cell, str]:
    """The signs of all who are on a square, the last to join first."""
    found: dict[Cell, str] = {}
    for who, squares in bodies.items():
        for cell in squares:
            found[cell] = letters[who] + found.get(cell, "")
    return found


def signs(names: Sequence[str]) -> dict[str, str]:
    """A sign for each name: its first letter; if that is taken, another letter of the name or of the alphabet."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    spare = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    for name in names:
        last = name.rpartition("-")[2]
        candidates = [*(last if last.isdigit() and len(last) == 1 else ""), *name.upper(), *name.lower(), *spare, "?"]
        found[name] = next(sign for sign in candidates if sign == "?" or (sign.isalnum() and sign not in taken))
        taken.add(found[name])
    return found


def marks(features: Sequence[str]) -> dict[str, str]:
    """A sign for each feature of the ground; ? when there are none left."""
    known = {"obstacle": "#", "difficult": "~", "amplifier": "+", "drain": "-"}
    spare = [mark for mark in "%&*=:^!$@;" if mark not in known.values()]
    return {feature: known.get(feature) or spare.pop(0) if spare else "?" for feature in features}


def draw_areas(state: State) -> list[str]:
    """A line for each area with those who are in it, then a line for each link."""
    width = max(len(area) for area in state.areas.names)
    lines = []
    for area in state.areas.names:
        inside = [_standing(state, who) for who in state.roster.order if state.areas.at.get(who) == area]
        lines.append(f"[{area.ljust(width)}]  {', '.join(inside) or '-'}")
    for link in state.areas.links:
        lines.append(f"{link.one} {'->' if link.oneway else '--'} {link.other}: {link.ways()}")
    return lines


def _standing(state: State, who: str) -> str:
    """A combatant on the map: the name, how they are down, and whom they fight."""
    down, engaged = state.harm.down.get(who), state.engagement.of(who)
    notes = [*([down.how] if down else []), *([f"engaged with {', '.join(engaged)}"] if engaged else [])]
    return f"{who} ({'; '.join(notes)})" if notes else who
