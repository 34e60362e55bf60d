"""What ends of somebody: `remove prone from jane`, `end blessing on jane`, `-prone`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commands.action import vocabulary

if TYPE_CHECKING:
    from .tokens import Reader

_ENDING = (
    "end ends remove removes lift lifts dispel dispels cure cured clear stop stops drop drops longer not over off"
    " anymore lose loses"
)
_ENDS = frozenset(_ENDING.split())
"""Words by which something ends."""
_PUTS_OUT = ("extinguish", "extinguishes", "douse", "douses", "put out", "puts out")
"""Words by which what burns ends."""


def lifted(reader: "Reader", words: Sequence[str]) -> tuple[str, str]:
    """The one who is named and what they have that ends by these words; twice "" where that is not what is said."""
    low = [word.casefold() for word in words]
    fire = {"burning"} if any(f" {out} " in f" {' '.join(low)} " for out in _PUTS_OUT) else set[str]()
    signed = [word.lstrip("-") for word in low if re.match(r"-+[a-z]", word)]  # `effect hedwig -ward`
    low = signed or low
    if _ENDS.isdisjoint(low) and not (fire or signed):
        return "", ""
    meant = {*low, *(vocabulary.condition(word) for word in low)} | fire
    for who in [name for word in words if reader.is_name(word) for name in reader.token(word).people]:
        for name, _ in reader.state.conditions.held(who):
            held = name.casefold()
            if held in " ".join(low) or meant & {*held.split(), vocabulary.condition(held)} - {""}:
                return who, name
    return "", ""
