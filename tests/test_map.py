"""The map: squares drawn with characters, and what lies too far out."""

import re

import pytest

from commands.words.console import Console
from projections.plan import draw, signs
from tests.shell import Shell


def test_a_map_has_a_margin_a_ruler_and_a_legend():
    """North at the top; a column every two signs, x written where it is a multiple of five."""
    assert draw({"Ann": [(4, 1)], "Big": [(6, 1), (7, 1)]}, {"obstacle": [(5, 2)]}, {"Ann": 2}, {"Big": "NE"}) == (
        [
            "3 . . . . . .",
            "2 . . # . . .",
            "1 . A . B B↗.",
            "0 . . . . . .",
            "      5",
        ],
        [
            "A Ann, 2 up",
            "B Big, facing NE",
            "# obstacle",
        ],
    )
    assert draw({}, {}, {}) == (["Nobody has a place on the map."], [])


def test_the_map_of_twelve_fits_a_terminal_of_24_rows(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """The legend stands beside it where there are no rows for it below; where it is too wide for that, below."""
    shell.done("init", "test", "--system", "dungeoneers")
    squares = "/".join(f"{x},{y}" for x in range(4) for y in range(0, 6, 2))
    shell.done("join", "goblin", "--count", "12", "--at", squares)
    monkeypatch.setattr(Console, "width", 80)
    monkeypatch.setattr(Console, "height", 22)
    lines = shell.done("map").splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 80
    assert {f"Goblin-{nth}, facing N" for nth in range(1, 13)} == {
        *re.findall(r"Goblin-\d+, facing N", "\n".join(lines))
    }
    monkeypatch.setattr(Console, "width", 40)
    assert "threatened by goblins" in shell.done("map").splitlines()[-1]


def test_a_map_higher_than_60_squares_leaves_out_the_north_and_says_so():
    """From the margin south of the lowest, -1, sixty squares up: 59 is the last row; 60 and 300 lie outside."""
    for highest, rows, outside in ((58, 61, 0), (59, 61, 0), (60, 61, 1), (300, 61, 1), (57, 60, 0)):
        lines, legend = draw({"Ann": [(0, 0)], "Bob": [(0, highest)]}, {}, {})
        drawn = [line for line in lines if "." in line]
        assert len(drawn) == rows, highest
        assert drawn[0].split()[0] == str(min(highest + 1, 59))
        assert drawn[-1].split()[0] == "-1"
        assert (legend[-1] == f"({outside} squares lie outside of this map)") is bool(outside)


def test_a_map_wider_than_60_squares_leaves_out_the_east_and_says_so():
    """Three of a feature's four squares are beyond 59."""
    lines, legend = draw({"Ann": [(0, 0)]}, {"difficult": [(59, 0), (60, 0), (61, 0), (900, 0)]}, {})
    assert lines[1] == " 0 . A" + " ." * 58 + " ~"
    assert legend[-1] == "(3 squares lie outside of this map)"


def test_those_who_share_a_letter_have_signs_of_their_own():
    """Numbered ones their number, the others their first letter, large or small, or the next one of their name."""
    names = ["Orc-1", "Orc-2", "Orc", "Otto", "Oc", "Co", "Orc-12"]
    drawn, _ = draw({name: [(at, 0)] for at, name in enumerate(names)}, {}, {})
    assert drawn[1] == " 0 . 1 2 O T C c R ."


def test_a_legend_is_in_the_same_order_in_every_process():
    """A process that has just recorded it holds it in another order than one that reads what was kept."""
    first, second = {"pit": [(1, 1)], "altar": [(2, 2)]}, {"altar": [(2, 2)], "pit": [(1, 1)]}
    assert draw({}, first, {}) == draw({}, second, {})


def test_two_on_one_square_both_show_and_of_more_one_and_that_there_are_more():
    """The last to join stands first; the legend has all of them."""
    two, legend = draw({"Ann": [(0, 0)], "Bob": [(0, 0)]}, {}, {}, {"Ann": "N", "Bob": "S"})
    assert two[1] == " 0 . BA."
    assert legend == ["A Ann, facing N", "B Bob, facing S"]
    three, _ = draw({"Ann": [(0, 0)], "Bob": [(0, 0)], "Cid": [(0, 0)]}, {}, {})
    assert three[1] == " 0 . C+."


def test_a_sign_is_the_number_of_one_digit_else_the_first_letter_that_is_free():
    assert signs(["Orc-1", "Orc-12", "Oz", "O", "Zo"]) == {"Orc-1": "1", "Orc-12": "O", "Oz": "Z", "O": "o", "Zo": "z"}
