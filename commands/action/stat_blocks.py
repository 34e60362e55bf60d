"""Stat blocks in play: somebody at the table gets another one."""

from typing import Annotated

import msgspec
from msgspec import Meta, Raw
from msgspec.structs import replace

from ledger.errors import AffrayError
from ledger.events import SheetChanged

from . import rulebook
from .common import read_sheet
from .declaration import Declaration, Fighter, SheetFile
from .resolution import Resolution


class SheetSet(Declaration):
    """Give somebody at the table another stat block, for a new level or a new item.

    Harm, conditions, gear in hand, place, side, name and history stay. Nobody has more hit points than the new maximum.
    What they have and the new stat block does not name is put away: they carry it still. New gear that it has ready is
    put on where there is room.
    What it says of joining counts only on joining: hit points, wounds, a place.
    """

    who: Annotated[Fighter, Meta(description="Whose stat block.")]
    sheet: Annotated[SheetFile, Meta(description="A TOML file, or the name of one that comes with the rules.")]


def sheet_set(fight: Resolution, said: SheetSet) -> None:
    """Checks the stat block by the rules of its system, records it with the old one, and what follows."""
    rules, who = rulebook.of(fight.state.campaign.system).sheet, said.who
    before, raw = fight.sheet(who), fight.state.roster.members[who].sheet
    named = replace(read_sheet(fight.state.campaign.system, said.sheet), name=before.name)
    sheet = rules.keep(fight, who, named)
    if sheet == before:
        fight.impossible(f"Nothing would change: {who} has that stat block already.")
    try:
        rules.check(fight, who, named)
        fight.record(SheetChanged(who, raw, Raw(msgspec.json.encode(sheet, order="deterministic"))))
        rules.changes(fight, who, before, named)
    except AffrayError as error:
        error.sheet = 0
        raise
