"""The plots of a page: where the corners of a curve lie, which dice are counted, and what is expected of a face."""

import re

import pytest

pytest.importorskip("matplotlib", reason="the page needs the extra `report`")
pytest.importorskip("jinja2", reason="the page needs the extra `report`")

from math import isnan

from commands.action.book import Book
from commands.look.filters import Filters
from commands.seen.page import dice, plots
from commands.seen.page.moments import moments
from commands.seen.page.render import MOST_ENCOUNTERS
from commands.seen.record import Record
from ledger.events import Declared, EncounterBegan, EncounterEnded, HpSet, Joined, Noted, Rolled
from tests.reading import page_of, parsed
from tests.shell import write
from tests.test_state import SHEET


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
    xs, ys = plots._steps(run)
    assert [(x, None if isnan(y) else y) for x, y in zip(xs, ys, strict=True)] == corners


def drawn(svg: str) -> dict[str, list[tuple[float, float]]]:
    """The points of each line of a plot by its colour, without those of the grid."""
    found = {}
    for path in re.findall(r"<path ([^>]*)/>", svg):
        colour = re.search(r'stroke="(var\(--curve-\d\))"', path)
        where = re.search(r'd="([^"]*)"', path)
        if colour and where:
            points = re.findall(r"[ML] (-?[\d.]+) (-?[\d.]+)", where[1])
            found[colour[1]] = [(float(x), float(y)) for x, y in points]
    return found


def test_curves_fill_the_axes():
    """From 34 to 352 across; 0 at 166 and 50 at 166 - 158/1.04 = 14.08, for the highest of all is 50 with 4 % above."""
    found = drawn(plots.curves([[50, 50, 25], [0, 10, 10]], {0: 1, 2: 2}))
    assert found == {
        "var(--curve-0)": [(34, 14.0), (352, 14.0), (352, 90.0)],
        "var(--curve-1)": [(34, 166), (193, 166), (193, 135.6), (352, 135.6)],
    }


def test_rounds_stand_below_the_place_where_they_begin():
    """With more than twelve of them, every second one."""
    words = re.compile(r"<text[^>]*>([^<]*)</text>")
    few = words.findall(plots.curves([[1] * 13], {at: at + 1 for at in range(12)}))
    assert few[:12] == [str(at) for at in range(1, 13)]
    many = words.findall(plots.curves([[1] * 14], {at: at + 1 for at in range(13)}))
    assert many[:7] == ["1", "3", "5", "7", "9", "11", "13"]
    faces = [str(at) for at in range(1, 21)]
    assert words.findall(plots.bars([1] * 20, [0] * 20, [1.0] * 20, faces))[:5] == ["1", "5", "10", "15", "20"]
    assert words.findall(plots.bars([1] * 6, [0] * 6, [1.0] * 6, faces[:6]))[:6] == faces[:6]


def test_the_band_around_an_expected_count_holds_95_of_100():
    """24 dice of six faces: 4 of each, 1.96 * sqrt(4 * 5/6) = 3.57845 up and down; a band never goes below 0."""
    assert plots._band(4.0, 24) == pytest.approx((0.42155, 7.57845), abs=1e-4)
    assert plots._band(1.0, 6) == pytest.approx((0.0, 2.7892), abs=1e-4)
    assert plots._band(0.0, 0) == (0.0, 0.0)


def shown(book: Book) -> list[dice.Rolls]:
    return dice.thrown(moments(Record(book, Filters())))


def test_dice_of_each_size_are_counted_by_who_threw_them(book: Book):
    """4 and 2 by hand, a 6 by program; a 20 beside them. What a die of that size cannot show is left out."""
    write(book.store, [Rolled("A", "x", "", "3d6+1d20", (4, 2, 6, 20), (0, 0, 1, 2))], drawn=2)
    write(book.store, [Rolled("B", "x", "", "3d6", (0, 7, 1), (0, 0, 0))])
    six, twenty = shown(book)
    assert (six.sides, six.typed, six.program) == (6, (1, 1, 0, 1, 0, 0), (0, 0, 0, 0, 0, 1))
    assert (twenty.sides, sum(twenty.typed), twenty.program[19]) == (20, 0, 1)
    assert (six.count, six.mean) == (4, (1 + 2 + 4 + 6) / 4)


def test_faces_are_put_together_in_at_most_twenty_groups():
    """Of a d24 two and two; of a d21 too, and the last one alone."""
    twenty_four = dice.Rolls(24, (1,) * 24, (0,) * 24).groups()
    assert [(one.faces, one.typed, one.expected) for one in twenty_four[:2]] == [("1-2", 2, 2.0), ("3-4", 2, 2.0)]
    assert (len(twenty_four), twenty_four[-1].faces) == (12, "23-24")
    last = dice.Rolls(21, (0,) * 21, (1,) * 20 + (22,)).groups()[-1]
    assert (last.faces, last.typed, last.program, last.expected) == ("21", 0, 22, 42 / 21)
    assert [one.faces for one in dice.Rolls(20, (1,) * 20, (0,) * 20).groups()][-1] == "20"


def test_only_the_latest_encounters_are_drawn_and_the_page_says_how_many_are_not(book: Book):
    """Fourteen encounters: the first two are not drawn. A long name is cut in the legend, and whole in the table."""
    long = "N" * 41
    write(book.store, [Declared("join", {}), Joined(long, "party", SHEET), HpSet(long, 3, 9)])
    for number in range(1, 15):
        write(book.store, [Declared("begin", {}), EncounterBegan(number)])
        write(book.store, [Declared("end", {}), EncounterEnded(number)])
    curves = parsed(page_of(book)).one("section", id="curves")
    assert [one.text for one in curves.all("h3")] == [f"Encounter {number}" for number in range(3, 15)]
    assert f"The latest {MOST_ENCOUNTERS} encounters; 2 earlier ones are not drawn." in curves.text
    assert MOST_ENCOUNTERS == 12
    assert {one.text for one in curves.all("li")} == {"N" * 39 + "…"}
    assert curves.all("table")[0].rows()[1] == [long, "3"]


def test_the_days_of_a_page_are_the_first_and_the_last(book: Book):
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-02T23:59:00Z")
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-03T00:01:00Z")
    header = parsed(page_of(book)).one("header")
    assert header.all("p")[0].text == "FReePG, 3 entries, 2026-05-01 to 2026-05-03"
    assert parsed(page_of(book, kind="noted")).one("header").all("p")[0].text == (
        "FReePG, 2 of 3 entries, 2026-05-02 to 2026-05-03"
    )


def test_a_plot_speaks_in_the_letters_of_its_page():
    """Every word has 11 px and no colour of its own, 3.5 units left of the axis or below it; no ticks are drawn."""
    for svg in (plots.bars([3, 1], [0, 2], [2.0, 2.0], ["1", "2"]), plots.curves([[4, 2]], {0: 1, 1: 2})):
        words = re.findall(r"<text ([^>]*)>([^<]*)</text>", svg)
        across = [said for said, _ in words if 'text-anchor="middle"' in said]
        up = [said for said, _ in words if 'text-anchor="end"' in said]
        assert len(across) == 2
        assert len(across) + len(up) == len(words)
        assert all(re.fullmatch(r'font-size="11px" text-anchor="middle" x="[\d.]+" y="177.8"', said) for said in across)
        assert all(re.fullmatch(r'font-size="11px" text-anchor="end" x="30.5" y="[\d.]+"', said) for said in up)
        assert "<use" not in svg
