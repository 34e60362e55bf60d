"""Movement: moving tile by tile, turning, dropping prone and standing up; and going on when a window closes."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from commands.action.declaration import Declaration, Fighter, Words
from commands.action.grid import COMPASS, Square, gap, step
from commands.action.resolution import Offers, Resolution
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Moved, Placed

from . import conditions, points, strikes, threat
from .bodies import body, fits, placing, tiles_at, turn, turn_freely
from .chain import Blow
from .strikes import Opportune
from .tables import GRAPPLING, PRONE, WINDOW


class Move(Declaration):
    """Move, tile by tile, in the directions named: N NE E SE S SW W NW. Each tile costs a movement point."""

    who: Annotated[Fighter, Meta(description="Who moves.")]
    directions: Annotated[Words, Meta(min_length=1, max_length=100, description="Where to, such as N NE E.")]
    allowed: Annotated[bool, Meta(description="Anyone who stands there lets the mover pass.")] = False
    keep_facing: Annotated[bool, Meta(description="The mover does not turn to where it goes.")] = False
    opportune: Opportune = ()


class Way(Struct, frozen=True):
    """What is left of a move."""

    path: tuple[str, ...]
    allowed: bool
    keep_facing: bool
    named: tuple[str, ...] | None
    """Who strikes at the first opportunity; none if nothing was said."""


def move(fight: Resolution, said: Move) -> None:
    """dungeoneers.movement.move: each tile is a move of its own."""
    path = tuple(word.upper() for word in said.directions)
    unknown = [word for word in path if word not in COMPASS]
    if unknown:
        raise UsageError(
            f"{unknown[0][:40]!a} is no direction.",
            f"Directions are: {', '.join(COMPASS)}; put spaces between several.",
        )
    if said.who not in fight.state.positions.at:
        fight.impossible(f"{said.who} has no place on the map.", placing(fight, said.who))
    walk(fight, said.who, Way(path, said.allowed, said.keep_facing, strikes.named(fight, said.opportune)))


def walk(fight: Resolution, who: str, way: Way, answered: bool = False) -> None:
    """Walks until the end of the way, a tile that cannot be entered, an open window, or death.

    `answered`: the first move was paid for already, and its window was closed.
    """
    struck: set[str] = set()
    promised: tuple[str, ...] = ()
    for at, direction in enumerate(way.path):
        begun = answered and at == 0
        if (at or answered) and not fight.allow:
            problem = (None if begun else _cannot_pay(fight, who)) or _cannot_enter(fight, who, direction, way.allowed)
            if problem:  # The moves before it stand.
                fight.rule("dungeoneers.movement.move", f"stops: {problem[1]}", who=who)
                break
        elif not begun:
            points.check_alive(fight, who)
            points.check_turn(fight, who)
            conditions.off_turn(fight, who)
            for refusal in (_cannot_pay(fight, who), _cannot_enter(fight, who, direction, way.allowed)):
                if refusal:
                    fight.refuse(*refusal)
            if at == 0 and way.named:
                promised = _check_named(fight, who, way)
        if not begun:
            points.spend(fight, who, "movement", 1)
            turn_freely(fight, who, direction, way.keep_facing)
            strikers = _strikers(fight, who, direction)
            if way.named is None and strikers:
                rest = {"path": list(way.path[at:]), "allowed": way.allowed, "keep_facing": way.keep_facing}
                strikes.open_window(fight, who, "move", strikers, rest, _given(who, strikers.values()))
                return
            for striker in way.named or ():
                target = strikers.get(striker, "")
                if target and striker not in struck and fight.state.stands(target):
                    struck.add(striker)
                    strikes.take(fight, striker, target, Blow(), *_given(who, (target,)))
            if not fight.state.stands(who):
                return
        _go(fight, who, direction)
    for striker in promised:
        if striker not in struck and fight.state.stands(striker):
            strikes.refuse_named(fight, striker, strikes.LEAVE_RANGE)


def _cannot_pay(fight: Resolution, who: str) -> tuple[str, str, Offers] | None:
    return points.no_movement(fight, who) if fight.state.points.left(who, "movement") < 1 else None


def _cannot_enter(fight: Resolution, who: str, direction: str, allowed: bool) -> tuple[str, str, Offers] | None:
    """dungeoneers.movement.occupied, and for the one who is dragged along dungeoneers.grapple.drag-blocked."""
    if allowed:
        return None
    to, dragged = step(fight.state.positions.at[who], direction), conditions.partner(fight, who, GRAPPLING)
    hint: Offers = [fight.otherwise(allowed=True)]
    if not dragged:
        if fits(fight, {who: to}):
            return None
        return "dungeoneers.movement.occupied", f"{who} does not fit in at {to[0]},{to[1]}.", hint
    behind = step(fight.state.positions.at[dragged], direction)
    if fits(fight, {who: to, dragged: behind}):
        return None
    if not fits(fight, {who: to}, leaving=dragged):
        return "dungeoneers.movement.occupied", f"{who} does not fit in at {to[0]},{to[1]}.", hint
    loose: Offers = [("grapple", {"who": who, "release": True})]
    return "dungeoneers.grapple.drag-blocked", f"{dragged} does not fit in at {behind[0]},{behind[1]}.", loose


def _moving(fight: Resolution, who: str, direction: str) -> dict[str, Square]:
    """Everybody who moves in a step, with the new place: the mover, and whom it drags along."""
    dragged = conditions.partner(fight, who, GRAPPLING)
    return {one: step(fight.state.positions.at[one], direction) for one in (who, dragged) if one}


def _strikers(fight: Resolution, who: str, direction: str) -> strikes.Strikers:
    """Who may strike at a step, and whom: none may strike one who is dragged along, unless a house rule says so."""
    moving = _moving(fight, who, direction)
    able: strikes.Strikers = {}
    for one, to in moving.items():
        if one == who or fight.option("forced_moves_provoke"):
            for striker in strikes.left_behind(fight, one, to, tuple(moving)):
                if striker not in able and strikes.can_strike(fight, striker):
                    able[striker] = one
    return able


def _given(who: str, targets: Iterable[str]) -> list[str]:
    """By which clauses those targets of opportune strikes can be struck: the mover, and those that it drags along."""
    return sorted({strikes.LEAVE_RANGE if target == who else strikes.FORCED_MOVE for target in targets})


def _check_named(fight: Resolution, who: str, way: Way) -> tuple[str, ...]:
    """Refuses named strikers who get no opportunity from any step of the way that can be paid.

    Gives those who get one if nothing comes between.
    """
    paid = way.path[: max(fight.state.points.left(who, "movement"), 1)]
    moving = dict.fromkeys(_moving(fight, who, "N"))
    provokes = fight.option("forced_moves_provoke")
    possible: list[str] = []
    forced: list[str] = []
    for one in moving:
        here = fight.state.positions.at[one]
        found = possible if one == who or provokes else forced
        for at, direction in enumerate(paid):
            there = step(here, direction)
            if at == 0:
                found += strikes.left_behind(fight, one, there, tuple(moving))
            else:
                found += _threatening_there(fight, one, here, there, tuple(moving))
            here = there
    named = way.named or ()
    strikes.check_named(fight, named, possible, strikes.LEAVE_RANGE, tuple(forced))
    return tuple(name for name in named if name in possible and strikes.can_strike(fight, name))


def _threatening_there(fight: Resolution, who: str, here: Square, there: Square, along: tuple[str, ...]) -> list[str]:
    """Those who would threaten a creature at one place, and not at the other."""
    found = []
    for other in fight.state.roster.order:
        if other in along or not threat.hostile(fight, who, other) or not fight.state.stands(other):
            continue
        theirs = body(fight, other)
        reach = threat.threat_range(fight, other).total
        if theirs and gap(tiles_at(fight, who, here), theirs) <= reach < gap(tiles_at(fight, who, there), theirs):
            found.append(other)
    return found


def _go(fight: Resolution, who: str, direction: str) -> None:
    """The step itself; dungeoneers.grapple.drag: anyone who is grappled comes along, and keeps its facing."""
    moving = _moving(fight, who, direction)
    for one, to in moving.items():
        if one == who:
            fight.record(Moved(who, "move", 1, to))
        else:
            fight.rule("dungeoneers.grapple.drag", "dragged", who=who, about=one)
            fight.record(Placed(one, to))
    conditions.after_moves(fight, tuple(moving))


class Face(Declaration):
    """Turn to a direction, for a movement point."""

    who: Annotated[Fighter, Meta(description="Who turns.")]
    direction: Annotated[
        Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"], Meta(description="Where to look from now on.")
    ]


def face(fight: Resolution, said: Face) -> None:
    """dungeoneers.facing.change: one movement point, to any facing; anyone who is grappled turns likewise."""
    points.pay_movement(fight, said.who, "dungeoneers.facing.change")
    conditions.off_turn(fight, said.who)
    turn(fight, said.who, said.direction)
    dragged = conditions.partner(fight, said.who, GRAPPLING)
    if dragged:
        turn(fight, dragged, said.direction)
        conditions.off_turn(fight, dragged)


class Prone(Declaration):
    """Drop prone. It costs nothing."""

    who: Annotated[Fighter, Meta(description="Who drops.")]


def prone(fight: Resolution, said: Prone) -> None:
    """dungeoneers.prone.drop: at any moment of one's own turn."""
    points.check_alive(fight, said.who)
    points.check_turn(fight, said.who, "dungeoneers.prone.drop")
    if fight.state.conditions.has(said.who, PRONE):
        fight.refuse("dungeoneers.condition.no-stacking", f"{said.who} is prone already.")
        return
    fight.record(ConditionGained(said.who, PRONE))


class Stand(Declaration):
    """Stand up, for a movement point."""

    who: Annotated[Fighter, Meta(description="Who stands up.")]


def stand(fight: Resolution, said: Stand) -> None:
    """dungeoneers.prone.stand: one movement point; anyone who is grappled and prone rises, too."""
    points.pay_movement(fight, said.who, "dungeoneers.prone.stand")
    if not fight.state.conditions.has(said.who, PRONE):
        fight.refuse("dungeoneers.prone.stand", f"{said.who} is not prone.")
        return
    conditions.off_turn(fight, said.who)
    fight.record(ConditionEnded(said.who, PRONE))
    dragged = conditions.partner(fight, said.who, GRAPPLING)
    if dragged and fight.state.conditions.has(dragged, PRONE):
        fight.record(ConditionEnded(dragged, PRONE))
        conditions.off_turn(fight, dragged)


class Resolve(Declaration):
    """Go on with what an open window holds up; anyone who has not struck lets the opportunity pass."""


def resolve(fight: Resolution, said: Resolve) -> None:
    """dungeoneers.opportune.window: the window closes, and the rest of the move, or the push, is carried out."""
    window = fight.state.pending.window
    if window is None:
        fight.impossible("No window is open; nothing waits to be resolved.")
    struck = window.said["struck"]
    waited = [one for one in window.answerable if one not in struck and fight.state.stands(one)]
    gone = f"{' and '.join(waited)} {'let' if waited[1:] else 'lets'} the opportunity pass" if waited else ""
    rest = fight.settle(WINDOW, window.who, "resolved", gone)
    if window.verb == "move":
        way = Way(tuple(rest["path"]), rest["allowed"], rest["keep_facing"], None)
        walk(fight, window.who, way, answered=True)
    elif window.verb == "push":
        conditions.shove(fight, window.who, rest["direction"], rest["blocked"])
