"""The grid: exact geometry, held against a slow and plain one in fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action import grid

COORDINATE = st.integers(-7, 7)
SQUARES = st.tuples(COORDINATE, COORDINATE, st.integers(-3, 3))


def test_straight_along_a_column_the_squares_between_are_of_that_column():
    assert grid.crossed((3, 5, 1), (3, 8, 1)) == [(3, 6), (3, 7)]
    assert grid.crossed((3, 8, 1), (3, 5, 1)) == [(3, 7), (3, 6)]


def passes_inside(start, end, square):
    """Whether a point of the segment lies strictly inside the square, by clipping it in fractions."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        step = end[axis] - start[axis]
        near, far = square[axis] - Fraction(1, 2), square[axis] + Fraction(1, 2)
        if step == 0:
            if not near < start[axis] < far:
                return False
            continue
        one, other = sorted(((near - start[axis]) / step, (far - start[axis]) / step))
        low, high = max(low, one), min(high, other)
    return low < high or (start[:2] == end[:2] == tuple(square))


@pytest.mark.slow
@given(SQUARES, SQUARES)
@settings(max_examples=150, deadline=None)
def test_a_line_crosses_the_squares_whose_inside_it_passes(start, end):
    west, east = sorted((start[0], end[0]))
    south, north = sorted((start[1], end[1]))
    around = [(x, y) for x in range(west - 1, east + 2) for y in range(south - 1, north + 2)]
    expected = {square for square in around if passes_inside(start, end, square)} - {start[:2], end[:2]}
    crossed = grid.crossed(start, end)
    assert set(crossed) == expected
    assert len(crossed) == len(expected)


@pytest.mark.slow
@given(SQUARES, SQUARES, st.sets(st.tuples(COORDINATE, COORDINATE), max_size=30))
def test_sight_is_mutual(start, end, blocked):
    assert grid.sees(start, end, blocked) == grid.sees(end, start, blocked)
    assert grid.sees(start, end, {start[:2], end[:2]})


@given(SQUARES, SQUARES, SQUARES)
def test_distance_is_a_distance(one, other, third):
    assert grid.distance(one, other) == grid.distance(other, one) >= 0
    assert (grid.distance(one, other) == 0) == (one == other)
    assert grid.distance(one, third) <= grid.distance(one, other) + grid.distance(other, third)


@given(SQUARES, st.integers(1, 4), SQUARES, st.integers(1, 4))
def test_the_gap_between_bodies_is_that_between_their_nearest_squares(one, wide, other, broad):
    mine, theirs = grid.body(one, wide), grid.body(other, broad)
    assert len(set(mine)) == wide * wide
    apart = [max(theirs[0][axis] - mine[-1][axis], mine[0][axis] - theirs[-1][axis], 0) for axis in (0, 1)]
    assert grid.gap(mine, theirs) == max(*apart, abs(one[2] - other[2]))


@given(SQUARES, st.integers(0, 5))
def test_an_area_holds_what_is_within_reach(origin, reach):
    assert set(grid.area(origin, reach)) == {
        (x, y, origin[2])
        for x in range(origin[0] - 7, origin[0] + 8)
        for y in range(origin[1] - 7, origin[1] + 8)
        if grid.distance((x, y, origin[2]), origin) <= reach
    }


def test_lines_in_the_eight_directions_are_straight():
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            assert grid.crossed((0, 0, 0), (3 * x, 3 * y, 5)) == ([(x, y), (2 * x, 2 * y)] if x or y else [])
