"""Surprise: who is taken unawares, by how much, and the free round that follows."""

from typing import Annotated

from commands.action.declaration import AnyOrder, Declaration, Fighters, Text, says
from commands.action.encounters import require_encounter
from commands.action.names import check_once
from commands.action.resolution import Resolution, joining
from ledger.events import ConditionGained, Counted, Number, OrderSet, RoundBegan, number

from . import order, position, ways
from .conditions import HASTED, SURPRISED
from .distance import APART, fix, thirds
from .groups import group, sides
from .position import AMBUSHED

_NORMAL = 2
"""The top of the range on which everybody surprises and is surprised."""


class Surprise(Declaration):
    """Roll for surprise, before the first round: one D6 for each side that does not know of the others."""

    aware: Annotated[AnyOrder, says("A side that knows of the others: it cannot be surprised.")] = ()
    negated_by: Annotated[Text, says("What makes surprise impossible: light, noise, ESP.")] = ""
    stealth: Annotated[
        dict[str, str], says("The highest roll by which a side surprises others, such as SIDE=5 or A=5,B=4.")
    ] = {}
    alert: Annotated[
        dict[str, str], says("The highest roll by which a side is surprised, such as SIDE=1 or A=1,B=3.")
    ] = {}
    distance: Annotated[int, says("How far apart they are, if it is known.", ge=0, le=10_000)] | None = None
    of: Annotated[Fighters, says("In a later round: whom newcomers take unawares, if the game master says so.")] = ()


def surprise(fight: Resolution, said: Surprise) -> None:
    """Once in an encounter. A side that surprises and is not surprised gets a free round."""
    if said.of:
        _by_newcomers(fight, said)
        return
    _check(fight)
    fight.record(Counted("encounter", order.SURPRISE_ROLLED, 1, until="encounter-end"))
    if said.negated_by:
        fight.rule("arkm.surprise.negated", f"no surprise: {said.negated_by}")
        if said.distance is not None:
            fix(fight, said.distance)
        return
    every = sides(fight)
    if len(every) < 2:
        fight.impossible("Surprise needs two sides.", joining("orc"))
    aware = [_side(fight, every, word) for word in said.aware]
    stealth = _numbers(fight, every, said.stealth) or {}
    alert = _numbers(fight, every, said.alert)
    surprised = []
    dice = [(side, fight.roll(side, "1d6", "surprise")) for side in every if side not in aware]
    for side, die in dice:
        others = [other for other in every if other != side]
        ranges = {other: _range_of(fight, other, side, stealth, alert) for other in others}
        fooled = False
        for other, top in ranges.items():
            by = f" by the {other}" if others[1:] else ""
            words = f"surprised{by}", f"not surprised{by}"
            fooled |= fight.compare("arkm.surprise.roll", die.number(side), "<=", top, side, "", *words)
        if fooled:
            surprised.append(side)
    _outcome(fight, every, surprised)
    if said.distance is not None:
        fix(fight, said.distance)
    elif surprised and not fight.state.counts.get("encounter", APART):
        thirds(fight)


def _by_newcomers(fight: Resolution, said: Surprise) -> None:
    """arkm.surprise.newcomers: the game master says whom latecomers take unawares, to the end of this round."""
    require_encounter(fight)
    if said != Surprise(of=said.of):
        fight.impossible("--of is the game master's word, without dice.", "Say only whom: --of and the names.")
    now = fight.state.turns.round
    if not now:
        fight.impossible("No round is under way.", ways.next_place(fight))
    for who in said.of:
        if position.is_surprised(fight, who) or not fight.state.stands(who):
            fight.impossible(f"{who} cannot be surprised now.", "Name those who stand and are not surprised.")
        fight.rule("arkm.surprise.newcomers", "taken unawares by newcomers", who=who)
        fight.record(ConditionGained(who, SURPRISED, "round-end", round=now))
        if not fight.state.counts.get(who, AMBUSHED):
            fight.record(Counted(who, AMBUSHED, 1, until="encounter-end"))


def _check(fight: Resolution) -> None:
    require_encounter(fight)
    decided = fight.state.counts.get("encounter", order.SURPRISE_ROLLED)
    if decided or fight.state.turns.round:
        message = "Surprise was decided in this encounter." if decided else "The first round has begun."
        fight.refuse("arkm.surprise.roll", message, ways.next_place(fight))


def _side(fight: Resolution, every: list[str], word: str) -> str:
    found = [side for side in every if side.casefold() == word.casefold()]
    found = found or [side for side in every if side.casefold().startswith(word.casefold())]
    if len(found) != 1:
        fight.impossible(f"There is no side {word[:40]!r}.", f"There are: {', '.join(every)}.")
    return found[0]


def _numbers(fight: Resolution, every: list[str], said: dict[str, str]) -> dict[str, int]:
    found: list[tuple[str, str]] = []
    for word, value in said.items():
        if value not in ("0", "1", "2", "3", "4", "5", "6"):
            message = f"{value[:40]!r} is not a range of a D6."
            fight.impossible(message, "Say a number from 0 to 6 after the side: --stealth foes=5.")
        found.append((_side(fight, every, word), value))
    check_once(found)
    return {side: int(value) for side, value in found}


def _range_of(fight: Resolution, by: str, side: str, stealth: dict[str, int], alert: dict[str, int]) -> Number:
    """arkm.surprise.range: what `by` surprises others on, and what `side` is surprised on, less 2.

    Of a side that the game master says nothing of, the least stealthy and the most alert of its members count.
    """
    of, stands = fight.state.roster.of_side, fight.state.stands
    noisy = stealth.get(by, min(fight.sheet(who).surprises for who in of(by) if stands(who)))
    wary = alert.get(side, min(fight.sheet(who).surprised_on for who in of(side) if stands(who)))
    if (noisy, wary) == (_NORMAL, _NORMAL):
        return number(f"range of the {by}", _NORMAL, "normal")
    top = number(f"range of the {by}", noisy, by)
    top = top.plus(wary, side).minus(_NORMAL, "normal")
    fight.rule("arkm.surprise.range", "", [top], who=side)
    return top


def _outcome(fight: Resolution, every: list[str], surprised: list[str]) -> None:
    """A free round, if somebody is surprised and somebody is not."""
    if not surprised:
        return
    if len(surprised) == len(every):
        fight.rule("arkm.surprise.both-cancel", "all are surprised: nobody is")
        return
    free = [side for side in every if side not in surprised]
    fight.rule("arkm.surprise.free-round", f"a free round for the {' and the '.join(free)}")
    now = max(fight.state.turns.round, 1)
    fight.record(RoundBegan(now))
    roster = fight.state.roster
    for who in roster.order:
        if roster.members[who].side in surprised:
            fight.record(ConditionGained(who, SURPRISED, "round-end", round=now))
            fight.record(Counted(who, AMBUSHED, 1, until="encounter-end"))
    if len(free) > 1:
        return  # they roll among themselves
    acting = [who for who in roster.order if roster.members[who].side in free and fight.state.stands(who)]
    seats = [order.seat(fight, who) for who in acting if fight.state.conditions.has(who, HASTED)]
    common = [group(fight, who) for who in acting]
    fight.record(OrderSet(tuple(order.TIE.join(dict.fromkeys(names)) for names in (seats, common) if names)))
