"""Phases: opening the next, being done with a place, and letting one's action go."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.declaration import Declaration, Fighter
from commands.resolution import Resolution
from ledger.events import TurnBegan

from . import order
from .order import PHASES


class Phase(Declaration):
    """Open the next phase of the round, or a later one: movement, missile, magic, melee."""

    name: Annotated[
        Literal["movement", "missile", "magic", "melee", "next"],
        Meta(description="Which; without, the next.", extra={"positional": True}),
    ] = "next"


def phase(fight: Resolution, said: Phase) -> None:
    """arkm.phase.order: forward only, one after the other."""
    order.check_decided(fight)
    now = fight.state.turns.phase
    at = PHASES.index(now) if now else -1
    if said.name == "next" and now == "melee":
        fight.impossible("The melee phase is the last.", "affray round ends the round and rolls for the next.")
    wanted = PHASES[at + 1] if said.name == "next" else said.name
    if PHASES.index(wanted) <= at:
        fight.refuse("arkm.phase.order", f"This is the {now} phase; phases go forward only.", "affray round")
        fight.impossible(f"The {wanted} phase is open or over.", "affray undo takes back what was recorded.")
    order.open_phase(fight, wanted)


class Done(Declaration):
    """The groups whose place it is are done: on to the next place, or the next phase."""


def done(fight: Resolution, said: Done) -> None:
    """Through the order of initiative, phase by phase."""
    order.check_decided(fight)
    now = fight.state.turns.phase
    every, at = order.places(fight), order.pointer(fight)
    if now and at + 1 < len(every):
        fight.record(TurnBegan(every[at + 1]))
    elif now == PHASES[-1]:
        fight.impossible("Everybody has had a place in the last phase.", "affray round")
    else:
        order.open_phase(fight, PHASES[PHASES.index(now) + 1 if now else 0])


class Pass(Declaration):
    """Let the action of this round go: whoever has to wait for it need wait no longer."""

    who: Annotated[Fighter, Meta(description="Who passes.", extra={"word": "fighter"})]


def pass_(fight: Resolution, said: Pass) -> None:
    """It takes the action of the round, at any time of it."""
    order.check_decided(fight)
    if done_ := order.acted(fight, said.who):
        fight.impossible(f"{said.who} has had the action of this round ({done_}).")
    order.use_action(fight, said.who, "pass")
