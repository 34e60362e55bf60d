"""The referee's corrections, and what follows from them."""

import pytest

from commands.adjust import Adjust
from commands.dungeoneers.answers import Opportune, Resolve
from commands.dungeoneers.basics import Disengage
from commands.dungeoneers.grapple import Grapple
from commands.dungeoneers.movement import Move
from commands.dungeoneers.ready import Ready, Trigger
from commands.dungeoneers.turns import Done, Turn
from commands.table import Leave
from ledger.errors import UsageError
from ledger.events import (
    AmbientMagicaSet,
    AmmunitionSet,
    ConditionGained,
    Dropped,
    Faced,
    MagicaSpent,
    PickedUp,
    StressEased,
    StressGained,
    TruceEnded,
    TruceMade,
    WoundsHealed,
    WoundsSustained,
)

from .table import conditions, ended, fight, impossible, skeleton, suori, threatened, turn_of


@pytest.mark.parametrize(
    ("field", "value", "fact"),
    [
        ("stress", "3", StressGained("Suori", 2, 3)),
        ("stress", "0", StressEased("Suori", 1, 0)),
        ("wounds", "2", WoundsSustained("Suori", 1, 2)),
        ("wounds", "0", WoundsHealed("Suori", 1, 0)),
        ("magica", "0", MagicaSpent("Suori", 2, 0)),
        ("magica", "1", MagicaSpent("Suori", 1, 1)),
        ("ambient-magica", "4", AmbientMagicaSet(4)),
        ("facing", "sw", Faced("Suori", "SW")),
        ("ammunition", "arrow=7", AmmunitionSet("Suori", "arrow", 7)),
        ("condition", "blind", ConditionGained("Suori", "blind")),
        ("dropped", "warhammer@2,3", Dropped("Suori", "warhammer", (2, 3, 0))),
        ("truce", "undead", TruceMade("dungeoneers", "undead")),
    ],
)
def test_a_correction_is_a_fact(field, value, fact):
    told = fight(suori(wounds=1, stress=1), skeleton((5, 5)))
    told.when(Adjust("Suori", field, value, "the referee says so")).then(fact)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stress", "1"),
        ("wounds", "-1"),
        ("facing", "up"),
        ("picked-up", "crown"),
        ("no-condition", "blind"),
        ("hope", "1"),
    ],
)
def test_a_correction_must_mean_something(field, value):
    told = fight(suori(stress=1), skeleton((5, 5)))
    with pytest.raises(UsageError):
        told.when(Adjust("Suori", field, value, "the referee says so"))


def test_what_lies_on_the_ground_can_be_picked_up_by_anybody():
    told = fight(suori(), skeleton()).when(Adjust("Suori", "dropped", "warhammer@0,0", "slipped"))
    told = told.when(Adjust("Skeleton", "picked-up", "warhammer", "quick fingers"))
    told.then(PickedUp("Skeleton", "warhammer", (0, 0, 0)))
    assert told.state.lying.items == ()
    assert told.state.lying.found == {"Skeleton": ("warhammer",)}


def test_a_truce_ends():
    told = fight(suori(), skeleton((5, 5))).when(Adjust("Suori", "truce", "und", "a parley"))
    told.when(Adjust("Suori", "no-truce", "undead", "it failed")).then(TruceEnded("dungeoneers", "undead"))


def test_half_a_grapple_is_none():
    """dungeoneers.grapple.conditions"""
    told = fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    loose = told.when(Adjust("Suori", "no-condition", "grappling", "she lost her grip"))
    loose.then(ended("Suori", "grappling"), ended("Skeleton", "grappled"))
    with pytest.raises(UsageError) as error:
        fight(suori(), skeleton()).when(Adjust("Suori", "condition", "grappled", "by nobody"))
    assert error.value.hint == "affray grapple Skeleton Suori --allow 'the reason'"


def test_who_leaves_is_no_target_any_more():
    told = fight(suori(), skeleton(), skeleton((5, 5), "Bones"))
    told = told.when(Ready("Suori", "attack", before="Bones", target="Skeleton")).when(Done()).when(Turn()).when(Done())
    impossible(told.when(Leave(("Skeleton",))), Trigger("Suori"), "On whom")
    window = fight(suori(), skeleton(), skeleton((1, 1), "Bones")).when(Move("Suori", ("W",)))
    gone = window.when(Leave(("Skeleton",)))
    assert threatened(gone, "Suori") == ("Bones",)
    gone.when(Opportune("Bones"), [1, 4, 4]).when(Resolve())
    left = window.when(Leave(("Suori",)))
    assert left.state.pending.window is None
    left.when(Done()).when(Turn())


def test_a_condition_that_the_referee_names_is_that_of_the_rules():
    """dungeoneers.defend.action, dungeoneers.sprint.action: until the own next turn; threatened by whoever is near."""
    told = fight(suori(), skeleton()).when(Disengage("Suori"))
    assert threatened(told, "Suori") == ()
    assert threatened(told.when(Adjust("Suori", "condition", "threatened", "not so fast")), "Suori") == ("Skeleton",)
    for condition in ("defensive", "sprinting"):
        held = told.when(Adjust("Suori", "condition", condition, "she had said so"))
        held.then(ConditionGained("Suori", condition, "turn-start", "Suori"))
        assert conditions(turn_of(held, "Suori"), "Suori") == set()
    impossible(fight(suori()), Adjust("Suori", "condition", "threatened", "by nobody"), "Nothing would change")
    dead = told.when(Adjust("Suori", "down", "dead", "x"))
    impossible(dead, Adjust("Suori", "condition", "threatened", "x"), "Nothing would change")
