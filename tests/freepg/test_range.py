"""Ranged attacks: distance and line of sight."""

import pytest

from commands.action.common import Option
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.sight import Mat
from ledger.errors import Refused
from ledger.events import HpLost, Overruled
from tests.hints import offered_by
from tests.kit import Told, no

from .table import BOW, boffin, brak, grub, jane, table


def walled(told: Told, *squares: list[int]) -> Told:
    return told.when(Begin(map={"obstacles": list(squares)}, unordered=True))


def shot(target: str = "Grub", **options: object) -> Attack:
    return Attack("Jane", (target,), **options)


def test_distance_is_the_largest_difference_height_included():
    """freepg.range.definition: from (0,0,0) to (2,-3,1) it is 3."""
    told = table(jane(at=(0, 0, 0)), grub(at=(2, -3, 1))).when(shot(), [15, 5])
    told.ruled("freepg.range.definition", "ranged", [3]).ruled("freepg.attack.hit-test", "hit", [13, 5])


def test_a_corner_is_adjacent():
    """freepg.range.definition: (1,1,0) is not ranged."""
    told = table(jane(at=(0, 0, 0)), grub(at=(1, 1, 0))).when(shot(), [15, 5])
    told.ruled("freepg.attack.hit-test", "hit", [15, 5])
    assert "freepg.range.definition" not in str(told.events)


def test_what_stands_on_the_line_is_named_but_not_those_at_its_ends_or_beside_it():
    """freepg.los.geometry: Brak and a wall; Boffin stands two squares beside, Grub where the line ends."""
    told = walled(table(jane(at=(0, 0)), grub(at=(4, 0)), brak(at=(2, 0)), boffin(at=(2, 2))), [3, 0])
    mat = Mat(Resolution(told.state, "attack", shot(), Dice(faces=())))
    found = {end: mat.between((0, 0, 0), (*end, 0)) for end in ((1, 0), (2, 0), (4, 0), (2, 2), (0, 3))}
    assert found == {(1, 0): "", (2, 0): "", (4, 0): "an obstacle and Brak", (2, 2): "", (0, 3): ""}
    assert mat.between((4, 0, 0), (2, 0, 0)) == "an obstacle"  # Brak's own squares are no obstacle to what is aimed at
    assert mat.between((2, 0, 0), (4, 0, 0)) == "an obstacle"  # nor to Brak


def test_a_wide_body_does_not_block_the_line_that_begins_or_ends_in_it():
    """freepg.los.geometry, freepg.enemy.footprint: Brak stands on (0,0) to (1,1), the line runs along (1,0)."""
    told = table(brak(at=(0, 0)), grub(at=(4, 0)))
    mat = Mat(Resolution(told.state, "attack", shot(), Dice(faces=())))
    assert mat.sees((0, 0, 0), (4, 0, 0))
    assert mat.sees((4, 0, 0), (0, 0, 0))
    assert not mat.sees((-1, 0, 0), (4, 0, 0))


def test_distance_is_said_only_when_it_is_not_known():
    """freepg.range.definition"""
    told = table(jane(at=(0, 0)), grub(at=(4, 0)))
    told.refused(shot(distance=2), "freepg.range.definition")
    told.when(shot(distance=2), [15, 5], allow="a crouch").ruled("freepg.attack.hit-test", "hit", [14, 5])
    told = table(jane(), grub(at=(4, 0)))
    told.when(shot(distance=2), [15, 5]).ruled("freepg.attack.hit-test", "hit", [14, 5])


def test_each_square_beyond_adjacent_costs_1():
    """freepg.range.penalty: bow +1, distance 6: 15+1-5 against 9, and 2 points of damage."""
    told = table(jane(BOW), grub()).when(shot(distance=6), [15, 9])
    told.ruled("freepg.attack.hit-test", "hit", [11, 9]).then(HpLost("Grub", 2, 18))


def test_adjacent_and_own_square_cost_nothing():
    """freepg.range.penalty"""
    for distance in (0, 1):
        told = table(jane(), grub()).when(shot(distance=distance), [10, 9])
        told.ruled("freepg.attack.hit-test", "hit", [10, 9])


def test_a_natural_20_waives_the_range():
    """freepg.range.critical: 20+1 and 5, less 9, is 17."""
    told = table(jane(BOW), grub()).when(shot(distance=6), [20, 9])
    told.ruled("freepg.range.critical").ruled("freepg.attack.natural-20-hit", "hit", [21, 9])
    told.then(HpLost("Grub", 17, 3))


def test_a_house_rule_keeps_the_range_penalty_on_a_20():
    """freepg.range.critical: 16, then 21, less 9, is 12."""
    told = table(jane(BOW), grub(), critical_ignores_range=False).when(shot(distance=6), [20, 9])
    told.ruled("freepg.attack.natural-20-hit", "hit", [16, 9]).then(HpLost("Grub", 12, 8))


@pytest.mark.parametrize(("word", "damage"), [("true", 17), ("false", 12), ("on", 17), ("off", 12)])
def test_the_house_rule_is_said_in_words(word, damage):
    """freepg.range.critical: the last word before the shot holds; 17 points without the penalty, 12 with it."""
    told = table(jane(BOW), grub(), critical_ignores_range=damage == 12).when(Option("critical_ignores_range", word))
    told.when(shot(distance=6), [20, 9]).then(HpLost("Grub", damage, 20 - damage))


def test_a_wall_between_forbids_a_ranged_attack():
    """freepg.range.line-of-sight: refused before any die; adjacent attacks need no sight."""
    told = walled(table(jane(at=(0, 0)), grub(at=(2, 0))), [1, 0])
    told.refused(shot(), "freepg.range.line-of-sight")
    allowed = told.when(shot(), [15, 5], allow="through a crack").ruled("freepg.attack.hit-test", "hit", [14, 5])
    assert any(isinstance(event, Overruled) for event in allowed.events)
    walled(table(jane(at=(0, 0)), grub(at=(1, 1))), [1, 0], [0, 1]).when(shot(), [15, 5]).then(HpLost("Grub", 10, 10))


def test_a_big_target_is_attacked_at_the_nearest_square_seen():
    """freepg.range.line-of-sight: Brak's square (3,0) is hidden, (3,1) is not; both are 3 away."""
    told = walled(table(jane(at=(0, 0)), brak(at=(3, 0))), [1, 0], [2, 0])
    told.refused(shot("Brak"), "freepg.range.line-of-sight")
    told = walled(table(jane(at=(0, 1)), brak(at=(3, 0))), [1, 0], [2, 0])
    told.when(shot("Brak"), [15, 5]).ruled("freepg.attack.hit-test", "hit", [13, 7])


def test_a_big_attacker_sights_from_any_of_its_squares():
    """freepg.range.line-of-sight: from (0,0) the wall hides Jane, from (0,1) it does not."""
    told = walled(table(brak(at=(0, 0)), jane(at=(4, 1))), [2, 0])
    told.when(Attack("Brak", ("Jane",)), [15, 5]).ruled("freepg.range.line-of-sight", "in line of sight")


def test_a_refused_shot_says_what_is_in_the_way():
    """freepg.range.line-of-sight"""
    told = walled(table(jane(at=(0, 0)), boffin(at=(2, 0)), grub(at=(3, 0))), [1, 0])
    with pytest.raises(Refused) as refused:
        told.when(shot(), [15, 5])
    assert offered_by(refused.value).startswith("In the way: an obstacle and Boffin. Move, or ")


def test_a_creature_on_the_line_blocks_it():
    """freepg.los.geometry: the line from (0,0) to (4,2) crosses these five squares, and no other."""
    crossed = {(1, 0), (1, 1), (2, 1), (3, 1), (3, 2)}
    for x in range(5):
        for y in range(3):
            if (x, y) in {(0, 0), (4, 2)}:
                continue
            told = table(jane(at=(0, 0)), grub(at=(4, 2)), boffin(at=(x, y)))
            if (x, y) in crossed:
                told.refused(shot(), "freepg.range.line-of-sight")
            else:
                told.when(shot(), [15, 5]).then(HpLost("Grub", 7, 13))


def test_touching_a_corner_does_not_block():
    """freepg.los.geometry: (0,0) to (2,2) is blocked by (1,1) alone."""
    walled(table(jane(at=(0, 0)), grub(at=(2, 2))), [1, 0], [0, 1]).when(shot(), [15, 5]).then(HpLost("Grub", 9, 11))
    walled(table(jane(at=(0, 0)), grub(at=(2, 2))), [1, 1]).refused(shot(), "freepg.range.line-of-sight")


def test_the_dying_block_and_the_dead_do_not():
    """freepg.los.geometry"""
    table(jane(at=(0, 0)), grub(at=(2, 0)), boffin(at=(1, 0), hp=0)).refused(shot(), "freepg.range.line-of-sight")
    dead = grub(at=(1, 0), name="Orc", hp=0)
    table(jane(at=(0, 0)), grub(at=(2, 0)), dead).when(shot(), [15, 5]).then(HpLost("Grub", 9, 11))


def test_neither_end_blocks():
    """freepg.los.geometry: a target that stands in an obstacle square is seen."""
    walled(table(jane(at=(0, 0)), grub(at=(2, 0))), [2, 0], [0, 0]).when(shot(), [15, 5]).then(HpLost("Grub", 9, 11))


def test_the_game_master_opens_and_closes_lines_for_height():
    """freepg.los.elevation"""
    told = walled(table(jane(at=(0, 0, 3)), grub(at=(2, 0))), [1, 0])
    told.refused(shot(), "freepg.range.line-of-sight")
    told.when(shot(los=("clear",)), [15, 5]).ruled("freepg.attack.hit-test", "hit", [13, 5])
    table(jane(at=(0, 0)), grub(at=(2, 0))).refused(shot(los=("blocked",)), "freepg.range.line-of-sight")
    table(jane(), grub()).refused(shot(los=("blocked",), distance=2), "freepg.range.line-of-sight")
    table(jane(), grub()).when(shot(los=("blocked",)), [15, 5]).then(HpLost("Grub", 10, 10), no(Overruled))


def test_from_a_place_on_the_mat_to_none_the_distance_must_be_said():
    """freepg.range.definition: both ways; where neither has a place, they are adjacent."""
    told = table(boffin(at=(0, 0)), grub())
    for who, target in (("Boffin", "Grub"), ("Grub", "Boffin")):
        told.refused(Attack(who, (target,)), "freepg.range.definition")
        far = told.when(Attack(who, (target,), distance=4), [12, 9])
        far.ruled("freepg.attack.hit-test", "miss", [9, 9])
    table(boffin(), grub()).when(Attack("Boffin", ("Grub",)), [12, 9]).ruled("freepg.attack.hit-test", "hit", [12, 9])
