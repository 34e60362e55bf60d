"""Paired combat: smaller fights within the fight, each with its own initiative and without phases."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighters
from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution, Roll
from ledger.events import Counted, InitiativeSet, SkirmishEnded, SkirmishJoined
from projections.encounter import Skirmish

from .order import DISSOLVED, is_apart, is_over, pair_found


class Pair(Declaration):
    """Set some apart from the large fight, in a fight of their own; or end it (--dissolve).

    From the next initiative roll on they have dice of their own and no phases.
    """

    who: Annotated[Fighters, Meta(description="One side.")]
    against: Annotated[Fighters, Meta(description="The other side.")] = ()
    dissolve: Annotated[bool, Meta(description="They return to the large fight at the next initiative roll.")] = False


def pair(fight: Resolution, said: Pair) -> None:
    """arkm.paired.split: a combatant is in one paired fight at most."""
    require_encounter(fight)
    skirmishes = fight.state.skirmishes
    if said.dissolve:
        apart = sorted({pair_found(fight, who) for who in said.who if is_apart(fight, who)})
        if not apart:
            fight.impossible(
                f"{', '.join(said.who)} {'are' if said.who[1:] else 'is'} in no paired fight.",
                "pair with --against sets one apart.",
            )
        for at in apart:
            fight.rule("arkm.paired.split", f"{_versus(skirmishes.number(at))}: over with the next roll")
            fight.record(Counted("encounter", DISSOLVED, 1, str(at), "encounter-end"))
        return
    if not said.against:
        fight.impossible("Against whom?", "Say whom after --against.")
    if set(said.who) & set(said.against):
        fight.impossible("Nobody can fight themselves.")
    for who in (*said.who, *said.against):
        if is_apart(fight, who):
            apart_again = [("pair", {"who": [who], "dissolve": True})]
            fight.refuse("arkm.paired.split", f"{who} is in a paired fight already.", apart_again)
            fight.record(Counted("encounter", DISSOLVED, 1, str(pair_found(fight, who)), "encounter-end"))
    fight.rule("arkm.paired.split", f"{', '.join(said.who)} against {', '.join(said.against)}, from the next roll on")
    for side, names in enumerate((said.who, said.against)):
        for who in names:
            fight.record(SkirmishJoined(who, len(skirmishes.of) + 1, side, lasting=True))


def _versus(one: Skirmish) -> str:
    return " against ".join(", ".join(side) for side in one.sides)


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
            first = thrown[thrown[0].total < thrown[1].total]
            fight.rule("arkm.paired.initiative", f"{first.who} first", numbers)
        for side, die in zip(one.sides, thrown, strict=True):
            for who in side:
                fight.record(InitiativeSet(who, die.total))
