"""Riders, whips, things that are thrown, classes, claws: what falls between the large rules."""

import pytest

from commands.action import rulebook
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import header
from commands.rules.arkm.formations import Pair
from commands.rules.arkm.gear import Draw
from commands.rules.arkm.grapple import Disarm
from commands.rules.arkm.movement import Move, Withdraw
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Pass
from commands.rules.arkm.stances import Mount, Prone
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, RoundBegan
from projections.changes import values
from tests.kit import Told, given, lines, no

from .rounds import battle, goblins, hero
from .table import (
    bran,
    conditions,
    damages,
    fighting,
    garrick,
    having,
    impossible,
    melee,
    needed,
    next_round,
    odo,
    ogre,
    orcs,
    since,
    tessa,
    troll,
)

HOLD = {"with_": "whip", "entangle": True, "then": "hold"}


def whipped(area: str, target=None) -> Told:
    """Tessa's whip holds an orc (or another) in melee with her; 17 less AC 6 and DEX 2 is 9, and she saves with 12."""
    told = melee(fighting(tessa(weapons=["whip", "dagger"]), target or orcs(), nth=2), ("Tessa", "Orc"))
    return told.when(Attack("Tessa", ("Orc",), part=area, **HOLD), [9, 12])


def test_nobody_has_a_place_before_the_first_phase_of_a_round():
    """The star of the last round is gone."""
    told = battle(hero(), goblins(), dice=[5, 2], phase="melee")
    assert "*party*" in header(View(told.state))[1]
    assert "*" not in "".join(header(View(since(told, RoundBegan(2)).state)))


def test_a_rider_who_is_pulled_down_leaves_the_saddle():
    """arkm.whip.result, arkm.fumble.table, 3: by a whip, by a fumble, or by dropping prone."""
    told = melee(fighting(tessa(weapons=["whip"]), garrick(), nth=2), ("Tessa", "Garrick"))
    pulled = told.when(Attack("Tessa", ("Garrick",), entangle=True, part="body"), [13, 14])
    pulled.then(ConditionEnded("Garrick", "mounted"), ConditionGained("Garrick", "prone"))
    fumbled = told.when(Attack("Garrick", ("Tessa",)), [1, 6, 3])
    fumbled.then(ConditionEnded("Garrick", "mounted"), ConditionGained("Garrick", "prone"))
    fighting(garrick(), phase="movement").when(Prone("Garrick")).then(ConditionEnded("Garrick", "mounted"))


def test_a_thing_that_is_thrown_does_a_d4():
    """arkm.object-as-weapon.d4: Odo's candlestick at 10 feet: 19 - 6 - DEX 2 - 1 = 10; 3 and STR 1."""
    told = fighting(odo(), orcs(), phase="missile").when(
        Shoot("Odo", "Orc", object="candlestick", distance=10), [10, 3]
    )
    assert (needed(told), damages(told)) == ([10], [4])
    far = fighting(odo(), orcs(), phase="missile")
    far.refused(Shoot("Odo", "Orc", object="candlestick", distance=31), "arkm.ranged-hit.range-bands")
    impossible(far, Shoot("Odo", "Orc", object="candlestick", with_="sling", range_="short"), "only one of")


def test_a_hobbit_throws_a_thing_on_the_run():
    """arkm.move.hobbit-run-and-throw: 90 of 120 feet."""
    told = fighting(odo(), orcs(), phase="movement").when(Move("Odo", 90))
    told.when(Shoot("Odo", "Orc", object="stone", distance=10), [2]).ruled("arkm.move.hobbit-run-and-throw")


def test_a_rider_goes_at_the_speed_of_the_steed():
    """arkm.move.half-and-attack: 240 in the saddle, 120 on foot; a steed of the moment has the speed that is said."""
    told = fighting(garrick(steed_move=240), orcs(), phase="movement")
    told.when(Move("Garrick", 240, run=True)).refused(Move("Garrick", 1), "arkm.move.run")
    told.when(Mount("Garrick", off=True)).refused(Move("Garrick", 130), "arkm.move.run")
    mounted = fighting(bran(), orcs(), phase="movement").when(Mount("Bran", on="a mule", speed=60))
    mounted.refused(Move("Bran", 70), "arkm.move.run")


@pytest.mark.parametrize("class_", ["figther", "theif"])
def test_a_class_that_nobody_knows_is_refused(class_: str):
    """arkm.class.fighter-group: unless the game master says so."""
    told = given("arkm").refused(bran(**{"class": class_}), "arkm.class.fighter-group")
    assert told.when(bran(**{"class": class_}), allow="a class of ours").state.roster.order == ("Bran",)


def test_a_class_has_a_level():
    sheet = {key: value for key, value in bran().sheets[0].items() if key != "level"}
    with pytest.raises(UsageError, match="fighter without a level"):
        given("arkm", type(bran())((sheet,)))
    assert given("arkm", bran(level=0)).state.roster.order == ("Bran",)


def test_a_claw_is_neither_dropped_nor_broken():
    """arkm.fumble.table, 1 and 4: nothing comes of it, and the line says so."""
    for row in (1, 4):
        told = melee(fighting(troll(), bran(), nth=2), ("Troll", "Bran")).when(Attack("Troll", ("Bran",)), [1, 7, row])
        told.ruled("arkm.fumble.table", "nothing happens, for claw is not a weapon").then(no(ConditionGained))
    told = melee(fighting(troll(), bran(), nth=2), ("Troll", "Bran")).when(Attack("Troll", ("Bran",)), [1, 7, 6])
    told.ruled("arkm.fumble.table", "nobody there, and claw is not a weapon to drop").then(no(ConditionGained))


def test_anyone_who_is_held_by_the_legs_does_not_leave_and_can_strike():
    """arkm.whip.result"""
    told = whipped("legs").then(ConditionGained("Orc", "entangled", "encounter-end", whom=("Tessa",), modifies="legs"))
    moving = next_round(told, "movement")
    moving.refused(Withdraw("Orc", 20), "arkm.whip.result")
    next_round(told).when(Attack("Orc", ("Tessa",)), [2])


def test_anyone_who_is_held_by_the_arm_strikes_with_the_bare_hand_alone():
    """arkm.whip.result: a disarm needs the weapon, too."""
    told = next_round(whipped("arm"))
    told.refused(Attack("Orc", ("Tessa",)), "arkm.whip.result").refused(Disarm("Orc", "Tessa"), "arkm.whip.result")
    told.when(Attack("Orc", ("Tessa",), empty_hand=True), [2])
    next_round(whipped("arm"), "movement").when(Withdraw("Orc", 20))


def test_anyone_who_lets_go_of_the_weapon_is_free_of_the_whip():
    """arkm.whip.result: the orc takes his dagger in hand."""
    orc = orcs(weapons=["sword", "dagger"])
    told = next_round(whipped("weapon", orc)).when(Draw("Orc", "dagger")).then(ConditionEnded("Orc", "entangled"))
    told.when(Attack("Orc", ("Tessa",)), [2])


def test_a_whip_holds_while_its_wielder_does_nothing_else():
    """arkm.whip.result: passing keeps hold; another attack, or falling, lets go."""
    told = next_round(whipped("legs"))
    assert "entangled" in conditions(told.when(Pass(("Tessa",)), allow="no dice"), "Orc")
    told.when(Attack("Tessa", ("Orc",), with_="dagger"), [2]).then(ConditionEnded("Orc", "entangled"))
    told.when(Attack("Orc", ("Tessa",), mod=("damage:20",)), [19, 6]).then(ConditionEnded("Orc", "entangled"))


def test_a_paired_fight_is_called_so():
    told = battle(hero(), ogre(), dice=[5, 2]).when(Pair(("Hero",), ("Ogre",)))
    assert not [line for line in lines(told.events) if "skirmish" in line]
    assert any("paired fight 1: Hero v Ogre" in line for line in lines(told.events))
    assert "paired-fight.1" in values(told.state)


def test_a_dead_rider_is_in_no_saddle():
    """arkm.mounted.ground-penalty: nobody on foot is hindered by one who lies on the ground."""
    from ledger.events import Felled

    told = melee(fighting(tessa(), garrick(), nth=2), ("Tessa", "Garrick"))
    up = needed(having(told, "Garrick", "stationary").when(Attack("Tessa", ("Garrick",)), [2]))
    down = needed(since(told, Felled("Garrick", "unconscious")).when(Attack("Tessa", ("Garrick",)), [2]))
    assert (up, down) == ([13], [12])
    for held in ("stunned", "pinned"):  # up, if helpless: 17 - 3 - 2 + 1
        assert needed(having(told, "Garrick", held).when(Attack("Tessa", ("Garrick",)), [2])) == [13]


def test_a_friend_is_no_foe_and_is_not_far_away():
    """arkm.in-melee.attack-distance: the refusal says which; the game master may let it happen."""
    told = fighting(bran(), tessa(), orcs(), nth=2)
    told.refused(Attack("Bran", ("Tessa",)), "arkm.in-melee.attack-distance")
    assert needed(told.when(Attack("Bran", ("Tessa",)), [2], allow="a brawl")) == [12]  # 19 - 7 + 2 - 2


def test_the_board_says_what_holds_for_a_group_and_leaves_its_members_to_their_rows():
    told = having(having(fighting(garrick(), bran(), nth=2), "raiders", "shaken"), "Bran", "prone")
    header, row = (getattr(rulebook.of("arkm").board, name) for name in ("header", "row"))
    assert header(View(told.state)) == ["Encounter 1, round 2, melee phase", "raiders: shaken"]
    assert row(View(told.state), "Bran")["state"] == "prone"
