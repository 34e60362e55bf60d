"""The board, and the example sheets."""

import tomllib
from pathlib import Path

import pytest

from commands.action.board import Lying, Readied
from commands.action.common import Join
from commands.action.view import View
from commands.look.boards import board_of, read_board
from commands.rules.aachen import board
from commands.rules.aachen.encounter import Begin, Surprise
from commands.rules.aachen.hands import Draw, Stow
from commands.rules.aachen.instants import Defend, Ready
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move
from commands.rules.aachen.rounds import Initiative, Turn
from ledger.events import ConditionEnded, ConditionGained, Equipped, Placed, Unequipped
from projections.state import fold
from tests.kit import now_and_next

from .table import SWORD, adalger, adjusted, begun, fight, gerlind, guard, next_round, opposed, passed, table

SHEETS = sorted((Path(board.__file__).parent / "sheets").glob("*.toml"))
TRIO = (adalger(weapons=[SWORD]), gerlind(), guard())


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_example_sheet_can_join(path):
    told = table().when(Join((tomllib.loads(path.read_text()),)))
    assert told.state.roster.order[0].casefold() == path.stem


def test_there_are_examples_for_a_fight():
    assert len(SHEETS) >= 10


def test_the_header_follows_the_encounter():
    told = table(*TRIO)
    assert board.header(View(told.state)) == ["No encounter is under way."]
    told = told.when(Begin("The bridge"))
    assert board.header(View(told.state)) == ["Encounter 1: The bridge, before initiative"]
    assert now_and_next(told) == ([], ["reaction, surprise or initiative"])
    waits = told.when(Surprise("opp", result="yes"))
    assert board.header(View(waits.state)) == ["Encounter 1: The bridge, surprise round"]
    assert now_and_next(waits) == (["Guard"], ["initiative"])
    assert now_and_next(passed(waits, "Guard")) == ([], ["initiative"])
    told = told.when(Initiative(), dice=[4, 5])
    header = ["Encounter 1: The bridge, round 1 (0 seconds)", "Order: party (5), opponents (5)"]
    assert board.header(View(told.state)) == header
    assert now_and_next(told) == (["Adalger", "Gerlind"], ["Guard"])
    told = told.when(Turn("Adalger"))
    assert board.turn(View(told.state)) == "Adalger"
    assert now_and_next(told) == (["Adalger"], ["Gerlind"])
    assert now_and_next(passed(told)) == ([], ["round 2"])
    assert board.header(View(next_round(told).state))[0].startswith("Encounter 1: The bridge, round 2 (6 seconds)")


def test_a_turn_with_no_action_left_keeps_nobody_back():
    """aachen.round.one-turn-each: Adalger has moved twice; Gerlind begins the next turn, which ends his."""
    told = fight(*TRIO).when(Move("Adalger", 10))
    assert now_and_next(told) == (["Adalger"], ["Gerlind"])
    told = told.when(Move("Adalger", 10))
    assert now_and_next(told) == (["Gerlind"], ["Guard"])


def test_the_board_says_what_is_due():
    told = adjusted(fight(*TRIO, guard("Other")), "Guard", "down", "dead")
    assert now_and_next(told) == (["Adalger", "Gerlind"], ["Other"])
    assert [(due.what, due.who) for due in read_board(told.state).due] == [("morale check", ("Other",))]


def test_the_board_says_what_is_readied_and_for_when():
    told = fight(*TRIO).when(Ready("Gerlind", "shoot the Guard when it moves"))
    assert board.readied(View(told.state)) == [Readied("Gerlind", "shoot the Guard when it moves")]
    assert "Readied: Gerlind (shoot the Guard when it moves)" in read_board(told.state).lines()
    lost = adjusted(told, "Gerlind", "down", "dying")
    assert read_board(lost.state).readied == []


def test_a_held_action_is_a_chance_besides_the_turn():
    """aachen.actions.hold: Gerlind's turn is over, and Guard's is to come."""
    told = fight(gerlind(), guard()).when(Ready("Gerlind", "shoot the Guard when it moves"))
    chances = {"Guard": ("turn",), "Gerlind": ("held action",)}
    assert board.chances(View(told.state)) == chances


def test_what_falls_to_the_ground_lies_there_until_somebody_picks_it_up():
    """aachen.actions.items"""
    told = fight(adalger(weapons=[SWORD]), gerlind(), guard()).when(Stow("Adalger", "sword", drop=True))
    told.then(Unequipped("Adalger", "sword"), ConditionGained("Adalger", "dropped sword", "encounter-end"))
    assert read_board(told.state).ground == [Lying("sword", "near Adalger")]
    taken = told.when(Draw("Adalger", "sword", pick_up=True)).then(
        ConditionEnded("Adalger", "dropped sword"), Equipped("Adalger", "sword", drawn=True)
    )
    assert read_board(taken.state).ground == []
    given = adjusted(told, "Adalger", "equipped", "sword")
    assert read_board(given.state).ground == []
    gone = adjusted(told, "Adalger", "no-item", "sword")
    assert read_board(gone.state).ground == []
    stowed = fight(*TRIO).when(Stow("Adalger", "sword"))
    assert read_board(stowed.state).ground == []


def test_rows_are_in_the_order_of_turns_and_show_the_armor_class_of_the_moment():
    """The opposition rolls 8 and acts first; total defense gives 2 to the 15 of Adalger."""
    told = opposed(*TRIO)
    assert list(read_board(told.state).rows) == ["Guard", "Adalger", "Gerlind"]
    defended = passed(told, "Guard").when(Defend("Adalger"))
    assert [row["AC"] for row in read_board(defended.state).rows.values()] == ["14", "17", "13"]


def test_slots_are_shown():
    told = begun(*TRIO, individual_initiative=True).when(Initiative(), dice=[5, 4, 7])
    assert board.header(View(told.state))[1] == "Order: opponents (7), Adalger (5) and Gerlind (5)"


def test_a_row_says_how_somebody_is():
    told = fight(*TRIO).when(Attack("Adalger", "Guard"), dice=[2])
    assert board.row(View(told.state), "Adalger") == {
        "side": "pc", "hp": "22/22", "down": "", "AC": "15", "special": "", "turn": "now", "left": "move",
        "contact": "Guard", "in hand": "sword", "conditions": "",
    }  # fmt: skip
    told = told.when(Ready("Gerlind", "shoot")).when(Attack("Guard", "Adalger"), dice=[20, 8])
    assert board.row(View(told.state), "Adalger")["turn"] == "turn over"
    told = adjusted(told, "Adalger", "down", "dying")
    row = board.row(View(told.state), "Adalger")
    assert (row["hp"], row["down"], row["turn"], row["left"]) == ("14/22", "dying", "", "")
    assert row["conditions"] == "mortally wounded, will die at the end of round 7"
    assert board.row(View(fight(*TRIO).when(Turn("Adalger", after="Guard")).state), "Adalger")["turn"] == "later"


def test_nobody_is_on_the_map():
    state = fight(*TRIO).state
    assert board_of(state).body(View(state), "Adalger") == []


def test_whoever_a_system_puts_on_a_square_covers_that():
    """The height above it is none of it."""
    state = fold(fight(*TRIO).state, [Placed("Adalger", (3, 4, 2))])
    assert board_of(state).body(View(state), "Adalger") == [(3, 4)]
