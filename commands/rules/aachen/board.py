"""The board: how everybody is, at a glance. Adds nothing and judges nothing."""

from commands.action.view import View
from projections.changes import described
from projections.state import State

from .actions import MAIN, MOVE, TURN, counted, slots, up_next, waiting
from .falls import must_check
from .fighters import DELAYING, HELD, MORALE, able, in_contact, surprised

SECONDS = 6
"""aachen.round.length"""


def header(view: View) -> list[str]:
    """Encounter, round, whose turn it is, who may act next, the order, and what is due."""
    state, turns, title = view.state, view.state.turns, view.title
    if not title:
        return ["No encounter is under way."]
    if not counted(state):
        return [f"{title}, before initiative (affray reaction, surprise, initiative)"]
    if turns.round:
        title = f"{title}, round {turns.round} ({SECONDS * (turns.round - 1)} seconds)"
    else:
        title = f"{title}, surprise round"
    following = [who for who in up_next(state) if who != turns.who]
    now = f"turn of {turns.who}; " if turns.who else ""
    then = f"next: {', '.join(following)}" if following else "everybody has acted"
    closing = "" if following else " (affray round)" if turns.round else " (affray initiative)"
    lines = [f"{title}, {now}{then}{closing}"]
    if turns.order:
        told = (" and ".join(_scored(state, entry) for entry in slot) for slot in slots(state))
        lines.append(f"Order: {', '.join(told)}")
    due = [one.said["text"] for one in state.pending.waiting if one.kind == MORALE]
    return [*lines, f"Morale due: {', '.join(due)}"] if due else lines


def _scored(state: State, entry: str) -> str:
    score = state.initiative.scores.get(entry)
    return entry if score is None else f"{entry} ({score})"


def row(view: View, who: str) -> dict[str, str]:
    """The cells of one combatant: side, hit points, what it may still do, contact, gear and conditions."""
    state = view.state
    hp, down = state.harm.hp[who], state.harm.down.get(who)
    return {
        "side": state.roster.members[who].side,
        "hp": f"{hp.now}/{hp.most}",
        "down": down.how if down else "",
        "turn": _turn(state, who),
        "left": ", ".join(kind for kind in (MAIN, MOVE) if _counts(state, who) and state.points.left(who, kind)),
        "contact": ", ".join(in_contact(state, who)),
        "in hand": ", ".join(state.gear.equipped.get(who, ())),
        "conditions": ", ".join(_conditions(state, who)),
    }


def _counts(state: State, who: str) -> bool:
    return counted(state) and able(state, who) and not surprised(state, who)


def _turn(state: State, who: str) -> str:
    if not _counts(state, who):
        return ""
    if state.turns.who == who:
        return "now"
    if not state.points.left(who, TURN):
        return "over"
    return "later" if state.conditions.has(who, DELAYING) else "to come"


def _conditions(state: State, who: str) -> list[str]:
    """Each condition with its amount, whom it concerns and its end; then what is held."""
    words = []
    for name, held in state.conditions.held(who):
        told = described(held)
        words.append(name if told == "yes" else f"{name} {told}")
    hold = state.pending.of(HELD, who)
    return [*words, f"holds: {hold.said['text']}"] if hold else words


def acting(view: View) -> list[str]:
    """Who may act now: the one whose turn is under way, else those who may begin theirs."""
    turns = view.state.turns
    return [turns.who] if turns.who else up_next(view.state) if counted(view.state) else []


def due(view: View) -> list[str]:
    """For whom the fight waits: those who must check their morale; if nobody must, those who have not ended
    their turn.
    """
    state = view.state
    return must_check(state) or _unfinished(state)


def _unfinished(state: State) -> list[str]:
    left = [state.turns.who, *waiting(state)] if counted(state) else []
    return [who for who in state.roster.order if who in left]


def body(view: View, who: str) -> list[tuple[int, int]]:
    """Nobody covers squares here: contact and feet are said."""
    return []
