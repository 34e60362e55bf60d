"""Skill checks and opposed rolls."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.freepg.checks import Check
from ledger.errors import Refused
from ledger.events import HpLost, PointsSpent, Rolled, Step
from tests.hints import offered_by
from tests.kit import no

from .table import boffin, fight, grub, impossible, jane, someone, table


def test_equal_or_more_succeeds():
    """freepg.check.skill: target 14: 14 climbs, 8 does not; it costs one action."""
    told = fight(boffin(), first="Boffin")
    told.when(Check("Boffin", dt=14), [14]).ruled("freepg.check.skill", "success", [14, 14]).then(
        PointsSpent("Boffin", "action", 1, 1)
    )
    told.when(Check("Boffin", dt=14), [8]).ruled("freepg.check.skill", "failure", [8, 14]).then(no(HpLost))
    told.when(Check("Boffin", dt=0), [2]).ruled("freepg.check.skill", "success", [2, 0])


@pytest.mark.parametrize(
    ("dt", "band"),
    [(7, "easy"), (8, "average"), (12, "average"), (13, "hard"), (16, "hard"), (17, "very hard"), (20, "very hard")],
)
def test_targets_have_names(dt, band):
    """freepg.check.skill: bands, for naming only."""
    told = table(boffin()).when(Check("Boffin", dt=dt), [10])
    assert told.events[-1].numbers[1].steps == (Step(dt, band),)


def test_natural_1_fails_and_natural_20_succeeds():
    """freepg.check.natural: climbing +5, target 6, with a 1: fails."""
    told = table(boffin(skill={"climb": 5}), grub())
    told.when(Check("Boffin", dt=6, skill="climb"), [1]).ruled("freepg.check.natural", "failure", [6, 6])
    told.when(Check("Boffin", dt=30), [20]).ruled("freepg.check.natural", "success", [20, 30])
    told.when(Check("Boffin", against=("Grub",)), [20, 20]).ruled("freepg.check.natural", "success", [20, 20])
    told.when(Check("Boffin", against=("Grub",), mod=("9",)), [1, 2]).ruled("freepg.check.natural", "failure", [10, 2])


def test_a_harmful_failure_hurts():
    """freepg.check.harm: Boffin, target 14, 8: fails and takes 6; 1+15 fails and takes nothing."""
    told = table(boffin())
    told.when(Check("Boffin", dt=14, harmful=True), [8]).ruled("freepg.check.harm", "", [6]).then(
        HpLost("Boffin", 6, 49)
    )
    told.when(Check("Boffin", dt=14, harmful=True, mod=("15",)), [1]).ruled("freepg.check.harm", "", [0]).then(
        no(HpLost)
    )
    told.when(Check("Boffin", dt=14, harmful=True), [14]).then(no(HpLost))


def test_skills_and_worn_items_help():
    """freepg.check.skill-bonus: climb +5, target 14, 9: 14; gloves would add 2 more, but only for climbing."""
    belt = {"name": "hooked belt", "slot": "belt", "skill": {"climb": 2}}
    told = table(boffin(skill={"climb": 5}))
    told.when(Check("Boffin", dt=14, skill="Climb"), [9]).ruled("freepg.check.skill", "success", [14, 14])
    told.when(Check("Boffin", dt=14, skill="swim"), [9]).ruled("freepg.check.skill", "failure", [9, 14])
    told = table(boffin(belt, skill={"climb": 5}))
    told.when(Check("Boffin", dt=14, skill="climb"), [9]).ruled("freepg.check.skill", "success", [16, 14])
    told.when(Check("Boffin", dt=14, skill="swim"), [9]).ruled("freepg.check.skill", "failure", [9, 14])


def test_a_player_character_has_one_skill():
    """freepg.check.skill-bonus: at +5; others may have what the game master gives them."""
    for skill in ({"climb": 5, "hide": 5}, {"climb": 6}):
        table().refused(someone("A", skill=skill), "freepg.check.skill-bonus")
    table().when(someone("A", kind="ally", skill={"climb": 2, "hide": 7}))


def test_an_unrelated_skill_raises_the_target():
    """freepg.check.unrelated-skill: 12 and 3 is 15; 4 is refused."""
    told = table(boffin())
    told.when(Check("Boffin", dt=12, unrelated=3), [14]).ruled("freepg.check.skill", "failure", [14, 15])
    for unrelated in (4, -1):
        told.refused(Check("Boffin", dt=12, unrelated=unrelated), "freepg.check.unrelated-skill")


def test_an_opposed_roll_must_beat_everybody():
    """freepg.check.opposed: Jane 14 past trolls with 9, 13, 6; with a troll at 14 she is noticed."""
    trolls = [grub(name=f"Troll-{nth}") for nth in (1, 2, 3)]
    told = table(jane(), *trolls)
    sneak = Check("Jane", against=("Troll-1", "Troll-2", "Troll-3"))
    told.when(sneak, [14, 9, 13, 6]).ruled("freepg.check.opposed", "success", [14, 13])
    told = told.when(sneak, [14, 9, 14, 6]).ruled("freepg.check.opposed", "failure", [14, 14])
    assert [event.who for event in told.events if isinstance(event, Rolled)] == [
        "Jane",
        "Troll-1",
        "Troll-2",
        "Troll-3",
    ]


def test_a_roll_against_one_is_about_that_one():
    """freepg.check.opposed: against several it is about none of them."""
    told = table(jane(), grub(), someone("Brak"))
    told.when(Check("Jane", against=("Grub",)), [14, 9]).then(Rolled("Jane", "check", "Grub", "1d20", (14,), (0,)))
    told.when(Check("Jane", against=("Grub", "Brak")), [14, 9, 9]).then(
        Rolled("Jane", "check", "", "1d20", (14,), (0,))
    )


def test_the_fallen_oppose_nobody():
    """freepg.check.opposed"""
    table(jane(), grub(hp=0)).refused(Check("Jane", against=("Grub",)), "freepg.check.opposed")


def test_a_check_is_of_one_kind():
    told = table(jane(), grub(), someone("Pit", kind="trap", trap="single"))
    for check in (
        Check("Jane"),
        Check("Jane", dt=10, against=("Grub",)),
        Check("Jane", dt=10, fall=True),
        Check("Jane", against=("Grub",), harmful=True),
        Check("Pit", dt=10),
    ):
        impossible(told, check, "A check is")


def test_only_the_game_masters_target_is_raised():
    """freepg.check.unrelated-skill"""
    told = table(boffin(), grub())
    impossible(told, Check("Boffin", against=("Grub",), unrelated=3), "--unrelated")
    impossible(told, Check("Boffin", fall=True, unrelated=3), "--unrelated")


def test_the_dead_do_not_keep_from_falling():
    """freepg.dying.dead"""
    told = table(boffin()).when(Adjust("Boffin", "down", "dead", "fate"))
    told.refused(Check("Boffin", fall=True), "freepg.dying.dead")
    aloft = told.when(Adjust("Boffin", "at", "2,3,4", "he is thrown"))
    with pytest.raises(Refused) as refused:
        aloft.when(Check("Boffin", fall=True))
    assert offered_by(refused.value) == "affray adjust Boffin at 2,3 'the reason'"
