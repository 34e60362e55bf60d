"""The board, and the example sheets."""

import tomllib
from pathlib import Path

import pytest

from commands.action.common import Join
from commands.action.view import View
from commands.rules.aachen import board
from commands.rules.aachen.encounter import Begin, Surprise
from commands.rules.aachen.instants import Ready
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.rounds import Initiative, Turn

from .table import SWORD, adalger, adjusted, begun, fight, gerlind, guard, next_round, passed, table

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
    assert board.header(View(told.state)) == [
        "Encounter 1: The bridge, before initiative (affray reaction, surprise, initiative)"
    ]
    waits = told.when(Surprise("opp", result="yes"))
    assert board.header(View(waits.state)) == ["Encounter 1: The bridge, surprise round, next: Guard"]
    assert board.header(View(passed(waits, "Guard").state))[0].endswith("everybody has acted (affray initiative)")
    told = told.when(Initiative(), dice=[4, 5])
    assert board.header(View(told.state)) == [
        "Encounter 1: The bridge, round 1 (0 seconds), next: Adalger, Gerlind",
        "Order: pc (5), opp (5)",
    ]
    told = told.when(Turn("Adalger"))
    assert board.header(View(told.state))[0].endswith("turn of Adalger; next: Gerlind")
    assert board.header(View(passed(told).state))[0].endswith("everybody has acted (affray round)")
    assert board.header(View(next_round(told).state))[0].startswith("Encounter 1: The bridge, round 2 (6 seconds)")


def test_the_header_says_what_is_due():
    told = adjusted(fight(*TRIO, guard("Other")), "Guard", "down", "dead")
    assert board.header(View(told.state))[-1] == "Morale due: Other"


def test_slots_are_shown():
    told = begun(*TRIO, individual_initiative=True).when(Initiative(), dice=[5, 4, 7])
    assert board.header(View(told.state))[1] == "Order: opp (7), Adalger (5) and Gerlind (5)"


def test_a_row_says_how_somebody_is():
    told = fight(*TRIO).when(Attack("Adalger", "Guard"), dice=[2])
    assert board.row(View(told.state), "Adalger") == {
        "side": "pc", "hp": "22/22", "down": "", "turn": "now", "left": "move", "contact": "Guard",
        "in hand": "sword", "conditions": "",
    }  # fmt: skip
    told = told.when(Ready("Gerlind", "shoot")).when(Attack("Guard", "Adalger"), dice=[20, 8])
    assert board.row(View(told.state), "Gerlind")["conditions"] == "holds: shoot"
    assert board.row(View(told.state), "Adalger")["turn"] == "over"
    told = adjusted(told, "Adalger", "down", "dying")
    row = board.row(View(told.state), "Adalger")
    assert (row["hp"], row["down"], row["turn"], row["left"]) == ("14/22", "dying", "", "")
    assert row["conditions"] == "mortally wounded until the round ends (round 7)"
    assert board.row(View(fight(*TRIO).when(Turn("Adalger", after="Guard")).state), "Adalger")["turn"] == "later"


def test_nobody_is_on_the_map():
    assert board.body(View(fight(*TRIO).state), "Adalger") == []
