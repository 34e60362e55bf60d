"""Fairness: how often fair dice are as uneven as these, and how often as high or as low."""

import math
from collections.abc import Sequence
from functools import cache

_MOST_BANDS = 20
"""Faces that are counted one by one; those of a larger die are counted in bands of equal size."""
_CROWD = 3
"""With more dice than this for each band, a gamma distribution replaces the exact one."""
LEVEL = 0.05
"""How often, at most, fair dice are called uneven anywhere in one report."""


def bands(counts: Sequence[int]) -> list[int]:
    """How often each band of faces fell, given each face: the most bands of equal size, 20 at most."""
    sides = len(counts)
    number = next(n for n in range(min(sides, _MOST_BANDS), 0, -1) if sides % n == 0)
    width = sides // number
    return [sum(counts[at * width : (at + 1) * width]) for at in range(number)]


def unevenness(counts: Sequence[int]) -> float:
    """How often as many fair dice fall at least as unevenly over equally likely bands, 0 to 1. Pearson's chi-square
    measures this; here it depends only on the sum of the squares. Up to three dice for each band it is exact. Above
    that it is the tail of a gamma distribution with the same mean, variance and skewness. For fair dice with six bands
    or more, a chance of one in a thousand is at most a fifth too frequent, and one in twenty never; with three or four
    bands, one in twenty is at most a quarter too frequent. A coin has its own formula.
    """
    dice, number = sum(counts), len(counts)
    squares = sum(count * count for count in counts)
    if number < 2 or dice < 2:
        return 1.0
    if dice <= _CROWD * number:
        return _exact(dice, number, squares)
    return _coin(dice, squares) if number == 2 else _nearly(dice, number, squares)


def _exact(dice: int, number: int, squares: int) -> float:
    """The chance that the squares of the counts of fair dice add up to at least `squares`."""
    return min(1.0, max(0.0, 1.0 - _under(dice, number, squares)))


@cache
def _under(dice: int, number: int, squares: int) -> float:
    """The chance that they add up to less: however many of the dice fall on the first band, the others fall on the
    bands that are left. Reports on many people ask for the same chances again and again.
    """
    if dice * dice < squares:
        return 1.0
    if dice * dice >= squares * number:
        return 0.0
    most = math.isqrt(squares - 1)
    shares = _binomial(dice, number)[: most + 1]
    return sum(share * _under(dice - hit, number - 1, squares - hit * hit) for hit, share in enumerate(shares))


@cache
def _binomial(dice: int, number: int) -> list[float]:
    """The chances that 0, 1, 2 ... of some dice fall on one of `number` bands."""
    return [math.comb(dice, hit) * (number - 1) ** (dice - hit) / number**dice for hit in range(dice + 1)]


def _coin(dice: int, squares: int) -> float:
    """The same for two bands: the tail of the normal distribution, with the correction of Yates for whole numbers."""
    apart = math.isqrt(2 * squares - dice * dice)
    return math.erfc(max(0, apart - 1) / math.sqrt(2 * dice))


def _nearly(dice: int, number: int, squares: int) -> float:
    """The same by three moments of chi-square; the squares come in steps of 2, of which half belongs to the tail."""
    mean = number - 1
    variance = 2 * mean * (dice - 1) / dice
    third = 8 * mean * (dice - 1) * (dice + number / 2 - 3) / dice**2
    value = number * (squares - 1) / dice - dice
    shape, scale = 4 * variance**3 / third**2, third / (2 * variance)
    return gamma_tail(shape, (value - mean) / scale + shape)


def gamma_tail(shape: float, value: float) -> float:
    """How often a gamma variable of this shape and of scale 1 is above `value`: by its series, or far out by its
    continued fraction.
    """
    if value <= 0:
        return 1.0
    lead = math.exp(shape * math.log(value) - value - math.lgamma(shape))
    if value < shape + 1:
        term = total = 1 / shape
        at = shape
        while term > total * 1e-15:
            at += 1
            term *= value / at
            total += term
        return max(0.0, 1 - lead * total)
    base = value + 1 - shape
    above, below = math.inf, 1 / base
    fraction, factor, at = below, 0.0, 0
    while abs(factor - 1) > 1e-14:
        at += 1
        step = at * (shape - at)
        base += 2
        below = 1 / (step * below + base)
        above = base + step / above
        factor = above * below
        fraction *= factor
    return lead * fraction


def corrected(chances: Sequence[float]) -> list[float]:
    """The chances, corrected for the number of tests by Holm's method: an upper bound of the chance that any of so many
    tests of fair dice looks as striking as this one.
    """
    worst = 0.0
    found = [1.0] * len(chances)
    for place, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        worst = max(worst, min(1.0, (len(chances) - place) * chances[at]))
        found[at] = worst
    return found


def below(score: float) -> float:
    """How often a normal variable stays below a number of standard deviations."""
    return math.erfc(-score / math.sqrt(2)) / 2
