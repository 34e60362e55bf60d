"""The players' sides follow who plays: `@foes`, `@party`, boards and exports, in every rule system."""

import json
from pathlib import Path

import pytest

from commands.action.systems import players_sides
from commands.rules.freepg.sheet import player
from commands.words.console import Console
from tests.shell import Shell

HEROES = {"freepg": ("boffin", "grub"), "aachen": ("brun", "goblin"), "arkm": ("fighter", "ogre"),
          "dungeoneers": ("suori", "skeleton"), "paraverse": ("sigrun", "reaver")}  # fmt: skip
"""A stat block that a player plays, and one that nobody does."""
SIDES = {"aachen": ("opp", "pc")}
"""The sides of the two, where the book has only these."""


def ours() -> tuple[str, ...]:
    """The players' sides of the ledger here."""
    console = Console()
    try:
        return players_sides(console.book.present()[1])
    finally:
        console.close()


@pytest.mark.parametrize("system", HEROES)
def test_the_players_sides_are_those_on_which_player_characters_joined(system: str, shell: Shell):
    hero, foe = HEROES[system]
    red, wild = SIDES.get(system, ("red", "wild"))
    shell.done("init", "test", "--system", system)
    usual = ours()
    shell.done("join", foe, "--side", wild)
    assert ours() == usual, "until somebody joins whom a player plays, the usual ones"
    shell.done("join", hero, "--side", red)
    assert ours() == (red,)
    sides = {who: row["side"] for who, row in json.loads(shell.done("status", "--json"))["rows"].items()}
    (other,) = [who for who, side in sides.items() if side == wild]
    shell.done("damage", "@foes", "1", "fire")
    (last,) = shell.done("log", "--json").splitlines()[-1:]
    assert json.loads(last)["typed"] == "damage @foes 1 fire"
    assert other in last
    assert not any(who in last for who in {*sides} - {other})


def test_nobody_makes_a_side_theirs_by_changing_over(shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "--side", "red")
    shell.done("join", "grub", "--side", "wild")
    shell.done("adjust", "boffin", "side", "wild", "he is bribed")
    assert ours() == ("red",)
    shell.done("seat", "jane", "grub")
    assert ours() == ("red", "wild"), "who has a seat is a player"
    shell.done("undo")
    assert ours() == ("red",)


def test_a_class_makes_no_player_and_what_goes_without_saying_neither(shell: Shell):
    """The lancer of Arkm's raiders has a class; a sheet of FReePG without a kind is of kind pc by default."""
    shell.done("init", "test", "--system", "arkm")
    shell.done("join", "lancer")
    assert ours() == ("party",)
    assert not player({"name": "Kai"})
    assert player({"name": "Kai", "kind": "pc"})
    assert player({"name": "Kai", "kind": "ally", "seat": "John"})


def test_a_file_for_players_tells_all_of_their_side_whatever_it_is_called(shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "grub", "--side", "party")
    shell.done("join", "boffin", "--side", "red")
    shell.done("damage", "boffin,grub", "3", "fire")
    shell.done("export", "seen.md", "--player-safe")
    told = Path("seen.md").read_text(encoding="utf-8")
    assert "Boffin loses 3 hp, now 52/55" in told
    assert "17/20" not in told
