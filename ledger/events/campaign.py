"""The campaign and its house rules."""

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
