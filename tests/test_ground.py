"""The ground: what is dropped lies there, and who takes it up has it."""

import json

import pytest

from ledger.events import ItemGained
from tests.shell import Shell, recorded


def play(shell: Shell, system: str, *lines: str) -> None:
    """Types some lines, in a ledger of a system."""
    shell.done("init", "x", "--system", system)
    for line in lines:
        shell.done(*line.split())


@pytest.mark.parametrize(
    ("system", "owner", "item", "other", "drop"),
    [
        ("freepg", "boffin", "sword", "jane", "stow boffin sword --drop"),
        ("freepg", "boffin", "sword", "jane", "adjust boffin dropped sword x"),
        ("paraverse", "hakon", "claymore", "vasko", "adjust hakon dropped claymore x"),
        ("aachen", "brun", "sword", "gerlind", "stow brun sword --drop"),
        ("arkm", "aldric", "sword", "tessa", "adjust aldric dropped sword x"),
    ],
)
def test_what_is_dropped_lies_near_its_owner_until_somebody_has_it(
    system: str, owner: str, item: str, other: str, drop: str, shell: Shell
):
    """freepg.turn.drop, aachen.actions.items, arkm.disarm.outcome"""
    sheets = "fighter thief" if system == "arkm" else f"{owner} {other}"
    play(shell, system, f"join {sheets}", drop)
    assert shell.facts("status")["ground"] == [{"item": item, "where": f"near {owner.capitalize()}"}]
    assert f"dropped {item}" not in shell.done("status")
    takes = f"draw {other} {item}" if system in ("arkm", "aachen") else f"adjust {other} picked-up {item} x"
    shell.done(*takes.split())
    assert shell.facts("status")["ground"] == []
    (gained,) = (one for one in recorded() if isinstance(one, ItemGained))
    assert (gained.who, gained.item) == (other.capitalize(), item)
    shell.done("verify")


def test_what_lies_on_the_ground_is_not_drawn_by_the_free_change(shell: Shell):
    """paraverse.weapon.free-change: it is carried no more."""
    play(shell, "paraverse", "join hakon", "adjust hakon dropped claymore x")
    shell.refused("draw", "hakon", "claymore", clause="paraverse.weapon.free-change")
    shell.done("adjust", "hakon", "equipped", "claymore", "x")
    assert '"ground":[]' in shell.done("status", "--json")


def test_a_weapon_that_is_thrown_by_the_word_of_the_game_master_lies_near_its_target(shell: Shell):
    """paraverse.weapon.in-hand: a greataxe is no missile weapon."""
    play(shell, "paraverse", "join hakon reaver", "begin", "round", "shoot reaver hakon --allow thrown", "pass hakon")
    for line in ("phase", "resolve reaver --dice 3,19"):
        shell.done(*line.split())
    assert shell.facts("status")["ground"] == [{"item": "greataxe", "where": "near Hakon"}]


def test_of_several_of_one_name_the_own_one_is_picked_up_and_others_are_offered(shell: Shell):
    """Both thralls drop a short spear. Of theirs each means their own; Hakon is asked whose he means."""
    play(shell, "paraverse", "join hakon", "join thrall --count 2")
    for who in ("thrall-1", "thrall-2"):
        shell.done("adjust", who, "dropped", "short spear", "x")
    shell.refused("adjust", "hakon", "picked-up", "short spear", "x", code=2)
    shell.done("adjust", "hakon", "item", "short spear@Thrall-2", "x")
    shell.done("adjust", "thrall-1", "picked-up", "short spear", "x")
    assert '"ground":[]' in shell.done("status", "--json")


def test_what_another_holds_is_not_drawn_in_place_of_what_lies_there(shell: Shell):
    """arkm.disarm.outcome: the orc has one short sword in hand, and the other on the ground."""
    play(
        shell, "arkm", "join fighter --called Marcus", "join orc --dice 5", "adjust Orc item short-sword x",
        "adjust Orc equipped short-sword-2 x", "adjust Orc dropped short-sword-2 x",
        "adjust Orc equipped short-sword x",
    )  # fmt: skip
    shell.done("draw", "Marcus", "short-sword")
    (gained,) = (one for one in recorded() if isinstance(one, ItemGained))
    assert (gained.who, gained.item) == ("Marcus", "short-sword-2")
    assert json.loads(shell.done("status", "--json"))["values"]["Orc.equipped"] == "short-sword"


@pytest.mark.parametrize(
    ("system", "who", "words"),
    [
        ("freepg", "tilda", ["adjust", "tilda", "condition", "dropped moon", "x"]),
        ("freepg", "tilda", ["effect", "tilda", "dropped moon"]),
        ("aachen", "brun", ["effect", "brun", "dropped moon"]),
        ("paraverse", "hakon", ["adjust", "hakon", "condition", "dropped moon", "x"]),
        ("paraverse", "sigrun", ["adjust", "sigrun", "dropped", "shield", "x"]),
    ],
)
def test_only_what_somebody_has_and_lets_fall_lies_on_the_ground(system: str, who: str, words: list[str], shell: Shell):
    play(shell, system, f"join {who}")
    assert shell(*words).code == 2
    assert '"ground":[]' in shell.done("status", "--json")
