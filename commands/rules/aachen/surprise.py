"""Surprise: one side's turn alone, before initiative."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, PhaseBegan

from . import actions, checks, order
from .fighters import SURPRISED, members, other_side, side
from .tables import Attribute


class Surprise(Declaration):
    """Roll whether a side surprises the other; if it does, it has a round of its own."""

    side: Annotated[
        Literal["pc", "opp"] | None, Meta(description="The side that attacks.", extra={"positional": True})
    ] = None
    by: Annotated[Fighter, Meta(description="Who rolls DEX/Sneak, if not the worst at it.")] = ""
    against: Annotated[Fighter, Meta(description="Who rolls WIS/Notice, if not the best at it.")] = ""
    result: Annotated[Literal["yes", "no"], Meta(description="The referee's word, instead of a roll.")] | None = None


def surprise(fight: Resolution, said: Surprise) -> None:
    """Before initiative only: aachen.round.sequence."""
    clause, state = "aachen.round.sequence", fight.state
    if not state.encounter.running:
        fight.refuse(clause, "No encounter is under way.", order.onward(fight.state))
        fight.impossible("Nobody can be surprised before an encounter.", order.onward(fight.state))
    if state.turns.round:
        fight.refuse(clause, "Initiative has been rolled; it is too late for surprise.", order.onward(state))
    elif state.turns.phase:
        fight.refuse(clause, "There has been a surprise round.", order.onward(state))
    attackers = _attackers(fight, said)
    defenders = other_side(attackers)
    if said.result or _succeeds(fight, said, attackers, defenders):
        if said.result:
            fight.rule("aachen.surprise.attempt", {"yes": "surprise", "no": "no surprise"}[said.result])
        if said.result != "no":
            _free_round(fight, defenders)


def _attackers(fight: Resolution, said: Surprise) -> str:
    """The side that attacks: the one named, or that of its roller."""
    named = {
        said.side or "",
        side(fight.state, said.by) if said.by else "",
        other_side(side(fight.state, said.against)) if said.against else "",
    } - {""}
    if len(named) != 1:
        fight.impossible("Which side surprises the other?" if not named else "Those named are not on opposite sides.",
                         "Say the side that attacks: surprise pc, or surprise opp.")  # fmt: skip
    (attackers,) = named
    for name in (attackers, other_side(attackers)):
        if not members(fight.state, name):
            fight.impossible(f"Nobody of the side {name} is able to act.", "affray status")
    return attackers


def _succeeds(fight: Resolution, said: Surprise, attackers: str, defenders: str) -> bool:
    """aachen.surprise.check: DEX/Sneak of the worst attacker against WIS/Notice of the best defender."""
    for named in (said.by, said.against):
        if named:
            actions.check_able(fight, named)
    by = said.by or min(members(fight.state, attackers), key=_skill(fight, "DEX", "sneak"))
    against = said.against or max(members(fight.state, defenders), key=_skill(fight, "WIS", "notice"))
    sneak, notice = checks.Try(by, "DEX", "sneak"), checks.Try(against, "WIS", "notice")
    clauses = ("aachen.surprise.check", "aachen.surprise.tie")
    return checks.oppose(fight, clauses, sneak, notice, yes="surprise", no="no surprise")


def _skill(fight: Resolution, attribute: Attribute, skill: str) -> "checks.Worth":
    def worth(who: str) -> int:
        return checks.bonus(fight, checks.Try(who, attribute, skill))

    return worth


def _free_round(fight: Resolution, defenders: str) -> None:
    """aachen.surprise.free-round; but aachen.watchful.unsurprised: the watchful may act in it too."""
    fight.record(PhaseBegan("surprise"))
    for who in fight.state.roster.order:
        if not fight.state.stands(who):
            continue
        defends = side(fight.state, who) == defenders
        if defends and not fight.sheet(who).watchful:
            fight.record(ConditionGained(who, SURPRISED, "round-end"))
            continue
        if defends:
            fight.rule("aachen.watchful.unsurprised", "not surprised", who=who)
        actions.grant(fight, who)
