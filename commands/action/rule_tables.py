"""Tables that a rule system keeps as data. A campaign may replace them with its own files."""

from functools import cache
from typing import Annotated, Any

import msgspec

from ledger.errors import UsageError
from ledger.events import TableSet
from ledger.hashing import hexdigest
from projections.state import State

from . import systems
from .declaration import Declaration, Mapping, TableFile, says
from .resolution import Resolution


class Table(Declaration):
    """Use your own TOML file for a table from now on. Without a file, use the table that comes with the rules again.
    `affray rules tables` lists the tables.
    """

    name: Annotated[str, says("The table.", word="table-name")]
    file: Annotated[TableFile, says("Your file.", positional=True)] = {}


def table(fight: Resolution, said: Table) -> None:
    """Records the whole table with its digest, so that every later roll on it can be resolved again."""
    if said.file:
        _use(fight, said.name, said.file)
    else:
        _check_name(fight.state.campaign.system, said.name)
        fight.record(TableSet(said.name, shipped(fight.state.campaign.system, said.name)[1]))
        fight.rule("table.table", f"the {said.name} table is the one that comes with the rules")


def begin(fight: Resolution, own: dict[str, Mapping]) -> None:
    """Records which tables the campaign begins with: its own, and the digests of those that come with the rules."""
    system = fight.state.campaign.system
    for name in own:
        _check_name(system, name)
    for name in sorted(systems.load(system).tables):
        if name in own:
            _use(fight, name, own[name])
        else:
            fight.record(TableSet(name, shipped(system, name)[1]))


def _use(fight: Resolution, name: str, said: Mapping) -> None:
    """Records a table of the campaign's own. Raises UsageError that names file, row and reason when it is malformed."""
    system = fight.state.campaign.system
    _check_name(system, name)
    file, content = str(said.get("file", "")), said.get("content")
    if not file or not isinstance(content, dict):
        raise UsageError(f"That file is not a table {name}.")
    try:
        systems.found(system, "tables", "read")(name, content)
    except UsageError as error:
        raise UsageError(f"{file}: {error.message}", error.hint) from None
    fight.record(TableSet(name, digest(content), file, content))


def _check_name(system: str, name: str) -> None:
    known = systems.load(system).tables
    if name not in known:
        there = f"There are: {', '.join(sorted(known))}." if known else ""
        raise UsageError(f"{systems.load(system).title} has no table {name[:40]!r}.", there)


def digest(content: Mapping) -> str:
    """SHA-256 of a table's content as canonical JSON."""
    return hexdigest(msgspec.json.encode(content, order="deterministic"))


@cache
def shipped(system: str, name: str) -> tuple[Mapping, str]:
    """A table as it comes with the rules, and its digest."""
    content: Mapping = msgspec.json.decode(systems.data(system, f"tables/{name}.json"))
    return content, digest(content)


_typed: dict[tuple[str, str, str], Any] = {}
"""Tables that were read in this process, by system, name and digest."""


def load(state: State, name: str) -> Any:
    """The table that the campaign uses, in the type of its rule system.

    Raises UsageError when the campaign uses one that came with another version of the rules.
    """
    system, used = state.campaign.system, state.campaign.tables.get(name)
    there = used.digest if used and used.file else shipped(system, name)[1]
    if used and used.digest != there:
        digests = f"digest {used.digest[:12]}; that of this version: {there[:12]}"
        message = f"The campaign uses the {name} table of another version of the rules ({digests})."
        raise UsageError(message, f"Play on with that version, or take the table of this one.\naffray table {name}")
    key = system, name, there
    if key not in _typed:
        content = used.content if used and used.file else shipped(system, name)[0]
        _typed[key] = systems.found(system, "tables", "read")(name, content)
    return _typed[key]
