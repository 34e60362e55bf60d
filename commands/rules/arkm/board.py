"""The board: how everybody is, and what holds for everybody. Adds nothing and judges nothing."""

from commands.action.view import View
from projections.state import State

from .ability import is_able, temporary
from .conditions import TEMPORARY
from .distance import FEET, figure
from .groups import standing
from .morale import DUE
from .order import ACTED, PHASES, is_decided, pair_of, place, pointer
from .waiting import can, left_in_round


def header(view: View) -> list[str]:
    """Encounter, round, phase, the order of initiative with the place that acts, and what holds for groups."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not turns.round:
        return [f"{title}, before the first round"]
    lines = [f"{title}, round {turns.round}{f', {turns.phase} phase' if turns.phase else ''}"]
    if turns.order:
        order = [f"*{place}*" if turns.phase and place == turns.who else place for place in turns.order]
        lines.append(f"Initiative: {', '.join(order)}")
    for number, one in enumerate(state.skirmishes.of, 1):
        if not one.done:
            sides = [", ".join(f"{who}{_die(state, who)}" for who in side) for side in one.sides]
            lines.append(f"Paired fight {number}: {' against '.join(sides)}")
    lines += [f"{one.who}: {one.kind} is due ({one.said.get('text', '')})" for one in state.pending.waiting]
    for name in sorted(state.conditions.of):
        if name not in state.roster.members:
            lines.append(f"{name}: {', '.join(_states(state, name))}")
    return lines


def acting(view: View) -> list[str]:
    """Who may act now: those whose place it is, or who are in a paired fight, and can do what belongs to the phase; if
    nobody can, all who are able and have their place now.
    """
    state = view.state
    if not state.encounter.running or not is_decided(view):
        return []
    phase, now = state.turns.phase or PHASES[0], pointer(view)
    able = [who for who in state.roster.order if is_able(view, who)]
    here = [who for who in able if pair_of(view, who) or place(view, who) == now]
    return [who for who in here if can(view, who, phase)] or [who for who in here if not pair_of(view, who)]


def due(view: View) -> list[str]:
    """For whom the fight waits: the groups that must check their morale; if none must, those who may still shoot, cast
    or strike in this round.
    """
    state = view.state
    must = [who for one in state.pending.waiting if one.kind == DUE for who in standing(view, one.who)]
    if must or not state.encounter.running or not is_decided(view):
        return must
    return list(dict.fromkeys(who for who, _ in left_in_round(view)))


def _die(state: State, who: str) -> str:
    """The initiative of one in a paired fight, if it was rolled for this round."""
    score = state.initiative.scores.get(who)
    return f" {score}" if score else ""


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, both columns of harm, what is in hand, who is near, what it did and is."""
    state = view.state
    hp, down = state.harm.hp[who], state.harm.down.get(who)
    men = view.sheet(who).men
    return {
        "side": state.roster.members[who].side,
        "hp": f"{hp.now}/{hp.most}{f' ({men} men)' if men else ''}",
        "temporary": str(temporary(view, who) or ""),
        "down": "slain" if down and down.how == "dead" else "out" if down else "",
        "in hand": ", ".join(state.gear.equipped.get(who, ())),
        "in melee with": ", ".join(_near(state, who)),
        "this round": ", ".join(_deeds(view, who)),
        "state": ", ".join(_states(state, who)),
    }


def _deeds(view: View, who: str) -> list[str]:
    """What somebody did in this round: how far it moved, and its action."""
    feet = view.state.counts.get(who, FEET)
    return [*([f"moved {figure(view, feet)}"] if feet else []), *sorted(view.state.counts.of(who, ACTED))]


def _near(state: State, who: str) -> list[str]:
    """Those in melee with somebody, all standing."""
    return [other for other in state.engagement.of(who) if state.stands(other) and state.stands(who)]


def _states(state: State, who: str) -> list[str]:
    """Conditions in words."""
    told = []
    for name, held in state.conditions.held(who):
        if name == TEMPORARY:
            continue
        amount = f" {held.amount}" if held.amount else ""
        whom = f" ({', '.join(held.whom)})" if held.whom else ""
        told.append(f"{name}{amount}{whom}")
    return told


def body(view: View, who: str) -> list[tuple[int, int]]:
    """Arkm counts feet and no squares: nobody is on the map."""
    return []
