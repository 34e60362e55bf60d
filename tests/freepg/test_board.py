"""The board, and the example sheets."""

import tomllib
from pathlib import Path

import pytest

from commands.action.common import Join, Leave
from commands.action.view import View
from commands.look.boards import read_board
from commands.rules.freepg import board
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.turns import Done, Initiative

from .table import HELM, MAIL, SWORD, boffin, brak, fight, grub, jane, someone, table

SHEETS = sorted((Path(board.__file__).parent / "sheets").glob("*.toml"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_example_sheet_can_join(path):
    told = table().when(Join((tomllib.loads(path.read_text()),)))
    assert told.state.roster.order[0].casefold() == path.stem


def test_the_header_follows_the_encounter():
    told = table(boffin(), grub())
    assert board.header(View(told.state)) == ["No encounter is under way."]
    begun = told.when(Begin("The bridge"))
    assert board.header(View(begun.state)) == ["Encounter 1: The bridge, before initiative"]
    assert board.following(View(begun.state)) == ["initiative"]
    begun = begun.when(Initiative(), [3, 9])
    assert board.header(View(begun.state)) == ["Encounter 1: The bridge, round 1"]
    assert board.turn(View(begun.state)) == "gm"
    assert read_board(begun.state).lines()[0] == "Encounter 1: The bridge, round 1, the GM's turn"
    assert board.header(View(told.when(Begin(unordered=True)).state)) == ["Encounter 1, without turns"]


def test_the_board_says_who_plays_a_seat_and_whose_turn_is_next():
    """Seats stand in the order of turns once there is one, and so do those whom they play."""
    told = table(boffin(seat="John"), jane(), grub(), someone("Fritz", kind="ally", seat="John"))
    seats = {"John": ["Boffin", "Fritz"], "Jane": ["Jane"], "gm": ["Grub"]}
    assert read_board(told.state).seats == seats
    pim = told.when(someone("Pim", kind="ally", seat="Sam")).when(Begin(seats=("Sam", "Jane")))
    begun = pim.when(Initiative(), [2, 9, 3, 4]).when(Leave(("Pim",)))
    board_now = read_board(begun.state)
    assert board_now.lines() == [
        "Encounter 1, round 1, Jane's turn",
        "Now: Jane",
        "Next: John",
        "Seats: Jane plays Jane; John plays Boffin, Fritz; GM plays Grub; Sam plays nobody",
    ]
    assert list(board_now.rows) == ["Jane", "Boffin", "Fritz", "Grub"]
    last = begun.when(Done()).when(Done(pass_rest=True)).state
    assert (last.turns.who, read_board(last).next) == ("gm", ["Jane"])
    assert board.done(View(last)) == ["Boffin", "Jane", "Fritz"]


def test_the_board_says_what_counts_for_a_defense():
    """The helm gives 1 and the mail 2; a flat bonus and the drain under the feet count too: 2 - 2, and 1 - 2."""
    told = fight(boffin(HELM, MAIL, at=(0, 0)), brak(at=(5, 5)), first="Boffin", ground={"drains": [[0, 0]]})
    rows = read_board(told.state).rows
    assert (rows["Boffin"]["defense"], rows["Boffin"]["armor"]) == ("-1", "2")
    assert (rows["Brak"]["defense"], rows["Brak"]["armor"]) == ("+2", "")


def test_a_row_says_how_somebody_is():
    told = fight(boffin(SWORD, at=(0, 0, 2)), someone("Ann", hp=3), jane(), grub(at=(1, 0)), first="gm")
    told = told.when(Attack("Grub", ("Ann",), distance=1), [15, 4])
    assert board.row(View(told.state), "Boffin") == {
        "side": "party", "hp": "55/55", "down": "", "actions": "", "defense": "", "armor": "", "at": "0,0,2",
        "equipped": "sword", "conditions": "",
    }  # fmt: skip
    assert board.row(View(told.state), "Ann")["down"] == "dying"
    assert (
        board.row(View(told.state), "Ann")["conditions"] == "mortally wounded, will die when Boffin and Jane have acted"
    )
    assert board.row(View(told.state), "Grub")["actions"] == "1"
    assert board.row(View(told.state), "Grub")["at"] == "1,0"


def test_a_body_covers_its_squares():
    told = table(brak(at=(3, 0)), grub(at=(9, 9), hp=0), jane())
    assert board.body(View(told.state), "Brak") == [(3, 0), (4, 0), (3, 1), (4, 1)]
    assert board.body(View(told.state), "Grub") == board.body(View(told.state), "Jane") == []
