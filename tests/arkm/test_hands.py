"""What is in hand, what the board says of it, and what completion offers."""

import pytest

from commands.action.adjust import Adjust
from commands.action.board import Due, Lying, lying
from commands.action.common import Join, Leave
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.stat_blocks import SheetSet
from commands.action.view import View
from commands.look.boards import board_of
from commands.rules.arkm import hands
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import demands, header, row
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.gear import Draw, Stow
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Initiative
from commands.rules.arkm.stances import Defend
from ledger.errors import UsageError
from ledger.events import ConditionGained, Counted, Equipped, Felled, Unequipped
from tests.completed import completed
from tests.hints import offered_by
from tests.kit import given, no

from .table import (
    TESSA,
    bran,
    conditions,
    damages,
    elowen,
    fighting,
    having,
    impossible,
    melee,
    needed,
    next_round,
    orcs,
    since,
    tessa,
    troll,
)


def held(told, who: str) -> tuple[str, ...]:
    """What somebody has in hand."""
    return told.state.gear.equipped.get(who, ())


def test_the_first_weapon_is_in_hand_and_a_shield_with_it():
    """A two-handed weapon leaves no hand for it."""
    told = given("arkm", bran(), elowen(shield="targe"))
    assert held(told, "Bran") == ("sword", "shield")
    assert held(told, "Elowen") == ("long-bow",)


def test_drawing_is_free_once_a_round():
    """arkm.draw.once"""
    told = fighting(bran(), orcs()).when(Draw("Bran", "dagger"))
    assert held(told, "Bran") == ("shield", "dagger")
    told.refused(Draw("Bran", "sword"), "arkm.draw.once")
    next_round(told).when(Draw("Bran", "sword"))
    impossible(told, Draw("Bran", "dagger"), "in hand")
    impossible(told, Draw("Bran", "halberd"), "has no 'halberd'")


def test_the_one_weapon_for_melee_that_is_carried_is_offered():
    told = melee(fighting(elowen(weapons=["long-bow", "sword"]), orcs()), ("Elowen", "Orc"))
    with pytest.raises(UsageError) as error:
        told.when(Attack("Elowen", ("Orc",)))
    assert offered_by(error.value) == "affray attack Elowen Orc --with sword"


def test_an_attack_draws_what_it_names():
    """And a shot does; a two-handed weapon puts the shield away."""
    told = melee(fighting(bran(weapons=["sword", "two-handed-sword"]), orcs()), ("Bran", "Orc"))
    big = told.when(Attack("Bran", ("Orc",), with_="two"), [2])
    assert held(big, "Bran") == ("two-handed-sword",)
    archer = fighting(elowen(), orcs(), phase="missile")
    thrown = archer.when(Shoot("Elowen", "Orc", with_="javelin", range_="short"), [2])
    thrown.then(Equipped("Elowen", "javelin"), Unequipped("Elowen", "javelin"))
    impossible(archer, Shoot("Elowen", "Orc", with_="sword", range_="short"), "not shot or thrown")
    impossible(told, Attack("Bran", ("Orc",), with_="bow"), "has no 'bow'")
    impossible(melee(fighting(elowen(), orcs()), ("Elowen", "Orc")), Attack("Elowen", ("Orc",)), "no melee weapon")
    impossible(fighting(tessa(weapons=[]), orcs(), phase="missile"), Shoot("Tessa", "Orc"), "nothing in hand")


def test_a_shield_needs_a_hand():
    """arkm.ac.shield: it is taken up again when the two-handed weapon is gone."""
    told = given("arkm", bran(weapons=["two-handed-sword", "sword"]))
    told.refused(Draw("Bran", "shield"), "arkm.ac.shield")
    armed = told.when(Draw("Bran", "sword")).when(Draw("Bran", "shield"))
    assert held(armed, "Bran") == ("sword", "shield")
    assert held(armed.when(Stow("Bran", "shield")), "Bran") == ("sword",)
    impossible(armed, Stow("Bran", "axe"), "no 'axe' in hand")


def test_a_new_shield_is_taken_into_a_free_hand():
    """arkm.ac.shield: with one weapon in hand; not with two, nor with one in both, nor where it is another shield."""
    found = Adjust("Bran", "shield", "targe", "found")
    given("arkm", bran(shield="none")).when(found).then(Equipped("Bran", "shield"))
    two = given("arkm", bran(shield="none")).when(Draw("Bran", "dagger", beside=True))
    two.when(found).then(no(Equipped))
    claymore = {"id": "claymore", "damage": "1d10", "hands": 2}
    given("arkm", bran(shield="none", weapons=[claymore])).when(found).then(no(Equipped))
    given("arkm", bran()).when(Stow("Bran", "shield")).when(found).then(no(Equipped))


def test_what_somebody_fights_with_in_a_round_is_what_they_took_last():
    """arkm.reach.first-strike: the sword, then the dagger instead of it, and then all that is in hand."""
    fight = Resolution(fighting(bran(), orcs()).state, "defend", Defend("Bran"), Dice(faces=()))
    for names, counted in ((("sword",), {"sword": 1}), (("dagger",), {"dagger": 1}), ((), {})):
        hands.fights_with(fight, "Bran", names)
        assert {name: one for name, one in fight.state.counts.of("Bran", hands.FIGHTS_WITH).items() if one} == counted


@pytest.mark.parametrize(
    ("then", "trained"), [([], ("dagger",)), (["sword"], ("sword", "dagger")), (["dagger"], ("dagger",))]
)
def test_who_carries_on_an_old_weapon_is_trained_with_it_as_before(then: list[str], trained: tuple[str, ...]):
    """arkm.weapons.untrained: the new stat block names the sword alone; she was trained with the dagger."""
    told = given("arkm", tessa(weapons=["dagger", "whip"], trained=["dagger"]))
    told = told.when(SheetSet("Tessa", {**TESSA, "weapons": ["sword"], "trained": then}))
    assert View(told.state).sheet("Tessa").trained == trained


def test_a_second_weapon_beside_the_first():
    """arkm.florentine.requirements: as long as a hand is free."""
    told = given("arkm", bran(shield="none"), orcs())
    assert held(told.when(Draw("Bran", "dagger", beside=True)), "Bran") == ("sword", "dagger")
    given("arkm", bran()).refused(Draw("Bran", "dagger", beside=True), "arkm.florentine.requirements")
    three = given("arkm", bran(shield="none", weapons=["sword", "club", "dagger"]))
    three = three.when(Draw("Bran", "club", beside=True))
    three.refused(Draw("Bran", "dagger", beside=True), "arkm.florentine.requirements")


def test_a_second_weapon_that_is_in_hand_stays_there():
    """arkm.florentine.requirements: the sword is drawn beside the dagger, which is put away for the sword alone."""
    told = fighting(bran(shield="none", weapons=["dagger", "sword"]), orcs())
    both = told.when(Defend("Bran", with_="sword", off_hand="dagger"))
    both.then(Equipped("Bran", "sword"), no(Unequipped))
    told.when(Draw("Bran", "sword")).then(Unequipped("Bran", "dagger"), Equipped("Bran", "sword"))


def test_two_weapons_are_over_when_one_is_gone():
    """arkm.florentine.ac-bonus: dropped or put away; what lies on the ground is not drawn for free."""
    told = melee(fighting(bran(shield="none"), orcs()), ("Bran", "Orc"))
    both = told.when(Defend("Bran", with_="sword", off_hand="dagger"))
    assert conditions(both.when(Stow("Bran", "dagger")), "Bran") == set()
    dropped = since(told, ConditionGained("Bran", "dropped dagger"))
    dropped.refused(Attack("Bran", ("Orc",), with_="sword", off_hand="dagger"), "arkm.disarm.outcome", [2, 2])
    dropped.refused(Attack("Bran", ("Orc",), with_="dagger"), "arkm.disarm.outcome", [2])
    up = dropped.when(Draw("Bran", "dagger"))
    assert conditions(up, "Bran") == set()
    up.refused(Attack("Bran", ("Orc",)), "arkm.phase.order", [2])


def test_a_broken_weapon_stays_broken():
    """arkm.fumble.table"""
    told = having(melee(fighting(bran(), orcs()), ("Bran", "Orc")), "Bran", "broken dagger")
    impossible(told, Attack("Bran", ("Orc",), with_="dagger"), "is broken")


def test_sheets_that_make_no_sense():
    """A weapon that nobody knows, two of one name, a class and a kind, dice that are none."""
    for fields in (
        {"weapons": ["spoon"]}, {"weapons": ["sword", "sword"]}, {"weapons": [{"id": "shield", "damage": "1d4"}]},
        {"kind": "monster"}, {"hp_dice": "x"}, {"weapons": [{"id": "bow", "kind": "bow"}]}, {"hd": "x"},
        {"attacks": [{"name": "claw", "damage": "none"}]},
    ):  # fmt: skip
        impossible(given("arkm"), bran(**fields))
    impossible(given("arkm"), Join(({"name": "A", "side": "b", "hp_max": 3},), at=((1, 1, 0),)), "not squares")


def test_the_board():
    """Order, morale that is due, both columns of harm, what is in hand, what was done."""
    told = given("arkm", bran(), orcs(2), Begin(), (Initiative(), [5, 2]))
    assert header(View(told.state)) == ["Encounter 1, round 1", "Initiative: party, Orc"]
    told = told.when(Move("Bran", feet=30, to=("Orc-1", "Orc-2"))).when(Attack("Bran", ("Orc-1",)), [11, 4])
    assert header(View(told.state)) == [
        "Encounter 1, round 1, melee phase", "Initiative: *party*, Orc",
    ]  # fmt: skip
    due = "morale check after the first death and the loss of half"
    assert demands(View(told.state)) == [Due(due, ("Orc",), verb="morale")]
    assert row(View(told.state), "Bran") == {
        "side": "party", "hp": "18/18", "temporary": "", "down": "", "AC": "2", "resists": "", "special": "",
        "in hand": "sword, shield", "in melee with": "Orc-2", "this round": "moved 30 feet, attacked, 2 attacks left",
        "state": "",
    }  # fmt: skip
    assert row(View(told.state), "Orc-1")["down"] == "slain"
    sore = since(told, ConditionGained("Bran", "temporary damage", amount=5), ConditionGained("Bran", "prone"))
    assert (row(View(sore.state), "Bran")["temporary"], row(View(sore.state), "Bran")["state"]) == ("5", "prone")
    assert header(View(given("arkm", bran()).state)) == ["No encounter is under way."]
    assert header(View(given("arkm", bran(), Begin(name="X")).state)) == ["Encounter 1: X, before the first round"]
    assert board_of(told.state).body(View(told.state), "Bran") == []
    unit = given("arkm", (Join(({"name": "Men", "side": "a", "men": 5},)), [1, 2, 3, 4, 5]))
    assert row(View(unit.state), "Men")["hp"] == "15/15 (5 men)"


def test_corrections():
    """Those who are put into melee are in it from now on; who leaves is near nobody."""
    told = fighting(bran(), orcs(), nth=3).when(Adjust("Bran", "engaged", "Orc", "seen"))
    assert told.state.counts.get("Bran", "met before round", "Orc") == 4
    assert needed(told.when(Attack("Bran", ("Orc",)), [2])) == [11]
    gone = told.when(Leave(("Orc",)))
    assert gone.state.engagement.of("Bran") == ()
    assert gone.state.counts.get("Bran", "met before round", "Orc") == 0
    fallen = told.when(Adjust("Orc", "down", "dead", "a rock"))
    assert not fallen.state.stands("Orc")


def test_completion_knows_tables(tmp_path, monkeypatch):
    """And the files that could hold one."""
    from commands.shell.cli import obey
    from commands.words.console import Console

    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text("")
    console = Console(str(tmp_path / "a.affray"))
    obey(["--ledger", console.ledger, "init", "A", "--system", "arkm"], console)
    assert completed(console, "table-name", "fu") == ["fumble"]
    assert completed(console, "table", "m") == ["my.toml"]
    obey(["join", "orc", "ogre"], console)
    assert completed(console, "blows", "og") == ["Ogre"]
    assert "tables" in completed(console, "clause", "tab")
    console.book.store.close()


def test_nature_gives_weapons_with_names():
    """A bite alone: `--with bite`; a bow is no melee weapon; nobody shoots at themselves, or at the slain."""
    told = melee(fighting(troll(), bran()), ("Troll", "Bran"))
    assert damages(told.when(Attack("Troll", ("Bran",), with_="bite"), [19, 10])) == [10]
    archer = melee(fighting(elowen(), orcs()), ("Elowen", "Orc"))
    impossible(archer, Attack("Elowen", ("Orc",), with_="long-bow"), "not a melee weapon")
    shooting = fighting(elowen(), orcs(), phase="missile")
    impossible(shooting, Shoot("Elowen", "Elowen", range_="short"), "at themselves")
    impossible(since(shooting, Felled("Orc", "dead")), Shoot("Elowen", "Orc", range_="short"), "already dead")


def test_before_the_first_round_drawing_is_not_counted():
    """arkm.disarm.outcome: nobody is in a hurry yet."""
    told = given("arkm", bran(), orcs(), Begin()).when(Draw("Bran", "dagger")).when(Draw("Bran", "sword"))
    assert held(told, "Bran") == ("shield", "sword")


def test_a_shot_ends_the_stance_of_two_weapons():
    """arkm.florentine.ac-bonus"""
    told = fighting(bran(shield="none", weapons=["sword", "dagger"]), orcs(), phase="missile")
    told = told.when(Defend("Bran", with_="sword", off_hand="dagger"))
    shot = told.when(Shoot("Bran", "Orc", range_="short", with_="dagger"), [2])
    assert conditions(shot, "Bran") == {"dropped dagger"}
    impossible(told, Defend("Bran"), "How")


@pytest.mark.parametrize("dice", [[2], [18, 3]])
def test_what_is_thrown_lies_near_the_target(dice: list[int]):
    """A hit or a miss, until it is picked up, by anybody, as the action of a round; a bow stays in hand."""
    told = fighting(elowen(), bran(name="Ally"), orcs(), phase="missile")
    thrown = told.when(Shoot("Elowen", "Orc", with_="javelin", range_="short"), dice)
    assert held(thrown, "Elowen") == ()
    assert lying(View(thrown.state)) == [Lying("javelin", "near Orc")]
    again = next_round(thrown, "missile")
    again.refused(Shoot("Elowen", "Orc", with_="javelin", range_="short"), "arkm.disarm.outcome", [2])
    mine, theirs = again.when(Draw("Elowen", "javelin")), again.when(Draw("Ally", "javelin"))
    assert (held(mine, "Elowen"), held(theirs, "Ally")) == (("javelin",), ("shield", "javelin"))
    assert lying(View(mine.state)) == lying(View(theirs.state)) == []
    shot = told.when(Shoot("Elowen", "Orc", with_="long-bow", range_="short"), dice)
    assert (held(shot, "Elowen"), lying(View(shot.state))) == (("long-bow",), [])


def test_the_game_master_lets_a_shot_fly_from_anywhere():
    """arkm.ranged-hit.range-bands: overruled, it is at medium range."""
    told = fighting(elowen(), orcs(), phase="missile").when(Shoot("Elowen", "Orc"), [2], allow="never mind")
    assert needed(told) == [10]


def test_a_choice_of_the_shield_can_be_changed_before_the_first_blow():
    """arkm.shield.two-attackers"""
    told = melee(fighting(bran(), orcs(2)), ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    told = told.when(Defend("Bran", shield_against=("Orc-1",))).when(Defend("Bran", shield_against=("Orc-2",)))
    assert told.state.counts.of("Bran", "shield for") == {"Orc-2": 1}


def test_what_was_moved_is_told_in_yards_outdoors():
    """40 feet are 13 yards and a third: 14 outdoors; 40 indoors."""
    for outdoors, figure in ((0, "moved 40 feet"), (1, "moved 14 yards")):
        told = given("arkm", bran(), orcs(2), Begin())
        if outdoors:
            told = since(told, Counted("encounter", "outdoors", 1, until="encounter-end"))
        told = since(told, Counted("Bran", "feet", 40))
        assert row(View(told.state), "Bran")["this round"] == figure
