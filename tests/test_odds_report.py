"""The printed odds: ranges, percentages, bars, words and their order, for outcomes made by hand."""

import pytest

from commands.action.common import Join
from commands.odds import report as odds_report
from commands.odds.outcomes import Odds, Outcome, Said, Shift, Sum
from commands.odds.report import (
    Group,
    Row,
    _fixed,
    _many,
    _stepwise,
    _titled,
    _words,
    bar,
    certain,
    changes,
    groups,
    mean,
    percent,
    ranges,
    steps,
)
from tests.kit import given

STATE = given("freepg", *(Join(({"kind": "enemy", "name": name, "size": "small"},)) for name in ("Ann", "Bob"))).state


def odds(*outcomes: tuple[Outcome, int], exact: bool = True, sums: dict[Sum, dict[int, int]] | None = None) -> Odds:
    """Outcomes with their ways."""
    return Odds(outcomes, sums or {}, sum(ways for _, ways in outcomes), len(outcomes), exact)


def outcome(*told: Said | Shift, waits: str = "", refused: str = "") -> Outcome:
    """What an action came to."""
    said = tuple(one for one in told if isinstance(one, Said))
    return Outcome(said, tuple(one for one in told if isinstance(one, Shift)), waits, refused)


def said(clause: str, result: str, who: str = "Ann", about: str = "Bob", test: bool = True) -> Said:
    """What a ruling came to."""
    return Said(clause, who, about, result, test)


@pytest.mark.parametrize(("ways", "few", "told"), [
    ({2: 1, 1: 1, 0: 3}, 6, [(0, 0, 3), (1, 1, 1), (2, 2, 1)]),
    ({-1: 2, -2: 1, 3: 4}, 6, [(-1, -1, 2), (-2, -2, 1), (3, 3, 4)]),
    (dict.fromkeys(range(1, 4), 1), 2, [(1, 1, 1), (2, 2, 1), (3, 3, 1)]),  # three are still told one by one
    (dict.fromkeys(range(1, 5), 1), 2, [(1, 2, 2), (3, 4, 2)]),  # four are not
    (dict.fromkeys(range(8), 1), 2, [(0, 0, 1), (1, 5, 5), (6, 7, 2)]),
    ({n: n for n in range(1, 13)}, 6, [(1, 2, 3), (3, 4, 7), (5, 6, 11), (7, 8, 15), (9, 10, 19), (11, 12, 23)]),
    ({-n: 1 for n in range(21)}, 4, [(0, 0, 1), (-1, -5, 5), (-6, -10, 5), (-11, -15, 5), (-16, -20, 5)]),
    ({25_000: 1, 1: 1, 9_999: 1}, 1, [(1, 9_999, 2), (25_000, 25_000, 1)]),
])  # fmt: skip
def test_many_numbers_are_put_together_in_equal_ranges(ways, few, told):
    """1, 2, 5, 10 ... at a time, as few as are needed for one more than `few` lines; 0 stands by itself."""
    assert ranges(ways, few) == told


@pytest.mark.parametrize(("ways", "of", "exact", "shown"), [
    (1, 3, True, "33.33%"), (2, 3, True, "66.67%"), (1, 8, True, "12.50%"), (1, 20_000, True, "0.01%"),
    (1, 20_001, True, "<0.01%"), (19_999, 20_000, True, ">99.99%"), (19_998, 20_000, True, "99.99%"),
    (0, 7, True, "0.00%"), (7, 7, True, "100.00%"), (1, 3, False, "33.3%"), (1, 8, False, "12.5%"),
    (1, 2_000, False, "0.1%"), (1, 2_001, False, "<0.1%"), (1_999, 2_000, False, ">99.9%"), (5, 5, False, "100.0%"),
])  # fmt: skip
def test_a_percent_is_rounded_to_the_nearest(ways, of, exact, shown):
    """Half goes up; what is possible is never 0, what is not certain never 100."""
    assert percent(ways, Odds((), {}, of, 1, exact)) == shown


@pytest.mark.parametrize(("ways", "of", "signs"), [(1, 1, 30), (1, 2, 15), (1, 60, 1), (59, 60, 30), (1, 20, 2)])
def test_a_bar_is_as_long_as_it_is_likely(ways, of, signs):
    """Thirty signs for certainty, half a sign rounded up."""
    assert bar(ways, of) == "#" * signs


def test_what_is_hardly_possible_is_a_dot():
    assert bar(1, 61) == "."


def test_a_number_of_ways_is_written_out_up_to_fifteen_digits():
    assert (_many(1_234), _many(10**15 - 1)) == ("1,234", "999,999,999,999,999")
    assert (_many(10**15), _many(10**31 * 9)) == ("some 10^15", "some 10^31")


def test_the_steps_of_a_number():
    """From 5 to 5, 3 and -1; a dash is 0; what is no number has no steps."""
    assert steps("5", {"5": 2, "3": 1, "-1": 4}) == {0: 2, -2: 1, -6: 4}
    assert steps("-", {"-": 3, "2": 1}) == {0: 3, 2: 1}
    assert steps("4", {"-": 3, "0": 1}) == {-4: 4}
    assert steps("-", {"-": 3}) is None
    assert steps("5", {"dying": 1}) is None
    assert steps("ready", {"1": 1}) is None
    assert mean({0: 2, -2: 1, 6: 1}) == 1


def test_steps_are_told_in_full_with_the_chance_of_so_much_or_more():
    """Away from 0 in both directions; 0 itself has no more."""
    told = list(_stepwise({-3: 1, -1: 2, 0: 4, 2: 8, 5: 16}, True, str))
    assert told == [Row("0", 4), Row("-1", 2, 3), Row("-3", 1, 1), Row("2", 8, 24), Row("5", 16, 16)]
    short = list(_stepwise(dict.fromkeys(range(1, 21), 1), False, str))
    assert short == [Row("1 to 5", 5), Row("6 to 10", 5), Row("11 to 15", 5), Row("16 to 20", 5)]
    assert list(_stepwise({1: 3}, False, "{:+d}".format)) == [Row("+1", 3)]


def test_the_words_of_a_value():
    """The likeliest first; with two at most, what it was is left out; of nine the two rarest together."""
    assert _words("ready", {"ready": 5, "dazed": 3}, False) == {"dazed": 3}
    assert _words("ready", {"ready": 5, "dazed": 3}, True) == {"unchanged": 5, "dazed": 3}
    assert _words("ready", {"ready": 1, "dazed": 3, "-": 2}, False) == {"dazed": 3, "gone": 2, "unchanged": 1}
    eight = {f"word {n}": n for n in range(1, 9)}
    assert list(_words("x", eight, False).items()) == [(f"word {n}", n) for n in range(8, 0, -1)]
    nine = {f"word {n}": n for n in range(1, 10)}
    assert list(_words("x", nine, False).items()) == [*((f"word {n}", n) for n in range(9, 2, -1)), ("2 others", 3)]
    assert len(_words("x", nine, True)) == 9


def test_a_test_counts_every_answer_of_its_chapter():
    """Ann tests Bob in a.b: hit 6 and miss 3; a natural 1, which names nobody, misses 1 more; a sum is no test."""
    found = odds(
        (outcome(said("a.b.hit", "hit"), said("a.b.sum", "7", test=False)), 6),
        (outcome(said("a.b.hit", "miss")), 3),
        (outcome(said("a.b.natural-1", "miss", about="", test=False)), 1),
    )
    assert list(odds_report.tests(found)) == [("Ann", "Bob", {"hit": 6, "miss": 4})]
    rarest_first = odds((outcome(said("a.b.c", "no")), 1), (outcome(said("a.b.c", "yes")), 2))
    ((_, _, answers),) = odds_report.tests(rarest_first)
    assert [*answers] == ["yes", "no"]
    alone = odds((outcome(said("a.b.c", "yes", about="")), 1), (outcome(said("a.b.c", "no", about="")), 2))
    assert list(odds_report.tests(alone)) == [("Ann", "", {"no": 2, "yes": 1})]


def test_the_main_values_come_first_in_the_order_of_joining():
    """Hp before pain before down of each; then everything else. What is left of the ways is what it was."""
    names = ("Bob.down", "Bob.hp", "Zed.hp", "Ann.gear", "Ann.down", "Ann.pain", "Ann.hp")
    found = odds((outcome(*(Shift(name, "1", "2") for name in names)), 3), (outcome(), 1))
    told = changes(found, STATE)
    assert [*told] == ["Ann.hp", "Ann.pain", "Ann.down", "Bob.hp", "Bob.down", "Ann.gear", "Zed.hp"]
    assert told["Ann.hp"] == ("1", {"2": 3, "1": 1})
    assert changes(odds((outcome(Shift("Ann.hp", "1", "2")), 4)), STATE)["Ann.hp"] == ("1", {"2": 4})


def test_groups_show_what_is_not_certain():
    """A test, a number with its average, and a word; the certain is shown in full only."""
    found = odds(
        (outcome(said("a.b.hit", "hit"), Shift("Bob.hp", "9", "5"), Shift("Bob.down", "-", "dying")), 3),
        (outcome(said("a.b.hit", "miss"), Shift("Ann.action", "2", "1")), 5),
        (outcome(said("a.b.hit", "hit"), Shift("Bob.hp", "9", "8"), refused="too far"), 2),
    )
    assert groups(found, STATE, False) == [
        Group("Ann, Bob", (Row("hit", 5), Row("miss", 5))),
        Group("after the dice", (Row("too far", 2),)),
        Group("Bob.hp 9", (Row("unchanged", 5), Row("-1", 2), Row("-4", 3)), "-1.40"),
        Group("Bob.down", (Row("dying", 3),)),
        Group("Ann.action 2", (Row("unchanged", 5), Row("-1", 5)), "-0.50"),
    ]
    sure = odds((outcome(Shift("Bob.hp", "9", "5")), 2), (outcome(Shift("Bob.hp", "9", "5"), waits="Bob"), 1))
    assert groups(sure, STATE, False) == [Group("stops", (Row("Bob", 1),))]
    assert groups(sure, STATE, True) == [
        Group("stops", (Row("Bob", 1),)), Group("Bob.hp 9", (Row("-4", 3, 3),), "-4.00"),
    ]  # fmt: skip
    assert certain(sure) == [Shift("Bob.hp", "9", "5")]


def test_what_happens_on_every_roll_is_told_in_words():
    """Ten changes are certain: eight are told, and that two are left; all ten in full."""
    lost = [Shift(f"Bob.{letter}", "2", "1") for letter in "abcdefghij"]
    told = [f"Bob.{letter} 2 -> 1" for letter in "abcdefghij"]
    sure = odds((outcome(*lost), 3), (outcome(*lost, waits="Bob"), 1))
    assert [*_fixed(sure, False, True)] == [f"either way: {'; '.join(told[:8])}; 2 more with --full"]
    assert [*_fixed(sure, True, True)] == [f"either way: {'; '.join(told)}"]
    assert next(iter(_fixed(sure, True, False))) == "On every roll, the result is the same."
    tried = odds((outcome(lost[0]), 3), (outcome(lost[0], waits="Bob"), 1), exact=False)
    assert [*_fixed(tried, False, False)] == [
        "In every try, the result is the same.", "in every try: Bob.a 2 -> 1",
    ]  # fmt: skip
    eight = odds((outcome(*lost[:8]), 2))
    assert [*_fixed(eight, False, True)] == [f"either way: {'; '.join(told[:8])}"]
    one = odds((outcome(lost[0], waits="Bob"), 1))
    assert [*_fixed(one, True, False)] == ["then: Bob.a 2 -> 1", "stops: Bob"]
    assert [*_fixed(odds((outcome(), 1)), True, False)] == ["Nothing on the board changes."]
    assert [*_fixed(odds((outcome(), 2)), True, True)] == []


def test_an_answer_that_repeats_a_value_is_left_out():
    """Ann dazes Bob in 3 ways of 8: his conditions say so; that 5 ways do nothing, and 1 more dazes Cy, they do not."""
    dazed = said("a.b.wound", "dazed")
    found = odds(
        (outcome(dazed, Shift("Bob.condition", "-", "dazed, prone")), 3), (outcome(said("a.b.wound", "none")), 5)
    )
    value = Group("Bob.condition", (Row("dazed, prone", 3),))
    assert groups(found, STATE, False) == [Group("Ann, Bob", (Row("none", 5),)), value]
    assert groups(found, STATE, True)[0] == Group("Ann, Bob", (Row("none", 5), Row("dazed", 3)))
    more = odds(*found.outcomes, (outcome(dazed), 1))
    assert groups(more, STATE, False) == [Group("Ann, Bob", (Row("none", 5), Row("dazed", 4))), value]


def test_sums_and_clauses_are_shown_where_nothing_else_is():
    """A sum of one value only in full; the title says which one of its name, and whose."""
    luck, same = Sum("a.b", "Ann", "", "luck", 1), Sum("a.b", "", "", "same", 1)
    totals = {luck: {2: 1, 3: 3}, same: {7: 4}}
    rolled = odds(
        (outcome(said("a.b", "low", test=False)), 1), (outcome(said("a.b", "high", test=False)), 3), sums=totals
    )
    assert groups(rolled, STATE, False) == [Group("luck (Ann)", (Row("2", 1), Row("3", 3)), "2.75")]
    assert groups(rolled, STATE, True) == [
        Group("luck (Ann)", (Row("2", 1, 4), Row("3", 3, 3)), "2.75"), Group("same", (Row("7", 4, 4),), "7.00"),
        Group("a.b (Ann, Bob)", (Row("low", 1), Row("high", 3))),
    ]  # fmt: skip
    told = odds(*rolled.outcomes)
    assert groups(told, STATE, False) == [Group("a.b (Ann, Bob)", (Row("low", 1), Row("high", 3)))]
    assert _titled(Sum("a.b", "Ann", "Bob", "damage", 2)) == "damage 2 (Ann, Bob)"
    assert _titled(Sum("a.b", "", "", "damage", 1)) == "damage"
