"""Wounds and stress: one number runs through the whole chain."""

from commands.action.resolution import Resolution
from ledger.events import Number, StressGained, WoundsSustained, number

from . import death
from .points import alive


def strained(fight: Resolution, who: str) -> bool:
    """Whether a creature is over its dungeoneers.stress.capacity, strictly."""
    capacity: int = fight.sheet(who).stress_capacity
    return fight.state.stress.total(who) > capacity


def suffer(fight: Resolution, who: str, listed: Number, kind: str = "", more: int = 0, by: str = "") -> None:
    """dungeoneers.wounds.order: from the wounds that are listed to those that are sustained, and death.

    `more` are the attacker's modifications, which come before the defender's.
    """
    sheet, wounds = fight.sheet(who), listed
    if strained(fight, who):
        wounds = wounds.times(2, "over-stressed")  # dungeoneers.stress.double-wounds
    wounds = wounds.plus(more, "attacker")
    if wounds.total >= 1:
        wounds = wounds.plus(_level(sheet.vulnerability, kind), "vulnerability")  # dungeoneers.trait.vulnerability
    wounds = wounds.minus(_level(sheet.resistance_to, kind), "resistance")  # dungeoneers.trait.resistance
    wounds = wounds.at_least(0, "least")  # dungeoneers.wounds.floor-zero
    stress = fight.state.stress.total(who)
    room = max(sheet.stress_capacity - stress, 0)
    absorbed = min(wounds.total, room)
    wounds = wounds.minus(absorbed, "absorbed as stress")  # dungeoneers.stress.absorb
    fight.rule("dungeoneers.wounds.order", kind, [wounds], who=by or who, about=who)
    if absorbed:
        fight.record(StressGained(who, absorbed, stress + absorbed))
    if wounds.total:
        sustain(fight, who, wounds.total, kind)


def _level(trait: dict[str, int], kind: str) -> int:
    return next((trait[one] for one in trait if one.casefold() == kind.casefold()), 0)


def sustain(fight: Resolution, who: str, wounds: int, kind: str) -> None:
    """Adds wounds up to the creature's dungeoneers.wounds.capacity, and kills whom they kill."""
    capacity, before = fight.sheet(who).wound_capacity, fight.state.injuries.total(who)
    after = min(before + wounds, max(capacity, before))  # dungeoneers.wounds.cap-at-maximum
    if after > before:
        fight.record(WoundsSustained(who, after - before, after, kind))
    clause = ""
    if wounds > capacity:
        clause = "dungeoneers.wounds.instant-death"
    elif before >= capacity:
        clause = "dungeoneers.wounds.death-at-maximum"
    if clause and alive(fight, who):
        fight.rule(clause, "dies", [number("wounds", wounds), number("capacity", capacity)], who=who)
        death.die(fight, who)


def strain(fight: Resolution, who: str, points: int) -> None:
    """Stress that a creature takes upon itself: dungeoneers.stress.past-capacity, no limit holds it.

    dungeoneers.stress.double-stress: whoever is over capacity gains twice as much. dungeoneers.stress.triple-wound:
    a gain that leads beyond three times the capacity is a wound.
    """
    gain = number("stress", points, "declared")
    if strained(fight, who):
        gain = gain.times(2, "over-stressed")
        fight.rule("dungeoneers.stress.double-stress", "", [gain], who=who)
    now = fight.state.stress.total(who) + gain.total
    fight.record(StressGained(who, gain.total, now))
    check_exertion(fight, who)


def check_exertion(fight: Resolution, who: str) -> None:
    """dungeoneers.stress.triple-wound: a gain that has led beyond three times the capacity is a wound."""
    now = fight.state.stress.total(who)
    limit = 3 * fight.sheet(who).stress_capacity
    if now > limit:
        numbers = [number("stress", now), number("three times the capacity", limit)]
        fight.rule("dungeoneers.stress.triple-wound", "over-exertion", numbers, who=who)
        suffer(fight, who, number("wounds", 1, "over-exertion"))
