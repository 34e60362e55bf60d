"""Odds of FReePG, computed by hand."""

import pytest

from commands.rules.freepg.attack import Attack
from commands.rules.freepg.checks import Check
from commands.rules.freepg.healing import Heal
from tests.odds import answered, foreseen, valued

from .table import boffin, grub, jane, table

SWORD = {"name": "long sword", "slot": "weapon", "attack": 5}


def test_one_d20_against_another():
    """freepg.attack.hit-test, freepg.attack.natural-1, freepg.attack.natural-20-hit

    A natural a from 2 to 19 beats a - 1 faces: 1 + 2 + ... + 18 = 171; a 20 hits all 20: 191 of 400.
    """
    odds = foreseen(table(boffin(), grub()), Attack("Boffin", ("Grub",)))
    assert answered(odds) == {("Boffin", "Grub"): {"miss": "209/400", "hit": "191/400"}}
    assert odds.tried == 381, "against a natural 1 nobody's defense is looked at"


def test_an_attack_bonus_of_5():
    """freepg.attack.attack-bonus: a + 5 beats 6 to 20 faces for a from 2 to 16, 195 in all, and 20 each from 17 on."""
    odds = foreseen(table(boffin(SWORD), grub()), Attack("Boffin", ("Grub",)))
    assert answered(odds) == {("Boffin", "Grub"): {"hit": "275/400", "miss": "125/400"}}


def test_damage_is_the_difference_and_a_natural_20_adds_5():
    """freepg.attack.damage-score, freepg.attack.natural-20-damage, freepg.enemy.dies-at-zero

    One point is lost by 18 pairs (2 and 1 to 19 and 18). Five by 14 pairs, and by a 20 against a 20. All 20 by a 20
    against 1 to 5: it is dead.
    """
    told = table(boffin(), grub())
    odds = foreseen(told, Attack("Boffin", ("Grub",)))
    hp = valued(odds, told, "Grub.hp")
    assert (hp["20"], hp["19"], hp["15"], hp["0"]) == ("209/400", "18/400", "15/400", "5/400")
    assert valued(odds, told, "Grub.down") == {"dead": "5/400", "-": "395/400"}


@pytest.mark.slow
def test_everybody_in_an_area_is_hit_or_missed_for_itself_but_by_one_die():
    """freepg.area.everyone: each 191 of 400. Both: 1 + 4 + 9 + ... + 324 = 2109 of 8000, and 400 by the 20."""
    odds = foreseen(table(boffin(), grub(), jane()), Attack("Boffin", ("Grub", "Jane"), radius=2))
    assert {whose: answers["hit"] for whose, answers in answered(odds).items()} == {
        ("Boffin", "Grub"): "3820/8000",
        ("Boffin", "Jane"): "3820/8000",
    }
    both = odds.chances(lambda outcome: [sum(one.outcome == "hit" for one in outcome.said)])
    assert (both[2], odds.of) == (2109 + 400, 8000)


def test_a_check_against_14_with_a_bonus_of_5():
    """freepg.check.skill: 9 to 20, 12 of 20."""
    told = table(boffin(skill={"climb": 5}))
    assert answered(foreseen(told, Check("Boffin", dt=14, skill="climb"))) == {
        ("Boffin", ""): {"success": "12/20", "failure": "8/20"}
    }


def test_an_opposed_roll():
    """freepg.check.opposed, freepg.check.natural: strictly higher, a 20 always, a 1 never: 171 + 20."""
    told = table(boffin(), jane())
    odds = foreseen(told, Check("Boffin", against=("Jane",)))
    assert answered(odds) == {("Boffin", ""): {"failure": "209/400", "success": "191/400"}}


def test_healing_has_one_line_for_each_answer_whichever_clause_gives_it():
    """freepg.heal.difficulty, freepg.check.natural: 13 on another, so 13 to 20."""
    told = table(boffin(), grub())
    odds = foreseen(told, Heal("Boffin", "Grub"))
    assert answered(odds) == {("Boffin", ""): {"failure": "12/20", "success": "8/20"}}
