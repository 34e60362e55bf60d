"""Rounds and turns: who acts when, and what the end of a round brings."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter, Fighters
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, PointsSet, RoundBegan

from . import actions, crushing, falls, order
from .fighters import DELAYING, HELD, MORTAL
from .order import TURN


class Turn(Declaration):
    """Begin somebody's turn; or (--after) delay it until another's turn has ended.

    The first action of somebody begins its turn as well.
    """

    who: Annotated[Fighter, Meta(description="Whose.")]
    after: Annotated[Fighter, Meta(description="It waits for this one's turn to end.")] = ""


def turn(fight: Resolution, said: Turn) -> None:
    """aachen.initiative.any-order: within a slot its members come in any order."""
    if said.after:
        _delay(fight, said.who, said.after)
        return
    if fight.state.turns.who == said.who:
        fight.impossible(f"It is the turn of {said.who} already.", "affray done")
    if not actions.take_turn(fight, said.who):
        fight.impossible("No round is under way.", order.onward(fight.state))


def _delay(fight: Resolution, who: str, after: str) -> None:
    """aachen.actions.delay: both actions are kept, and the round waits."""
    clause, state = "aachen.actions.delay", fight.state
    actions.check_able(fight, who)
    if not actions.check_phase(fight, who):
        fight.impossible("No round is under way.", order.onward(state))
    if who not in order.waiting(state):
        hint = "affray done" if state.turns.who == who else order.onward(state)
        fight.refuse("aachen.round.one-turn-each", f"{who} has begun its turn of this round.", hint)
    if after != state.turns.who and after not in order.waiting(state):
        fight.refuse(clause, f"{after} acts no more in this round.", order.onward(state))
    chain = [after]
    while (held := state.conditions.of.get(chain[-1], {}).get(DELAYING)) and held.whom[0] not in chain:
        chain.append(held.whom[0])
    if who in chain:
        fight.impossible(f"{who} cannot wait for itself.", order.onward(state))
    if state.turns.who == who:
        actions.close_turn(fight)
    if not state.points.left(who, TURN):
        fight.record(PointsSet(who, TURN, 1))  # the referee lets it take another turn
    fight.rule(clause, f"{who} waits for {after}", who=who)
    fight.record(ConditionGained(who, DELAYING, "round-end", whom=(after,)))


class Done(Declaration):
    """End the turn that is under way."""


def done(fight: Resolution, said: Done) -> None:
    """What is not spent is lost, but for instants."""
    if not fight.state.turns.who:
        fight.impossible("No turn is under way.", order.onward(fight.state))
    actions.close_turn(fight)


class Pass(Declaration):
    """Let the turns of some go by."""

    who: Annotated[Fighters, Meta(description="Whose turns.")]


def pass_(fight: Resolution, said: Pass) -> None:
    """Each begins its turn, and ends it, in the order in which they may."""
    state = fight.state
    left = [who for who in said.who if who in order.waiting(state) or who == state.turns.who] or list(said.who)
    while left:
        now, may = fight.state.turns.who, order.up_next(fight.state)
        who = now if now in left else next((who for who in left if who in may), left[0])
        if not actions.take_turn(fight, who):
            fight.impossible("No round is under way.", order.onward(fight.state))
        actions.close_turn(fight)
        left.remove(who)


class Round(Declaration):
    """Begin the next round."""


def round_(fight: Resolution, said: Round) -> None:
    """aachen.round.next: everybody able to act must have had its turn."""
    state = fight.state
    if not state.turns.round:
        clause, hint = "aachen.round.sequence", order.passing(state) if order.waiting(state) else order.onward(state)
        fight.refuse(clause, "Initiative has not been rolled.", hint)
        fight.impossible("There is no round to follow.", hint)
    if left := order.waiting(state):
        names = ", ".join(left)
        fight.refuse("aachen.round.next", f"{names} may still act in this round.", order.passing(state))
    close_round(fight)
    open_round(fight, fight.state.turns.round + 1)


def open_round(fight: Resolution, nth: int) -> None:
    """aachen.initiative.kept: it starts with the same slot again."""
    fight.record(RoundBegan(nth))
    for who in fight.state.roster.order:
        down = fight.state.harm.down.get(who)
        if not down or (down.how != "dead" and TURN in fight.state.points.of.get(who, {})):
            actions.grant(fight, who)


def close_round(fight: Resolution) -> None:
    """Grapple damage, deaths, and then everything that lasts until the end of the round ends."""
    if fight.state.turns.who:
        actions.close_turn(fight)
    crushing.squeeze(fight)
    now = fight.state.turns.round
    for who in fight.state.roster.order:
        clock = fight.state.conditions.get(who, MORTAL)
        if clock and clock.until == "round-end" and clock.round <= now:
            falls.bleed_out(fight, who)
    for who in fight.state.roster.order:
        for condition, held in fight.state.conditions.held(who):
            if held.until == "round-end" and held.round <= now:
                fight.record(ConditionEnded(who, condition))
        fight.settle(HELD, who, "lost")  # aachen.actions.hold: unused, it is lost
