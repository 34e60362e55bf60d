"""Where a number is just enough, or just not, and where something is of nobody."""

import pytest

from commands.action.adjust import Adjust
from commands.action.stat_blocks import SheetSet
from commands.action.view import View
from commands.rules.dungeoneers.basics import Grapple
from commands.rules.dungeoneers.bodies import direction
from commands.rules.dungeoneers.gear import reaching
from commands.rules.dungeoneers.movement import Move, Prone, Stand
from commands.rules.dungeoneers.sheet import as_it_stands
from commands.rules.dungeoneers.spells import Cast
from ledger.events import ConditionEnded, StressEased, Unequipped, WoundsHealed, WoundsSustained
from tests.kit import no

from .table import conditions, fight, impossible, skeleton, someone, suori, table, ulfarmi

ARCHER = {"carried": ["short bow"], "ammo": {"arrow": 2}, "ranks": {"bow": "D"}}
"""A short bow flies 8 tiles."""


def test_nobody_without_a_place_is_in_any_direction():
    """B would stand where Suori stands, and has no place yet."""
    view = View(table(suori((0, 0)), someone("A", (3, 0)), someone("B")).state)
    assert {direction(view, "Suori", "A"), direction(view, "A", "Suori")} == {"E", "W"}
    assert [direction(view, *pair) for pair in (("Suori", "B"), ("B", "Suori"), ("B", "B"))] == [""] * 3


def test_a_weapon_reaches_as_far_as_it_flies_while_there_is_something_to_shoot():
    told = table(someone("A", (0, 0), **ARCHER))
    reached = {far: [one.name for one in reaching(View(told.state), "A", far)] for far in (8, 9)}
    assert [len(found) for found in reached.values()] == [1, 0]
    spent = told.when(Adjust("A", "ammunition", "arrow=0", "why"))
    assert reaching(View(spent.state), "A", 8) == []


def test_a_stat_block_as_it_is_now_holds_what_is_left_to_shoot():
    """Of what the stat block names, also none; of what was found, while there is some of it."""
    told = table(someone("A", (0, 0), **ARCHER)).when(Adjust("A", "ammunition", "bolt=3", "found"))
    assert as_it_stands(View(told.state), "A").ammo == {"arrow": 2, "bolt": 3}
    told = told.when(Adjust("A", "ammunition", "arrow=0", "lost")).when(Adjust("A", "ammunition", "bolt=0", "lost"))
    assert as_it_stands(View(told.state), "A").ammo == {"arrow": 0}


def test_who_drags_somebody_that_lies_down_stands_up_with_them():
    """dungeoneers.prone.stand: both rise, or only the one who lies."""
    told = fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    assert "grappling" in conditions(told, "Suori")
    told = told.when(Adjust("Suori", "movement", "3", "the test"))
    alone = told.when(Prone("Suori")).when(Stand("Suori")).then(ConditionEnded("Suori", "prone"))
    assert [event.who for event in alone.events if isinstance(event, ConditionEnded)] == ["Suori"]
    both = told.when(Prone("Suori")).when(Adjust("Skeleton", "condition", "prone", "it falls")).when(Stand("Suori"))
    assert [event.who for event in both.events if isinstance(event, ConditionEnded)] == ["Suori", "Skeleton"]


@pytest.mark.parametrize("field", ["wounds", "stress", "magica"])
def test_what_is_so_already_is_no_correction(field: str):
    """Nobody who has none has none now; a skeleton has no mind."""
    impossible(table(skeleton()), Adjust("Skeleton", field, "0", "the test"), "Nothing would change")


def test_stress_wounds_as_it_comes_above_three_times_the_capacity():
    """dungeoneers.stress.triple-wound: Suori has 2; 6 are not more than 6, and 7 are: a wound, twice for her stress."""
    told = table(suori()).when(Adjust("Suori", "stress", "6", "the test")).then(no(WoundsSustained))
    told = told.when(Adjust("Suori", "stress", "7", "the test")).then(WoundsSustained("Suori", 2, 2))
    told.when(Adjust("Suori", "stress", "5", "the test")).then(StressEased("Suori", 2, 5))


def test_of_two_wounds_one_heals():
    told = table(suori()).when(Adjust("Suori", "wounds", "2", "the test"))
    told.when(Adjust("Suori", "wounds", "1", "the test")).then(WoundsHealed("Suori", 1, 1))


def test_what_is_said_of_nobody_or_from_nowhere_has_no_meaning():
    """dungeoneers.movement.move, dungeoneers.spellcast.several"""
    impossible(fight(suori(), someone("Shade")), Move("Shade", ("N",)), "no place")
    impossible(fight(ulfarmi(), skeleton()), Cast("Ulfarmi", "firebolt", ()), "On whom")


def test_gear_that_a_new_stat_block_has_no_place_for_is_put_away():
    """dungeoneers.equipment.slots: two in hand, and then one hand."""
    told = table(someone("Suori", equipped=["dagger", "hand axe"]))
    lame = SheetSet("Suori", {"name": "Suori", "equipped": ["dagger"], "carried": ["hand axe"], "slots": {"wield": 1}})
    told = told.when(lame).then(Unequipped("Suori", "hand axe"))
    assert told.state.gear.equipped["Suori"] == ("dagger",)
