"""Effects: modifiers for a while, by the game master's word."""

from typing import Annotated, Literal

from commands.action import effects
from commands.action.declaration import Amount, Declaration, Fighters, says
from commands.action.resolution import Resolution
from ledger.events import DROPPED, ConditionGained

from .actions import RESCUED
from .conditions import ALOFT, DIFFICULT, FIRED, HURRIED, PRONE, TRIGGERED, WAITING

_RESERVED = ("mortally wounded", PRONE, FIRED, WAITING, TRIGGERED, "opportunity taken", RESCUED, ALOFT)
"""Conditions that the rules give and take themselves."""
_MOVES = (*HURRIED.values(), DIFFICULT)
"""Conditions that a move gives; the game master may end them."""


_Kind = Literal["untyped", "attack", "damage", "defense", "armor"]
_Until = Literal["turn-start", "turn-end", "round-end", "encounter-end", "removed"]


class Effect(Declaration):
    """Give somebody an effect, such as a blessing or the power of a weapon; or end one."""

    who: Annotated[Fighters, says("Who has it.")]
    name: Annotated[str, says("What it is called.", min_length=1, max_length=40)]
    amount: Annotated[Amount, says("What it adds.")] = 0
    kind: Annotated[_Kind, says("What it is added to.")] = "untyped"
    until: Annotated[_Until, says("How long it lasts: until the start of their next turn, ...")] = "turn-start"
    rounds: effects.Rounds | None = None
    whose: effects.Whose = ""
    end: effects.EndsNow = False


def effect(fight: Resolution, said: Effect) -> None:
    """Records the effect, or its end. An amount of 0 is a power that no roll shows: freepg.bonus.weapon-utility."""
    if said.name in _RESERVED or said.name.casefold().startswith(DROPPED):
        fight.impossible(f"The rules use the name {said.name!r} themselves.", "Choose another name.")
    if said.name in _MOVES and not said.end:
        fight.impossible(f"A move gives {said.name!r} by itself.", "Choose another name.")
    if said.kind != "untyped" and not (said.amount or said.end):
        effects.lacks_amount(fight, said.name, said.kind)
    until, last = effects.lasts(fight, said.until, said.rounds, said.whose, "turn-start")
    for who in said.who:
        if said.end:
            fight.no_longer(who, *effects.every_part(fight, who, said.name, _RESERVED))
        else:
            ends = said.whose or who
            whose = fight.sheet(ends).seat_of(ends) if until in ("turn-start", "turn-end") else ""
            modifies = said.kind if said.amount else ""
            name = effects.part(fight, who, said.name, modifies)
            fight.record(ConditionGained(who, name, until, whose, last, amount=said.amount, modifies=modifies))
