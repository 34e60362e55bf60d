"""Saving throws: a d20 against the number of the sheet, or of the table."""

from collections.abc import Sequence
from typing import Literal

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Number, number

from . import ability, scores, tables

Category = Literal["death", "wands", "paralysis", "reflex", "breath", "spells"]


def saved(fight: Resolution, who: str, category: Category, terms: Sequence[scores.Term] = (), about: str = "") -> bool:
    """arkm.save.roll: whether d20 and modifier come to the number; equal saves.

    With the option save_naturals a natural 20 always saves and a natural 1 never; reflex_dex adds DEX to REFLEX.
    """
    die = fight.roll(who, "1d20", "saving throw", about)
    roll = scores.plus(die.number(f"{category} save"), terms)
    if category == "reflex" and fight.option("reflex_dex") and not ability.is_helpless(fight, who):
        roll = roll.plus(scores.modifier(fight, who, "dex"), "DEX", "arkm.ability.modifier")
    if fight.option("save_naturals") and die.natural in (1, 20):
        return fight.rule("arkm.save.roll", "saved" if die.natural == 20 else "failed", [roll], who) == "saved"
    return fight.compare("arkm.save.roll", roll, ">=", target(fight, who, category), who, yes="saved", no="failed")


def target(view: View, who: str, category: Category) -> Number:
    """The sheet's own number, else its row's; each band of levels lowers it by 2, to 2 at least."""
    sheet = view.sheet(who)
    own = getattr(sheet.saves, category)
    if own is not None:
        return number(category, own, "sheet", "arkm.save.table")
    level = sheet.experience
    row = tables.SavesTable.used(view.state).of(sheet.class_, level)
    bands = (level - 1) // row.band if row.band and level else 0
    base = number(category, getattr(row, category), row.row, "arkm.save.table")
    return base.minus(2 * bands, f"level {level}", "arkm.save.table").at_least(2, "at least", "arkm.save.table")
