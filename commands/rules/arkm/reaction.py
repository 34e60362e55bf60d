"""Reactions: what monsters make of the party, and what the players then do."""

from collections.abc import Sequence

from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.dice import parse

from . import scores, tables
from .groups import standing
from .tables import ReactionRow, row_of


def is_intelligent(view: View, name: str) -> bool:
    """Whether a group has wits: the first of its members who stands."""
    return all(view.sheet(who).intelligent for who in standing(view, name)[:1])


def throw(fight: Resolution, name: str, purpose: str, mods: Sequence[Modifier] = ()) -> ReactionRow:
    """arkm.reaction.roll: the row of the reaction table; totals beyond it count as its ends."""
    table = tables.Reactions.used(fight.state)
    sides, _ = parse(table.die)
    total = scores.plus(fight.roll(name, table.die, purpose).number(purpose), scores.said(mods, purpose))
    total = total.at_least(len(sides), "at least").at_most(sum(sides), "at most")
    row: ReactionRow = row_of(table.rows, total.total)
    fight.rule("arkm.reaction.roll", row.effect, [total], who=name)
    return row
