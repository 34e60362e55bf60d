"""Bodies on the mat: which squares a combatant covers."""

from commands.action.grid import Square, body, gap
from commands.action.resolution import Resolution
from commands.action.view import View


def squares(view: View, who: str) -> tuple[Square, ...]:
    """The squares that a combatant covers; none when it has no place.

    A larger body is one creature, from the lowest x and y square that is its position.
    """
    at = view.state.positions.at.get(who)
    return body(at, view.sheet(who).across) if at else ()


def all_bodies(fight: Resolution) -> dict[str, tuple[Square, ...]]:
    """Everybody who takes up room, in roster order: the dying do, the dead and traps do not."""
    found = {}
    for who in fight.state.roster.order:
        dead, at = fight.state.harm.how(who) == "dead", fight.state.positions.at
        if who in at and not dead and fight.sheet(who).kind != "trap":
            found[who] = squares(fight, who)
    return found


def met(fight: Resolution, who: str, at: Square) -> list[str]:
    """The others on whom somebody would stand there: freepg.move.occupied."""
    mine = body(at, fight.sheet(who).across)
    return [other for other, theirs in all_bodies(fight).items() if other != who and gap(mine, theirs) == 0]
