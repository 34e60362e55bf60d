"""Enemies and traps."""

import pytest

from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Terrain
from commands.rules.freepg.healing import Heal
from commands.rules.freepg.traps import Pass
from commands.rules.freepg.turns import Done
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Felled, HpLost, HpSet, Placed, PointsSpent
from tests.kit import no

from .table import boffin, brak, fight, grub, impossible, jane, someone, table


@pytest.mark.parametrize(
    ("size", "hp", "squares"), [("minion", 1, 1), ("small", 20, 1), ("medium", 30, 4), ("large", 40, 16)]
)
def test_size_gives_health_and_squares(size, hp, squares):
    """freepg.enemy.health"""
    from commands.rules.freepg.board import body

    told = table().when(someone("A", (0, 0), kind="enemy", size=size)).then(HpSet("A", hp, hp))
    told.ruled("freepg.enemy.health", "", [hp])
    assert len(body(View(told.state), "A")) == squares


def test_a_big_body_is_one_creature():
    """freepg.enemy.footprint: medium at (3,0) covers (3,0) to (4,1); from (0,0) it is 3 away."""
    told = table(jane(at=(0, 0)), brak(at=(3, 0))).when(Attack("Jane", ("Brak",)), [15, 4])
    told.ruled("freepg.range.definition", "ranged", [3]).ruled("freepg.attack.hit-test", "hit", [13, 6])
    for square in ((3, 0, 0), (4, 0, 0), (3, 1, 0), (4, 1, 0)):
        table(boffin(at=(9, 9)), brak(at=(3, 0))).when(Attack("Boffin", (), at=square, los=("clear",)), [20, 4]).then(
            HpLost("Brak", 19, 11)
        )


def test_a_big_body_blocks_sight_with_all_its_squares():
    """freepg.enemy.footprint"""
    told = table(jane(at=(0, 1)), brak(at=(3, 0)), grub(at=(7, 1)))
    told.refused(Attack("Jane", ("Grub",)), "freepg.range.line-of-sight")


def test_enemies_at_0_are_dead():
    """freepg.enemy.dies-at-zero: a minion hit for 1 is dead, hit for 0 it lives."""
    told = table(boffin(), someone("Minion", kind="enemy", size="minion"))
    told.when(Attack("Boffin", ("Minion",)), [10, 9]).ruled("freepg.enemy.dies-at-zero").then(Felled("Minion", "dead"))
    told = told.when(Attack("Boffin", ("Minion",), mod=("damage:-5",)), [10, 9])
    told.ruled("freepg.attack.damage", totals=[0]).then(no(Felled), no(HpLost))


def test_a_flat_bonus_counts_for_attack_and_defense():
    """freepg.enemy.flat-bonus: Brak 10+2 against 11: 1 damage; not to damage or armor themselves."""
    table(brak(), jane()).when(Attack("Brak", ("Jane",)), [10, 11]).then(HpLost("Jane", 1, 51))
    told = table(jane(), brak()).when(Attack("Jane", ("Brak",)), [12, 9])
    told.ruled("freepg.attack.hit-test", "hit", [12, 11]).then(HpLost("Brak", 1, 29))


def test_minions_stand_for_bigger_enemies():
    """freepg.enemy.minions: each its own combatant, with its bonus."""
    from commands.action.common import Join

    told = table().when(Join(({"name": "Minion", "kind": "enemy", "size": "minion", "flat_bonus": 2},), count=4))
    assert told.state.roster.order == ("Minion-1", "Minion-2", "Minion-3", "Minion-4")


DARTS = someone("Darts", kind="trap", trap="single")
FLAMES = someone("Flames", kind="trap", trap="continuous")


def test_a_trap_attacks_when_it_is_triggered():
    """freepg.trap.attack: 13 against 9: 4 damage, on any turn, at no action."""
    told = fight(jane(), FLAMES, first="Jane").when(Attack("Flames", ("Jane",), triggered=True), [13, 9])
    told.then(HpLost("Jane", 4, 48), no(PointsSpent))
    assert "Flames" not in told.state.harm.hp


def test_a_trap_stands_on_the_square_that_triggered_it():
    """freepg.trap.attack: distance 0 for Jane; an area reaches her neighbour from there; the trap is no body."""
    told = table(jane(at=(4, 4)), boffin(at=(5, 4)), FLAMES)
    told.when(Attack("Flames", ("Jane",), radius=2, triggered=True), [13, 9, 9]).then(
        HpLost("Jane", 3, 49), HpLost("Boffin", 3, 52)
    )
    placed = table(jane(at=(4, 4)), someone("Pit", (4, 4), kind="trap", trap="single"), grub(at=(2, 4)))
    placed.when(Attack("Pit", ("Jane",), triggered=True), [13, 9]).then(HpLost("Jane", 9, 43))
    between = table(jane(at=(0, 0)), someone("Pit", (1, 0), kind="trap", trap="single"), grub(at=(2, 0)))
    between.when(Attack("Jane", ("Grub",)), [13, 9]).then(HpLost("Grub", 3, 17))


def test_a_trap_waits_to_be_triggered():
    """freepg.trap.attack, freepg.trap.continuous"""
    table(jane(), DARTS).refused(Attack("Darts", ("Jane",)), "freepg.trap.attack")
    told = fight(jane(), FLAMES, first="gm")
    told.refused(Attack("Flames", ("Jane",)), "freepg.trap.continuous")
    told.refused(Pass("Flames"), "freepg.trap.continuous")


def test_a_single_fire_trap_hits_harder_and_only_once():
    """freepg.trap.single-fire: 13+5-9 = 9; a second attack is refused."""
    told = table(jane(), DARTS).when(Attack("Darts", ("Jane",), triggered=True), [13, 9])
    told.ruled("freepg.attack.damage", totals=[9]).then(HpLost("Jane", 9, 43))
    told.refused(Attack("Darts", ("Jane",), triggered=True), "freepg.trap.single-fire")
    told.when(Attack("Darts", ("Jane",), triggered=True), [13, 9], allow="reset").then(HpLost("Jane", 9, 34))


def test_a_continuous_trap_grows_stronger_while_it_waits():
    """freepg.trap.continuous: five turns of waiting: +10. Trap 4, Jane 9: 14 > 9, damage 5."""
    told = fight(jane(), FLAMES, first="gm").when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    for bonus in (2, 4, 6, 8, 10):
        told = told.when(Pass("Flames")).ruled("freepg.trap.continuous", f"+{bonus}")
        told.then(ConditionGained("Flames", "waiting", amount=bonus, modifies="attack"))
        told = told.when(Done()).when(Done())
    told = told.when(Attack("Flames", ("Jane",)), [4, 9]).ruled("freepg.attack.hit-test", "hit", [14, 9])
    told.then(HpLost("Jane", 5, 47), ConditionEnded("Flames", "waiting"))


def test_a_continuous_trap_acts_once_on_the_game_masters_turn():
    """freepg.trap.continuous"""
    told = fight(jane(), FLAMES, first="gm").when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    told.refused(Attack("Flames", ("Jane",), triggered=True), "freepg.trap.continuous")
    told = told.when(Attack("Flames", ("Jane",)), [2, 9])
    told.refused(Pass("Flames"), "freepg.trap.continuous")
    told.refused(Attack("Flames", ("Jane",)), "freepg.trap.continuous")
    told.when(Done()).refused(Pass("Flames"), "freepg.turn.out-of-turn")


def test_allies_act_before_continuous_traps():
    """freepg.initiative.gm-seat"""
    told = fight(jane(), FLAMES, someone("Guard", kind="ally"), first="gm")
    told = told.when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    told.when(Attack("Guard", ("Jane",)), [2, 9])
    told.when(Pass("Flames")).refused(Attack("Guard", ("Jane",)), "freepg.initiative.gm-seat")


def test_traps_have_no_health():
    told = table(jane(), FLAMES)
    impossible(told, Attack("Jane", ("Flames",)), "no health")
    impossible(told, Heal("Jane", "Flames"), "no health")
    impossible(told, Pass("Jane"), "not a continuous trap")
    impossible(table(), someone("A", kind="trap"), "kind trap")
    impossible(table(), someone("A", trap="single"), "kind trap")


def test_a_trap_stands_from_then_on_where_it_was_triggered():
    """freepg.trap.attack: triggered at (4,0); at (8,0) Jane is 4 squares away: 13 - 3 = 10 against 9."""
    far = fight(jane(at=(4, 0)), FLAMES, first="gm").when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    far.then(Placed("Flames", (4, 0, 0)))
    far = far.when(Adjust("Jane", "at", "8,0", "she runs"))
    struck = far.when(Attack("Flames", ("Jane",)), [13, 9]).ruled("freepg.range.definition", "ranged", [4])
    struck.ruled("freepg.attack.hit-test", "hit", [10, 9]).then(HpLost("Jane", 1, 51), no(Placed))
    far.when(Terrain("obstacle", ((6, 0, 0),))).refused(Attack("Flames", ("Jane",)), "freepg.range.line-of-sight")


def test_a_trap_whose_place_nobody_knows_is_placed_first():
    """freepg.trap.attack: it was triggered before anybody was on the mat."""
    told = fight(jane(), FLAMES, first="gm").when(Attack("Flames", ("Jane",), triggered=True), [2, 9])
    told = told.when(Adjust("Jane", "at", "4,0", "the mat comes out"))
    impossible(told, Attack("Flames", ("Jane",)), "Where does Flames stand")
    told.when(Attack("Flames", ("Jane",), distance=4), [13, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])
    told = told.when(Adjust("Flames", "at", "4,1", "there"))
    told.when(Attack("Flames", ("Jane",)), [10, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])


def test_a_trap_may_be_triggered_and_hold_its_attack_for_five_turns():
    """freepg.trap.continuous: the ceiling waits from its trigger on Jane's turn: five turns, +10. 4+10 against 9: 5."""
    told = fight(jane(at=(2, 2)), FLAMES, first="Jane")
    impossible(told, Pass("Flames", triggered=True), "On which square")
    impossible(told, Pass("Flames", at=(2, 2, 0)), "not triggered by this")
    told = told.when(Pass("Flames", triggered=True, at=(2, 2, 0))).then(Placed("Flames", (2, 2, 0)), no(PointsSpent))
    told.refused(Pass("Flames", triggered=True), "freepg.trap.continuous")
    for bonus in (2, 4, 6, 8, 10):
        told = told.when(Done()).when(Pass("Flames")).ruled("freepg.trap.continuous", f"+{bonus}").when(Done())
    told.when(Done()).when(Attack("Flames", ("Jane",)), [4, 9]).then(HpLost("Jane", 5, 47))


def test_a_triggered_trap_is_not_forgotten_at_the_end_of_the_game_masters_turn():
    """freepg.turn.two-actions: done names it; with --pass-rest it waits."""
    told = fight(jane(), FLAMES, first="Jane").when(Pass("Flames", triggered=True)).when(Done())
    told.refused(Done(), "freepg.turn.two-actions")
    told.when(Done(pass_rest=True)).ruled("freepg.trap.continuous", "+2")
    fight(jane(), FLAMES, first="gm").when(Done())


@pytest.mark.parametrize("skill", [{"heal": 5, "healing": 4}, {"Lore": 5, "lore": 4}])
def test_a_skill_is_named_once(skill: dict[str, int]):
    """freepg.check.skill-bonus: healing is another word for heal, and large letters make no other skill."""
    with pytest.raises(UsageError, match=r"has the skill (heal|lore) twice"):
        table(grub(skill=skill))
