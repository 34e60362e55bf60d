"""The campaign: its name, its rule system, its house rules, its tables."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import CampaignBegan, EncounterBegan, OptionChanged, TableSet


class Table(Struct, frozen=True, omit_defaults=True, gc=False):
    """A table in use; the fields are those of `TableSet`."""

    digest: str
    file: str = ""
    content: dict[str, Any] = {}


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
    tables: dict[str, Table] = {}
    """The tables that the campaign uses, as far as they were recorded."""


def _began(state: Campaign, event: CampaignBegan) -> Campaign:
    return replace(state, name=event.name, system=event.system, commitment=event.commitment)


def _option(state: Campaign, event: OptionChanged) -> Campaign:
    return replace(state, options={**state.options, event.option: event.value})


def _table(state: Campaign, event: TableSet) -> Campaign:
    table = Table(event.digest, event.file, event.content)
    return replace(state, tables={**state.tables, event.table: table})


def _encounter(state: Campaign, event: EncounterBegan) -> Campaign:
    return replace(state, encounters=event.number)


REDUCERS = {CampaignBegan: _began, OptionChanged: _option, TableSet: _table, EncounterBegan: _encounter}
