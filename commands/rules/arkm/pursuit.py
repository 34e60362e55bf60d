"""Evasion and pursuit: whether monsters run after those who flee, and whether they catch them."""

from collections.abc import Sequence
from typing import Annotated, Literal

from commands.action.declaration import Declaration, Groups, says
from commands.action.encounters import require_encounter
from commands.action.modifiers import Modifier, Mods
from commands.action.names import find
from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import ConditionGained, Counted, number

from . import distance, flight, pace, position, scores
from .conditions import IN_FLIGHT, PURSUING
from .distance import GAP, figure, measure
from .groups import of_players, standing
from .morale import is_intelligent, throw
from .pace import full
from .split import band

_PLACES = {"corner": 2, "stairs": 2, "door": 2, "secret-door": 1}
"""What a D6 shows at most when pursuers go on after those who ran past it."""


class Pursue(Declaration):
    """Begin a pursuit of those who flee (--distance), or play its next rounds of running.

    Some of a group can run without the others: affray pursue orc-1,orc-2 tessa. Rolls made by `retreat` still count.
    With --contact, one pursuer stays in contact with one who flees, or does not, or does if it is faster.
    """

    who: Annotated[Groups, says("The group that pursues, or those of it who do.")]
    target: Annotated[Groups, says("The group that flees, or those of it who do.")]
    distance: Annotated[int, says("How far apart they are: feet, or yards outdoors.", ge=0, le=10_000)] | None = None
    mod: Mods = ()
    rounds: Annotated[int, says("Rounds of running.", ge=1, le=100)] = 1
    past: (
        Annotated[Literal["corner", "stairs", "door", "secret-door"], says("What they run past or through.")] | None
    ) = None
    bait: Annotated[Literal["food", "treasure"], says("What they throw down.")] | None = None
    lost_sight: Annotated[bool, says("The pursuers lose sight of them, and give up.")] = False
    keep: Annotated[bool, says("They go on all the same.")] = False
    contact: Annotated[Literal["yes", "no", "speed"], says("Whether the pursuer stays in contact.")] | None = None


def pursue(fight: Resolution, said: Pursue) -> None:
    """Begins a pursuit, or goes on with it."""
    require_encounter(fight)
    if said.contact:
        _keep_contact(fight, _one(fight, said.who), _one(fight, said.target), said.contact)
        return
    hunters, prey = band(fight, said.who), band(fight, said.target)
    with fight.upon(hunters, prey):
        _go_on(fight, said, hunters, prey)


def _go_on(fight: Resolution, said: Pursue, hunters: str, prey: str) -> None:
    """Begins a pursuit, or plays what happens in it."""
    if _is_on(fight, hunters, prey) and not (standing(fight, hunters) and standing(fight, prey)):
        fight.rule("arkm.pursuit.catch", "nobody is left to run", who=hunters)
        flight.over(fight, hunters, prey)
        return
    if hunters == prey or not standing(fight, hunters) or not standing(fight, prey):
        message = f"The {hunters} cannot pursue the {prey}."
        fight.impossible(message, "It takes two groups, each with somebody standing.")
    if not _is_on(fight, hunters, prey):
        if _is_on(fight, prey, hunters):
            lost = [("pursue", {"who": [prey], "target": [hunters], "lost_sight": True})]
            fight.impossible(f"The {hunters} flee from the {prey}.", lost)
        gap = _between(fight, hunters, prey) if said.distance is None else said.distance
        if not gap and said.distance is None:
            no = f"{_do_not(fight, hunters)} pursue {_the(fight, prey)}, and nobody has said how far they are."
            fight.impossible(no, "Say --distance and how far.")
        _begin(fight, hunters, prey, gap, scores.mods(fight, said.mod, ("pursuit",)))
    elif said.distance is not None:
        fight.impossible(f"The {hunters} are already pursuing the {prey}.", [fight.otherwise(distance=None)])
    elif said.lost_sight + bool(said.bait) + bool(said.past) > 1:
        fight.impossible("One thing at a time: --lost-sight, --bait or --past.", "Say the others in commands after it.")
    elif said.lost_sight:  # arkm.pursuit.in-sight: as a rule they give up then; the game master may say otherwise
        fight.rule("arkm.pursuit.in-sight", "they go on nevertheless" if said.keep else "they give up", who=hunters)
        if not said.keep:
            flight.over(fight, hunters, prey)
    elif said.bait:
        _bait(fight, hunters, prey, said.bait)
    elif said.past:
        _past(fight, hunters, prey, said.past)
    else:
        _run(fight, hunters, prey, said.rounds)


def _is_on(view: View, hunters: str, prey: str) -> bool:
    """Whether one group pursues another."""
    return prey in flight.runs(view, hunters, PURSUING)


def _the(view: View, name: str) -> str:
    """A group in a sentence; one that is called after its only member is no plural."""
    return name if name in view.state.roster.members else f"the {name}"


def _do_not(view: View, name: str) -> str:
    return f"{_the(view, name)} {'does' if name in view.state.roster.members else 'do'} not"


def _between(view: View, hunters: str, prey: str) -> int:
    """The distance of the two who are nearest, as far as it is known, in the measure of the place; else 0."""
    far = [distance.known(view, one, other) for one in standing(view, hunters) for other in standing(view, prey)]
    return figure(view, min(filter(None, far), default=0))


def _begin(fight: Resolution, hunters: str, prey: str, gap: int, mods: Sequence[Modifier]) -> None:
    """arkm.pursuit.decision: what was rolled, or the reaction table's column; low yes, high no.

    Players decide for themselves.
    """
    pursues = _decides(fight, hunters, prey, gap, mods)
    far = number("gap", gap, measure(fight))
    fight.rule("arkm.pursuit.decision", "they pursue" if pursues else "they do not pursue", [far], who=hunters)
    if not pursues:
        fight.record(Counted(hunters, flight.ROLLED, flight.STAY, prey))
        return
    for fleer in standing(fight, prey):
        for foe in standing(fight, hunters) if flight.flees(fight, fleer) else ():
            with fight.upon(foe, fleer):
                flight.is_after(fight, foe, fleer)
    for one, name, other in ((hunters, PURSUING, prey), (prey, IN_FLIGHT, hunters)):
        fight.record(ConditionGained(one, name, "encounter-end", whom=(*flight.runs(fight, one, name), other)))
    _set_gap(fight, hunters, prey, gap)
    near, faster = _caught_at(fight), _rate(fight, hunters) - _rate(fight, prey)
    if gap <= near:
        _caught(fight, hunters, prey)
    elif faster > 0:
        rounds = number("rounds", gap, "gap").minus(near, "melee range").over(faster, "faster", up=True)
        fight.rule("arkm.pursuit.catch", f"caught in round {rounds.total}", [rounds], who=hunters)
    else:
        fight.rule("arkm.pursuit.catch", "never caught by running", who=hunters)


def _decides(fight: Resolution, hunters: str, prey: str, gap: int, mods: Sequence[Modifier]) -> bool:
    """Whether they pursue. arkm.retreat.pursuit-roll: one flight, one roll; a second one is not made."""
    if of_players(fight, hunters):
        return True
    rolled = fight.state.counts.of(hunters, flight.ROLLED)
    told = next((rolled[who] for who in (prey, *standing(fight, prey)) if who in rolled), 0)
    if not told:
        return throw(fight, hunters, "pursuit", mods).pursues
    if mods:
        message = f"It has already been rolled whether the {hunters} pursue; --mod comes too late."
        fight.impossible(message, [fight.otherwise(mod=[], distance=gap)])
    if told == flight.STAY:
        message = f"That has already been rolled: {_do_not(fight, hunters)} pursue {_the(fight, prey)}."
        again: Remedy = ("pursue", {"who": [hunters], "target": [prey], "distance": gap}, "they think again")
        fight.refuse("arkm.retreat.pursuit-roll", message, [again])
    return True


def _rate(view: View, name: str) -> int:
    """The running speed of a group in the measure of the place: the full Turn movement of its slowest."""
    return figure(view, min(full(view, who) for who in standing(view, name)))


def _caught_at(view: View) -> int:
    """The gap at which a pursuit has caught up, in the measure of the place: 1 yard for 5 feet."""
    return int(view.option("caught_gap")) // distance.scale(view)


def _set_gap(fight: Resolution, hunters: str, prey: str, gap: int) -> None:
    fight.record(Counted(hunters, GAP, distance.feet(fight, gap), prey, "encounter-end"))


def _run(fight: Resolution, hunters: str, prey: str, rounds: int) -> None:
    """arkm.pursuit.catch: each round the gap changes by the difference of the rates."""
    for _ in range(rounds):
        before = figure(fight, fight.state.counts.get(hunters, GAP, prey))
        gap = number("gap", before, f"{measure(fight)} before")
        gap = gap.plus(_rate(fight, prey), prey).minus(_rate(fight, hunters), hunters).at_least(0, "at least")
        _set_gap(fight, hunters, prey, gap.total)
        if gap.total <= _caught_at(fight):
            fight.rule("arkm.pursuit.catch", "caught", [gap], who=hunters)
            _caught(fight, hunters, prey)
            return
        fight.rule("arkm.pursuit.catch", f"{gap.total} {measure(fight)} apart", [gap], who=hunters)


def _caught(fight: Resolution, hunters: str, prey: str) -> None:
    fight.rule("arkm.pursuit.catch", "in melee range", who=hunters)
    _set_gap(fight, hunters, prey, 0)
    flight.over(fight, hunters, prey)


def _bait(fight: Resolution, hunters: str, prey: str, what: str) -> None:
    """arkm.pursuit.food stops those without wits, arkm.pursuit.treasure those with: on 1-5 of a D6."""
    clause = "arkm.pursuit.food" if what == "food" else "arkm.pursuit.treasure"
    if is_intelligent(fight, hunters) == (what == "food"):
        fight.rule(clause, "they ignore it", who=hunters)
        return
    chance = number("stop on", fight.option("bait_chance"))
    die = fight.roll(hunters, "1d6", "bait").number(what)
    if fight.compare(clause, die, "<=", chance, hunters, yes="they stop", no="they go on"):
        flight.over(fight, hunters, prey)


def _past(fight: Resolution, hunters: str, prey: str, place: str) -> None:
    """arkm.pursuit.corner-stairs-door: they follow on 1-2; arkm.pursuit.secret-door: on a 1."""
    clause = "arkm.pursuit.secret-door" if place == "secret-door" else "arkm.pursuit.corner-stairs-door"
    die = fight.roll(hunters, "1d6", "following").number(place)
    most = number("follow on", _PLACES[place])
    if not fight.compare(clause, die, "<=", most, hunters, yes="they follow", no="they give up"):
        flight.over(fight, hunters, prey)


def _one(fight: Resolution, words: tuple[str, ...]) -> str:
    """The only one who is named."""
    if len(words) > 1:
        fight.impossible("--contact is of one pursuer and one who flees.", "Say it for each pair.")
    return find(fight.state, words[0])


def _keep_contact(fight: Resolution, pursuer: str, fleer: str, said: str) -> None:
    """arkm.retreat.faster-pursuer: whether a pursuer stays with one who flees: "yes" or "no", as the game master says,
    or by "speed", if its Turn movement is greater.
    """
    if not flight.flees(fight, fleer):
        fight.impossible(f"{fleer} does not flee.", "Only those who have retreated flee.")
    if not fight.hostile(pursuer, fleer):
        fight.impossible(f"{pursuer} is not a foe of {fleer}.")
    speeds = pace.full(fight, pursuer), pace.full(fight, fleer)
    stays = speeds[0] > speeds[1] if said == "speed" else said == "yes"
    numbers = [number(who, figure(fight, speed)) for who, speed in zip((pursuer, fleer), speeds, strict=True)]
    told = "in contact" if stays else "no contact"
    fight.rule("arkm.retreat.faster-pursuer", told, numbers * (said == "speed"), pursuer)
    if stays:
        flight.is_after(fight, pursuer, fleer)
        position.meet(fight, pursuer, fleer)
    else:
        position.part(fight, pursuer, fleer)
