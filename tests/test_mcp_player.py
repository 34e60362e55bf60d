"""A language model in a seat: it sees what the phone of the seat sees, and proposes what its player may say."""

import os
from pathlib import Path
from typing import Any

import pytest

from commands.agents.player import Player
from tests.shell import Shell
from tests.test_mcp import DOORS, entries, meet, refused


@pytest.fixture
def jane(table: Shell) -> Player:
    """The seat of somebody who plays Boffin, whose turn it is; a foe whose numbers nobody knows stands by."""
    table.done("join", "boffin", "ogre", "--at", "0,0/1,0")
    table.done("seat", "Jane", "boffin")
    table.done("begin", "--seats", "Jane,gm")
    table.done("initiative", "--dice", "9,2")
    return Player(os.path.abspath("test.affray"), "Jane", DOORS)


def test_a_proposal_waits_for_the_game_master_and_is_recorded_once(jane: Player, table: Shell):
    before = Path("test.affray").read_bytes()
    answer = jane.act(["attack boffin ogre"], "one")
    assert not answer.failed, answer.text
    assert answer.data["proposals"][0]["state"] == "waits"
    assert "attack Boffin Ogre: waits for the game master" in answer.text
    assert jane.act(["attack boffin ogre"], "one").data["proposals"] == answer.data["proposals"]
    assert Path("test.affray").read_bytes() == before
    table.done("accept")
    assert entries("test.affray")[-1].by == "Jane, accepted by tester"
    assert jane.act(["attack boffin ogre"], "one").data["proposals"][0]["state"] == "recorded"
    assert table.facts("proposals")["proposals"] == []
    assert "Boffin attacks Ogre" in jane.look("log").text


def test_a_trusted_seat_records_at_once(jane: Player, table: Shell):
    table.done("seat", "Jane", "--trusted")
    answer = jane.act(["attack boffin ogre"], "one")
    (told,) = answer.data["proposals"]
    assert told["state"] == "recorded"
    last = entries("test.affray")[-1]
    assert (told["entry"], last.entry, last.typed.split()[0], last.by) == (7, 7, "attack", "Jane, trusted")


def test_a_trusted_act_that_is_repeated_on_its_old_head_is_answered_again(jane: Player, table: Shell):
    """Its first answer may have been lost; the head has gone on by the act itself."""
    table.done("seat", "Jane", "--trusted")
    head = jane.choices("").data["head"]
    first = jane.act(["attack boffin ogre"], "one", head)
    again = jane.act(["attack boffin ogre"], "one", head)
    assert not again.failed, again.text
    assert again.data["proposals"] == first.data["proposals"]
    assert again.data["proposals"][0]["state"] == "recorded"
    refused(jane.act(["pass boffin"], "two", head), "Something else was recorded meanwhile")


def test_it_sees_its_own_numbers_and_of_the_others_a_word(jane: Player):
    text = jane.look("status").text
    assert "55/55" in text
    assert "Ogre" in text
    assert "40" not in text


def test_what_it_is_told_does_not_depend_on_what_is_hidden(jane: Player, table: Shell):
    """The same answers to the same questions, whatever the numbers of the foe are."""
    asked, log = ("status", "help attack"), jane.look("log").text
    before = [jane.look(line) for line in asked], jane.needs("attack boffin ogre"), jane.needs("attack boffin nobody")
    table.done("adjust", "ogre", "hp", "3", "nobody sees it", "--secret")
    after = [jane.look(line) for line in asked], jane.needs("attack boffin ogre"), jane.needs("attack boffin nobody")
    assert after == before
    assert jane.look("log").text == f"{log}\nsomething happens (unproven)  e6", "as on the phone"


@pytest.mark.parametrize(
    "line",
    [
        "attack ogre boffin", "undo", "adjust boffin hp 50 why", "attack boffin ogre --allow why", "join ogre", "",
        "attack boffin ogre --secret", "attack boffin ogre --dice 20,8", "note x", "attack boffin ' open", "round",
    ],
)  # fmt: skip
def test_it_says_nothing_that_its_player_may_not_say(line: str, jane: Player, table: Shell):
    before = Path("test.affray").read_bytes()
    answer = jane.act([line], "x")
    assert answer.failed
    assert table.facts("proposals")["proposals"] == []
    assert Path("test.affray").read_bytes() == before


def test_it_is_told_what_its_fighters_can_do_as_far_as_it_can_know(jane: Player, table: Shell):
    could = jane.choices("")
    assert [*could.data["choices"]] == ["Boffin"]
    assert "attack Ogre; rolls 1d20, their 1d20" in could.text
    table.done("adjust", "ogre", "hp", "3", "nobody sees it", "--secret")
    assert jane.choices("boffin").data["choices"] == could.data["choices"]
    refused(jane.act(["attack boffin ogre"], "x", could.data["head"]), "Something else was recorded meanwhile")
    refused(jane.choices("ogre"), "Ogre is not played from this seat.")


def test_it_looks_at_nothing_else(jane: Player):
    for line in ("show ogre", "why ogre.hp", "odds attack boffin ogre", "export x.jsonl", "log --round x y"):
        if line.startswith("log"):
            assert not jane.look(line).failed
        else:
            refused(jane.look(line), "is nothing that a seat can look at.")


def test_a_seat_that_is_not_there_is_named(jane: Player, table: Shell):
    table.refused("mcp", "--player", "Bob", code=3)
    table.refused("mcp", "--player", "Jane", "--gm", code=2)
    table.done("seat", "Jane", "--nobody")
    refused(jane.look("status"), "There is no seat 'Jane'.")


@pytest.mark.slow
def test_the_official_client_plays_from_a_seat(jane: Player, table: Shell):
    async def talk(model: Any) -> None:
        assert [prompt.name for prompt in (await model.list_prompts()).prompts] == ["player"]
        assert all("your" in tool.description for tool in (await model.list_tools()).tools)
        proposed = await model.call_tool("act", {"lines": ["attack boffin ogre"], "once": "one"})
        assert proposed.structured_content["proposals"][0]["state"] == "waits"
        looked = await model.call_tool("look", {"line": "status"})
        assert looked.structured_content["proposals"] == proposed.structured_content["proposals"]

    meet(talk, "mcp", "--player", "Jane")
    assert "attack Boffin Ogre" in table.done("proposals")
