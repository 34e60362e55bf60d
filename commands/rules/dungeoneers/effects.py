"""Effects: what spells and abilities do to a number, by the referee's word."""

from typing import Annotated, Literal, get_args

from msgspec import Meta

from commands.action.declaration import Amount, Declaration, Fighters
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, number
from projections.harm import Condition

from . import grapples, points
from .basics import SPRINTING
from .points import GRAPPLED, GRAPPLING
from .pools import DEFENSIVE, PRONE
from .tables import Die
from .threat import THREATENED

RESERVED = (PRONE, THREATENED, DEFENSIVE, SPRINTING, GRAPPLING, GRAPPLED)
"""Conditions that the rules give and take themselves."""
MOVEMENT = "movement points"


class Effect(Declaration):
    """Give somebody an effect, such as mage armor; or end one."""

    who: Annotated[Fighters, Meta(description="Whom it concerns.")]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What it is called.")]
    amount: Annotated[Amount, Meta(description="What it adds; of a die, how many sides it has.")] = 0
    kind: Annotated[
        Literal[
            "armor-value",
            "spell-resistance",
            "threat-range",
            "dodge-die",
            "dodge-dice",
            "spell-pierce-die",
            "spell-pierce-dice",
            "resistance",
            "movement-points",
        ],
        Meta(description="What it is added to, or which die it changes."),
    ] = "armor-value"
    until: Annotated[
        Literal["removed", "turn-start", "encounter-end"],
        Meta(description="How long it lasts: until it is ended, until the own next turn starts, ..."),
    ] = "removed"
    end: Annotated[bool, Meta(description="It ends now.")] = False


def effect(fight: Resolution, said: Effect) -> None:
    """Records the effect, or its end. Without an amount it is only remembered."""
    if said.name.casefold() in RESERVED:
        fight.impossible(f"{said.name!r} is a word of the rules, not of an effect.", "Choose another name.")
    for who in said.who:
        held = fight.state.conditions.of.get(who, {})
        if not said.end:
            put_in_force(fight, who, said.name, said.kind.replace("-", " "), said.amount, said.until)
        elif said.name in held:
            fight.record(ConditionEnded(who, said.name))
            _change_movement(fight, who, said.name, -_movement(held.get(said.name)))
        else:
            fight.impossible(f"{who} has no effect {said.name!a}.", f"There are: {', '.join(held) or 'none'}.")
    grapples.part(fight)


def put_in_force(
    fight: Resolution,
    who: str,
    name: str,
    kind: str,
    amount: int,
    until: Literal["removed", "turn-start", "encounter-end"] = "removed",
) -> None:
    """From now on the effect holds. Movement points change at once on the creature's own turn, as by a sprint."""
    if kind.endswith(" die") and amount not in get_args(Die):
        sizes = ", ".join(map(str, get_args(Die)))
        again = f"affray effect {who} '{name}' --kind {kind.replace(' ', '-')} --amount 6"
        fight.impossible(f"A {kind} has {sizes} sides, not {amount}.", again)
    before = _movement(fight.state.conditions.get(who, name))
    whose = who if until == "turn-start" else ""
    fight.record(ConditionGained(who, name, until, whose, amount=amount, modifies=kind if amount else ""))
    _change_movement(fight, who, name, (amount if kind == MOVEMENT else 0) - before)


def _movement(held: Condition | None) -> int:
    return held.amount if held and held.modifies == MOVEMENT else 0


def _change_movement(fight: Resolution, who: str, name: str, change: int) -> None:
    """dungeoneers.movement.default-point: on its own turn a creature has the difference at once."""
    if change and fight.state.turns.who == who:
        gain = grapples.gained(fight, who, number(MOVEMENT, change, name))
        fight.rule("dungeoneers.movement.default-point", "", [gain], who=who)
        points.become(fight, who, "movement", fight.state.points.left(who, "movement") + gain.total)
