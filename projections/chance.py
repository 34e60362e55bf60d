"""Chance: how likely it was that two numbers compared as they did, exactly, from the dice and the terms in them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import eq, ge, gt, le, lt

from ledger.dice import parse
from ledger.errors import UsageError
from ledger.events import Event, Number, Rolled, Ruled

_SIGNS = {">": gt, ">=": ge, "=": eq, "<=": le, "<": lt}
_MOST_WAYS = 100_000
"""A comparison with more ways than this, or one that no rule makes of sums alone, has no chance here."""

_Term = tuple[str, int, str]
"""The sign of a term, its value, and its dice; "" for a term that is no roll."""


def chance_of(ruled: Ruled, rolled: Mapping[int, Rolled]) -> Fraction | None:
    """How likely a ruling compared as it did, given the known rolls of its entry. None for a ruling that compares
    nothing, or whose dice are not all known to stand in it as they fell.
    """
    if ruled.sign not in _SIGNS or len(ruled.numbers) != 2:
        return None
    left, right = (_terms(number, rolled) for number in ruled.numbers)
    if left is None or right is None or not any(dice for _, _, dice in (*left, *right)):
        return None
    used = [step.roll for number in ruled.numbers for step in number.steps if step.roll]
    chance = _compared(left, ruled.sign, right) if len(used) == len(set(used)) else None
    holds = _SIGNS[ruled.sign](*(number.total for number in ruled.numbers))
    return chance if chance is None or holds else 1 - chance


def rolls(known: Sequence[Event | None]) -> dict[int, Rolled]:
    """The rolls of an entry of which some events are known, by their number in it. None where an event is not known
    ends them: it may be one.
    """
    found: dict[int, Rolled] = {}
    for event in known:
        if event is None:
            break
        if isinstance(event, Rolled):
            found[len(found) + 1] = event
    return found


def _terms(number: Number, rolled: Mapping[int, Rolled]) -> tuple[_Term, ...] | None:
    """The terms of a number with their dice; None where one is unknown, or counts otherwise than as its sum."""
    found: list[_Term] = []
    for step in number.steps:
        dice = ""
        if step.roll:
            roll = rolled.get(step.roll)
            if roll is None or step.op not in ("+", "-"):
                return None
            try:
                sides, plus = parse(roll.dice)
            except UsageError:
                return None
            if len(sides) != len(roll.faces) or sum(roll.faces) + plus != step.value:
                return None
            dice = roll.dice
        found.append((step.op, 0 if dice else step.value, dice))
    return tuple(found)


@lru_cache(maxsize=4_096)
def _compared(left: tuple[_Term, ...], sign: str, right: tuple[_Term, ...]) -> Fraction | None:
    one, other = _ways(left), _ways(right)
    if one is None or other is None or len(one) * len(other) > _MOST_WAYS:
        return None
    compare = _SIGNS[sign]
    found = sum(ways * more for low, ways in one.items() for high, more in other.items() if compare(low, high))
    return Fraction(found, sum(one.values()) * sum(other.values()))


@lru_cache(maxsize=4_096)
def _ways(terms: tuple[_Term, ...]) -> dict[int, int] | None:
    """The ways to each value of a number."""
    found = {0: 1}
    for op, value, dice in terms:
        faces = _sums(dice) if dice else {value: 1}
        if len(found) * len(faces) > _MOST_WAYS:
            return None
        found = _joined(found, op, faces)
    return found


def _sums(dice: str) -> dict[int, int]:
    sides, plus = parse(dice)
    found = {plus: 1}
    for size in sides:
        found = _joined(found, "+", dict.fromkeys(range(1, size + 1), 1))
    return found


def _joined(found: Mapping[int, int], op: str, values: Mapping[int, int]) -> dict[int, int]:
    """The ways to each value after one more term."""
    after: dict[int, int] = {}
    for before, ways in found.items():
        for value, more in values.items():
            made = _step(op, before, value)
            after[made] = after.get(made, 0) + ways * more
    return after


def _step(op: str, before: int, value: int) -> int:
    match op:
        case "+":
            return before + value
        case "-":
            return before - value
        case "x":
            return before * value
        case "/down":
            return before // value
        case "/up":
            return -(-before // value)
        case "max":
            return max(before, value)
    return min(before, value)


def of_more(sizes: Mapping[int, int], total: int) -> Fraction:
    """How likely so many fair dice of each size are to come to more than a total, exactly.

    >>> of_more({6: 2}, 10)
    Fraction(1, 12)
    """
    ways = [1]
    """The ways to each sum, from the lowest on."""
    for size, times in sizes.items():
        for _ in range(times):
            wider, run = [], 0
            for at in range(len(ways) + size - 1):
                run += ways[at] if at < len(ways) else 0
                run -= ways[at - size] if at >= size else 0
                wider.append(run)
            ways = wider
    return Fraction(sum(ways[max(total - sum(sizes.values()) + 1, 0) :]), sum(ways))
