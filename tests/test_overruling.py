"""What a refusal offers the game master who typed rightly: the same with --allow, and what it costs to go on."""

from pathlib import Path

import pytest

from commands.agents.table import Table
from tests.shell import Answer, Shell
from tests.test_mcp import DOORS

FREEPG = ["init test --system freepg", "join boffin jane", "join grub --count 2", "begin", "initiative --dice 14,12,11"]
DUNGEON = [
    "init test --system dungeoneers", "join suori ulfarmi", "join skeleton",
    "begin --at Suori=0,0/Ulfarmi=0,2/Skeleton=1,0", "round", "turn",
]  # fmt: skip

HULK = """name = "Hulk"
kind = "enemy"

[[items]]
name = "plate"
slot = "armor"
armor = 6
equipped = true
"""


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """It is Boffin's turn, then Jane's, then that of the grubs."""
    return played(shell, FREEPG)


def played(shell: Shell, lines: list[str]) -> Shell:
    for line in lines:
        shell.done(*line.split())
    return shell


def below(answer: Answer) -> list[str]:
    """The lines below a refusal."""
    said = answer.err.replace("\n  ", " ").splitlines()
    return said[said.index("Nothing was recorded.") + 1 :]


def test_out_of_turn_the_way_on_is_offered_with_its_cost_and_last_the_same_with_allow(fight: Shell):
    assert below(fight("attack", "grub-1", "jane")) == [
        "Try: affray done",
        "(gives up Boffin's turn)",
        "Try: affray attack Grub-1 Jane --allow 'the reason'",
    ]


def test_the_dice_that_were_thrown_and_the_secret_stay_in_it(fight: Shell):
    fight.done("attack", "boffin", "grub-2", "--dice", "2,19")
    again = fight("attack", "boffin", "grub-1", "--dice", "14", "--secret")
    assert below(again)[-1] == "Try: affray attack Boffin Grub-1 --dice 14,- --secret --allow 'the reason'"
    again = fight("attack", "boffin", "grub-1", "--dice", "14,6,3")
    assert "--allow" not in again.err, "a die too many is not thrown away by an offer"


def test_names_never_change_places_in_what_is_offered(fight: Shell):
    assert below(fight("attack", "grub-1", "boffin", "--dice", "14,6")) == [
        "Try: affray done",
        "(gives up Boffin's turn)",
        "Try: affray attack Grub-1 Boffin --dice 14,6 --allow 'the reason'",
    ]


def test_where_the_fight_only_has_to_go_on_nothing_is_overruled(fight: Shell):
    played(fight, ["attack boffin grub-2 --dice 2,19", "act boffin shouts"])
    assert below(fight("attack", "jane", "grub-1")) == ["Try: affray done"]


def test_what_takes_the_turn_on_is_not_overruled(shell: Shell):
    played(shell, DUNGEON)
    assert below(shell("turn", "skeleton")) == [
        "Try: affray turn Skeleton --pass-rest",
        "(gives up Suori's turn)",
        "Try: affray done",
        "(gives up Suori's turn)",
    ]


def test_who_is_next_is_the_turn_that_begins(shell: Shell):
    played(shell, DUNGEON)
    for said in ("next skeleton", "skeleton is next"):
        shell.refused(*said.split(), code=2)


def test_aachen_offers_the_turn_of_the_one_who_is_first(shell: Shell):
    """aachen.initiative.side-completes"""
    played(shell, ["init test --system aachen", "join adalger", "join guard", "begin", "initiative --dice 8,1"])
    assert below(shell("turn", "guard")) == [
        "Try: affray turn Adalger",
        "Try: affray pass Adalger",
        "(gives up Adalger's turn)",
        "Try: affray turn Guard --allow 'the reason'",
    ]


def test_of_several_it_is_offered_to_those_who_can(shell: Shell):
    played(shell, DUNGEON)
    said = below(shell("attack", "suori,ulfarmi", "skeleton"))
    assert said[0] == "Try: affray attack Suori Skeleton"
    assert not any("--allow" in line for line in said)


def test_a_word_of_the_game_master_is_overruled_only_where_it_cannot_be_said_otherwise(fight: Shell):
    assert below(fight("adjust", "boffin", "hp", "99", "blessed")) == [
        "Try: affray adjust Boffin hp 99 blessed --allow 'the reason'"
    ]


def test_a_stat_block_beyond_the_rules_joins_by_the_word_of_the_game_master_and_a_fault_in_it_is_mended(fight: Shell):
    Path("hulk.toml").write_text(HULK)
    assert below(fight("join", "hulk.toml", "--count", "2")) == [
        "Try: affray join hulk.toml --count 2 --allow 'the reason'"
    ]
    both = HULK + HULK.partition("\n\n")[2].replace("plate", "mail")
    Path("hulk.toml").write_text(both)
    assert below(fight("join", "hulk.toml")) == ["Try: affray join hulk.toml --allow 'all: the reason'"]
    left = [("huge", []), ("freepg.bonus.armor-cap: huge", ["Carry the rest: equipped = false."])]
    for why, told in (*left, ("freepg.bonus.other-slots: huge", [])):
        assert below(fight("join", "hulk.toml", "--allow", why)) == told
    Path("hulk.toml").write_text(both.replace("= 6", "= 5"))
    assert below(fight("join", "hulk.toml")) == ["Carry the rest: equipped = false."]


def test_odds_assume_and_record_nothing(fight: Shell):
    clause = "freepg.turn.out-of-turn"
    assert below(fight("odds", "attack", "jane", "grub-1")) == [
        f"Try: affray odds --assume {clause} attack jane grub-1"
    ]


def test_a_program_overrules_only_with_the_powers_of_a_gm(fight: Shell):
    for gm in (False, True):
        answer = Table(DOORS, gm).act(["attack jane grub-1"], "a")
        assert [line for line in answer.data["error"]["hints"] if "--allow" in line] == (
            ["affray attack Jane Grub-1 --allow 'the reason'"] if gm else []
        )


def test_in_data_they_are_commands_and_what_they_cost_is_advice(fight: Shell):
    said = fight("attack", "grub-1", "jane", "--json").json["error"]
    assert said["hints"] == ["affray done", "affray attack Grub-1 Jane --allow 'the reason'"]
    assert said["advice"] == ["(gives up Boffin's turn)"]
