"""Movement: walking, running, shifting, swimming and flying; prone and standing up."""

from itertools import pairwise
from typing import Annotated, Literal

from commands.action.declaration import Count, Declaration, Fighter, Fighters, Square, says
from commands.action.grid import body, crossed, distance
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Moved, Number, Placed, counted, number

from . import actions, bodies, checks, flight, opportunity
from .bonus import worn
from .conditions import DIFFICULT, HURRIED, PRONE

_RUN_SQUARES = 2
"""What a run or a dive adds to the allowance, in squares."""
_STRAIN = -2
"""What a run or a dive costs on all rolls until the start of the own next turn."""
_PENALTY = -2
"""what each such square costs on all rolls, if it is paid for in that way."""
_CURRENT_TARGET = 10
"""freepg.terrain.current: what a check against an obstacle must reach, besides the strength."""
_IN_THE_AIR = ("fly", "dive")
_AFLOAT = (*_IN_THE_AIR, "swim")
"""Whom a current pushes."""


_Price = Literal["squares", "penalty"]


class Move(Declaration):
    """Move: to a square, or by a number of squares when nobody is placed."""

    who: Annotated[Fighter, says("Who moves.")]
    to: Annotated[Square | None, says("The square to move to.")] = None
    via: Annotated[tuple[Square, ...], says("A square on the way; may be repeated.")] = ()
    squares: Annotated[Count | None, says("How far, if the way is not straight.")] = None
    mode: Annotated[Literal["walk", "run", "shift", "fly", "dive", "swim"], says("How they move.")] = "walk"
    difficult_squares: Annotated[Count | None, says("How many squares entered are difficult.")] = None
    pay: Annotated[_Price, says("Pay double for a difficult square, or take -2 on all rolls.")] = "squares"
    descend: Annotated[Count | None, says("How many squares of a dive go down.")] = None
    lands: Annotated[bool, says("The flight ends on solid ground.")] = False
    current: Annotated[Count, says("Strength of the first current entered.")] = 0
    drift: Annotated[Square | None, says("Where the current pushes to.")] = None
    against_obstacle: Annotated[bool, says("The current pushes against an obstacle.")] = False
    decline: Annotated[Fighters, says("Enemies who let an opportunity pass.")] = ()


def move(fight: Resolution, said: Move) -> None:
    """One action: the way and its cost, what forbids it, whom it provokes; then the move and what it brings."""
    who = said.who
    if fight.sheet(who).kind == "trap":
        fight.impossible(f"{who} is a trap, and stays where it is.")
    actions.spend(fight, who)
    if fight.state.conditions.has(who, PRONE):
        fight.refuse("freepg.move.stand", f"{who} is prone, and must stand up first.", [("stand", {"who": who})])
    path = _path(fight, said)
    squares = _squares(fight, said, path)
    difficult = _difficult_squares(fight, said, path, squares)
    cost = number("squares", squares, said.mode)
    if said.pay == "squares":
        cost = cost.plus(difficult, "difficult")
    _check_allowance(fight, said, path, cost)
    _check_way(fight, said, path)
    _check_drift(fight, said)
    provokes = fight.option("opportunity_attacks") and said.mode != "shift"
    if provokes and not opportunity.run_the_gauntlet(fight, who, said.decline):
        return
    fight.record(Moved(who, said.mode, cost.total, said.to))
    held = fight.state.conditions.of.get(who, {})
    if said.mode in HURRIED and held.keys().isdisjoint(HURRIED.values()):  # only once
        _hinder(fight, who, HURRIED[said.mode], _STRAIN)
    if difficult and said.pay == "penalty":  # adds up
        _hinder(fight, who, DIFFICULT, difficult * _PENALTY + fight.state.conditions.amount(who, DIFFICULT))
    _rise_or_land(fight, said)
    if said.current or said.drift or said.against_obstacle:
        _push(fight, said)


def _rise_or_land(fight: Resolution, said: Move) -> None:
    """Who moves in the air, or stays up where they hover, flies; all others are on the ground."""
    stays_up = said.mode == "shift" or (said.to is not None and said.to[2] > 0)
    airborne = said.mode in _IN_THE_AIR or (stays_up and flight.hovers(fight, said.who))
    if airborne and not said.lands and not (said.to and said.to[2] <= 0):
        flight.take_off(fight, said.who)
    else:
        flight.touch_down(fight, said.who)


def _path(fight: Resolution, said: Move) -> tuple[Square, ...]:
    """The squares named on the way, from where the mover stands; empty when it has no place."""
    start = fight.state.positions.at.get(said.who)
    if said.to is None and (said.squares is None or said.via):
        fight.impossible("The move goes nowhere.", "Say where to, --to 3,2 or, without a map, how far: --squares 4.")
    if said.to is None and start:
        fight.impossible(f"{said.who} has a place on the map.", "Say where to: --to 3,2.")
    return (start, *said.via, said.to) if start and said.to else ()


def _squares(fight: Resolution, said: Move, path: tuple[Square, ...]) -> int:
    """How many squares the way takes: diagonal steps cost the same, and height counts."""
    shortest = sum(map(distance, path, path[1:]))
    if said.squares is None and not path:
        fight.impossible(f"Where does {said.who} come from?", "Say how far: --squares 4.")
    squares = shortest if said.squares is None else said.squares
    if squares < max(shortest, 1):
        way = f"The way is at least {counted(shortest, 'square')} long."
        fight.impossible(way if shortest else "The move goes nowhere.")
    return squares


def _difficult_squares(fight: Resolution, said: Move, path: tuple[Square, ...], squares: int) -> int:
    """As said; otherwise those of the squares named on the way that are difficult on the map. A note names others that
    the straight way crosses, as nobody has said that it was taken.
    """
    if said.difficult_squares is not None:
        if said.difficult_squares > squares:
            message = f"{said.difficult_squares} of them cannot be difficult."
            fight.impossible(f"The move enters {counted(squares, 'square')}; {message}")
        return said.difficult_squares
    if said.mode in _IN_THE_AIR:
        return 0
    rough = set(fight.state.encounter.ground.get("difficult", ()))
    if not rough:
        return 0
    if between := [at for legs in pairwise(path) for at in crossed(*legs) if at in rough]:
        where = " ".join(f"{x},{y}" for x, y in dict.fromkeys(between))
        fight.notes.append(f"The straight way crosses difficult ground at {where}; --difficult-squares counts it.")
    return sum(any(square[:2] in rough for square in _body(fight, said.who, at)) for at in path[1:])


def _body(fight: Resolution, who: str, at: Square) -> tuple[Square, ...]:
    return body(at, fight.sheet(who).across)


def _check_allowance(fight: Resolution, said: Move, path: tuple[Square, ...], cost: Number) -> None:
    """What each way of moving allows, in squares: freepg.move.walk, freepg.move.run, freepg.move.fly, freepg.move.dive.

    freepg.move.shift: one square. Swimming goes as far as walking.
    """
    if said.mode == "shift":
        if not fight.compare("freepg.move.shift", cost, "=", number("one square", 1), said.who):
            message = "A shift is exactly one square."
            fight.refuse("freepg.move.shift", message, [[fight.otherwise(mode="walk"), fight.otherwise(pay="penalty")]])
        return
    way = "walk" if said.mode == "swim" else said.mode
    clause = f"freepg.move.{way}"
    speed = _speed(fight, said.who, "fly" if said.mode in _IN_THE_AIR else "speed")
    allowance = speed.plus(_RUN_SQUARES, said.mode) if said.mode in HURRIED else speed
    if not fight.compare(clause, cost, "<=", allowance, said.who):
        message = f"{said.who} can only move {counted(allowance.total, 'square')} that way, not {cost.total}."
        hurry = {"walk": "run", "fly": "dive"}
        fight.refuse(clause, message, ([fight.otherwise(mode=hurry[said.mode])] if said.mode in hurry else ()))
    extra = cost.minus(speed.total, "fly speed").called("extra squares").at_least(0, "least")
    if said.mode == "dive" and extra.total:
        downward = sum(max(here[2] - there[2], 0) for here, there in pairwise(path))
        if not fight.compare(clause, number("descent", downward if path else said.descend or 0), ">=", extra, said.who):
            message = f"The {extra.total} squares beyond the fly speed must all go down."
            fight.refuse(clause, message, [fight.otherwise(descend=extra.total)])


def _speed(fight: Resolution, who: str, kind: str) -> Number:
    """The sheet's speed, worn items, and an enemy's flat bonus; never below 0."""
    sheet = fight.sheet(who)
    speed = number(kind, getattr(sheet, kind))
    for item in worn(fight, who):
        speed = speed.plus(getattr(item, kind), item.name)
    return speed.plus(sheet.flat_bonus, "flat bonus").at_least(0, "least")  # freepg.enemy.flat-bonus


def _check_way(fight: Resolution, said: Move, path: tuple[Square, ...]) -> None:
    """freepg.move.occupied: no obstacle on the way, nobody at the end of it."""
    if said.to is None:
        return
    walls = set(fight.state.encounter.ground.get("obstacle", ()))
    for at in path[1:] or (said.to,):
        if said.mode not in _IN_THE_AIR and any(square[:2] in walls for square in _body(fight, said.who, at)):
            fight.refuse("freepg.move.occupied", f"There is an obstacle at {at[0]},{at[1]}.")
    if not said.drift:
        _check_room(fight, said.who, said.to)


def _check_room(fight: Resolution, who: str, at: Square) -> None:
    for other in bodies.met(fight, who, at):
        fight.refuse("freepg.move.occupied", f"{other} stands on that square.")


def _check_drift(fight: Resolution, said: Move) -> None:
    """A current pushes to a place of its own, and to one that is free."""
    if said.drift:
        _check_room(fight, said.who, said.drift)
    elif said.to and said.current and said.mode in _AFLOAT and not said.against_obstacle:
        fight.impossible(f"Where does the current push {said.who}?", "Say where: --drift 3,2.")


def _hinder(fight: Resolution, who: str, name: str, amount: int) -> None:
    """freepg.move.run, freepg.move.dive, and difficult squares: on all rolls until the start of its next turn."""
    if fight.state.encounter.running:
        seat = fight.sheet(who).seat_of(who)
        fight.record(ConditionGained(who, name, "turn-start", seat, amount=amount, modifies="untyped"))


def _push(fight: Resolution, said: Move) -> None:
    """freepg.terrain.current: the current pushes as far as it is strong, or against an obstacle."""
    if said.mode not in _AFLOAT:
        fight.refuse("freepg.terrain.current", f"A current pushes flyers and swimmers; {said.who} does neither.")
    push = number("push", said.current, "current")
    far = distance(said.to, said.drift) if said.to and said.drift else said.current
    if far > said.current or (far < said.current and not said.against_obstacle):
        message = f"The current pushes {said.current} squares, not {far}."
        fight.refuse("freepg.terrain.current", message, [fight.otherwise(current=far)])
    how = "against an obstacle" if said.against_obstacle else "pushed"
    fight.rule("freepg.terrain.current", how, [push], who=said.who)
    if said.drift:
        fight.record(Placed(said.who, said.drift))
        if said.drift[2] <= 0:
            flight.touch_down(fight, said.who)
    if said.against_obstacle:
        target = number("target", _CURRENT_TARGET, "current").plus(said.current, "strength")
        score = checks.plus_skill(fight, fight.roll(said.who, "1d20", "check"), "")
        if not checks.succeeds(fight, "freepg.terrain.current", said.who, score, target):
            checks.harm(fight, said.who, score, target)


class Stand(Declaration):
    """Stand up: one action."""

    who: Annotated[Fighter, says("Who stands up.")]


def stand(fight: Resolution, said: Stand) -> None:
    """freepg.move.stand"""
    if not fight.state.conditions.has(said.who, PRONE):
        fight.impossible(f"{said.who} is not prone.")
    actions.spend(fight, said.who)
    fight.record(ConditionEnded(said.who, PRONE))


class Prone(Declaration):
    """Record that somebody is prone: thrown down, or lying down. It costs nothing."""

    who: Annotated[Fighter, says("Who is prone.")]


def prone(fight: Resolution, said: Prone) -> None:
    """Standing up is what costs: freepg.move.stand."""
    if fight.state.conditions.has(said.who, PRONE):
        fight.impossible(f"{said.who} is already prone.")
    fight.record(ConditionGained(said.who, PRONE))
