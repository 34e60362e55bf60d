"""Leaving melee: withdrawal, retreat, passing through, disengaging."""

import pytest

from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.movement import Disengage, Move, Retreat, Withdraw
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.stances import Face, Parry
from ledger.events import Counted, Disengaged, Felled, HpLost, Ruled
from tests.kit import no

from .table import (
    aurochs,
    bran,
    conditions,
    damages,
    elowen,
    fighting,
    having,
    hp,
    impossible,
    melee,
    needed,
    next_round,
    odo,
    ogre,
    orcs,
    rolls,
    since,
    tessa,
    troll,
)


def locked(*joining: Join, **options):
    """The movement phase of round 2: the first has been in melee with all foes since round 1."""
    told = fighting(*joining, phase="movement", nth=2, **options)
    who, *others = told.state.roster.order
    side = told.state.roster.members[who].side
    foes = [one for one in others if told.state.roster.members[one].side != side]
    return melee(told, *((who, foe) for foe in foes))


@pytest.mark.parametrize(("move", "feet", "fits"), [(90, 45, True), (90, 46, False), (120, 60, True)])
def test_a_withdrawal_is_half_a_move(move, feet, fits):
    """arkm.withdraw.half-speed"""
    told = locked(bran(move=move), orcs())
    told.when(Withdraw("Bran", feet)) if fits else told.refused(Withdraw("Bran", feet), "arkm.withdraw.half-speed")


def test_a_withdrawal_by_a_house_rule():
    """arkm.withdraw.half-speed: the option withdraw_divisor."""
    locked(bran(), orcs(), withdraw_divisor=3).refused(Withdraw("Bran", 41), "arkm.withdraw.half-speed")


def test_anyone_who_withdraws_is_harder_to_hit_and_hits_less():
    """arkm.withdraw.defence: 0 in place of 2, 19 needed; arkm.withdraw.attack-penalty: 13; damage as ever."""
    told = locked(bran(), orcs()).when(Withdraw("Bran", 20)).when(Move("Orc", feet=20, to=("Bran",)))
    assert needed(told.when(Attack("Orc", ("Bran",)), [2])) == [19]
    back = told.when(Attack("Bran", ("Orc",)), [13, 4])
    assert (needed(back), damages(back)) == ([13], [7])


def test_nobody_strikes_at_one_who_withdraws():
    """arkm.withdraw.no-free-attack: no dice; orcs that stay behind leave him free in the next round."""
    told = locked(bran(), orcs(2)).when(Withdraw("Bran", 20))
    assert rolls(told) == []
    told.refused(Attack("Orc-1", ("Bran",)), "arkm.in-melee.attack-distance", [2])
    next_round(told, "movement").when(Move("Bran", feet=60))


@pytest.mark.parametrize(("feet", "near"), [(5, True), (6, False)])
def test_anyone_who_goes_no_farther_than_five_feet_is_in_melee_still(feet, near):
    """arkm.in-melee.definition: within 5 feet is in melee; at 6 nobody strikes."""
    told = locked(bran(), orcs()).when(Withdraw("Bran", feet))
    blow = Attack("Orc", ("Bran",))
    told.when(blow, [2]) if near else told.refused(blow, "arkm.in-melee.attack-distance", [2])
    assert (told.state.engagement.of("Bran") == ("Orc",)) == near


def test_anyone_who_is_followed_is_in_melee_still():
    """arkm.phase.movement-defensive-only: it goes on since the earlier round."""
    told = locked(bran(), orcs()).when(Withdraw("Bran", 20)).when(Move("Orc", feet=20, to=("Bran",)))
    next_round(told, "movement").refused(Move("Bran", feet=60), "arkm.phase.movement-defensive-only")


FLEE = Retreat("Bran", 60)


def test_a_contest_of_footwork():
    """arkm.retreat.contest, arkm.retreat.clean, arkm.retreat.parting-shot, arkm.retreat.no-shield.

    Bran 3 + 1 against 5 and 4: one strikes, at 19 - 4 - 2.
    """
    told = locked(bran(), orcs(2)).when(FLEE, [3, 5, 4, 13, 3, 6, 5])
    told.ruled("arkm.retreat.contest", "higher", [5, 4]).ruled("arkm.retreat.contest", "not higher", [4, 4])
    told.ruled("arkm.retreat.clean")
    assert needed(told) == [13]
    told.then(HpLost("Bran", 3, 15))
    assert told.state.engagement.of("Bran") == ()
    assert "fleeing" in conditions(told, "Bran")


def test_ties_are_safe_or_not_by_a_house_rule():
    """arkm.retreat.contest: the option retreat_tie."""
    told = locked(bran(), orcs(), retreat_tie="struck").when(FLEE, [3, 4, 2, 6, 5])
    assert needed(told) == [13]


def test_one_roll_with_the_first_attack_alone():
    """arkm.retreat.parting-shot: a troll claws once, 13 - 4 - 2; no attack of its own is used up."""
    told = locked(bran(), troll()).when(FLEE, [1, 6, 7, 6, 6, 5])
    assert needed(told) == [7]
    told.then(HpLost("Bran", 6, 12))
    assert not told.state.counts.of("Troll", "attacks")


def test_anyone_who_falls_is_left():
    """arkm.retreat.parting-shot: no second shot, no pursuit; it lies where it stood."""
    told = locked(bran(hp_max=3), orcs(2)).when(FLEE, [1, 6, 6, 13, 3])
    told.then(Felled("Bran", "dead"))
    assert len(needed(told)) == 1


def test_a_retreat_is_a_full_move_and_no_attack():
    """arkm.retreat.contest, arkm.move.run"""
    told = locked(bran(), orcs())
    told.refused(Retreat("Bran", 121), "arkm.move.run", [6, 1])
    fled = told.when(Retreat("Bran", 60), [6, 1, 6, 5])
    after = melee(fled, ("Bran", "Orc"))
    after.refused(Attack("Bran", ("Orc",)), "arkm.phase.order", [2])


def test_the_foes_in_question():
    """arkm.disengage.free, arkm.retreat.contest: an occupied orc does nothing; --from says otherwise."""
    told = locked(bran(), odo(), orcs(2))
    told = melee(told, ("Odo", "Orc-2"))
    assert len(rolls(told.when(FLEE, [3, 1, 6, 5]))) == 3
    named = told.when(Retreat("Bran", 60, foes=("Orc-1", "Orc-2")), [3, 1, 1, 6, 5])
    assert len(rolls(named)) == 4


def test_others_that_are_passed():
    """arkm.retreat.passing-others: straight, without a contest: 15 - 4 - 2 for the ogre."""
    told = fighting(bran(), orcs(), ogre(), phase="movement", nth=2)
    told = melee(told, ("Bran", "Orc"))
    passing = Retreat("Bran", 60, passing=("Ogre",))
    hit = told.when(passing, [3, 4, 9, 4, 6, 5])
    assert needed(hit) == [9]
    hit.then(HpLost("Bran", 6, 12))
    busy = melee(told, ("Bran", "Ogre"))
    busy.refused(passing, "arkm.retreat.passing-others", [3, 4, 4, 9, 4, 6, 5])


def test_those_passed_may_have_to_contest():
    """arkm.retreat.passing-others: the option passing_contest."""
    told = fighting(bran(), orcs(), ogre(), phase="movement", nth=2, passing_contest=True)
    told = melee(told, ("Bran", "Orc"))
    told.when(Retreat("Bran", 60, passing=("Ogre",)), [3, 4, 3, 4, 6, 5]).then(no(HpLost))


@pytest.mark.parametrize(("dice", "words"), [([1, 2], "they pursue"), ([6, 5], "they do not pursue")])
def test_whether_they_pursue(dice, words):
    """arkm.retreat.pursuit-roll: 3 and 11 on the reaction table."""
    told = locked(bran(), orcs()).when(FLEE, [6, 1, *dice])
    told.ruled("arkm.retreat.pursuit-roll", words)
    assert len(rolls(locked(bran(), orcs()).when(Retreat("Bran", 60, no_pursuit_roll=True), [6, 1]))) == 2


def chase(*joining: Join):
    """Bran flees, and somebody keeps after him."""
    told = locked(*joining).when(Retreat("Bran", 120, no_pursuit_roll=True), [6, 1])
    return next_round(told, "movement").when(Pursue(("Aurochs",), ("Bran",), contact="speed"))


def test_a_faster_pursuer_strikes_every_round():
    """arkm.retreat.faster-pursuer: 17 - 4 - 2, round after round; who flees runs on without a contest."""
    told = chase(bran(), aurochs())
    run = told.when(Move("Bran", feet=120, run=True))
    assert rolls(run) == []
    assert needed(run.when(Attack("Aurochs", ("Bran",)), [11, 2])) == [11]
    again = next_round(run, "movement").when(Move("Bran", feet=120, run=True))
    assert needed(again.when(Attack("Aurochs", ("Bran",)), [2])) == [11]


def test_the_speeds_that_are_compared_are_named():
    """arkm.retreat.faster-pursuer: the pursuer's before that of the one who flees."""
    told = chase(bran(), aurochs()).when(Pursue(("Aurochs",), ("Bran",), contact="speed"))
    (ruling,) = [event for event in told.events if isinstance(event, Ruled)]
    assert [number.of for number in ruling.numbers] == ["Aurochs", "Bran"]
    assert ruling.numbers[0].total > ruling.numbers[1].total


def test_a_slower_one_falls_behind():
    """arkm.retreat.faster-pursuer: an orc of the same speed is left when he runs on."""
    told = fighting(bran(), orcs(), phase="movement", nth=2)
    told = having(melee(told, ("Bran", "Orc")), "Bran", "fleeing")
    assert told.when(Move("Bran", feet=120, run=True)).state.engagement.of("Bran") == ()
    slow = told.when(Pursue(("Orc",), ("Bran",), contact="speed")).ruled("arkm.retreat.faster-pursuer", "no contact")
    slow.then(Disengaged("Orc", "Bran"))
    assert slow.state.engagement.of("Bran") == ()
    kept = told.when(Pursue(("Orc",), ("Bran",), contact="yes"))
    assert kept.state.engagement.of("Bran") == ("Orc",)
    away = next_round(kept, "movement").when(Move("Bran", feet=120, run=True))
    assert away.state.engagement.of("Bran") == ()
    no_contact = told.when(Pursue(("Orc",), ("Bran",), contact="no")).ruled("arkm.retreat.faster-pursuer", "no contact")
    assert no_contact.state.engagement.of("Bran") == ()
    impossible(locked(bran(), aurochs()), Pursue(("Aurochs",), ("Bran",), contact="yes"), "does not flee")


def test_to_turn_and_fight_again():
    """arkm.retreat.turn-and-reengage: 17 - 2, with the shield."""
    told = chase(bran(), aurochs()).when(Face("Bran", "Aurochs"))
    assert "fleeing" not in conditions(told, "Bran")
    assert needed(told.when(Attack("Aurochs", ("Bran",)), [2])) == [15]


THROUGH = Move("Tessa", feet=60, through=("Orc-1", "Orc-2"), to=("Ogre",))


def test_passing_through_a_line():
    """arkm.move-through.free-attacks: 2 + 2 against 5 and 4: 19 - 5 - 2, hit for 6; then she may attack."""
    told = fighting(tessa(), orcs(2), ogre(), phase="movement", nth=2)
    past = told.when(THROUGH, [2, 5, 4, 12, 6])
    assert needed(past) == [12]
    past.then(HpLost("Tessa", 6, 8))
    past.when(Attack("Tessa", ("Ogre",)), [2])


def test_occupied_foes_contest_there_too():
    """arkm.move-through.free-attacks"""
    told = fighting(tessa(), bran(), orcs(2), ogre(), phase="movement", nth=2)
    told = melee(told, ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    assert len(rolls(told.when(THROUGH, [6, 1, 1]))) == 3


def test_room_to_pass_and_half_a_move():
    """arkm.move-through.allowed: the game master says; half the Turn movement."""
    told = fighting(tessa(), orcs(2), phase="movement", nth=2)
    told.refused(Move("Tessa", feet=60, through=("Orc-1",), no_space=True), "arkm.move-through.allowed", [6, 1])
    told.refused(Move("Tessa", feet=61, through=("Orc-1",)), "arkm.move-through.allowed", [6, 1])


def test_anyone_who_falls_in_the_line_gets_nowhere():
    """arkm.move-through.free-attacks"""
    told = fighting(tessa(hp_max=2), orcs(2), ogre(), phase="movement", nth=2).when(THROUGH, [2, 5, 5, 12, 6])
    assert told.state.engagement.of("Tessa") == ()
    assert hp(told, "Tessa") == 0


def test_disengaging_from_an_occupied_foe():
    """arkm.disengage.free: no dice; Odo, whom the orc has left, cannot."""
    told = locked(bran(), odo(), orcs())
    told = melee(told, ("Odo", "Orc"))
    free = told.when(Disengage("Bran"))
    assert rolls(free) == []
    free.when(Move("Bran", feet=60))
    free.refused(Disengage("Odo"), "arkm.disengage.free")


def test_nobody_leaves_a_melee_that_they_are_not_in():
    """arkm.in-melee.restricted-movement: not without a foe, after moving, or after acting."""
    alone = fighting(bran(), orcs(), phase="movement", nth=2)
    for deed in (Withdraw("Bran", 10), Retreat("Bran", 10), Disengage("Bran")):
        alone.refused(deed, "arkm.in-melee.restricted-movement")
    came = alone.when(Move("Bran", feet=20, to=("Orc",)))
    came.refused(Withdraw("Bran", 10), "arkm.in-melee.restricted-movement")


def test_an_elf_in_melee_may_withdraw_and_shoot_next_round():
    """arkm.withdraw.no-free-attack, arkm.in-melee.no-missiles"""
    from commands.rules.arkm.ranged import Shoot

    told = locked(elowen(), orcs()).when(Withdraw("Elowen", 60))
    next_round(told, "missile").when(Shoot("Elowen", "Orc", range_="short"), [2])


def test_nobody_leaves_after_acting():
    """arkm.in-melee.restricted-movement"""
    told = locked(bran(), orcs()).when(Parry("Bran"))
    told.refused(Withdraw("Bran", 10), "arkm.in-melee.restricted-movement")


def test_anyone_who_cannot_strike_does_not():
    """arkm.retreat.parting-shot: neither the stunned nor the unarmed."""
    named = Retreat("Bran", 60, foes=("Orc",), no_pursuit_roll=True)
    stunned = having(locked(bran(), orcs()), "Orc", "stunned")
    assert needed(stunned.when(named, [1, 6])) == []
    assert needed(locked(bran(), orcs(weapons=[])).when(named, [1, 6])) == []


@pytest.mark.parametrize(("what", "strikes"), [("parry", 0), ("reload", 0), ("run", 0), ("shot", 1)])
def test_anyone_who_has_given_up_attacks_has_no_free_one(what, strikes):
    """arkm.parry.no-attacks, arkm.reload.takes-one-round, arkm.move.run: free attacks are attacks."""
    told = since(locked(bran(), orcs()), Counted("Orc", "acted", 1, what))
    gone = told.when(Retreat("Bran", 60, no_pursuit_roll=True), [1, 6] + [2] * strikes)
    assert len(needed(gone)) == strikes


def test_anyone_who_struggles_in_a_grapple_has_no_free_attack():
    """arkm.grapple.struggling: no weapon."""
    told = having(locked(bran(), orcs()), "Orc", "struggling", whom=("Bran",))
    assert needed(told.when(Retreat("Bran", 60, no_pursuit_roll=True), [1, 6])) == []
