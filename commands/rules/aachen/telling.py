"""Actions that are told in words: the referee says what comes of them."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter, Text
from commands.action.resolution import Resolution
from ledger.events import Noted

from . import actions
from .actions import MAIN


class Cast(Declaration):
    """Cast a spell: a main action. What it does is recorded with effect, adjust and save."""

    who: Annotated[Fighter, Meta(description="Who casts.")]
    text: Annotated[Text, Meta(description="The spell, and what comes of it.")]


def cast(fight: Resolution, said: Cast) -> None:
    """aachen.actions.cast: the rules of spells are elsewhere."""
    actions.main_action(fight, said.who, combat=False)
    tell(fight, said.who, said.text)


class Act(Declaration):
    """Do something that has no rules, told in words: screen an ally, shatter a shield, run."""

    who: Annotated[Fighter, Meta(description="Who acts.")]
    text: Annotated[Text, Meta(description="What is done.")]
    cost: Annotated[Literal["main", "move", "none"], Meta(description="The action that it takes.")] = "main"


def act(fight: Resolution, said: Act) -> None:
    """aachen.actions.other; with --cost none the words and reflexes of aachen.actions.on-turn."""
    if actions.take_turn(fight, said.who, combat=False):
        if said.cost == MAIN:
            actions.spend(fight, said.who, MAIN)
        elif said.cost == "move":
            actions.move_action(fight, said.who)
    tell(fight, said.who, said.text)


def tell(fight: Resolution, who: str, text: str) -> None:
    """Records the words."""
    fight.record(Noted(text, who))
