"""The board: how everybody is, at a glance. Adds nothing and judges nothing."""

from contextlib import suppress

from commands.action import grid
from commands.action.board import Bar, Due, Label, Readied
from commands.action.names import find, initials
from commands.action.view import View
from ledger.errors import NameUnknown
from ledger.events import together, whose
from projections.harm import Condition
from projections.state import State

from . import bodies, gear, points, threat
from .order import is_next_gap, next_up, taken
from .points import TURN
from .tables import ANY_GAP, GRAPPLED, READIED, THREATENED

_ROUND = 5
"""Seconds."""
GLANCE = ("wounds", "stress", "magica", "at", "AP MP RP")
"""The columns of the board at a glance, those that have a bar with it."""
STATE = {"conditions": "{}"}
"""What it says of the state of somebody: from which columns, and in which words."""
HARM = {"wounds": "taken", "stress": "taken"}
"""The columns that say how badly somebody is hurt: by what is left, or by what was taken."""
SEEN = ("side", "down", "at")
"""The columns that everybody at the table sees of everybody."""


def header(view: View) -> list[str]:
    """Encounter, round, and the magica of the place. The rows stand in the order of turns."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not turns.round:
        return [f"{title}, before the first round"]
    passed = _ROUND * (turns.round - 1 if turns.who or next_up(state) else turns.round)
    lines = [f"{title}, round {turns.round} ({passed} seconds)"]
    return lines if state.magica.ambient is None else [*lines, f"Ambient magica: {state.magica.ambient}"]


def turn(view: View) -> str:
    """The creature whose turn is under way, while something of it is left."""
    who = view.state.turns.who
    return who if points.unspent(view, who) else ""


def order(view: View) -> list[str]:
    """Those on the order of initiative."""
    return [who for who in view.state.turns.order if who in view.state.roster.members]


def following(view: View) -> list[str]:
    """The creature whose turn is next, behind those who may act now; or else the next round."""
    state, turns = view.state, view.state.turns
    if not state.encounter.running:
        return []
    if not turns.round:
        return ["round 1"]
    now = acting(view)
    left = [who for who in turns.order if state.stands(who) and state.points.left(who, TURN) and who not in now]
    return left[:1] or [f"round {turns.round + 1}"]


def demands(view: View) -> list[Due]:
    """The answers to the window that is open."""
    window = view.state.pending.window
    if not window:
        return []
    strike = " or ".join(f"o {_briefly(view, who)}" for who in window.answerable)
    return [Due(f"may strike: {strike} \u00b7 let it pass: resolve", window.answerable, True)]


def _briefly(view: View, who: str) -> str:
    """Somebody's initials, as they are typed, or the name where these mean somebody else."""
    short = initials(who).casefold()
    with suppress(NameUnknown):
        return short if short and find(view.state, short) == who else who
    return who


def readied(view: View) -> list[Readied]:
    """The readied actions, each with the gap between turns in which it can be taken."""
    found = []
    for one in view.state.pending.waiting:
        if one.kind == READIED:
            what = " ".join(filter(None, (one.verb, one.said.get("spell", ""))))
            found.append(Readied(one.who, what, one.said.get("target", ""), _moment(view, one.until)))
    return found


def _moment(view: View, until: str) -> str:
    """When a readied action can be taken, and whether that is now."""
    when = until if until == ANY_GAP else f"{whose(until)} turn"
    return f"{when}: now" if _is_now(view, until) else when


def _is_now(view: View, until: str) -> bool:
    """Whether the moment of a readied action has come: nothing is left of the turn before it."""
    return not points.unspent(view, view.state.turns.who) and is_next_gap(view.state, until)


def acting(view: View) -> list[str]:
    """Who may act now: those whom an open window asks, or the one whose turn is under way, as long as something is left
    of it; then those who can take what they have readied for the moment between the turns. Or else the next one, who
    begins their turn by acting.
    """
    state = view.state
    if state.pending.window:
        return list(state.pending.window.answerable)
    if points.unspent(view, state.turns.who):
        return [state.turns.who]
    waiting = [one for one in state.pending.waiting if one.kind == READIED and _is_now(view, one.until)]
    return [one.who for one in waiting if taken(view, one)] or list(filter(None, [next_up(state)]))


def done(view: View) -> list[str]:
    """Whose turn of this round is over, or has nothing left; a turn that waits for an answer is not over."""
    state, now = view.state, acting(view)
    under_way = state.turns.who if state.pending.window or points.unspent(view, state.turns.who) else ""
    over = [who for who in order(view) if state.turns.round and not state.points.left(who, TURN)]
    return [who for who in over if who not in now and who != under_way]


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one creature: side, wounds and stress against their limits, magica, points, what protects it, place,
    gear and conditions.
    """
    state, sheet, at = view.state, view.sheet(who), view.state.positions.at.get(who)
    place = ",".join(map(str, at if at[2] else at[:2])) if at else ""
    less = (f"{kind} -{level}" for kind, level in sorted(sheet.resistance_to.items()))
    more = (f"{kind} +{level}" for kind, level in sorted(sheet.vulnerability.items()))
    return {
        "side": state.roster.members[who].side,
        "down": state.harm.how(who),
        "wounds": f"{state.injuries.total(who)}/{sheet.wound_capacity}",
        "stress": f"{state.stress.total(who)}/{sheet.stress_capacity}",
        "magica": f"{state.magica.left(who)}/{sheet.magica_capacity}" if sheet.magica_capacity else "",
        "AP MP RP": _points(state, who),
        "AV": str(gear.armor_value(view, who).total),
        "SR": str(gear.spell_resistance(view, who).total or ""),
        "resists": ", ".join([*less, *more]),
        "at": f"{place} {state.facing.of.get(who, 'N')}".strip(),
        "equipped": ", ".join(state.gear.equipped.get(who, ())),
        "carried": ", ".join(_carried(view, who)),
        "ammo": ", ".join(f"{left} {kind}" for kind, left in sorted(state.ammunition.of.get(who, {}).items())),
        "conditions": ", ".join(one.told for one in labels(view, who)),
    }


def bars(view: View, who: str) -> list[Bar]:
    """Wounds and stress against their limits, and magica."""
    state, sheet = view.state, view.sheet(who)
    return [
        Bar("wounds", state.injuries.total(who), sheet.wound_capacity, "taken"),
        Bar("stress", state.stress.total(who), sheet.stress_capacity, "taken"),
        *([Bar("magica", state.magica.left(who), sheet.magica_capacity, "stock")] if sheet.magica_capacity else []),
    ]


LABELLED = "conditions"
"""The column that says what `labels` gives."""


def labels(view: View, who: str) -> list[Label]:
    """Each condition with whom it concerns and its end."""
    return [_held(name, held) for name, held in view.state.conditions.held(who)]


def _carried(view: View, who: str) -> list[str]:
    """What somebody has and has not equipped, also what they picked up."""
    rest = list(gear.possessions(view, who))
    for name in view.state.gear.equipped.get(who, ()):
        if name in rest:
            rest.remove(name)
    return rest


def _points(state: State, who: str) -> str:
    if not state.encounter.running or not state.stands(who):
        return ""
    return " ".join(str(state.points.left(who, kind)) for kind in ("action", "movement", "reaction"))


def _held(name: str, held: Condition) -> Label:
    ends = {
        "turn-start": f"until {whose(held.whose)} turn",
        "turn-end": f"until the end of {whose(held.whose)} turn",
        "round-end": "until the end of the round",
    }.get(held.until, "")
    by = "by " if name in (THREATENED, GRAPPLED) else ""
    whom = f"{by}{together(held.whom)}" if held.whom else ""
    sign = f"d{held.amount}" if held.modifies.endswith(" die") else f"{held.amount:+}"
    modifies = "" if name.endswith(held.modifies) else held.modifies
    amount = f"{sign} {modifies}".strip() if held.amount else ""
    return Label(" ".join(filter(None, (name, amount, whom))), ends)


def body(view: View, who: str) -> list[tuple[int, int]]:
    """The tiles that a creature takes, seen from above; none for the dead and those without a place."""
    return [(x, y) for x, y, _ in bodies.tiles(view, who)]


def heading(view: View, who: str) -> str:
    """Where a creature looks."""
    return view.state.facing.of.get(who, "N")


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


def chances(view: View) -> dict[str, tuple[str, ...]]:
    """Who has a turn to come in this round, or points left in the one under way; who may strike; what is readied."""
    state, found = view.state, dict[str, tuple[str, ...]]()
    for who in state.turns.order if state.encounter.running else ():
        now = who == state.turns.who and any(state.points.left(who, kind) > 0 for kind in ("action", "movement"))
        if state.stands(who) and (now or state.points.left(who, TURN)):
            found[who] = ("turn",)
    window = state.pending.window
    for who in window.answerable if window else ():
        found[who] = (*found.get(who, ()), "strike")
    for one in state.pending.waiting:
        if one.kind == READIED:
            found[one.who] = (*found.get(one.who, ()), f"readied {one.verb}")
    return found
