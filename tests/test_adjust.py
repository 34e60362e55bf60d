"""`adjust` in every rule system: it lists its fields, and names another way for what it does not set."""

import shlex
from importlib import import_module
from typing import Any

import pytest

from commands.action.systems import COMMON, SYSTEMS, load
from tests.hints import OFFER
from tests.shell import Shell

every_system = pytest.mark.parametrize("system", SYSTEMS)


def rules(system: str) -> Any:
    return import_module(f"commands.rules.{system}.referee")


WORDS = {
    "aachen": (
        "hp hp-max down condition no-condition side engaged no-engaged equipped no-equipped item no-item turn main"
        " move",
        "prone wounds initiative at dropped picked-up",
        {"grappled", "grappling", "mortally wounded", "stable", "surprised", "withdrawing", "delaying", "charging",
         "total defense"},
    ),
    "arkm": (
        "hp hp-max temporary down condition no-condition side truce no-truce engaged no-engaged equipped no-equipped"
        " dropped item no-item",
        "prone wounds at picked-up morale",
        {"pinned", "struggling", "holding", "surprised", "temporary damage", "reloading", "maintaining", "blow due",
         "florentine", "set", "charging", "parrying", "withdrawing"},
    ),
    "dungeoneers": (
        "wounds stress magica ambient-magica down condition no-condition side truce no-truce at facing equipped"
        " no-equipped dropped picked-up item no-item ammunition action movement reaction",
        "prone hp pain area engaged initiative",
        {"grappled", "grappling"},
    ),
    "freepg": (
        "hp hp-max down condition no-condition side at equipped no-equipped item no-item action attack swap",
        "prone area engaged dropped picked-up",
        {"mortally wounded", "fired", "triggered", "waiting"},
    ),
    "paraverse": (
        "pain wound no-wound down condition no-condition side area engaged no-engaged equipped no-equipped item no-item"
        " change death-check death-failure",
        "hp wounds at dropped picked-up prone",
        {"attacked"},
    ),
}  # fmt: skip
"""What the referee sets, what has another way, and the conditions that a verb gives or ends."""


@every_system
def test_the_words_of_the_referee(system: str):
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
    answer = shell("adjust", name, "hope", "1", "why")
    assert answer.code == 2
    assert f"There are: {', '.join(rules(system).FIELDS)}." in answer.err
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
