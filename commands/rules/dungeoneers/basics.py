"""The basic actions that concern nobody but the one who takes them: disengage, defend, sprint."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, number

from . import gear, grapples, points
from .chain import Pools
from .points import GRAPPLED
from .pools import DEFENSIVE, power_against_dodge
from .threat import THREATENED

SPRINTING = "sprinting"
SPRINT = 2
"""Movement points that a sprint adds: dungeoneers.sprinting.points."""


class Disengage(Pools):
    """Lose the condition threatened until the next move; or, when grappled, try to break free."""

    who: Annotated[Fighter, Meta(description="Who disengages.")]
    defend_with: Annotated[
        Literal["prowess", "power", ""], Meta(description="The score to break free with; the higher if not said.")
    ] = ""


def disengage(fight: Resolution, said: Disengage) -> None:
    """One action point."""
    points.act(fight, said.who, "disengage")
    withdraw(fight, said)


def withdraw(fight: Resolution, said: Disengage) -> None:
    """dungeoneers.disengage.clear-threatened: from everybody, until threat is next worked out."""
    if grapples.partner(fight, said.who, GRAPPLED):
        break_free(fight, said)
    elif fight.state.conditions.has(said.who, THREATENED):
        # dungeoneers.disengage.threatened-again: the next tile that anybody moves may bring it back.
        fight.record(ConditionEnded(said.who, THREATENED))


def break_free(fight: Resolution, said: Disengage) -> None:
    """dungeoneers.grapple.break: the grappler is the attacker.

    dungeoneers.grapple.break-tie: here a tie is the defender's.
    """
    held, grappler = said.who, grapples.partner(fight, said.who, GRAPPLED)
    clause = "dungeoneers.grapple.break"
    sides = gear.for_melee(fight, grappler, "").hit
    dice = (said.defend_with, said.hit_dice, said.dodge_dice)
    hit, dodge = power_against_dodge(fight, clause, grappler, held, sides, *dice)
    tie = "dungeoneers.grapple.break-tie"
    if fight.compare(tie, dodge, ">=", hit, who=held, about=grappler, yes="broken", no="held"):
        grapples.release(fight, held, GRAPPLED, clause, "broken")


class Defend(Declaration):
    """Roll one more dodge die until the own next turn starts."""

    who: Annotated[Fighter, Meta(description="Who defends itself.")]


def defend(fight: Resolution, said: Defend) -> None:
    """dungeoneers.defend.action: one action point."""
    points.act(fight, said.who, "defend")
    take_guard(fight, said.who)


def take_guard(fight: Resolution, who: str) -> None:
    """Defensive, until the start of the creature's next turn."""
    _become(fight, who, DEFENSIVE)


class Sprint(Declaration):
    """Gain two movement points."""

    who: Annotated[Fighter, Meta(description="Who sprints.")]


def sprint(fight: Resolution, said: Sprint) -> None:
    """dungeoneers.sprint.action: one action point."""
    points.act(fight, said.who, "sprint")
    hasten(fight, said.who)


def hasten(fight: Resolution, who: str) -> None:
    """Sprinting, until the start of the creature's next turn, with its points at once."""
    if _become(fight, who, SPRINTING):
        gain = grapples.gained(fight, who, number("movement points", SPRINT, "sprint"))
        fight.rule("dungeoneers.sprinting.points", "", [gain], who=who)
        if gain.total:
            points.become(fight, who, "movement", fight.state.points.left(who, "movement") + gain.total)


def _become(fight: Resolution, who: str, condition: str) -> bool:
    """dungeoneers.condition.no-stacking: a condition is held or not."""
    if fight.state.conditions.has(who, condition):
        fight.refuse("dungeoneers.condition.no-stacking", f"{who} is {condition} already.")
        return False
    fight.record(ConditionGained(who, condition, "turn-start", who))
    return True
