"""The pages of rules are equal to the code, and every ruling is shown by a test: for every rule system."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from commands.action import cards, systems
from commands.action.systems import SYSTEMS
from commands.look.clauses import Clause, Rules, clauses, rules
from commands.shell.tools import TOOLS
from commands.words.console import Console

ROOT = Path(__file__).parents[1]
SHARED = {"grid": "commands/action/grid.py", "d20": "commands/odds/d20.py"}
"""Where rules are decided that are no system's alone."""

every_system = pytest.mark.parametrize("system", SYSTEMS)


@cache
def code(system: str) -> dict[str, str]:
    """The text of each module in which a system decides, by its name."""
    return {
        path.stem: path.read_text()
        for path in [*(ROOT / "commands/rules" / system).glob("*.py"), *map(ROOT.joinpath, SHARED.values())]
    }


def ids(system: str, text: str) -> set[str]:
    """The clauses that a text names."""
    return set(re.findall(rf"(?<!commands\.)\b{system}(?:\.[a-z0-9-]+)+", text))


def stems(system: str, text: str) -> set[str]:
    """The beginnings from which a text builds ids of clauses: `f"{system}.phase.{phase}"` has the stem of `phase`."""
    return set(re.findall(rf"\b({system}(?:\.[a-z0-9-]+)+)\.\{{", text))


def rulings(system: str) -> list[Clause]:
    return [row for row in clauses(system).values() if row.mark == "ruling"]


@every_system
def test_every_ruling_stands_in_the_code(system: str):
    written = ids(system, "".join(code(system).values()))
    lacking = [row.clause for row in rulings(system) if row.clause not in written]
    assert not lacking, f"rulings of RULES.md of {system} whose ids no module of it writes"


@every_system
def test_every_clause_in_the_code_has_a_row(system: str):
    written = ids(system, "".join(code(system).values()))
    modules = {f"{system}.{name}" for name in code(system)}
    built = stems(system, "".join(code(system).values()))
    lacking = {one for one in written if one not in clauses(system)} - built - modules
    assert not lacking, f"clauses that need a row in RULES.md of {system}"


@every_system
def test_every_ruling_is_shown_by_a_test(system: str):
    shown = ids(system, "".join(path.read_text() for path in (ROOT / "tests" / system).glob("test_*.py")))
    lacking = [row.clause for row in rulings(system) if row.clause not in shown]
    assert not lacking, f"rulings whose ids no test in tests/{system} writes"


@every_system
def test_every_place_that_the_page_names_exists(system: str):
    """The function in which a ruling is decided; for other clauses the verb that records them."""
    verbs = {*systems.load(system).verbs, *systems.COMMON, *TOOLS}
    for row in clauses(system).values():
        places = re.findall(r"`([^`]+)`", row.decided)
        for place in places:
            if row.mark != "ruling":
                assert place.split()[0] in verbs, row
                continue
            module, name = place.split(".")
            found = import_module(
                SHARED[module].removesuffix(".py").replace("/", ".")
                if module in SHARED
                else f"commands.rules.{system}.{module}"
            )
            assert hasattr(found, name), row
        assert places or row.mark != "ruling", row
        assert row.decided, row


@every_system
def test_a_page_has_all_clauses_once(system: str):
    page = (ROOT / "commands" / "rules" / system / "RULES.md").read_text()
    rows = re.findall(rf"^\| `?({system}\.[a-z0-9.-]+)`? \|", page, re.M)
    assert len(rows) == len(set(rows)) == len(clauses(system))


@every_system
def test_every_option_is_explained_and_asked_for(system: str):
    """No house rule is a promise: the page tells it, and the code reads it."""
    page = (ROOT / "commands" / "rules" / system / "RULES.md").read_text()
    text = "".join(text for name, text in code(system).items() if name != "__init__")
    options = systems.load(system).options.keys() - cards.HOUSE_RULES.keys()
    untold = [name for name in options if f"`{name}`" not in page]
    assert not untold, f"house rules that RULES.md of {system} does not name in its table of readings"
    unread = [name for name in options if not re.search(f"[\"']{name}[\"']", text)]
    assert not unread, f"house rules that no module of {system} reads"


@every_system
def test_every_ruling_stands_where_the_page_says(system: str):
    elsewhere = []
    for row in rulings(system):
        modules = {place.partition(".")[0] for place in re.findall(r"`([^`]+)`", row.decided)}
        if not any(row.clause in code(system)[module] for module in modules):
            elsewhere.append((row.clause, row.decided))
    assert not elsewhere


def named(capsys: pytest.CaptureFixture[str], system: str, what: str) -> dict[str, str]:
    """What `affray rules items` or `affray rules skills` lists, without a ledger: each name with what it is."""
    rules(Console(json=True), Rules(what, system))
    lines = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    return {line["name"]: line["holds"] for line in lines}


def test_items_and_skills_are_listed(capsys):
    items = named(capsys, "dungeoneers", "items")
    assert items["glaive"] == "weapon, blade D; hit d6, pierce d4, 2 wounds, slashing, threat +1, two-handed"
    assert items["dagger"] == "weapon, blade E; hit d4, pierce d6, 1 wound, piercing, toss"
    assert items["plate"] == "armor, heavy; armor value 8, spell resistance 0, spellbane 4, power 3"
    assert items["mage robes"] == "armor, clothing; armor value 0, spell resistance 2, spellboon 1"
    assert {"staff", "tome:firebolt"} < items.keys()
    assert list(named(capsys, "dungeoneers", "skills")) == ["blade", "cudgel", "axe", "lance", "bow"]
    assert named(capsys, "paraverse", "skills")["marksman"] == "DEX, ranged"
    assert named(capsys, "arkm", "items")['armour = "heavy"'] == "armour class 3"
    assert "heal" in named(capsys, "freepg", "skills")


@pytest.mark.parametrize(("system", "what"), [("aachen", "items"), ("aachen", "skills"), ("paraverse", "items")])
def test_a_system_without_a_list_says_so(system: str, what: str, capsys):
    rules(Console(), Rules(what, system))
    assert f"has no list of {what}: a stat block" in capsys.readouterr().out
