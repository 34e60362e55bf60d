"""The page of rules is equal to the code, and every ruling is shown by a test."""

import re
from importlib import import_module
from pathlib import Path

from commands import systems
from commands.arkm import SYSTEM
from commands.rulebook import clauses

FOLDER = Path(__file__).parents[2] / "commands/arkm"
CODE = {path.stem: path.read_text() for path in FOLDER.glob("*.py")}
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))
CLAUSE = re.compile(r"(?<!commands\.)\barkm\.[a-z0-9-]+(?:\.[a-z0-9-]+)+")
ROWS = clauses("arkm").values()
RULINGS = [row for row in ROWS if row.mark == "ruling"]
STEMS = {"arkm.surround"}
"""What the code builds clause ids from."""


def test_every_ruling_stands_in_the_code():
    written = {found for text in CODE.values() for found in CLAUSE.findall(text)}
    assert not [row.clause for row in RULINGS if row.clause not in written]


def test_every_clause_in_the_code_has_a_row():
    every = {found for text in CODE.values() for found in CLAUSE.findall(text)} - STEMS
    assert not every - set(clauses("arkm"))


def test_every_ruling_is_shown():
    shown = set(CLAUSE.findall(TESTS))
    assert not [row.clause for row in RULINGS if row.clause not in shown]


def test_every_place_that_the_page_names_exists():
    for row in ROWS:
        for place in re.findall(r"`([^`]+)`", row.decided):
            if row.mark != "ruling":
                assert place in {*SYSTEM.verbs, *systems.COMMON, "status"}, row
                continue
            module, name = place.split(".")
            assert hasattr(import_module(f"commands.arkm.{module}"), name), row
        assert row.decided


def test_every_ruling_stands_where_the_page_says():
    for row in RULINGS:
        module = row.decided.strip("`").partition(".")[0]
        assert row.clause in CODE[module], row


def test_the_page_has_all_clauses_once():
    page = (FOLDER / "RULES.md").read_text()
    rows = re.findall(r"^\| `?(arkm\.[a-z0-9.-]+)`? \|", page, re.M)
    assert len(rows) == len(set(rows)) == len(ROWS) == 269
    marks = [row.mark for row in ROWS]
    assert [marks.count(mark) for mark in ("ruling", "state", "gm", "flavour")] == [247, 6, 13, 3]


def test_every_option_is_explained():
    page = (FOLDER / "RULES.md").read_text()
    assert not [name for name in SYSTEM.options if f"`{name}` (" not in page]


def test_every_option_is_asked_for():
    """No house rule is a promise: each is read somewhere."""
    code = "".join(text for name, text in CODE.items() if name != "__init__")
    assert not [name for name in SYSTEM.options if not re.search(f"[\"']{name}[\"']", code)]
