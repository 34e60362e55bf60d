"""The board: how everybody is, and what everybody does in this round. Adds nothing and judges nothing."""

from msgspec.structs import replace

from commands.action.board import Bar, Due, Label
from commands.action.view import View
from ledger.events import DROPPED
from ledger.events.harm import injury
from projections.state import State

from . import actions, harm, places
from .hands import SHIELD

GLANCE = ("Stamina", "area")
"""The columns of the board at a glance, those that have a bar with it."""
STATE = {"action": "{}", "engaged": "engaged with {}", "wounds": "{}", "effects": "{}"}
"""What it says of the state of somebody: from which columns, and in which words."""
HARM = {"pain": "taken", "Stamina": "left"}
"""The columns that say how badly somebody is hurt: by what is left, or by what was taken."""
SEEN = ("side", "down", "area", "engaged")
"""The columns that everybody at the table sees of everybody."""


def header(view: View) -> list[str]:
    """Encounter, round and phase, and the skirmishes of the round."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not turns.round:
        return [f"{title}, before the first round"]
    lines = [f"{title}, round {turns.round}, {turns.phase} phase"]
    for nth, skirmish in enumerate(state.skirmishes.of, 1):
        sides = " v ".join(", ".join(side) for side in skirmish.sides)
        if skirmish.members:
            lines.append(f"Skirmish {nth}: {sides}{' (fought)' if skirmish.done else ''}")
    return lines


def following(view: View) -> list[str]:
    """The next phase, or the next round."""
    turns = view.state.turns
    if not view.state.encounter.running:
        return []
    if not turns.round:
        return ["round 1"]
    if turns.phase not in actions.PHASES:
        return []
    later = actions.PHASES[actions.PHASES.index(turns.phase) + 1 :]
    return [f"the {later[0]} phase" if later else f"round {turns.round + 1}"]


def demands(view: View) -> list[Due]:
    """In planning the declarations; in a later phase the actions that are to be resolved in it."""
    state = view.state
    if not state.encounter.running or not state.turns.round:
        return []
    must, what = tuple(acting(view)), "to declare" if state.turns.phase == "planning" else "to resolve"
    return [Due(what, must, True)] if must else []


def acting(view: View) -> list[str]:
    """Who may act now: in planning those who have not declared; in a later phase those whose declared action is to be
    resolved in it.
    """
    state = view.state
    if not state.encounter.running or not state.turns.round:
        return []
    if state.turns.phase == "planning":
        return actions.undeclared(state)
    return list(dict.fromkeys(one.who for one in actions.due_now(state) if state.stands(one.who)))


def done(view: View) -> list[str]:
    """In planning who has declared; in a later phase whose declared action is over."""
    state, now = view.state, acting(view)
    planning = state.turns.phase == "planning"
    over = [who for who in state.roster.order if actions.declared(state, who)]
    return [who for who in over if who not in now and (planning or state.pending.outcome(actions.KIND, who))]


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, area, harm, armour, action, engagement, gear and effects."""
    state = view.state
    return {
        "side": state.roster.members[who].side,
        "down": "dying" if harm.is_dying(state, who) else state.harm.how(who),
        "area": places.of(state, who),
        "pain": str(state.pain.total(who)),
        "Stamina": f"{harm.stamina(view, state, who).total}/{view.sheet(who).stamina}",
        "Fortitude": str(view.sheet(who).toughness),
        "AV": str(view.sheet(who).av),
        "wounds": ", ".join(injury(wound.name, wound.place) for wound in state.wounds.of.get(who, ())),
        "action": _action(state, who),
        "engaged": ", ".join(places.opponents(state, who)),
        "in hand": ", ".join(sorted(state.gear.equipped.get(who, ()), key=lambda item: item == SHIELD)),
        "effects": ", ".join(f"{one.what}{f' ({one.ends})' if one.ends else ''}" for one in labels(view, who)),
    }


def bars(view: View, who: str) -> list[Bar]:
    """What pain has left of Stamina."""
    return [Bar("Stamina", harm.stamina(view, view.state, who).total, view.sheet(who).stamina)]


def _action(state: State, who: str) -> str:
    """What somebody declared, and whether it is resolved; a melee with those against whom it was fought."""
    if not state.encounter.running or not state.turns.round:
        return ""
    action = actions.declared(state, who)
    if action is None:
        return "not declared" if state.stands(who) and state.turns.phase == "planning" else ""
    outcome, foes = state.pending.outcome(actions.KIND, who), _fought(state, who)
    if outcome and foes and action.verb == "attack" and action.said.get("target") not in foes:
        action = replace(action, said={**action.said, "target": ", ".join(foes)})
    still = f"({action.until})" if action.verb != "pass" else ""
    return " ".join(filter(None, (actions.told(action), f"- {outcome.how}" if outcome else still)))


def _fought(state: State, who: str) -> tuple[str, ...]:
    """The opponents in the melee that somebody has fought in this round."""
    skirmish = state.skirmishes.number(state.skirmishes.with_(who))
    pairs = (skirmish.sides, skirmish.sides[::-1]) if skirmish.done else ()
    return next((foes for own, foes in pairs if who in own), ())


LABELLED = "effects"
"""The column that says what `labels` gives."""


def labels(view: View, who: str) -> list[Label]:
    """Each effect with what it changes and its last round; and whether somebody falls when the phase closes."""
    state, told = view.state, []
    for name, held in state.conditions.held(who):
        if name.startswith(DROPPED):
            continue
        change = f" {held.amount:+d} {held.modifies}" if held.amount else f" {held.modifies}" if held.modifies else ""
        told.append(Label(f"{name}{change}", f"to round {held.round}" if held.round else ""))
    fall = state.pending.of("fall", who)
    return [*told, Label(f"{fall.said['text']} at the end of the phase")] if fall else told


def chances(view: View) -> dict[str, tuple[str, ...]]:
    """In planning who has declared nothing yet, and what is declared and not resolved."""
    state, found = view.state, dict[str, tuple[str, ...]]()
    if state.turns.phase == "planning":
        found = dict.fromkeys(actions.undeclared(state), ("declaration",))
    for one in state.pending.waiting:
        if one.kind in (actions.KIND, actions.ENGAGE) and one.verb != "pass":
            word = actions.TOLD[one.verb] if one.verb in actions.MAGIC else one.verb
            found[one.who] = (*found.get(one.who, ()), word)
    return found
