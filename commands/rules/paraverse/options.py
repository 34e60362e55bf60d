"""House rules, read from a state."""

from typing import Any

from projections.state import State

from . import SYSTEM


def chosen(state: State, option: str) -> Any:
    """The value of a house rule, as it was then."""
    options = state.campaign.options
    return options[option] if option in options else SYSTEM.options[option].default
