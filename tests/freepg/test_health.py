"""Health, dying and healing."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin, End
from commands.rules.freepg.healing import Heal
from commands.rules.freepg.movement import Move
from commands.rules.freepg.turns import Done, Initiative
from ledger.errors import UsageError
from ledger.events import (
    ConditionEnded,
    Felled,
    HpGained,
    HpLost,
    HpSet,
    Overruled,
    Placed,
    PointsSet,
    PointsSpent,
    Rose,
    TurnBegan,
)
from tests.kit import Told, given, no

from .table import boffin, brak, fight, grub, impossible, jane, someone, table


def pc(name: str, **fields: object):
    return someone(name, **fields)


def test_player_characters_start_with_50_and_half_a_die():
    """freepg.health.start: 1 gives 50, 17 gives 58, 20 gives 60."""
    for die, points in ((1, 50), (17, 58), (20, 60)):
        table().when(someone("A", health_die=die)).ruled("freepg.health.start", "", [points]).then(
            HpSet("A", points, points)
        )
    told = table().when(someone("A", health_die="roll"), [17]).then(HpSet("A", 58, 58))
    told.ruled("freepg.health.start", "", [58])


def test_health_can_be_given_directly():
    """freepg.health.start: hp_max, or 50 without a die; hp start at the maximum unless the sheet says less."""
    table().when(someone("A", hp_max=62)).then(HpSet("A", 62, 62))
    table().when(someone("A")).then(HpSet("A", 50, 50))
    table().when(someone("A", health_die=4, hp=7)).then(HpSet("A", 7, 52))
    impossible(table(), someone("A", hp_max=10, hp=11), "of 10")


def test_a_player_character_at_0_is_dying():
    """freepg.dying.start: Jane has 4 and is hit for 18+2-4: 0 hp, dying."""
    told = fight(jane(hp=4), brak(), first="gm").when(Attack("Brak", ("Jane",)), [18, 4])
    told.ruled("freepg.attack.damage", totals=[16]).ruled("freepg.dying.start")
    told.then(HpLost("Jane", 4, 0), Felled("Jane", "dying"))


def test_a_gms_ally_is_dying_too():
    """freepg.dying.start"""
    told = table(someone("Guard", kind="ally", hp=3), grub()).when(Attack("Grub", ("Guard",)), [18, 4])
    told.then(Felled("Guard", "dying"))


def test_the_dying_do_not_act_and_still_defend():
    """freepg.dying.no-actions"""
    told = fight(jane(hp=0), boffin(hp=30), grub(), first="Jane")
    told.refused(Attack("Jane", ("Grub",)), "freepg.dying.no-actions")
    told.refused(Heal("Jane", "Jane", potion=True), "freepg.dying.no-actions")
    told = fight(jane(hp=0), boffin(hp=30), grub(), first="gm").when(Attack("Grub", ("Jane",)), [9, 12])
    told.ruled("freepg.attack.hit-test", "miss", [9, 12])


def test_the_dead_do_not_act():
    """freepg.dying.no-actions, freepg.dying.dead"""
    told = fight(jane(), grub(hp=0), first="gm")
    told.refused(Attack("Grub", ("Jane",)), "freepg.dying.no-actions")


def party(first: str) -> Told:
    """Ann (2 hp), Bob, Cy and an enemy; order: Ann, Bob, Cy, gm; `first` says who begins."""
    return fight(pc("Ann", hp=2), pc("Bob"), pc("Cy"), grub(), first=first)


def test_death_comes_when_every_other_player_character_has_ended_a_turn():
    """freepg.dying.death: Ann falls on the game master's turn: dead when Cy's turn ends."""
    told = party("gm").when(Attack("Grub", ("Ann",)), [15, 4]).then(Felled("Ann", "dying"))
    for seat in ("Ann", "Bob", "Cy"):
        told = told.when(Done()).then(TurnBegan(seat), no(Felled))
    told = told.when(Done()).ruled("freepg.dying.death")
    told.then(ConditionEnded("Ann", "mortally wounded"), Felled("Ann", "dead"), TurnBegan("gm"))


def test_the_turn_under_way_counts_when_it_ends():
    """freepg.dying.death: Ann falls on Bob's turn: Bob's turn ends, Cy's turn ends: dead."""
    told = party("Bob").when(Attack("Bob", ("Grub", "Ann"), radius=2), [15, 14, 4]).then(Felled("Ann", "dying"))
    told.when(Done()).then(no(Felled)).when(Done()).then(Felled("Ann", "dead"))


def test_a_lone_character_dies_a_round_later():
    """freepg.dying.death: at the end of the same seat's turn one round after the fall."""
    told = fight(pc("Ann", hp=2), grub(), first="gm").when(Attack("Grub", ("Ann",)), [15, 4])
    told = told.when(Done()).then(no(Felled)).when(Done()).then(no(Felled))
    told.when(Done()).then(Felled("Ann", "dead"))


def test_a_seat_with_two_characters_ends_the_turn_of_both():
    """freepg.dying.death"""
    told = fight(pc("Ann", hp=2), pc("Bob", seat="B"), pc("Cy", seat="B"), grub(), first="gm")
    told = told.when(Attack("Grub", ("Ann",)), [15, 4]).when(Done()).when(Done()).then(no(Felled))
    told.when(Done(pass_rest=True)).then(Felled("Ann", "dead"))


def test_nobody_waits_for_those_who_left():
    """freepg.dying.death: Bob ends his turn, Cy goes home: all who are left have had theirs."""
    told = party("gm").when(Attack("Grub", ("Ann",)), [15, 4]).when(Done()).when(Done()).when(Leave(("Cy",)))
    told.when(Done()).then(Felled("Ann", "dead"))


def test_the_clock_names_nobody_who_left():
    """freepg.dying.death: Cy goes home before his turn; Ann waits for Bob alone, and the board says so."""
    told = party("gm").when(Attack("Grub", ("Ann",)), [15, 4]).when(Leave(("Cy",))).when(Done())
    told = told.when(Done()).then(no(Felled))
    assert [one.whom for one in told.state.conditions.of["Ann"].values()] == [("Bob",)]
    told.when(Done()).then(Felled("Ann", "dead"))


def test_deaths_may_follow_from_deaths():
    """freepg.dying.death: Ann waits for Bob, Bob for Ann; his seat's turn ends hers, then nobody is left."""
    told = fight(pc("Ann", hp=2), pc("Bob", hp=2), grub(), first="gm")
    told = told.when(Attack("Grub", ("Ann", "Bob"), radius=2), [15, 4, 4])
    told = told.when(Done()).when(Done()).then(Felled("Bob", "dead"), Felled("Ann", "dead"))
    assert told.state.turns.who == "Bob"


def test_the_game_master_may_correct_who_is_down():
    """freepg.dying.death: somebody put down by the game master has a clock from the next turn's end on."""
    told = fight(pc("Ann"), pc("Bob"), grub(), first="gm").when(Adjust("Ann", "down", "dying", "a curse"))
    told = told.when(Done()).when(Done()).then(no(Felled)).when(Done())
    assert told.state.harm.down["Ann"].how == "dead"


def test_the_game_masters_word_on_health_decides_who_is_down():
    """freepg.dying.start, freepg.dying.rescue, freepg.enemy.dies-at-zero: 0 fells, anything above it rescues."""
    told = fight(pc("Ann"), pc("Bob"), grub(), first="gm")
    told.when(Adjust("Grub", "hp", "0", "a rock")).then(HpSet("Grub", 0, 20), Felled("Grub", "dead"))
    told = told.when(Adjust("Ann", "hp", "0", "a rock")).then(HpSet("Ann", 0, 50), Felled("Ann", "dying"))
    assert told.state.conditions.of["Ann"]["mortally wounded"].whom == ("Bob",)
    told = told.when(Adjust("Ann", "hp", "5", "a small rock"))
    told.then(HpSet("Ann", 5, 50), ConditionEnded("Ann", "mortally wounded"), Rose("Ann"))
    told = told.when(Done()).when(Done()).when(Done()).then(no(Felled))
    assert "Ann" not in told.state.harm.down


def test_a_clock_is_only_for_the_dying():
    """freepg.dying.death: anyone whom the game master lets rise, or lets die, has no clock any more."""
    told = fight(pc("Ann", hp=4), pc("Bob"), grub(), first="gm").when(Attack("Grub", ("Ann",)), [15, 4])
    for word in ("no", "dead"):
        told.when(Adjust("Ann", "down", word, "fate")).then(ConditionEnded("Ann", "mortally wounded"))


def test_without_turns_no_clock_runs():
    """freepg.dying.start"""
    told = table(jane(hp=4), brak()).when(Begin(unordered=True)).when(Attack("Brak", ("Jane",)), [18, 4])
    told.then(Felled("Jane", "dying"))
    assert not told.state.conditions.of
    assert told.when(End()).state.harm.down["Jane"].how == "dying"


def test_healing_rescues_and_stops_the_clock():
    """freepg.dying.rescue: Cy heals Ann for 5 on Cy's turn; she may act on her next turn."""
    told = party("gm").when(Attack("Grub", ("Ann",)), [15, 4]).when(Done()).when(Done()).when(Done())
    told = told.when(Heal("Cy", "Ann"), [13]).ruled("freepg.dying.rescue", "rescued")
    told.then(HpGained("Ann", 5, 5), ConditionEnded("Ann", "mortally wounded"), Rose("Ann"))
    told = told.when(Done()).then(no(Felled)).when(Done()).then(TurnBegan("Ann"))
    told.when(Attack("Ann", ("Grub",)), [15, 4]).then(HpLost("Grub", 11, 9))


def test_the_rescued_wait_for_their_next_turn():
    """freepg.dying.rescue: Ann falls by her seat's own area and is healed by its other character."""
    told = fight(pc("Ann", hp=2, seat="X"), pc("Bob", seat="X"), grub(), first="X")
    told = told.when(Attack("Bob", ("Ann",)), [15, 4]).when(Heal("Bob", "Ann", potion=True))
    told.then(Rose("Ann"), PointsSet("Ann", "action", 0))
    told.refused(Attack("Ann", ("Grub",)), "freepg.dying.rescue")
    told.refused(Move("Ann", squares=1), "freepg.dying.rescue")
    allowed = told.when(Attack("Ann", ("Grub",)), [15, 4], allow="she never fainted").then(HpLost("Grub", 11, 9))
    assert [event.clause for event in allowed.events if isinstance(event, Overruled)] == ["freepg.dying.rescue"]
    later = told.when(Done()).when(Done()).then(no(Overruled))
    later.when(Attack("Ann", ("Grub",)), [15, 4]).then(HpLost("Grub", 11, 9))


def test_anyone_who_drops_to_0_in_the_air_falls_to_the_ground():
    """freepg.move.fall: the dead and the dying do not hover, and have nothing left for the fall to take."""
    told = fight(jane(at=(0, 0), hp=2), grub((5, 5, 3)), grub((6, 6), name="Orc"), first="Jane")
    told = told.when(Move("Jane", to=(0, 0, 2), mode="fly")).when(Done(), [12])
    told = told.when(Attack("Orc", ("Jane",), los=("clear",)), [20, 2])
    told.ruled("freepg.move.fall", "falls to the ground").then(
        Felled("Jane", "dying"), ConditionEnded("Jane", "aloft"), Placed("Jane", (0, 0, 0)), no(PointsSet)
    )
    flown = told.when(Move("Grub", to=(5, 5, 2), mode="fly"))
    shot = flown.when(Adjust("Grub", "down", "dead", "an arrow"))
    shot.then(ConditionEnded("Grub", "aloft"), Placed("Grub", (5, 5, 0)))


def test_healing_others_needs_13_and_oneself_16():
    """freepg.heal.difficulty: equal succeeds."""
    told = table(boffin(hp=20), jane(hp=20))
    told.when(Heal("Boffin", "Jane"), [13]).ruled("freepg.heal.difficulty", "success", [13, 13])
    told.when(Heal("Boffin", "Jane"), [12]).ruled("freepg.heal.difficulty", "failure", [12, 13]).then(no(HpGained))
    told.when(Heal("Boffin", "Boffin"), [16]).ruled("freepg.heal.difficulty", "success", [16, 16])
    told.when(Heal("Boffin", "Boffin"), [15]).ruled("freepg.heal.difficulty", "failure", [15, 16])


def test_healing_knows_natural_1_and_20():
    """freepg.heal.difficulty, freepg.check.natural: 1+5 skill +9 fails, 20-15 succeeds and restores 5."""
    told = table(boffin(hp=20, skill={"heal": 5}), jane(hp=20))
    told.when(Heal("Boffin", "Jane", mod=("9",)), [1]).ruled("freepg.check.natural", "failure", [15, 13]).then(
        no(HpGained)
    )
    told = table(boffin(hp=20), jane(hp=20)).when(Heal("Boffin", "Jane", mod=("-15",)), [20])
    told.ruled("freepg.check.natural", "success", [5, 13]).then(HpGained("Jane", 5, 25))


def test_healing_restores_5_and_the_margin():
    """freepg.heal.amount: 17 on another: 9; on oneself: 6."""
    told = table(boffin(hp=20), jane(hp=20))
    told.when(Heal("Boffin", "Jane"), [17]).ruled("freepg.heal.amount", "", [9]).then(HpGained("Jane", 9, 29))
    told.when(Heal("Boffin", "Boffin"), [17]).then(HpGained("Boffin", 6, 26))


def test_the_heal_skill_counts():
    """freepg.heal.amount: 12+5: 9 points; by the bare die, a house rule, 12 is below 13 and restores 5."""
    told = table(boffin(skill={"heal": 5}), jane(hp=20)).when(Heal("Boffin", "Jane"), [12])
    told.then(HpGained("Jane", 9, 29))
    told = table(boffin(skill={"heal": 5}), jane(hp=20), heal_bonus_from="die").when(Heal("Boffin", "Jane"), [12])
    told.then(HpGained("Jane", 5, 25))


def test_healing_is_another_word_for_heal():
    """freepg.check.skill-bonus: 12+5 = 17, 4 above 13: 5+4 = 9 points; a word that only looks like it is refused."""
    told = table(boffin(skill={"healing": 5}), jane(hp=20)).when(Heal("Boffin", "Jane"), [12])
    told.then(HpGained("Jane", 9, 29))
    with pytest.raises(UsageError, match="'healer' is never asked for; heal is"):
        given("freepg").when(boffin(skill={"healer": 5}))


def test_health_never_rises_above_the_maximum():
    """freepg.heal.maximum: Jane 50 of 52, healed for 9: gain 2."""
    told = table(boffin(), jane(hp=50)).when(Heal("Boffin", "Jane"), [17])
    told.ruled("freepg.heal.amount", "", [2]).then(HpGained("Jane", 2, 52))


def test_healing_never_takes_health():
    """freepg.heal.maximum: whom the game master gave 60 of 52 gains nothing, and loses nothing."""
    told = table(jane()).when(Adjust("Jane", "hp", "60", "a blessing"), allow="a blessing")
    told.when(Heal("Jane", "Jane", potion=True)).then(HpGained("Jane", 0, 60))


def test_a_potion_restores_10_without_a_roll():
    """freepg.heal.potion: Jane 30 of 52 drinks: 40, for one action."""
    told = fight(jane(hp=30), first="Jane").when(Heal("Jane", "Jane", potion=True))
    told.ruled("freepg.heal.potion", "", [10]).then(PointsSpent("Jane", "action", 1, 1), HpGained("Jane", 10, 40))


def test_enemies_regain_nothing_in_combat():
    """freepg.heal.no-enemies"""
    told = fight(grub(), brak(), first="gm")
    told.refused(Heal("Grub", "Brak"), "freepg.heal.no-enemies")
    told.when(Heal("Grub", "Brak"), [17], allow="a shaman").then(HpGained("Brak", 0, 30))


def test_the_dead_are_past_healing():
    """freepg.dying.dead"""
    told = fight(pc("Ann", hp=2), grub(), first="gm").when(Attack("Grub", ("Ann",)), [15, 4])
    told = told.when(Done()).when(Done()).when(Done()).when(pc("Bob"))
    while told.state.turns.who != "Bob":
        told = told.when(Done())
    told.refused(Heal("Bob", "Ann"), "freepg.dying.dead")


def test_the_end_of_an_encounter_stops_the_clocks():
    """freepg.dying.death"""
    told = (
        party("gm").when(Attack("Grub", ("Ann",)), [15, 4]).when(End()).then(ConditionEnded("Ann", "mortally wounded"))
    )
    told = told.when(Begin()).when(Initiative(), [19, 2, 2, 2])
    for _ in range(2):
        told = told.when(Done()).then(no(Felled))


def test_traps_heal_nobody():
    """freepg.trap.attack: it has no other role in the fight."""
    impossible(table(someone("Pit", kind="trap", trap="continuous"), jane()), Heal("Pit", "Jane"), "heals nobody")
