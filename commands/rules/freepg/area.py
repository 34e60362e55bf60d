"""Area attacks: which creatures an area reaches."""

from commands.action.grid import Square, distance
from commands.action.resolution import Resolution

from . import bodies
from .sight import Mat


def reach(fight: Resolution, radius: int | None) -> int:
    """How far from its origin an area reaches, in squares; 0 for an attack on a single square.

    freepg.area.shape
    """
    if radius is None:
        return 0
    if radius < 1:
        fight.refuse("freepg.area.shape", f"An area has a radius of 1 or more, not {radius}.")
    return max(radius, 1) - (1 if fight.option("area_radius") == "counting-origin" else 0)


def reached(fight: Resolution, attacker: str, origin: Square, within: int, words: dict[str, str]) -> tuple[str, ...]:
    """Everybody with a square in the area that sees the origin, once each, in roster order.

    `words` are the game master's on the line to a creature: clear or blocked. Friend and foe alike, but never the
    attacker: freepg.area.everyone, freepg.area.not-attacker.
    """
    found, shielded = in_area(fight, attacker, origin, within, words)
    for who in shielded:
        with fight.upon(attacker, who):
            fight.rule("freepg.area.line-of-sight", "shielded", who=attacker, about=who)
    if within:
        fight.rule("freepg.area.everyone", f"in the area: {', '.join(found) or 'nobody'}", who=attacker, aside=True)
    return found


def in_area(
    fight: Resolution, attacker: str, origin: Square, within: int, words: dict[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those in an area who see its origin, and those who are shielded from it."""
    mat = Mat(fight)
    found: list[str] = []
    shielded: list[str] = []
    for who, body in bodies.all_bodies(fight).items():
        near = [square for square in body if distance(square, origin) <= within]
        if who == attacker or not near:
            continue
        word = words.get(who)
        seen = word == "clear" or (word != "blocked" and any(mat.sees(origin, square) for square in near))
        (found if seen else shielded).append(who)
    return tuple(found), tuple(shielded)
