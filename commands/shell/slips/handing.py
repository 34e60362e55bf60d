"""Who hands what to whom: `give sword to jane`."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from commands.action import vocabulary

from .likeness import alike
from .tokens import FILLERS

if TYPE_CHECKING:
    from .tokens import Reader

_GIVEN = "give gives hand hands pass passes lend lends equip equips arm arms draw draws wield wields"
_GIVES = frozenset(_GIVEN.split())
"""Words by which a thing goes to the one who is named behind them."""
_TAKING = "loot loots take takes steal steals get gets grabs find finds buy buys receive receives gains wins"
_TAKES = frozenset(_TAKING.split())
"""Words by which a thing goes to the one who is named before them."""
_DRAWN = "equip equips arm arms take takes get gets grabs draw draws wield wields"
_DRAWS = frozenset(_DRAWN.split())
"""Those that may also mean a thing that one has."""
_LONGEST = 3
"""The most words of a thing."""
_SPELLED = 0.75
"""How like the name of a thing a word must be that means it, 1 for the same."""
_NEW = frozenset({"a", "an", "new", "another", "some"})
"""Words before a thing that nobody has yet."""


def handed(reader: "Reader", words: Sequence[str]) -> list[str]:
    """The words of `adjust` by which a thing of somebody goes to another; none where that is not what is said."""
    at = next((at for at, word in enumerate(words) if word.casefold() in _GIVES | _TAKES), None)
    if at is None:
        return []
    before, behind = words[:at], words[at + 1 :]
    named = [name for word in behind for name in _named(reader, word)]
    subject = [name for word in before for name in _named(reader, word)]
    after = [word for one, word in pairwise(behind) if one.casefold() in ("to", "for")]
    to = next((name for word in after for name in _named(reader, word)), "")
    takes = words[at].casefold() in _TAKES
    receiver = to or next(iter(subject or named[1:][-1:] if takes else named), "")  # `loot vasko crossbow sigrun`
    if not receiver:
        return []
    plain = [word for word in behind if not (_named(reader, word) or word.casefold() in FILLERS) and word[0].isalpha()]
    new = " ".join(plain[:_LONGEST])
    draws = words[at].casefold() in _DRAWS
    own = not plain or (
        receiver in (reader.owners(new) or [receiver]) and bool(alike(new, reader.things(receiver), _SPELLED))
    )
    if draws and own and not (named and subject) and not named[1:]:
        return []
    is_new = vocabulary.is_weapon(new) and not (named and subject)
    if is_new and not {*map(str.casefold, behind)}.isdisjoint(_NEW):
        return [receiver, "item", new]
    others = [one for one in (*named, *subject) if one != receiver] or reader.state.roster.order
    for thing in reader.together(behind):
        owners = [one for one in reader.owners(thing) if one in others and one != receiver]
        members = reader.state.roster.members
        ours = [one for one in owners if receiver in members and members[one].side == members[receiver].side]
        owners = ours if len(ours) == 1 else owners  # sooner that of a friend
        if len(owners) == 1 and not reader.is_name(thing):
            return [receiver, "item", f"{thing}@{owners[0]}"]
    return [receiver, "item", new] if is_new and draws else []


def _named(reader: "Reader", word: str) -> list[str]:
    """The one whom a word names for sure, as the only one in a list."""
    return [one for one in reader.token(word).people if one[0] != "@"][:1] if reader.is_name(word) else []
