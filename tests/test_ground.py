"""The ground: what is dropped lies there, and who takes it up has it."""

import pytest

from tests.shell import Shell


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
    told = shell.done("status", "--json")
    who = owner.capitalize()
    assert f'"ground":[{{"item":"{item}","where":"near {who}"}}]' in told
    assert f"dropped {item}" not in shell.done("status")
    takes = f"draw {other} {item}" if system in ("arkm", "aachen") else f"adjust {other} picked-up {item} x"
    shell.done(*takes.split())
    assert '"ground":[]' in shell.done("status", "--json")
    assert f"{other.capitalize()} has {item} now" in shell.done("log", "--last", "1")
    shell.done("verify")


def test_what_lies_on_the_ground_is_not_drawn_by_the_free_change(shell: Shell):
    """paraverse.weapon.free-change: it is carried no more."""
    play(shell, "paraverse", "join hakon", "adjust hakon dropped claymore x")
    shell.refused("draw", "hakon", "claymore", code=1, says="lies on the ground")
    shell.done("adjust", "hakon", "equipped", "claymore", "x")
    assert '"ground":[]' in shell.done("status", "--json")


def test_a_weapon_that_is_thrown_by_the_word_of_the_game_master_lies_near_its_target(shell: Shell):
    """paraverse.weapon.in-hand: a greataxe is no missile weapon."""
    play(shell, "paraverse", "join hakon reaver", "begin", "round", "shoot reaver hakon --allow thrown", "pass hakon")
    for line in ("phase", "resolve reaver --dice 3,19"):
        shell.done(*line.split())
    assert "On the ground: greataxe (near Hakon)" in shell.done("status")
