"""The plots of a page: where the corners of a curve lie, and what its axes say."""

import re

import pytest

pytest.importorskip("jinja2", reason="the page needs the extra `report`")

from commands.action.book import Book
from commands.seen.page import plots
from ledger.events import Declared, Noted
from tests.reading import page_of, parsed
from tests.shell import write


@pytest.mark.parametrize(("run", "corners"), [
    ([5], [(0, 5)]),
    ([5, 5], [(0, 5), (1, 5)]),
    ([5, 5, 3], [(0, 5), (2, 5), (2, 3)]),
    ([5, 3, 3, 3], [(0, 5), (1, 5), (1, 3), (3, 3)]),
    ([None, 4, 4], [(1, 4), (2, 4)]),
    ([4, None], [(0, 4), (1, 4), (1, None)]),
    ([4, None, None, 2], [(0, 4), (1, 4), (1, None), (3, 2)]),
    ([0, 2], [(0, 0), (1, 0), (1, 2)]),
    ([], []),
])  # fmt: skip
def test_a_curve_goes_on_level_until_its_value_changes(run, corners):
    """A step ends where the next value begins; where there is no value the curve breaks off."""
    assert [*plots.corners(run)] == corners


def curve(values: list[int | None], side: int = 0) -> plots.Curve:
    return plots.Curve(side, values)


def drawn(svg: str) -> list[str]:
    """The lines of the curves of a plot."""
    return re.findall(r'<path class="curve [^"]*"[^>]* d="([^"]*)"', svg)


def test_curves_fill_the_axes():
    """From 34 to 336 across; 0 at 166 and 50 at 166 - 158/1.04 = 14.08, for the highest of all is 50 with 4 % above."""
    svg = plots.curves([curve([50, 50, 25]), curve([0, 10, 10], 1)], {0: 1, 2: 2})
    assert drawn(svg) == ["M34 14.1L336 14.1L336 90", "M34 166L185 166L185 135.6L336 135.6"]
    assert drawn(plots.curves([curve([4, None, None, 2])], {})) == ["M34 14.1L134.7 14.1M336 90"]


def test_curves_have_the_colours_of_their_sides_and_none_runs_over_another():
    """Three with the same values lie 2.2 units beside each other; twenty-five together take 12 units."""
    svg = plots.curves([curve([9, 5], 0), curve([9, 5], 1), curve([9, 5], 1)], {})
    assert re.findall(r'<path class="(curve [^"]*)"(?: transform="translate\((\S+) (\S+)\)")?', svg) == [
        ("curve side-0", "-2.2", "-2.2"), ("curve side-1", "", ""), ("curve side-1", "2.2", "2.2"),
    ]  # fmt: skip
    assert len(set(drawn(svg))) == 1
    many = re.findall(r"translate\((\S+) ", plots.curves([curve([1])] * 25, {}))
    assert (many[0], many[-1]) == ("-5.8", "5.8")  # 12 times 12/25 either way


def test_the_axis_names_at_most_six_whole_numbers():
    """1, 2 or 5 apart, or ten times that."""

    def marks(svg: str) -> list[int]:
        return [int(said) for said in re.findall(r'<text class="up"[^>]*>([^<]*)<', svg)]

    assert marks(plots.curves([curve([50])], {})) == [0, 20, 40]
    assert marks(plots.curves([curve([4])], {})) == [0, 1, 2, 3, 4]
    assert marks(plots.curves([curve([-7, 20])], {})) == [0, 10, 20]
    assert marks(plots.curves([curve([1000])], {})) == [0, 500, 1000]
    assert marks(plots.curves([curve([0])], {})) == [0, 1]


def test_rounds_stand_below_the_place_where_they_begin():
    """With more than twelve of them, every second one."""
    words = re.compile(r'<text class="along"[^>]*>([^<]*)</text>')
    few = words.findall(plots.curves([curve([1] * 13)], {at: at + 1 for at in range(12)}))
    assert few == [str(at) for at in range(1, 13)]
    many = words.findall(plots.curves([curve([1] * 14)], {at: at + 1 for at in range(13)}))
    assert many == ["1", "3", "5", "7", "9", "11", "13"]


def test_the_days_of_a_page_are_the_first_and_the_last(book: Book):
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-02T23:59:00Z")
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-03T00:01:00Z")
    header = parsed(page_of(book)).one("header")
    assert header.all("p")[0].text == "FReePG, 3 entries, 2026-05-01 to 2026-05-03"
    assert parsed(page_of(book, kind="noted")).one("header").all("p")[0].text == (
        "FReePG, 2 of 3 entries, 2026-05-02 to 2026-05-03"
    )
