"""The purpose of a roll names what is rolled, and not why: so a thrown die stays when the cause is corrected."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from commands.action import systems
from tests.purposes import NAMES, is_name
from tests.shell import ROOT, Shell, rulings


def purposes(system: str) -> set[str]:
    """What the rolls of all recorded fights of a system were for, but for what a game master had rolled by `roll`."""
    found = set()
    for story in (ROOT / "fixtures" / system).glob("*.jsonl"):
        for line in story.read_text("utf-8").splitlines()[1:]:
            declared, *events = json.loads(line)["events"]
            if declared.get("verb") != "roll":
                found |= {event["purpose"] for event in events if event["event"] == "rolled"}
    return found


@cache
def literals(system: str) -> frozenset[str]:
    """The purposes that stand as plain words in the calls of `roll` in a book."""
    calls = (
        node
        for path in Path(systems.folder(system)).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "roll"
    )
    named = (call.args[2] for call in calls if len(call.args) > 2)
    return frozenset(str(name.value) for name in named if isinstance(name, ast.Constant))


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_a_purpose_is_one_of_the_names_of_a_book(system: str):
    """Those of all recorded fights, and all that stand in the book; `tests/truths.py` asks the same of every action
    that a test plays.
    """
    found = purposes(system) | literals(system)
    unknown = [one for one in found if not is_name(system, one)]
    assert not unknown, "what dice are for, and NAMES of tests/purposes.py does not list"
    assert len(found) > 4


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_names_of_what_is_rolled_hold_no_cause_and_no_number(system: str):
    assert system in NAMES, "NAMES of tests/purposes.py lists what dice are for in each system"
    assert [one for one in NAMES[system] if not re.fullmatch(r"[a-z]+([ -][a-z]+){0,3}", one)] == []


def test_a_morale_that_was_thrown_stays_when_its_cause_is_corrected(shell: Shell):
    """arkm.morale.roll: the cause is in what was said, and not in what is rolled."""
    shell.done("init", "Mill", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "goblin", "--dice", "5")
    shell.done("begin")
    shell.done("morale", "goblin", "--trigger", "start", "--dice", "3,4")
    told = shell.done("amend", "e5", "--trigger", "upset", "--why", "the chief is slain", "--apply")
    assert "3*+4*" in shell.done("log", "--last", "1"), told


@pytest.mark.parametrize(
    ("system", "played", "corrected", "clause", "came"),
    [
        (
            "aachen", ("join brun", "check brun dex sneak --difficulty 8 --dice 3,4"), "--attr str --skill exert",
            "aachen.check.roll", ("success", [8, 8]),
        ),
        (
            "arkm", ("join fighter", "save aldric spells --dice 15"), "--category wands",
            "arkm.save.roll", ("saved", [15, 9]),
        ),
        (
            "paraverse", ("join hakon", "check hakon athletics --difficulty 12 --dice 15"), "--skill evasion",
            "paraverse.check.success", ("evasion: success", [15, 12]),
        ),
    ],
)  # fmt: skip
def test_a_die_that_was_thrown_stays_when_what_is_added_to_it_is_corrected(
    system: str, played: tuple[str, ...], corrected: str, clause: str, came: tuple[str, list[int]], shell: Shell
):
    """3 + 4 and 1 for exertion; 15 against the wands of a fighter of level 8; 15 and no evasion, where he had 5."""
    shell.done("init", "x", "--system", system)
    for line in played:
        shell.done(*line.split())
    shell.done("amend", "e3", *corrected.split(), "--apply")
    assert rulings(clause) == [came]


def test_a_die_of_a_skirmish_stays_when_the_weapon_is_corrected(shell: Shell):
    """paraverse.skirmish.skill-by-weapon: 14 and 3 for one hand, 17 and no 19, against 10; twice the base of 8, less an
    armour of 3, are 13 of damage.
    """
    lines = (
        "join hakon",
        "join reaver",
        "begin",
        "round",
        "attack hakon reaver",
        "attack reaver hakon",
        "phase",
        "phase",
    )
    shell.done("init", "x", "--system", "paraverse")
    for line in (*lines, "resolve --dice 14,6,3"):
        shell.done(*line.split())
    sheet = Path(systems.folder("paraverse"), "sheets", "hakon.toml").read_text("utf-8")
    Path("hakon.toml").write_text(sheet.replace("hands = 2, base = 10", "base = 8"), "utf-8")
    told = shell.facts("amend", "e2", "--sheets", "hakon.toml", "--apply")
    assert not [one for one in told["course"] if one["needs"] or one["aside"]]
    assert rulings("paraverse.skirmish.winner") == [("Hakon wins", [17, 10])]
