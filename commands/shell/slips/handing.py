"""Who hands what to whom: `give sword to jane`."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from commands.action import vocabulary

from .tokens import FILLERS

if TYPE_CHECKING:
    from .tokens import Reader

_GIVES = frozenset(
    {"give", "gives", "hand", "hands", "pass", "passes", "lend", "lends", "equip", "equips", "arm", "arms"}
)
"""Words by which a thing goes to the one who is named behind them."""
_TAKING = "loot loots take takes steal steals get gets grabs find finds buy buys receive receives gains wins"
_TAKES = frozenset(_TAKING.split())
"""Words by which a thing goes to the one who is named before them."""
_DRAWS = frozenset({"equip", "equips", "arm", "arms", "take", "takes", "get", "gets", "grabs"})
"""Those that may also mean a thing that one has."""
_LONGEST = 3
"""The most words of a thing."""
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
    if vocabulary.is_weapon(new) and not {*map(str.casefold, behind)}.isdisjoint(_NEW) and not (named and subject):
        draws = words[at].casefold() in _DRAWS and reader.things(receiver, new.replace("-", " "))
        return [] if draws else [receiver, "item", new]
    others = [one for one in (*named, *subject) if one != receiver] or reader.state.roster.order
    for thing in reader.together(behind):
        owners = [one for one in reader.owners(thing) if one in others and one != receiver]
        if len(owners) == 1 and not reader.is_name(thing):
            return [receiver, "item", f"{thing}@{owners[0]}"]
    return []


def _named(reader: "Reader", word: str) -> list[str]:
    """The one whom a word names for sure, as the only one in a list."""
    return [one for one in reader.token(word).people if one[0] != "@"][:1] if reader.is_name(word) else []
