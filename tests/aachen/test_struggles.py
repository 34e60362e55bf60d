"""Shoving and grappling."""

import pytest

from commands.rules.aachen.attack import Charge
from commands.rules.aachen.instants import Defend
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Retreat
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rounds import Turn
from commands.rules.aachen.struggles import Grapple, Push
from ledger.errors import Refused, UsageError
from ledger.events import ConditionEnded, ConditionGained, Disengaged, Felled, HpLost, Moved
from tests.hints import commands, offered_by
from tests.kit import no

from .table import (
    adalger,
    adjusted,
    contact,
    fight,
    gerlind,
    guard,
    has,
    hp,
    impossible,
    left,
    next_round,
    passed,
    rolls,
    wolf,
)

DUEL = (adalger(), guard())
HIT = "aachen.attack.hit-test"


def holding(*more, **fields):
    """Adalger holds Guard."""
    told = fight(adalger(), guard(hp_max=20, **fields), *more)
    return told.when(Grapple("Adalger", "Guard"), dice=[11, 6, 5, 1, 1])


# Shoving


def test_a_shove_begins_with_a_hit():
    """aachen.shove.hit: unarmed, 11 + 4 + 1 - 2; no damage; a miss ends it, without shock."""
    told = fight(*DUEL).when(Push("Adalger", "Guard", "prone"), dice=[11, 4, 5, 5, 3])
    told.ruled(HIT, "hit", [14, 14]).then(no(HpLost))
    assert left(told, "Adalger") == (0, 1)
    soft = fight(adalger(), guard(ac=13))
    missed = soft.when(Push("Adalger", "Guard", "prone", with_="sword"), dice=[2]).then(no(HpLost))
    assert rolls(missed) == [("Adalger", "1d20", "attack")]
    impossible(fight(*DUEL), Push("Adalger", "Guard"), "Back, or")


def test_a_shove_is_opposed():
    """aachen.shove.opposed: 4, 5 + 1 - 1 is 9; 5, 3 - 1 is 7."""
    told = fight(*DUEL).when(Push("Adalger", "Guard", "prone"), dice=[11, 4, 5, 5, 3])
    told.ruled("aachen.shove.opposed", "shoved", [9, 7])
    told = fight(*DUEL).when(Push("Adalger", "Guard", "prone"), dice=[11, 1, 1, 5, 3])
    told.ruled("aachen.shove.opposed", "holds", [2, 7])
    assert not has(told, "Guard", "prone")


def test_the_better_of_punch_and_exert_counts():
    """aachen.shove.opposed: Guard's Exert 2, Punch 0: 5, 3 + 2."""
    told = fight(adalger(skills={"exert": 1}), guard(skills={"punch": 0, "exert": 2}))
    told = told.when(Push("Adalger", "Guard", "back"), dice=[13, 4, 5, 5, 3])
    told.ruled("aachen.shove.opposed", "shoved", [11, 10])


def test_what_a_shove_does():
    """aachen.shove.result: prone and still in contact, or ten feet back and out of it, without free attacks."""
    told = fight(*DUEL).when(Push("Adalger", "Guard", "prone"), dice=[11, 4, 5, 5, 3])
    told.ruled("aachen.shove.result", "to the ground").then(ConditionGained("Guard", "prone"))
    assert contact(told, "Guard") == {"Adalger"}
    told = fight(*DUEL).when(Push("Adalger", "Guard", "back"), dice=[11, 4, 5, 5, 3])
    told.ruled("aachen.shove.result", "10 feet back").then(Disengaged("Adalger", "Guard"))
    assert len(rolls(told)) == 3


def test_a_monster_struggles_with_its_bonus():
    """aachen.shove.opposed: Wolf 5, 3 + 1."""
    told = fight(adalger(), wolf()).when(Push("Adalger", "Wolf", "prone"), dice=[9, 4, 5, 5, 3])
    told.ruled("aachen.check.opposed", "shoved", [9, 9])


# Grappling


def test_a_grapple_begins_with_a_hit():
    """aachen.grapple.hit: 10 is 13 against AC 14: a miss."""
    told = fight(*DUEL).when(Grapple("Adalger", "Guard"), dice=[10]).ruled(HIT, "miss", [13, 14])
    assert not has(told, "Guard", "grappled")
    impossible(fight(*DUEL), Grapple("Adalger", "Guard", with_="sword"), "bare hands")


def test_a_grapple_is_opposed():
    """aachen.grapple.opposed: 4, 5 + 1 - 1 is 9; 6, 4 - 1 is 9: the tie is the player character's."""
    told = fight(*DUEL).when(Grapple("Adalger", "Guard"), dice=[11, 4, 5, 6, 4])
    told.ruled("aachen.check.opposed", "grappled", [9, 9])
    told.then(ConditionGained("Guard", "grappled", "encounter-end", whom=("Adalger",)))
    told = fight(*DUEL).when(Grapple("Adalger", "Guard"), dice=[11, 4, 4, 6, 4])
    told.ruled("aachen.grapple.opposed", "not grappled", [8, 9])


def test_what_a_grapple_forbids():
    """aachen.grapple.restrictions: no moving, no shooting, no weapon, nobody else."""
    clause = "aachen.grapple.restrictions"
    told = passed(holding(gerlind(), wolf()), "Adalger", "Gerlind")
    told.refused(Attack("Guard", "Adalger", with_="sword"), clause)
    told.refused(Attack("Guard", "Gerlind", with_="unarmed"), clause)
    told.refused(Move("Guard", 10), clause)
    told.refused(Retreat("Guard"), clause)
    told.when(Attack("Guard", "Adalger", with_="unarmed"), dice=[2]).when(Defend("Wolf"))
    told = next_round(told, dice=(1,))
    told.refused(Attack("Adalger", "Guard"), clause)
    told.refused(Shoot("Adalger", "Wolf", distance=20), clause)


def test_anyone_who_is_in_a_grapple_strikes_nobody_who_leaves():
    """aachen.grapple.restrictions: neither makes free attacks."""
    told = adjusted(holding(gerlind()), "Gerlind", "engaged", "Guard")
    assert rolls(told.when(Move("Gerlind", 20, leave=("all",)))) == []


def test_a_grapple_hurts_each_round():
    """aachen.grapple.round-damage: Adalger holds Guard: d2 1 + 1."""
    told = next_round(holding(), dice=(1,)).ruled("aachen.grapple.round-damage", "", [2])
    told.then(HpLost("Guard", 2, 18))
    assert rolls(told) == [("Adalger", "1d2", "grapple damage")]


def test_several_may_hold_one():
    """aachen.grapple.round-damage: each holder, in roster order, until the held one falls."""
    told = passed(holding(adalger("Bero")), "Adalger")
    told = told.when(Grapple("Bero", "Guard"), dice=[11, 6, 5, 1, 1])
    assert told.state.conditions.of["Guard"]["grappled"].whom == ("Adalger", "Bero")
    next_round(told, dice=(1, 2)).then(HpLost("Guard", 2, 18), HpLost("Guard", 3, 15))
    weak = adjusted(told, "Guard", "hp", "2")
    next_round(weak, dice=(1,)).then(HpLost("Guard", 2, 0), Felled("Guard", "dying"))


def test_a_weak_grip_hurts_nobody():
    """aachen.grapple.round-damage, aachen.damage.floor: 1 on the die less 2, for STR 3 and DEX 3, is 0."""
    told = adjusted(adjusted(holding(), "Adalger", "attributes.str", "3"), "Adalger", "attributes.dex", "3")
    next_round(told, dice=(1,)).ruled("aachen.grapple.round-damage", "", [0]).then(no(HpLost))


def test_a_fall_ends_a_grapple():
    """aachen.damage.out-of-action: anyone who is down holds nobody and is held by nobody."""
    told = adjusted(holding(), "Guard", "down", "dead")
    assert not has(told, "Adalger", "grappling")
    told = adjusted(holding(), "Adalger", "down", "dead")
    assert not has(told, "Guard", "grappled")
    told = adjusted(fight(*DUEL), "Guard", "down", "dying")
    told.refused(Grapple("Adalger", "Guard"), "aachen.damage.out-of-action")
    told = told.when(Grapple("Adalger", "Guard"), dice=[15, 6, 6, 1, 1], allow="for the show")
    assert not has(told, "Guard", "grappled")


def test_escaping():
    """aachen.grapple.escape: Guard 6, 5 - 1 is 10, Adalger 4, 5 + 1 - 1 is 9: free."""
    told = passed(holding(), "Adalger").when(Grapple("Guard", escape=True), dice=[6, 5, 4, 5])
    told.ruled("aachen.grapple.escape", "free", [10, 9])
    assert not has(told, "Guard", "grappled")
    assert not has(told, "Adalger", "grappling")
    held = passed(holding(), "Adalger").when(Grapple("Guard", escape=True), dice=[6, 4, 4, 5])
    held.ruled("aachen.grapple.escape", "held", [9, 9])
    assert has(held, "Guard", "grappled")
    impossible(fight(*DUEL), Grapple("Adalger", escape=True), "Nobody holds")


def test_every_holder_must_be_beaten():
    """aachen.grapple.escape: one of two is not enough; a tie is the held player character's."""
    told = passed(holding(adalger("Bero")), "Adalger")
    told = told.when(Grapple("Bero", "Guard"), dice=[11, 6, 5, 1, 1])
    told = told.when(Grapple("Guard", escape=True), dice=[5, 4, 1, 1, 6, 5])
    told.ruled("aachen.grapple.escape", "free", [8, 2]).ruled("aachen.grapple.escape", "held", [8, 11])
    assert has(told, "Guard", "grappled")
    told = passed(fight(adalger(), guard()), "Adalger").when(Grapple("Guard", "Adalger"), dice=[19, 6, 6, 1, 1])
    told = next_round(told, dice=(2,)).when(Grapple("Adalger", escape=True), dice=[4, 5, 6, 4])
    told.ruled("aachen.grapple.escape", "free", [9, 9])


@pytest.mark.parametrize("kind", ["pc", "npc"])
def test_a_tie_between_two_of_a_kind_is_the_holders(kind: str):
    """aachen.grapple.escape: only a player character has it, and only from one who is none; 9 and 9."""
    told = passed(fight(adalger(kind=kind, attack_bonus=4), guard(kind=kind)), "Adalger").when(
        Grapple("Guard", "Adalger"), dice=[19, 6, 6, 1, 1]
    )
    told = next_round(told, dice=(2,)).when(Grapple("Adalger", escape=True), dice=[4, 5, 6, 4])
    told.ruled("aachen.grapple.escape", "held", [9, 9])


def test_letting_go():
    """aachen.grapple.release: on the own turn, for nothing."""
    told = holding().when(Grapple("Adalger", release=True))
    told.then(ConditionEnded("Adalger", "grappling"), ConditionEnded("Guard", "grappled"))
    impossible(told, Grapple("Adalger", release=True), "holds nobody")
    impossible(told, Grapple("Adalger", "Guard", release=True), "One thing")
    impossible(passed(holding(), "Adalger"), Grapple("Guard", release=True), "is held by Adalger")
    with pytest.raises(UsageError) as error:
        holding().when(Grapple("Guard", release=True))
    assert offered_by(error.value) == "affray grapple Adalger --release"


def test_dragging_and_throwing():
    """aachen.grapple.drag: 5, 4 is 9 against 2, 3 - 1: thrown, prone and free; or both move."""
    told = next_round(holding(), dice=(1,))
    thrown = told.when(Grapple("Adalger", drag="throw"), dice=[5, 4, 2, 3])
    thrown.ruled("aachen.grapple.drag", "thrown", [9, 4]).then(ConditionGained("Guard", "prone"))
    assert not has(thrown, "Guard", "grappled")
    dragged = told.when(Grapple("Adalger", drag="back"), dice=[5, 4, 2, 3])
    dragged.then(Moved("Adalger", "drag", 0, measure="10 feet"), Moved("Guard", "follow", 0, measure="10 feet"))
    assert has(dragged, "Guard", "grappled")
    lost = told.when(Grapple("Adalger", drag="back"), dice=[1, 1, 5, 4])
    lost.ruled("aachen.grapple.drag", "breaks free", [2, 8])
    assert not has(lost, "Guard", "grappled")
    tie = told.when(Grapple("Adalger", drag="throw"), dice=[5, 4, 5, 5])
    tie.ruled("aachen.check.opposed", "thrown", [9, 9])


def test_one_at_a_time():
    """aachen.grapple.one-at-a-time: Adalger holds Guard."""
    told = next_round(holding(wolf()), dice=(1,))
    told.refused(Grapple("Adalger", "Wolf"), "aachen.grapple.one-at-a-time")


def test_size_matters():
    """aachen.grapple.size: --size-penalty 2: 12 + 3 - 2, and -2 on the check."""
    told = fight(*DUEL).when(Grapple("Adalger", "Guard", size_penalty=2), dice=[12])
    told.ruled(HIT, "miss", [13, 14])
    told = fight(*DUEL).when(Grapple("Adalger", "Guard", size_penalty=2), dice=[13, 6, 5, 4, 4])
    told.ruled("aachen.grapple.opposed", "grappled", [9, 7])
    told = fight(*DUEL).when(Push("Adalger", "Guard", "back", size_penalty=4), dice=[15, 6, 5, 5, 4])
    told.ruled("aachen.shove.opposed", "holds", [7, 8])


def test_the_game_master_ends_a_grapple():
    """One that does not hold for both holds for neither."""
    assert not has(adjusted(holding(), "Guard", "no-condition", "grappled"), "Adalger", "grappling")
    assert not has(adjusted(holding(), "Adalger", "no-condition", "grappling"), "Guard", "grappled")
    assert hp(holding(), "Guard") == 20


def test_a_shove_back_ends_the_hold():
    """aachen.shove.result: ten feet apart nobody holds the other."""
    told = next_round(holding(), dice=(1,)).when(Push("Adalger", "Guard", "back"), dice=[15, 6, 5, 1, 1])
    assert not has(told, "Guard", "grappled")
    assert not contact(told, "Guard")
    impossible(fight(*DUEL), Push("Adalger", "Guard", "back", size_penalty=3), "not a penalty")


def test_a_second_hold_that_is_allowed_ends_the_first():
    """aachen.grapple.one-at-a-time, overruled: still nobody holds two."""
    told = next_round(holding(wolf()), dice=(1,))
    told = told.when(Grapple("Adalger", "Wolf"), dice=[15, 6, 5, 1, 1], allow="long arms")
    assert not has(told, "Guard", "grappled")
    assert has(told, "Wolf", "grappled")
    impossible(fight(*DUEL), Grapple("Adalger", drag="back"), "holds nobody")


def test_the_game_master_frees_from_one_of_two():
    """One holder less, and the other still holds."""
    told = passed(holding(adalger("Bero")), "Adalger").when(Grapple("Bero", "Guard"), dice=[11, 6, 5, 1, 1])
    told = adjusted(told, "Adalger", "no-condition", "grappling")
    assert told.state.conditions.of["Guard"]["grappled"].whom == ("Bero",)


def test_anyone_who_is_held_is_told_by_whom_and_how_to_get_free():
    """aachen.grapple.restrictions: the hint is a command for the own turn."""

    def answer(told, declaration):
        with pytest.raises(Refused) as refused:
            told.when(declaration)
        return refused.value.clause, commands(offered_by(refused.value))

    told = passed(holding(gerlind(), wolf()), "Adalger", "Gerlind")
    held = "aachen.grapple.restrictions"
    told = told.when(Turn("Guard"))
    for declaration in (Move("Guard", 10), Retreat("Guard"), Shoot("Guard", "Gerlind", distance=20),
                        Charge("Guard", "Gerlind", 30)):  # fmt: skip
        assert answer(told, declaration) == (held, "affray grapple Guard --escape")
    spent = told.when(Defend("Guard"))
    assert answer(spent, Move("Guard", 10)) == (held, "affray done")
    assert answer(told, Attack("Guard", "Gerlind")) == (held, "affray attack Guard Adalger --with unarmed")
    holder = next_round(told, dice=(1,)).when(Turn("Adalger"))
    assert answer(holder, Move("Adalger", 10))[1] == "affray grapple Adalger --release"
