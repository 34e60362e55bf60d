"""The page for the next maintainer: its picture, its walks and its recipes are those of the code."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from textwrap import dedent, indent

import pytest

from tests.documents import CONTRIBUTING, ROOMS
from tests.shell import ROOT

PAGE = CONTRIBUTING.read_text(encoding="utf-8")
STEP = re.compile(r"`((?:\w+/)+\w+\.\w+)`: (.*?)(?=`(?:\w+/)+\w+\.\w+`|^\d+\. |^\*\*|^## )", re.M | re.S)
"""A file of a walk, and what is said of it."""
PIECE = re.compile(r"^        # (\S+?\.\w+)(?:, (after (.+)|at the end))?\n((?:        .*\n|\n)+)", re.M)
"""A block of a recipe, and the place in a file that it goes to; a new file without one."""


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0] + "\n## "


@pytest.mark.slow
def test_the_rooms_are_drawn_from_the_imports():
    """If they are not: python -m tests.documents, and read the difference."""
    (drawn,) = ROOMS.findall(PAGE)
    assert drawn == run_path(str(ROOT / "docs" / "rooms.py"))["drawing"]()


def test_every_room_is_explained_once():
    rooms = set(re.findall(r"^floor \d+ +.*?(\w+)$", PAGE, re.M))
    assert sorted(re.findall(r"^\| `(\w+)` \|", section("The rooms"), re.M)) == sorted(rooms)


def defined(path: Path) -> set[str]:
    """The functions and classes of a file; of a class also `Class.method`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return set(re.findall(r"function (\w+)\(", text))
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found |= {node.name, *(f"{node.name}.{one.name}" for one in node.body if hasattr(one, "name"))}
    return found


def test_the_walks_name_files_and_functions_that_are_there():
    steps = STEP.findall(section("Three walks"))
    assert len(steps) == 13 + 8 + 9
    for file, said in steps:
        named = re.findall(r"`([\w.]+)`", said)
        assert named, file
        assert not {*named} - defined(ROOT / file), file


def test_files_that_the_page_names_are_there():
    new = {file for file, place, *_ in PIECE.findall(PAGE) if not place}
    named = set(re.findall(r"\b((?:ledger|projections|commands|tests|docs|benchmarks)/[\w/]*\w\.\w+)\b", PAGE))
    assert {file for file in named - new if not (ROOT / file).exists()} == set()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program, with what the recipes put into it."""
    folder = tmp_path_factory.mktemp("recipes")
    for name in ("ledger", "projections", "commands"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file, place, anchor, text in PIECE.findall(PAGE):
        path, lines = folder / file, dedent(text).strip("\n") + "\n"
        if not place:
            assert not path.exists()
            path.write_text(lines, encoding="utf-8")
            continue
        now = path.read_text(encoding="utf-8")
        if anchor:
            assert now.count(f"{anchor}\n") == 1
            depth = len(anchor) - len(anchor.lstrip()) + 4
            now = now.replace(f"{anchor}\n", f"{anchor}\n{indent(lines, ' ' * depth)}")
        else:
            now += lines
        path.write_text(now, encoding="utf-8")
    return folder


def affray(program: Path, folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "affray", *shlex.split(line)], cwd=folder, text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(program / "commands" / "launch"), "COLUMNS": "100", "AFFRAY_BY": "gm"},
    )  # fmt: skip


@pytest.mark.slow
def test_the_recipes_of_a_verb_and_an_export_work(program: Path, tmp_path: Path):
    """e1 opens the ledger, e2 brings Grub, e3 is the shout, e4 the fall; the export counts their facts."""

    def done(line: str) -> str:
        answer = affray(program, tmp_path, line)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    done("init Field --system freepg")
    done("join grub")
    assert "Over here" in done("shout grub Over here")
    assert "Over here" in done("log --last 1")
    done("adjust grub hp 0 a trial")
    refused = affray(program, tmp_path, "shout grub Help")
    assert refused.returncode != 0
    assert "Grub is down, and cannot shout." in refused.stderr
    assert "freepg.shout.down" in refused.stderr
    assert "Nobody who is down can shout" in done("rules freepg.shout.down")
    done("export field.counts")
    counted = dict(line.split() for line in (tmp_path / "field.counts").read_text(encoding="utf-8").splitlines())
    assert list(counted) == ["e1", "e2", "e3", "e4"]
    assert counted["e3"] == "2"  # what was declared, and the note
    done("verify")
