"""`affray damage`: the game master harms somebody, and each system's own rules of harm say what follows."""

import json

import pytest

from commands.action import systems
from ledger.events import Declared, HpLost, Ruled
from tests.shell import Shell, recorded, rulings


def campaign(shell: Shell, system: str, *joins: str) -> None:
    shell.done("init", "Test", "--system", system, "--key", "07" * 32)
    for words in joins:
        shell.done("join", *words.split())
    shell.done("begin")


def value(shell: Shell, name: str) -> str:
    found: dict[str, str] = json.loads(shell.done("show", name.partition(".")[0], "--json"))["values"]
    return found[name.partition(".")[2]]


def test_freepg_fells_enemies_dead_and_others_dying(shell: Shell):
    campaign(shell, "freepg", "boffin", "grub --count 2")
    shell.done("damage", "boffin", "5", "fell from the wall")
    assert HpLost("Boffin", 5, 50, 55) in recorded(5)
    shell.done("damage", "@foes", "20", "the roof")
    assert [value(shell, f"grub-{nth}.down") for nth in (1, 2)] == ["dead", "dead"]
    shell.done("damage", "boffin", "99", "the abyss")
    assert (value(shell, "boffin.hp"), value(shell, "boffin.down")) == ("0", "dying")
    shell.refused("damage", "grub-1", "1", "again", code=2)
    shell.refused("damage", "@all", "1", "again", code=2)
    shell.refused("damage", "boffin", "1", "hot", "--kind", "fire", code=2)


def test_aachen_makes_morale_due(shell: Shell):
    """The first of a side is down: its other must check."""
    campaign(shell, "aachen", "adalger", "goblin --count 2")
    shell.done("damage", "goblin-1", "9", "a rock")
    assert HpLost("Goblin-1", 3, 0, 3) in recorded()
    assert value(shell, "goblin-1.down") == "dead"
    assert [one["who"] for one in shell.facts("status")["due"]] == [["Goblin-2"]]
    shell.done("adjust", "goblin-2", "down", "dead", "a curse")
    shell.done("damage", "goblin-2", "1", "a rock")
    assert HpLost("Goblin-2", 1, 2, 3) in recorded()
    shell.done("damage", "adalger", "30", "a rock")
    assert value(shell, "adalger.down") == "dying"


def test_aachen_tells_a_new_reason_for_morale_once(shell: Shell):
    """Both goblins of three are down: the wolf checks because half are, and is not named twice."""
    campaign(shell, "aachen", "adalger", "goblin --count 2", "wolf")
    told = shell.done("damage", "goblin-1,goblin-2", "9", "a rock")
    assert "; have lost half; must check morale: Wolf\n" in told
    assert told.count("morale: Wolf") == 1


def test_arkm_has_two_columns(shell: Shell):
    """44 hit points, of which 40 temporary damage leaves 4; 4 more actual points knock out, and slay at 0 only."""
    campaign(shell, "arkm", "fighter", "orc --dice 6")
    shell.done("damage", "aldric", "40", "fists", "--kind", "temporary")
    assert (value(shell, "aldric.hp"), value(shell, "aldric.temporary damage")) == ("44", "+40")
    shell.done("damage", "aldric", "4", "a rock")
    assert (value(shell, "aldric.hp"), value(shell, "aldric.down")) == ("40", "unconscious")
    shell.done("damage", "orc", "6", "a rock")
    assert value(shell, "orc.down") == "dead"
    shell.refused("damage", "orc", "1", "x", "--kind", "fire", code=2)


def test_dungeoneers_absorbs_as_stress(shell: Shell):
    """Suori's stress takes 2 of 3; the skeleton has no stress, and bears 2."""
    campaign(shell, "dungeoneers", "suori", "skeleton")
    shell.done("damage", "suori", "3", "fell")
    assert (value(shell, "suori.stress"), value(shell, "suori.wounds")) == ("2", "1")
    shell.done("damage", "skeleton", "3", "a rock")
    assert value(shell, "skeleton.down") == "dead"


def test_paraverse_hurts_by_fortitude_and_wounds_by_constitution(shell: Shell):
    """20 / 3 Fortitude is 7 pain, rounded up; 20 is at least the Constitution 8, and less than three times that."""
    campaign(shell, "paraverse", "sigrun", "thrall")
    shell.done("damage", "thrall", "20", "a rock", "--kind", "arms")
    assert (value(shell, "thrall.pain"), value(shell, "thrall.wound")) == ("7", "fractured-arm (arms)")
    shell.done("damage", "thrall", "8", "a rock", "--dice", "1,4")
    assert ("torso", [4]) in rulings("paraverse.hit-location.second-die")
    shell.done("damage", "sigrun", "3", "a stone")
    assert value(shell, "sigrun.pain") == "1", "3 / 6 Fortitude, rounded up; no place"
    (hurt,) = [one for one in recorded() if isinstance(one, Ruled) and one.clause == "paraverse.magic.effect-damage"]
    assert hurt.aside, "it is told by the pain"


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_it_is_taken_back_and_amended_and_checked_like_any_action(system: str, shell: Shell):
    first = {"aachen": "adalger", "arkm": "fighter", "dungeoneers": "freya", "freepg": "boffin", "paraverse": "sigrun"}
    campaign(shell, system, first[system])
    before = shell.done("status")
    shell.done("damage", "@all", "1", "a stone")
    after = shell.done("status")
    shell.done("undo")
    assert shell.done("status") == before
    shell.done("redo")
    assert shell.done("status") == after
    shell.done("amend", "e4", "--points", "2", "--because", "it was 2", "--apply")
    shell.done("verify")
    shell.refused("damage", "nobody", "3", "x", code=3)
    shell.refused("damage", "@all", "0", "x", code=2)


def test_harm_needs_no_reason(shell: Shell):
    campaign(shell, "freepg", "boffin", "grub")
    shell.done("damage", "grub", "3")
    assert HpLost("Grub", 3, 17, 20) in recorded(5)
    shell.done("damage", "grub,boffin", "2", "the", "roof", "falls", "in")
    (declared, *_) = recorded()
    assert isinstance(declared, Declared)
    assert declared.said["why"] == "the roof falls in"
    shell.refused("damage", "grub", code=2)


@pytest.mark.parametrize(
    ("system", "hero", "foe"),
    [("freepg", "Boffin", "Grub"), ("aachen", "Adalger", "Goblin"), ("dungeoneers", "Freya", "Goblin")],
)
def test_who_is_harmed_is_not_guessed_from_the_turn(system: str, hero: str, foe: str, shell: Shell):
    """Nobody is harmed, and neither of the two is offered: either may be meant."""
    campaign(shell, system, hero.casefold(), foe.casefold())
    refused = shell.refused("damage", "5", code=2)
    assert hero not in refused.err
    assert foe not in refused.err
