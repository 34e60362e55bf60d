"""How fighters stand together: in groups, in pairs apart from the large fight, in units."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, Groups, says
from commands.action.encounters import require_encounter
from commands.action.names import proper
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted, SkirmishJoined

from . import groups
from .mass import is_unit, survivors_of
from .order import DISSOLVED, is_apart, pair_found
from .split import put


class Group(Declaration):
    """Put some into a group of their own, or into another: from then on they have its place in the order.

    affray group orc-1,orc-2 chasers splits them off; affray group orc-1,orc-2 orc puts them back with the others.
    """

    who: Annotated[Groups, says("Names, or a whole group.")]
    name: Annotated[
        str, says("The group; by default one named after the first.", max_length=40, positional=True, word="group")
    ] = ""


def group(fight: Resolution, said: Group) -> None:
    """arkm.initiative.group-split: to the end of the encounter, or until they are joined again."""
    require_encounter(fight)
    some = groups.find_some(fight, said.who)
    if not some:
        fight.impossible("Who?", "Say names with commas between, or a group.")
    put(fight, some, _name(fight, said.name) if said.name else proper(some[0]))


def _name(view: View, word: str) -> str:
    """A group that there is, also one whose members are all elsewhere now; else a new one."""
    every = [name for who in view.state.roster.order for name in (groups.group(view, who), groups.own_group(view, who))]
    return next((name for name in every if name.casefold() == word.casefold()), "") or proper(word)


class Pair(Declaration):
    """Set some apart from the large fight, in a fight of their own; or end it (--dissolve).

    From the next initiative roll on they have dice of their own and no phases.
    """

    who: Annotated[Fighters, says("One side.")]
    against: Annotated[Fighters, says("The other side.")] = ()
    dissolve: Annotated[bool, says("They return to the large fight at the next initiative roll.")] = False


def pair(fight: Resolution, said: Pair) -> None:
    """arkm.paired.split: a combatant is in one paired fight at most."""
    require_encounter(fight)
    skirmishes = fight.state.skirmishes
    if said.dissolve:
        apart = sorted({pair_found(fight, who) for who in said.who if is_apart(fight, who)})
        if not apart:
            message = f"{', '.join(said.who)} {'are' if said.who[1:] else 'is'} in no paired fight."
            fight.impossible(message, "pair with --against sets one apart.")
        for at in apart:
            sides = " against ".join(", ".join(side) for side in skirmishes.number(at).sides)
            fight.rule("arkm.paired.split", f"{sides}: over with the next roll")
            fight.record(Counted("encounter", DISSOLVED, 1, str(at), "encounter-end"))
        return
    if not said.against:
        fight.impossible("Against whom?", "Say whom after --against.")
    if set(said.who) & set(said.against):
        fight.impossible("Nobody can fight themselves.")
    for who in (*said.who, *said.against):
        if is_apart(fight, who):
            apart_again = [("pair", {"who": [who], "dissolve": True})]
            fight.refuse("arkm.paired.split", f"{who} is already in a paired fight.", apart_again)
            fight.record(Counted("encounter", DISSOLVED, 1, str(pair_found(fight, who)), "encounter-end"))
    fight.rule("arkm.paired.split", f"{', '.join(said.who)} against {', '.join(said.against)}, from the next roll on")
    for side, names in enumerate((said.who, said.against)):
        for who in names:
            fight.record(SkirmishJoined(who, len(skirmishes.of) + 1, side, lasting=True))


class Survivors(Declaration):
    """Count the surviving men of a unit."""

    who: Annotated[Fighter, says("Which unit.")]


def survivors(fight: Resolution, said: Survivors) -> None:
    """At any time."""
    if not is_unit(fight, said.who):
        fight.impossible(f"{said.who} is not a unit.", "Form one with begin --unit and --men.")
    survivors_of(fight, said.who)
