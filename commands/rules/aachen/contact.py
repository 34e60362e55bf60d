"""Contact: two enemies within 5 feet of each other, who comes into it, and who leaves it."""

from commands.action.names import ALL
from commands.action.resolution import Resolution, adjusted
from ledger.events import Disengaged, Engaged

from .fighters import ADJACENT, able, enemies, in_contact

_CLAUSE = "aachen.melee.contact"


def touch(fight: Resolution, who: str, target: str) -> None:
    """aachen.melee.contact: able enemies within 5 feet of each other are in contact."""
    near = able(fight.state, who) and able(fight.state, target) and enemies(fight.state, who, target)
    if near and target not in fight.state.engagement.of(who):
        fight.record(Engaged(who, target))


def part(fight: Resolution, who: str, other: str) -> None:
    """Two are out of reach of each other."""
    if other in fight.state.engagement.of(who):
        fight.record(Disengaged(who, other))


def check_distance(fight: Resolution, who: str, target: str, distance: int) -> None:
    """aachen.melee.contact: those in contact are within 5 feet of each other, and not farther."""
    if distance > ADJACENT and target in in_contact(fight.state, who):
        ways = [fight.otherwise(distance=ADJACENT), adjusted(who, "no-engaged", target)]
        message = f"{who} and {target} are in contact, within {ADJACENT} feet of each other, not {distance}."
        fight.refuse(_CLAUSE, message, ways)


def left_behind(
    fight: Resolution, who: str, feet: int, words: tuple[str, ...], reached: tuple[str, ...] = ()
) -> list[str]:
    """Whose contact a move leaves, in roster order: of those whom `--leave` names; else, by more than a step of 5 feet,
    of all but those whom it reaches.
    """
    near = in_contact(fight.state, who)
    if not words:
        return [other for other in near if other not in reached] if feet > ADJACENT else []
    meant = near if ALL in words else list(words)
    for name in meant:
        if name not in near:
            fight.impossible(f"{who} is not in contact with {name}.", f"In contact: {', '.join(near) or 'nobody'}.")
        if name in reached:
            fight.impossible(f"{who} leaves {name}, or reaches {name}.", "Name each enemy once.")
    if meant and not feet:
        hint = "Say how many feet; they strike first at anyone who does not withdraw."
        fight.refuse(_CLAUSE, f"{who} leaves contact by moving, and not by 0 feet.", hint)
    return [other for other in near if other in meant]
