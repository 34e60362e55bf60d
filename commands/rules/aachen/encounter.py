"""The encounter: beginning and end."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration
from commands.action.encounters import require_none
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Disengaged, EncounterBegan, EncounterEnded, PointsSet

from . import falls, order
from .fighters import HELD, in_contact
from .order import TURN


class Begin(Declaration):
    """Begin an encounter. Then reaction and surprise if wanted, and initiative."""

    name: Annotated[str, Meta(max_length=100, description="A name for the encounter.", extra={"positional": True})] = ""


def begin(fight: Resolution, said: Begin) -> None:
    """Whoever stands takes part; the clocks of the mortally wounded run on."""
    require_none(fight)
    if not fight.state.roster.order:
        fight.impossible("Nobody is at the table.", "affray join adalger")
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name))
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            fight.record(PointsSet(who, TURN, 0))
        falls.start_clock(fight, who)


class End(Declaration):
    """End the encounter."""


def end(fight: Resolution, said: End) -> None:
    """Contact, grapples, held actions and what was to last for a round end with it; nobody's clock runs on."""
    if not fight.state.encounter.running:
        fight.impossible("No encounter is under way.", order.onward(fight.state))
    for waiting in fight.state.pending.waiting:
        fight.settle(waiting.kind, waiting.who, "lost" if waiting.kind == HELD else "done")
    for who in fight.state.roster.order:
        falls.stop_clock(fight, who)
        for other in in_contact(fight.state, who):
            fight.record(Disengaged(who, other))
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if held[name].until != "removed":
                fight.record(ConditionEnded(who, name))
    fight.record(EncounterEnded(fight.state.encounter.number))
