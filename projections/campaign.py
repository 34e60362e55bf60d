"""The campaign: its name, its rule system, its house rules."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import CampaignBegan, EncounterBegan, OptionChanged


class Campaign(Struct, frozen=True, omit_defaults=True, gc=False):
    """What holds for every fight of the ledger."""

    name: str = ""
    system: str = ""
    commitment: str = ""
    """SHA-256 of the key of the dice stream."""
    options: dict[str, str | int | bool] = {}
    """House rules that were set; the others hold their defaults."""
    encounters: int = 0
    """Fights begun so far."""


def _began(state: Campaign, event: CampaignBegan) -> Campaign:
    return replace(state, name=event.name, system=event.system, commitment=event.commitment)


def _option(state: Campaign, event: OptionChanged) -> Campaign:
    return replace(state, options={**state.options, event.option: event.value})


def _encounter(state: Campaign, event: EncounterBegan) -> Campaign:
    return replace(state, encounters=event.number)


REDUCERS = {CampaignBegan: _began, OptionChanged: _option, EncounterBegan: _encounter}
