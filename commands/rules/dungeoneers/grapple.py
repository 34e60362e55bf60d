"""Grapple: taking hold of somebody, and letting go."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Offers, Resolution

from . import gear, grapples, points
from .attack import check_target, within_reach
from .chain import Pools
from .facing import turn_to
from .points import GRAPPLED, GRAPPLING
from .pools import power_against_dodge


class Grapple(Pools):
    """Take hold of somebody within reach; or let go of whom you hold (--release)."""

    who: Annotated[Fighter, Meta(description="Who grapples.")]
    target: Annotated[Fighter, Meta(description="Who is grappled.", extra={"positional": True})] = ""
    release: Annotated[bool, Meta(description="Let go, for nothing.")] = False
    with_: Annotated[str, Meta(description="The weapon whose hit dice are rolled.", extra={"word": "item"})] = ""
    defend_with: Annotated[
        Literal["prowess", "power", ""], Meta(description="The target's choice; the higher if not said.")
    ] = ""
    hostile: Annotated[bool, Meta(description="The target counts as hostile.")] = False
    keep_facing: Annotated[bool, Meta(description="The grappler does not turn to its target.")] = False


def grapple(fight: Resolution, said: Grapple) -> None:
    """One action point; letting go costs nothing."""
    if said.release:
        let_go(fight, said.who)
        return
    if not said.target:
        fight.impossible("Whom?", [fight.otherwise(target=one) for one in fight.state.roster.order])
    points.act(fight, said.who, "grapple")
    seize(fight, said)


def let_go(fight: Resolution, who: str) -> None:
    """dungeoneers.grapple.release: on the own turn, for nothing."""
    clause = "dungeoneers.grapple.release"
    points.check_alive(fight, who)
    points.check_turn(fight, who, clause)
    if not grapples.partner(fight, who, GRAPPLING):
        fight.refuse(clause, f"{who} grapples nobody.")
    grapples.release(fight, who, GRAPPLING, clause, "let go")


def seize(fight: Resolution, said: Grapple) -> None:
    """dungeoneers.grapple.roll: power with the weapon's hit dice against the dodge; a tie succeeds."""
    who, target, clause = said.who, said.target, "dungeoneers.grapple.roll"
    check_target(fight, who, target, said.hostile)
    weapon = gear.for_melee(fight, who, said.with_)
    within_reach(fight, who, target, "dungeoneers.grapple.requires-threat")
    free = _check_pair(fight, who, target) and fight.state.stands(who) and points.alive(fight, target)
    turn_to(fight, who, target, said.keep_facing)
    dice = (said.defend_with, said.hit_dice, said.dodge_dice)
    hit, dodge = power_against_dodge(fight, clause, who, target, weapon.hit, *dice)
    if fight.compare(clause, hit, ">=", dodge, who, target, yes="grappled", no="failed") and free:
        grapples.grab(fight, who, target)


def _check_pair(fight: Resolution, who: str, target: str) -> bool:
    """dungeoneers.grapple.one-pair: nobody grapples two, nobody is grappled by two."""
    held, by = grapples.partner(fight, who, GRAPPLING), grapples.partner(fight, target, GRAPPLED)
    if held:
        loose: Offers = [("grapple", {"who": who, "release": True})]
        fight.refuse("dungeoneers.grapple.one-pair", f"{who} grapples {held}.", loose)
    elif by:
        fight.refuse("dungeoneers.grapple.one-pair", f"{target} is grappled by {by}.")
    return not (held or by)
