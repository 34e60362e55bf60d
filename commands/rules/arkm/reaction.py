"""Reactions: what monsters make of the party, and what the players then do."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Text
from commands.action.modifiers import Modifier, Mods
from commands.action.names import find
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.dice import parse
from ledger.errors import NameUnknown
from ledger.events import ConditionGained

from . import acting, scores, tables
from .conditions import CASTING
from .groups import find_group, groups, of_players, standing
from .tables import ReactionRow, row_of


class Reaction(Declaration):
    """Roll how monsters react, if that is uncertain; or say it."""

    who: Annotated[str, Meta(description="Which group, or a member of it.", extra={"word": "group"})]
    mod: Mods = ()
    as_: Annotated[Text, Meta(description="The referee's word in place of the table's.")] = ""


def reaction(fight: Resolution, said: Reaction) -> None:
    """arkm.reaction.animals, arkm.reaction.intelligent: the table gives the word, the referee plays it."""
    name = find_group(fight, said.who)
    if of_players(fight, name):
        fight.refuse("arkm.reaction.roll", f"There are player characters among the {name}.", "Their players decide.")
    clause = "arkm.reaction.intelligent" if is_intelligent(fight, name) else "arkm.reaction.animals"
    if said.as_:
        fight.rule(clause, said.as_, who=name)
        return
    row = throw(fight, name, "reaction", scores.mods(fight, said.mod, ("reaction",)))
    fight.rule(clause, row.intelligent if is_intelligent(fight, name) else row.animals, who=name)


def is_intelligent(view: View, name: str) -> bool:
    """Whether a group has wits: the first of its members who stands."""
    return all(view.sheet(who).intelligent for who in standing(view, name)[:1])


def throw(fight: Resolution, name: str, purpose: str, mods: Sequence[Modifier] = ()) -> ReactionRow:
    """arkm.reaction.roll: the row of the reaction table; totals beyond it count as its ends."""
    table = tables.reaction(fight.state)
    sides, _ = parse(table.die)
    total = scores.plus(fight.roll(name, table.die, purpose).number(purpose), scores.said(mods, purpose))
    total = total.at_least(len(sides), "at least").at_most(sum(sides), "at most")
    row: ReactionRow = row_of(table.rows, total.total)
    fight.rule("arkm.reaction.roll", row.effect, [total], who=name)
    return row


class Declare(Declaration):
    """Say what somebody, or the party, will do: talk, run, wait, cast. A declared caster moves 10 feet at most."""

    who: Annotated[str, Meta(description="Who: one of those at the table, or a group.", extra={"word": "group"})]
    action: Annotated[Text, Meta(description="What.")]


def declare(fight: Resolution, said: Declare) -> None:
    """arkm.reaction.players-choose: it is recorded; only casting binds."""
    who = _one(fight, said.who)
    if who and said.action.split()[0].casefold() == "cast":
        acting.may_act(fight, who, "declare", "")
        fight.record(ConditionGained(who, CASTING, "round-end"))
        return
    fight.rule("arkm.reaction.players-choose", said.action, who=who or find_group(fight, said.who))


def _one(view: View, word: str) -> str:
    """Who of those at the table is meant; "" if it is a group."""
    if word.casefold() in map(str.casefold, groups(view)):
        return ""
    try:
        return find(view.state, word)
    except NameUnknown:
        return ""
