"""The shape of the house: three rooms, one direction, and a light door."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from commands.systems import SYSTEMS
from tests.shell import ROOT, Shell, environment

ROOMS = {
    "ledger": {"ledger"},
    "projections": {"ledger", "projections"},
    "commands": {"ledger", "projections", "commands"},
}
HEAVY = {
    "sqlite_utils", "inspect", "json", "hashlib", "asyncio", "random", "ssl", "tomllib", "difflib", "shlex", "jinja2",
    "matplotlib", "numpy",
}  # fmt: skip


def imports(path: Path) -> set[str]:
    """The full names of all that a module imports, anywhere in it; of a name from a module also `module.name`."""
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def ours(names: set[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] in {*ROOMS, "tests"}}


def system(path: Path) -> str:
    """The rule system that a module belongs to; "" for the machinery."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "commands" and parts[1] in SYSTEMS else ""


@pytest.mark.parametrize("path", modules(*ROOMS), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path):
    """ledger, then projections, then commands/*.py, then each system; systems never import each other."""
    room = path.relative_to(ROOT).parts[0]
    for name in ours(imports(path)):
        first, *rest = name.split(".")
        assert first in ROOMS[room], f"{path} imports {name}"
        if first == "commands" and rest and rest[0] in SYSTEMS:
            assert rest[0] == system(path), f"{path} imports {name}"


@pytest.mark.parametrize("path", modules("ledger", "projections"), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_ledger_and_its_projections_know_no_command_line(path: Path):
    roots = {name.split(".")[0] for name in imports(path)}
    assert "sqlite_utils" not in roots or path.name == "schema.py", "only a new ledger is worth its price"
    assert roots.isdisjoint({"click", "argparse", "random", "datetime", "time", "locale", "importlib"})
    if path.relative_to(ROOT).parts[0] == "projections":
        assert roots.isdisjoint({"sqlite3", "os", "sys"})


@pytest.mark.parametrize("path", modules("commands"), ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_have_no_clock_no_randomness_and_no_database(path: Path):
    if not system(path):
        return
    roots = {name.split(".")[0] for name in imports(path)}
    assert roots.isdisjoint(
        {"time", "datetime", "random", "secrets", "sqlite3", "os", "sys", "click", "locale", "socket"}
    )


def test_no_float_is_written_in_the_rules():
    for path in modules("ledger/events", "projections", *(f"commands/{name}" for name in SYSTEMS)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{path}:{node.lineno}"
            assert not isinstance(node, ast.Div), f"{path} divides with a fraction"


def imported(*words: str) -> set[str]:
    """The modules that a command loads, as the interpreter reports them."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "commands.main", *words],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_an_ordinary_command_loads_nothing_heavy(table: Shell):
    bare = subprocess.run([sys.executable, "-X", "importtime", "-c", "pass"], capture_output=True, text=True).stderr
    at_start = {line.rpartition("|")[2].strip() for line in bare.splitlines()}
    for words in (("note", "hi"), ("roll", "2d6"), ("undo",), ("status",), ("log",)):
        loaded = imported(*words) - at_start
        assert "commands.cli" in loaded
        assert not {name for name in loaded if name.split(".")[0] in HEAVY}, words


def test_a_verb_loads_only_its_own_rules(table: Shell):
    loaded = {name for name in imported("note", "hi") if name.startswith("commands.freepg.")}
    assert loaded == set()
    assert not {name for name in imported("--help") if name.startswith("commands.freepg.")}


def test_an_ordinary_action_does_not_load_the_referees_word(table: Shell):
    table.done("join", "boffin", "grub")
    loaded = imported("attack", "boffin", "grub", "--dice", "15,12")
    assert "commands.freepg.bonus" in loaded
    assert not loaded & {"commands.adjust", "commands.freepg.referee"}
