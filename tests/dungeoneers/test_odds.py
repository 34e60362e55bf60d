"""Odds of Dungeoneers, computed by hand."""

from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Grapple
from commands.rules.dungeoneers.movement import Move
from tests.odds import answered, foreseen, valued

from .table import fight, skeleton, suori


def test_two_d4_against_one_then_two_d8_against_4():
    """dungeoneers.attack.hit-compare, dungeoneers.attack.pierce-compare

    The hit misses when a 2 (1 of 16) meets a 3 or 4, or a 3 (2 of 16) meets a 4: 4 of 64. Of the hits, 3 of 64 throws
    (1+1, 1+2, 2+1) come to less than 4: 60 * 61 of 4096 pierce. The warhammer's wound is one more for the weakness.
    """
    told = fight(suori(prowess=2, power=2), skeleton())
    odds = foreseen(told, Attack("Suori", "Skeleton"))
    assert answered(odds)["Suori", "Skeleton"] == {
        "hit": "3840/4096",
        "pierced": "3660/4096",
        "miss": "256/4096",
        "deflected": "180/4096",
    }
    assert valued(odds, told, "Skeleton.wounds") == {"2": "3660/4096", "0": "436/4096"}
    assert odds.tried == 3 + 25 * 15, "totals are told apart, not faces; who misses pierces nothing"


def test_a_grapple_of_somebody_without_dice_is_certain():
    """dungeoneers.grapple.roll: 2d4 are never less than the nothing of a defender without dice."""
    told = fight(suori(), skeleton(prowess=0, power=0))
    odds = foreseen(told, Grapple("Suori", "Skeleton"))
    assert odds.of == 16
    assert odds.tried == 7
    assert answered(odds) == {("Suori", "Skeleton"): {"grappled": "16/16"}}


def test_a_move_that_is_held_up_says_what_it_waits_for():
    """dungeoneers.opportune.window: the skeleton may strike; the rest of the way waits."""
    told = fight(suori(), skeleton())
    odds = foreseen(told, Move("Suori", ("W", "W")))
    assert (odds.exact, odds.of) == (True, 1)
    assert [outcome.waits for outcome, _ in odds.outcomes] == ["Suori's move waits for Skeleton"]
