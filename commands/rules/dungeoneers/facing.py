"""Facing: turning to a target for nothing, and the penalty of being attacked from behind."""

from commands.action.grid import bearing, midpoint, turned
from commands.action.resolution import Resolution, Roll
from ledger.events import Faced

from .bodies import body

BEHIND = 4
"""Eighths of a circle from a direction to its opposite."""


def looks(fight: Resolution, who: str) -> str:
    """dungeoneers.facing.always: one of eight directions; north until something else is said."""
    return fight.state.facing.of.get(who, "N")


def turn(fight: Resolution, who: str, direction: str) -> None:
    """Records a new facing, if it is one."""
    if direction and direction != looks(fight, who):
        fight.record(Faced(who, direction))


def turn_to(fight: Resolution, who: str, target: str, keep: bool) -> None:
    """dungeoneers.facing.automatic: on its own turn a creature may turn to its target for nothing."""
    if fight.state.turns.who == who and not keep:
        turn(fight, who, direction(fight, who, target))


def direction(fight: Resolution, one: str, other: str) -> str:
    """dungeoneers.facing.opposite: the nearest of eight, from the middle of one body to that of the other."""
    mine, theirs = body(fight, one), body(fight, other)
    if not mine or not theirs:
        return ""
    (x, y), (there_x, there_y) = midpoint(mine), midpoint(theirs)
    return bearing(there_x - x, there_y - y)


def is_behind(fight: Resolution, attacker: str, defender: str) -> bool:
    """Whether the attacker stands opposite to where the defender looks; beside that, too, by a house rule."""
    back = turned(looks(fight, defender), BEHIND)
    rear = {back}
    if fight.option("rear_arc") == "arc":
        rear |= {turned(back, -1), turned(back, 1)}
    return direction(fight, defender, attacker) in rear


def roll_rear(fight: Resolution, attacker: str, defender: str) -> Roll | None:
    """dungeoneers.facing.rear-penalty: a d8 that will be taken from the defender's dodge."""
    return fight.roll(defender, "1d8", "rear", about=attacker) if is_behind(fight, attacker, defender) else None
