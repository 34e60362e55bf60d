"""Walking, tile by tile, and the window that holds it up: who may still strike, and how the action goes on after it."""

from collections.abc import Iterable

from msgspec import Struct

from commands.action.grid import Square, gap, step
from commands.action.resolution import Remedies, Resolution
from ledger.events import Moved, Placed
from projections.pending import Waiting

from . import conditions, points, strikes, threat
from .bodies import body, fits, tiles_at, turn_freely
from .tables import GRAPPLING, WINDOW


class Way(Struct, frozen=True):
    """What is left of a move."""

    path: tuple[str, ...]
    allowed: bool
    keep_facing: bool
    named: tuple[str, ...] | None
    """Who strikes at the first opportunity; none if nothing was said."""
    mod: tuple[str, ...] = ()
    """What the game master adds to those strikes."""


def walk(fight: Resolution, who: str, way: Way, answered: bool = False) -> None:
    """Walks until the end of the way, a tile that cannot be entered, an open window, or death.

    `answered`: the first move was paid for already, and its window was closed.
    """
    struck: set[str] = set()
    promised, allowed = list[str](), list[str]()
    for at, direction in enumerate(way.path):
        begun = answered and at == 0
        if (at or answered) and not fight.allow:
            problem = (None if begun else _cannot_pay(fight, who)) or _cannot_enter(fight, who, direction, way.allowed)
            if problem:  # The moves before it stand.
                fight.rule("dungeoneers.movement.move", f"stops: {problem[1]}", who=who)
                break
        elif not begun:
            _check_move(fight, who, way, direction)
            if at == 0 and way.named:
                promised, allowed = _check_named(fight, who, way)
        if not begun and not _leave(fight, who, way, at, struck, allowed):
            return
        _go(fight, who, direction)
    for striker in promised:
        if striker not in struck and fight.state.stands(striker):
            strikes.refuse_named(fight, striker, strikes.LEAVE_RANGE)


def _check_move(fight: Resolution, who: str, way: Way, direction: str) -> None:
    """Refuses a move that nobody can make now."""
    points.check_alive(fight, who)
    points.check_turn(fight, who)
    conditions.off_turn(fight, who)
    for refusal in (_cannot_pay(fight, who), _cannot_enter(fight, who, direction, way.allowed)):
        if refusal:
            fight.refuse(*refusal)


def _leave(fight: Resolution, who: str, way: Way, at: int, struck: set[str], allowed: list[str]) -> bool:
    """Pays for a move, and takes what strikes it provokes; says whether it goes on, neither stopped by a window that
    opens nor by death. `struck` are those who have struck on the way, `allowed` strike by the game master's word.
    """
    points.spend(fight, who, "movement", 1)
    turn_freely(fight, who, way.path[at], way.keep_facing)
    strikers = _strikers(fight, who, way.path[at])
    if way.named is None and strikers:
        rest = {"path": list(way.path[at:]), "allowed": way.allowed, "keep_facing": way.keep_facing}
        strikes.open_window(fight, who, "move", strikers, rest, _given(who, strikers.values()))
        return False
    moving = _moving(fight, who, way.path[at])
    strikers |= {striker: next((one for one in moving if fight.hostile(one, striker)), who) for striker in allowed}
    for striker in way.named or ():
        target = strikers.get(striker, "")
        if target and striker not in struck and fight.state.stands(target):
            struck.add(striker)
            blow = strikes.blow(fight, way.mod, striker, target, nameless=True)
            strikes.take(fight, striker, target, blow, "" if striker in allowed else _given(who, (target,))[0])
    return fight.state.stands(who)


def _cannot_pay(fight: Resolution, who: str) -> tuple[str, str, Remedies] | None:
    return points.no_movement(fight, who) if fight.state.points.left(who, "movement") < 1 else None


def _cannot_enter(fight: Resolution, who: str, direction: str, allowed: bool) -> tuple[str, str, Remedies] | None:
    """dungeoneers.movement.occupied, and for the one who is dragged along dungeoneers.grapple.drag-blocked."""
    if allowed:
        return None
    to, dragged = step(fight.state.positions.at[who], direction), conditions.partner(fight, who, GRAPPLING)
    hint: Remedies = [fight.otherwise(allowed=True)]
    if not dragged:
        if fits(fight, {who: to}):
            return None
        return "dungeoneers.movement.occupied", f"{who} does not fit at {to[0]},{to[1]}.", hint
    behind = step(fight.state.positions.at[dragged], direction)
    if fits(fight, {who: to, dragged: behind}):
        return None
    if not fits(fight, {who: to}, leaving=dragged):
        return "dungeoneers.movement.occupied", f"{who} does not fit at {to[0]},{to[1]}.", hint
    loose: Remedies = [("grapple", {"who": who, "release": True})]
    return "dungeoneers.grapple.drag-blocked", f"{dragged} does not fit at {behind[0]},{behind[1]}.", loose


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


def _check_named(fight: Resolution, who: str, way: Way) -> tuple[list[str], list[str]]:
    """Refuses named strikers who get no opportunity from any step of the way that can be paid.

    Gives those who get one if nothing comes between, and those whom the game master lets strike at the first step.
    """
    paid = way.path[: max(fight.state.points.left(who, "movement"), 1)]
    moving = dict.fromkeys(_moving(fight, who, "N"))
    provokes = fight.option("forced_moves_provoke")
    possible, forced = list[str](), list[str]()
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
    allowed = strikes.check_named(fight, named, possible, strikes.LEAVE_RANGE, tuple(forced))
    return [name for name in named if name in possible and strikes.can_strike(fight, name)], allowed


def _threatening_there(fight: Resolution, who: str, here: Square, there: Square, along: tuple[str, ...]) -> list[str]:
    """Those who would threaten a creature at one place, and not at the other."""
    found = []
    for other in fight.state.roster.order:
        if other in along or not fight.hostile(who, other) or not fight.state.stands(other):
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
            with fight.upon(who, one):
                fight.rule("dungeoneers.grapple.drag", "dragged", who=who, about=one)
                fight.record(Placed(one, to))
    conditions.after_moves(fight, tuple(moving))


# The window


def review(fight: Resolution, struck: str = "") -> None:
    """dungeoneers.opportune.window: it asks those who can still strike, and closes when there is nobody left.

    Measured anew after each action while it is open: by the game master's word somebody may have fallen, left, moved,
    made peace, or lost what they struck with. `struck` has just taken the opportunity.
    """
    window = fight.state.pending.window
    assert window is not None
    said = {**window.said, "struck": [*window.said["struck"], struck]} if struck else window.said
    left = [one for one in fight.state.roster.order if one in said["strikers"] and one not in said["struck"]]
    asked = tuple(one for one in left if _can(fight, window, one))
    if not asked:
        go_on(fight)
    elif struck or {*asked} != {*window.answerable}:
        fight.wait(WINDOW, window.who, window.verb, said, asked)


def _can(fight: Resolution, window: Waiting, striker: str) -> bool:
    """Whether one of those who were asked can still strike."""
    target = window.said["strikers"][striker]
    there = target in fight.state.roster.members and points.alive(fight, target)
    if not there or not strikes.can_strike(fight, striker):
        return False
    if window.verb not in ("move", "push"):
        return striker in strikes.threatening(fight, target)
    if window.verb == "push":
        to = step(fight.state.positions.at[target], window.said["direction"])
        return striker in strikes.left_behind(fight, target, to)
    moving = _moving(fight, window.who, window.said["path"][0])
    return target in moving and striker in strikes.left_behind(fight, target, moving[target], tuple(moving))


def go_on(fight: Resolution, waited: tuple[str, ...] = ()) -> None:
    """Closes the window that is open, and carries out what it held up. Those who `waited` let it pass."""
    window = fight.state.pending.window
    assert window is not None
    gone = f"{' and '.join(waited)} {'let' if waited[1:] else 'lets'} the opportunity pass" if waited else ""
    rest = fight.settle(WINDOW, window.who, "resolved", gone)
    if window.verb == "move" and fight.state.stands(window.who):
        walk(fight, window.who, Way(tuple(rest["path"]), rest["allowed"], rest["keep_facing"], None), answered=True)
    elif window.verb == "push" and rest["target"] in fight.state.roster.members and points.alive(fight, rest["target"]):
        with fight.upon(window.who, rest["target"]):
            conditions.shove(fight, rest["target"], rest["direction"], rest["blocked"])
