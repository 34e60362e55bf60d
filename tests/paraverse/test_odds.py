"""Odds of Paraverse, computed by hand."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Shoot
from commands.rules.paraverse.resolve import Resolve
from tests.kit import given
from tests.odds import answered, foreseen, valued

from .table import ALL, ildar, opened, planning, said, someone


def test_a_check_with_advantage_and_with_disadvantage():
    """paraverse.check.success, paraverse.check.partial, paraverse.advantage.higher-die, and the lower die.

    Acrobatics 4 against 10: 7 to 20 succeed, 2 to 6 fail in part, a 1 fails. The better of two is at least 7 in
    400 - 36 ways, and 1 in one; the worse is at least 7 in 14 * 14 = 196, and 1 in 39.
    """
    told = given("paraverse", ildar())
    once = foreseen(told, Check("Ildar", "acrobatics"))
    assert answered(once) == {
        ("Ildar", ""): {
            "acrobatics: success": "14/20",
            "acrobatics: partial failure": "5/20",
            "acrobatics: failure": "1/20",
        }
    }
    better = foreseen(told, Check("Ildar", "acrobatics", mod=("@Ildar:adv:rope",)))
    assert answered(better) == {
        ("Ildar", ""): {
            "acrobatics: success": "364/400",
            "acrobatics: partial failure": "35/400",
            "acrobatics: failure": "1/400",
        }
    }
    worse = foreseen(told, Check("Ildar", "acrobatics", mod=("@Ildar:dis:rain",)))
    assert answered(worse) == {
        ("Ildar", ""): {
            "acrobatics: success": "196/400",
            "acrobatics: partial failure": "165/400",
            "acrobatics: failure": "39/400",
        }
    }
    assert (once.tried, better.tried, worse.tried) == (20, 20, 20), "of two dice only the one that counts is told apart"


@pytest.mark.slow
def test_a_skirmish_of_two_equals():
    """paraverse.skirmish.winner, paraverse.skirmish.tie-none: 190 ways each, and 20 in which nobody wins."""
    told = planning(someone("Ada", "party"), someone("Bo", "foes"))
    told = opened(said(told, Attack("Ada", "Bo")), "melee")
    odds = foreseen(told, Attack("Ada"))
    ways = {word: chance for answers in answered(odds).values() for word, chance in answers.items()}
    assert odds.of == 400 * 16
    assert ways["Ada wins"] == ways["Bo wins"] == f"{190 * 16}/6400"
    assert ways["nobody wins"] == f"{20 * 16}/6400"


@pytest.mark.slow
def test_where_a_hit_lands():
    """paraverse.hit-location.second-die: torso is 1/4 and half of another 1/4; arms and legs 1/4; head 1/8.

    Ildar's +6 beats Vasko's +1: a + 6 > b + 1 for a + 4 faces b, up to 20: 5 + 6 + ... + 19 = 180 for a from 1 to 15,
    and 20 each for 16 to 20: 280 of 400. The bow's 7 always hurts through an armour of 1.
    """
    told = opened(said(planning(*ALL), Shoot("Ildar", "Vasko")), "ranged")
    odds = foreseen(told, Resolve())
    assert answered(odds)["Ildar", "Vasko"]["hit"] == "4480/6400"
    places = odds.chances(
        lambda outcome: [one.outcome for one in outcome.said if one.clause.startswith("paraverse.hit-location")]
    )
    assert places == {"torso": 1680, "arms": 1120, "legs": 1120, "head": 560}
    assert valued(odds, told, "Vasko.pain")["0"] == "1920/6400"
