"""Encounter, initiative, turns and actions."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.board import acting
from commands.rules.freepg.checks import Check
from commands.rules.freepg.effects import Effect
from commands.rules.freepg.encounter import Begin, End, Terrain
from commands.rules.freepg.movement import Move
from commands.rules.freepg.turns import Act, Done, Initiative
from ledger.errors import Refused, UsageError
from ledger.events import (
    ConditionEnded,
    Counted,
    EncounterBegan,
    EncounterEnded,
    Felled,
    GroundCleared,
    GroundLaid,
    HpLost,
    Noted,
    OrderSet,
    PointsSet,
    PointsSpent,
    RoundBegan,
    Ruled,
    TurnBegan,
    TurnEnded,
)
from tests.hints import commands, offered_by
from tests.kit import Told, given, no, verb_of

from .table import boffin, brak, fight, grub, impossible, someone, table

PARTY = (someone("Ann"), someone("Bob"), grub())


def test_every_seat_rolls_and_the_highest_is_first():
    """freepg.initiative.roll: seats gm, Ann, Bob: 8, 15, 11: Ann."""
    told = table(*PARTY).when(Begin(seats=("gm", "Ann", "Bob"))).when(Initiative(), [8, 15, 11])
    told.ruled("freepg.initiative.roll", "Ann goes first", [8, 15, 11])
    told.then(OrderSet(("Ann", "Bob", "gm")), RoundBegan(1), TurnBegan("Ann"))


def test_seats_stand_in_the_order_that_is_said():
    told = table(*PARTY).when(Begin(seats=("Bob", "gm", "Ann")))
    told.then(OrderSet(("Bob", "gm", "Ann")))


def test_one_order_holds_for_the_whole_encounter():
    """freepg.initiative.roll"""
    told = fight(*PARTY, first="Ann")
    told.refused(Initiative(), "freepg.initiative.roll", [8, 15, 11])
    told.when(Initiative(), [8, 15, 11], allow="a time warp").then(OrderSet(("Bob", "gm", "Ann")))


def test_those_who_tie_for_the_highest_roll_again():
    """freepg.initiative.tie: gm 15, Ann 15, Bob 2, then gm 4, Ann 9: Ann."""
    told = table(*PARTY).when(Begin(seats=("gm", "Ann", "Bob"))).when(Initiative(), [15, 15, 2, 4, 9])
    told.ruled("freepg.initiative.roll", "gm and Ann tie").ruled("freepg.initiative.tie", "Ann goes first", [4, 9])
    told.then(TurnBegan("Ann"))
    again = table(*PARTY).when(Begin(seats=("gm", "Ann", "Bob"))).when(Initiative(), [15, 15, 2, 7, 7, 3, 2])
    again.ruled("freepg.initiative.tie", "gm and Ann tie", [7, 7]).ruled(
        "freepg.initiative.tie", "gm goes first", [3, 2]
    )


def test_turns_go_clockwise_whatever_the_others_rolled():
    """freepg.initiative.clockwise: seats gm, Ann, Bob, Cy and Bob first: Bob, Cy, gm, Ann; then a new round."""
    told = table(*PARTY, someone("Cy")).when(Begin(seats=("gm", "Ann", "Bob", "Cy")))
    told = told.when(Initiative(), [17, 16, 18, 1]).ruled("freepg.initiative.clockwise", "Bob, Cy, gm, Ann")
    for before, after in (("Bob", "Cy"), ("Cy", "gm"), ("gm", "Ann")):
        told = told.when(Done()).then(TurnEnded(before), TurnBegan(after), no(RoundBegan))
    told.when(Done()).then(TurnEnded("Ann"), RoundBegan(2), TurnBegan("Bob"))


def test_a_seat_whose_characters_all_left_is_passed_over():
    """freepg.initiative.clockwise: Bob goes home; after Ann comes the game master, and nobody has to end Bob's turn."""
    told = fight(*PARTY, first="Ann").when(Leave(("Bob",))).when(Done())
    told.ruled("freepg.initiative.clockwise", "nobody plays for Bob any more").then(TurnBegan("gm"))
    told = told.when(Done()).then(RoundBegan(2), TurnBegan("Ann"))
    told.when(someone("Bob")).when(Done()).then(TurnBegan("Bob"))


def test_the_clock_of_a_seat_that_is_passed_over_goes_on():
    """freepg.dying.death: Ann, alone, falls on Sam's turn, and Sam goes home: she is dead a round later."""
    told = fight(someone("Ann", hp=2), someone("Pim", kind="ally", seat="Sam"), grub(), first="Sam")
    told = told.when(Attack("Pim", ("Ann",)), [15, 4]).when(Leave(("Pim",))).when(Done()).when(Done())
    told = told.then(no(Felled)).when(Done()).ruled("freepg.dying.death").then(Felled("Ann", "dead"))


def test_seats_are_those_of_the_sheets_with_the_game_master_last():
    told = table(someone("Ann"), grub(), someone("Bob", seat="Xenia"), someone("Cy", seat="Xenia")).when(Begin())
    told.then(EncounterBegan(1), OrderSet(("Ann", "Xenia", "gm")))
    told = table(*PARTY).when(Begin(seats=("bob",))).then(OrderSet(("Bob", "Ann", "gm")))
    impossible(table(*PARTY), Begin(seats=("bob", "Bob")), "twice")


def test_for_a_misspelt_seat_the_nearest_one_is_offered():
    """Of two that are near."""
    with pytest.raises(UsageError) as told:
        table(someone("Boffin", seat="Jane"), someone("Grim", seat="June")).when(Begin(seats=("Jne",)))
    assert offered_by(told.value) == "affray begin --seats June"


def test_where_a_map_was_read_a_wrong_seat_is_put_right_in_words():
    """The record holds what the file says and not its name, so a whole command could not be typed as it stands."""
    said = Begin(seats=("Bob", "Zed", "gm"))
    with pytest.raises(UsageError) as told:
        table(*PARTY).when(said)
    assert offered_by(told.value) == "affray begin --seats Bob --seats gm"
    with pytest.raises(UsageError) as told:
        table(*PARTY).when(replace(said, map={"obstacles": [[4, 0]]}))
    assert offered_by(told.value) == "Say --seats Bob,gm instead."


def test_a_seat_that_joins_late_sits_before_the_game_master():
    """Or at the end of the round, once the turn of the game master has come: it has a turn in this round."""
    told = fight(*PARTY, first="Bob").when(someone("Cy")).then(OrderSet(("Bob", "Cy", "gm", "Ann")), no(PointsSet))
    late = fight(*PARTY, first="Bob").when(Done(pass_rest=True))
    late.when(someone("Cy")).then(OrderSet(("Bob", "gm", "Ann", "Cy")), no(PointsSet))
    told = fight(*PARTY, first="gm").when(someone("Cy")).then(OrderSet(("gm", "Ann", "Bob", "Cy")))
    told.when(grub(name="Orc")).then(PointsSet("Orc", "action", 2), PointsSet("Orc", "attack", 1))


GUARDED = (someone("Ann"), someone("Guard", kind="ally"), brak(), grub())


def test_all_creatures_of_the_game_master_act_on_its_turn_allies_first():
    """freepg.initiative.gm-seat: Brak attacks, then the allied guard: refused."""
    told = fight(*GUARDED, first="gm")
    told.when(Attack("Guard", ("Grub",)), [15, 4]).when(Attack("Brak", ("Ann",)), [15, 4]).then(HpLost("Ann", 13, 37))
    told = told.when(Attack("Brak", ("Ann",)), [15, 4])
    told.refused(Attack("Guard", ("Grub",)), "freepg.initiative.gm-seat")
    told.when(Attack("Guard", ("Grub",)), [15, 4], allow="he was quick").then(PointsSpent("Guard", "action", 1, 1))
    again = told.when(Done(pass_rest=True)).when(Done())
    again.when(Attack("Guard", ("Grub",)), [15, 4]).then(HpLost("Grub", 11, 9))


def test_a_foe_that_is_dead_does_not_hold_up_the_allies():
    """freepg.initiative.gm-seat: Grub acted in the first round and died in it; in the second nobody has acted yet."""
    told = fight(*GUARDED, grub(name="Other"), first="gm").when(Attack("Grub", ("Ann",)), [5, 9])
    told = told.when(Done(pass_rest=True)).when(Attack("Ann", ("Grub",)), [20, 1]).then(Felled("Grub", "dead"))
    told = told.when(Done()).then(TurnBegan("gm"))
    told = told.when(Attack("Guard", ("Other",)), [15, 4]).then(HpLost("Other", 11, 9))


def test_anyone_who_has_come_over_is_an_ally():
    """freepg.initiative.gm-seat, freepg.dying.start: Grub fights for Ann: not after Brak, not shown then, and dying."""
    told = fight(*GUARDED, first="gm").when(Adjust("Grub", "side", "party", "a bribe"))
    acted = told.when(Attack("Brak", ("Ann",)), [15, 4])
    acted.refused(Attack("Grub", ("Brak",)), "freepg.initiative.gm-seat")
    assert acting(View(told.state)) == ["Guard", "Brak", "Grub"]
    assert acting(View(acted.state)) == ["Brak"]
    told.when(Adjust("Grub", "hp", "0", "a rock")).then(Felled("Grub", "dying"))


def test_only_the_seat_whose_turn_it_is_acts():
    """freepg.turn.out-of-turn"""
    told = fight(*PARTY, first="Ann")
    told.refused(Attack("Bob", ("Grub",)), "freepg.turn.out-of-turn")
    told.refused(Act("Bob", "drinks"), "freepg.turn.out-of-turn")
    told.when(Check("Bob", dt=10, free=True), [12]).ruled("freepg.check.skill", "success").then(no(PointsSpent))


def early(told: Told, said: Declaration, dice: Sequence[int] = ()) -> Told:
    """An act that a correction leaves out of the order."""
    fight = resolve(Resolution(told.state, verb_of(said), said, Dice(faces=dice), out_of_order=True))
    return Told(fight.state, fight.events, told.state)


def test_whoever_a_correction_has_act_before_their_turn_begins_it_so():
    """freepg.turn.out-of-turn: Bob has of his turn what he has left then; nobody has anew whose turn has been."""
    told = fight(*PARTY, first="Ann")
    once = early(told, Act("Bob", "drinks"))
    once.then(PointsSet("Bob", "action", 2), Counted("Bob", "turn begun", 1), PointsSpent("Bob", "action", 1, 1))
    twice = early(once, Act("Bob", "drinks")).then(no(Counted), PointsSpent("Bob", "action", 1, 0))
    assert twice.when(Done()).state.points.left("Bob", "action") == 0
    passed = told.when(Act("Ann", "looks")).when(Done(pass_rest=True))
    early(passed, Act("Ann", "drinks")).then(no(PointsSet), no(Counted))


def test_nobody_acts_before_initiative():
    """freepg.turn.out-of-turn"""
    table(*PARTY).when(Begin()).refused(Attack("Ann", ("Grub",)), "freepg.turn.out-of-turn")


def test_characters_of_one_seat_act_in_any_order():
    """freepg.turn.out-of-turn"""
    told = fight(someone("Ann", seat="X"), someone("Bob", seat="X"), grub(), first="X")
    told.when(Act("Bob", "opens a door")).when(Act("Ann", "closes it")).when(Act("Bob", "opens it again"))


def test_a_turn_has_two_actions():
    """freepg.turn.two-actions: move, move, then check: refused; unused ones are lost."""
    told = fight(boffin(), grub(), first="Boffin").when(Move("Boffin", squares=5)).when(Move("Boffin", squares=5))
    told.refused(Check("Boffin", dt=10), "freepg.turn.two-actions")
    told.when(Check("Boffin", dt=10), [12], allow="haste").then(no(PointsSpent))
    idle = fight(boffin(), grub(), first="Boffin").when(Done()).when(Done())
    assert idle.state.points.left("Boffin", "action") == 2


def test_one_of_them_is_an_attack():
    """freepg.turn.one-attack: a second one is refused even with an action left."""
    told = fight(boffin(), grub(), first="Boffin").when(Attack("Boffin", ("Grub",)), [9, 12])
    told.refused(Attack("Boffin", ("Grub",)), "freepg.turn.one-attack")
    twice = fight(boffin(extra_attacks=1), grub(), first="Boffin").when(Attack("Boffin", ("Grub",)), [9, 12])
    twice = twice.when(Attack("Boffin", ("Grub",)), [9, 12]).then(PointsSpent("Boffin", "attack", 1, 0))
    twice.refused(Attack("Boffin", ("Grub",)), "freepg.turn.one-attack")


def test_a_mundane_action_is_described_in_words():
    """freepg.turn.mundane"""
    told = fight(boffin(), first="Boffin").when(Act("Boffin", "bars the door"))
    told.then(PointsSpent("Boffin", "action", 1, 1), Noted("bars the door", "Boffin"))


def test_effects_end_when_they_should():
    told = fight(*PARTY, first="Ann")
    ends = ("turn-start", "turn-end", "round-end", "encounter-end", "removed")
    for until in ends:
        told = told.when(Effect(("Bob",), until, amount=1, until=until))
    told = told.when(Done()).then(ConditionEnded("Bob", "turn-start"))
    told = told.when(Done()).then(TurnEnded("Bob"), ConditionEnded("Bob", "turn-end"), TurnBegan("gm"))
    told = told.when(Done()).then(ConditionEnded("Bob", "round-end"), RoundBegan(2))
    assert sorted(told.state.conditions.of["Bob"]) == ["encounter-end", "removed"]
    told = told.when(End()).then(ConditionEnded("Bob", "encounter-end"), EncounterEnded(1))
    told.when(Effect(("Bob",), "removed", end=True)).then(ConditionEnded("Bob", "removed"))
    impossible(told, Effect(("Bob",), "haste", end=True), "no effect")
    impossible(told, Effect(("Bob",), "prone"), "The rules use the name")


def test_no_effect_passes_for_the_strain_of_a_run():
    """freepg.move.run: an effect called run would spare the runner its -2; ending what a run gave is fine."""
    told = fight(*PARTY, first="Ann")
    impossible(told, Effect(("Ann",), "running"), "A move gives")
    told = told.when(Move("Ann", squares=7, mode="run"))
    told.when(Effect(("Ann",), "running", end=True)).then(ConditionEnded("Ann", "running"))


def test_the_ground_is_laid_and_cleared():
    """freepg.terrain.other: the game master's record."""
    told = table().when(Begin("The bridge", map={"obstacles": [[2, 1], [1, 1], [1, 1]], "drains": [[0, 0]]}))
    told.then(EncounterBegan(1, "The bridge"), GroundLaid("obstacle", ((1, 1), (2, 1))), GroundLaid("drain", ((0, 0),)))
    told = told.when(Terrain("difficult", ((3, 1, 0),), to=(2, 2, 0)))
    told.then(GroundLaid("difficult", ((2, 1), (2, 2), (3, 1), (3, 2))))
    told.when(Terrain("obstacle", ((1, 1, 0),), clear=True)).then(GroundCleared("obstacle", ((1, 1),)))
    impossible(told, Terrain("drain", ((0, 0, 0),), to=(1000, 1000, 0)), "more than")
    impossible(told, Terrain("drain", ((0, 0, 0),), to=(72, 136, 0)), "more than")  # 73 x 137 = 10,001
    told.when(Terrain("drain", ((0, 0, 0),), to=(99, 99, 0)))  # 100 x 100
    impossible(told.when(End()), Terrain("drain", ((0, 0, 0),)), "none is under way")


def test_encounters_begin_and_end_in_turn():
    told = table(*PARTY).when(Begin())
    impossible(told, Begin(), "under way")
    impossible(told, Done(), "No turn")
    told = told.when(End())
    impossible(told, End(), "No encounter")
    impossible(told, Initiative(), "No encounter")
    impossible(told, Begin(map={"swamps": [[1, 1]]}), "map is wrong")
    told.when(Begin("again")).then(EncounterBegan(2, "again"))


def test_nobody_of_a_seat_is_forgotten_when_its_turn_ends():
    """freepg.turn.two-actions: Brak has acted, Grub has not; a seat of one says by done that it is done."""
    told = fight(someone("Ann"), brak(), grub(), first="gm").when(Attack("Brak", ("Ann",)), [5, 9])
    with pytest.raises(Refused) as refused:
        told.when(Done())
    assert commands(offered_by(refused.value)) == "affray done --pass-rest"
    with pytest.raises(Refused) as refused:
        told.when(Attack("Ann", ("Grub",)))
    assert (refused.value.clause, commands(offered_by(refused.value))) == (
        "freepg.turn.out-of-turn", "affray done --pass-rest",
    )  # fmt: skip
    told = told.when(Done(pass_rest=True)).ruled("freepg.turn.two-actions", "does nothing")
    told.when(Done()).ruled("freepg.turn.two-actions", "does nothing").then(TurnBegan("gm"))
    acted = fight(someone("Ann"), brak(), grub(), first="gm").when(Act("Brak", "roars")).when(Act("Grub", "squeaks"))
    assert not [one for one in acted.when(Done()).events if isinstance(one, Ruled)]


def test_the_way_on_of_one_who_is_not_on_turn_is_that_of_the_turn():
    """freepg.turn.out-of-turn: the turn under way can be ended; before initiative it is rolled."""
    told = fight(*PARTY, first="Ann")
    with pytest.raises(Refused) as refused:
        told.when(Attack("Bob", ("Grub",)))
    assert commands(offered_by(refused.value)) == "affray done"
    with pytest.raises(Refused) as refused:
        table(*PARTY).when(Begin()).when(Attack("Ann", ("Grub",)))
    assert offered_by(refused.value) == "affray initiative"


def test_names_never_change_places_in_what_is_offered():
    """freepg.turn.out-of-turn: it is Boffin's turn, and `done` would end it."""
    told = given("freepg", boffin(), grub(), Begin(), (Initiative(), [15, 2]))
    with pytest.raises(Refused) as refused:
        told.when(Attack("Grub", ("Boffin",)), [2, 15])
    assert offered_by(refused.value) == "affray done\n(gives up Boffin's turn)"
    with pytest.raises(Refused) as refused:
        told.when(Done()).when(Attack("Boffin", ("Grub",)), [2, 15])
    assert offered_by(refused.value) == "affray done\n(gives up Grub's turn)"
