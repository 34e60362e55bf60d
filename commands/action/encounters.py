"""What every rule system does when an encounter begins and ends."""

from ledger.events import ConditionEnded, EncounterEnded

from .resolution import Offers, Resolution


def require_encounter(fight: Resolution, hint: str | Offers = (("begin", {}),)) -> None:
    """Stops what has no meaning outside of an encounter."""
    if not fight.state.encounter.running:
        fight.impossible("No encounter is under way.", hint)


def require_none(fight: Resolution) -> None:
    """Stops `begin` while an encounter is under way."""
    if fight.state.encounter.running:
        fight.impossible("An encounter is under way.", [("end", {})])


def close_encounter(fight: Resolution) -> None:
    """Ends the encounter and every condition that lasts for a part of it."""
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if held[name].until != "removed":
                fight.record(ConditionEnded(who, name))
    fight.record(EncounterEnded(fight.state.encounter.number))
