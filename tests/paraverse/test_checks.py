"""Checks of skills."""

import pytest

from commands.rules.paraverse.checks import degree
from commands.rules.paraverse.combat import Check, Misc
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import UsageError
from ledger.events import Ruled, WaitingEnded
from tests.hints import commands, offered_by
from tests.kit import given

from .table import became, ildar, impossible, opened, planning, reaver, resolved, rolls, said


def climbs(die: int, hard: str = "", **fields):
    """Ildar tries acrobatics, at +4."""
    told = said(planning(ildar(**fields)), Check("Ildar", "acrobatics", hard))
    return resolved(told, "misc", [die])


def with_skill(skill: int):
    return {"skills": {"acrobatics": skill}}


def test_a_check_succeeds_above_its_target():
    """paraverse.check.success: 7+4 = 11 v 10; 6+4 = 10 is not above."""
    climbs(7).ruled("paraverse.check.success", "acrobatics: success", [11, 10])
    climbs(6).ruled("paraverse.check.partial", "acrobatics: partial failure", [10, 10])


def test_a_near_miss_is_a_partial_failure():
    """paraverse.check.partial: 10 to 6; paraverse.check.failure: 5."""
    climbs(2).ruled("paraverse.check.partial", "acrobatics: partial failure", [6, 10])
    climbs(2, skills={"acrobatics": 3}).ruled("paraverse.check.failure", "acrobatics: failure", [5, 10])


def test_a_natural_20_succeeds():
    """paraverse.check.natural-20: 20-5 = 15 v 20."""
    climbs(20, "difficult", **with_skill(-5)).ruled("paraverse.check.natural-20", "acrobatics: success", [15, 20])


def test_a_natural_1_fails():
    """paraverse.check.natural-1: 1+12 = 13 v 10, and not even partially."""
    climbs(1, **with_skill(12)).ruled("paraverse.check.natural-1", "acrobatics: failure", [13, 10])


@pytest.mark.parametrize(("word", "target"), [("", 10), ("normal", 10), ("difficult", 20), ("extreme", 25), ("13", 13)])
def test_difficulties_have_names(word, target):
    """paraverse.check.difficulty"""
    told = climbs(10, word)
    assert [ruled.numbers[1].total for ruled in told.events if isinstance(ruled, Ruled)] == [target]
    impossible(planning(ildar()), Check("Ildar", "acrobatics", "hard"), "not a difficulty")


def test_the_extreme_needs_more_than_a_20():
    """paraverse.check.extreme: 20+3 = 23 v 25 is partial, 20+6 = 26 a success; 20-5 = 15 a failure."""
    climbs(20, "extreme", **with_skill(3)).ruled("paraverse.check.extreme", "acrobatics: partial failure", [23, 25])
    climbs(20, "extreme", **with_skill(6)).ruled("paraverse.check.success", "acrobatics: success", [26, 25])
    climbs(20, "30", **with_skill(-5)).ruled("paraverse.check.extreme", "acrobatics: failure", [15, 30])


def test_pain_tires():
    """paraverse.check.fatigue: 8+4-2 = 10; not with the option off, and not his shot."""
    climbs(8, pain=2).ruled("paraverse.check.partial", totals=[10, 10])
    told = said(planning(ildar(pain=2), fatigue_in_checks=False), Check("Ildar", "acrobatics"))
    resolved(told, "misc", [8]).ruled("paraverse.check.success", totals=[12, 10])


def test_combat_skills_do_not_tire_in_combat():
    """paraverse.check.fatigue"""
    from commands.rules.paraverse.combat import Shoot

    told = said(planning(ildar(pain=2), reaver()), Shoot("Ildar", "Reaver"))
    resolved(told, "ranged", [8, 19]).ruled("paraverse.ranged.hit-if-higher", totals=[14, 19])
    told = said(planning(ildar(pain=2)), Check("Ildar", "marksman"))
    resolved(told, "misc", [8]).ruled("paraverse.check.success", totals=[14, 10])
    told = given("paraverse", ildar(pain=2)).when(Check("Ildar", "marksman"), [8])
    told.ruled("paraverse.check.success", totals=[12, 10])


def test_outside_of_a_fight_a_check_is_rolled_at_once():
    """paraverse.dying.stabilize, paraverse.check.outcome: recorded as text."""
    told = given("paraverse", ildar()).when(Check("Ildar", "stabilization", "15", outcome="stanched"), [16])
    told.ruled("paraverse.check.success", totals=[16, 15])
    assert told.events[0].said["outcome"] == "stanched"


def test_deeds_and_checks_in_the_order_of_declaration():
    """paraverse.phase.misc, paraverse.action.misc"""
    told = said(planning(ildar(), reaver()), Check("Reaver", "athletics"), Misc("Ildar", "bars the door"))
    told = opened(told, "misc").when(Resolve(), [9])
    assert rolls(told) == [("Reaver", "check", (9,))]
    told.then(
        WaitingEnded("declared", "Reaver", "done"), WaitingEnded("declared", "Ildar", "done", why="bars the door")
    )


def test_one_deed_by_its_name():
    told = opened(said(planning(ildar(), reaver()), Misc("Ildar", "bars the door")), "misc")
    assert became(told.when(Misc("Ildar", outcome="it holds")), "Ildar") == "done"
    assert became(told.when(Resolve("Ildar", outcome="it holds")), "Ildar") == "done"
    told.refused(Misc("Reaver"), "paraverse.planning.closed")


@pytest.mark.parametrize("natural", range(1, 21))
@pytest.mark.parametrize("target", [10, 20, 25, 30])
def test_every_check_has_one_outcome(natural, target):
    """paraverse.check.success and its siblings: by the table, for a skill of 0."""
    if natural == 1:
        expected = "failure"
    elif natural > target or (natural == 20 and target < 25):
        expected = "success"
    else:
        expected = "partial failure" if target - natural < 5 else "failure"
    assert degree(natural, natural, target)[1] == expected


def test_the_difficulty_is_that_of_the_declaration():
    """paraverse.check.difficulty: the same once more does no harm, another is not just passed over."""
    told = opened(said(planning(ildar()), Check("Ildar", "acrobatics", "20")), "misc")
    told.when(Check("Ildar", "Acrobatics", "Difficult"), [17]).ruled("paraverse.check.success", totals=[21, 20])
    impossible(told, Check("Ildar", difficulty="15"), "declared as 20")
    impossible(planning(ildar()), Check("Ildar", "acrobatics", "-"), "not a difficulty")
    impossible(planning(ildar()), Check("Ildar", "acrobatics", "10000"), "not a difficulty")
    said(planning(ildar()), Check("Ildar", "acrobatics", "-9999"))


def test_a_skill_that_nobody_knows_is_answered_with_those_that_are_known():
    """paraverse.stat.base-skill: those of the sheet first."""
    with pytest.raises(UsageError) as stopped:
        planning(ildar(skills={"rope use": 2})).when(Check("Ildar", "acrobatic"))
    assert "Skills: rope use, one-handed, " in stopped.value.message
    assert ", acrobatics, " in stopped.value.message
    assert commands(offered_by(stopped.value)) == "affray check Ildar acrobatics\naffray misc Ildar acrobatic"


def test_a_skill_that_is_almost_one_of_the_book_is_refused():
    """paraverse.stat.base-skill: no shot would ask for `marksmen`; juggling is a skill of one's own."""
    impossible(given("paraverse"), ildar(skills={"marksmen": 5}), "'marksmen' is none of the book's; marksman is one")
    given("paraverse").when(ildar(skills={"juggling": 5}))
