"""The game master's modifiers in all rule systems: `--mod 2`, `--mod 2:scope`, `--mod defense@jane:-1:blinded`.

In place of a number, systems with two dice, of which one counts, take `adv` for the higher and `dis` for the lower.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from .declaration import Behind, says
from .names import find
from .resolution import Resolution

_GIVEN = "A modifier that you give: N, N:WHY, or WHAT@WHO:N:WHY; may be repeated."
_TWO_DICE = f"{_GIVEN} N can also be adv or dis: roll two d20, and keep the higher or the lower."
Mods = Annotated[Behind, says(_GIVEN)]
"""Modifiers as they are said."""
DiceMods = Annotated[Behind, says(_TWO_DICE)]
"""Modifiers as they are said where a die can be thrown twice."""
DICE = ("adv", "dis")
"""What is said in place of a number: with advantage, with disadvantage."""
_MOST = 1000
"""The largest modifier, either way."""


class Modifier(Struct, frozen=True):
    """What the game master adds to a number."""

    what: str
    """Which number; without a word, the verb's default."""
    who: str
    """Whose; "" where nobody was named."""
    amount: int
    why: str
    """The reason, for the arithmetic."""
    dice: str = ""
    """`adv` or `dis`, of which the amount is 0; "" for a number."""


def read(
    fight: Resolution, words: Sequence[str], kinds: Sequence[str], most: int = _MOST, dice: Sequence[str] = ()
) -> tuple[Modifier, ...]:
    """The modifiers that were said. `kinds` are the numbers that the verb has, its own first; `dice` are the words
    that it takes in place of a number.

    Stops what is no modifier, and a number that the verb does not have.
    """
    return tuple(_read(fight, word, kinds, most, dice) for word in words)


def _read(fight: Resolution, word: str, kinds: Sequence[str], most: int, dice: Sequence[str]) -> Modifier:
    first, _, rest = word.partition(":")
    if _amount(first) is not None or first.strip() in dice:
        what, at, who, amount, why = kinds[0], "", "", first, rest
    else:
        what, at, who = first.partition("@")
        amount, _, why = rest.partition(":")
        what = what.strip().casefold() or kinds[0]
    die = amount.strip() if amount.strip() in dice else ""
    value = 0 if die else _amount(amount)
    if value is None or abs(value) > most or bool(at) != bool(who):
        message = f"{word[:40]!r} is not a modifier from -{most} to {most}{''.join(f', or {one}' for one in dice)}."
        hint = f"Write a number and the reason, --mod 2:scope; or say which number, --mod {kinds[-1]}:-1:blinded."
        fight.impossible(message, hint)
    if what not in kinds:
        fight.impossible(f"{fight.verb} has no {what[:40]!r} to modify.", f"It has: {', '.join(kinds)}.")
    return Modifier(what, find(fight.state, who) if who else "", value, why.strip("\"' ") or "game master", die)


def _amount(word: str) -> int | None:
    """The number that a word stands for; None if it is not a number."""
    digits = word.strip()[1:] if word.strip()[:1] in ("+", "-") else word.strip()
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) < 7 else None
