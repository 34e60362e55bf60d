"""Falling: mortal wounds, their clock, and death."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Disengaged, Felled, Number, Rose, number

from . import actions, grapples, morale
from .fighters import HELD, MORTAL, STABLE, has, in_contact
from .sheet import FRAIL

ROUNDS = 6
"""Rounds after that of the fall, at whose end the mortally wounded die."""


def fall(fight: Resolution, who: str) -> None:
    """At 0 hit points: mortally wounded, or dead at once. Who was stable is so no longer."""
    sheet = fight.sheet(who)
    if has(fight.state, who, STABLE):
        fight.record(ConditionEnded(who, STABLE))
    if has(fight.state, who, FRAIL):
        fight.rule("aachen.mortal.frail-dies", "dies", who=who)
        fight.record(Felled(who, "dead"))
    elif sheet.minor and sheet.kind != "pc":
        fight.rule("aachen.mortal.minor-dies", "dies", who=who)
        fight.record(Felled(who, "dead"))
    else:
        fight.rule("aachen.mortal.wound", "mortally wounded", who=who)
        fight.record(Felled(who, "dying"))
    lie_down(fight, who)


def can_fall(fight: Resolution, who: str) -> bool:
    """Whether somebody at 0 was not there before: who is unconscious with hit points left can still be wounded."""
    down = fight.state.harm.down.get(who)
    return not down or (down.how == "unconscious" and not has(fight.state, who, STABLE))


def lie_down(fight: Resolution, who: str) -> None:
    """What follows when somebody is down, by a rule or by the referee's word."""
    down = fight.state.harm.down[who]
    for condition in (MORTAL, STABLE):
        if down.how == "dead" and has(fight.state, who, condition):
            fight.record(ConditionEnded(who, condition))
    if down.how == "dying" and not has(fight.state, who, MORTAL):
        _set_clock(fight, who, 0)
    drop_out(fight, who)
    morale.report(fight, who)


def get_up(fight: Resolution, who: str) -> None:
    """What ends when somebody is no longer down."""
    for condition in (MORTAL, STABLE):
        if has(fight.state, who, condition):
            fight.record(ConditionEnded(who, condition))


def rise(fight: Resolution, who: str) -> None:
    """Somebody is down no more, and stable or mortally wounded no more."""
    get_up(fight, who)
    fight.record(Rose(who))


def drop_out(fight: Resolution, who: str) -> None:
    """Whoever is down or gone is in no contact and no grapple, holds no action, and has no turn under way."""
    for other in in_contact(fight.state, who):
        fight.record(Disengaged(who, other))  # aachen.damage.out-of-action
    grapples.let_all_go(fight, who)
    fight.settle(HELD, who, "lost")
    if fight.state.turns.who == who:
        actions.close_turn(fight)


def since(fight: Resolution, who: str) -> int:
    """Rounds that have begun since somebody fell."""
    clock = fight.state.conditions.of[who][MORTAL]
    return fight.state.turns.round - (clock.round - ROUNDS) if clock.until == "round-end" else clock.amount


def start_clock(fight: Resolution, who: str) -> None:
    """In an encounter the clock of the mortally wounded runs."""
    clock = fight.state.conditions.get(who, MORTAL)
    if clock and clock.until == "removed":
        _set_clock(fight, who, clock.amount)


def _set_clock(fight: Resolution, who: str, passed: int) -> None:
    if fight.state.encounter.running:
        last = fight.state.turns.round + ROUNDS - passed
        fight.record(ConditionGained(who, MORTAL, "round-end", round=last))
    else:
        fight.record(_stopped(who, passed))


def _stopped(who: str, passed: int) -> ConditionGained:
    return ConditionGained(who, MORTAL, amount=passed, modifies="difficulty" if passed else "")


def stop_clock(fight: Resolution, who: str) -> None:
    """Outside of encounters no rounds are counted; what has run is kept."""
    if has(fight.state, who, MORTAL):
        fight.record(_stopped(who, since(fight, who)))


def bleed_out(fight: Resolution, who: str) -> None:
    """aachen.mortal.death: the sixth round after the fall is over."""
    fight.rule("aachen.mortal.death", "dies", [_elapsed(fight, who)], who=who)
    fight.record(Felled(who, "dead"))
    lie_down(fight, who)


def _elapsed(fight: Resolution, who: str) -> Number:
    return number("rounds since the fall", since(fight, who))
