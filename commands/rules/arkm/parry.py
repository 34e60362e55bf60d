"""Parry: better defended, and no attack."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import ability, order, ways
from .arms import in_hand

PARRYING = "parrying"


class Parry(Declaration):
    """Parry for the rest of the round: attacks need 2 more, and there is no attack of one's own."""

    who: Annotated[Fighter, Meta(description="Who parries.")]


def parry(fight: Resolution, said: Parry) -> None:
    """arkm.parry.defence: at any time of the round, up to one's own place in the melee phase."""
    who, clause = said.who, "arkm.parry.defence"
    ability.check(fight, who)
    ability.check_running(fight, who)
    order.check_decided_or_open(fight)
    if done := order.acted(fight, who):
        fight.refuse(clause, f"{who} has had the action of this round ({done}).", ways.next_round(fight))
    weapons = in_hand(fight, who)
    if weapons and not any(weapon.is_("melee") for weapon in weapons):
        fight.refuse(clause, f"{who} has only {weapons[0].id} in hand.", "A melee weapon, or empty hands, can parry.")
    in_order = fight.state.turns.phase == "melee" and not order.pair_of(fight, who)
    if in_order and order.place(fight, who) < order.pointer(fight):
        fight.refuse(
            "arkm.initiative.highest-first", f"{who}'s place in the melee phase has passed.", ways.next_place(fight)
        )
    order.use_action(fight, who, order.PARRY)
    fight.rule(clause, "attacks against him need 2 more", who=who)
    fight.record(ConditionGained(who, PARRYING, "round-end"))
