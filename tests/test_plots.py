"""The plots of a page: where the corners of a curve lie, which dice are counted, and what is expected of a face."""

import re

import pytest

pytest.importorskip("jinja2", reason="the page needs the extra `report`")

from commands.action.book import Book
from commands.look.filters import Filters
from commands.seen.page import faces, plots
from commands.seen.page.moments import moments
from commands.seen.page.render import MOST_ENCOUNTERS
from commands.seen.record import Record
from ledger.events import Declared, EncounterBegan, EncounterEnded, HpSet, Joined, Noted, PainSuffered, Rolled
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
    assert [*plots.corners(run)] == corners


def curve(values: list[int | None], side: int = 0, dash: int = 0, sign: str = "") -> plots.Curve:
    return plots.Curve(side, dash, sign, values)


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
    svg = plots.curves([curve([9, 5], 0, 0), curve([9, 5], 1, 0), curve([9, 5], 1, 1)], {})
    assert re.findall(r'<path class="(curve [^"]*)"(?: transform="translate\((\S+) (\S+)\)")?', svg) == [
        ("curve side-0 dash-0", "-2.2", "-2.2"), ("curve side-1 dash-0", "", ""), ("curve side-1 dash-1", "2.2", "2.2"),
    ]  # fmt: skip
    assert len(set(drawn(svg))) == 1
    many = re.findall(r"translate\((\S+) ", plots.curves([curve([1])] * 25, {}))
    assert (many[0], many[-1]) == ("-5.8", "5.8")  # 12 times 12/25 either way


def test_the_signs_at_the_ends_of_curves_do_not_lie_on_each_other():
    """50, 50 and 0 of 50: two signs want to stand at 14.1, so they stand at 8, as high as may be, and at 19. A curve
    without values has none.
    """
    run = [curve([50], sign="A"), curve([50], 1, sign="<"), curve([0], sign="C"), curve([None], sign="D")]
    ends = re.findall(r'<text class="end side-(\d)" x="344" y="([^"]*)">([^<]*)</text>', plots.curves(run, {}))
    assert ends == [("0", "11.5", "A"), ("1", "22.5", "&lt;"), ("0", "169.5", "C")]
    low = [curve([0], sign="A"), curve([0], sign="B"), curve([10], sign="C")]
    assert re.findall(r' x="344" y="([^"]*)"', plots.curves(low, {})) == ["17.6", "158.5", "169.5"]


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
    bars = [faces.Group(str(at), 1, 0, 1.0) for at in range(1, 21)]
    assert words.findall(plots.bars(bars)) == ["1", "5", "10", "15", "20"]
    assert words.findall(plots.bars(bars[:6])) == ["1", "2", "3", "4", "5", "6"]


def test_a_bar_stands_on_another_with_a_band_and_a_line_for_what_is_expected():
    """Two faces of four dice: 2 of each expected, 1.96 * sqrt(2 * 1/2) = 1.96 around. 1 typed on 2 of the program.
    The highest is the band, 3.96, with 4 % above: 4.1184 on 158 units, so 2 stand at 166 - 76.73 = 89.27, 3 at 50.9.
    """
    svg = plots.bars([faces.Group("1", 1, 2, 2.0), faces.Group("2", 1, 0, 2.0)])
    assert re.findall(r'<path class="(\w+)" d="([^"]*)"', svg)[1:] == [
        ("band", "M34 14.1H185V164.5H34z"), ("band", "M185 14.1H336V164.5H185z"),
        ("program", "M64.2 89.3H154.8V166H64.2z"), ("typed", "M64.2 50.9H154.8V89.3H64.2z"),
        ("expected", "M34 89.3H185"), ("typed", "M215.2 127.6H305.8V166H215.2z"), ("expected", "M185 89.3H336"),
    ]  # fmt: skip


def test_the_band_around_an_expected_count_holds_95_of_100():
    """24 dice of six faces: 4 of each, 1.96 * sqrt(4 * 5/6) = 3.57845 up and down; a band never goes below 0."""
    assert plots.band(4.0, 24) == pytest.approx((0.42155, 7.57845), abs=1e-4)
    assert plots.band(1.0, 6) == pytest.approx((0.0, 2.7892), abs=1e-4)
    assert plots.band(0.0, 0) == (0.0, 0.0)


def shown(book: Book) -> list[faces.Rolls]:
    return faces.rolls_by_size(moments(Record(book, Filters())))


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
    twenty_four = faces.Rolls(24, (1,) * 24, (0,) * 24).groups()
    assert [(one.faces, one.typed, one.expected) for one in twenty_four[:2]] == [("1-2", 2, 2.0), ("3-4", 2, 2.0)]
    assert (len(twenty_four), twenty_four[-1].faces) == (12, "23-24")
    last = faces.Rolls(21, (0,) * 21, (1,) * 20 + (22,)).groups()[-1]
    assert (last.faces, last.typed, last.program, last.expected) == ("21", 0, 22, 42 / 21)
    assert [one.faces for one in faces.Rolls(20, (1,) * 20, (0,) * 20).groups()][-1] == "20"


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
    assert {one.text for one in curves.all("li")} == {"N " + "N" * 39 + "…"}
    assert curves.all("table")[0].rows()[1] == [long, "3"]


def test_the_days_of_a_page_are_the_first_and_the_last(book: Book):
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-02T23:59:00Z")
    write(book.store, [Declared("note", {}), Noted("x")], recorded_at="2026-05-03T00:01:00Z")
    header = parsed(page_of(book)).one("header")
    assert header.all("p")[0].text == "FReePG, 3 entries, 2026-05-01 to 2026-05-03"
    assert parsed(page_of(book, kind="noted")).one("header").all("p")[0].text == (
        "FReePG, 2 of 3 entries, 2026-05-02 to 2026-05-03"
    )


def test_more_than_24_combatants_are_drawn_as_sides(book: Book):
    """25 of the party with 4 hp each, and a foe with 7, who joins later."""
    for nth in range(25):
        write(book.store, [Declared("join", {}), Joined(f"P{nth}", "party", SHEET), HpSet(f"P{nth}", 4, 4)])
    write(book.store, [Declared("begin", {}), EncounterBegan(1)])
    write(book.store, [Declared("join", {}), Joined("Ogre", "foes", SHEET), HpSet("Ogre", 7, 7)])
    curves = parsed(page_of(book)).one("section", id="curves")
    assert curves.one("table").rows()[1:] == [["party", "100"], ["foes", "7"]]
    assert [one.text for one in curves.all("li")] == ["party", "foes"]
    assert len(drawn(page_of(book))) == 2


def test_who_stays_at_0_is_named_beside_the_plot_and_has_no_curve(book: Book):
    """Two of three suffer pain, and each has a dash of its own."""
    for who in ("Ann", "Bea", "Cyd"):
        write(book.store, [Declared("join", {}), Joined(who, "party", SHEET), HpSet(who, 4, 4)])
    write(book.store, [Declared("begin", {}), EncounterBegan(1)])
    write(book.store, [Declared("adjust", {}), PainSuffered("Bea", 2, 2)])
    write(book.store, [Declared("adjust", {}), PainSuffered("Cyd", 1, 1)])
    pain = next(
        one
        for one in parsed(page_of(book)).one("section", id="curves").all("figure")
        if one.one("figcaption").text == "pain"
    )
    assert [one.text for one in pain.all("li")] == ["B Bea", "C Cyd", "always 0: Ann"]
    assert [one.attributes["class"] for one in pain.all("path") if "M0 4H24" in str(one.attributes["d"])] == [
        "curve dash-0",
        "curve dash-1",
    ]
    assert [row[0] for row in pain.one("table").rows()[1:]] == ["Ann", "Bea", "Cyd"]
