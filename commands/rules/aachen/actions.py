"""Actions: the order of turns, whose turn it is, and what a turn allows."""

import msgspec

from commands.action import effects
from commands.action.resolution import Remedies, Remedy, Resolution, adjusted, joining
from ledger import events
from ledger.events import ConditionEnded, ConditionGained, Overruled, PointsSet, PointsSpent, together, whose
from ledger.events.harm import Until
from projections.state import State

from .fighters import DELAYING, GONE, HELD, NO_FIGHT, SIDES, SURPRISED, SURRENDERED, able, ready, side, surprised

TURN = "turn"
"""What is counted for aachen.round.one-turn-each: 1 before the turn of the round, 0 after."""
MAIN, MOVE, FEET = "main", "move", "feet"
"""The actions of a round, and what the last move left of its distance."""
_INSTANTS = ("aachen.actions.total-defense", "aachen.actions.snap-attack", "aachen.actions.hold")
"""The clauses of main actions that are taken out of turn."""
HOLDABLE = ("attack", "shoot", "push", "grapple", "heal", "defend", "act")
"""The verbs of main actions that can be held."""


def counted(state: State) -> bool:
    """Whether turns and actions are counted: in the rounds of an encounter, the surprise round included."""
    return state.encounter.running and (state.turns.round > 0 or state.turns.phase == "surprise")


def entry_side(state: State, entry: str) -> str:
    """The side of an entry of the order, which is a side or one of its members."""
    return entry if entry in SIDES or entry not in state.roster.members else state.roster.members[entry].side


def ranked(state: State, scores: dict[str, int]) -> tuple[str, ...]:
    """Sides and combatants by descending score; equal ones of the player side first, then in roster order.

    aachen.initiative.highest-first, aachen.initiative.tie, aachen.initiative.sequence
    """
    places = {who: at for at, who in enumerate(state.roster.order)}

    def rank(entry: str) -> tuple[int, int, int]:
        return -scores[entry], SIDES.index(entry_side(state, entry)), places.get(entry, -1)

    return tuple(sorted((entry for entry in scores if entry in places or entry in SIDES), key=rank))


def slots(state: State) -> list[tuple[str, ...]]:
    """The order in slots: members of one side with equal scores act in any order."""
    groups: list[tuple[str, ...]] = []
    before = None
    for entry in state.turns.order:
        mark = (state.initiative.scores.get(entry), entry_side(state, entry))
        groups = [*groups[:-1], (*groups[-1], entry)] if mark == before else [*groups, (entry,)]
        before = mark
    return groups


def slot_of(state: State, who: str) -> int:
    """The slot in which somebody acts: its own, else its side's; the last one for anyone who joined later."""
    groups, side = slots(state), state.roster.members[who].side
    for name in (who, side):
        for at, group in enumerate(groups):
            if name in group:
                return at
    return max(len(groups) - 1, 0)


def waiting(state: State) -> list[str]:
    """Those able to act who have not had their turn of this round, in roster order; the surprised have none."""
    return [who for who in state.roster.order if state.points.left(who, TURN) and ready(state, who)]


def _place_of(state: State, who: str) -> int:
    """The slot in which somebody acts in this round: its own, or the later one of somebody for whose turn it waits.

    aachen.actions.delay: waiting never breaks the order of the slots.
    """
    after = next(iter(state.conditions.whom(who, DELAYING)), "")
    own = slot_of(state, who)
    return max(own, _place_of(state, after)) if after in state.roster.members else own


def _ahead(state: State, who: str) -> list[str]:
    """Those who must have had their turn before somebody may begin: all of earlier slots."""
    if not state.turns.round:
        return []
    own = _place_of(state, who)
    return [other for other in waiting(state) if _place_of(state, other) < own]


def first_of(state: State, names: list[str]) -> list[str]:
    """Of those who wait for their turn, the ones who may begin it before the others: of the first slot, and not after
    the turn of one of them.
    """
    places = {who: _place_of(state, who) if state.turns.round else 0 for who in names}
    now = min(places.values(), default=0)
    return [who for who in names if places[who] == now and _delayed_by(state, who) not in names]


def up_next(state: State) -> list[str]:
    """Those who may begin a turn now: of the first slot that is not complete, and not after a turn to come."""
    return first_of(state, waiting(state))


def _delayed_by(state: State, who: str) -> str:
    """After whose turn somebody waits; "" when it has begun, as the next turn ends it: aachen.actions.delay."""
    other = next(iter(state.conditions.whom(who, DELAYING)), "")
    return other if other in waiting(state) else ""


def before(state: State, who: str) -> str:
    """Whose turn must go by next, before somebody's turn can begin: along a chain of those who wait."""
    seen: list[str] = []
    while who not in seen:
        seen.append(who)
        if after := _delayed_by(state, who):
            who = after
        elif who != state.turns.who and (first := _ahead(state, who)):
            who = first[0]
    return who


def onward(state: State) -> Remedies:
    """How the fight goes on: with the end of a turn, the next one, the next round, or the end of the encounter."""
    on: list[Remedy] = [("begin", {}), ("done", {}), *following(state), ("round", {}), ("initiative", {}), ("end", {})]
    return [*on, joining("adalger guard")]


def following(state: State) -> list[Remedy]:
    """The next turn, if anybody may begin one."""
    return [("turn", {"who": who}) for who in up_next(state)[:1]]


def passing(state: State) -> Remedies:
    """All who may still act pass, first the one whose turn is under way and who has done nothing in it. Else the fight
    goes on.
    """
    now = state.turns.who
    idle = now and all(state.points.left(now, kind) for kind in (MAIN, MOVE))
    left = [*([now] if idle else []), *waiting(state)]
    everybody: list[Remedy] = [("pass", {"who": left})] if left else []
    return [*everybody, *onward(state)]


def check_able(fight: Resolution, who: str) -> None:
    """Refuses any action of somebody who is down, or no part of the fight any more."""
    if down := fight.state.harm.how(who):
        fight.refuse("aachen.damage.out-of-action", f"{who} is {down} and cannot act.")
    elif not able(fight.state, who):
        how = SURRENDERED if fight.state.conditions.has(who, SURRENDERED) else GONE
        message = f"{who} is {how} and takes no part in the fight."
        fight.refuse("aachen.morale.failed", message, [adjusted(who, "no-condition", how)])


def check_phase(fight: Resolution, who: str) -> bool:
    """Whether fights are fought now; refuses before initiative, and the surprised in the round of their attackers."""
    state, sequence = fight.state, "aachen.round.sequence"
    if not state.encounter.running:
        fight.refuse(sequence, "No encounter is under way.", onward(state))
    elif not counted(state):
        fight.hold(sequence, "Initiative has not been rolled.", onward(state), on=[("initiative", {})])
    elif surprised(state, who):
        fight.refuse("aachen.surprise.free-round", f"{who} is surprised and does nothing this round.")
    return counted(state)


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
        _begin_turn(fight, who)
    return True


def _check_turn(fight: Resolution, who: str) -> None:
    """One turn each, and slot by slot."""
    state = fight.state
    after, first = _delayed_by(state, who), _ahead(state, who)
    if not state.points.left(who, TURN):
        now = f"Next: {', '.join(up_next(state))}." if up_next(state) else "The round is over."
        message = f"{who} has already had their turn and acts again next round. {now}"
        on: Remedies = () if waiting(state) else [("round", {}), ("initiative", {})]
        fight.hold("aachen.round.one-turn-each", message, [*_held(fight, who), *following(state), *onward(state)], on)
        grant(fight, who)  # the game master lets it take another turn
    elif after:
        way: Remedy = ("pass", {"who": [before(state, who)]})
        fight.hold("aachen.actions.delay", f"{who} waits for {whose(after)} turn to end.", [way])
    elif first:
        message = f"{together(first)} must act before {who}."
        lets_go: Remedy = ("pass", {"who": first})
        begins: list[Remedy] = [("turn", {"who": first[0]})] if fight.verb == "turn" else []
        fight.hold("aachen.initiative.side-completes", message, [[*begins, lets_go]], [lets_go])


def _held(fight: Resolution, who: str) -> Remedies:
    """The same as the action that somebody holds."""
    if not fight.state.pending.of(HELD, who) or fight.verb not in HOLDABLE:
        return []
    said = msgspec.to_builtins(fight.declaration)
    same = {name: said[name] for name in ("target", "distance", "with_", "attr", "result", "mod") if said.get(name)}
    return [("trigger", {"who": who, "action": fight.verb, **same})]


def _begin_turn(fight: Resolution, who: str) -> None:
    """Opens a turn; the one before it, and every slot before this one, is over.

    By the game master's word somebody acts out of the order. That costs nobody else a turn: those who are overtaken
    still have theirs, and the one who is interrupted may go on.
    """
    interrupted = fight.state.turns.who
    out_of_order = not fight.out_of_order and any(isinstance(event, Overruled) for event in fight.events)
    if interrupted:
        close_turn(fight)
        left = [kind for kind in (MAIN, MOVE) if fight.state.points.left(interrupted, kind)]
        if out_of_order and not fight.state.points.left(interrupted, TURN) and left:
            fight.record(PointsSet(interrupted, TURN, 1))
        elif not out_of_order and fight.state.stands(interrupted) and MAIN in left:
            fight.notes.append(f"{whose(interrupted)} turn is over, without a main action.")
    state = fight.state
    if state.turns.round:
        own = slot_of(state, who) if _delayed_by(state, who) else _place_of(state, who)
        for other in state.roster.order:
            over = other != who and _place_of(state, other) < own and other not in waiting(state)
            if over and state.points.left(other, TURN):
                fight.record(PointsSet(other, TURN, 0))  # aachen.initiative.side-completes: done for the round
    _end_delay(fight, who)
    if fight.state.points.left(who, TURN):
        fight.record(PointsSpent(who, TURN, 1, 0))
    fight.record(events.TurnBegan(who))
    _expire(fight, "turn-start", who)


def _end_delay(fight: Resolution, who: str) -> None:
    """Somebody waits no more; anyone who waits for a turn that waited itself keeps the slot into which that took it."""
    held = fight.state.conditions.get(who, DELAYING)
    if held is None:
        return
    moved_on = _place_of(fight.state, who) > slot_of(fight.state, who)
    fight.record(ConditionEnded(who, DELAYING))
    for other in fight.state.roster.order:
        theirs = fight.state.conditions.get(other, DELAYING)
        if moved_on and theirs and theirs.whom == (who,):
            fight.record(ConditionGained(other, DELAYING, "round-end", whom=held.whom))


def close_turn(fight: Resolution) -> None:
    """Ends the turn that is under way, and what lasts as long as it."""
    who = fight.state.turns.who
    fight.record(events.TurnEnded(who))
    _expire(fight, "turn-end", who)


def _expire(fight: Resolution, until: Until, whose: str) -> None:
    """Ends what was to last until somebody's turn starts or ends, or that of this round."""
    for who in fight.state.roster.order:
        for condition, held in fight.state.conditions.held(who):
            if effects.is_over(fight, who, held, until, whose):
                fight.record(ConditionEnded(who, condition))


def main_action(fight: Resolution, who: str, combat: bool = True, clause: str = "aachen.actions.budget") -> None:
    """Takes the main action, on one's own turn, for what a clause says that it takes."""
    if take_turn(fight, who, combat):
        spend(fight, who, MAIN, clause)


def move_action(fight: Resolution, who: str, clause: str = "aachen.actions.budget") -> None:
    """Takes the move action, else the main action in its place: aachen.actions.main-as-move."""
    left = fight.state.points.left
    if not left(who, MOVE) and left(who, MAIN):
        fight.rule("aachen.actions.main-as-move", "a second move action", who=who)
        spend(fight, who, MAIN)
    else:
        spend(fight, who, MOVE, clause)


def spend(fight: Resolution, who: str, kind: str, clause: str = "aachen.actions.budget") -> None:
    """Takes the main or the move action of the round; refuses when it is gone. An instant has no way on."""
    left = fight.state.points.left(who, kind)
    if left < 1:
        ways = () if clause in _INSTANTS else after_turn(fight, who)
        fight.refuse(clause, f"{who} has no {kind} action left this round.", ways)
    else:
        fight.record(PointsSpent(who, kind, 1, left - 1))


def unspent(state: State, who: str) -> str:
    """Which actions somebody has left in a turn, in words; "" for none, and for one who cannot act."""
    left = [kind for kind in (MAIN, MOVE) if able(state, who) and state.points.left(who, kind)]
    return f"the {' and the '.join(left)} action {'are' if left[1:] else 'is'} left" if left else ""


def after_turn(fight: Resolution, who: str) -> Remedies:
    """How the fight goes on when somebody can do no more of what was tried: begin the turn, end it, or go on."""
    return [("turn", {"who": who}), *onward(fight.before)]


def could_act(fight: Resolution, who: str) -> bool:
    """Whether somebody had the turn and a main action when this was said, or none are counted."""
    if not counted(fight.state):
        return True
    spent = any(isinstance(event, PointsSpent) and (event.who, event.kind) == (who, MAIN) for event in fight.events)
    return fight.state.turns.who == who and bool(spent or fight.state.points.left(who, MAIN))


def instant(fight: Resolution, who: str, clause: str) -> None:
    """Takes the main action out of turn, at any time of the round; a held one is not there any more."""
    check_able(fight, who)
    if check_phase(fight, who):
        spend(fight, who, MAIN, clause)
    fight.settle(HELD, who, "lost", f"{who} has taken the main action")


def snap(fight: Resolution, who: str) -> None:
    """aachen.actions.snap-attack: out of turn, before one's own turn has begun; it uses up the main action."""
    clause, state = "aachen.actions.snap-attack", fight.state
    if counted(state) and (state.turns.who == who or not state.points.left(who, TURN)) and not surprised(state, who):
        ways = [fight.otherwise(snap=False), "Leave out --snap."]
        fight.refuse(clause, f"{who} has already begun their turn this round.", ways)
    instant(fight, who, clause)


def check_fights(fight: Resolution, who: str) -> None:
    """aachen.morale.failed: anyone who is broken attacks nobody."""
    for condition in NO_FIGHT:
        if fight.state.conditions.has(who, condition):
            ways = [adjusted(who, "no-condition", condition)]
            fight.refuse("aachen.morale.failed", f"{who} is {condition} and attacks nobody.", ways)


def moved(fight: Resolution, who: str, how: str, feet: int, left: int) -> None:
    """Records a move, and what it left of its distance."""
    fight.record(events.Moved(who, how, 0, measure=f"{feet} feet"))
    if fight.state.points.left(who, FEET) != left:
        fight.record(PointsSet(who, FEET, left))


def welcome(fight: Resolution, who: str, watchful: bool) -> None:
    """What is left of a running encounter for somebody who joins it: aachen.round.one-turn-each, in this round too.

    aachen.surprise.free-round: unless others surprise its side now.
    """
    state = fight.state
    if not counted(state):
        fight.record(PointsSet(who, TURN, 0))
    elif not watchful and any(surprised(state, other) for other in state.roster.of_side(side(state, who))):
        fight.record(PointsSet(who, TURN, 0))
        fight.record(ConditionGained(who, SURPRISED, "round-end"))
    else:
        grant(fight, who)


def grant(fight: Resolution, who: str) -> None:
    """Gives a combatant what a round allows: one turn, one main and one move action."""
    for kind, points in ((TURN, 1), (MAIN, 1), (MOVE, 1)):
        if fight.state.points.of.get(who, {}).get(kind) != points:
            fight.record(PointsSet(who, kind, points))
    if fight.state.points.left(who, FEET):
        fight.record(PointsSet(who, FEET, 0))


def halved(fight: Resolution, who: str, rate: int, why: str) -> int:
    """aachen.actions.crawl: half the rate, rounded down."""
    half = events.number("rate", rate, "rate").over(2, why)
    fight.rule("aachen.actions.crawl", "", [half], who=who)
    return half.total
