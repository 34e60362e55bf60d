"""The campaign and its house rules."""

from typing import Any

from .base import Event


class CampaignBegan(Event, tag="campaign-began"):
    """The ledger was opened. Always the first event of a ledger, and never anywhere else."""

    name: str
    """The name of the campaign."""
    system: str
    """Rule system, the name of a folder under `commands`."""
    commitment: str
    """SHA-256 of the key of the dice stream, in hexadecimal: the coming dice were fixed before the first roll."""


class OptionChanged(Event, tag="option-changed"):
    """A house-rule switch was set; it holds for every later entry."""

    option: str
    """The name of the switch."""
    value: str | int | bool
    """What it is set to."""


class TableSet(Event, tag="table-set"):
    """The campaign uses this table of its rule system from now on."""

    table: str
    """The name of the table."""
    digest: str
    """SHA-256 of the table's content as canonical JSON, in hexadecimal."""
    file: str = ""
    """The name of the campaign's own file; "" for the table that comes with the rules."""
    content: dict[str, Any] = {}
    """The whole content of the campaign's own file; empty for the table that comes with the rules."""
