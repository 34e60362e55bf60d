"""Rooms that nothing else needs: each can be deleted as a folder, with its line in the table of tools."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands.action.systems import SYSTEMS
from commands.shell.tools import TOOLS
from tests.shell import ROOT, environment

APART = {"archive": "archive", "what_if": "what-if", "agents": "mcp", "pasted": "sheet import", "web": ""}
"""Each room with the verb that it serves; "" where no verb leads to it."""
LOADED = """
import affray, importlib
from commands.action.systems import load
from commands.shell.tools import TOOLS
for verb in TOOLS.values():
    assert hasattr(importlib.import_module(verb.module), verb.procedure), verb
print(*TOOLS, sep="\\n")
"""
"""Loads every tool with all that its module imports, and lists them."""


def copy_without(room: str, verb: str, folder: Path) -> None:
    """A copy of the program without a room and the line of its verb."""
    for name in ("ledger", "projections", "commands"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(folder / "commands" / room)
    table = folder / "commands" / "shell" / "tools.py"
    text = table.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == verb:
                    lines = text.splitlines(keepends=True)
                    lines[key.lineno - 1 : value.end_lineno] = []
                    table.write_text("".join(lines), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("room", APART)
def test_without_a_room_that_stands_apart_every_other_verb_is_there_and_the_demos_play(room: str, tmp_path: Path):
    """The fights of all rule systems are sound."""
    program, verb = tmp_path / "program", APART[room]
    copy_without(room, verb, program)
    env = environment({"PYTHONPATH": str(program / "commands" / "launch")})

    def python(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, *words], cwd=tmp_path, env=env, capture_output=True, text=True)

    def done(*words: str) -> str:
        answer = python(*words)
        assert answer.returncode == 0, (words, answer.stderr)
        return answer.stdout

    assert done("-c", LOADED).split("\n")[:-1] == [name for name in TOOLS if name != verb]
    for system in SYSTEMS:
        done("-m", "affray", "demo", system)
        done("-m", "affray", "--ledger", f"demo-{system}.affray", "verify")
