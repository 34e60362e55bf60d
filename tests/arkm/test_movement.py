"""Movement, being in melee, and shots into one."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.charge import Charge, Set
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.grapple import Disarm
from commands.rules.arkm.movement import Move, Withdraw
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.stances import Parry
from ledger.errors import Refused
from ledger.events import Counted, EncounterBegan, Felled, HpLost, Moved, PhaseBegan, RoundBegan, Ruled
from tests.hints import offered_by
from tests.kit import given, no

from .table import (
    bran,
    conditions,
    damages,
    elowen,
    fighting,
    having,
    hp,
    impossible,
    marcus,
    melee,
    needed,
    next_round,
    odo,
    ogre,
    orcs,
    rolls,
    since,
    tessa,
)


def moving(*joining: Join, **fields):
    """The movement phase of round 2."""
    return fighting(*joining, phase="movement", **{"nth": 2, **fields})


@pytest.mark.parametrize(("move", "feet", "clause"), [
    (120, 60, ""), (120, 61, "arkm.move.run"), (90, 45, ""), (90, 46, "arkm.move.run"), (75, 37, ""),
])  # fmt: skip
def test_half_a_move_leaves_time_to_attack(move, feet, clause):
    """arkm.move.half-and-attack; more than half is running."""
    told = moving(bran(move=move), orcs()).when(Move("Bran", feet=feet, to=("Orc",)))
    strike = Attack("Bran", ("Orc",))
    told.refused(strike, clause, [2]) if clause else told.when(strike, [2])


def test_a_move_after_an_attack_is_half_at_most():
    """arkm.move.half-and-attack: an archer who shot before moving."""
    told = moving(bran(weapons=["spear"]), orcs())
    told = told.when(Shoot("Bran", "Orc", range_="short", reversed_=True), [2])
    told = since(told, PhaseBegan("missile"))
    told.when(Move("Bran", feet=60))
    told.refused(Move("Bran", feet=61), "arkm.move.run")


def test_an_elf_runs_and_fires():
    """arkm.move.elf-run-and-fire: 120 and a long bow, 10 needed; no crossbow, no sword; Bran cannot at all."""
    told = moving(elowen(), bran(weapons=["short-bow"]), orcs()).when(Move("Elowen", feet=120, to=("Orc",)))
    shot = told.when(Shoot("Elowen", "Orc", range_="medium"), [2]).ruled("arkm.move.elf-run-and-fire", "on the run")
    assert needed(shot) == [10]
    half = moving(elowen(), orcs()).when(Move("Elowen", feet=60)).when(Shoot("Elowen", "Orc", range_="medium"), [2])
    assert "arkm.move.elf-run-and-fire" not in [getattr(event, "clause", "") for event in half.events]
    told.when(Shoot("Elowen", "Orc", range_="medium", with_="javelin"), [2])
    told.refused(Shoot("Elowen", "Orc", range_="medium", with_="crossbow"), "arkm.move.elf-run-and-fire", [2])
    told.refused(Attack("Elowen", ("Orc",), with_="sword"), "arkm.move.half-and-attack", [2])
    ran = told.when(Move("Bran", feet=61))
    ran.refused(Shoot("Bran", "Orc", range_="medium"), "arkm.move.run", [2])
    fled = moving(elowen(), orcs()).when(Move("Elowen", feet=120, run=True))
    fled.refused(Shoot("Elowen", "Orc", range_="medium"), "arkm.move.run", [2])


def test_an_elf_on_the_run_does_not_charge():
    """arkm.move.elf-not-charge: normal damage, and on foot no charge at all."""
    told = moving(elowen(), ogre())
    shot = told.when(Move("Elowen", feet=120)).when(Shoot("Elowen", "Ogre", range_="medium", with_="javelin"), [11, 4])
    assert damages(shot) == [5]
    told.refused(Charge("Elowen", "Ogre", 60), "arkm.move.elf-not-charge")


def test_a_hobbit_runs_and_throws():
    """arkm.move.hobbit-run-and-throw: 11 with a sling; no bow."""
    told = moving(odo(), orcs()).when(Move("Odo", feet=120))
    assert needed(told.when(Shoot("Odo", "Orc", range_="medium", with_="sling"), [2])) == [11]
    told.refused(Shoot("Odo", "Orc", range_="medium", with_="short-bow"), "arkm.move.hobbit-run-and-throw", [2])


def test_anyone_who_runs_does_nothing_else():
    """arkm.move.run: 120 at most, and then nothing; nor after anything."""
    told = moving(bran(weapons=["sword", "spear", "crossbow"]), marcus(), orcs())
    told.refused(Move("Bran", feet=121), "arkm.move.run")
    split = told.when(Move("Bran", feet=60)).when(Move("Bran", feet=60))
    ran = told.when(Move("Bran", feet=100)).then(Moved("Bran", "run", 0, measure="100 feet"))
    ran = ran.when(Move("Marcus", feet=100))
    for tired in (ran, split):
        tired.refused(Shoot("Bran", "Orc", with_="spear", range_="short"), "arkm.move.run", [2])
        tired.refused(Parry("Bran"), "arkm.parry.defence")
    ran.refused(Cast("Marcus", "bless"), "arkm.phase.caster-ten-feet")
    parried = told.when(Parry("Bran"))
    parried.refused(Move("Bran", feet=61), "arkm.move.run")
    parried.when(Move("Bran", feet=60))


def test_outdoors_are_yards():
    """arkm.move.run: the same figures."""
    told = given("arkm", bran(), orcs())
    told = since(
        told,
        EncounterBegan(1),
        Counted("encounter", "outdoors", 1, until="encounter-end"),
        RoundBegan(1),
        PhaseBegan("movement"),
    )
    told.when(Move("Bran", feet=60)).then(Moved("Bran", "move", 0, measure="60 yards"))


def test_anyone_who_casts_moves_10_feet():
    """arkm.move.caster-10ft: before the spell, declared, or after it."""
    told = moving(marcus(), orcs())
    told.when(Move("Marcus", feet=10)).when(Cast("Marcus", "bless"))
    told.when(Move("Marcus", feet=11)).refused(Cast("Marcus", "bless"), "arkm.phase.caster-ten-feet")
    told.refused(Move("Marcus", feet=11, casting=True), "arkm.move.caster-10ft")
    told.refused(Move("Marcus", feet=5, casting=True, run=True), "arkm.move.caster-10ft")
    announced = told.when(Move("Marcus", feet=4, casting=True))
    announced.refused(Move("Marcus", feet=7), "arkm.phase.caster-ten-feet")
    cast = since(told.when(Cast("Marcus", "bless")), PhaseBegan("movement"))
    cast.refused(Move("Marcus", feet=11), "arkm.move.caster-10ft")


@pytest.mark.parametrize(("fields", "near"), [
    ({}, True), ({"within": 6}, False), ({"within": 4, "obstacle": True}, False), ({"within": 4}, True),
])  # fmt: skip
def test_melee_is_within_5_feet_with_nothing_between(fields, near):
    """arkm.in-melee.definition"""
    told = moving(bran(), orcs()).when(Move("Bran", feet=30, to=("Orc",), **fields))
    assert bool(told.state.engagement.of("Bran")) is near


def test_a_blow_needs_melee():
    """arkm.in-melee.attack-distance: not at 6 feet."""
    told = moving(bran(), orcs()).when(Move("Bran", feet=30, to=("Orc",), within=6))
    told.refused(Attack("Bran", ("Orc",)), "arkm.in-melee.attack-distance", [2])


def test_one_foe_occupied_by_two_engages_neither():
    """arkm.in-melee.engaged: Bran and Odo on one orc; when Odo leaves, Bran is."""
    told = melee(moving(bran(), odo(), orcs()), ("Bran", "Orc"), ("Odo", "Orc"))
    told.when(Move("Bran", feet=30))
    left = told.when(Move("Odo", feet=30))
    left.refused(Move("Bran", feet=30), "arkm.phase.movement-defensive-only")


def test_the_helpless_engage_nobody():
    """arkm.in-melee.engaged: a stunned orc."""
    told = having(melee(moving(bran(), orcs()), ("Bran", "Orc")), "Orc", "stunned")
    told.when(Move("Bran", feet=30))


def test_the_engaged_do_not_just_move():
    """arkm.in-melee.restricted-movement: no run, no charge; and no move in the round in which the foe came up."""
    old = melee(moving(bran(), ogre()), ("Bran", "Ogre"))
    old.refused(Move("Bran", feet=100, run=True), "arkm.in-melee.restricted-movement")
    old.refused(Charge("Ogre", "Bran", 30), "arkm.in-melee.restricted-movement")
    new = melee(moving(bran(), orcs()), ("Bran", "Orc"), rounds=0)
    new.refused(Move("Bran", feet=30), "arkm.in-melee.restricted-movement")


def test_the_engaged_do_not_shoot():
    """arkm.in-melee.no-missiles: since an earlier round; by the option missiles_in_melee they may."""
    told = fighting(elowen(), orcs(), phase="missile", nth=2)
    shot = Shoot("Elowen", "Orc", range_="short")
    melee(told, ("Elowen", "Orc")).refused(shot, "arkm.in-melee.no-missiles", [2])
    melee(told, ("Elowen", "Orc"), rounds=0).when(shot, [2])
    free = fighting(elowen(), orcs(), phase="missile", nth=2, missiles_in_melee=True)
    melee(free, ("Elowen", "Orc")).when(shot, [2])


AXE = Shoot("Marcus", "Orc", with_="hand-axe", range_="medium")


def brawl(*joining: Join, **options):
    """Bran and an orc in melee since an earlier round, others looking on."""
    return melee(fighting(*joining, bran(), orcs(), phase="missile", nth=2, **options), ("Bran", "Orc"))


def test_who_moves_away_from_a_foe_of_somebody_else_is_said_to_leave():
    """arkm.disengage.free: also where the move leads back to the same foe; nobody is left where nobody was met."""
    told = melee(moving(bran(), marcus(), ogre()), ("Bran", "Ogre"), ("Marcus", "Ogre"))
    told.when(Move("Marcus", feet=10, to=("Ogre",))).ruled("arkm.disengage.free", "leaves without a blow")
    moving(marcus(), ogre()).when(Move("Marcus", feet=10)).then(no(Ruled))


def test_a_miss_may_fly_at_a_friend():
    """arkm.move.fire-into-melee-risk: on 1-2; then a new roll with the same modifiers, 18 for Bran: 3 + 1 + 1."""
    told = brawl(marcus())
    stray = told.when(AXE, [8, 2, 18, 3])
    assert needed(stray) == [14, 18]
    stray.then(HpLost("Bran", 5, 13))
    told.when(AXE, [8, 3]).then(no(HpLost))
    told.when(AXE, [8, 1, 17]).then(no(HpLost))


def test_one_of_several_friends():
    """arkm.move.fire-into-melee-risk: one die picks, in the order of the roster."""
    told = melee(brawl(marcus(), odo()), ("Odo", "Orc"))
    stray = told.when(AXE, [8, 2, 1, 15, 3])  # Odo: 19 - 5 + 1
    assert needed(stray) == [14, 15]
    assert hp(stray, "Odo") == 9 - 5


def test_those_who_came_up_this_round_are_in_the_open():
    """arkm.move.fire-into-melee-risk"""
    told = melee(fighting(marcus(), bran(), orcs(), phase="missile", nth=2), ("Bran", "Orc"), rounds=0)
    assert len(rolls(told.when(AXE, [8]))) == 1


def test_house_rules_for_shots_into_melee():
    """arkm.move.fire-into-melee-risk: off; or the game master says whom."""
    assert len(rolls(brawl(marcus(), fire_into_melee="off").when(AXE, [8]))) == 1
    judged = brawl(marcus(), fire_into_melee="gm")
    assert len(rolls(judged.when(AXE, [8]))) == 1
    at_bran = Shoot("Marcus", "Orc", with_="hand-axe", range_="medium", stray="Bran")
    judged.when(at_bran, [8, 18, 3]).then(HpLost("Bran", 5, 13))


def test_elves_never_hit_a_friend():
    """arkm.move.elf-fire-into-melee: no die."""
    told = brawl(elowen()).when(Shoot("Elowen", "Orc", range_="medium"), [2])
    told.ruled("arkm.move.elf-fire-into-melee")
    assert len(rolls(told)) == 1


def test_hobbits_never_with_a_sling():
    """arkm.move.hobbit-fire-into-melee: but with a bow."""
    told = brawl(odo())
    assert len(rolls(told.when(Shoot("Odo", "Orc", with_="sling", range_="medium"), [2]))) == 1
    assert len(rolls(told.when(Shoot("Odo", "Orc", with_="short-bow", range_="medium"), [2, 3]))) == 2
    strict = brawl(odo(), hobbit_fire_into_melee=False)
    assert len(rolls(strict.when(Shoot("Odo", "Orc", with_="sling", range_="medium"), [2, 3]))) == 2


def test_distance_that_was_said_gives_the_range():
    """arkm.ranged-hit.range-bands, arkm.in-melee.definition: 40 feet, then 10 nearer is the rest."""
    told = moving(tessa(), orcs()).when(Move("Tessa", feet=0, to=("Orc",), within=25))
    assert needed(told.when(Shoot("Tessa", "Orc", with_="dagger"), [3])) == [10]
    near = told.when(Move("Tessa", to=("Orc",))).then(Moved("Tessa", "move", 0, measure="20 feet"))
    assert near.state.engagement.of("Tessa") == ("Orc",)


def test_moving_makes_no_sense_without_a_distance():
    """And not to oneself, or within 20 feet of two."""
    told = moving(bran(), orcs(2))
    impossible(told, Move("Bran"), "How far")
    impossible(told, Move("Bran", feet=5, to=("Bran",)), "themselves")
    impossible(told, Move("Bran", feet=5, to=("Orc-1", "Orc-2"), within=20), "distance to one")


def test_height():
    """arkm.high-ground.bonus: --elevation, alone or with a move."""
    told = moving(bran(), orcs()).when(Move("Bran", elevation=10)).then(Moved("Bran", "move", 0, measure="0 feet"))
    assert told.state.conditions.of["Bran"]["elevation"].amount == 10
    assert conditions(told.when(Move("Bran", feet=10, elevation=0)), "Bran") == set()


def test_anyone_who_has_set_a_spear_stands():
    """arkm.set.declare"""
    told = moving(bran(weapons=["spear"]), orcs()).when(Set("Bran"))
    told.refused(Move("Bran", feet=10), "arkm.set.declare")


def test_feet_are_counted_by_the_round():
    """arkm.move.run: 60 and 60 are 120; in the next round they count anew."""
    told = moving(bran(), orcs()).when(Move("Bran", feet=60)).when(Move("Bran", feet=60))
    told.refused(Move("Bran", feet=1), "arkm.move.run")
    next_round(told, "movement").when(Move("Bran", feet=120))
    nearly = moving(bran(), orcs()).when(Move("Bran", feet=60)).when(Move("Bran", feet=59))
    with pytest.raises(Refused) as refused:
        nearly.when(Move("Bran", feet=2))
    assert offered_by(refused.value).splitlines()[0] == "affray move Bran --feet 1"


def test_a_whole_encounter_begins_before_anybody_moves():
    """arkm.initiative.reroll-each-round: no movement phase without initiative."""
    told = given("arkm", bran(), orcs(), Begin())
    told.refused(Move("Bran", feet=10), "arkm.initiative.reroll-each-round")
    told.refused(Withdraw("Bran", 10), "arkm.initiative.reroll-each-round")


def test_a_truce_makes_no_foes():
    """arkm.in-melee.definition: those at peace are in no melee."""
    told = moving(bran(), orcs()).when(Adjust("Bran", "truce", "foes", "a white flag"))
    assert told.when(Move("Bran", feet=30, to=("Orc",))).state.engagement.of("Bran") == ()


def test_an_elf_on_the_run_only_shoots():
    """arkm.move.elf-run-and-fire, arkm.move.half-and-attack: no parry, no disarming after more than half."""
    told = moving(elowen(weapons=["sword", "long-bow"]), orcs()).when(Move("Elowen", feet=61, to=("Orc",)))
    told.refused(Parry("Elowen"), "arkm.move.half-and-attack")
    told.refused(Disarm("Elowen", "Orc"), "arkm.move.half-and-attack", [2])
    half = moving(elowen(weapons=["sword", "long-bow"]), orcs()).when(Move("Elowen", feet=60))
    half.when(Parry("Elowen"))


def test_an_elf_who_has_shot_a_crossbow_moves_half():
    """arkm.move.elf-run-and-fire: a crossbow is none of the weapons that are shot on the run, before it or after."""
    first = Shoot("Elowen", "Orc", range_="medium", reversed_=True)
    crossbow = moving(elowen(weapons=["crossbow"]), orcs()).when(first, [2])
    crossbow.then(Counted("Elowen", "shot before moving", 1), Counted("Elowen", "shot from where it stood", 1))
    crossbow.refused(Move("Elowen", feet=61), "arkm.move.run")
    crossbow.when(Move("Elowen", feet=60))
    moving(elowen(), orcs()).when(first, [2]).when(Move("Elowen", feet=120))


def test_a_bow_in_a_tight_place():
    """arkm.weapon-use.tight-space: nor is a sword struck out of a hand there; a dagger can be thrown."""
    told = having(fighting(elowen(), orcs(), phase="missile"), "Elowen", "confined")
    told.refused(Shoot("Elowen", "Orc", range_="medium"), "arkm.weapon-use.tight-space", [2])
    told = having(fighting(tessa(), orcs(), phase="missile"), "Tessa", "confined")
    told.when(Shoot("Tessa", "Orc", range_="medium"), [2])
    told = having(melee(fighting(bran(), orcs(), nth=2), ("Bran", "Orc")), "Bran", "confined")
    told.refused(Disarm("Bran", "Orc"), "arkm.weapon-use.tight-space", [2])


def test_what_strikes_in_vain_does_not_stray():
    """arkm.move.fire-into-melee-risk: 19 + 1 - 6 = 14 is needed; a 14 strikes what it cannot harm, a 13 goes by."""
    told = melee(fighting(marcus(), bran(), orcs(requires=["silver"]), phase="missile", nth=2), ("Bran", "Orc"))
    throw = Shoot("Marcus", "Orc", with_="hand-axe", range_="medium")
    told.when(throw, [14]).ruled("arkm.natural-20.immune")
    told.when(throw, [20]).ruled("arkm.natural-20.immune")
    told.when(throw, [13, 3]).ruled("arkm.move.fire-into-melee-risk", "harmless")


def test_a_natural_20_strikes_though_more_is_needed_and_does_not_stray():
    """arkm.natural-20.immune, arkm.move.fire-into-melee-risk: 19 + 1 + 2 = 22 is needed against armour class -2."""
    told = fighting(marcus(), bran(), orcs(requires=["silver"], ac=-2), phase="missile", nth=2)
    told = melee(told, ("Bran", "Orc"))
    throw = Shoot("Marcus", "Orc", with_="hand-axe", range_="medium")
    told.when(throw, [20]).ruled("arkm.natural-20.immune")
    told.when(throw, [19, 3]).ruled("arkm.move.fire-into-melee-risk", "harmless")


def test_nobody_runs_through_a_line():
    """arkm.move-through.allowed: half the Turn movement; past foes, who stand."""
    told = moving(tessa(), bran(), orcs(2))
    impossible(told, Move("Tessa", feet=60, run=True, through=("Orc-1",)), "half")
    impossible(told, Move("Tessa", feet=60, through=("Bran",)), "not a foe")
    impossible(since(told, Felled("Orc-1", "dead")), Move("Tessa", feet=60, through=("Orc-1",)), "already down")
