"""The board: who may act now, what is due and readied, armour, and what lies on the ground."""

from commands.action import ground
from commands.action.board import Due, Lying, Readied
from commands.action.common import Join
from commands.action.view import View
from commands.look.boards import read_board
from commands.rules.arkm import board
from commands.rules.arkm.charge import Set
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.meeting import Declare
from commands.rules.arkm.surprise import Surprise
from ledger.events import Awaited, ConditionGained, Counted, EncounterEnded, OrderSet, PhaseBegan, RoundBegan, TurnBegan
from tests.kit import given, now_and_next

from .table import bran, elowen, fighting, having, marcus, melee, ogre, orcs, since, tessa


def ordered(*joining, phase="missile", places=("party", "Orc")):
    """A phase in which the first place of the order acts."""
    return since(fighting(*joining, phase=phase), OrderSet(places), TurnBegan(places[0]))


def test_before_initiative_nobody_may_act():
    told = fighting(bran(), orcs())
    assert board.header(View(told.state)) == ["Encounter 1, round 1, melee phase"]
    assert now_and_next(told) == ([], ["initiative"])


def test_before_the_first_round_the_board_says_what_begins_it():
    """arkm.surprise.roll: once an encounter."""
    told = given("arkm", bran(), orcs(), Begin())
    assert board.header(View(told.state)) == ["Encounter 1, before the first round"]
    assert now_and_next(told) == ([], ["surprise or initiative"])
    assert now_and_next(told.when(Surprise(), dice=[5, 5])) == ([], ["initiative"])


def test_the_board_says_who_may_act_now_and_what_comes_next():
    """Elowen has her bow in hand and Bran a sword; the orcs can do nothing in the missile phase."""
    told = ordered(elowen(side="party", group="party"), bran(), orcs(2))
    assert board.header(View(told.state)) == ["Encounter 1, round 1, missile phase", "Initiative: *party*, Orc"]
    assert now_and_next(told) == (["Elowen"], ["the magic phase"])
    told = melee(since(told, PhaseBegan("melee")), ("Bran", "Orc-1"))
    assert now_and_next(told) == (["Bran"], ["Orc"])
    told = since(told, TurnBegan("Orc"), Counted("Orc-1", "acted", 1, "attack"))
    assert read_board(told.state).next == ["round 2"]


def test_a_later_phase_in_which_alone_somebody_can_act_is_told_with_them():
    """arkm.phase.order: Bran, in melee, has nothing to do in the missile phase, and the orcs come after him."""
    told = melee(ordered(bran(), orcs(2)), ("Bran", "Orc-1"))
    assert read_board(told.state).lines()[1:3] == ["Now: Bran (melee phase)", "Next: Orc"]


def test_in_a_new_round_the_first_of_its_order_act_now():
    """arkm.initiative.highest-first: the party had the last place of the round before, and the orcs win the new one."""
    told = ordered(bran(), orcs(2), places=("party", "Orc"))
    told = since(told, TurnBegan("party"), RoundBegan(2), OrderSet(("Orc", "party")))
    assert now_and_next(told) == (["Orc-1", "Orc-2"], ["the movement phase"])


def test_rows_are_in_the_order_of_initiative():
    told = ordered(bran(), orcs(2), tessa(), places=("Orc", "party"))
    assert list(read_board(told.state).rows) == ["Orc-1", "Orc-2", "Bran", "Tessa"]
    over = since(told, EncounterEnded(1))
    assert list(read_board(over.state).rows) == ["Bran", "Orc-1", "Orc-2", "Tessa"]


def test_the_board_says_which_group_must_check_its_morale():
    told = since(ordered(bran(), orcs(2)), Awaited("morale", "Orc", "check morale after", {"text": "the first death"}))
    assert read_board(told.state).due == [Due("morale check after the first death", ("Orc",), verb="morale")]


def test_the_board_says_who_has_set_a_weapon_and_who_will_cast():
    """One who has acted has nothing readied any more."""
    told = ordered(bran(weapons=["spear"]), marcus(), orcs(), phase="movement")
    told = told.when(Set("Bran")).when(Declare("Marcus", "cast light"))
    assert board.readied(View(told.state)) == [
        Readied("Bran", "spear set", "", "against a charge"),
        Readied("Marcus", "cast", "", "in the magic phase"),
    ]
    cast = since(told, Counted("Marcus", "acted", 1, "spell"))
    assert [one.who for one in board.readied(View(cast.state))] == ["Bran"]


def test_a_dropped_weapon_lies_near_the_one_who_dropped_it():
    told = since(ordered(bran(), orcs()), ConditionGained("Bran", "dropped sword", "encounter-end"))
    assert ground.lies(View(told.state), "Bran", "sword")
    assert read_board(told.state).ground == [Lying("sword", "near Bran")]


def test_the_armour_class_is_the_one_of_the_moment():
    """Bran: medium armour 5, the shield and DEX 1; a parry helps by 2, lying or surprised he loses shield and DEX.
    Orc: 6 on its sheet.

    The ogre is harmed by silver or magic alone.
    """
    told = ordered(bran(), orcs(), ogre(requires=["silver", "magic"]))

    def armour(told, who):
        return board.row(View(told.state), who)["AC"]

    assert (armour(told, "Bran"), armour(told, "Orc")) == ("2", "6")
    assert armour(having(told, "Bran", "parrying"), "Bran") == "0"
    assert armour(having(told, "Bran", "prone"), "Bran") == armour(having(told, "Bran", "surprised"), "Bran") == "5"
    assert board.row(View(told.state), "Ogre")["resists"] == "all but silver and magic weapons"
    assert board.row(View(told.state), "Orc")["resists"] == ""


def test_special_powers_are_on_the_board():
    """Of each its name: the whole text is in `show`."""
    powers = ["Poison: save or sleep for 1d6 turns.", "Sees in the dark, and through walls that are not of stone"]
    toad = Join(({"name": "Toad", "side": "foes", "hp_max": 3, "special": powers},))
    told = given("arkm", toad)
    assert board.row(View(told.state), "Toad")["special"] == "Poison; Sees in the dark, and through walls that are..."
