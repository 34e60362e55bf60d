"""`adjust` in every rule system: it lists its fields, and names another way for what it does not set."""

import json
import shlex
from importlib import import_module
from typing import Any

import pytest

from commands.action.systems import COMMON, SYSTEMS, load
from ledger.events import ConditionGained, Declared, Disengaged, Engaged, HpSet, SheetChanged
from tests.hints import OFFER
from tests.shell import Shell, recorded, rulings

every_system = pytest.mark.parametrize("system", SYSTEMS)


def rules(system: str) -> Any:
    return import_module(f"commands.rules.{system}.gm")


WORDS = {
    "aachen": (
        "hp hp-max down condition no-condition side engaged no-engaged equipped no-equipped item no-item turn main"
        " move",
        "prone wounds initiative at dropped picked-up",
        {"grappled", "grappling", "mortally wounded", "stable", "surprised", "withdrawing", "waiting", "charging",
         "total defense"},
    ),
    "arkm": (
        "hp hp-max temporary down condition no-condition side truce no-truce engaged no-engaged equipped no-equipped"
        " dropped item no-item",
        "prone wounds at picked-up morale",
        {"pinned", "struggling", "holding", "surprised", "temporary damage", "reloading", "maintaining", "last blow",
         "florentine", "set", "charging", "parrying", "withdrawing"},
    ),
    "dungeoneers": (
        "wounds stress magica ambient-magica down condition no-condition side truce no-truce at facing equipped"
        " no-equipped dropped picked-up item no-item ammunition action movement reaction",
        "prone hp pain area engaged initiative",
        {"grappled", "grappling"},
    ),
    "freepg": (
        "hp hp-max down condition no-condition side at equipped no-equipped item no-item dropped picked-up"
        " action attack swap",
        "prone area engaged",
        {"mortally wounded", "fired", "triggered", "waiting"},
    ),
    "paraverse": (
        "pain wound no-wound down condition no-condition side area engaged no-engaged equipped no-equipped item no-item"
        " dropped picked-up change death-check death-failure",
        "hp wounds at prone",
        {"attacked"},
    ),
}  # fmt: skip
"""What the game master sets, what has another way, and the conditions that a verb gives or ends."""


@every_system
def test_the_words_of_the_game_master(system: str):
    fields, elsewhere, by_verb = WORDS[system]
    assert " ".join(rules(system).FIELDS) == fields
    assert {*rules(system).ELSEWHERE} == {*elsewhere.split()}
    assert {*rules(system).BY_VERB} == by_verb


@every_system
def test_a_field_is_set_or_has_another_way(system: str):
    assert not set(rules(system).FIELDS) & set(rules(system).ELSEWHERE)
    assert all(field.takes for field in rules(system).FIELDS.values())


@every_system
def test_every_way_begins_with_a_verb_of_the_system_and_with_a_field_that_it_has(system: str):
    for way in (*rules(system).ELSEWHERE.values(), *rules(system).BY_VERB.values()):
        if isinstance(way, str):
            assert OFFER not in way
            continue
        for verb, said, *_ in way:
            assert verb in {*COMMON, *load(system).verbs}
            if verb == "adjust":
                assert said["field"] in rules(system).FIELDS


@every_system
def test_an_unknown_field_is_answered_with_the_list_and_nothing_is_recorded(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    first = sorted(import_module("commands.words.sheet_files").example_sheets(system))[0]
    shell.done("join", first, "--dice", "roll")
    name = next(iter(shell("show", "--json").json["values"])).partition(".")[0]
    before = shell("log", "--json").out
    shell.refused("adjust", name, "hope", "1", "why", code=2)
    assert shell("log", "--json").out == before


@pytest.mark.parametrize(
    ("system", "sheets", "who"),
    [("aachen", ("adalger", "guard"), "Adalger"), ("arkm", ("fighter", "orc"), "Aldric"),
     ("dungeoneers", ("suori", "skeleton"), "Suori")],
)  # fmt: skip
def test_the_way_to_a_grapple_can_be_typed_as_it_stands(system: str, sheets: tuple[str, ...], who: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    shell.done("join", *sheets, "--dice", "roll")
    shell.done("begin")
    if system == "dungeoneers":
        shell.done("adjust", "skeleton", "at", "-1,-1", "it is near")
    for condition in ("grappled", "pinned", "grappling", "holding"):
        if condition in rules(system).BY_VERB:
            answer = shell("adjust", who, "condition", condition, "he is held")
            assert answer.code == 2
            way = answer.err.partition("Try: affray ")[2].strip()
            shell.done(*shlex.split(way), "--dice", "roll")
            shell.done("undo")


def board(shell: Shell, system: str, *joins: str) -> None:
    shell.done("init", "Test", "--system", system, "--key", "07" * 32)
    for words in joins:
        shell.done("join", *words.split())
    shell.done("begin")


def test_several_at_once_are_one_entry_all_or_none(shell: Shell):
    board(shell, "freepg", "boffin", "grub --count 2")
    shell.done("adjust", "@foes", "hp", "12", "the roof")
    assert [one for one in recorded(5) if isinstance(one, HpSet)] == [HpSet("Grub-1", 12, 20), HpSet("Grub-2", 12, 20)]
    assert shell.facts("status")["entry"] == 5
    shell.refused("adjust", "boffin,grub-1", "hp", "30", "a feast", clause="freepg.heal.maximum")


def test_a_number_that_a_stat_block_does_not_have_yet_is_so_much_more_than_0(shell: Shell):
    board(shell, "paraverse", "reaver")
    for value, now in (("+3", "is now 3"), ("by -1", "is now 2, not 3"), ("7", "is now 7, not 2")):
        assert f"Reaver's skills.swimming {now} (x)" in shell.done("adjust", "reaver", "skills.swimming", value, "x")


def test_a_number_can_be_more_or_less_than_now(shell: Shell):
    """+3 and by -3 are relative; -3 is a number below zero, and offers the damage that was meant."""
    board(shell, "freepg", "boffin", "grub")
    shell.done("adjust", "boffin", "hp", "by", "-10", "burnt", "by", "oil")
    (declared, *_) = recorded(5)
    assert isinstance(declared, Declared)
    assert (declared.said["value"], declared.said["why"]) == ("by -10", "burnt by oil")
    assert shell.value("Boffin.hp") == "45"
    shell.done("adjust", "boffin", "hp", "+3", "too much")
    assert shell.value("Boffin.hp") == "48"
    shell.done("adjust", "boffin", "hp", "by 2", "too much")
    assert shell.value("Boffin.hp") == "50"
    shell.refused("adjust", "boffin", "hp", "-3", "burnt", clause="freepg.attack.damage-floor")
    less = shell.refused("adjust", "boffin", "hp", "by -70", "burnt", clause="freepg.attack.damage-floor")
    assert less.err.splitlines()[-1] == "Try: affray damage Boffin 70 burnt"
    shell.refused("adjust", "boffin", "hp-max", "-3", "weak", code=2)
    shell.refused("adjust", "boffin", "hp", "by", "-3", code=2)
    shell.refused("adjust", "boffin", "hp", "+x", "y", code=2)


STAT_VALUES = {
    "aachen": (
        "adalger",
        {"ac +1": "now 16, not 15", "skills.stab 3": "now 3, not 1", "sword.damage 1d10": "now 1d10"},
    ),
    "arkm": ("fighter --called Aldric", {"ac 3": "now 3", "str 17": "now 17, not 12", "saves.paralysis 9": "now 9"}),
    "dungeoneers": ("suori", {"power 3": "now 3, not 2", "ranks.blade C": "now C, not D", "armor-value 1": "now 1"}),
    "freepg": ("boffin", {"speed 9": "now 9", "sword.attack +1": "now 3, not 2", "mail.armor 3": "now 3, not 2"}),
    "paraverse": (
        "sigrun",
        {"av +1": "now 6, not 5", "skills.athletics 4": "now 4, not 3", "dex 20": "now 20, not 11"},
    ),
}


@every_system
def test_a_value_of_the_stat_block_can_be_set(system: str, shell: Shell):
    """Armour class, a skill, one property of an item, told with the value before; what nothing reads is refused."""
    sheet, changes = STAT_VALUES[system]
    board(shell, system, sheet)
    for words, told in changes.items():
        name = words.split()[0].replace("-", "_")
        assert f"'s {name} is {told}" in shell.done("adjust", "@all", *words.split(), "training")
    shell.refused("adjust", "@all", "name", "Bob", "x", code=2)
    shell.refused("adjust", "@all", "wings", "2", "x", code=2)
    shell.done("verify")


def test_a_better_sword_is_read_by_the_next_attack(shell: Shell):
    """10 and +2 of the sword, and one more."""
    board(shell, "freepg", "boffin", "grub")
    shell.done("adjust", "boffin", "sword.attack", "+1", "whetted")
    shell.done("attack", "boffin", "grub", "--distance", "1", "--dice", "10,5", "--allow", "no order yet")
    assert rulings("freepg.attack.hit-test") == [("hit", [10 + 2 + 1, 5])]
    shell.refused("adjust", "boffin", "sword.attack", "x", "y", code=2)
    shell.refused("adjust", "boffin", "mail.armor", "9", "y", clause="freepg.bonus.armor-cap")


def test_many_are_engaged_in_one_line(shell: Shell):
    board(shell, "aachen", "adalger gerlind goblin wolf")
    pairs = {(hero, foe) for hero in ("Adalger", "Gerlind") for foe in ("Goblin", "Wolf")}
    shell.done("adjust", "adalger,gerlind", "engaged", "goblin,wolf", "the melee")
    assert {(one.who, one.whom) for one in recorded() if isinstance(one, Engaged)} == pairs
    shell.done("adjust", "@pc", "no-engaged", "@opp", "apart")
    assert {(one.who, one.whom) for one in recorded() if isinstance(one, Disengaged)} == pairs
    shell.refused("adjust", "adalger,wolf", "engaged", "goblin", "x", code=2)


def test_a_condition_has_a_number_only_where_a_rule_reads_it(shell: Shell):
    board(shell, "arkm", "orc --dice 4")
    shell.done("adjust", "orc", "condition", "elevation=10", "on the wall")
    assert ("elevation", 10) in [(one.condition, one.amount) for one in recorded() if isinstance(one, ConditionGained)]
    shell.refused("adjust", "orc", "condition", "dazed=3", "x", code=2)


CERTAIN = {
    "aachen": ("adalger", {"attributes": "STR DEX CON INT WIS CHA", "mods": "STR DEX CON INT WIS CHA"}, "4", "now 4"),
    "dungeoneers": ("suori", {"slots": "wield body head hands feet"}, "3", "now 3"),
}
"""Tables of stat blocks that take certain names only."""


@pytest.mark.parametrize("system", CERTAIN)
def test_a_name_in_a_table_of_the_stat_block_is_taken_in_any_case(system: str, shell: Shell):
    """`mods.DEX` is the DEX of the table, whether the table names it yet or not; any other name is refused."""
    sheet, tables, value, told = CERTAIN[system]
    board(shell, system, sheet)
    for table, names in tables.items():
        for nth, name in enumerate(names.split()):
            typed = (f"{table}.{name}", f"{table}.{name.casefold()}", f"{table}.{name.upper()}")[nth % 3]
            assert f"{table}.{name} is {told}" in shell.done("adjust", "@all", typed, value, "x").replace("\n", " ")
        shell.refused("adjust", "@all", f"{table}.luck", value, "x", code=2)
    shell.done("verify")


def test_what_is_true_or_false_in_a_stat_block_is_said_in_words(shell: Shell):
    """`yes` and `true` in any case, `no` and `false`; no other word, and no number."""
    board(shell, "aachen", "goblin")
    for word, meant in {"no": False, "yes": True, "FALSE": False, "True": True}.items():
        shell.done("adjust", "goblin", "minor", word, "x")
        changed = [json.loads(bytes(one.sheet)) for one in recorded() if isinstance(one, SheetChanged)]
        assert [sheet.get("minor", False) for sheet in changed] == [meant]
    for word in ("1", "maybe"):
        shell.refused("adjust", "goblin", "minor", word, "x", code=2)


def test_a_number_is_set_without_its_unit(shell: Shell):
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "grub")
    for value in ("-5hp", "+5hp", "5hp"):
        shell.refused("adjust", "grub", "hp", value, "test", code=2)
