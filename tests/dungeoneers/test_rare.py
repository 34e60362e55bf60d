"""What seldom comes up at the table."""

import json
from typing import Any

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.view import View
from commands.rules.dungeoneers import board
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.hands import Draw
from commands.rules.dungeoneers.movement import Move, Resolve
from commands.rules.dungeoneers.ready import Ready
from commands.rules.dungeoneers.spells import Cast
from ledger.errors import Refused
from ledger.events import Awaited
from tests.hints import offered_by
from tests.kit import Told

from .table import at, fight, impossible, skeleton, suori, table, ulfarmi

MAUL = 'name = "great maul", category = "cudgel", hit = 6, pierce = 6, wounds = 2, type = "bludgeoning"'


@pytest.mark.parametrize("action", ["disengage", "defend", "sprint", "grapple", "push", "attack", "ATTACK"])
def test_every_action_of_the_list_can_be_readied(action: str):
    told = fight(suori(action_points=2), skeleton()).when(Ready("Suori", action, before="Skeleton"))
    told.then(Awaited("readied", "Suori", action.casefold(), {}, until="before Skeleton"))
    misspelt = Ready("Suori", action + "s", before="Skeleton")
    impossible(told, misspelt, f"There is no action '{action.casefold()}s'. Did you mean {action.casefold()}?")


@pytest.mark.parametrize("action", ["cast", "spellcast"])
def test_a_spell_can_be_readied_by_two_words(action: str):
    told = fight(ulfarmi(), skeleton()).when(Ready("Ulfarmi", action, before="Skeleton", spell="firebolt"))
    told.then(Awaited("readied", "Ulfarmi", action, {"spell": "firebolt"}, until="before Skeleton"))


def test_what_lies_there_of_one_who_left_is_known_to_nobody():
    told = fight(suori(), skeleton()).when(Adjust("Skeleton", "item", MAUL, "so"))
    told = told.when(Adjust("Skeleton", "dropped", "great", "so")).when(Leave(("Skeleton",)))
    impossible(told, Adjust("Suori", "picked-up", "great", "so"), "great maul lies there, but its stat block is gone.")


def test_an_effect_gives_a_die_that_there_is():
    impossible(table(), suori(effects={"dodge_die": 5}), "Suori has an effect of a dodge_die of 5.")
    table().when(suori(effects={"dodge_die": 6}))


def test_a_refusal_says_what_is_wrong_and_then_what_can_be_done():
    """dungeoneers.spellcast.source"""
    with pytest.raises(Refused) as refused:
        fight(ulfarmi(action_points=2), skeleton()).when(Cast("Ulfarmi", "binding ring", "Skeleton"))
    assert "binding ring" in refused.value.message
    assert "firebolt" in offered_by(refused.value)


def test_a_row_of_the_same_name_and_other_numbers_has_a_name_of_its_own():
    """Suori has a row for a claw of 2 wounds, which she does not carry; she takes one of 3, or of 2, from another."""
    claw = {"hit": 12, "pierce": 8, "wounds": 2, "type": "bludgeoning", "category": "cudgel", "rank": "E"}
    for wounds, names in ((3, ["claw", "claw-2"]), (2, ["claw"])):
        other = skeleton(weapons={"claw": {**claw, "wounds": wounds}}, equipped=["claw"])
        told = fight(suori(weapons={"claw": claw}), other).when(Adjust("Suori", "item", "claw@skeleton", "so"))
        sheet = sheet_of(told)
        assert [one for one in sheet["carried"] if "claw" in one] == names[-1:]
        assert [(name, sheet["weapons"][name]["wounds"]) for name in names] == [*zip(names, (2, wounds), strict=False)]


def test_a_row_that_is_given_has_its_own_numbers_whatever_the_tables_call_so():
    """The mace of the tables does fewer wounds; one that is taken from the tables needs no row."""
    row = 'name = "mace", hit = 12, pierce = 12, wounds = 5, type = "bludgeoning", category = "cudgel", rank = "E"'
    told = fight(suori(equipped=[]), skeleton()).when(Adjust("Suori", "item", row, "so"))
    assert (sheet_of(told)["carried"], sheet_of(told)["weapons"]["mace-2"]["wounds"]) == (["mace-2"], 5)
    usual = fight(suori(equipped=[]), skeleton()).when(Adjust("Suori", "item", "mace", "so"))
    assert (sheet_of(usual)["carried"], "weapons" in sheet_of(usual)) == (["mace"], False)


@pytest.mark.parametrize("keeps", [True, False])
def test_who_goes_on_after_a_window_looks_where_it_said(keeps: bool):
    """dungeoneers.facing.automatic: Suori looks north, walks west out of the skeleton's reach, and goes on."""
    told = fight(suori((0, 0), movement_points=2), skeleton((1, 0)))
    told = told.when(Move("Suori", ("W", "W"), keep_facing=keeps))
    assert told.state.pending.window
    told = told.when(Resolve())
    assert at(told, "Suori") == (-2, 0)
    assert told.state.facing.of.get("Suori", "N") == ("N" if keeps else "W")


def test_who_has_struck_is_asked_no_more():
    """dungeoneers.opportune.window: the skeleton has struck from behind and missed; Bones still may."""
    told = fight(suori((0, 0)), skeleton((1, 0)), skeleton((1, 1), "Bones")).when(Move("Suori", ("W",)))
    assert [one.who for one in board.demands(View(told.state))] == [("Skeleton", "Bones")]
    told = told.when(Opportune("Skeleton"), [1, 4, 4, 1])
    assert [one.who for one in board.demands(View(told.state))] == [("Bones",)]


def sheet_of(told: Told) -> dict[str, Any]:
    """Suori's stat block."""
    found: dict[str, Any] = json.loads(bytes(told.state.roster.members["Suori"].sheet))
    return found


def test_who_has_no_hand_free_is_offered_what_to_put_away():
    """dungeoneers.equipment.slots: the warhammer and the dagger fill both hands."""
    told = fight(suori(equipped=["warhammer", "dagger"], carried=["mace"]), skeleton())
    with pytest.raises(Refused) as refused:
        told.when(Draw("Suori", "mace"))
    assert "affray draw Suori mace --instead warhammer" in offered_by(refused.value)
