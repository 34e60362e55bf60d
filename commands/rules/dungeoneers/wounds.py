"""Wounds, stress and death: one number runs through the whole chain."""

from collections.abc import Sequence

from msgspec.structs import replace

from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Felled, Number, StressGained, WoundsSustained, number

from . import threat
from .conditions import release
from .order import lapse_without
from .points import alive
from .tables import GRAPPLED, GRAPPLING, READIED, WINDOW


def strained(fight: Resolution, who: str) -> bool:
    """Whether a creature is over its capacity, strictly."""
    capacity: int = fight.sheet(who).stress_capacity
    return fight.state.stress.total(who) > capacity


def suffer(
    fight: Resolution, who: str, listed: Number, kind: str = "", more: Sequence[Modifier] = (), by: str = ""
) -> None:
    """dungeoneers.wounds.order: from the wounds that are listed to those that are sustained, and death.

    `more` are the attacker's modifications, which come before the defender's.
    """
    sheet, wounds = fight.sheet(who), listed
    if strained(fight, who):
        wounds = wounds.times(2, "over-stressed", "dungeoneers.stress.double-wounds")
    for one in more:
        wounds = wounds.plus(one.amount, one.why, "dungeoneers.attack.wounds")
    if wounds.total >= 1:
        wounds = wounds.plus(_level(sheet.vulnerability, kind), "vulnerability", "dungeoneers.trait.vulnerability")
    wounds = wounds.minus(_level(sheet.resistance_to, kind), "resistance", "dungeoneers.trait.resistance")
    wounds = wounds.at_least(0, "least", "dungeoneers.wounds.floor-zero")
    stress = fight.state.stress.total(who)
    absorbed = min(wounds.total, max(sheet.stress_capacity - stress, 0))
    wounds = wounds.minus(absorbed, "absorbed as stress", "dungeoneers.stress.absorb")
    full = ("dungeoneers.stress.capacity",) if absorbed and wounds.total else ()
    harmed = bool(absorbed or wounds.total)
    typed = replace(wounds, of=f"{kind} {wounds.of}".lstrip())  # no outcome: it is told by what follows
    fight.rule("dungeoneers.wounds.order", "" if harmed else "no wounds", [typed], by or who, who, full)
    if absorbed:
        fight.record(StressGained(who, absorbed, stress + absorbed, sheet.stress_capacity))
    if wounds.total:
        _sustain(fight, who, wounds.total, kind)


def _level(trait: dict[str, int], kind: str) -> int:
    return next((trait[one] for one in trait if one.casefold() == kind.casefold()), 0)


def _sustain(fight: Resolution, who: str, wounds: int, kind: str) -> None:
    """Adds wounds up to the creature's dungeoneers.wounds.capacity, and kills whom they kill."""
    capacity, before = fight.sheet(who).wound_capacity, fight.state.injuries.total(who)
    after = min(before + wounds, max(capacity, before))
    if after > before:
        fight.record(WoundsSustained(who, after - before, after, kind, capacity))
    clause = "dungeoneers.wounds.death-at-maximum" if before >= capacity else ""
    clause = "dungeoneers.wounds.instant-death" if wounds > capacity else clause
    if clause and alive(fight, who):
        numbers = [number("wounds", wounds), number("capacity", capacity)]
        fight.rule(clause, "dead", numbers, who=who, also=("dungeoneers.death.effects",), aside=True)
        fight.record(Felled(who, "dead"))
        bury(fight, who)
    elif after < before + wounds:
        most = "dungeoneers.wounds.cap-at-maximum"
        borne = number("wounds", before, "borne").plus(wounds, "new").at_most(after, "capacity", most)
        fight.rule(most, "", [borne], who=who, aside=True)


def strain(fight: Resolution, who: str, points: int) -> None:
    """Stress that a creature takes by choice, without a limit.

    dungeoneers.stress.double-stress: anyone who is over capacity gains twice as much. dungeoneers.stress.triple-wound:
    a gain that leads beyond three times the capacity is a wound.
    """
    gain = number("stress", points, "declared")
    with fight.upon("", who):
        if strained(fight, who):
            gain = gain.times(2, "over-stressed")
            past = ("dungeoneers.stress.past-capacity",)
            fight.rule("dungeoneers.stress.double-stress", "", [gain], who=who, also=past)
        now = fight.state.stress.total(who) + gain.total
        fight.record(StressGained(who, gain.total, now, fight.sheet(who).stress_capacity))
        check_exertion(fight, who)


def check_exertion(fight: Resolution, who: str) -> None:
    """dungeoneers.stress.triple-wound: a gain that has led beyond three times the capacity is a wound."""
    now = fight.state.stress.total(who)
    limit = 3 * fight.sheet(who).stress_capacity
    if now > limit:
        numbers = [number("stress", now), number("three times the capacity", limit)]
        fight.rule("dungeoneers.stress.triple-wound", "over-exertion", numbers, who=who)
        suffer(fight, who, number("wounds", 1, "over-exertion"))


# Death


def bury(fight: Resolution, who: str, why: str = "dead") -> None:
    """Ends what the dead one held, threatened and had readied, and the turn's other conditions of its own.

    Who is unconscious by the game master's word, or leaves, takes no part either: `why`.
    """
    for condition in (GRAPPLING, GRAPPLED):
        release(fight, who, condition, "dungeoneers.grapple.separated", why)
    for other in fight.state.roster.order:
        by = threat.threatened_by(fight, other)
        if who in by:
            threat.become(fight, other, tuple(name for name in by if name != who))
    for condition, held in fight.state.conditions.held(who):
        if held.until != "removed":
            fight.record(ConditionEnded(who, condition))
    fight.settle(READIED, who, "lost", f"{who} is {why}")  # dungeoneers.ready.lapse
    lapse_without(fight, who)
    fight.settle(WINDOW, who, "lost", f"{who} is {why}")
