"""Groups that are split and joined: some act without the others, with a place of their own in the order."""

from commands.action.names import proper
from commands.action.resolution import STATUS, Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, OrderSet

from . import flight, groups, morale, order
from .conditions import BROKEN, IN_FLIGHT, IN_GROUP, PURSUING, TO_THE_DEATH
from .distance import GAP

_CARRIED = (morale.MADE, morale.FIRST_DEATH, morale.HALF)
"""What is counted of the morale of a group, and of each part of it."""
_STATES = (TO_THE_DEATH, BROKEN)


def band(fight: Resolution, words: tuple[str, ...]) -> str:
    """The group of those who are named; when others stand in it who are not named, the named ones are split off."""
    some = groups.find_some(fight, words)
    name = groups.group(fight, some[0])
    if {*groups.standing(fight, name)} - {*some} or any(groups.group(fight, who) != name for who in some):
        name = proper(some[0])
        put(fight, some, name)
    return name


def put(fight: Resolution, some: list[str], name: str) -> None:
    """Puts them into a group: what holds for their old one holds for it, if it is new; they keep their place."""
    moving = [who for who in some if groups.group(fight, who) != name]
    if not moving:
        fight.impossible(f"{', '.join(some)} {'are' if some[1:] else 'is'} in the group {name} already.", STATUS)
    sides = {fight.state.roster.members[who].side for who in (*some, *groups.members(fight, name))}
    if len(sides) > 1:
        fight.impossible(f"{' and '.join(sorted(sides))} cannot share a group.", "A group has one side.")
    new, old = not groups.members(fight, name), groups.group(fight, moving[0])
    olds = dict.fromkeys(groups.group(fight, who) for who in moving)
    seats = {order.seat(fight, who): "" for who in moving}
    for who in moving:
        seat = order.seat(fight, who)
        if not new:
            _check_place(fight, who, name)
        _put(fight, who, name, new)
        seats[seat] = order.seat(fight, who)
    for seat, theirs in seats.items():
        _keep_place(fight, seat, theirs)
    for one in olds:
        if not groups.members(fight, one):
            _run_no_more(fight, one)
    s = "" if moving[1:] else "s"
    deed = f"leave{s} the group {old} for the group" if new else f"join{s} the group"
    fight.rule("arkm.initiative.group-split", f"{' and '.join(moving)} {deed} {name}")


def _check_place(fight: Resolution, who: str, name: str) -> None:
    """Nobody loses a place that is still to come by joining a group whose place has passed."""
    if not fight.state.turns.phase or order.acted(fight, who) or order.pair_of(fight, who):
        return
    seat = name + order.seat(fight, who).removeprefix(groups.group(fight, who))
    every = order.places(fight)
    theirs = next((at for at, place in enumerate(every) if order.shares(place, seat)), order.pointer(fight))
    if theirs < order.pointer(fight) <= order.place(fight, who):
        message = f"The group {name} has passed its place in this phase, and {who} would lose their own."
        fight.refuse("arkm.initiative.group-split", message, [("pass", {"who": [who]})])


def _put(fight: Resolution, who: str, name: str, new: bool) -> None:
    old = groups.group(fight, who)
    morale.dismiss(fight, who)
    other = ConditionGained(who, IN_GROUP, "encounter-end", whom=(name,))
    fight.record(ConditionEnded(who, IN_GROUP) if name == groups.own_group(fight, who) else other)
    if fight.state.stands(who):
        morale.enlist(fight, who)
    if new:
        _carry(fight, old, name)


def _carry(fight: Resolution, old: str, name: str) -> None:
    """A new group has the morale of the one that it comes from, runs where that runs, and pursues whom that does."""
    counts, held = fight.state.counts, fight.state.conditions.of
    for what in _CARRIED:
        if count := counts.get(old, what):
            fight.record(Counted(name, what, count, until="encounter-end"))
    for whom, rolled in counts.of(old, flight.ROLLED).items():
        fight.record(Counted(name, flight.ROLLED, rolled, whom, "encounter-end"))
    for what in _STATES:
        if what in held.get(old, {}) and what not in held.get(name, {}):
            fight.record(ConditionGained(name, what, "encounter-end"))
    for mine, theirs in ((PURSUING, IN_FLIGHT), (IN_FLIGHT, PURSUING)):
        if mine not in held.get(old, {}) or mine in held.get(name, {}):
            continue
        others = held[old][mine].whom
        fight.record(ConditionGained(name, mine, "encounter-end", whom=others))
        for other in others:
            runs = (*flight.runs(fight, other, theirs), name)
            fight.record(ConditionGained(other, theirs, "encounter-end", whom=runs))
            first, second = (old, other) if mine == PURSUING else (other, old)
            gap = counts.get(first, GAP, second)
            first, second = (name, other) if mine == PURSUING else (other, name)
            fight.record(Counted(first, GAP, gap, second, "encounter-end"))


def _run_no_more(fight: Resolution, name: str) -> None:
    """A group without members pursues nobody, and flees from nobody."""
    for prey in flight.runs(fight, name, PURSUING):
        flight.over(fight, name, prey)
    for hunters in flight.runs(fight, name, IN_FLIGHT):
        flight.over(fight, hunters, name)


def change_group(fight: Resolution, who: str, before: str, seat: str, to_come: bool) -> None:
    """One whose sheet or side names another group from now on is counted there, and keeps the place if it can.

    `before`, `seat` and `to_come` are its group and its place until now.
    """
    if not fight.state.encounter.running or not fight.state.stands(who) or groups.group(fight, who) == before:
        return
    if left := fight.state.counts.get(before, morale.NUMBER):
        fight.record(Counted(before, morale.NUMBER, left - 1, until="encounter-end"))
    morale.enlist(fight, who)
    _keep_place(fight, seat, order.seat(fight, who))
    if to_come and not order.is_to_come(fight, who):
        fight.rule("arkm.initiative.group-split", f"has no place left in the {fight.state.turns.phase} phase", who=who)


def _keep_place(fight: Resolution, old: str, new: str) -> None:
    """A group without a place in this round has one beside the old place of its members; a place of nobody goes.

    A line says whose place goes, and to whom.
    """
    turns = fight.state.turns
    there = any(order.shares(place, new) for place in turns.order)
    left = any(order.seat(fight, who) == old and fight.state.stands(who) for who in fight.state.roster.order)
    instead = [*([old] if left else []), *([] if there else [new])]
    places = {}
    for place in turns.order:
        seats = place.split(order.TIE)
        if old in seats:
            at = seats.index(old)
            seats[at : at + 1] = instead
        places[place] = order.TIE.join(seats)
    then = tuple(filter(None, places.values()))
    if old == new or then == turns.order:
        return
    fight.record(OrderSet(then))
    if not left:
        now = f"the group {old} has no place in the order any more" if there else f"the place of {old} goes to {new}"
        fight.rule("arkm.initiative.group-split", now)
    _go_on(fight, turns.who.split(order.TIE), places)


def _go_on(fight: Resolution, names: list[str], places: dict[str, str]) -> None:
    """Where the place under way has changed, the one that stands for it begins, or where it is gone the next one."""
    now = next((place for place in places if any(order.shares(place, name) for name in names)), "")
    if now and places[now] != now:
        every = [*places]
        rest = [*every[every.index(now) :], *reversed(every[: every.index(now)])]
        order.begin_place(fight, next(places[place] for place in rest if places[place]))
