"""Deeds described in words: spells, other actions, and effects that last a while."""

from typing import Annotated, Literal

from commands.action import effects
from commands.action.declaration import Amount, Declaration, Fighter, Fighters, Text, says
from commands.action.resolution import Resolution
from ledger.events import DROPPED, ConditionGained, Noted

from . import actions
from .actions import MAIN, MOVE
from .fighters import RESERVED


class Cast(Declaration):
    """Cast a spell: a main action. What it does is recorded with effect, adjust and save."""

    who: Annotated[Fighter, says("Who casts.")]
    text: Annotated[Text, says("The spell, and what comes of it.")]


def cast(fight: Resolution, said: Cast) -> None:
    """aachen.actions.cast: the rules of spells are elsewhere."""
    actions.main_action(fight, said.who, combat=False)
    fight.record(Noted(said.text, said.who))


class Act(Declaration):
    """Do something that the rules do not cover: screen an ally, shatter a shield, run."""

    who: Annotated[Fighter, says("Who acts.")]
    text: Annotated[Text, says("What is done.")]
    cost: Annotated[Literal["main", "move", "none"], says("The action that it takes.")] = "main"


def act(fight: Resolution, said: Act) -> None:
    """aachen.actions.other; with --cost none the words and reflexes of aachen.actions.on-turn."""
    if actions.take_turn(fight, said.who, combat=False):
        if said.cost == MAIN:
            actions.spend(fight, said.who, MAIN)
        elif said.cost == MOVE:
            actions.move_action(fight, said.who)
    fight.record(Noted(said.text, said.who))


_KINDS = {"ac": "AC"}
"""What an effect modifies, where the board says it otherwise."""


class Effect(Declaration):
    """Give somebody an effect, such as a blessing or a broken shield; or end one."""

    who: Annotated[Fighters, says("Who has it.")]
    name: Annotated[str, says("What it is called.", min_length=1, max_length=40)]
    amount: Annotated[Amount, says("What it adds.")] = 0
    kind: Annotated[Literal["ac", "attack", "damage", "shock", "check", "save"], says("What it is added to.")] = "ac"
    until: Annotated[
        Literal["removed", "turn-start", "turn-end", "round-end", "encounter-end"],
        says("How long it lasts: until somebody ends it, to the end of their turn, ..."),
    ] = "removed"
    rounds: effects.Rounds | None = None
    whose: effects.Whose = ""
    end: effects.EndsNow = False


def effect(fight: Resolution, said: Effect) -> None:
    """Records the effect, or its end. Without an amount it is only remembered."""
    if said.name.casefold() in RESERVED or said.name.casefold().startswith(DROPPED):
        hint = "Choose another name, or set the condition with adjust."
        fight.impossible(f"The rules use the name {said.name!r} themselves.", hint)
    if said.end:
        for who in said.who:
            fight.no_longer(who, *effects.every_part(fight, who, said.name, RESERVED))
        return
    if said.kind != "ac" and not said.amount:
        effects.lacks_amount(fight, said.name, said.kind)
    until, last = effects.lasts(fight, said.until, said.rounds, said.whose)
    for who in said.who:
        whose = said.whose or who if until in ("turn-start", "turn-end") else ""
        modifies = _KINDS.get(said.kind, said.kind) if said.amount else ""
        name = effects.part(fight, who, said.name, modifies)
        fight.record(ConditionGained(who, name, until, whose, last, amount=said.amount, modifies=modifies))
