"""The game master's corrections, and what follows from them."""

import json

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.stat_blocks import SheetSet
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Disengage, Grapple
from commands.rules.dungeoneers.encounter import Done, Turn
from commands.rules.dungeoneers.hands import Draw
from commands.rules.dungeoneers.movement import Move
from commands.rules.dungeoneers.ready import Ready, Trigger
from ledger.errors import Refused, UsageError
from ledger.events import (
    AmbientMagicaSet,
    AmmunitionSet,
    ConditionGained,
    Dropped,
    Equipped,
    Faced,
    Felled,
    MagicaGained,
    MagicaSpent,
    Moved,
    PickedUp,
    Placed,
    StressEased,
    StressGained,
    TruceEnded,
    TruceMade,
    TurnEnded,
    Unequipped,
    WoundsHealed,
    WoundsSustained,
)
from projections.changes import values
from tests.gm import refuses_with_another_way
from tests.hints import offered_by
from tests.kit import no

from .table import (
    conditions,
    ended,
    fight,
    freya,
    impossible,
    rolls,
    skeleton,
    someone,
    suori,
    table,
    threatened,
    turn_of,
)


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
    told.when(Adjust("Suori", field, value, "the game master says so")).then(fact)


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
        told.when(Adjust("Suori", field, value, "the game master says so"))


def test_what_lies_on_the_ground_can_be_picked_up_by_anybody():
    told = fight(suori(), freya((5, 5)), skeleton()).when(Adjust("Suori", "dropped", "warhammer@0,0", "slipped"))
    told = told.when(Adjust("Freya", "dropped", "mace@5,5", "slipped"))
    told = told.when(Adjust("Skeleton", "picked-up", "warhammer", "quick fingers"))
    told.then(PickedUp("Skeleton", "warhammer", (0, 0, 0)))
    assert [item.item for item in told.state.lying.items] == ["mace"]
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
    assert offered_by(error.value) == "affray grapple Skeleton Suori --allow 'all: the reason'"


def test_anyone_who_leaves_is_no_target_any_more():
    told = fight(suori(), skeleton(), skeleton((5, 5), "Bones"))
    told = told.when(Ready("Suori", "attack", before="Bones", target="Skeleton")).when(Done()).when(Turn()).when(Done())
    impossible(told.when(Leave(("Skeleton",))), Trigger("Suori"), "On whom")
    window = fight(suori(), skeleton(), skeleton((1, 1), "Bones")).when(Move("Suori", ("W",)))
    gone = window.when(Leave(("Skeleton",)))
    assert threatened(gone, "Suori") == ("Bones",)
    gone.when(Opportune("Bones"), [1, 4, 4]).then(Moved("Suori", "move", 1, (-1, 0, 0)))
    left = window.when(Leave(("Suori",)))
    assert left.state.pending.window is None
    left.then(TurnEnded("Suori")).when(Turn())


def test_a_condition_that_the_game_master_names_is_that_of_the_rules():
    """dungeoneers.defend.action, dungeoneers.sprint.action: until the next turn; threatened by anyone near."""
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


# Numbers and their lines


def adjust(who, field, value):
    return Adjust(who, field, value, "the game master says so")


@pytest.mark.parametrize(
    ("field", "value", "clause"),
    [("wounds", "5", "dungeoneers.wounds.capacity"), ("magica", "99", "dungeoneers.magica.capacity")],
)
def test_a_number_beyond_the_capacity_is_refused_with_the_range(field, value, clause):
    """Suori can have 2 wounds, and her mind of 1 holds 2 magica: 1 at the start, and 1 more since her turn began."""
    told = fight(suori(wounds=1, magica=1), skeleton((5, 5)))
    with pytest.raises(Refused, match="can be 0 to 2") as refused:
        told.when(adjust("Suori", field, value))
    assert refused.value.clause == clause
    fact = WoundsSustained("Suori", 4, 5) if field == "wounds" else MagicaGained("Suori", 97, 99)
    told.when(adjust("Suori", field, value), allow="so be it").then(fact)


def test_stress_beyond_three_times_the_capacity_wounds():
    """dungeoneers.stress.triple-wound: endurance 2: 6 does nothing, 7 is a wound, doubled for the over-stressed."""
    told = fight(suori(), skeleton((5, 5)))
    told.when(adjust("Suori", "stress", "6")).then(StressGained("Suori", 6, 6), no(WoundsSustained))
    hurt = told.when(adjust("Suori", "stress", "7")).ruled("dungeoneers.stress.triple-wound", "over-exertion", [7, 6])
    hurt.then(StressGained("Suori", 7, 7), WoundsSustained("Suori", 2, 2))
    hurt.when(adjust("Suori", "stress", "8")).then(StressGained("Suori", 1, 8), no(WoundsSustained), no(Felled))


@pytest.mark.parametrize(("equipped", "adjusted", "in_hand"), [
    ([], [], ("dagger", "hand axe")), (["dagger"], [], ("dagger", "hand axe")),
    (["dagger"], [("no-equipped", "dagger")], ("hand axe",)),
    ([], [("equipped", "hand axe")], ("hand axe", "dagger")),
    (["dagger"], [("equipped", "javelin")], ("dagger", "javelin")),
])  # fmt: skip
def test_new_gear_is_put_on_where_there_is_a_place(
    equipped: list[str], adjusted: list[tuple[str, str]], in_hand: tuple[str, ...]
):
    """dungeoneers.equipment.slots: two to wield; what was ready before stays as it is, also put away."""
    told = table(someone("Suori", equipped=equipped, carried=["hand axe", "javelin"]))
    for field, value in adjusted:
        told = told.when(adjust("Suori", field, value))
    told = told.when(SheetSet("Suori", {"name": "Suori", "equipped": ["dagger", "hand axe"], "carried": ["javelin"]}))
    assert told.state.gear.equipped["Suori"] == in_hand


def test_of_more_new_gear_than_there_are_places_the_first_is_put_on():
    """dungeoneers.equipment.slots: two to wield, and a dagger is in one of them."""
    told = table(someone("Suori", equipped=["dagger"], carried=["hand axe", "javelin"]))
    told = told.when(
        SheetSet(
            "Suori",
            {"name": "Suori", "equipped": ["dagger", "javelin", "hand axe"]},
        ),
        allow="x",
    )
    assert told.state.gear.equipped["Suori"] == ("dagger", "javelin")


# Sides and names


def test_a_side_decides_who_is_threatened():
    """dungeoneers.threat.hostility, dungeoneers.threat.recalculate"""
    told = fight(suori(), skeleton())
    assert threatened(told, "Suori") == ("Skeleton",)
    charmed = told.when(adjust("Skeleton", "side", "dung"))
    assert (threatened(charmed, "Suori"), threatened(charmed, "Skeleton")) == ((), ())
    assert threatened(told.when(adjust("Suori", "truce", "un")), "Suori") == ()
    told.refused(adjust("Skeleton", "side", "rebels"), "dungeoneers.threat.hostility")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("picked-up", "dagger"), ("dropped", "crown@1,1"), ("dropped", "crown"), ("equipped", "xyzzy"),
        ("equipped", "warhammer"),
        ("no-equipped", "mace"), ("item", "xyzzy"), ("no-item", "mace"), ("truce", "dungeoneers"), ("down", "dying"),
        ("ammunition", "moon=3"), ("ammunition", "arrow"), ("hp", "3"), ("pain", "1"), ("area", "hall"),
        ("engaged", "skeleton"), ("action", "-1"), ("at", "0,0"), ("item", 'name = "maul", hit = 5'),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_whatever_is_allowed(field, value):
    impossible(fight(suori(), skeleton((5, 5))), adjust("Suori", field, value))


def test_nobody_is_put_where_there_is_no_room():
    """dungeoneers.movement.occupied"""
    told = fight(suori(), skeleton((5, 5)))
    told.refused(adjust("Suori", "at", "5,5"), "dungeoneers.movement.occupied")
    told.when(adjust("Suori", "at", "5,5"), allow="astride").then(Placed("Suori", (5, 5, 0)))


# Items


MAUL = 'name = "great maul", category = "cudgel", hit = 6, pierce = 6, wounds = 2, type = "bludgeoning"'


def test_an_item_of_the_tables_is_found_and_equipped():
    """dungeoneers.equipment.slots: the warhammer and the dagger fill both hands."""
    told = fight(suori(), skeleton()).when(adjust("Suori", "item", "dagger"))
    told = told.when(Draw("Suori", "dag")).then(Equipped("Suori", "dagger", drawn=True))
    told = told.when(adjust("Suori", "item", "mace"))
    told.refused(adjust("Suori", "equipped", "mace"), "dungeoneers.equipment.slots")


def test_a_row_of_its_own_strikes_with_its_own_dice():
    """dungeoneers.weapon.rank-improvised needs no rank here: power 2 is 2d6."""
    told = fight(suori(), skeleton()).when(adjust("Suori", "no-equipped", "warhammer"))
    told = told.when(adjust("Suori", "item", MAUL)).when(adjust("Suori", "equipped", "great"))
    struck = told.when(Attack("Suori", "Skeleton", with_="great maul"), [1, 1, 4])
    assert rolls(struck)[0] == ("Suori", "2d6", "hit")


def test_what_another_dropped_brings_its_row_along():
    told = fight(suori(), skeleton()).when(adjust("Skeleton", "item", MAUL))
    told = told.when(adjust("Skeleton", "dropped", "great")).then(Dropped("Skeleton", "great maul", (1, 0, 0)))
    told = told.when(adjust("Suori", "picked-up", "great")).then(PickedUp("Suori", "great maul", (1, 0, 0)))
    told = told.when(adjust("Suori", "no-equipped", "warhammer")).when(Draw("Suori", "great maul"))
    struck = told.when(Attack("Suori", "Skeleton", with_="great maul"), [1, 1, 4])
    assert rolls(struck)[0] == ("Suori", "2d6", "hit")
    lost = told.when(adjust("Suori", "no-item", "great"))
    assert lost.state.lying.found["Suori"] == ()
    impossible(lost, Draw("Suori", "great maul"), "has no")


@pytest.mark.parametrize("name", ["", "x" * 41])
def test_an_item_has_a_name_that_fits_a_line(name):
    """1 to 40 characters."""
    told = fight(suori(), skeleton())
    impossible(told, adjust("Suori", "item", MAUL.replace("great maul", name)), "needs a name of 1 to 40 characters")
    for fits in ("x", "x" * 40):
        told.when(adjust("Suori", "item", MAUL.replace("great maul", fits)))


def test_what_was_found_is_taken_away_before_what_one_brought():
    """Suori brought a dagger and finds another: she has one left after the first is taken, and none after both."""
    told = fight(suori(carried=["dagger"]), skeleton()).when(adjust("Skeleton", "item", "dagger"))
    told = told.when(adjust("Skeleton", "dropped", "dagger")).when(adjust("Suori", "picked-up", "dagger"))
    told = told.when(adjust("Suori", "no-item", "dagger"))
    told.when(Draw("Suori", "dagger")).then(Equipped("Suori", "dagger", drawn=True))
    impossible(told.when(adjust("Suori", "no-item", "dagger")), Draw("Suori", "dagger"), "has no")


def test_what_is_taken_away_leaves_what_is_carried_behind_it():
    """Of a dagger and a mace the mace is left."""
    told = fight(suori(carried=["dagger", "mace"]), skeleton()).when(adjust("Suori", "no-item", "dagger"))
    told.when(Draw("Suori", "mace")).then(Equipped("Suori", "mace", drawn=True))


def test_an_item_changes_hands():
    told = fight(suori(), skeleton()).when(adjust("Skeleton", "item", "war@suori"))
    told.then(Unequipped("Suori", "warhammer"))
    impossible(told, Draw("Suori", "warhammer"), "has no")
    told = told.when(adjust("Skeleton", "no-equipped", "short")).when(adjust("Skeleton", "equipped", "warhammer"))
    told.then(Equipped("Skeleton", "warhammer"))


def test_what_lies_nowhere_is_not_dropped_without_a_place():
    """Neither Suori nor the dagger has a tile; the hint names one."""
    told = fight(suori(carried=["dagger"]), skeleton())
    off = fight(suori(), someone("Shade", carried=["dagger"], position=(0, 0)))
    shade = off.when(Adjust("Shade", "dropped", "dagger@3,2", "so"))
    shade.then(Dropped("Shade", "dagger", (3, 2, 0)))
    shade.when(adjust("Shade", "picked-up", "dagger")).then(PickedUp("Shade", "dagger", (3, 2, 0)))
    here = told.when(Adjust("Suori", "dropped", "dagger", "so"))
    here.then(Dropped("Suori", "dagger", (0, 0, 0)))


def test_a_second_item_of_a_row_of_its_own_has_a_number_and_its_own_numbers():
    """A claw of 2 wounds in the hand, then another of 3: claw-2; 3 and 1 for bludgeoning are 4 wounds."""
    claw = 'name = "claw", hit = 12, pierce = 8, wounds = 2, type = "bludgeoning", category = "cudgel", rank = "E"'
    told = fight(suori(power=2, ranks={"cudgel": "E"}), skeleton(size="large", endurance=0))
    told = told.when(Adjust("Suori", "item", claw, "so")).when(Adjust("Suori", "item", claw, "so"))
    other = told.when(Adjust("Suori", "item", claw.replace("wounds = 2", "wounds = 3"), "so"))
    assert other.state.roster.members["Suori"].sheet
    carried = [one for one in json.loads(bytes(other.state.roster.members["Suori"].sheet))["carried"] if "claw" in one]
    assert carried == ["claw", "claw-2", "claw-3"]
    weapons = json.loads(bytes(other.state.roster.members["Suori"].sheet))["weapons"]
    assert [(name, weapons[name]["wounds"]) for name in carried] == [("claw", 2), ("claw-2", 2), ("claw-3", 3)]
    dagger = fight(suori(carried=["dagger"]), skeleton()).when(Adjust("Skeleton", "item", "dagger", "so"))
    impossible(dagger, Adjust("Skeleton", "item", 'name = ""', "so"), "1 to 40 characters")
    impossible(dagger, Adjust("Skeleton", "item", f'name = "{"i" * 41}"', "so"), "1 to 40 characters")


def test_what_the_game_master_does_not_set_has_another_way():
    told = fight(suori(), skeleton((5, 5)), someone("Bone", (3, 3)))
    refuses_with_another_way(told, "dungeoneers", "Suori", "warhammer", "shield")


def test_what_was_picked_up_and_what_was_let_fall_is_shown():
    """`show`, `why` and `assert` know both: Suori's warhammer lies there, and the skeleton has picked it up."""
    told = fight(suori(), skeleton()).when(Adjust("Suori", "dropped", "warhammer", "a blow"))
    assert values(told.state)["Suori.no-longer-has"] == "warhammer"
    told = told.when(Adjust("Skeleton", "picked-up", "warhammer", "its turn"))
    assert values(told.state)["Skeleton.picked-up"] == "warhammer"
