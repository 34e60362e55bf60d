"""Leaving melee: whom one leaves, and what ends it."""

from commands.rules.arkm.charge import Charge
from commands.rules.arkm.movement import Disengage, Move, Retreat, Withdraw
from commands.rules.arkm.rounds import Done, Round
from ledger.events import Felled, OrderSet
from tests.kit import Told

from .table import bran, conditions, having, impossible, melee, next_round, odo, orcs, rolls, since
from .test_retreat import locked


def test_nobody_contests_with_nobody():
    """arkm.retreat.contest: the only foe minds Odo, too; no die is thrown."""
    told = melee(locked(bran(), odo(), orcs()), ("Odo", "Orc")).when(Retreat("Bran", feet=60))
    assert rolls(told) == []
    assert "Orc" not in told.state.engagement.of("Bran")


def test_foes_left_and_passed_are_foes_and_stand():
    """arkm.retreat.contest, arkm.retreat.passing-others"""
    told = locked(bran(), orcs(2), odo())
    impossible(told, Retreat("Bran", foes=("Odo",)), "not a foe")
    impossible(told, Retreat("Bran", passing=("Odo",)), "not a foe")
    fallen = since(told, Felled("Orc-2", "dead"))
    impossible(fallen, Retreat("Bran", foes=("Orc-2",)), "already down")
    impossible(fallen, Retreat("Bran", passing=("Orc-2",)), "already down")


def test_a_flight_ends_when_nobody_is_in_contact():
    """arkm.retreat.faster-pursuer: at the end of a round in which one did not run; not of that of the retreat, when
    pursuers may still have to move, nor with one in contact.
    """
    told = locked(bran(), orcs()).when(Retreat("Bran", feet=60, no_pursuit_roll=True), [6, 1])
    first = ended(told)
    assert "fleeing" in conditions(first, "Bran")
    assert "fleeing" in conditions(
        ended(next_round(first, "movement").when(Done()).when(Move("Bran", feet=60, run=True))), "Bran"
    )
    walking = next_round(first, "movement").when(Done()).when(Move("Bran", feet=60))
    assert "fleeing" not in conditions(ended(walking), "Bran")
    caught = melee(next_round(first, "movement"), ("Bran", "Orc"))
    assert "fleeing" in conditions(ended(caught), "Bran")


def ended(told: Told) -> Told:
    """The table at the end of the round."""
    return since(told, OrderSet(("party", "Orc"))).when(Round(pass_rest=True), [1, 2])


def test_anyone_who_has_withdrawn_moves_on_in_the_next_round():
    """arkm.withdraw.no-free-attack, arkm.withdraw.half-speed: neither a step nor a charge more in this one."""
    told = locked(bran(), orcs()).when(Withdraw("Bran", feet=20))
    told.refused(Move("Bran", feet=10), "arkm.withdraw.no-free-attack")
    told.refused(Move("Bran", feet=100, run=True), "arkm.withdraw.no-free-attack")
    rider = locked(bran(mounted=True), orcs()).when(Withdraw("Bran", feet=20))
    rider.refused(Charge("Bran", "Orc", feet=60), "arkm.withdraw.no-free-attack")


def test_a_helpless_foe_keeps_nobody():
    """arkm.disengage.free, arkm.in-melee.engaged"""
    told = having(locked(bran(), orcs()), "Orc", "stunned", until="round-end", round=3)
    assert rolls(told.when(Disengage("Bran"))) == []


def test_nobody_leaves_on_the_spot():
    """arkm.in-melee.definition: within 5 feet is in melee still."""
    told = locked(bran(), orcs())
    for declaration in (Withdraw("Bran", feet=0), Retreat("Bran", feet=0), Move("Bran", feet=0, through=("Orc",))):
        impossible(told, declaration, "must move to get away")
    impossible(locked(bran(move=0), orcs()), Withdraw("Bran"), "must move to get away")
