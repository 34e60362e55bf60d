"""Threat: how far everybody reaches, who is hostile to whom, who is threatened."""

from commands.action.grid import gap
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Number, number

from . import gear
from .bodies import SIZES, Table, tiles

THREATENED = "threatened"
"""The condition; it names those who threaten its bearer."""


def threat_range(table: Table, who: str) -> Number:
    """dungeoneers.threat.range: the size's, what equipped weapons add, and effects."""
    size = table.sheet(who).size
    reach = number("threat range", SIZES[size].threat, size)
    for weapon in gear.weapons(table, who):
        reach = reach.plus(weapon.threat, weapon.name)  # dungeoneers.weapon.threat-plus
    return gear.plus_effects(table, who, reach)


def hostile(table: Table, one: str, other: str) -> bool:
    """dungeoneers.threat.hostility: creatures of different sides are, unless there is a truce."""
    members = table.state.roster.members
    mine, theirs = members[one].side, members[other].side
    return mine != theirs and not table.state.truces.holds(mine, theirs)


def threatening(table: Table, who: str) -> tuple[str, ...]:
    """Everybody by whom a creature is threatened, as they all stand now.

    dungeoneers.threat.threatened: each hostile living creature in whose threat range it is; it need not be mutual.
    """
    mine = tiles(table, who)
    return tuple(
        other
        for other in table.state.roster.order
        if mine
        and hostile(table, who, other)
        and (theirs := tiles(table, other))
        and gap(mine, theirs) <= threat_range(table, other).total
    )


def recalculate(fight: Resolution) -> None:
    """dungeoneers.threat.recalculate: works out everybody's `threatened` anew."""
    if not fight.state.encounter.running:
        return
    for who in fight.state.roster.order:
        become(fight, who, threatening(fight, who))


def become(fight: Resolution, who: str, by: tuple[str, ...]) -> None:
    """Records by whom a creature is threatened from now on, if that is anything new."""
    if by == threatened_by(fight, who):
        return
    if by:
        fight.record(ConditionGained(who, THREATENED, "encounter-end", whom=by))
    else:
        fight.record(ConditionEnded(who, THREATENED))


def threatened_by(table: Table, who: str) -> tuple[str, ...]:
    """By whom a creature is threatened, according to its condition."""
    held = table.state.conditions.get(who, THREATENED)
    return held.whom if held else ()
