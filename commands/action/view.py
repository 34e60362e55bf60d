"""What rules and boards read: the state, stat blocks, and house rules."""

from functools import cache
from typing import Any

import msgspec

from ledger.errors import LedgerDamaged
from projections.state import State

from . import systems


class View:
    """A state, with the stat blocks and house rules of its campaign in the types of its rule system."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._sheets: dict[str, tuple[Any, Any]] = {}

    @property
    def title(self) -> str:
        """The encounter that is under way, with its number and its name; "" for none."""
        encounter = self.state.encounter
        if not encounter.running:
            return ""
        return f"Encounter {encounter.number}{f': {encounter.name}' if encounter.name else ''}"

    def sheet(self, who: str) -> Any:
        """The stat block of a combatant, in the type of its rule system. Raises LedgerDamaged when the recorded one is
        none.
        """
        member, held = self.state.roster.members.get(who), self._sheets.get(who)
        if held is not None and (member is None or member.sheet is held[0]):
            sheet = held[1]
        else:
            raw = self.state.roster.members[who].sheet
            try:
                sheet = sheet_decoder(self.state.campaign.system).decode(raw)
            except msgspec.ValidationError as error:
                raise LedgerDamaged(
                    f"The recorded stat block of {who[:40]} is none: {error}.", "affray verify"
                ) from None
            self._sheets[who] = raw, sheet
        return sheet

    def option(self, name: str) -> Any:
        """The value of a house rule."""
        options = self.state.campaign.options
        return options[name] if name in options else systems.load(self.state.campaign.system).options[name].default


@cache
def sheet_decoder(system: str) -> "msgspec.json.Decoder[Any]":
    """Reads the stat blocks of a rule system."""
    return msgspec.json.Decoder(systems.found(system, systems.load(system).stat_block, "Sheet"))
