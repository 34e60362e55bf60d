"""Fairness: the chances are those of fair dice, by counting all that can happen, and by trying."""

import itertools
import math
import random

import pytest

from commands.look.fairness import LEVEL, _coin, _nearly, bands, below, corrected, gamma_tail, unevenness
from commands.look.stats import _tested
from projections.statistics import Pile


def everything(dice: int, sides: int) -> dict[int, float]:
    """For each sum of the squared counts how often it comes up, by throwing the dice in every possible way."""
    found: dict[int, float] = {}
    for faces in itertools.product(range(sides), repeat=dice):
        squares = sum(faces.count(face) ** 2 for face in range(sides))
        found[squares] = found.get(squares, 0) + sides**-dice
    return found


def with_squares(dice: int, sides: int, squares: int) -> list[int]:
    """Some counts of so many dice with this sum of squares."""
    return next(
        list(counts)
        for counts in itertools.product(range(dice + 1), repeat=sides)
        if sum(counts) == dice and sum(count * count for count in counts) == squares
    )


@pytest.mark.parametrize(("dice", "sides"), [(6, 4), (8, 3), (5, 6), (6, 2)])
def test_the_chance_of_few_dice_is_exact(dice, sides):
    chances = everything(dice, sides)
    for squares in chances:
        worse = sum(chance for other, chance in chances.items() if other >= squares)
        assert math.isclose(unevenness(with_squares(dice, sides, squares)), worse, abs_tol=1e-12)


def test_six_of_a_kind_by_hand():
    """Six dice of six sides all alike: 6 in 46656. All different: every throw is at least as uneven."""
    assert math.isclose(unevenness([0, 6, 0, 0, 0, 0]), 6 / 46656)
    assert math.isclose(unevenness([1] * 6), 1)
    assert unevenness([1, 0, 0, 0, 0, 0]) == 1


@pytest.mark.parametrize(("counts", "chance"), [
    ([2, 0], 2 / 4), ([1, 1], 1), ([0, 5], 2 / 32), ([1, 4], 12 / 32), ([6, 0], 2 / 64), ([5, 1], 14 / 64),
])  # fmt: skip
def test_a_coin_by_hand(counts, chance):
    """A d2: of two throws two are alike one time in two; of five all alike 2 in 32, four or five alike 12 in 32."""
    assert math.isclose(unevenness(counts), chance)


def test_many_throws_of_a_coin_by_the_binomial():
    """60 to 40 of a hundred: 5.69 % by the binomial, which is not uneven; 61 to 39: 3.52 %; 50 to 50 always."""
    for heads, chance in ((60, 0.0569), (61, 0.0352), (70, 0.00008), (55, 0.3682)):
        exact = 2 * sum(math.comb(100, more) for more in range(heads, 101)) / 2**100
        assert math.isclose(exact, chance, abs_tol=5e-5)
        assert math.isclose(unevenness([heads, 100 - heads]), exact, rel_tol=0.03 if heads < 70 else 0.3)
        assert unevenness([heads, 100 - heads]) == unevenness([100 - heads, heads])
    assert unevenness([50, 50]) == unevenness([51, 50]) == 1


@pytest.mark.parametrize("dice", [7, 8, 10, 16, 31, 100, 500])
def test_a_fair_coin_is_never_blamed_too_often(dice):
    chances = exact_chances(dice, 2)
    for level in (0.05, 0.01, 0.001):
        blamed = sum(chance for squares, chance in chances.items() if _coin(dice, squares) <= level)
        assert blamed <= level


@pytest.mark.parametrize(("sides", "tested"), [
    (2, {1: False, 2: True, 3: True}), (4, {3: False, 4: True}), (6, {5: False, 6: True}), (20, {19: False, 20: True}),
    (100, {19: False, 20: True}), (1, {50: False}), (23, {500: False}),
])  # fmt: skip
def test_dice_are_tested_from_one_throw_a_band_on(sides, tested):
    """A coin too; a die of one side, or of a prime number above 20, never."""
    for thrown, told in tested.items():
        (die,) = _tested({Pile("Ann", "typed", sides): [thrown] + [0] * (sides - 1)}, ())
        assert (die.chance is not None) is told, thrown


@pytest.mark.parametrize(("sides", "value", "chance"), [(2, 3.841459, 0.05), (6, 11.0705, 0.05), (20, 36.19087, 0.01)])
def test_for_very_many_dice_the_chance_is_that_of_the_chi_square_tables(sides, value, chance):
    """The critical values that every textbook prints, for 1, 5 and 19 degrees of freedom."""
    assert math.isclose(gamma_tail((sides - 1) / 2, value / 2), chance, rel_tol=1e-5)


def exact_chances(dice: int, sides: int) -> dict[int, float]:
    """For each sum of squares its chance, by giving the dice to one face after the other."""
    states = {(dice, 0): 1.0}
    for left in range(sides, 0, -1):
        after: dict[tuple[int, int], float] = {}
        for (rest, total), chance in states.items():
            for count in range(rest + 1) if left > 1 else (rest,):
                share = math.comb(rest, count) * (left - 1) ** (rest - count) / left**rest
                if share > 1e-13:
                    key = (rest - count, total + count * count)
                    after[key] = after.get(key, 0.0) + chance * share
        states = after
    return {total: chance for (_, total), chance in states.items()}


@pytest.mark.parametrize(("dice", "sides"), [(13, 4), (19, 6), (40, 6), (31, 10)])
def test_the_approximation_seldom_blames_fair_dice(dice, sides):
    """One in twenty is never exceeded; one in a thousand by less than a fifth."""
    chances = exact_chances(dice, sides)
    assert math.isclose(sum(chances.values()), 1, rel_tol=1e-9)
    for level, bound in ((0.05, 1.0), (0.01, 1.0), (0.001, 1.2)):
        blamed = sum(chance for squares, chance in chances.items() if _nearly(dice, sides, squares) <= level)
        assert blamed <= level * bound


def test_large_dice_are_counted_in_bands():
    assert bands([1] * 100) == [5] * 20
    assert bands([1] * 30) == [2] * 15
    assert bands([1] * 20) == [1] * 20
    assert bands([1] * 23) == [23], "a prime number of faces has no bands; nothing is said of it"


def test_holm_corrects_for_the_number_of_tests():
    """Smallest first, times 4, 3, 2, 1, and never less than one before."""
    assert corrected([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.9, 0.8]) == [1.0, 1.0]
    assert corrected([]) == []


def test_the_normal_distribution_of_the_tables():
    assert math.isclose(below(1.959964), 0.975, rel_tol=1e-6)
    assert below(0) == 0.5


@pytest.mark.slow
def test_a_report_on_fair_dice_raises_a_false_alarm_once_in_twenty():
    """Two thousand campaigns of three players with dice of four sizes, which a good generator throws.

    The share of reports with any alarm, which Holm's method keeps at or below one in twenty, and not far below.
    """
    chance = random.Random(20)
    alarms = 0
    for _ in range(2000):
        piles = {
            Pile(who, source, sides): [faces.count(face) for face in range(sides)]
            for who, source, sides, dice in (
                ("Ann", "typed", 6, 15),
                ("Ann", "program", 6, 70),
                ("Bob", "typed", 6, 45),
                ("Bob", "typed", 20, 90),
                ("Bob", "program", 10, 60),
                ("Cy", "program", 4, 40),
            )
            for faces in [chance.choices(range(sides), k=dice)]
        }
        alarms += any(one.uneven for one in _tested(piles, ()))
    assert 0.035 < alarms / 2000 < 0.055


def test_a_loaded_die_is_found():
    """It shows 6 half of the time; a hundred throws are enough, among four fair dice."""
    chance = random.Random(6)
    fair = {
        Pile(who, "typed", 6): [faces.count(face) for face in range(6)]
        for who in ("Ann", "Bob", "Cy", "Di")
        for faces in [chance.choices(range(6), k=100)]
    }
    loaded = chance.choices(range(6), weights=[1, 1, 1, 1, 1, 5], k=100)
    dice = _tested({**fair, Pile("Eve", "typed", 6): [loaded.count(face) for face in range(6)]}, ())
    assert [one.who for one in dice if one.uneven] == ["Eve", "everybody"], "hers are among everybody's"
    assert LEVEL == 0.05
