"""The page of rules is equal to the code, and every ruling is shown by a test."""

import re
from importlib import import_module
from pathlib import Path

from commands.aachen import SYSTEM
from commands.rulebook import clauses

ROOT = Path(__file__).parents[2]
CODE = {path: path.read_text() for path in (ROOT / "commands/aachen").glob("*.py")}
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))
IDS = {
    found for text in CODE.values() for found in re.findall(r"(?<!commands\.)\baachen\.[a-z-]+(?:\.[a-z0-9-]+)?", text)
}


def test_every_ruling_stands_in_the_code():
    missing = [row.clause for row in clauses("aachen").values() if row.mark == "ruling" and row.clause not in IDS]
    assert not missing


def test_every_clause_in_the_code_has_a_row():
    assert not [one for one in IDS if one not in clauses("aachen")]


def test_every_ruling_is_shown():
    shown = set(re.findall(r"aachen\.[a-z-]+(?:\.[a-z0-9-]+)?", TESTS))
    assert not [row.clause for row in clauses("aachen").values() if row.mark == "ruling" and row.clause not in shown]


def test_every_place_that_the_page_names_exists():
    for row in clauses("aachen").values():
        for place in re.findall(r"`([^`]+)`", row.decided):
            if row.mark != "ruling":
                assert place.split()[0] in {*SYSTEM.verbs, "note", "adjust", "join"}, row
                continue
            module, name = place.split(".")
            assert hasattr(import_module(f"commands.aachen.{module}"), name), row
        assert row.decided


def test_the_page_has_all_clauses_once():
    page = (ROOT / "commands/aachen/RULES.md").read_text()
    rows = re.findall(r"^\| (aachen\.[a-z0-9.-]+) \|", page, re.M)
    assert len(rows) == len(set(rows)) == len(clauses("aachen")) == 152
    marks = [row.mark for row in clauses("aachen").values()]
    assert [marks.count(mark) for mark in ("ruling", "state", "gm", "flavour")] == [135, 6, 10, 1]


def test_every_option_is_explained():
    page = (ROOT / "commands/aachen/RULES.md").read_text()
    assert not [name for name in SYSTEM.options if f"`{name}`" not in page]
