"""Families of games that write stat blocks: what their lone numbers are, and how a stat block shows its own."""

import re

from msgspec import Struct

from .blocks import Block


class Scales(Struct, frozen=True):
    """What lone numbers are: said on the command line, or known of a family; "" where nothing says it."""

    ac: str = ""
    move: str = ""


class Family(Scales, frozen=True):
    """What is known of the stat blocks of a family."""

    paired: bool = True
    """Whether a number in round brackets behind the armour class is the same on the other scale."""
    ordered: bool = True
    """Whether five saving throws stand in the usual order."""
    labels: frozenset[str] = frozenset()
    """Labels that no other family has, in small letters."""


FAMILIES = {
    "": Family(ordered=False),
    "dark-dungeons": Family("descending", "round", labels=frozenset({"wandering group", "lair group"})),
    "labyrinth-lord": Family("descending", labels=frozenset({"hoard class", "no. enc."})),
    "swords-wizardry": Family(move="tens", ordered=False, labels=frozenset({"cl/xp", "challenge level/xp", "hde/xp"})),
    "bfrpg": Family("ascending11", "round", paired=False),
    "ose": Family("descending"),
    "bx": Family("descending"),
}
"""The families by the names that `--as` takes; "" for an unknown one."""


def family_of(block: Block) -> str:
    """The family that a stat block belongs to by its labels; "" where they do not say."""
    if (layout := block.first("layout")) and "bfrpg" in layout.value.casefold():
        return "bfrpg"
    labels = block.labels()
    for name, family in FAMILIES.items():
        if family.labels & labels:
            return name
    ac, thac0 = block.first("ac"), block.first("thac0")
    number = re.match(r"([0-9]{2})(?![0-9]| ?\[)", ac.plain) if ac else None
    written = {piece.label for piece in block.pieces}
    modern = "no. of attacks" in labels or ("#At" in written and {"Sv", "Ml"} & written)
    if number and int(number[1]) > 10 and modern and not block.first("alignment"):
        return "bfrpg"
    return "ose" if thac0 and re.match(r"-?[0-9]", thac0.plain) else ""
