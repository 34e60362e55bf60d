"""Rounds and phases: opening the next, being done with a place, and letting one's action go."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.encounters import require_encounter
from commands.action.resolution import UNDO, Remedy, Resolution
from ledger.events import RoundBegan

from . import acting, order
from .new_round import go_on, roll
from .order import PHASES
from .waiting import before, check_rest, go_by, lose_attacks

_NEXT_ROUND: list[Remedy] = [("round", {"pass_rest": True})]


class Initiative(Declaration):
    """Roll initiative for the first round: one D6 for each group."""


def initiative(fight: Resolution, said: Initiative) -> None:
    """Once a round; `round` rolls for the later ones."""
    require_encounter(fight)
    turns = fight.state.turns
    if order.is_decided(fight):
        message = f"Initiative for round {turns.round} is decided."
        fight.refuse("arkm.initiative.one-die-per-group", message, _NEXT_ROUND)
        fight.impossible("A second roll would have no meaning.", UNDO)
    if not turns.round:
        fight.record(RoundBegan(1))
    roll(fight)


class Round(Declaration):
    """End this round, and roll initiative for the next; or begin the first."""

    pass_rest: Annotated[bool, says("Anyone who could still act gives up their action.")] = False


def round_(fight: Resolution, said: Round) -> None:
    """arkm.phase.next-initiative: what lasted this round ends, then all groups roll again.

    arkm.initiative.reroll-each-round
    """
    require_encounter(fight)
    go_on(fight, said.pass_rest)


class Phase(Declaration):
    """Open the next phase of the round, or a later one: movement, missile, magic, melee."""

    name: Annotated[
        Literal["movement", "missile", "magic", "melee", "next"], says("Which; by default the next.", positional=True)
    ] = "next"
    to: Annotated[Fighter, says("Go on to this group's place in it.")] = ""
    pass_rest: Annotated[bool, says("Anyone who could still act gives up the phase.")] = False


def phase(fight: Resolution, said: Phase) -> None:
    """arkm.phase.order: forward only, one after the other."""
    order.check_decided(fight)
    now = fight.state.turns.phase
    at = PHASES.index(now) if now else -1
    if said.name == "next" and now == "melee":
        fight.impossible("The melee phase is the last.", _NEXT_ROUND)
    wanted = PHASES[at + 1] if said.name == "next" else said.name
    if said.to and wanted == now and order.place(fight, said.to) != order.pointer(fight):
        acting.come_to_place(fight, said.to, said.pass_rest)
        return
    if PHASES.index(wanted) <= at:
        fight.refuse("arkm.phase.order", f"This is the {now} phase; phases go forward only.", _NEXT_ROUND)
        fight.impossible(f"The {wanted} phase is open or over.", UNDO)
    acting.open_phase(fight, wanted, pass_rest=said.pass_rest)
    if said.to:
        acting.come_to_place(fight, said.to, said.pass_rest)


class Done(Declaration):
    """Go on from the groups that act now. The next place or phase begins at once, as groups have no turns."""

    pass_rest: Annotated[bool, says("Anyone in this place who could still act gives up the phase.")] = False


def done(fight: Resolution, said: Done) -> None:
    """Through the order of initiative, phase by phase; anyone who could still act gives up the phase."""
    order.check_decided(fight)
    now = fight.state.turns.phase
    every, at = order.places(fight), order.pointer(fight)
    fight.means(*(every[at].split(order.TIE) if now and every else ()))
    if now and not said.pass_rest:
        check_rest(fight)
    following = order.next_place(fight, at + 1)
    if now and following is not None:
        go_by(fight, "arkm.initiative.highest-first", [(who, now) for who in before(fight, following)])
        order.begin_place(fight, every[following])
    elif now == PHASES[-1]:
        fight.impossible("Everybody has had their turn in the last phase.", _NEXT_ROUND)
    else:
        acting.open_phase(fight, PHASES[PHASES.index(now) + 1 if now else 0], pass_rest=True)


class Pass(Declaration):
    """Give up the action of this round, so that others can go on. For a side, everyone who has not acted."""

    who: Annotated[Fighters, says("Who passes.")]


def pass_(fight: Resolution, said: Pass) -> None:
    """It takes the action of the round, at any time of it."""
    order.check_decided_or_open(fight)
    waiting = [who for who in said.who if not order.acted(fight, who)]
    more = [who for who in said.who if who not in waiting and fight.state.counts.get(who, order.ATTACKS)]
    for who in more:
        lose_attacks(fight, who)
    if not waiting and not more:
        who = said.who[0]
        fight.impossible(f"{who} has already acted this round ({order.acted(fight, who)}).")
    for who in waiting:
        acting.use_action(fight, who, "pass")
