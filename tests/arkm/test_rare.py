"""What seldom comes up at the table."""

import pytest

from commands.action.adjust import Adjust
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.rule_tables import Table
from commands.action.view import View
from commands.rules.arkm import flight, groups, pursuit, tables
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.charge import Charge, Set
from commands.rules.arkm.formations import Group
from commands.rules.arkm.grapple import Disarm
from commands.rules.arkm.movement import Move
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Round
from ledger.errors import UsageError
from ledger.events import ConditionGained, Counted, Felled, SideChanged, Unequipped
from tests.hints import offered_by

from .rounds import battle, goblins, hero, someone
from .table import bran, elowen, fighting, garrick, having, impossible, melee, needed, ogre, orcs, since, tessa

SAVES = ("death", "wands", "paralysis", "reflex", "breath", "spells")


def test_who_is_out_by_the_game_masters_word_is_unconscious_or_dead():
    told = fighting(bran(), orcs())
    told.when(Adjust("Orc", "down", "unconscious", "a blow")).then(Felled("Orc", "unconscious"))
    told.when(Adjust("Orc", "down", "dead", "a blow")).then(Felled("Orc", "dead"))


def test_who_tries_to_disarm_may_fumble():
    """arkm.natural-1.fumble-check: a 1, then 17 above level 3, and the sword is dropped."""
    told = melee(battle(bran(), someone("Bo", "foes"), dice=[5, 2], phase="melee"), ("Bran", "Bo"), rounds=2)
    told.when(Disarm("Bran", "Bo"), dice=[1, 17, 1]).then(Unequipped("Bran", "sword"))


def test_nobody_sweeps_those_who_strike_first():
    """arkm.charge.unmounted-first-strike: Garrick has charged the first of two."""
    told = fighting(garrick(), bran(name="Ann"), phase="movement", nth=2)
    told = melee(told.when(Charge("Garrick", "Ann", 60)), ("Garrick", "Ann"))
    sweep = Attack("Ann", ("Garrick",), expected=True)
    told.refused(sweep, "arkm.charge.unmounted-first-strike")


def test_two_groups_are_as_far_apart_as_the_two_who_are_nearest():
    """arkm.distance.pair: the third is not known; in feet, indoors."""
    told = fighting(bran(), orcs(3), phase="movement")
    apart = [Counted("Bran", "distance", feet, orc, "encounter-end") for orc, feet in (("Orc-1", 90), ("Orc-2", 60))]
    view = View(since(told, *apart).state)
    assert pursuit._between(view, groups.group(view, "Bran"), groups.group(view, "Orc-1")) == 60
    assert pursuit._between(View(told.state), groups.group(view, "Bran"), groups.group(view, "Orc-1")) == 0


def test_only_a_foe_stays_with_who_flees():
    """arkm.retreat.faster-pursuer"""
    told = having(fighting(bran(), tessa(), orcs()), "Tessa", "fleeing")
    impossible(told, Pursue(("Bran",), ("Tessa",), contact="yes"), "Bran is not a foe of Tessa.")
    impossible(told, Pursue(("Orc",), ("Bran",), contact="yes"), "Bran does not flee.")
    told.when(Pursue(("Orc",), ("Tessa",), contact="yes")).ruled("arkm.retreat.faster-pursuer", "in contact")
    told.when(Pursue(("Orc",), ("Tessa",), contact="no")).ruled("arkm.retreat.faster-pursuer", "no contact")


def test_nobody_afoot_is_unhorsed():
    """arkm.dismount.eligibility"""
    told = battle(someone("Guard", weapons=["polearm"]), someone("Bo", "foes"), dice=[5, 2], phase="melee")
    told = melee(told, ("Guard", "Bo"), rounds=2)
    told.refused(Attack("Guard", ("Bo",), dismount=True), "arkm.dismount.eligibility")


def row(name: str) -> dict[str, object]:
    """A row of the table of saving throws."""
    return {"row": name, "band": 4, **dict.fromkeys(SAVES, 12)}


@pytest.mark.parametrize(
    ("rows", "classes", "words"),
    [
        (["x", "x"], {}, "row 2: there is already a row 'x'"),
        (["x", "y", "x"], {}, "row 3: there is already a row 'x'"),
        (["y"], {}, "there is no row 'x'"),
        (["x"], {"elf": "z"}, "there is no row 'z'"),
    ],
)
def test_the_rows_of_the_saving_throws_are_those_that_the_classes_name(
    rows: list[str], classes: dict[str, str], words: str
):
    every = {"other_classes": "x", "monsters": "x", "level_0": "x", "classes": classes, "rows": [*map(row, rows)]}
    with pytest.raises(UsageError, match=words):
        tables.read("saves", every)


def test_a_table_of_saving_throws_that_names_all_its_rows_is_one():
    every = {"other_classes": "x", "monsters": "y", "level_0": "x", "classes": {}, "rows": [row("x"), row("y")]}
    tables.read("saves", every)


def test_a_shot_from_behind_leaves_the_shooter_where_he_is():
    """arkm.rear.bonus: 17 - 6 - 1 for DEX - 2 = 8; he is not counted as standing at the rear from then on."""
    told = fighting(elowen(), orcs(), phase="missile")
    told = told.when(Shoot("Elowen", "Orc", with_="long-bow", range_="medium", from_="rear"), [2])
    assert needed(told) == [8]
    assert not [event for event in told.events if isinstance(event, Counted) and event.kind.startswith("at the ")]


@pytest.mark.parametrize("running", [True, False])
def test_who_runs_on_at_the_end_of_a_round_flees_on(running: bool):
    """arkm.retreat.faster-pursuer: nobody is in contact with her; only one who runs no more flees no more."""
    told = having(fighting(tessa(), orcs()), "Tessa", "fleeing")
    if running:
        told = having(told, groups.group(View(told.state), "Tessa"), "in flight", whom=("Orc",))
    fight = Resolution(told.state, "round", Round(), Dice(faces=[]))
    flight.end_flight(fight, "Tessa")
    assert fight.state.conditions.has("Tessa", "fleeing") is running


def test_a_spear_is_set_as_long_as_one_foe_can_still_charge():
    """arkm.phase.set-spears-charged: Garrick, with 6, has only walked; the ogre, with 2, moves after the orcs;
    of two with 4 who move at the same time the one may, until the other has moved.
    """
    spears = someone("Orc", "party", 2, weapons=["spear"], hd="1", ac=6, hp_max=5)
    told = battle(spears, garrick(), ogre(), dice=(4, 6, 2), phase="movement").when(Move("Garrick", 30))
    told.when(Set("Orc-1")).then(ConditionGained("Orc-1", "set", "round-end", whom=("spear",)))
    later = battle(spears, garrick(), ogre(), dice=(4, 6, 5), phase="movement").when(Move("Garrick", 30))
    later.when(Done()).when(Move("Ogre", 30)).refused(Set("Orc-1"), "arkm.phase.set-spears-charged")
    tied = battle(spears, garrick(), ogre(), dice=(4, 4, 6), phase="movement").when(Move("Ogre", 30)).when(Done())
    tied.when(Set("Orc-1")).then(ConditionGained("Orc-1", "set", "round-end", whom=("spear",)))
    tied.when(Move("Garrick", 30)).refused(Set("Orc-1"), "arkm.phase.set-spears-charged")


def test_the_slain_stay_slain_with_a_hit_point():
    """arkm.damage.zero-hp"""
    told = fighting(bran(), orcs()).when(Adjust("Orc", "down", "dead", "a blow")).when(Adjust("Orc", "hp", "0", "so"))
    told = told.when(Adjust("Orc", "hp", "1", "a potion")).ruled("arkm.damage.zero-hp", "stays slain")
    assert told.state.harm.down["Orc"].how == "dead"


def test_a_comma_names_nobody():
    """arkm.initiative.group-split"""
    told = fighting(bran(), orcs(2))
    impossible(told, Group((), "chasers"), "Who")
    impossible(told, Pursue((",",), ("Orc",), distance=60), "There is no group ','")


def test_a_group_without_a_name_is_named_after_the_first():
    """arkm.initiative.group-split"""
    told = battle(hero(), goblins(3), dice=[6, 5], phase="movement").when(Group(("Goblin-2", "Goblin-3")))
    assert told.state.turns.order == ("party", "Goblin and Goblin-2")


@pytest.mark.parametrize("said", [{"file": "x.toml"}, {"content": {}}, {"file": "x.toml", "content": 5}])
def test_a_table_is_a_file_with_its_content(said: dict[str, object]):
    """arkm.table.replaceable"""
    with pytest.raises(UsageError, match="is not a table fumble"):
        fighting(bran()).when(Table("fumble", said))


@pytest.mark.parametrize(("height", "roll"), [(0, 11), (1, 10), (-1, 12)])
def test_ground_of_no_height_is_no_high_ground(height: int, roll: int):
    """arkm.high-ground.bonus, arkm.high-ground.penalty: 19 - 6 - 2 is 11; of the orc nothing was said."""
    told = having(melee(fighting(bran(), orcs(), nth=2), ("Bran", "Orc")), "Bran", "elevation", amount=height)
    assert needed(told.when(Attack("Bran", ("Orc",)), [2])) == [roll]


def test_a_table_that_the_rules_do_not_have_is_none():
    """arkm.table.replaceable"""
    impossible(fighting(bran()), Table("weather"), "Arkm has no table 'weather'.")


def test_a_shield_is_put_away_and_not_dropped():
    with pytest.raises(UsageError) as error:
        fighting(bran()).when(Adjust("Bran", "dropped", "shield", "so"))
    assert offered_by(error.value).startswith("affray adjust Bran no-equipped shield ")


def test_a_side_that_nobody_fights_for_yet_is_the_game_masters_word():
    """arkm.initiative.one-die-per-group: a new side is a new group, with a die of its own."""
    told = fighting(bran(), orcs())
    told.refused(Adjust("Orc", "side", "raiders", "they fall out"), "arkm.initiative.one-die-per-group")
    changed = told.when(Adjust("Orc", "side", "raiders", "they fall out"), allow="they do")
    changed.then(SideChanged("Orc", "raiders"))
