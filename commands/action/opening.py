"""What `begin` takes in every rule system: a name, a prepared encounter, the party. Files are looked into elsewhere."""

from typing import Annotated, TypeVar

import msgspec

from .declaration import Declaration, EncounterFile, PartyFile, says
from .encounters import require_none
from .resolution import Resolution


class Opening(Declaration):
    """What `begin` takes in every rule system."""

    name: Annotated[str, says("A name for the encounter.", max_length=100, positional=True)] = ""
    from_: Annotated[
        EncounterFile, says("A TOML file, or an encounter that comes with the rules. What you type overrides it.")
    ] = {}
    party: Annotated[
        PartyFile, says("A TOML file with the regular party. Anyone already at the table stays as they are.")
    ] = {}


Begin = TypeVar("Begin", bound=Opening)


def arrive(fight: Resolution, said: Begin) -> Begin:
    """The party and those of a prepared encounter join, if no encounter is under way. Gives the declaration together
    with what the file says; what was typed goes before it.
    """
    require_none(fight)
    if not said.from_ and not said.party:
        return said
    from .prepared import bring, read

    return read({**bring(fight, said.from_, said.party), **msgspec.to_builtins(said)}, type(said))


def lay_ground(fight: Resolution, said: Opening) -> None:
    """The ground of a prepared encounter."""
    if said.from_:
        from .prepared import lay

        lay(fight, said.from_)
