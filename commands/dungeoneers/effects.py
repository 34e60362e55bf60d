"""Effects: what spells and abilities do to a number, by the referee's word."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.declaration import Amount, Declaration, Fighters
from commands.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained

from . import grapples
from .basics import SPRINTING
from .points import GRAPPLED, GRAPPLING
from .pools import DEFENSIVE, PRONE
from .threat import THREATENED

RESERVED = (PRONE, THREATENED, DEFENSIVE, SPRINTING, GRAPPLING, GRAPPLED)
"""Conditions that the rules give and take themselves."""


class Effect(Declaration):
    """Give somebody an effect, such as mage armor; or end one."""

    who: Annotated[Fighters, Meta(description="Whom it concerns.", extra={"word": "fighters"})]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What it is called.")]
    amount: Annotated[Amount, Meta(description="What it adds.")] = 0
    kind: Annotated[
        Literal["armor-value", "spell-resistance", "threat-range"], Meta(description="What it is added to.")
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
            modifies = said.kind.replace("-", " ") if said.amount else ""
            whose = who if said.until == "turn-start" else ""
            fight.record(ConditionGained(who, said.name, said.until, whose, amount=said.amount, modifies=modifies))
        elif said.name in held:
            fight.record(ConditionEnded(who, said.name))
        else:
            fight.impossible(f"{who} has no effect {said.name!a}.", f"There are: {', '.join(held) or 'none'}.")
    grapples.part(fight)
