"""Who goes down, who is stunned or disarmed, and the blow that a tie still owes them."""

from typing import Literal

from commands.action import ground
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Felled, number, whose

from . import hands, holding, order, strike_order
from .ability import conditions, is_able
from .concentration import interrupt
from .conditions import BLOW_DUE, DISARMED, MAINTAINING, RELOADING, STUNNED, broken
from .morale import heads, loss
from .strike_order import between, has_struck


def fell(fight: Resolution, who: str, how: Literal["dead", "unconscious"], by: str = "") -> None:
    """Somebody is slain ("dead") or out ("unconscious"); he lets go, and his group may have to check its morale."""
    able = is_able(fight, who)
    fight.record(Felled(who, how))
    keep_back(fight, who, by, able)
    holding.let_go(fight, who)
    holding.free(fight, who)
    loss(fight, who, how)


def thin(fight: Resolution, who: str) -> None:
    """arkm.morale.trigger-half: a unit that stands has lost men, whom its group counts."""
    men = fight.sheet(who).men
    if men and fight.state.stands(who) and heads(fight, who) < men:
        loss(fight, who, "dead")


def keep_back(fight: Resolution, who: str, by: str, able: bool) -> None:
    """arkm.initiative.tie-simultaneous: what a tied group inflicts takes nothing away before the round ends.

    `able`: whether he could act before. Harm from anybody else counts at once. Who is down, and has had all his
    attacks, has nothing left to lose.
    """
    if by and able and order.tied(fight, who, by) and not comes_first(fight, by, who):
        if fight.state.stands(who) or not order.is_spent(fight, who):
            _owe(fight, who)
        return
    if by and able and order.tied(fight, who, by):
        fight.rule("arkm.reach.first-round-initiative", f"{by} strikes first: it counts at once", who=by, about=who)
    fight.no_longer(who, BLOW_DUE)
    if fight.state.conditions.has(who, RELOADING) and not is_able(fight, who):
        fight.record(ConditionEnded(who, RELOADING))  # arkm.reload.takes-one-round
    if fight.state.conditions.has(who, MAINTAINING):
        interrupt(fight, who)


def comes_first(fight: Resolution, who: str, foe: str) -> bool:
    """Whose blow comes first in a pair, counts at once, also against a tie."""
    in_melee = fight.state.turns.phase == "melee" or order.pair_of(fight, who)
    return bool(in_melee) and strike_order.between(fight, who, foe) == "first"


def _owe(fight: Resolution, who: str, whom: tuple[str, ...] = ()) -> None:
    """Somebody still acts this round, whatever has become of him; with `whom`, only against these."""
    if not fight.state.conditions.has(who, BLOW_DUE):
        fight.rule("arkm.initiative.tie-simultaneous", BLOW_DUE, who=who)
        fight.record(ConditionGained(who, BLOW_DUE, "round-end", whom=whom))


def stun(fight: Resolution, who: str, rounds: int, by: str = "") -> None:
    """arkm.stunned.duration: the rest of this round and `rounds` whole ones; of two stuns the later end counts.

    With the option stun_counting `current`, this round is the first.
    """
    if rounds <= 0:
        return
    end = number("to the end of round", fight.state.turns.round, "round").plus(rounds, "stunned")
    if fight.option("stun_counting") == "current":
        end = end.minus(1, "this round counts")
    held = fight.state.conditions.get(who, STUNNED)
    if held:
        end = end.at_least(held.round, "before")
    fight.rule("arkm.stunned.duration", "", [end], who=who)
    if held and held.round == end.total:
        return
    last = end.total
    able = is_able(fight, who)
    fight.record(ConditionGained(who, STUNNED, "round-end", round=last))
    keep_back(fight, who, by, able)
    if not fight.state.conditions.has(who, BLOW_DUE):
        holding.let_go(fight, who)


def last_blow(fight: Resolution, who: str, foe: str) -> None:
    """A foe who falls in a pair that strikes at the same time still gives its blow."""
    if between(fight, who, foe) == "simultaneous" and not has_struck(fight, foe) and not fight.state.stands(foe):
        _owe(fight, foe, (who,))


def lose_weapon(fight: Resolution, target: str, weapon: str, by: str) -> None:
    """arkm.disarm.outcome: the weapon lies within 5 feet; if a tie owes its bearer a blow, when the round is over."""
    fight.rule("arkm.disarm.outcome", f"{weapon} is struck from {whose(target)} hand", who=by, about=target)
    if order.tied(fight, target, by) and not comes_first(fight, by, target) and not order.acted(fight, target):
        fight.record(ConditionGained(target, DISARMED, "round-end", whom=(weapon,)))
    else:
        hands.drop(fight, target, weapon)


def drop_late(fight: Resolution, who: str) -> None:
    """What a tie owed is over: what it let somebody keep falls now, though it was put away."""
    if not fight.state.conditions.has(who, DISARMED):
        return
    for weapon in fight.state.conditions.of[who][DISARMED].whom:
        if weapon in fight.state.gear.equipped.get(who, ()):
            hands.drop(fight, who, weapon)
        elif not {ground.dropped(weapon), broken(weapon)} & conditions(fight, who):
            ground.lay(fight, who, weapon)
    fight.record(ConditionEnded(who, DISARMED))
