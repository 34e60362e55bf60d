"""Actions: whose turn it is, and what a turn allows."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Moved, PointsSet, PointsSpent, TurnBegan, TurnEnded, number
from projections.state import State

from . import order
from .fighters import DELAYING, GONE, HELD, NO_FIGHT, SURRENDERED, able, has, surprised
from .order import TURN

INSTANTS = ("aachen.actions.total-defense", "aachen.actions.snap-attack", "aachen.actions.hold")
"""The clauses of main actions that are taken out of turn."""
MAIN, MOVE, FEET = "main", "move", "feet"
"""The actions of a round, and what the last move left of its distance."""


def counted(state: State) -> bool:
    """Whether turns and actions are counted: in the rounds of an encounter, the surprise round included."""
    return state.encounter.running and (state.turns.round > 0 or state.turns.phase == "surprise")


def check_able(fight: Resolution, who: str) -> None:
    """Refuses any action of somebody who is down, or no part of the fight any more."""
    down = fight.state.harm.down.get(who)
    if down:
        fight.refuse("aachen.damage.out-of-action", f"{who} is {down.how} and cannot act.")
    elif not able(fight.state, who):
        how = SURRENDERED if has(fight.state, who, SURRENDERED) else GONE
        hint = f"affray adjust {who} no-condition {how} 'the reason'"
        fight.refuse("aachen.morale.failed", f"{who} is {how} and takes no part in the fight.", hint)


def check_phase(fight: Resolution, who: str) -> bool:
    """Whether fights are fought now; refuses before initiative, and the surprised in the round of their attackers."""
    state = fight.state
    if not counted(state):
        wanted = "Initiative has not been rolled." if state.encounter.running else "No encounter is under way."
        fight.refuse("aachen.round.sequence", wanted, order.onward(state))
        return False
    if surprised(state, who):
        fight.refuse("aachen.surprise.free-round", f"{who} is surprised and does nothing this round.")
    return True


def take_turn(fight: Resolution, who: str, combat: bool = True) -> bool:
    """Begins or goes on with somebody's turn, and says whether actions are counted at all.

    What is no combat action may be done outside of the rounds as well.
    """
    check_able(fight, who)
    if not combat and not counted(fight.state):
        return False
    if not check_phase(fight, who):
        return False
    if fight.state.turns.who != who:
        _check_turn(fight, who)
        begin_turn(fight, who)
    return True


def _check_turn(fight: Resolution, who: str) -> None:
    """One turn each, and slot by slot."""
    state = fight.state
    after, first = order.delayed_by(state, who), order.ahead(state, who)
    if not state.points.left(who, TURN):
        late = "joined late" if TURN in state.points.of.get(who, {}) and not _acted(state, who) else "had its turn"
        following = ", ".join(order.up_next(state)) or "the next round"
        hint = f"affray turn {order.up_next(state)[0]}" if order.up_next(state) else order.onward(state)
        message = f"{who} has {late} and acts again next round; now it is for {following}."
        fight.refuse("aachen.round.one-turn-each", message, hint)
    elif after:
        next_ = order.before(state, who)
        hint = "affray done" if next_ == state.turns.who else f"affray pass {next_}"
        fight.refuse("aachen.actions.delay", f"{who} waits for the turn of {after} to end.", hint)
    elif first and not has(state, who, DELAYING):
        names = ", ".join(first)
        hint = f"affray pass {','.join(first)}"
        fight.refuse("aachen.initiative.side-completes", f"{names} must act before {who}.", hint)


def _acted(state: State, who: str) -> bool:
    return MAIN in state.points.of.get(who, {})


def begin_turn(fight: Resolution, who: str) -> None:
    """Opens a turn; the one before it, and every slot before this one, is over.

    Whom the referee lets somebody overtake loses the turn, and is named.
    """
    if fight.state.turns.who:
        close_turn(fight)
    state = fight.state
    if state.turns.round and not has(state, who, DELAYING):
        own = order.slot_of(state, who)
        for other in state.roster.order:
            late = order.slot_of(state, other) < own and not has(state, other, DELAYING)
            if late and state.points.left(other, TURN):
                if other in order.waiting(state):
                    fight.rule("aachen.initiative.side-completes", f"{other} has lost its turn", who=other)
                fight.record(PointsSet(other, TURN, 0))  # aachen.initiative.side-completes: done for the round
    if has(fight.state, who, DELAYING):
        fight.record(ConditionEnded(who, DELAYING))
    if fight.state.points.left(who, TURN):
        fight.record(PointsSpent(who, TURN, 1, 0))
    fight.record(TurnBegan(who))


def close_turn(fight: Resolution) -> None:
    """Ends the turn that is under way, and what lasts as long as it."""
    who = fight.state.turns.who
    fight.record(TurnEnded(who))
    for condition, held in fight.state.conditions.held(who):
        if (held.until, held.whose) == ("turn-end", who):
            fight.record(ConditionEnded(who, condition))


def spend(fight: Resolution, who: str, kind: str, clause: str = "aachen.actions.budget") -> None:
    """Takes the main or the move action of the round; refuses when it is gone. An instant has no way on."""
    left = fight.state.points.left(who, kind)
    if left < 1:
        hint = "" if clause in INSTANTS else after_turn(fight, who)
        fight.refuse(clause, f"{who} has no {kind} action left this round.", hint)
    else:
        fight.record(PointsSpent(who, kind, 1, left - 1))


def after_turn(fight: Resolution, who: str) -> str:
    """What to type when somebody can do no more of what was tried: begin the turn, end it, or go on."""
    if any(isinstance(event, TurnBegan) for event in fight.events):
        return f"affray turn {who}"
    return "affray done" if fight.state.turns.who == who else order.onward(fight.state)


def could_act(fight: Resolution, who: str) -> bool:
    """Whether somebody had the turn and a main action when this was said, or none are counted."""
    if not counted(fight.state):
        return True
    spent = any(isinstance(event, PointsSpent) and (event.who, event.kind) == (who, MAIN) for event in fight.events)
    return fight.state.turns.who == who and (spent or fight.state.points.left(who, MAIN) > 0)


def main_action(fight: Resolution, who: str, combat: bool = True) -> None:
    """Takes the main action, on one's own turn."""
    if take_turn(fight, who, combat):
        spend(fight, who, MAIN)


def move_action(fight: Resolution, who: str, clause: str = "aachen.actions.budget") -> None:
    """Takes the move action, else the main action in its place: aachen.actions.main-as-move."""
    left = fight.state.points.left
    if not left(who, MOVE) and left(who, MAIN):
        fight.rule("aachen.actions.main-as-move", "a second move action", who=who)
        spend(fight, who, MAIN)
    else:
        spend(fight, who, MOVE, clause)


def instant(fight: Resolution, who: str, clause: str) -> None:
    """Takes the main action out of turn, at any time of the round; a held one is not there any more."""
    check_able(fight, who)
    if check_phase(fight, who):
        spend(fight, who, MAIN, clause)
    fight.settle(HELD, who, "lost")


def snap(fight: Resolution, who: str) -> None:
    """aachen.actions.snap-attack: out of turn, before one's own turn has begun; it uses up the main action."""
    clause, state = "aachen.actions.snap-attack", fight.state
    begun = state.turns.who == who or not state.points.left(who, TURN)
    if counted(state) and begun and not surprised(state, who):
        fight.refuse(clause, f"{who} has begun its turn of this round.", "Leave out --snap.")
    instant(fight, who, clause)


def check_fights(fight: Resolution, who: str) -> None:
    """aachen.morale.failed: whoever is broken attacks nobody."""
    for condition in NO_FIGHT:
        if has(fight.state, who, condition):
            hint = f"affray adjust {who} no-condition {condition} 'the reason'"
            fight.refuse("aachen.morale.failed", f"{who} is {condition} and attacks nobody.", hint)


def moved(fight: Resolution, who: str, how: str, feet: int, left: int) -> None:
    """Records a move, and what it left of its distance."""
    fight.record(Moved(who, how, 0, measure=f"{feet} feet"))
    if fight.state.points.left(who, FEET) != left:
        fight.record(PointsSet(who, FEET, left))


def grant(fight: Resolution, who: str) -> None:
    """Gives a combatant what a round allows: one turn, one main and one move action."""
    for kind, points in ((TURN, 1), (MAIN, 1), (MOVE, 1)):
        if fight.state.points.of.get(who, {}).get(kind) != points:
            fight.record(PointsSet(who, kind, points))
    if fight.state.points.left(who, FEET):
        fight.record(PointsSet(who, FEET, 0))


def halved(fight: Resolution, who: str, rate: int, why: str) -> int:
    """aachen.actions.crawl: half the rate, rounded down."""
    half = number("rate", rate, "rate").over(2, why)
    fight.rule("aachen.actions.crawl", "", [half], who=who)
    return half.total
