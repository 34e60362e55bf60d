"""Push: driving somebody back by a tile."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.grid import step
from commands.action.resolution import Resolution
from ledger.events import Placed

from . import gear, grapples, points, windows
from .attack import ANSWER, check_target, within_reach
from .bodies import fits
from .chain import Blow, Pools
from .facing import looks, turn_to
from .points import alive
from .pools import power_against_dodge


class Push(Pools):
    """Push somebody within reach one tile in the direction that you face."""

    who: Annotated[Fighter, Meta(description="Who pushes.")]
    target: Annotated[Fighter, Meta(description="Who is pushed.")]
    with_: Annotated[str, Meta(description="The weapon whose hit dice are rolled.", extra={"word": "item"})] = ""
    defend_with: Annotated[
        Literal["prowess", "power", ""], Meta(description="The target's choice; the higher if not said.")
    ] = ""
    blocked: Annotated[bool, Meta(description="Something is in the way: the target cannot be moved.")] = False
    hostile: Annotated[bool, Meta(description="The target counts as hostile.")] = False
    keep_facing: Annotated[bool, Meta(description="The pusher does not turn to its target.")] = False
    opportune: Annotated[tuple[str, ...], Meta(description=ANSWER)] = ()


def push(fight: Resolution, said: Push) -> None:
    """One action point."""
    points.act(fight, said.who, "push")
    drive(fight, said)


def drive(fight: Resolution, said: Push) -> None:
    """dungeoneers.push.roll: power with the weapon's hit dice against the dodge; a tie succeeds.

    dungeoneers.push.defender-choice: the dodge is rolled with power or prowess, as the defender likes.
    """
    who, target, clause = said.who, said.target, "dungeoneers.push.roll"
    check_target(fight, who, target, said.hostile)
    weapon = gear.for_melee(fight, who, said.with_, clause)
    within_reach(fight, who, target, "dungeoneers.push.requires-threat")
    turn_to(fight, who, target, said.keep_facing)
    direction = looks(fight, who)
    possible = windows.left_behind(fight, target, step(fight.state.positions.at[target], direction))
    provokes = fight.option("forced_moves_provoke")
    names = windows.named(fight, said.opportune)
    forced = "dungeoneers.opportune.forced-move"
    windows.check_named(fight, names or (), possible if provokes and not said.blocked else [], forced)
    dice = (said.defend_with, said.hit_dice, said.dodge_dice)
    hit, dodge = power_against_dodge(fight, clause, who, target, weapon.hit, *dice)
    if not fight.compare(clause, hit, ">=", dodge, who, target, yes="pushed", no="failed"):
        return
    blocked = said.blocked or not fits(fight, {target: step(fight.state.positions.at[target], direction)})
    strikers = [one for one in possible if windows.can_strike(fight, one)] if provokes and not blocked else []
    if strikers and names is None:
        rest = {"direction": direction, "blocked": blocked}
        windows.open_window(fight, target, "push", dict.fromkeys(strikers, target), rest)
        return
    for striker in names or ():
        if striker in strikers and alive(fight, target):
            windows.take(fight, striker, target, Blow())
    if alive(fight, target):
        shove(fight, target, direction, blocked)


def shove(fight: Resolution, target: str, direction: str, blocked: bool) -> None:
    """dungeoneers.push.move: one tile to where the attacker looks; dungeoneers.push.blocked: or nobody moves."""
    to = step(fight.state.positions.at[target], direction)
    if blocked or not fits(fight, {target: to}):
        fight.rule("dungeoneers.push.blocked", "blocked", who=target)
        return
    fight.rule("dungeoneers.push.move", f"pushed {direction}", who=target)
    fight.record(Placed(target, to))
    grapples.after_moves(fight, (target,))
