"""The board, and the example sheets."""

import tomllib
from pathlib import Path

import pytest

from commands.action.common import Join
from commands.action.view import View
from commands.rules.freepg import board
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.turns import Initiative

from .table import SWORD, boffin, brak, fight, grub, jane, someone, table

SHEETS = sorted((Path(board.__file__).parent / "sheets").glob("*.toml"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_example_sheet_can_join(path):
    told = table().when(Join((tomllib.loads(path.read_text()),)))
    assert told.state.roster.order[0].casefold() == path.stem


def test_the_header_follows_the_encounter():
    told = table(boffin(), grub())
    assert board.header(View(told.state)) == ["No encounter is under way."]
    begun = told.when(Begin("The bridge"))
    assert board.header(View(begun.state)) == ["Encounter 1: The bridge, before initiative", "Seats: Boffin, gm"]
    begun = begun.when(Initiative(), [3, 9])
    assert board.header(View(begun.state)) == ["Encounter 1: The bridge, round 1, turn of gm", "Order: gm, Boffin"]
    assert board.header(View(told.when(Begin(unordered=True)).state)) == ["Encounter 1, without turns"]


def test_a_row_says_how_somebody_is():
    told = fight(boffin(SWORD, at=(0, 0, 2)), someone("Ann", hp=3), jane(), grub(at=(1, 0)), first="gm")
    told = told.when(Attack("Grub", ("Ann",), distance=1), [15, 4])
    assert board.row(View(told.state), "Boffin") == {
        "side": "party", "hp": "55/55", "down": "", "actions": "", "at": "0,0,2", "equipped": "sword", "conditions": "",
    }  # fmt: skip
    assert board.row(View(told.state), "Ann")["down"] == "dying"
    assert board.row(View(told.state), "Ann")["conditions"] == "mortally wounded (Boffin, Jane to go)"
    assert board.row(View(told.state), "Grub")["actions"] == "1"
    assert board.row(View(told.state), "Grub")["at"] == "1,0"


def test_a_body_covers_its_squares():
    told = table(brak(at=(3, 0)), grub(at=(9, 9), hp=0), jane())
    assert board.body(View(told.state), "Brak") == [(3, 0), (4, 0), (3, 1), (4, 1)]
    assert board.body(View(told.state), "Grub") == board.body(View(told.state), "Jane") == []
