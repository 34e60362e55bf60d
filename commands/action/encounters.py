"""What every rule system does when an encounter begins and ends."""

from collections.abc import Container

from ledger.errors import UsageError
from ledger.events import ConditionEnded, EncounterEnded, InitiativeSet

from .declaration import MOST
from .names import check_once, find, pair
from .resolution import Offer, Offers, Resolution
from .systems import load


def require_encounter(fight: Resolution, hint: str | Offers = (("begin", {}),)) -> None:
    """Stops what has no meaning outside of an encounter."""
    if not fight.state.encounter.running:
        fight.impossible("No encounter is under way.", hint)


def require_none(fight: Resolution) -> None:
    """Stops `begin` while an encounter is under way."""
    if fight.state.encounter.running:
        first: list[Offer] = [
            (name, {}) for name, verb in load(fight.state.campaign.system).verbs.items() if verb.by == "turn"
        ]
        fight.impossible("An encounter is under way.", [*(() if fight.state.turns.round else first), ("end", {})])


def close_encounter(fight: Resolution) -> None:
    """Ends the encounter and every condition that lasts for a part of it."""
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if held[name].until != "removed":
                fight.record(ConditionEnded(who, name))
    fight.record(EncounterEnded(fight.state.encounter.number))


def set_scores(fight: Resolution, words: tuple[str, ...], sides: Container[str] = ()) -> None:
    """The referee's initiative scores, each as NAME=N, of combatants or of `sides`. Raises UsageError for anything
    else.
    """
    found: list[tuple[str, str]] = []
    for word in words:
        name, score = pair(word, "NAME=N")
        digits = score.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
            raise UsageError(f"{word[:40]!r} is not of the form NAME=N.")
        found.append((name if name in sides else find(fight.state, name), score))
    check_once(found)
    for who, score in found:
        fight.record(InitiativeSet(who, int(score)))
