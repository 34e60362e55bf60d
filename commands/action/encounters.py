"""What every rule system does when an encounter begins and ends."""

from collections.abc import Container

from ledger.events import ConditionEnded, EncounterEnded, InitiativeSet, together

from .declaration import whole
from .names import check_once, find, pair
from .resolution import Remedies, Remedy, Resolution
from .systems import load, players_sides


def require_encounter(fight: Resolution, hint: str | Remedies = (("begin", {}),)) -> None:
    """Stops what has no meaning outside of an encounter."""
    if not fight.state.encounter.running:
        fight.impossible("No encounter is under way.", hint)


def require_none(fight: Resolution) -> None:
    """Stops `begin` while an encounter is under way."""
    if fight.state.encounter.running:
        verbs = load(fight.state.campaign.system).verbs
        first: list[Remedy] = [(name, {}) for name, verb in verbs.items() if verb.by == "turn"]
        fight.impossible("An encounter is under way.", [*(() if fight.state.turns.round else first), ("end", {})])


def close_encounter(fight: Resolution, *also: str) -> None:
    """Ends the encounter, every condition that lasts for a part of it, and those that end `also`."""
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if held[name].until != "removed" or name in also:
                fight.record(ConditionEnded(who, name))
    fight.record(EncounterEnded(fight.state.encounter.number))


def set_scores(fight: Resolution, words: tuple[str, ...], sides: Container[str] = ()) -> None:
    """The game master's initiative scores, each as NAME=N, of combatants or of `sides`. Raises UsageError for anything
    else.
    """
    said = [pair(word, "NAME=N") for word in words]
    found = [(name if name in sides else find(fight.state, name), score) for name, score in said]
    check_once(found)
    for who, score in found:
        fight.record(InitiativeSet(who, whole(score)))


def note_enemies(fight: Resolution) -> None:
    """A note where sides that no player is on are enemies of each other, as perhaps nobody meant them to be: when an
    encounter begins, and when another such side joins it. For books in which different sides are hostile, unless there
    is a truce.
    """
    members, players = fight.state.roster.members, players_sides(fight.state)
    standing = dict.fromkeys(members[who].side for who in fight.state.roster.order if fight.state.stands(who))
    others = [side for side in standing if side not in players]
    peace = fight.state.truces.holds
    hostile = [side for side in others if any(side != other and not peace(side, other) for other in others)]
    before = fight.before
    known = {before.roster.members[who].side for who in before.roster.order if before.stands(who)}
    if hostile and not (before.encounter.running and known.issuperset(hostile)):
        way = "adjust NAME side SIDE WHY puts somebody on another side"
        fight.notes.append(f"{together(hostile)} are each other's enemies too. {way}.")
