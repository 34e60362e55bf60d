"""When parties meet: how far apart they are, what monsters make of the party, and what the players then do."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Text, says
from commands.action.encounters import require_encounter
from commands.action.modifiers import Mods
from commands.action.names import find
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.errors import NameUnknown
from ledger.events import ConditionGained

from . import acting, scores
from .conditions import CASTING
from .distance import APART, MELEE, apart, feet, figure, fix, measure, set_apart, words
from .groups import find_group, groups, of_players
from .morale import is_intelligent, throw


class Distance(Declaration):
    """Roll or set how far apart the parties are when they meet; or set the distance between two."""

    who: Annotated[Fighter, says("One of the two.", positional=True)] = ""
    target: Annotated[Fighter, says("The other.", positional=True)] = ""
    feet: Annotated[int, says("The distance, if known: feet, or yards outdoors.", ge=0, le=10_000)] | None = None


def distance(fight: Resolution, said: Distance) -> None:
    """arkm.distance.normal: 2D6 x 10, without a surprise, if it is uncertain. arkm.distance.pair: of two."""
    require_encounter(fight)
    if said.who:
        _of_two(fight, said)
        return
    if said.feet is not None:
        fix(fight, said.feet)
        return
    if before := fight.state.counts.get("encounter", APART):
        message = f"The distance is known: {words(fight, before)}."
        fight.refuse("arkm.distance.normal", message, [fight.otherwise(feet=figure(fight, before))])
    rolled = fight.roll("", "2d6", "distance").number().times(10, measure(fight))
    fight.rule("arkm.distance.normal", f"{rolled.total} {measure(fight)}", [rolled])
    set_apart(fight, rolled.total)


def _of_two(fight: Resolution, said: Distance) -> None:
    """The game master says how far it is between two who are in no melee with each other."""
    who, target = said.who, said.target
    if not target or who == target:
        others = [one for one in fight.state.roster.order if one not in (who, *fight.state.engagement.of(who))]
        each = [] if said.feet is None else [fight.otherwise(target=other) for other in others]
        fight.impossible(f"How far is it from {who} to whom?", [*each, "Say another name, and --feet."])
    if said.feet is None:
        fight.impossible(f"How far is it from {who} to {target}?", "Say --feet and how many.")
    if target in fight.state.engagement.of(who):
        message = f"{who} and {target} are in melee, within {MELEE} feet."
        fight.impossible(message, "One of them must leave the melee first.")
    fight.rule("arkm.distance.pair", f"{said.feet} {measure(fight)}, by the game master", who=who)
    apart(fight, who, target, feet(fight, said.feet))


class Reaction(Declaration):
    """Roll for how monsters react, if that is uncertain; or state it."""

    who: Annotated[str, says("Which group, or a member of it.", word="group")]
    mod: Mods = ()
    as_: Annotated[Text, says("The reaction, where you decide it yourself.")] = ""


def reaction(fight: Resolution, said: Reaction) -> None:
    """arkm.reaction.animals, arkm.reaction.intelligent: the table gives the word, the game master plays it."""
    name = find_group(fight, said.who)
    if of_players(fight, name):
        fight.refuse("arkm.reaction.roll", f"There are player characters among the {name}.", "Their players decide.")
    clause = "arkm.reaction.intelligent" if is_intelligent(fight, name) else "arkm.reaction.animals"
    if said.as_:
        fight.rule(clause, said.as_, who=name)
        return
    row = throw(fight, name, "reaction", scores.mods(fight, said.mod, ("reaction",)))
    fight.rule(clause, row.intelligent if is_intelligent(fight, name) else row.animals, who=name)


class Declare(Declaration):
    """Say what somebody, or the party, will do: talk, run, wait, cast. A declared caster moves 10 feet at most."""

    who: Annotated[str, says("A combatant or a group.", word="group")]
    action: Annotated[Text, says("What they will do.")]


def declare(fight: Resolution, said: Declare) -> None:
    """arkm.reaction.players-choose: it is recorded; only casting binds."""
    who = _one(fight, said.who)
    fight.write_in_full(said.who, who or said.who)
    if who and said.action.split()[0].casefold() == "cast":
        acting.may_act(fight, who, "declare", "")
        fight.record(ConditionGained(who, CASTING, "round-end"))
        return
    fight.rule("arkm.reaction.players-choose", said.action, who=who or find_group(fight, said.who))


def _one(view: View, word: str) -> str:
    """Who of those at the table is meant; "" if it is a group."""
    if word.casefold() in map(str.casefold, groups(view)):
        return ""
    try:
        return find(view.state, word)
    except NameUnknown:
        return ""
