"""The game master's word: names, numbers with their range, lines that are crossed, items that are found."""

import msgspec
import pytest

from commands.action.adjust import Adjust
from commands.action.seats import Seat
from commands.action.view import View
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.gear import Draw
from commands.rules.freepg.movement import Move
from commands.rules.freepg.sheet import as_it_stands
from commands.rules.freepg.turns import Done
from ledger.errors import Refused, UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Equipped,
    Felled,
    HpLost,
    HpSet,
    ItemGained,
    ItemLost,
    Overruled,
    Placed,
    Rose,
    Ruled,
    SideChanged,
    Unequipped,
)
from tests.gm import refuses_with_another_way
from tests.hints import offered_by
from tests.kit import given, no

from .table import BOW, HELM, RING, SWORD, boffin, brak, fight, grub, impossible, jane, someone, table

WHY = "the game master says so"


def adjust(who, field, value):
    return Adjust(who, field, value, WHY)


# Names


def test_as_somebody_stands_a_stat_block_says_no_maximum_that_the_book_gives():
    """55 of Boffin, by 10 on the die, and 20 of a small enemy follow from the rest of their sheets; 60 do not."""
    view = View(table(boffin(), grub(), grub(name="Big", hp_max=60)).state)
    assert [as_it_stands(view, who).hp_max for who in ("Boffin", "Grub", "Big")] == [None, None, 60]
    rolled = given("freepg", (someone("Ann", health_die="roll"), [8]))  # 50 and half of 8, which the sheet does not say
    assert as_it_stands(View(rolled.state), "Ann").hp_max == 54


def test_who_is_put_on_the_surface_is_not_aloft_any_more():
    """freepg.move.fly-landing: Jane hovers at height 3; at height 1 she still does."""
    told = fight(jane(at=(0, 0)), grub(at=(9, 9)), first="Jane").when(Move("Jane", to=(2, 0, 3), mode="fly"))
    told.when(adjust("Jane", "at", "2,0,0")).then(ConditionEnded("Jane", "aloft"))
    told.when(adjust("Jane", "at", "2,0,1")).then(Placed("Jane", (2, 0, 1)), no(ConditionEnded))


def test_an_item_is_named_by_its_beginning_and_counts_once():
    """freepg.bonus.equipped-only: 15 against 12 with a ring of +1: 4 damage, not 5 with the ring twice."""
    told = table(boffin({**RING, "equipped": False}), grub()).when(adjust("Boffin", "equipped", "ring"))
    told.then(Equipped("Boffin", "ring of force"))
    told.when(Attack("Boffin", ("Grub",)), [15, 12]).then(HpLost("Grub", 4, 16))
    impossible(told, adjust("Boffin", "equipped", "ring"), "already has ring of force equipped")


@pytest.mark.parametrize(("field", "value"), [("equipped", "xyzzy"), ("no-equipped", "xyzzy"), ("no-item", "xyzzy")])
def test_what_nobody_has_is_refused_with_what_there_is(field, value):
    with pytest.raises(UsageError) as error:
        table(boffin(SWORD, HELM)).when(adjust("Boffin", field, value))
    assert "sword" in offered_by(error.value)
    assert "helm" in offered_by(error.value)


def test_what_is_in_use_is_put_away():
    """freepg.bonus.equipped-only: 15 against 12 with a ring of +1 on is 4 damage, and 3 when it is off."""
    told = table(boffin(RING, HELM), grub()).when(adjust("Boffin", "no-equipped", "ring"))
    told.then(Unequipped("Boffin", "ring of force"))
    assert told.state.gear.equipped["Boffin"] == ("helm",)
    told.when(Attack("Boffin", ("Grub",)), [15, 12]).then(HpLost("Grub", 3, 17))


def test_a_beginning_that_fits_two_items_is_refused():
    impossible(table(boffin(SWORD, {**BOW, "name": "sling"})), adjust("Boffin", "no-equipped", "s"), "could be")


def test_an_item_takes_the_place_of_the_one_in_its_slot():
    """freepg.bonus.head-count: one head item; freepg.bonus.ring-count: the third ring is refused."""
    crown = {**HELM, "name": "crown", "equipped": False}
    told = table(boffin(HELM, crown)).when(adjust("Boffin", "equipped", "crown"))
    told.then(Unequipped("Boffin", "helm"), Equipped("Boffin", "crown"))
    rings = [{**RING, "name": name} for name in ("one", "two")] + [{**RING, "name": "three", "equipped": False}]
    full = table(boffin(*rings))
    full.refused(adjust("Boffin", "equipped", "three"), "freepg.bonus.ring-count")
    full.when(adjust("Boffin", "equipped", "three"), allow="a third finger").then(
        Overruled("freepg.bonus.ring-count", "Boffin already has one and two equipped.", "a third finger"),
        Equipped("Boffin", "three"),
    )


def test_a_side_is_one_at_the_table():
    told = table(boffin(), grub()).when(adjust("Grub", "side", "PAR")).then(SideChanged("Grub", "party"))
    told.refused(adjust("Grub", "side", "rebels"), "freepg.initiative.gm-seat")
    told.when(adjust("Grub", "side", "rebels"), allow="a mutiny").then(SideChanged("Grub", "rebels"))


# Numbers


@pytest.mark.parametrize(("value", "clause"), [("-3", "freepg.attack.damage-floor"), ("500", "freepg.heal.maximum")])
def test_health_outside_of_its_range_is_refused_with_the_range(value, clause):
    """Boffin has 0 to 55."""
    told = table(boffin(), grub())
    with pytest.raises(Refused, match="0 to 55") as refused:
        told.when(adjust("Boffin", "hp", value))
    assert refused.value.clause == clause
    assert offered_by(refused.value) == (
        "affray damage Boffin 3 'the game master says so'" if value == "-3" else ""
    )  # she has all 55
    told.when(adjust("Boffin", "hp", value), allow="so be it").then(HpSet("Boffin", int(value), 55))


def test_below_0_they_fall_as_at_0():
    """freepg.dying.start, freepg.enemy.dies-at-zero"""
    told = fight(boffin(), jane(), grub(), first="gm")
    fallen = told.when(adjust("Boffin", "hp", "-3"), allow="a long way down").ruled("freepg.dying.start")
    fallen.then(Felled("Boffin", "dying"), ConditionGained("Boffin", "mortally wounded", "acted", whom=("Jane",)))
    fallen.refused(Attack("Boffin", ("Grub",)), "freepg.dying.no-actions")
    told.when(adjust("Grub", "hp", "0")).ruled("freepg.enemy.dies-at-zero").then(Felled("Grub", "dead"))


def test_enemies_whom_a_player_plays_are_dead_at_0_and_one_who_came_over_is_dying():
    """freepg.enemy.dies-at-zero, freepg.dying.start"""
    told = fight(boffin(), jane(), grub(), someone("Snot", kind="enemy", size="minion"), first="gm")
    told = told.when(Seat("Tom", ("Snot",)))
    told.when(adjust("Grub", "hp", "0")).ruled("freepg.enemy.dies-at-zero").then(Felled("Grub", "dead"))
    told.when(adjust("Snot", "hp", "0")).ruled("freepg.enemy.dies-at-zero").then(Felled("Snot", "dead"))
    over = told.when(adjust("Grub", "side", "party")).when(adjust("Grub", "hp", "0"))
    over.ruled("freepg.dying.start").then(Felled("Grub", "dying"))


def test_above_0_the_dying_are_rescued_and_the_dead_are_not():
    """freepg.dying.rescue, freepg.dying.dead"""
    told = fight(boffin(), jane(), grub(), first="gm").when(adjust("Boffin", "hp", "0"))
    told.when(adjust("Boffin", "hp", "1")).ruled("freepg.dying.rescue", "rescued").then(
        HpSet("Boffin", 1, 55), ConditionEnded("Boffin", "mortally wounded"), Rose("Boffin")
    )
    dead = told.when(adjust("Boffin", "down", "dead")).then(ConditionEnded("Boffin", "mortally wounded"))
    dead.when(adjust("Boffin", "hp", "9")).ruled("freepg.dying.dead", "stays dead").then(no(Rose))
    for how in ("dead", "dying"):  # by the game master's word, with 55 hit points
        told = table(boffin()).when(adjust("Boffin", "down", how))
        told.when(adjust("Boffin", "hp", "0")).then(HpSet("Boffin", 0, 55), no(Rose), no(Ruled))


def test_anyone_who_is_raised_by_the_game_master_does_not_stand_at_0():
    """Readings: nobody stands at 0."""
    told = table(grub()).when(adjust("Grub", "hp", "0")).when(adjust("Grub", "down", "no"))
    told.then(HpSet("Grub", 1, 20), Rose("Grub"))


def test_less_maximum_is_less_health():
    table(boffin()).when(adjust("Boffin", "hp-max", "30")).then(HpSet("Boffin", 30, 30))


def test_the_clock_of_the_dying_begins_with_the_game_masters_word():
    """freepg.dying.death: Jane has to end a turn."""
    told = fight(boffin(), jane(), grub(), first="gm").when(adjust("Boffin", "down", "dying"))
    told.then(Felled("Boffin", "dying"), ConditionGained("Boffin", "mortally wounded", "acted", whom=("Jane",)))
    told.refused(adjust("Grub", "down", "dying"), "freepg.enemy.dies-at-zero")


@pytest.mark.parametrize(("field", "value"), [("hp", "3"), ("hp-max", "9"), ("down", "dead"), ("down", "no")])
def test_a_trap_has_no_health(field, value):
    impossible(table(someone("Pit", kind="trap", trap="single")), adjust("Pit", field, value), "is a trap")


# What there is


@pytest.mark.parametrize("field", ["pain", "stress", "magica", "wounds", "truce", "facing"])
def test_a_field_that_the_game_does_not_have_is_answered_with_the_list(field):
    with pytest.raises(UsageError) as error:
        table(boffin()).when(adjust("Boffin", field, "1"))
    assert "hp, hp-max, down, condition" in offered_by(error.value)


@pytest.mark.parametrize(
    ("field", "hint"),
    [("area", "affray adjust Boffin at 3,2 'the reason'"), ("engaged", "affray adjust Boffin at 3,2 'the reason'")],
)
def test_a_field_of_other_games_is_answered_with_the_way(field, hint):
    with pytest.raises(UsageError) as error:
        table(boffin()).when(adjust("Boffin", field, "hall"))
    assert offered_by(error.value) == hint


@pytest.mark.parametrize(
    ("field", "value"),
    [("hp", "55"), ("down", "no"), ("no-condition", "prone"), ("side", "party"), ("at", "1,1"), ("action", "1")],
)
def test_nothing_is_said_in_vain(field, value):
    with pytest.raises(UsageError):
        table(boffin(at=(1, 1))).when(adjust("Boffin", field, value))


def test_a_clock_is_not_set_by_itself():
    impossible(table(boffin()), adjust("Boffin", "condition", "Mortally Wounded"), "not set by itself")


def test_nobody_is_put_on_another_body():
    """freepg.move.occupied: Brak stands on 4,1 to 5,2."""
    told = table(boffin(at=(0, 0)), brak(at=(4, 1)))
    told.refused(adjust("Boffin", "at", "5,2"), "freepg.move.occupied")
    told.when(adjust("Boffin", "at", "5,2"), allow="he stands on it").then(Placed("Boffin", (5, 2, 0)))
    told.when(adjust("Brak", "at", "5,1")).then(Placed("Brak", (5, 1, 0)))


# Items


BAND = 'name = "band", slot = "ring", damage = 2'


def test_what_is_found_in_a_fight_is_carried_and_counts_when_it_is_put_on():
    """freepg.bonus.damage-cap, freepg.turn.item-swap: 15 against 12 and +2: 5 damage; one action to put it on."""
    told = fight(boffin(), grub(), first="Boffin").when(adjust("Boffin", "item", BAND))
    (gained,) = [event for event in told.events if isinstance(event, ItemGained)]
    assert (gained.who, gained.item) == ("Boffin", "band")
    sheet = msgspec.json.decode(told.state.roster.members["Boffin"].sheet)
    assert sheet["items"] == [{"name": "band", "slot": "ring", "equipped": False, "damage": 2}]
    told.when(Attack("Boffin", ("Grub",)), [15, 12]).then(HpLost("Grub", 3, 17))
    worn = told.when(Draw("Boffin", "ba")).ruled("freepg.turn.item-swap").then(Equipped("Boffin", "band", drawn=True))
    worn.when(Attack("Boffin", ("Grub",)), [15, 12]).then(HpLost("Grub", 5, 15))


@pytest.mark.parametrize(
    ("row", "clause"),
    [
        ('name = "band", slot = "ring", damage = 3', "freepg.bonus.damage-cap"),
        ('name = "band", slot = "ring", attack = 1', "freepg.bonus.slot-kind"),
        ('name = "axe", slot = "weapon", attack = 6', "freepg.bonus.weapon-cap"),
        ('name = "boots", slot = "feet", speed = 6', "freepg.bonus.other-slots"),
    ],
)
def test_a_found_item_has_the_caps_of_its_slot(row, clause):
    table(boffin()).refused(adjust("Boffin", "item", row), clause)


@pytest.mark.parametrize("row", ["band", "name = 3", 'name = "band"', 'name = "band", slot = "nose"', "= ="])
def test_an_item_is_written_as_in_a_stat_block(row):
    with pytest.raises(UsageError):
        table(boffin()).when(adjust("Boffin", "item", row))


def test_an_item_changes_hands_and_is_out_of_the_old_ones():
    """freepg.bonus.weapon-must-be-used: Jane's bow of +1 counts for Boffin afterwards: 15 and 1 against 12, 4."""
    told = table(boffin(), jane(BOW), grub()).when(adjust("Boffin", "item", "bow@jane"))
    (lost,) = [event for event in told.events if isinstance(event, ItemLost)]
    told.then(Unequipped("Jane", "bow"), lost)
    assert lost.who == "Jane"
    drawn = told.when(Draw("Boffin", "bow"))
    drawn.when(Attack("Boffin", ("Grub",), with_="bow"), [15, 12]).then(HpLost("Grub", 4, 16))
    impossible(drawn, Draw("Jane", "bow"), "no item")


def test_a_second_item_of_a_name_has_a_number_and_can_be_taken_away():
    told = table(boffin(RING)).when(adjust("Boffin", "item", '{ name = "ring of force", slot = "ring", damage = 1 }'))
    told = told.when(adjust("Boffin", "equipped", "ring of force-2"))
    told = told.when(adjust("Boffin", "no-item", "ring of force"))
    assert told.state.gear.equipped["Boffin"] == ("ring of force-2",)


def test_the_game_master_gives_actions_in_a_turn():
    """freepg.turn.two-actions"""
    told = fight(boffin(at=(0, 0)), grub(at=(1, 0)), first="Boffin").when(adjust("Boffin", "attack", "2"))
    told = told.when(Attack("Boffin", ("Grub",)), [15, 12]).when(Attack("Boffin", ("Grub",)), [15, 12])
    told.refused(Attack("Boffin", ("Grub",)), "freepg.turn.one-attack")
    impossible(told.when(Done()), adjust("Boffin", "attack", "-1"), "0 or more")
    impossible(table(boffin()).when(Begin(unordered=True)), adjust("Boffin", "action", "1"), "counted in the rounds")


def test_what_the_game_master_does_not_set_has_another_way():
    told = table(boffin(SWORD, HELM), jane(), grub(name="Rat"), grub(items=[BOW])).when(adjust("Rat", "down", "dead"))
    refuses_with_another_way(told, "freepg", "Boffin", "sword", "bow")
