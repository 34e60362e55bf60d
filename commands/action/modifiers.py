"""The referee's modifiers in all rule systems: `--mod 2`, `--mod 2:scope`, `--mod defense@jane:-1:blinded`."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from .declaration import AnyOrder
from .names import find
from .resolution import Resolution

Mods = Annotated[AnyOrder, Meta(description="A modifier of the referee: N, N:WHY, or WHAT@WHO:N:WHY; may be repeated.")]
"""Modifiers as they are said."""
MOST = 1000
"""The largest modifier, either way."""


class Modifier(Struct, frozen=True):
    """What the referee adds to a number."""

    what: str
    """Which number; without a word, the verb's default."""
    who: str
    """Whose; "" where nobody was named."""
    amount: int
    why: str
    """The reason, for the arithmetic."""


def read(fight: Resolution, words: Sequence[str], kinds: Sequence[str], most: int = MOST) -> tuple[Modifier, ...]:
    """The modifiers that were said. `kinds` are the numbers that the verb has, its own first.

    Stops what is no modifier, and a number that the verb does not have.
    """
    return tuple(_read(fight, word, kinds, most) for word in words)


def _read(fight: Resolution, word: str, kinds: Sequence[str], most: int) -> Modifier:
    first, _, rest = word.partition(":")
    if _amount(first) is not None:
        what, at, who, amount, why = kinds[0], "", "", first, rest
    else:
        what, at, who = first.partition("@")
        amount, _, why = rest.partition(":")
        what = what.strip().casefold() or kinds[0]
    value = _amount(amount)
    if value is None or abs(value) > most or bool(at) != bool(who):
        fight.impossible(
            f"{word[:40]!a} is no modifier from -{most} to {most}.",
            f"Write a number and the reason, --mod 2:scope; or say which number, --mod {kinds[-1]}:-1:blinded.",
        )
    if what not in kinds:
        fight.impossible(f"{fight.verb} has no {what[:40]!a} to modify.", f"It has: {', '.join(kinds)}.")
    return Modifier(what, find(fight.state, who) if who else "", value, why.strip("\"' ") or "referee")


def _amount(word: str) -> int | None:
    """The number that a word stands for; None if it is not a number."""
    digits = word.strip()[1:] if word.strip()[:1] in ("+", "-") else word.strip()
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) < 7 else None
