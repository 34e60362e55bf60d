"""Modifiers: what is added to a number, by which clause; and what the referee adds with --mod."""

from collections.abc import Iterable, Mapping, Sequence

from commands.action import modifiers
from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution
from ledger.events import Number

Term = tuple[int, str, str]
"""What is added, why, and the clause that says so; "" for none."""


def with_terms(total: Number, terms: Iterable[Term]) -> Number:
    """The number with all of them."""
    for value, why, clause in terms:
        total = total.plus(value, why, clause)
    return total


def read_mods(
    fight: Resolution, words: Sequence[str], whose: Mapping[str, Sequence[str]], dice: Sequence[str] = ()
) -> tuple[Modifier, ...]:
    """What the referee adds. `whose` has the numbers of the action, its own first, and those who have each.

    `dice` are the words that are taken in place of a number.
    """
    mods = modifiers.read(fight, words, tuple(whose), dice=dice)
    for mod in mods:
        names = whose[mod.what]
        if mod.who not in ("", *names):
            message = f"{mod.who} has no {mod.what} to modify here."
            fight.impossible(message, f"The {mod.what} belongs to {' or '.join(names)}.")
    return mods


def terms(mods: Iterable[Modifier], what: str, who: str, unnamed: bool = True, clause: str = "") -> list[Term]:
    """Those of a number of somebody; where nobody was named they are the first one's, who counts the `unnamed`."""
    return [
        (mod.amount, mod.why, clause)
        for mod in mods
        if mod.what == what and not mod.dice and (mod.who == who or (unnamed and not mod.who))
    ]
