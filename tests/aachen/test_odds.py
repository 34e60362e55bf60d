"""The 1d20 table, cell by cell as it is printed."""

import pytest

from commands.odds.d20 import Row, advantage, disadvantage, equivalent, row, single, table, target_of

PRINTED = """
|      2 |  95% | 99.75% | +1 | 90.25% | -1 |
|      3 |  90% | 99.00% | +2 | 81.00% | -2 |
|      4 |  85% | 97.75% | +3 | 72.25% | -3 |
|      5 |  80% | 96.00% | +3 | 64.00% | -3 |
|      6 |  75% | 93.75% | +4 | 56.25% | -4 |
|      7 |  70% | 91.00% | +4 | 49.00% | -4 |
|      8 |  65% | 87.75% | +5 | 42.25% | -5 |
|      9 |  60% | 84.00% | +5 | 36.00% | -5 |
|     10 |  55% | 79.75% | +5 | 30.25% | -5 |
|     11 |  50% | 75.00% | +5 | 25.00% | -5 |
|     12 |  45% | 69.75% | +5 | 20.25% | -5 |
|     13 |  40% | 64.00% | +5 | 16.00% | -5 |
|     14 |  35% | 57.75% | +5 | 12.25% | -5 |
|     15 |  30% | 51.00% | +4 |  9.00% | -4 |
|     16 |  25% | 43.75% | +4 |  6.25% | -4 |
|     17 |  20% | 36.00% | +3 |  4.00% | -3 |
|     18 |  15% | 27.75% | +3 |  2.25% | -3 |
|     19 |  10% | 19.00% | +2 |  1.00% | -2 |
|     20 |   5% |  9.75% | +1 |  0.25% | -1 |
"""


def in_400(percent: str) -> int:
    """A printed percentage in 1/400, exactly: 87.75% is 351."""
    whole, _, hundredths = percent.strip().rstrip("%").partition(".")
    parts = int(whole) * 100 + int(hundredths or 0)
    assert parts % 25 == 0
    return parts // 25


def rows() -> list[Row]:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PRINTED.strip().splitlines()]
    return [
        Row(int(target), in_400(one), in_400(adv), in_400(dis), int(like), int(unlike))
        for target, one, adv, like, dis, unlike in cells
    ]


def test_the_whole_table():
    """aachen.odds.single, aachen.odds.advantage, aachen.odds.disadvantage, aachen.odds.equivalent"""
    assert len(rows()) == 19
    assert table() == rows()


def test_target_8():
    """aachen.odds.single 65%, aachen.odds.advantage 87.75%, aachen.odds.disadvantage 42.25%."""
    assert (single(8), advantage(8), disadvantage(8)) == (260, 351, 169)


def test_equivalents():
    """aachen.odds.equivalent: target 8: 22.75 / 5 is +5; target 5: 16 / 5 is +3."""
    assert equivalent(advantage(8), single(8)) == 5
    assert equivalent(advantage(5), single(5)) == 3
    assert equivalent(disadvantage(5), single(5)) == -3


def test_the_fighter_of_the_book():
    """aachen.odds.from-attack: d20 + 6 against 14 is target 8."""
    assert target_of(ac=14, bonus=6) == 8
    assert row(target_of(14, 6)) == Row(8, 260, 351, 169, 5, -5)


@pytest.mark.parametrize(
    ("target", "naturals", "chances"),
    [
        (-2, True, (380, 399, 361)),
        (27, True, (20, 39, 1)),
        (1, False, (400, 400, 400)),
        (-2, False, (400, 400, 400)),
        (21, False, (0, 0, 0)),
        (20, False, (20, 39, 1)),
    ],
)
def test_limits(target, naturals, chances):
    """aachen.odds.limits: target -2 is 95%, 27 is 5%, 9.75%, 0.25%; without naturals 100% and 0%."""
    assert (single(target, naturals), advantage(target, naturals), disadvantage(target, naturals)) == chances
