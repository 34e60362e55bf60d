"""One line said of several: `attack @foes sigrun` is an entry for each, all or none."""

import json
import re
import shlex
from pathlib import Path

import pytest

from ledger.events import HpLost
from tests.shell import Shell, recorded, rulings


@pytest.fixture
def brawl(shell: Shell) -> Shell:
    """Three grubs, whose turn it is, against Boffin and Jane."""
    shell.done("init", "test", "--system", "freepg", "--key", "00" * 32)
    shell.done("join", "boffin")
    shell.done("join", "jane")
    shell.done("join", "grub", "--called", "g", "--count", "3")
    shell.done("begin")
    shell.done("initiative", "--dice", "1,2,19")
    return shell


def declared(shell: Shell, entry: int) -> dict[str, object]:
    """What the first event of an entry says, and what was typed."""
    shown = shell("show", f"e{entry}", "--json").json
    return {"typed": shown["typed"], **shown["events"][0]["said"]}


def test_each_gets_an_entry_of_its_own_and_dice_are_dealt_in_order(brawl: Shell):
    """freepg.attack.hit-test: 2, 3 and 4 against 18, 17 and 16 + 1 (helm) miss."""
    brawl.done("attack", "@foes", "boffin", "--dice", "2,18,3,17,4,16")
    assert [rulings("freepg.attack.hit-test", entry) for entry in (7, 8, 9)] == [
        [("miss", [2, 18 + 1])], [("miss", [3, 17 + 1])], [("miss", [4, 16 + 1])],
    ]  # fmt: skip
    assert [declared(brawl, entry)["who"] for entry in (7, 8, 9)] == ["g-1", "g-2", "g-3"]
    assert [declared(brawl, entry)["typed"] for entry in (7, 8, 9)] == [
        "attack g-1 boffin --dice 2,18",
        "attack g-2 boffin --dice 3,17",
        "attack g-3 boffin --dice 4,16",
    ]
    assert brawl.facts("status")["entry"] == 9
    brawl.done("verify")


def test_a_list_of_names_means_the_same_and_dice_can_name_who_threw_them(brawl: Shell):
    brawl.done("attack", "g-3,g1", "boffin", "--dice", "g-1:2,g-3:3,boffin:17,boffin:18")
    assert [declared(brawl, entry)["typed"] for entry in (7, 8)] == [
        "attack g-3 boffin --dice 3,17",
        "attack g-1 boffin --dice 2,18",
    ]


def test_one_that_is_named_and_refused_refuses_all(brawl: Shell):
    """freepg.turn.one-attack"""
    brawl.done("attack", "g-2", "boffin", "--dice", "2,18")
    brawl.refused("attack", "g-1,g-2", "boffin", clause="freepg.turn.one-attack")
    brawl.refused("attack", "@foes,g-2", "boffin", clause="freepg.turn.one-attack")
    brawl.refused("attack", "g-1,boffin", "jane", clause="freepg.turn.out-of-turn")
    assert brawl("status", "--json").json["entry"] == 7


def test_who_is_brought_in_by_a_word_alone_and_cannot_act_is_skipped(brawl: Shell):
    """freepg.turn.one-attack: the dice are dealt to the others; where nobody is left, the first refusal is told."""
    brawl.done("attack", "g-2", "boffin", "--dice", "2,18")
    brawl.refused("attack", "@foes", "boffin", "--dice", "2,18,3,17,4,16", code=2)
    brawl.done("attack", "@foes", "boffin", "--dice", "3,17,4,16")
    assert [declared(brawl, entry)["typed"] for entry in (8, 9)] == [
        "attack g-1 boffin --dice 3,17",
        "attack g-3 boffin --dice 4,16",
    ]
    brawl.refused("attack", "@foes", "boffin", clause="freepg.turn.one-attack")
    assert brawl.facts("status")["entry"] == 9
    brawl.done("verify")


def test_so_is_who_lacks_what_is_named(brawl: Shell):
    """A wrong die is nobody's lack, and refuses all."""
    brawl.done("adjust", "g-2", "item", 'name = "club", slot = "weapon"', "found in the mud")
    brawl.done("draw", "@foes", "club")
    assert [brawl.value(f"g-{nth}.equipped") for nth in (1, 2, 3)] == [None, "club", None]
    brawl.refused("attack", "@foes", "boffin", "--dice", "2,18,30,17,4,16", code=2)


def test_the_unconscious_are_skipped(shell: Shell):
    """paraverse.incapacitated.cannot-act: the order goes to the foes who can act."""
    shell.done("init", "test", "--system", "paraverse")
    shell.done("join", "sigrun", "reaver", "vasko")
    shell.done("begin")
    shell.done("round")
    shell.done("adjust", "vasko", "down", "unconscious", "a stone from the wall")
    shell.done("attack", "@foes", "sigrun")
    assert shell.facts("status")["rows"]["Reaver"]["action"] == "attack Sigrun (melee)"
    assert shell.facts("status")["rows"]["Vasko"]["action"] == ""


def test_too_many_dice_and_too_few_refuse_all(brawl: Shell):
    words = ("attack", "@foes", "boffin", "--dice")
    brawl.refused(*words, "2,18,3,17,4,16,5", code=2)
    brawl.refused(*words, "2,18,3", code=2)
    brawl.done(*words, "2,18,3,17,4,16,5", "--spare")
    assert declared(brawl, 9)["typed"] == "attack g-3 boffin --spare --dice 4,16"


def test_who_is_dead_is_skipped_and_who_is_kept_from_it_by_the_others_too(brawl: Shell):
    """freepg.attack.natural-20-hit, freepg.attack.damage: 20 + 5 - 1 (defense) of 20 hit points kill; g-3 has nobody
    to strike.
    """
    brawl.done("join", "grub", "--called", "traitor", "--side", "rebels")
    brawl.done("damage", "g-1", "40", "a rock fell")
    brawl.done("attack", "@g", "traitor", "--dice", "20,1")
    assert HpLost("traitor", 20, 0, 20) in recorded(9)
    assert declared(brawl, 9)["who"] == "g-2"
    assert brawl("status", "--json").json["entry"] == 9


def test_where_nobody_can_do_it_the_reason_of_one_who_stands_is_given(shell: Shell):
    """Thug-1 is dying, and the other one acts later than Adalger."""
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger")
    shell.done("join", "guard", "--called", "Thug", "--count", "2")
    for line in ("begin", "initiative --dice 7,1", "damage thug-1 6 'a rock fell'"):
        shell.done(*shlex.split(line))
    shell.refused("attack", "@thug", "adalger", clause="aachen.initiative.side-completes")
    shell.done("damage", "thug-2", "6", "a rock fell")
    assert "Thug-1" in shell.refused("attack", "@thug", "adalger").err.partition("\n")[0]


def test_a_line_of_which_one_alone_was_left_is_recorded_once_too(brawl: Shell):
    brawl.done("join", "grub", "--called", "traitor", "--side", "rebels")
    words = ("attack", "g-1,g-2,g-3", "traitor", "--dice", "20,1", "--once", "q8")
    brawl.done(*words)
    brawl.done(*words)
    assert brawl("status", "--json").json["entry"] == 8


def test_a_line_of_two_who_have_just_joined_is_recorded_once_too(brawl: Shell):
    brawl.done("join", "grub", "--called", "rogue", "--count", "2", "--side", "rebels")
    words = ("attack", "rogue-1,rogue-2", "boffin", "--dice", "2,18,3,17", "--allow", "quick", "--once", "q9")
    brawl.done(*words)
    brawl.done(*words)
    assert brawl("status", "--json").json["entry"] == 9


def test_that_it_rolls_again_is_said(brawl: Shell):
    brawl.done("attack", "g-1,g-2", "boffin", "=", "2", "18", "3", "17")
    assert declared(brawl, 8)["typed"] == "attack g-2 boffin --dice 3,17"
    brawl.done("undo", "--times", "2")
    assert "Re-rolls the action undone in e7." in brawl.done("attack", "g-1,g-2", "boffin")


def test_under_one_id_it_is_recorded_once(brawl: Shell):
    words = ("attack", "g-1,g-2", "boffin", "--dice", "2,18,3,17", "--once", "q7")
    first = brawl.done(*words)
    again = brawl(*words)
    assert again.code == 0
    assert again.out == first
    assert re.findall(r"\be\d+", again.err) == ["e7", "e8"]
    assert brawl("status", "--json").json["entry"] == 8
    brawl.refused("attack", "g-1,g-3", "boffin", "--once", "q7", code=2)
    brawl.refused("attack", "g-1", "boffin", "--once", "q7", code=2)


def test_json_has_one_answer_with_the_others_in_it(brawl: Shell):
    answer = brawl("attack", "@foes", "boffin", "--dice", "2,18,3,17,4,16", "--json").json
    assert answer["entry"] == 7
    assert [one["entry"] for one in answer["then"]] == [8, 9]


def test_a_preview_names_the_dice_of_each_and_records_nothing(brawl: Shell):
    said = brawl.facts("attack", "g-1,g-2", "boffin", "--dry-run")
    assert [(one["who"], one["purpose"], one["about"]) for part in (said, *said["then"]) for one in part["needs"]] == [
        ("g-1", "attack", "Boffin"), ("Boffin", "defense", "g-1"),
        ("g-2", "attack", "Boffin"), ("Boffin", "defense", "g-2"),
    ]  # fmt: skip
    said = brawl.facts("attack", "g-1,g-2", "boffin", "--dice", "2,18,3,17", "--dry-run")
    assert [part["entry"] for part in (said, *said["then"])] == [None, None]
    outcomes = [
        (one["who"], one["outcome"]) for part in (said, *said["then"]) for one in part["events"] if "clause" in one
    ]
    assert outcomes == [("g-1", "miss"), ("g-2", "miss")]
    assert brawl("status", "--json").json["entry"] == 6


def test_one_of_them_can_be_corrected_with_its_own_dice(brawl: Shell):
    """g-2 threw 13 and not 3: 13 against 17 + 1 is a miss as well; the others keep their dice."""
    brawl.done("attack", "@foes", "boffin", "--dice", "2,18,3,17,4,16")
    first, second = brawl.course("e8", "--dice", "13,17", "--because", "the 3 was a 13", "--apply").values()
    assert rulings("freepg.attack.hit-test", first[1]) == [("miss", [13, 17 + 1])]
    assert rulings("freepg.attack.hit-test", second[1]) == [("miss", [4, 16 + 1])]
    brawl.done("verify")


def test_players_read_an_entry_for_each_and_the_proof_holds(brawl: Shell):
    brawl.done("attack", "@foes", "boffin")
    brawl.done("export", "players.jsonl", "--player-safe")
    brawl.done("import", "players.jsonl", "theirs.affray")
    told = brawl.done("--ledger", "theirs.affray", "verify")
    assert "Sound" in told
    lines = [json.loads(line) for line in Path("players.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 10


def test_several_where_one_is_meant_is_refused_as_before(brawl: Shell):
    brawl.refused("roll", "1d6", "--who", "@foes", code=3)
    brawl.refused("draw", "@foes", "trebuchet", code=2)
    brawl.done("note", "dusk")
    brawl.refused("amend", "e7", "--insert", "roll 1d6 --who @foes", code=3)


def test_foes_and_party_are_words_at_every_table(shell: Shell):
    """Dungeoneers has no side of that name: its players are the dungeoneers."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", "suori")
    shell.done("join", "goblin", "--called", "g", "--count", "2")
    shell.refused("roll", "1d6", "--who", "@foes", code=3)
    assert shell("roll", "1d6", "--who", "@party", "--json").json["events"][0]["said"]["who"] == "Suori"


def test_several_may_not_say_a_true_name_where_they_are_only_tried_either(brawl: Shell):
    """The players would read in whose club it is who the stranger is."""
    for who in ("g-1", "g-2"):
        brawl.done("adjust", who, "item", 'name = "Zarquon\'s club", slot = "weapon"', "found in the mud")
    brawl.done("join", "grub", "--called", "Zarquon", "--seen-as", "Hooded stranger")
    said = "The players do not know the name Zarquon yet"
    for tried in ((), ("--dry-run",)):
        brawl.refused("draw", "g-1,g-2", "Zarquon's club", *tried, code=2, says=said)
