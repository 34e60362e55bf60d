"""The rules, clause by clause, in our own words, from the page of each rule system."""

import os
import re
from functools import cache
from typing import Annotated

from msgspec import Struct

from commands.action import cards, rulebook, systems
from commands.action.book import Book
from commands.action.declaration import Declaration, says
from commands.words.console import Console
from commands.words.rule_systems import check_system
from commands.words.tables import GAP
from ledger.errors import NameUnknown
from projections.campaign import Campaign
from projections.state import State

_ROW = re.compile(r"^\| *`?([a-z]+(?:\.[a-z0-9-]+)+)`? *\| *(ruling|state|gm|flavour) *\| *(.*?) *\| *(.*?) *\|$", re.M)
"""A row of the table of clauses: id, mark, what it says, where it is decided."""


_KNOWN = {
    "items": "{} has no list of items: a stat block brings its own.",
    "skills": "{} has no list of skills: a stat block names its own.",
}
"""Lists of what a stat block can name, each with what is said of a rule system that has none."""


class Clause(Struct, frozen=True):
    """One clause of a rulebook."""

    clause: str
    mark: str
    """ruling: the program applies it; state: it keeps count; gm: the game master decides; flavour: nothing to do."""
    says: str
    decided: str
    """The place in the code, or the verb that records it."""


class Rules(Declaration):
    """Show what a clause says, in our own words; without a clause, list all of them. `rules options` lists the house
    rules, `rules tables` the tables that the campaign uses, `rules items` and `rules skills` those that the rules know.
    """

    clause: Annotated[str, says("A clause id, or a part of one.", word="clause", positional=True)] = ""
    system: Annotated[str, says("The rule system, if not the ledger's.", word="system")] = ""


def check_clause(book: Book, clause: str) -> None:
    """Raises NameUnknown when neither the rules of a campaign nor its record have a clause with this text in its id."""
    if any(clause in one for one in clauses(book.present()[1].campaign.system)):
        return
    if not any(clause in body for _, body in book.store.of_kinds("ruled", "overruled")):
        raise NameUnknown(f"There is no clause {clause[:60]!r}.", "affray rules")


@cache
def clauses(system: str) -> dict[str, Clause]:
    """All clauses of a rule system by id, from its `RULES.md`."""
    with open(os.path.join(systems.folder(system), "RULES.md"), encoding="utf-8") as page:
        return {row[0]: Clause(*row) for row in _ROW.findall(page.read())}


def rules(console: Console, said: Rules) -> None:
    """Prints clauses, house rules or tables."""
    first = said.clause.split(".")[0]
    name = said.system or ("." in said.clause and systems.is_known(first) and first) or console.system
    if not name or name != console.system:
        check_system(console, name)
    system = systems.load(name)
    if said.clause == "options":
        _options(console, system)
        return
    if said.clause == "tables":
        _tables(console, name)
        return
    if said.clause in _KNOWN:
        _known(console, name, said.clause)
        return
    every = clauses(name)
    found = [every[said.clause]] if said.clause in every else [c for c in every.values() if said.clause in c.clause]
    if not found:
        raise NameUnknown(f"{system.title} has no clause {said.clause[:60]!r}.", "affray rules")
    if console.json:
        for one in found:
            console.give(one)
        return
    for one in found:
        if len(found) > 3:
            console.say(f"{one.clause}  [{one.mark}]")
            continue
        console.say(console.paint(f"{one.clause}  [{one.mark}]", "1"))
        console.say(f"  {one.says}", hanging=GAP)
        console.say(f"  Decided in: {one.decided}")
    if len(found) > 3:
        console.say(f"{len(found)} clauses. {system.credit}", hanging="")


def _options(console: Console, system: cards.System) -> None:
    chosen = console.book.present()[1].campaign.options if console.system else {}
    for name, option in system.options.items():
        value = chosen.get(name, option.default)
        if console.json:
            now = {"option": name, "value": value, "default": option.default}
            console.give({**now, "choices": option.choices, "meaning": option.meaning})
            continue
        free = "words, with commas between" if isinstance(option.default, str) else "a whole number"
        choices = ", ".join(str(choice).lower() for choice in option.choices) or free
        line = f"{name} = {str(value).lower()}  ({choices}; default {str(option.default).lower() or 'none'})"
        console.say(line, hanging=2 * GAP)
        console.say(f"  {option.meaning}", hanging=GAP)


def _tables(console: Console, name: str) -> None:
    """Prints the tables of a rule system: what each holds, where it comes from, and its digest."""
    from commands.action.rule_tables import shipped

    system = systems.load(name)
    used = console.book.present()[1].campaign.tables if console.system == name else {}
    if not system.tables:
        raise NameUnknown(f"{system.title} has no tables of its own.", "affray rules items")
    for table, holds in system.tables.items():
        mine = used.get(table)
        content, digest = (mine.content, mine.digest) if mine and mine.file else shipped(name, table)
        file = mine.file if mine else ""
        if console.json:
            console.give({"table": table, "holds": holds, "file": file, "digest": digest, "content": content})
            continue
        console.say(f"{table} ({file or 'comes with the rules'}, {digest[:12]})", hanging=2 * GAP)
        console.say(f"  {holds}", hanging=GAP)


def _known(console: Console, name: str, what: str) -> None:
    """Prints the items or skills that a rule system knows, each with what it is."""
    system = systems.load(name)
    sheet = rulebook.of(name).sheet
    known = sheet.items if what == "items" else sheet.skills
    if known is None:
        if not console.json:
            console.say(_KNOWN[what].format(system.title))
        return
    state = console.book.present()[1] if console.system == name else State(campaign=Campaign(system=name))
    for one, holds in known(state).items():
        if console.json:
            console.give({"name": one, "holds": holds})
        else:
            console.say(f"{one}: {holds}", hanging=2 * GAP)
