"""The order of turns: who is next, and how ties are broken."""

from commands.action.grid import COMPASS, gap
from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import Number, OrderSet, TieBroken, TurnEnded, number, whose
from projections.pending import Waiting
from projections.state import State

from . import bodies, conditions, gear, threat
from .points import TURN, alive, become
from .tables import ANY_GAP, DEFENSIVE, READIED, SPRINTING

Rolled = dict[str, tuple[int, ...]]
"""What each of some rolled to break a tie, one after the other."""


def next_up(state: State) -> str:
    """The next creature of the order that lives and has not had its turn; "" when all have.

    dungeoneers.turn.order
    """
    living = (who for who in state.turns.order if state.stands(who))
    return next((who for who in living if state.points.left(who, TURN)), "")


def is_gap(state: State, until: str) -> bool:
    """Whether this is the gap between turns for which an action was readied: `before` or `after` somebody, or any."""
    return not state.turns.who and is_next_gap(state, until)


def is_next_gap(state: State, until: str) -> bool:
    """The same of the gap that opens when the turn under way ends; without one, of the gap that is open."""
    when, _, whose = until.partition(" ")
    return until == ANY_GAP or whose == (next_up(state) if when == "before" else (state.turns.who or state.turns.last))


def end_turn(fight: Resolution) -> None:
    """What is not spent is lost. Nobody ends a turn on a tile that is over-full: dungeoneers.size.sharing."""
    who = fight.state.turns.who
    at = fight.state.positions.at.get(who)
    if at and fight.state.stands(who) and not bodies.fits(fight, {who: at}):
        steps: list[Remedy] = [("move", {"who": who, "directions": [one]}) for one in COMPASS]
        hint = [*steps, *bodies.placing(fight, who)]
        fight.refuse("dungeoneers.size.sharing", f"{who} does not fit where it stands.", hint)
    fight.record(TurnEnded(who))
    conditions.expire(fight, "turn-end", who)
    for kind in ("action", "movement"):
        if fight.state.points.left(who, kind):
            become(fight, who, kind, 0)


def decide(fight: Resolution) -> tuple[str, ...]:
    """dungeoneers.initiative.order: the living, by descending score."""
    groups: dict[int, list[str]] = {}
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            groups.setdefault(_score_of(fight, who), []).append(who)
    order: list[str] = []
    if len(groups) > 1:
        fight.rule("dungeoneers.initiative.order", "")
    for score in sorted(groups, reverse=True):
        order += _settled(fight, score, groups[score])
    return tuple(order)


def take_in(fight: Resolution, who: str) -> None:
    """dungeoneers.turn.one-each: a newcomer has a turn in the running round, behind those of its own score or more, and
    behind the one whose turn it is, or was last.
    """
    turns, score = fight.state.turns, fight.sheet(who).initiative
    if not turns.round or who in turns.order:
        return
    past = next((at for at, one in enumerate(turns.order, 1) if one == (turns.who or turns.last)), 0)
    there = [one for one in turns.order if one in fight.state.roster.members and _score_of(fight, one) >= score]
    place = max([past, *(turns.order.index(one) + 1 for one in there)])
    fight.rule("dungeoneers.turn.one-each", "", who=who)
    become(fight, who, TURN, 1)
    fight.record(OrderSet((*turns.order[:place], who, *turns.order[place:])))


def _score_of(fight: Resolution, who: str) -> int:
    """The initiative score: the game master's, else that of the sheet."""
    own: int = fight.sheet(who).initiative
    return fight.state.initiative.scores.get(who, own)


def _settled(fight: Resolution, score: int, group: list[str]) -> list[str]:
    """A group of equal scores, in order: decided anew at each round's start.

    dungeoneers.initiative.roll-once: by a house rule everybody sticks to what they rolled for a score until the
    encounter ends, and only who comes new to it rolls.
    """
    if len(group) == 1:
        return group
    anew = fight.option("initiative_ties") == "each-round"
    kept = {} if anew else _kept(fight, score, group)
    if kept:
        sticking = [who for who in kept if who in group]
        fight.rule("dungeoneers.initiative.roll-once", f"{', '.join(sticking)} stick to what they rolled", aside=True)
        if len(sticking) == len(group):
            return sticking
    numbers: Rolled = dict.fromkeys(group, ())
    also = ("dungeoneers.initiative.each-round",) if anew and fight.state.turns.round > 1 else ()
    order = _roll_off(fight, group, kept, numbers, "dungeoneers.initiative.tie-d10", also)
    fight.record(TieBroken(tuple(order), score, tuple(numbers[who] for who in order)))
    return order


def _kept(fight: Resolution, score: int, group: list[str]) -> Rolled:
    """What those of a group rolled for this score who were last tied at it, in their order."""
    for tie in reversed(fight.state.initiative.ties):
        kept = {who: rolled for who, rolled in zip(tie.order, tie.numbers, strict=True) if who in group}
        if tie.score == score and kept:
            return kept
    return {}


def _roll_off(
    fight: Resolution, group: list[str], kept: Rolled, numbers: Rolled, clause: str, also: tuple[str, ...] = ()
) -> list[str]:
    """dungeoneers.initiative.tie-d10: a d10 each, the higher first; those who tie again roll again among themselves.

    Those who have `kept` numbers do not roll: the next of them counts, and the last of them again when there is no
    further one. `numbers` holds what everybody's place comes of.
    """
    rolls = {who: fight.roll(who, "1d10", "tie") for who in group if who not in kept}
    shown: dict[str, Number] = {}
    for who in group:
        if who in rolls:
            shown[who] = rolls[who].number(who)
            numbers[who] = (*numbers[who], shown[who].total)
        else:
            numbers[who] = (*numbers[who], kept[who][min(len(numbers[who]), len(kept[who]) - 1)])
            shown[who] = number(who, numbers[who][-1], "kept")
    fight.rule(clause, "", list(shown.values()), also=also)
    order: list[str] = []
    for face in sorted({one.total for one in shown.values()}, reverse=True):
        equal = [who for who in group if shown[who].total == face]
        again = "dungeoneers.initiative.tie-reroll"
        order += _roll_off(fight, equal, kept, numbers, again) if len(equal) > 1 else equal
    return order


def check_lapse(fight: Resolution, gaps: tuple[str, ...]) -> None:
    """Refuses what would let a readied action lapse that could be taken now, and names whose. A turn that ends with the
    same words would leave no moment for one that is readied for any gap.

    dungeoneers.ready.lapse
    """
    ends = fight.before.turns.who
    gaps = (*gaps, ANY_GAP) if ends else gaps
    waiting = [one for one in fight.state.pending.waiting if one.kind == READIED and one.until in gaps]
    able = [(one, found) for one in waiting if (found := taken(fight, one))]
    if able and not fight.state.turns.who:
        told = "; ".join(f"{one.who} can still take the readied {one.verb}, {_moment(one.until)}" for one, _ in able)
        going_on = fight.otherwise(pass_rest=True)
        first: list[Remedy] = [("done", {})] if ends else [way for _, way in able]
        fight.hold("dungeoneers.ready.lapse", f"{told}.", [[*first, going_on]], [going_on])


def _moment(until: str) -> str:
    return "between two turns" if until == ANY_GAP else f"{whose(until)} turn"


def taken(view: View, waiting: Waiting) -> Remedy | None:
    """How a readied action could be taken now: with a reaction point, on the target that was named, or on the first
    that is hostile where none was; None if it could not. A blow takes one within reach, a shot one within the range of
    what is in hand, a spell one who lives; nobody defends or sprints twice.
    """
    who, verb = waiting.who, waiting.verb
    named, members = waiting.said.get("target", ""), view.state.roster.members
    at_once: Remedy = ("trigger", {"who": who})
    if not view.state.stands(who) or not view.state.points.left(who, "reaction"):
        return None
    if verb in _ONCE:
        return None if view.state.conditions.has(who, _ONCE[verb]) else at_once
    if verb not in ("attack", "shoot", "grapple", "push"):
        return at_once if named not in members or alive(view, named) else None
    foes = [named] if named in members else [one for one in members if view.hostile(who, one)]
    near = threat.threat_range(view, who).total
    far = _range(view, who, near) if verb in ("attack", "shoot") else 0
    for foe in foes:
        if alive(view, foe) and bodies.body(view, foe) and bodies.body(view, who):
            distance = gap(bodies.body(view, who), bodies.body(view, foe))
            if (distance <= near and verb != "shoot") or near < distance <= far:
                return at_once if named else ("trigger", {"who": who, "target": [foe]})
    return None


_ONCE = {"defend": DEFENSIVE, "sprint": SPRINTING}
"""Actions that do nothing for who has done them, with what they give."""


def _range(view: View, who: str, near: int) -> int:
    """How many tiles far the weapons in hand shoot or are thrown."""
    found = [0]
    for weapon in gear.weapons(view, who):
        if weapon.range and (not weapon.ammunition or view.state.ammunition.left(who, weapon.ammunition)):
            found.append(weapon.range)
        if weapon.toss:
            found.append(view.sheet(who).power + near)
    return max(found)


def lapse_without(fight: Resolution, who: str) -> None:
    """dungeoneers.ready.lapse: what others readied for the turn of one who has none any more is lost at once; but for
    the moment after the turn that is under way, or that was the last.
    """
    moment = f"after {who}"
    for waiting in fight.state.pending.waiting:
        over = waiting.until == moment and fight.state.turns.who != who and not is_gap(fight.state, moment)
        if waiting.kind == READIED and waiting.who != who and (over or waiting.until == f"before {who}"):
            fight.settle(READIED, waiting.who, "lapsed", f"{who} has no turn any more")


def lapse(fight: Resolution, until: str) -> None:
    """dungeoneers.ready.lapse: what was readied for a gap that has passed is lost, and its points with it."""
    for waiting in fight.state.pending.waiting:
        if waiting.kind == READIED and waiting.until == until:
            fight.settle(READIED, waiting.who, "lapsed", f"it waited for the moment {whose(until)} turn")
