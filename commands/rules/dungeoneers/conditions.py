"""Conditions: who holds whom, which effects are in force, and what follows."""

from typing import get_args

from commands.action import effects
from commands.action.grid import gap, step
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Number, Placed, number
from ledger.events.harm import Until
from projections.harm import Condition

from . import threat
from .bodies import body, fits
from .points import become
from .tables import GRAPPLED, GRAPPLING, MOVEMENT, Die

# Grapples


def partner(fight: Resolution, who: str, condition: str) -> str:
    """Whom a creature grapples, or by whom it is grappled; "" for nobody."""
    return next(iter(fight.state.conditions.whom(who, condition)), "")


def grab(fight: Resolution, who: str, target: str) -> None:
    """Each names the other; and each loses movement at once.

    The grappler keeps half of its points, rounded down; the other has none, and gets none.
    """
    fight.record(ConditionGained(who, GRAPPLING, "encounter-end", whom=(target,)))
    fight.record(ConditionGained(target, GRAPPLED, "encounter-end", whom=(who,)))
    if left := fight.state.points.left(who, "movement"):
        become(fight, who, "movement", left // 2)
    if fight.state.points.left(target, "movement"):
        become(fight, target, "movement", 0)


def release(fight: Resolution, who: str, condition: str, clause: str, why: str) -> None:
    """Ends a grapple for both, if there is one."""
    other = partner(fight, who, condition)
    if other:
        grappler, held = (who, other) if condition == GRAPPLING else (other, who)
        with fight.upon("", held):
            fight.rule(clause, f"the grapple ends: {why}", who=grappler, about=held)
            fight.record(ConditionEnded(grappler, GRAPPLING))
            fight.record(ConditionEnded(held, GRAPPLED))


def gained(fight: Resolution, who: str, points: Number) -> Number:
    """Movement points that a creature really gets, of those that it would.

    None for the grappled; half of them for the grappler, rounded down. What it loses is no gain, and is not halved.
    """
    if partner(fight, who, GRAPPLED):
        clause = "dungeoneers.grappled.movement"
        return points.at_most(0, GRAPPLED, clause).at_least(0, GRAPPLED, clause)
    if partner(fight, who, GRAPPLING) and points.total > 0:
        return points.over(2, GRAPPLING, clause="dungeoneers.grappling.movement")
    return points


def off_turn(fight: Resolution, who: str) -> None:
    """dungeoneers.grapple.moved-off-turn: a grappler that moves, rises or turns on another's turn lets go."""
    if fight.state.turns.who != who:
        release(fight, who, GRAPPLING, "dungeoneers.grapple.moved-off-turn", "moved off its turn")


def mend(fight: Resolution) -> None:
    """Ends what the game master's word has left of a grapple: one that does not hold for both holds for neither."""
    for who in fight.state.roster.order:
        for condition, counterpart in ((GRAPPLING, GRAPPLED), (GRAPPLED, GRAPPLING)):
            other = partner(fight, who, condition)
            if fight.state.conditions.has(who, condition) and (not other or partner(fight, other, counterpart) != who):
                fight.record(ConditionEnded(who, condition))


def after_moves(fight: Resolution, movers: tuple[str, ...]) -> None:
    """What follows when creatures have moved a tile: grapples end that must, and threat is worked out anew."""
    for who in movers:
        off_turn(fight, who)
    part(fight)
    threat.recalculate(fight)


def shove(fight: Resolution, target: str, direction: str, blocked: bool) -> None:
    """dungeoneers.push.move: one tile to where the attacker looks; dungeoneers.push.blocked: or nobody moves."""
    to = step(fight.state.positions.at[target], direction)
    if blocked or not fits(fight, {target: to}):
        fight.rule("dungeoneers.push.blocked", "blocked", who=target)
        return
    fight.rule("dungeoneers.push.move", f"pushed {direction}", who=target)
    fight.record(Placed(target, to))
    after_moves(fight, (target,))


def part(fight: Resolution) -> None:
    """dungeoneers.grapple.separated: ends grapples beyond the grappler's threat range."""
    for who in fight.state.roster.order:
        held = partner(fight, who, GRAPPLING)
        if held and gap(body(fight, who), body(fight, held)) > threat.threat_range(fight, who).total:
            release(fight, who, GRAPPLING, "dungeoneers.grapple.separated", "out of reach")


# Effects


def put_in_force(
    fight: Resolution, who: str, name: str, kind: str, amount: int, until: Until, last: int = 0, ends: str = ""
) -> None:
    """From now on the effect holds, beside what the same name gives already. Movement points change at once on the
    creature's own turn, as by a sprint. It ends in the round `last` at the earliest, by the turn of the one whom
    `ends` names.
    """
    if kind.endswith(" die") and amount not in get_args(Die):
        sizes = ", ".join(map(str, get_args(Die)))
        fight.impossible(f"A {kind} has {sizes} sides, not {amount}.", "Say --amount and one of these.")
    modifies = kind if amount else ""
    name = effects.part(fight, who, name, modifies)
    before = _movement(fight.state.conditions.get(who, name))
    if until in ("turn-end", "round-end") and not fight.state.encounter.running:
        fight.impossible("Outside an encounter there are no turns and no rounds.", [fight.otherwise(until="removed")])
    whose = {"turn-start": ends or who, "turn-end": ends or fight.state.turns.who or who}.get(until, "")
    fight.record(ConditionGained(who, name, until, whose, last, amount=amount, modifies=modifies))
    _change_movement(fight, who, name, (amount if kind == MOVEMENT else 0) - before)


def end_effect(fight: Resolution, who: str, name: str) -> None:
    """The effect is over, and with it what it gave."""
    gone = _movement(fight.state.conditions.get(who, name))
    fight.record(ConditionEnded(who, name))
    _change_movement(fight, who, name, -gone)


def expire(fight: Resolution, until: Until, whose: str = "") -> None:
    """Ends the effects that were to last until now."""
    for who in fight.state.roster.order:
        for name, held in fight.state.conditions.held(who):
            if effects.is_over(fight, who, held, until, whose):
                end_effect(fight, who, name)


def _movement(held: Condition | None) -> int:
    return held.amount if held and held.modifies == MOVEMENT else 0


def _change_movement(fight: Resolution, who: str, name: str, change: int) -> None:
    """dungeoneers.movement.default-point: on its own turn a creature has the difference at once."""
    if change and fight.state.turns.who == who:
        gain = gained(fight, who, number(MOVEMENT, change, name))
        fight.rule("dungeoneers.movement.default-point", "", [gain], who=who)
        become(fight, who, "movement", fight.state.points.left(who, "movement") + gain.total)
