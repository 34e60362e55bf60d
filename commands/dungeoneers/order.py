"""The order of turns: who is next, and how ties are broken."""

from commands.resolution import Resolution
from ledger.events import TieBroken
from projections.state import State

from .death import READIED
from .points import TURN


def next_up(state: State) -> str:
    """The next creature of the order that lives and has not had its turn; "" when all have.

    dungeoneers.turn.order
    """
    living = (who for who in state.turns.order if state.stands(who))
    return next((who for who in living if state.points.left(who, TURN)), "")


def decide(fight: Resolution) -> tuple[str, ...]:
    """dungeoneers.initiative.order: the living, by descending score.

    dungeoneers.initiative.each-round: decided anew at each round's start, ties included.
    """
    groups: dict[int, list[str]] = {}
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            score = fight.state.initiative.scores.get(who, fight.sheet(who).initiative)
            groups.setdefault(score, []).append(who)
    order: list[str] = []
    for score in sorted(groups, reverse=True):
        order += _settled(fight, score, groups[score])
    return tuple(order)


def _settled(fight: Resolution, score: int, group: list[str]) -> list[str]:
    """A group of equal scores, in order.

    dungeoneers.initiative.roll-once: by a house rule the outcome of a tie is kept until the encounter ends, also among
    those who are left of it.
    """
    if len(group) == 1:
        return group
    if fight.option("initiative_ties") == "once":
        for tie in reversed(fight.state.initiative.ties):
            if tie.score == score and set(group) <= set(tie.order):
                kept = [who for who in tie.order if who in group]
                fight.rule("dungeoneers.initiative.roll-once", ", ".join(kept))
                return kept
    order = _roll_off(fight, group, "dungeoneers.initiative.tie-d10")
    fight.record(TieBroken(score, tuple(order)))
    return order


def _roll_off(fight: Resolution, group: list[str], clause: str) -> list[str]:
    """dungeoneers.initiative.tie-d10: a d10 each, the higher first; those who tie again roll again among themselves."""
    rolls = [fight.roll(who, "1d10", "tie") for who in group]
    shown = {roll.who: roll.natural for roll in rolls}
    fight.rule(clause, "", [roll.number(roll.who) for roll in rolls])
    order: list[str] = []
    for face in sorted(set(shown.values()), reverse=True):
        equal = [who for who in group if shown[who] == face]
        again = "dungeoneers.initiative.tie-reroll"
        order += _roll_off(fight, equal, again) if len(equal) > 1 else equal
    return order


def lapse(fight: Resolution, until: str) -> None:
    """dungeoneers.ready.lapse: what was readied for a gap that has passed is lost, and its points with it."""
    for waiting in fight.state.pending.waiting:
        if waiting.kind == READIED and waiting.until == until:
            fight.settle(READIED, waiting.who, "lapsed")
