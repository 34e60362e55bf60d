"""Stat blocks that somebody wrote as text become sheets: what is read, what is asked, and that nothing is silent."""

import io
import random
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from commands.action.names import proper
from commands.pasted.attacks import attacks
from commands.pasted.fields import dice_of, movement
from commands.pasted.layout import plain
from commands.pasted.sheet_import import SheetImport, sheets_of
from ledger.errors import UsageError
from tests.documents import Typing
from tests.judge import OWN, facts, judged, words
from tests.sample import WHOLE
from tests.shell import Shell

TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(OWN.iterdir()) if path.suffix != ".jsonl"}
LINE = "Bog Hound: AC 7, HD 2+2, #AT 1, D 1-6, MV 180' (60'), ML 8\n"


def made(text: str, system: str = "arkm", **said: Any) -> str:
    """The sheets that are made of a text."""
    return sheets_of(text, system, SheetImport(**said))


def one(text: str, **said: Any) -> dict[str, Any]:
    """The only sheet that is made of a text."""
    return tomllib.loads(made(text, **said))


# What is read


def test_every_value_is_right_or_noted():
    """Of our own texts, and of other people's where `$AFFRAY_STAT_BLOCKS` names some: none is wrong, invented or
    silent, and nineteen of twenty are read.
    """
    verdicts = [verdict for path, fact in facts() for verdict in judged(fact, made(path.read_text(encoding="utf-8")))]
    counted = Counter(verdict.verdict for verdict in verdicts)
    assert [one for one in verdicts if one.verdict not in ("right", "noted")] == []
    assert counted["right"] * 20 >= len(verdicts) * 19, [one for one in verdicts if one.verdict == "noted"]


@pytest.mark.parametrize("name", TEXTS)
def test_every_word_stands_in_the_sheets(name: str):
    """As often as in the text at least, in a comment or in a special power."""
    said = Counter(words(plain(TEXTS[name])))
    told = Counter(words(plain(made(TEXTS[name]))))
    assert not said - told


@pytest.mark.parametrize("name", TEXTS)
def test_a_strange_word_anywhere_is_not_lost(name: str):
    text = TEXTS[name]
    for nth in range(0, len(text), max(len(text) // 60, 1)):
        there = made(f"{text[:nth]} qwertz {text[nth:]}")
        told = [line for line in there.splitlines() if "qwertz" in line]
        assert any("#" in line or line.startswith(("  ", "special")) for line in told), (nth, there)


@pytest.mark.parametrize(("system", "name"), [(system, name) for system in ("aachen", "arkm") for name in TEXTS])
def test_every_sheet_joins(system: str, name: str, shell: Shell):
    shell.done("init", "Fen", "--system", system)
    Path("made.toml").write_text(made(TEXTS[name], system), encoding="utf-8")
    assert " the " in shell.done("join", "made.toml")
    assert shell("verify").code == 0


def test_each_value_carries_the_words_that_it_came_from():
    text = made(TEXTS["ose-line.txt"])
    assert 'hd = "1-1"  # HD 1–1 (3hp)\nhp_max = 3  # HD 1–1 (3hp)\nac = 7  # AC 7 [12]\n' in text
    assert "# unread: ML (8 with their mother)\n" in text


def test_what_a_hit_does_besides_it_does_at_every_hit():
    """From a 2 on, as a 1 always misses."""
    (attack,) = one("Bog Orc: AC 6 [13], HD 1 (5hp), Att 1 x bite (1d6 and poison), ML 8")["attacks"]
    assert attack == {"name": "bite", "damage": "1d6", "special": "poison", "special_on": 2}


def test_hit_dice_without_hit_points_are_thrown():
    sheet = one(LINE)
    assert (sheet["hd"], sheet["hp_dice"]) == ("2+2", "2d8+2")
    assert "hp_dice" not in one("Lout: AC 7 [12], HD 1, hp 3, 5, 4")
    assert [dice_of(word) for word in ("1", "1-1", "1/2")] == ["1d8", "1d8-1", "1d4"]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("HD 1 hp", {"hp_max": 1}), ("HD 1d4 hp", {"hp_dice": "1d4"}), ("HD 60hp (15HD)", {"hd": "15", "hp_max": 60}),
        ("HD ½* (1d4 hit points)", {"hd": "1/2", "hp_dice": "1d4"}), ("HD 2 (9hp) to 4 (18hp)", {}),
        ("HD 8 (or more)", {}), ("HD 2d8 (9 hp)", {"hd": "2", "hp_max": 9}), ("HD 12+", {}),
    ],
)  # fmt: skip
def test_hit_points_among_hit_dice(said: str, read: dict[str, Any]):
    sheet = one(f"Thing\nAC 6 [13]\n{said}\n")
    assert {field: sheet[field] for field in ("hd", "hp_max", "hp_dice") if field in sheet} == read


@pytest.mark.parametrize(
    ("said", "feet"),
    [
        ("240' (80') flying", None), ("120' (40') / 240' (80') flying", 120), ("60' (20'), fly 180' (60')", 60),
        ("120'/40'", 120), ('12"/24"', 120), ("0", 0), ("40' per round", 120), ("Fly 120' (40')", None),
    ],
)  # fmt: skip
def test_movement_is_on_foot(said: str, feet: int | None):
    text = made(f"Thing\nAC 6 [13]\nMove: {said}\n")
    assert tomllib.loads(text).get("move") == feet
    assert said in text


def test_a_name_that_was_turned_round_says_so():
    assert 'name = "Copper-Ape"  # Ape, Copper\n' in made(TEXTS["ll-block.txt"])
    assert one("Ghoul, 3 HD\nAC 6 [13]\nHD 3")["name"] == "Ghoul-3-HD"
    assert one("4 Mud Louts: AC 7 [12]; HD 1")["name"] == "Mud-Louts"


def test_several_stat_blocks_in_one_paste_are_tables():
    everything = "\n".join(TEXTS[name] for name in TEXTS if name != "adventure.txt")
    assert list(tomllib.loads(made(everything))["combatants"]) == [
        "Giant-Marsh-Crab", "Ash-Hound", "Copper-Ape", "Tin-Heron", "Mudlarks", "Lantern-Ghost", "Fen-Stalker",
        "Glass-Spider", "Brass-Scribe", "Mud-Lout", "Bog-Hound",
    ]  # fmt: skip
    assert list(tomllib.loads(made(LINE * 2))["combatants"]) == ["Bog-Hound", "Bog-Hound-2"]


@pytest.mark.parametrize(
    ("said", "damage", "routines"),
    [
        ("2 claws/1 bite", "1-4/1-4/2-8", [["claws 1d4", "claws 1d4", "bite 2d4"]]),
        ("3", "1-6", [["attack 1d6"] * 3]),
        ("1 fist or sword (1d8+5)", "", [["fist 1d8+5"], ["sword 1d8+5"]]),
        ("1 (fist 3d8 or jet)", "", [["fist 3d8"], ["jet"]]),
        ("2 claws (1d3), 1 bite or breath, 1 tail", "2d4 claw, 6d6 bite or breath, 2d4 tail", None),
        ("2 claws, 1 bite or breath, 1 tail", "2d4 claw, 6d6 bite or breath, 2d4 tail",
         [["claws 2d4", "claws 2d4", "bite 6d6", "tail 2d4"], ["claws 2d4", "claws 2d4", "breath", "tail 2d4"]]),
        ("5-12 bites (1d6)", "", None),
        ("2 claws, 1 bite", "1d6", None),
        ("1 bite (1d6 or 2d4)", "", None),
        ("three stings (1d2)", "", [["sting 1d2"] * 3]),
        ("axe x2 (1d8)", "", [["axe 1d8", "axe 1d8"]]),
        ("2 lava sprays (2d6/2d6)", "", [["lava sprays 2d6", "lava sprays 2d6"]]),
        ("2 fists (1d6/1d8)", "", [["fists 1d6", "fists 1d8"]]),
        ("1 bite/spit (1hp + poison)", "", [["bite 1"], ["spit 1"]]),
        ("-", "1d8 + 1d8/round if swallowed", [["attack 1d8"]]),
        ("None, but it wails", "", []),
        ("Varies", "", None),
        ("1 tongue or 1 bite", "tongue grab or 1d4+1 bite", [["tongue"], ["bite 1d4+1"]]),
        ("1 weapon", "By weapon or 1d4", [["weapon 1d4"]]),
        ("1 hit (7-11)", "", None),
        ("1 hit (3-10)", "", [["hit 1d8+2"]]),
        ("99 hits (1d6)", "", None),
        ("1 bite (1d6", "", None),
        ("2 claws, 1 bite, + hug", "1d4 claw, 1d6 bite, 2d8 hug", [["claws 1d4", "claws 1d4", "bite 1d6", "hug 2d8"]]),
        ("2 claws, 1 bite, all plus paralysis", "1d4 claw, 1d4 bite, all plus paralysis",
         [["claws 1d4", "claws 1d4", "bite 1d4"]]),
        ("2 hooves, 1 horn (+3 to hit)", "1d8 hoof, 1d6+3 horn", [["hooves 1d8", "hooves 1d8", "horn 1d6+3"]]),
        ("1 (bite 1d6) + 2 (claws 1d4)", "", None),
        ("3 (2 claws, 1 bite)", "1d4/1d4/1d8", [["claws 1d4", "claws 1d4", "bite 1d8"]]),
        ("1 (bite or weapon)", "1d6 or by weapon", None),
        ("1 wing, 1 horn", "1d8 hoof", None),
        ("2 claws 1d4/1d4, 1 bite 1d6", "", [["claws 1d4", "claws 1d4", "bite 1d6"]]),
        ("By weapon (1d6)", "", [["weapon 1d6"]]),
        ("gaze, no roll", "", None),
        ("1 bite (1d12) or acid", "", [["bite 1d12"], ["acid"]]),
        ("sword +2 melee (1d8+1)", "", None),
        ("1 bite +2 claws (1d4)", "", None),
        ("1 bite (1d6) + 2 claws (1d4)", "", [["bite 1d6", "claws 1d4", "claws 1d4"]]),
        ("bite (1d8+1d6)", "", [["bite 1d8+1d6"]]),
        ("bite (1d8+1 plus 1d6 cold)", "", [["bite 1d8+1+1d6"]]),
        ("bite (1d6 + paralysis for 1d4 turns)", "", [["bite 1d6"]]),
        ("bite (1d6 + 1d4 rounds of sleep)", "", [["bite 1d6"]]),
        ("bite (1d6 plus 2d6 poison, save for half)", "", None),
        ("slam (1d6x2)", "", None),
        ("slam (1d6 x 2)", "", None),
        ("slam (2x1d6)", "", None),
    ],
)  # fmt: skip
def test_attacks_are_read_for_certain_or_not_at_all(said: str, damage: str, routines: list[list[str]] | None):
    read = attacks(said, damage)
    assert bool(read.asks) is (routines is None)
    told = [[f"{blow.name or 'attack'} {blow.dice}".strip() for blow in routine] for routine in read.routines]
    assert [[one.replace("stings", "sting") for one in routine] for routine in told] == (routines or [])


def test_aachen_counts_upwards_and_asks_for_hit_points():
    """Each attack is a weapon, with its points and its poison; three attacks in a round stay in words."""
    text = made(TEXTS["ose-table.md"], "aachen")
    sheet = tomllib.loads(text)
    assert (sheet["ac"], sheet["attack_bonus"], sheet["hd"], sheet["hp_max"], sheet["rate"]) == (14, 3, 3, 15, 40)
    assert sheet["weapons"] == [
        {"name": "claw", "damage": "1d4"}, {"name": "bite", "damage": "1d8", "special": "poison"},
    ]  # fmt: skip
    assert "# unread: Saving Throws: D12 W13 P14 B15 S16 (2)" in text
    assert "# asked: attacks: the damage of spit (blindness)? (Attacks: " in text
    alone = made(TEXTS["sw-block.txt"], "aachen")
    assert "# asked: hit points: throw 3d8+1 (Hit Dice: 3+1)" in alone
    assert "# unread: Hit Dice: 3+1" in alone
    assert "# unread: HD" not in made(f"Bog Orc\n{REST}", "aachen")
    assert "# unread: Attacks" not in alone, "one bite is all of it"
    for strikes in ("2 x axe (1d8)", "1 x axe (1d8) or 1 x bow (1d6)"):
        assert f"# unread: Att {strikes}" in made(f"Bog Orc\n{REST.replace('1 x axe (1d8)', strikes)}", "aachen")


REST = "AC 6 [13], HD 1 (5hp), Att 1 x axe (1d8), ML 8\n"


@pytest.mark.parametrize(
    ("above", "name", "unread"),
    [
        ("Bog Orc\nMedium humanoid, chaotic\n", "Bog-Orc", ["Medium humanoid, chaotic"]),
        ("Bog Orc\nHumanoid (orc), neutral evil\n", "Bog-Orc", ["Humanoid (orc), neutral evil"]),
        ("Bog Orc\nStr 12, Dex 9\n", "Bog-Orc", ["Str 12, Dex 9"]),
        ("Bog Orc\nSTR 8 (-1) DEX 14 (+2) CON 10\n", "Bog-Orc", ["STR 8 (-1) DEX 14 (+2) CON 10"]),
        ("## Bog Orc\nInit +1\n", "Bog-Orc", ["Init +1"]),
        ("Bog Orc: Init +1; ", "Bog-Orc", ["Init +1"]),
        ("Bog Orc, Init +1, Per +3, ", "Bog-Orc", ["Init +1, Per +3"]),
        ("Bog Orc: THAC0 19\n", "Bog-Orc", []),
        ("Cleric, Evil\n", "Evil-Cleric", []),
        ("Orc 2\n", "Orc-2", []),
        ("Medium humanoid, chaotic\n", None, ["Medium humanoid, chaotic"]),
    ],
)
def test_a_line_that_says_what_a_creature_is_is_no_name(above: str, name: str | None, unread: list[str]):
    text = made(above + REST)
    assert tomllib.loads(text).get("name") == name
    assert re.findall("# unread: (.*)", text) == unread
    assert ("# asked: name: the text gives none" in text) is (name is None)


@pytest.mark.parametrize("above", ["Bog Orc\nSneaky Ones\n", "## Bog Orc\nSneaky Ones\n", "Bog Orc: Sneaky Ones; "])
def test_of_two_lines_that_may_be_the_name_none_is_taken(above: str):
    text = made(above + REST)
    assert "# asked: name: 'Bog Orc' or 'Sneaky Ones'?" in text
    assert "name" not in tomllib.loads(text)


@pytest.mark.parametrize("system", ["arkm", "aachen"])
@pytest.mark.parametrize("words", ["Requires magic to hit", "- Damage immunity: Only harmed by fire or magic."])
def test_what_alone_harms_somebody_is_said_when_they_are_hit(words: str, system: str, shell: Shell):
    """arkm.natural-20.immune, aachen.damage.special: in words, as the sheet has it."""
    Path("ghost.txt").write_text(f"Ghost\n{REST}{words}\n", encoding="utf-8")
    shell.done("sheet", "import", "ghost.txt", "--system", system, "--output", "ghost.toml")
    shell.done("init", "Fen", "--system", system)
    shell.done("join", {"arkm": "fighter", "aachen": "brun"}[system])
    shell.done("join", "ghost.toml")
    shell.done("begin")
    shell.done("initiative", *(("--dice", "6,1") if system == "arkm" else ("--dice", "8,1")))
    if system == "arkm":
        shell.done("adjust", "Aldric", "engaged", "Ghost", "near")
        shell.done("phase", "melee", "--pass-rest")
    told = shell.done("attack", {"arkm": "Aldric", "aachen": "Brun"}[system], "Ghost", "--dice", "19,2")
    assert words.removeprefix("- ").rstrip(".") in " ".join(told.split())


# What is asked


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("AC 6", "armour class 6: descending, ascending, or ascending11?"),
        ("AC 6 [14]", "armour class 6 [14]: the two do not come to 19 together"),
        ("AC 5 or 3", "armour class: '5 or 3' is more than one number"),
        ("AC Special", "armour class: 'Special' is not a number"),
        ("HD 5-12", "Hit Dice: '5-12' is not a single number"),
        ("HD 1/4", "hit points: how many have 1/4 Hit Dice?"),
        ("hp 3, 6, 2x9", "hit points: '3, 6, 2x9' is not a single number"),
        ("MV 40'", "movement 40': in a turn, in a round, or in tens of feet?"),
        ("MV 120' (15')", "movement 120': in a turn, in a round, or in tens of feet?"),
        ("Move 9", "movement 9: in a turn, in a round, or in tens of feet?"),
        ("ML 7-9", "morale: '7-9' is not a single number"),
        ("ML 50%", "morale: '50%' is not a single number"),
        ("THAC0 19 [+5]", "THAC0: '19 [+5]' cannot be"),
        ("SV 12/13/14/15/16", "saving throws 12/13/14/15/16: which is which?"),
        ("SV D0 W13 P14 B15 S16", "saving throws D0 W13 P14 B15 S16: each is from 2 to 20"),
        ("Att 1 x weapon (by weapon)", "attacks: the damage of weapon (by weapon)?"),
        ("#AT 1, D Special", "attacks: the damage of attack (Special)?"),
    ],
)
def test_what_is_not_certain_is_a_question_with_its_words(words: str, asked: str):
    """A lone number whose scale nobody knows is never guessed."""
    other = "AC 6 [13]" if not words.startswith("AC") else "HD 2 (9hp)"
    text = made(f"Thing\n{other}\n{words}\n")
    assert f"# asked: {asked}" in text
    assert words.rpartition(", ")[2] in text


def test_the_scale_may_be_said_or_known_by_the_labels():
    assert one(LINE, ac="descending")["ac"] == 7
    assert one("Lout: AC 14, HD 1", ac="ascending")["ac"] == 5
    assert one("Lout: AC 14, HD 1", ac="ascending11")["ac"] == 6
    assert [one("Lout: MV 12, HD 1", move=pace)["move"] for pace in ("turn", "round", "tens")] == [12, 36, 120]
    assert one("Lout: AC 14, HD 1, MV 30'", as_="bfrpg")["ac"] == 6
    assert one("Lout: AC 5, THAC0 17, HD 3")["ac"] == 5, "only descending armour class has a THAC0"
    assert movement("120' (40')", "").value == 120


@pytest.mark.parametrize(
    "text",
    [
        "Hound\n**AC** 7 [12], **HD** 2** (9hp), **Att** 1 × bite (1d6), **MV** 180’ (60’), **ML** 8\n",
        "**Hound**\n*AC:* 7 [12] | *HD:* 2** (9hp) | *Att:* 1 bite (1d6) | *MV:* 180’ (60’) | *ML:* 8\n",
        "Hound [AC 7 [12] HD 2** hp 9 Att 1 bite (1d6) MV 180(60) ML 8]\n",
        "Hound\tAC 7 [12]\tHD 2**\thp 9\tAtt 1 bite (1d6)\tMV 180(60)\tML 8\n",
        "name: Hound\nac: 7 [12]\nhd: 2**\nhp: 9\nattack: 1 bite (1d6)\nmove: 180 (60)\nmorale: 8\n",
        "The Hound (AC 7 [12], HD 2**, hp 9, Att 1 bite (1d6), MV 180’ (60’), ML 8) sleeps.\n",
        "HOUND\nARMOUR CLASS 7 [12]\nHIT DICE 2** (9hp)\nATTACKS 1 bite (1d6)\nMOVE 180’ (60’)\nMORALE 8\n",
    ],
)
def test_one_hound_in_many_dresses(text: str):
    sheet = one(text)
    assert (sheet["ac"], sheet["hd"], sheet["hp_max"], sheet["move"], sheet["morale"]) == (7, "2", 9, 180, 8)
    assert sheet["attacks"] == [{"name": "bite", "damage": "1d6"}]
    assert sheet["name"].casefold().endswith("hound")


def test_what_no_label_stands_for_is_said():
    text = made("Hound\nML 8\nMove: 120' (40')\n")
    assert re.findall("# asked: (.*)", text) == [
        "armour class: the text gives none", "hit points: the text gives none", "attacks: the text gives none",
    ]  # fmt: skip
    assert "# asked" not in made("Hound\nAC 6 [13]\nHD 1\nAttacks: None\n")


def test_a_second_value_of_a_field_is_no_value():
    text = made("Lout\nAC 6 [13]\nHD 2\nAttacks: 1 bite\nDamage: 1d6\nDamage: 2d6 against elves\n")
    assert 'damage = "1d6"' in text
    assert "# unread: Damage: 2d6 against elves\n" in text


def test_words_of_a_description_are_no_values():
    """The chieftain's armour class and hit points are not those of the hobgoblin."""
    text = "Hob\nAC 6 [13]\nHD 1\n\nA chief has AC 4 [15], HD 5 and ML 11. They save as fighters.\n"
    sheet = one(text)
    assert (sheet["ac"], sheet["hd"], sheet.get("morale")) == (6, "1", None)
    assert "hp_max" not in sheet


# The verb


def test_what_is_open_comes_before_joining(shell: Shell):
    """Without --ac it is asked whether AC 7 ascends or descends: so far nobody is told to join."""
    Path("hound.txt").write_text("Bog Hound: HD 1, AC 7, Att 1 x bite (1d6), ML 8", encoding="utf-8")
    answer = shell("sheet", "import", "hound.txt", "--output", "hound.toml", "--system", "arkm")
    assert "to decide" in answer.err
    assert "0 to decide" not in answer.err
    assert "Then:" not in answer.err


def test_who_brings_a_sheet_is_told_what_is_open_in_it(shell: Shell):
    """By join, among several files in one word, in a preview, and by the party file; an answer that stands in the file
    in place of its question is told no more. Each stat block of a file has its own questions.
    """
    fen = "Bog Hound: HD 1, AC 7, #AT 1, D 1-6\n\nToad: HD 1, AC 6 [13], #AT 1, D 1-6, ML 7-9\n"
    Path("fen.txt").write_text(fen, encoding="utf-8")
    shell("sheet", "import", "fen.txt", "--output", "fen.toml", "--system", "arkm")
    shell.done("init", "Fen", "--system", "arkm")
    hound = "The sheet of Bog-Hound leaves open: armour class 7: descending, ascending, or ascending11? (AC 7)"
    toad = "The sheet of Toad leaves open: morale: '7-9' is not a single number"
    for line in (("join", "fen.toml", "--dry-run"), ("join", "fighter,fen.toml")):
        told = " ".join(shell.done(*line).split())
        assert (told.count(hound), told.count(toad), told.count("leaves open")) == (1, 1, 2)
    Path("party.toml").write_text('[[join]]\nsheet = "fen.toml"\n', encoding="utf-8")
    shell.done("leave", "bog-hound,toad")
    sheet = Path("fen.toml").read_text(encoding="utf-8")
    Path("fen.toml").write_text(re.sub("# asked: armour.*", "ac = 7", sheet), encoding="utf-8")
    told = " ".join(shell.done("begin", "--party", "party.toml").split())
    assert (told.count(toad), told.count("leaves open")) == (1, 1)
    assert shell("verify").code == 0


def test_a_text_becomes_a_file_that_joins(shell: Shell):
    Path("hound.txt").write_text(LINE, encoding="utf-8")
    answer = shell("sheet", "import", "hound.txt", "--ac", "descending", "--side", "foes", "--output", "hound.toml")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "read 7, left 0 unread, 0 to decide\nThen: affray join hound.toml\n"
    shell.done("init", "Fen", "--system", "arkm")
    assert shell.done("join", "hound.toml", "--dice", "5,6").startswith("Bog-Hound joins the foes")
    shell.refused("sheet", "import", "hound.txt", "--output", "hound.toml", code=2)
    assert "Bog-Hound" in shell.done("show", "bog-hound")


def test_a_name_may_be_said(shell: Shell):
    Path("hound.txt").write_text(LINE, encoding="utf-8")
    assert tomllib.loads(shell.done("sheet", "import", "hound.txt", "--called", "Fang"))["name"] == "Fang"
    Path("two.txt").write_text(LINE * 2, encoding="utf-8")
    shell.refused("sheet", "import", "two.txt", "--called", "Fang", code=2)
    shell.refused("sheet", "import", "hound.txt", "--called", "e3", code=2)


def test_strict_exits_with_1_where_something_is_open(shell: Shell):
    Path("hound.txt").write_text(LINE, encoding="utf-8")
    answer = shell.refused("sheet", "import", "hound.txt", "--strict", code=1)
    assert "# asked: armour class 7" in answer.out
    assert shell("sheet", "import", "hound.txt", "--strict", "--ac", "descending").code == 0
    told = shell("sheet", "import", "hound.txt", "--strict", "--json").json
    assert (told["ok"], told["error"]["reference"], len(told["sheets"][0]["asked"])) == (False, "undecided", 1)


def test_the_answer_in_json_has_values_words_and_questions(shell: Shell):
    Path("hound.txt").write_text(LINE, encoding="utf-8")
    told = shell("sheet", "import", "hound.txt", "--json").json
    (sheet,) = told["sheets"]
    assert (told["ok"], told["system"], sheet["name"]) == (True, "arkm", "Bog-Hound")
    assert sheet["sheet"]["attacks"] == [{"name": "attack", "damage": "1d6"}]
    assert sheet["words"]["move"] == ["MV 180' (60')"]
    assert sheet["asked"][0]["words"] == "AC 7"


def test_standard_input_is_read(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(LINE))
    assert tomllib.loads(shell.done("sheet", "import", "-"))["hd"] == "2+2"


def test_at_a_terminal_it_asks_what_is_open(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """First the scale; an answer that cannot be is asked for again, and Enter leaves it open."""
    Path("lout.txt").write_text("Lout: AC 14, HD 2, MV 40', ML 7-9, #AT varies\n", encoding="utf-8")
    answers = ["ascending", "", "20", "8"]
    monkeypatch.setattr(sys, "stdin", Typing(answers, io.StringIO()))
    answer = shell("sheet", "import", "lout.txt")
    sheet = tomllib.loads(answer.out)
    assert (sheet["ac"], sheet["morale"]) == (5, 8)
    assert "morale = 8  # ML 7-9; as answered\n" in answer.out
    assert "# asked: movement 40'" in answer.out
    assert not answers


def test_a_scale_is_said_so_that_it_is_clear(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Two scales begin with asc; that is no answer."""
    Path("lout.txt").write_text("Lout: AC 14, HD 2, #AT 1, D 1-6\n", encoding="utf-8")
    for given, ac in (("asc", None), ("ascending11", 6), ("ascending", 5)):
        monkeypatch.setattr(sys, "stdin", Typing([given], io.StringIO()))
        assert tomllib.loads(shell.done("sheet", "import", "lout.txt")).get("ac") == ac


def test_answers_may_be_numbers_or_words_and_fit_the_rule_system(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    Path("lout.txt").write_text("Lout: AC 6 [13], HD varies, #AT 1, D 1-6\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", Typing(["2"], io.StringIO()))
    assert tomllib.loads(shell.done("sheet", "import", "lout.txt"))["hd"] == "2"
    monkeypatch.setattr(sys, "stdin", Typing(["9" * 5000, "2"], io.StringIO()))
    assert tomllib.loads(shell.done("sheet", "import", "lout.txt", "--system", "aachen"))["hd"] == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"Once upon a time there was a hound.",
        b'{"name": "Orc", "ac": "AC 6 [13], HD 1 (5hp)"}',
        b'[\n  {"name": "Orc"',
        b"\xff\xfe\x00A",
        pytest.param(b"AC 6 [13] " * 250_000, id="a large file"),
    ],
)
def test_what_is_no_stat_block_is_said(content: bytes, shell: Shell):
    Path("x.txt").write_bytes(content)
    shell.refused("sheet", "import", "x.txt", code=2)


def test_what_cannot_be_read_is_said(shell: Shell):
    Path("folder").mkdir()
    shell.refused("sheet", "import", "folder", code=2)
    shell.refused("sheet", "import", "none.txt", code=2)
    Path("x.txt").write_text(LINE, encoding="utf-8")
    shell.refused("sheet", "import", "x.txt", "--system", "freepg", code=2)


# What people paste


DIGITS = ({48 + one: first + one for one in range(10)} for first in (0x660, 0x966, 0xFF10))
SWAPS = [*DIGITS, str.maketrans("-", "–"), str.maketrans("-", "—"), str.maketrans("'\"", "’“")]
PIECES = (*'([|"#7½/\t\x00\u202e', "- ", "AC 5, ", "HD", "\n---\n", "```\n", "or ")


def mutated(text: str, dice: random.Random) -> str:
    """A text as a careless copy has it: cut, joined, shuffled, with other signs."""
    at, to = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    match dice.randrange(8):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[to:]
        case 2:
            return text + dice.choice(list(TEXTS.values()))
        case 3:
            return text.translate(dice.choice(SWAPS))
        case 4:
            return text.replace("\n", dice.choice([" ", "\r\n", "\n\n", ";", "\t", "<br>"]))
        case 5:
            lines = text.split("\n")
            dice.shuffle(lines)
            return "\n".join(lines)
        case 6:
            return text[:at] + dice.choice(PIECES) + text[at:]
    return text[:at] + text[at:to] * 2 + text[to:]


def numbers(text: str) -> set[int]:
    """The numbers in a text."""
    return {int(one) for one in re.findall(r"[0-9]{1,9}", text)}


def check_honest(text: str, there: str) -> None:
    """Every word of a text stands in the sheets, and every number of a value in the words that it came from."""
    assert set(words(plain(text))) <= set(words(plain(there)))
    for line in there.splitlines():
        found = re.fullmatch(r'(\w+) = "?([^"{\[]*?)"?  # (.*)', line)
        if not found or found[1] in ("name", "side", "requires"):
            continue
        field, value, said = found[1], numbers(found[2]), numbers(found[3].replace("½", "1/2").replace("¼", "1/4"))
        if field == "ac":
            ac = int(found[2])
            assert {abs(ac), 19 - ac, 20 - ac} & said, line
        elif field == "move":
            assert any(one in said or one // 3 in said or one // 10 in said for one in value), line
        elif field == "hp_dice":
            assert value <= said | {8} or found[2] == "1d4", line
        else:
            assert value <= said, line


def mutations(seed: int, many: int) -> None:
    dice = random.Random(seed)
    for _ in range(many):
        text = dice.choice(list(TEXTS.values()))
        for _ in range(dice.randrange(1, 4)):
            text = mutated(text, dice) or "x"
        check_honest(text, made(text))


def test_no_careless_copy_gives_a_fault_or_an_invented_value():
    mutations(1, 2000 if WHOLE else 150)


@pytest.mark.slow
def test_two_thousand_careless_copies():
    mutations(2, 2000)


PARTS = (
    "(",
    "AC 6 [13], HD (",
    "| a ",
    "- name: x\n",
    "Att 1 or ",
    "* **x:** ",
    "```\n",
    "Move: 9 (",
    "1d6/",
    "D12 W13 ",
)


@pytest.mark.parametrize("part", PARTS if WHOLE else PARTS[::4])
@pytest.mark.slow
def test_a_megabyte_of_anything_ends(part: str):
    """Every loop is bounded by the length of the text."""
    text = part * (1_000_000 // len(part))
    check_honest(text, made(text))


@pytest.mark.parametrize("part", ["AC 6\n", "Lout\nAC 6 [13]\n", "AC\n\n", "name: x\nac: 3\n"])
def test_hundreds_of_stat_blocks_are_refused(part: str):
    with pytest.raises(UsageError, match="500 at once are the most"):
        made(part * 600)


def test_a_made_name_is_one_that_the_table_takes():
    for name in TEXTS:
        for sheet in tomllib.loads(made(TEXTS[name])).get("combatants", {}).values():
            assert proper(sheet["name"]) == sheet["name"]
