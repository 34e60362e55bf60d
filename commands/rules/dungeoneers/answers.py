"""Answering an open window by an opportune strike."""

from typing import Annotated

from commands.action.declaration import Fighter, says
from commands.action.resolution import Remedy, Resolution

from . import points, strikes, walking
from .chain import Blow
from .strikes import FORCED_MOVE, LEAVE_RANGE, RANGED_USE

_CLAUSES = {"move": LEAVE_RANGE, "push": FORCED_MOVE}
"""By which clause a window was opened; the others by a ranged action."""


class Opportune(Blow):
    """Take the opportunity that an open window offers: strike before the other moves on."""

    who: Annotated[Fighter, says("Who strikes.")]


def opportune(fight: Resolution, said: Opportune) -> None:
    """dungeoneers.reaction.trigger: only while a window is open, and only once for each who may."""
    who, window = said.who, fight.state.pending.window
    points.check_alive(fight, who)
    if window is None:
        fight.refuse("dungeoneers.reaction.trigger", f"Nothing gives {who} an opportunity to strike.")
        ways: list[Remedy] = [("attack", {"who": who, "target": one}) for one in fight.state.roster.order]
        fight.impossible("There is nobody to strike.", ways)
    given = _CLAUSES.get(window.verb, RANGED_USE)
    if who in window.said["struck"]:
        fight.refuse("dungeoneers.reaction.trigger", f"{who} has taken this opportunity.", [("resolve", {})])
    elif who not in window.answerable and (who not in window.said["strikers"] or strikes.can_strike(fight, who)):
        has = "have" if window.answerable[1:] else "has"
        fight.refuse(given, f"{who} has no opportunity; {' and '.join(window.answerable)} {has}.")
    target = window.said["strikers"].get(who, window.said.get("target", window.who))
    if who == target or target not in fight.state.roster.members:
        fight.impossible(f"{who} has nobody to strike.", [("resolve", {})])
    if window.verb == "move" and target != window.who:
        given = FORCED_MOVE
    strikes.take(fight, who, target, said, given if who in window.answerable else "")
    if fight.state.pending.window:
        walking.review(fight, who)
