"""Prepared encounters: those of a file come to the table, with their places and the ground."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import UsageError

from . import rulebook, systems
from .common import Join, join
from .declaration import Mapping
from .names import one_word
from .resolution import Resolution, about

_MOST = 200
"""The most combatants that a prepared encounter brings."""


class _Prepared(Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared encounter, as it is recorded."""

    file: str = ""
    """Its file, as it was typed."""
    begin: Mapping = {}
    """Fields of the declaration of `begin`."""
    party: tuple[Join, ...] = ()
    """Those who always come, unless they are at the table already."""
    join: tuple[Join, ...] = ()
    """All others who come."""
    ground: tuple[tuple[str, Mapping], ...] = ()
    """What is done after `begin`: a verb, and the fields of its declaration."""


def bring(fight: Resolution, content: Mapping, party_file: Mapping) -> dict[str, Any]:
    """The party and those of a prepared encounter join; a party file goes before the party of the encounter. Gives the
    fields of `begin` that the encounter says.
    """
    prepared = read(content, _Prepared)
    party = read(party_file, _Prepared).party if party_file else prepared.party
    many = sum(len(row.sheets) * row.count for row in (*party, *prepared.join))
    if many > _MOST:
        raise UsageError(f"{many} combatants are too many at once: an encounter brings at most {_MOST}.")
    _each(party, "party", lambda row: _come(fight, row))
    _each(prepared.join, "join", lambda row: join(fight, row))
    return prepared.begin


def lay(fight: Resolution, content: Mapping) -> None:
    """The ground of a prepared encounter, by the verbs that lay it in play."""
    system = fight.state.campaign.system
    prepared = read(content, _Prepared)
    for verb in rulebook.of(system).gm.ground:
        procedure, kind = systems.procedure(systems.find_verb(system, verb))
        rows = [words for name, words in prepared.ground if name == verb]
        _each(rows, verb, lambda words, procedure=procedure, kind=kind: procedure(fight, read(words, kind)))


def _each(rows: Sequence[Any], name: str, carry_out: Callable[[Any], None]) -> None:
    """Carries out the parts of a file. An error says which part it is about."""
    for number, row in enumerate(rows):
        with about(row=(name, number)):
            carry_out(row)


def _come(fight: Resolution, row: Join) -> None:
    """Those of a part join who are not at the table, by their names or their true names."""
    bearers = (name.casefold() for who, member in fight.state.roster.members.items() for name in (who, member.truly))
    here, areas, place = set(bearers), row.area.split("/"), 0
    for number, data in enumerate(row.sheets):
        for nth in range(1, row.count + 1):
            name = one_word(row.called or str(data.get("name", "")))
            who = f"{name}-{nth}" if row.count > 1 else name
            if who.casefold() not in here:
                area = areas[place] if place < len(areas) else "" if areas[1:] else row.area
                at = row.at[place : place + 1]
                with about(sheet=number):
                    join(fight, replace(row, sheets=(data,), count=1, called=who, at=at, area=area))
            place += 1


Kind = TypeVar("Kind", bound=Struct)


def read(content: Mapping, kind: type[Kind]) -> Kind:
    """What a record holds of a file. Raises UsageError when that is not possible."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        from .mistakes import in_words

        raise UsageError(f"The prepared encounter is not possible: {in_words(error, kind)}.") from None
