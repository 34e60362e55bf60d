"""The order of turns: slots, who is still to act, and before whom."""

from projections.state import State

from .fighters import DELAYING, able, has, members, surprised
from .sheet import SIDES

TURN = "turn"
"""What is counted for aachen.round.one-turn-each: 1 before the turn of the round, 0 after."""


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
    """The slot in which somebody acts: its own, else its side's; the last one for whoever joined later."""
    groups, side = slots(state), state.roster.members[who].side
    for name in (who, side):
        for at, group in enumerate(groups):
            if name in group:
                return at
    return max(len(groups) - 1, 0)


def waiting(state: State) -> list[str]:
    """Those able to act who have not had their turn of this round, in roster order; the surprised have none."""
    return [
        who
        for who in state.roster.order
        if state.points.left(who, TURN) and able(state, who) and not surprised(state, who)
    ]


def ahead(state: State, who: str) -> list[str]:
    """Those who must have had their turn before somebody may begin: earlier slots, but nobody who delays."""
    if not state.turns.round:
        return []
    own = slot_of(state, who)
    return [other for other in waiting(state) if slot_of(state, other) < own and not has(state, other, DELAYING)]


def up_next(state: State) -> list[str]:
    """Those who may begin a turn now: of the first slot that is not complete, and those who delayed until now."""
    left = waiting(state)
    first = [who for who in left if not has(state, who, DELAYING)]
    now = min((slot_of(state, who) for who in first), default=0)
    return [
        who
        for who in left
        if (who in first and (not state.turns.round or slot_of(state, who) == now))
        or (who not in first and not delayed_by(state, who))
    ]


def onward(state: State) -> str:
    """What to type for the fight to go on: the end of a turn, the next one, the next round, or the end of it."""
    if not state.encounter.running:
        return "affray begin" if state.roster.order else "affray join adalger guard"
    if state.turns.who:
        return "affray done"
    if following := up_next(state):
        return f"affray turn {following[0]}"
    if state.turns.round:
        return "affray round"
    return "affray initiative" if all(members(state, name) for name in SIDES) else "affray end"


def passing(state: State) -> str:
    """What to type to let everybody pass who may still act; first the turn ends for which somebody waits."""
    now, left = state.turns.who, waiting(state)
    if now and any(delayed_by(state, who) == now for who in left):
        return "affray done"
    return f"affray pass {','.join(left)}"


def before(state: State, who: str) -> str:
    """Whose turn must go by next, before somebody's turn can begin: along a chain of those who wait."""
    seen: list[str] = []
    while who not in seen:
        seen.append(who)
        if after := delayed_by(state, who):
            who = after
        elif who != state.turns.who and not has(state, who, DELAYING) and (first := ahead(state, who)):
            who = first[0]
    return who


def delayed_by(state: State, who: str) -> str:
    """After whose turn somebody waits; "" when that turn is over, or nobody's: aachen.actions.delay."""
    held = state.conditions.get(who, DELAYING)
    other = held.whom[0] if held and held.whom else ""
    over = state.turns.who != other and other not in waiting(state)
    return "" if over else other
