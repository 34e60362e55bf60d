"""The basic actions besides attacks and spells: disengage, defend, sprint, grapple, push."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, says
from commands.action.grid import step
from commands.action.resolution import STATUS, Remedies, Resolution
from ledger.events import ConditionEnded, ConditionGained, number

from . import conditions, gear, points, strikes
from .bodies import fits, looks, turn_to
from .chain import Pools, Resists, by_gm, power_against_dodge
from .points import alive
from .strikes import Opportune
from .tables import DEFENSIVE, GRAPPLED, GRAPPLING, SPRINTING, THREATENED
from .threat import check_target, within_reach

_SPRINT = 2
"""Movement points that a sprint adds: dungeoneers.sprinting.points."""


class Disengage(Pools):
    """Lose the condition threatened until the next move; or, when grappled, try to break free."""

    who: Annotated[Fighter, says("Who disengages.")]
    defend_with: Annotated[Resists, says("The score to break free with; otherwise the higher.")] = ""
    with_: Annotated[str, says("The weapon whose hit dice the grappler rolls; by default the first.", word="item")] = ""


def disengage(fight: Resolution, said: Disengage) -> None:
    """One action point. dungeoneers.disengage.clear-threatened: from everybody, until threat is next worked out."""
    points.act(fight, said.who, "disengage")
    if conditions.partner(fight, said.who, GRAPPLED):
        held, grappler = said.who, conditions.partner(fight, said.who, GRAPPLED)
        clause = "dungeoneers.grapple.break"
        weapon = gear.for_melee(fight, grappler, said.with_, clause)
        extra = by_gm(fight, said, {"dodge": held, "hit": grappler})
        with fight.upon(held, grappler):
            hit, dodge, also = power_against_dodge(fight, clause, grappler, held, weapon, said.defend_with, extra)
            if hit.total == dodge.total:
                also = (*also, "dungeoneers.grapple.break-tie")
            if fight.compare(clause, dodge, ">=", hit, who=held, about=grappler, yes="broken", no="held", also=also):
                conditions.release(fight, held, GRAPPLED, clause, "broken")
        return
    if said.mod or said.with_:
        fight.impossible(f"{said.who} is not grappled, and rolls nothing.", [fight.otherwise(mod=(), with_="")])
    if fight.state.conditions.has(said.who, THREATENED):
        fight.rule("dungeoneers.disengage.clear-threatened", "", who=said.who)
        fight.record(ConditionEnded(said.who, THREATENED))


class Defend(Declaration):
    """Roll one more dodge die until your next turn starts."""

    who: Annotated[Fighter, says("Who defends.")]


def defend(fight: Resolution, said: Defend) -> None:
    """dungeoneers.defend.action: one action point; defensive, until the start of the creature's next turn."""
    points.act(fight, said.who, "defend", clause="dungeoneers.defend.action")
    _become(fight, said.who, DEFENSIVE)


class Sprint(Declaration):
    """Gain two movement points."""

    who: Annotated[Fighter, says("Who sprints.")]


def sprint(fight: Resolution, said: Sprint) -> None:
    """dungeoneers.sprint.action: one action point. Sprinting until its next turn starts, with points at once."""
    who = said.who
    points.act(fight, who, "sprint", clause="dungeoneers.sprint.action")
    if _become(fight, who, SPRINTING):
        gain = conditions.gained(fight, who, number("movement points gained", _SPRINT, "sprint"))
        left = fight.state.points.left(who, "movement") + gain.total
        fight.rule("dungeoneers.sprinting.points", f"{left} movement point{'s' * (left != 1)}", [gain], who=who)
        if gain.total:
            points.become(fight, who, "movement", left)


def _become(fight: Resolution, who: str, condition: str) -> bool:
    """dungeoneers.condition.no-stacking: a condition is held or not."""
    if fight.state.conditions.has(who, condition):
        fight.refuse("dungeoneers.condition.no-stacking", f"{who} is already {condition}.")
        return False
    fight.record(ConditionGained(who, condition, "turn-start", who))
    return True


# Grapple


class Grapple(Pools):
    """Take hold of somebody within reach; or let go of the one you hold (--release)."""

    who: Annotated[Fighter, says("Who grapples.")]
    target: Annotated[Fighter, says("Who is grappled.", positional=True)] = ""
    release: Annotated[bool, says("Let go; it costs nothing.")] = False
    with_: Annotated[str, says("The weapon whose hit dice are rolled.", word="item")] = ""
    defend_with: Annotated[Resists, says("The target's choice; otherwise the higher.")] = ""
    hostile: Annotated[bool, says("The target counts as hostile.")] = False
    keep_facing: Annotated[bool, says("The grappler does not turn to its target.")] = False


def grapple(fight: Resolution, said: Grapple) -> None:
    """One action point; letting go costs nothing."""
    if said.release:
        _let_go(fight, said.who)
        return
    if not said.target:
        fight.impossible(
            f"Whom does {said.who} grapple?", [fight.otherwise(target=one) for one in fight.state.roster.order]
        )
    points.act(fight, said.who, "grapple")
    _seize(fight, said)


def _let_go(fight: Resolution, who: str) -> None:
    """dungeoneers.grapple.release: on the own turn, for nothing."""
    clause = "dungeoneers.grapple.release"
    points.check_alive(fight, who)
    points.check_turn(fight, who, clause)
    if not conditions.partner(fight, who, GRAPPLING):
        holders = [fight.otherwise(who=other) for other in fight.state.roster.order]
        fight.refuse(clause, f"{who} grapples nobody.", [*holders, STATUS])
    conditions.release(fight, who, GRAPPLING, clause, "let go")


def _seize(fight: Resolution, said: Grapple) -> None:
    """dungeoneers.grapple.roll: power with the weapon's hit dice against the dodge; a tie succeeds."""
    who, target, clause = said.who, said.target, "dungeoneers.grapple.roll"
    check_target(fight, who, target, said.hostile)
    weapon = gear.for_melee(fight, who, said.with_)
    within_reach(fight, who, target, "dungeoneers.grapple.requires-threat")
    free = _check_pair(fight, who, target) and fight.state.stands(who) and points.alive(fight, target)
    turn_to(fight, who, target, said.keep_facing)
    extra = by_gm(fight, said, {"hit": who, "dodge": target})
    with fight.upon(who, target):
        hit, dodge, also = power_against_dodge(fight, clause, who, target, weapon, said.defend_with, extra)
        if free and hit.total >= dodge.total:
            also = (*also, "dungeoneers.grapple.conditions")
        if fight.compare(clause, hit, ">=", dodge, who, target, yes="grappled", no="failed", also=also) and free:
            conditions.grab(fight, who, target)


def _check_pair(fight: Resolution, who: str, target: str) -> bool:
    """dungeoneers.grapple.one-pair: nobody grapples two, nobody is grappled by two."""
    held, by = conditions.partner(fight, who, GRAPPLING), conditions.partner(fight, target, GRAPPLED)
    if held:
        loose: Remedies = [("grapple", {"who": who, "release": True})]
        fight.refuse("dungeoneers.grapple.one-pair", f"{who} grapples {held}.", loose)
    elif by:
        fight.refuse("dungeoneers.grapple.one-pair", f"{target} is grappled by {by}.")
    return not (held or by)


# Push


class Push(Pools):
    """Push somebody within reach one tile in the direction that you face."""

    who: Annotated[Fighter, says("Who pushes.")]
    target: Annotated[Fighter, says("Who is pushed.")]
    with_: Annotated[str, says("The weapon whose hit dice are rolled.", word="item")] = ""
    defend_with: Annotated[Resists, says("The target's choice; otherwise the higher.")] = ""
    blocked: Annotated[bool, says("Something is in the way: the target cannot be moved.")] = False
    hostile: Annotated[bool, says("The target counts as hostile.")] = False
    keep_facing: Annotated[bool, says("The pusher does not turn to its target.")] = False
    opportune: Opportune = ()


def push(fight: Resolution, said: Push) -> None:
    """One action point. dungeoneers.push.roll: power with the weapon's hit dice against the dodge; a tie succeeds.

    The dodge is rolled with power or prowess, as the defender likes.
    """
    who, target, clause = said.who, said.target, "dungeoneers.push.roll"
    points.act(fight, who, "push")
    check_target(fight, who, target, said.hostile)
    weapon = gear.for_melee(fight, who, said.with_, clause)
    within_reach(fight, who, target, "dungeoneers.push.requires-threat")
    turn_to(fight, who, target, said.keep_facing)
    direction = looks(fight, who)
    possible = strikes.left_behind(fight, target, step(fight.state.positions.at[target], direction))
    provokes = fight.option("forced_moves_provoke")
    names = strikes.named(fight, said.opportune)
    forced = strikes.FORCED_MOVE
    allowed = strikes.check_named(fight, names or (), possible if provokes and not said.blocked else [], forced)
    extra = by_gm(fight, said, {"hit": who, "dodge": target}, strikes.pools(names, (target,)))
    with fight.upon(who, target):
        hit, dodge, also = power_against_dodge(fight, clause, who, target, weapon, said.defend_with, extra)
        if not fight.compare(clause, hit, ">=", dodge, who, target, yes="pushed", no="failed", also=also):
            return
    blocked = said.blocked or not fits(fight, {target: step(fight.state.positions.at[target], direction)})
    strikers = [one for one in possible if strikes.can_strike(fight, one)] if provokes and not blocked else []
    if strikers and names is None:
        rest = {"target": target, "direction": direction, "blocked": blocked}
        strikes.open_window(fight, who, "push", dict.fromkeys(strikers, target), rest, (forced,))
        return
    for striker in names or ():
        if striker in (*strikers, *allowed) and alive(fight, target):
            strikes.take(fight, striker, target, strikes.blow(fight, said.mod, striker, target), forced)
    if alive(fight, target):
        with fight.upon(who, target):
            conditions.shove(fight, target, direction, blocked)
