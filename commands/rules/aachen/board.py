"""The board: how everybody is, at a glance. Adds nothing and judges nothing."""

from commands.action.board import Bar, Due, Label, Readied, label, named_powers
from commands.action.view import View
from ledger.events import DROPPED, side_word
from projections.state import State

from .actions import MAIN, MOVE, TURN, counted, first_of, slot_of, slots, up_next, waiting
from .falls import must_check
from .fighters import DELAYING, HELD, in_contact, ready
from .strike import armor_class

_SECONDS = 6
"""aachen.round.length"""
GLANCE = ("hp",)
"""The columns of the board at a glance, those that have a bar with it."""
STATE = {"turn": "{}", "left": "{} left", "contact": "in contact with {}", "conditions": "{}"}
"""What it says of the state of somebody: from which columns, and in which words."""
HARM = {"hp": "left"}
"""The columns that say how badly somebody is hurt: by what is left, or by what was taken."""
SEEN = ("side", "down", "contact")
"""The columns that everybody at the table sees of everybody."""


def header(view: View) -> list[str]:
    """Encounter, round, and the order of initiative."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not counted(state):
        return [f"{title}, before initiative"]
    passed = _SECONDS * (turns.round - 1)
    lines = [f"{title}, {f'round {turns.round} ({passed} seconds)' if turns.round else 'surprise round'}"]
    if turns.order:
        told = (" and ".join(_scored(state, entry) for entry in slot) for slot in slots(state))
        lines.append(f"Order: {', '.join(told)}")
    return lines


def turn(view: View) -> str:
    """The combatant whose turn is under way."""
    return view.state.turns.who if counted(view.state) else ""


def order(view: View) -> list[str]:
    """Everybody in the order of initiative."""
    state = view.state
    return sorted(state.roster.order, key=lambda who: slot_of(state, who)) if state.turns.order else []


def following(view: View) -> list[str]:
    """Those who may begin a turn when the present one is over: of the same slot, or of the next one."""
    state = view.state
    if not counted(state):
        return ["reaction, surprise or initiative"] if state.encounter.running else []
    now = acting(view)
    left = [who for who in waiting(state) if who not in now]
    if not left:
        return ["initiative" if not state.turns.round else f"round {state.turns.round + 1}"]
    return first_of(state, left)


def demands(view: View) -> list[Due]:
    """The morale checks that are due."""
    must = must_check(view.state)
    return [Due("morale check", tuple(must), verb="morale")] if must else []


def readied(view: View) -> list[Readied]:
    """The main actions that are held."""
    return [Readied(one.who, one.said["text"]) for one in view.state.pending.waiting if one.kind == HELD]


def _scored(state: State, entry: str) -> str:
    score = state.initiative.scores.get(entry)
    return side_word(entry) if score is None else f"{side_word(entry)} ({score})"


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, hit points, Armor Class, powers, what it may still do, contact, gear, and
    conditions.
    """
    state = view.state
    hp = state.harm.hp[who]
    return {
        "side": state.roster.members[who].side,
        "hp": f"{hp.now}/{hp.most}",
        "down": state.harm.how(who),
        "AC": str(armor_class(view, who).total),
        "special": named_powers(view.sheet(who).special),
        "turn": _turn(state, who),
        "left": " and ".join(_left(state, who)),
        "contact": ", ".join(in_contact(state, who)),
        "in hand": ", ".join(state.gear.equipped.get(who, ())),
        "conditions": ", ".join(one.told for one in labels(view, who)),
    }


def bars(view: View, who: str) -> list[Bar]:
    """Hit points."""
    hp = view.state.harm.hp[who]
    return [Bar("hp", hp.now, hp.most)]


LABELLED = "conditions"
"""The column that says what `labels` gives."""


def labels(view: View, who: str) -> list[Label]:
    """The conditions, without what lies on the ground."""
    return [label(name, held) for name, held in view.state.conditions.held(who) if not name.startswith(DROPPED)]


def _counts(state: State, who: str) -> bool:
    return counted(state) and ready(state, who)


def _left(state: State, who: str) -> list[str]:
    """The actions that somebody still has; once the turn is over only the main action, for an instant."""
    kinds = (MAIN,) if _turn(state, who) == "turn over" else (MAIN, MOVE)
    return [kind for kind in kinds if _counts(state, who) and state.points.left(who, kind)]


def _turn(state: State, who: str) -> str:
    if not _counts(state, who):
        return ""
    if state.turns.who == who:
        return "now"
    if not state.points.left(who, TURN):
        return "turn over"
    return "later" if state.conditions.has(who, DELAYING) else "yet to act"


def acting(view: View) -> list[str]:
    """Who may act now: the one whose turn is under way, else those who may begin theirs. A turn in which both actions
    are taken keeps nobody back: the first action of the next one ends it.
    """
    state = view.state
    now = state.turns.who
    if now and any(state.points.left(now, kind) for kind in (MAIN, MOVE)):
        return [now]
    return up_next(state) or [now] * bool(now) if counted(state) else []


def done(view: View) -> list[str]:
    """Whose turn of this round is over, or has no action left while others may begin theirs."""
    state, now = view.state, acting(view)
    over = [who for who in state.roster.order if _counts(state, who) and not state.points.left(who, TURN)]
    return [who for who in over if who not in now]


def chances(view: View) -> dict[str, tuple[str, ...]]:
    """Who has a turn to come in this round, or an action left of the one that is under way; and what is held. Who has
    only one of the actions left can do that, before the turn has begun and after.
    """
    state, found = view.state, dict[str, tuple[str, ...]]()
    if counted(state):
        for who in dict.fromkeys((*waiting(state), *filter(None, (state.turns.who,)))):
            left = [kind for kind in (MAIN, MOVE) if state.points.left(who, kind)]
            if left or who != state.turns.who:
                found[who] = (f"{left[0]} action",) if len(left) == 1 else ("turn",)
    for one in state.pending.waiting:
        if one.kind == HELD:
            found[one.who] = (*found.get(one.who, ()), "held action")
    return found
