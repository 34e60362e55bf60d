"""Modifiers: terms of a number, and those that the referee says."""

from commands.action.declaration import MOST
from commands.action.resolution import Resolution
from ledger.events import Number

MOD = "A modifier of the referee, as N:WHY; may be repeated."


def read_mods(fight: Resolution, words: tuple[str, ...]) -> list[tuple[int, str]]:
    """Each modifier with its reason, from `+2:high ground`."""
    mods = []
    for word in words:
        value, _, why = word.partition(":")
        digits = value.removeprefix("-") if value.startswith("-") else value.removeprefix("+")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
            fight.impossible(f"{word[:40]!a} is no modifier.", "Write it like +2:height or -1:dark.")
        mods.append((int(value), why or "referee"))
    return mods


def with_mods(total: Number, mods: list[tuple[int, str]]) -> Number:
    """The number with all of them."""
    for value, why in mods:
        total = total.plus(value, why)
    return total
