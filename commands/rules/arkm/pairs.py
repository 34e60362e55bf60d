"""Paired combat: smaller fights within the fight, each with its own initiative and without phases."""

from commands.action.resolution import Resolution, Roll
from ledger.events import InitiativeSet, SkirmishEnded
from projections.encounter import Skirmish

from .order import is_over


def dice(fight: Resolution) -> list[tuple[Skirmish, list[Roll]]]:
    """arkm.paired.initiative: a die for each side of each paired fight, in the order of forming."""
    rolled = []
    for at, one in enumerate(fight.state.skirmishes.of, 1):
        if not is_over(fight, at):
            rolled.append((one, [fight.roll(" and ".join(side), "1d6", "initiative") for side in one.sides]))
            continue
        if not one.done:
            fight.record(SkirmishEnded(at))
    return rolled


def settle(fight: Resolution, rolled: list[tuple[Skirmish, list[Roll]]]) -> None:
    """Gives each member of a paired fight the number of its side."""
    for one, thrown in rolled:
        numbers = [die.number(die.who) for die in thrown]
        if thrown[0].total == thrown[1].total:
            fight.rule("arkm.paired.tie", "both at the same time", numbers)
        else:
            fight.rule("arkm.paired.initiative", f"{thrown[thrown[0].total < thrown[1].total].who} first", numbers)
        for side, die in zip(one.sides, thrown, strict=True):
            for who in side:
                fight.record(InitiativeSet(who, die.total))
