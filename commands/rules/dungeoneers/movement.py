"""Movement: moving tile by tile, turning, dropping prone and standing up; and going on when a window closes."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, Words, says
from commands.action.grid import COMPASS
from commands.action.resolution import Resolution
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained

from . import conditions, points, strikes, walking
from .bodies import placing, turn
from .chain import Pools, by_gm, pools_of
from .strikes import Opportune
from .tables import GRAPPLING, PRONE


class Move(Pools):
    """Move, tile by tile, in the directions named: N NE E SE S SW W NW. Each tile costs a movement point."""

    who: Annotated[Fighter, says("Who moves.")]
    directions: Annotated[Words, says("Where to, such as N NE E.", min_length=1, max_length=100, offers=[*COMPASS])]
    allowed: Annotated[bool, says("Anyone who stands there lets the mover pass.")] = False
    keep_facing: Annotated[bool, says("The mover does not turn to where it goes.")] = False
    opportune: Opportune = ()


def move(fight: Resolution, said: Move) -> None:
    """dungeoneers.movement.move: each tile is a move of its own."""
    path = tuple(word.upper() for word in said.directions)
    unknown = [word for word in path if word not in COMPASS]
    if unknown:
        message = f"{unknown[0][:40]!r} is not a direction."
        raise UsageError(message, f"Directions are: {', '.join(COMPASS)}; put spaces between several.")
    if said.who not in fight.state.positions.at:
        fight.impossible(f"{said.who} has no place on the map.", placing(fight, said.who))
    named = strikes.named(fight, said.opportune)
    if said.mod and not named:
        fight.impossible("Nobody is named who strikes, so nothing is rolled.", [fight.otherwise(mod=())])
    for striker in (named or ())[:1]:
        dragged = conditions.partner(fight, said.who, GRAPPLING)
        others = strikes.pools(named, (said.who, *([dragged] if dragged else [])))
        by_gm(fight, said, pools_of(striker, said.who), others)
    walking.walk(fight, said.who, walking.Way(path, said.allowed, said.keep_facing, named, said.mod))


class Face(Declaration):
    """Turn to a direction, for a movement point."""

    who: Annotated[Fighter, says("Who turns.")]
    direction: Annotated[Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"], says("The direction to face.")]


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

    who: Annotated[Fighter, says("Who drops.")]


def prone(fight: Resolution, said: Prone) -> None:
    """dungeoneers.prone.drop: at any moment of one's own turn."""
    points.check_alive(fight, said.who)
    points.check_turn(fight, said.who, "dungeoneers.prone.drop")
    if fight.state.conditions.has(said.who, PRONE):
        fight.refuse("dungeoneers.condition.no-stacking", f"{said.who} is already prone.")
        return
    fight.record(ConditionGained(said.who, PRONE))


class Stand(Declaration):
    """Stand up, for a movement point."""

    who: Annotated[Fighter, says("Who stands up.")]


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
        fight.impossible("Nothing waits to be resolved.")
    walking.go_on(fight, window.answerable)
