"""The purpose of a roll names what is rolled, and not why: so a thrown die stays when the cause is corrected."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from commands.action import systems
from commands.rules.paraverse.stat_block import GOVERNING, STATS
from tests.shell import ROOT, Shell

AACHEN = {
    *(f"{attribute}/{{skill}}" for attribute in ("STR", "DEX", "CON", "INT", "WIS", "CHA")),
    *("attack", "damage", "grapple damage", "initiative", "morale", "reaction"),
    *(f"{kind} save" for kind in ("physical", "evasion", "mental", "luck")),
}
ARKM = {
    *("attack", "critical hit", "fumble", "fumble check", "stray shot", "which friend", "stun", "grapple", "damage"),
    *("which weapon", "damage to self", "hit points", "number", "direction", "distance", "surprise", "initiative"),
    *("reaction", "morale", "pursuit", "footwork", "bait", "following", "control", "spell lost or miscast", "miscast"),
    *("wild spell", *(f"{kind} save" for kind in ("death", "wands", "paralysis", "reflex", "breath", "spells"))),
}
NAMES = {
    "aachen": AACHEN,
    "arkm": ARKM,
    "dungeoneers": {
        "hit", "dodge", "pierce", "spell-hit", "spell-pierce", "save", "stress-hit", "overstress", "tie", "rear",
    },
    "freepg": {"attack", "defense", "check", "opposition", "health", "initiative"},
    "paraverse": {*GOVERNING, *STATS, "death check", "stabilization", "hit location"},
}  # fmt: skip
"""What can be rolled for in each book: the whole list. `{skill}` is any one of a sheet's."""
OF_SKILLS = re.compile(r"(?<=/)[A-Z][a-z]+$")


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
    found = {OF_SKILLS.sub("{skill}", one) for one in purposes(system) | literals(system)}
    assert found <= NAMES[system], found - NAMES[system]
    assert len(found) > 4


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_names_of_what_is_rolled_hold_no_cause_and_no_number(system: str):
    assert [one for one in NAMES[system] if not re.fullmatch(r"[A-Z]{3}/\{skill\}|[a-z]+([ -][a-z]+){0,3}", one)] == []


def test_a_morale_that_was_thrown_stays_when_its_cause_is_corrected(shell: Shell):
    """arkm.morale.roll: the cause is in what was said, and not in what is rolled."""
    shell.done("init", "Mill", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "goblin", "--dice", "5")
    shell.done("begin")
    shell.done("morale", "goblin", "--trigger", "start", "--dice", "3,4")
    told = shell.done("amend", "e5", "--trigger", "upset", "--why", "the chief is slain", "--apply")
    assert "3*+4*" in shell.done("log", "--last", "1"), told
