"""Aiming: whom an attack reaches, and over what distance."""

from typing import Annotated

from msgspec import Struct

from commands.action.declaration import MOST, Behind, Declaration, Fighter, Fighters, Square, says
from commands.action.grid import gap
from commands.action.modifiers import Mods
from commands.action.names import check_once, find
from commands.action.resolution import Remedies, Resolution

from . import area, bodies, sight


class Attack(Declaration):
    """Attack one or more targets, or everybody in an area, in any form: blade, spell or thrown chair.

    If the fighters are on the map, the area's origin is --at or the first target's square, and everybody in it is
    attacked.
    """

    who: Annotated[Fighter, says("Who attacks.")]
    target: Annotated[Fighters, says("Who is attacked.", positional=True)] = ()
    at: Annotated[Square | None, says("The square attacked, the origin of an area.")] = None
    with_: Annotated[str, says("The weapon used, or none; by default the first in hand.")] = ""
    radius: Annotated[int, says("Attack an area of this radius, in squares.", ge=-MOST, le=MOST)] | None = None
    distance: Annotated[int, says("Distance in squares, if nobody is on the map.", ge=0, le=MOST)] | None = None
    los: Annotated[
        Behind, says("Your ruling on line of sight: clear or blocked, or clear@NAME for one in an area.")
    ] = ()
    mod: Mods = ()
    as_: Annotated[str, says("What it looks like; changes nothing.", max_length=2000)] = ""
    triggered: Annotated[bool, says("A trap attacks because it was triggered.")] = False


class Aim(Struct, frozen=True):
    """What an attack is aimed at."""

    defenders: tuple[str, ...]
    distance: int = 1
    """To the target square, which is the origin of an area."""
    radius: int = 1
    clauses: tuple[str, ...] = ()
    """What was decided while aiming, besides what is recorded of it."""

    @property
    def only(self) -> str:
        """The one whom it reaches; "" where it reaches several, or nobody."""
        return "" if self.defenders[1:] else "".join(self.defenders)


def take_aim(fight: Resolution, said: Attack) -> Aim:
    """Target square, distance and defenders; from the mat where the places are known, else as said."""
    _check_targets(fight, said)
    within, radius = area.reach(fight, said.radius), max(said.radius or 1, 1)
    line, lines = _gm_lines(fight, said.los)
    standing, targets = bodies.squares(fight, said.who), aimed_at(fight, said)
    if not (standing and targets):
        if (standing or targets) and said.distance is None:
            _refuse_unplaced(fight, said, bool(standing))
        _check_radius(fight, said, within)
        distance = 1 if said.distance is None else said.distance
        if distance > sight.ADJACENT and line == "blocked":
            sight.refuse_unseen(fight, said.who)
        if not targets:
            return Aim(said.target, distance, radius)
        origin = targets[0]
    else:
        sighted = sight.target_square(fight, said.who, standing, targets, line)
        origin, distance = sighted.square, sighted.distance
        if said.distance is not None:
            message = f"Both are placed, {distance} squares apart."
            fight.refuse("freepg.range.definition", message, "Leave out --distance.")
            distance = said.distance
    reached = area.reached(fight, said.who, origin, within, lines)
    outside = tuple(who for who in said.target if who not in reached)
    if outside:
        message = f"The attack does not reach {', '.join(outside)}. It reaches {', '.join(reached) or 'nobody'}."
        hint = " An attack has one origin; a larger radius reaches farther."
        fight.refuse("freepg.area.everyone", message + hint, _wide_enough(fight, said, origin, outside, lines))
    return Aim((*reached, *outside), distance, radius, ("freepg.area.own-square",) if distance == 0 else ())


def _refuse_unplaced(fight: Resolution, said: Attack, standing: bool) -> None:
    """freepg.range.definition: between a place on the mat and none there is no distance, unless it is said."""
    if not standing or said.target:
        who = said.target[0] if standing else said.who
        message = f"How far away is {said.target[0] if said.target else 'that'}? {who} has no place on the mat."
        fight.refuse("freepg.range.definition", message, "Say how far: --distance 4.")


def aimed_at(fight: Resolution, said: Attack) -> tuple[Square, ...]:
    """The square named, or the squares of the first target; none when it has no place."""
    if said.at:
        return (said.at,)
    return bodies.squares(fight, said.target[0]) if said.target else ()


def _check_radius(fight: Resolution, said: Attack, within: int) -> None:
    """Without a mat the game master says how wide an area is that holds several targets: freepg.area.everyone."""
    if said.target[1:] and not within:
        least = 1 if fight.option("area_radius") == "beyond-origin" else 2
        members = fight.state.roster.members
        foes = [one for one in said.target if members[one].side != members[said.who].side]
        wide = fight.otherwise(radius=least)
        message = f"{' and '.join(said.target)} are not on one square; only an area attack reaches them all."
        first = [fight.otherwise(target=foes), wide] if len(foes) == 1 else wide  # a friend among foes is hardly meant
        fight.refuse("freepg.area.everyone", message, [first, fight.otherwise(target=said.target[:1])])


def _wide_enough(
    fight: Resolution, said: Attack, origin: Square, outside: tuple[str, ...], lines: dict[str, str]
) -> Remedies:
    """The way on: the least radius that reaches all who were named, or else the attack on one of them."""
    around = bodies.all_bodies(fight)
    far = max([1, *(gap([origin], around[who]) for who in outside if who in around)])
    for radius in range(far, far + 2):
        found, _ = area.in_area(fight, said.who, origin, area.reach(fight, radius), lines)
        if set(outside) <= set(found):
            return [fight.otherwise(radius=radius)]
    return [fight.otherwise(target=said.target[:1])]


def _check_targets(fight: Resolution, said: Attack) -> None:
    """freepg.attack.legal-target and freepg.area.not-attacker."""
    if not said.target and said.at is None:
        fight.impossible("The attack names no target and no square.", "Name one of them.")
    for who in said.target:
        if fight.sheet(who).kind == "trap":
            fight.impossible(f"{who} is a trap, and has no health to lose.")
        if who == said.who:
            fight.refuse("freepg.area.not-attacker", f"{who} cannot be a target of their own attack.")
        elif fight.state.harm.how(who) == "dead":
            fight.refuse("freepg.attack.legal-target", f"{who} is dead.")


def _gm_lines(fight: Resolution, words: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The game master's word on the line to the target square, and on those from the origin to creatures."""
    found: list[tuple[str, str]] = []
    for word in words:
        how, at, name = word.partition("@")
        if how not in ("clear", "blocked") or (at and not name):
            fight.impossible(f"{word[:40]!r} says nothing of a line of sight.", "Say clear or blocked, or clear@NAME.")
        found.append((find(fight.state, name) if name else "the line", how))
    check_once(found)
    lines = dict(found)
    return lines.pop("the line", ""), lines
