"""What rules and boards read: the state, stat blocks, and house rules."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec

from ledger.errors import LedgerDamaged, UsageError
from projections.state import State

from . import systems

Kind = TypeVar("Kind")
_MOST = 1000
"""The most things of which is kept what was found."""


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
            return held[1]
        raw = self.state.roster.members[who].sheet
        try:
            sheet = _sheet_read(self.state.campaign.system, bytes(raw))
        except msgspec.ValidationError as error:
            raise LedgerDamaged(f"The recorded stat block of {who[:40]} is none: {error}.", "affray verify") from None
        self._sheets[who] = raw, sheet
        return sheet

    def hostile(self, one: str, other: str) -> bool:
        """Whether two are of different sides, without a truce between them."""
        mine, theirs = (self.state.roster.members[who].side for who in (one, other))
        return mine != theirs and not self.state.truces.holds(mine, theirs)

    def option(self, name: str) -> Any:
        """The value of a house rule."""
        options = self.state.campaign.options
        return options[name] if name in options else systems.load(self.state.campaign.system).options[name].default


@lru_cache(_MOST)
def _sheet_read(system: str, raw: bytes) -> Any:
    """A stat block that was recorded. Raises msgspec.ValidationError when it is none."""
    return sheet_decoder(system).decode(raw)


@cache
def sheet_decoder(system: str) -> "msgspec.json.Decoder[Any]":
    """Reads the stat blocks of a rule system."""
    return msgspec.json.Decoder(systems.stat_block(system))


def read_as(kind: "type[Kind]", data: "Mapping[str, Any]", what: str, hint: str = "") -> "Kind":
    """What the data of a file describe, such as a stat block. Raises UsageError that names the field at fault."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        from .mistakes import explained

        place, problem = explained(error, kind)
        raise UsageError(f"{what} is wrong{f' at {place}' if place else ''}: {problem}.", hint) from None


_GUARDS = ("requires magic", "requires silver", "harmed", "damage immun", "immune to n", "immune to m", "be hit")
"""Words of special powers that say what harms their owner."""


def guarded(powers: Sequence[str]) -> str:
    """The first special power that says what alone harms its owner; "" for none.

    >>> guarded(["Poison: save or sleep.", "Requires magic to hit"])
    'Requires magic to hit'
    """
    return next((power for power in powers if any(words in power.casefold() for words in _GUARDS)), "")
