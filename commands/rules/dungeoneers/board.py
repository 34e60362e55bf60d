"""The board: how everybody is, at a glance. Adds nothing and judges nothing."""

from commands.action import grid
from commands.action.view import View
from projections.harm import Condition
from projections.pending import Waiting
from projections.state import State

from . import bodies, threat
from .order import next_up
from .points import TURN
from .tables import ANY_GAP, GRAPPLED, READIED, THREATENED

ROUND = 5
"""Seconds."""


def header(view: View) -> list[str]:
    """Encounter, round, whose turn it is, the order, and the window that is open."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not turns.round:
        return [f"{title}, before the first round"]
    following = next_up(state)
    now = f"turn of {turns.who}" if turns.who else f"next is {following}" if following else "everybody has had a turn"
    passed = ROUND * (turns.round - 1 if turns.who or following else turns.round)
    lines = [f"{title}, round {turns.round} ({passed} seconds), {now}", f"Order: {', '.join(turns.order)}"]
    if state.magica.ambient is not None:
        lines.append(f"Ambient magica: {state.magica.ambient}")
    window = state.pending.window
    return [*lines, _window(window)] if window else lines


def acting(view: View) -> list[str]:
    """Who may act now: those whom an open window asks, the one whose turn is under way, or the next in the order."""
    state = view.state
    if state.pending.window:
        return _asked(state.pending.window)
    return [who for who in (state.turns.who or next_up(state),) if who and state.encounter.running]


def due(view: View) -> list[str]:
    """For whom the fight waits: those whom an open window asks; else those who have not ended their turn."""
    state = view.state
    if state.pending.window:
        return _asked(state.pending.window)
    living = [who for who in state.turns.order if state.stands(who) and state.encounter.running]
    return [who for who in living if who == state.turns.who or state.points.left(who, TURN)]


def _asked(window: Waiting) -> list[str]:
    """Those who may strike while a window is open, and have not struck."""
    return [who for who in window.answerable if who not in window.said.get("struck", [])]


def _window(window: Waiting) -> str:
    asked = _asked(window)
    answers = f"may strike: {', '.join(asked)} (affray opportune NAME)" if asked else "all have answered"
    return f"{window.who}'s {window.verb} waits; {answers}; affray resolve goes on"


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one creature: side, wounds and stress against their limits, magica, points, place, conditions."""
    state = view.state
    sheet = view.sheet(who)
    down, at = state.harm.down.get(who), state.positions.at.get(who)
    place = ",".join(map(str, at if at[2] else at[:2])) if at else ""
    return {
        "side": state.roster.members[who].side,
        "down": down.how if down else "",
        "wounds": f"{state.injuries.total(who)}/{sheet.wound_capacity}",
        "stress": f"{state.stress.total(who)}/{sheet.stress_capacity}",
        "magica": f"{state.magica.left(who)}/{sheet.magica_capacity}" if sheet.magica_capacity else "",
        "AP MP RP": _points(state, who),
        "at": f"{place} {state.facing.of.get(who, 'N')}".strip(),
        "equipped": ", ".join(state.gear.equipped.get(who, ())),
        "ammo": ", ".join(f"{left} {kind}" for kind, left in sorted(state.ammunition.of.get(who, {}).items())),
        "conditions": ", ".join(_conditions(state, who)),
    }


def _points(state: State, who: str) -> str:
    if not state.encounter.running or not state.stands(who):
        return ""
    return " ".join(str(state.points.left(who, kind)) for kind in ("action", "movement", "reaction"))


def _conditions(state: State, who: str) -> list[str]:
    """Each condition with whom it concerns and its end, then what is readied."""
    words = [_held(name, held) for name, held in state.conditions.held(who)]
    ready = state.pending.of(READIED, who)
    whose = "" if ready and ready.until == ANY_GAP else "'s turn"
    return [*words, f"readied {ready.verb} {ready.until}{whose}"] if ready else words


def _held(name: str, held: Condition) -> str:
    ends = {
        "turn-start": f"until the turn of {held.whose}",
        "turn-end": f"until the turn of {held.whose} ends",
        "round-end": "until the round ends",
    }.get(held.until, "")
    by = {THREATENED: "by ", GRAPPLED: "by "}.get(name, "")
    whom = f"{by}{' and '.join(held.whom)}" if held.whom else ""
    sign = f"d{held.amount}" if held.modifies.endswith(" die") else f"{held.amount:+}"
    amount = f"{sign} {held.modifies}".strip() if held.amount else ""
    return " ".join(filter(None, (name, amount, whom, ends)))


def body(view: View, who: str) -> list[tuple[int, int]]:
    """The tiles that a creature takes, seen from above; none for the dead and those without a place."""
    return [(x, y) for x, y, _ in bodies.tiles(view, who)]


def heading(view: View, who: str) -> str:
    """Where a creature looks."""
    state = view.state
    return state.facing.of.get(who, "N")


def ground(view: View) -> dict[str, list[tuple[int, int]]]:
    """What else is on the map: the tiles that each side threatens, and items on the ground."""
    state = view.state
    sides: dict[tuple[int, int], list[str]] = {}
    for who in state.roster.order:
        reach = threat.threat_range(view, who).total
        side = state.roster.members[who].side
        for x, y, height in bodies.tiles(view, who):
            for there in grid.area((x, y, height), reach):
                known = sides.setdefault(there[:2], [])
                if side not in known:
                    known.append(side)
    found: dict[str, list[tuple[int, int]]] = {}
    for tile, by in sorted(sides.items()):
        found.setdefault(f"threatened by {' and '.join(sorted(by))}", []).append(tile)
    for item in state.lying.items:
        found.setdefault(item.item, []).append(item.at[:2])
    return found
