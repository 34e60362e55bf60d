"""Whether a rule system is whole: what a package calls in one line of its tests."""

import contextlib
import io
import os
import re
import shlex
import tempfile

from commands.action import rulebook, systems
from commands.action.declaration import shapes
from commands.look.clauses import clauses
from commands.shell.cli import run
from commands.words.examples import blocks, path
from commands.words.sheet_files import example_sheets
from tests.clauses import silent

TRAITS = frozenset(
    [
        "turn",
        "gm",
        "looks",
        "handles",
        "jumps",
        "amends",
        "lasts",
        "anywhere",
        "not-script",
        "not-prompt",
        "not-browser",
        "terminal",
        "answers",
        "often",
        "listed",
        "begun",
        "seldom",
        "repeated",
        "tells",
        "helps",
        "aside",
        "there",
        "sets",
        "harm",
        "waiver",
        "turn-end",
        "owed",
        "massed",
    ]
)
"""The words that a card of a verb can have among its traits."""


def conforms(system: str) -> None:
    """Checks a rule system by name. Raises AssertionError, or UsageError for a part that is missing or misspelt.

    Every part, procedure and declaration is there and explained; every ruling of RULES.md is decided in the code, or
    listed as one that cannot come out; every shipped stat block joins; the demo and the examples play; and the demo is
    shown, replayed, foreseen and verified.
    """
    rulebook.of(system).check()
    for name, verb in systems.load(system).verbs.items():
        assert TRAITS.issuperset(verb.traits.split()), f"{name} has a trait that no verb has: {verb.traits}."
        procedure, declaration = systems.procedure(verb)
        assert procedure.__doc__, f"{verb.module}.{procedure.__name__} has no docstring."
        assert declaration.__doc__, f"{verb.module}.{declaration.__name__} has no docstring."
        for field, shape in shapes(declaration):
            assert shape.description, f"The field {field.name} of {name} has no description."
    _check_clauses(system)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        _done("demo", system, "--file", "demo.affray")
        for words in ("status", "log --last 0", "map", "replay --since e1", "stats", "rules options", "verify"):
            _done("--ledger", "demo.affray", *words.split())
        _done("--ledger", "demo.affray", "odds", "roll", "2d6")
        for sheet in sorted(example_sheets(system)):
            _done("--ledger", f"with-{sheet}.affray", "init", "Sheets", "--system", system)
            _done("--ledger", f"with-{sheet}.affray", "join", sheet)
        setting, *examples = blocks(path(system)) or [[]]
        for nth, example in enumerate(examples):
            ledger = f"example{nth}.affray"
            _done("--ledger", ledger, "init", "Examples", "--system", system)
            for line in (*setting, *example):
                _done("--ledger", ledger, *shlex.split(line, comments=True))


def _check_clauses(system: str) -> None:
    """Every ruling of the page is decided in the code, or the page says why it cannot come out."""
    written = ""
    for folder, _, files in os.walk(systems.folder(system)):
        for file in files:
            if file.endswith(".py"):
                with open(os.path.join(folder, file), encoding="utf-8") as page:
                    written += page.read()
    ids = set(re.findall(rf"\b{system}(?:\.[a-z0-9-]+)+", written))
    undecided = {row.clause for row in clauses(system).values() if row.mark == "ruling"} - ids - silent(system)
    assert not undecided, f"No module decides {', '.join(sorted(undecided))}."


def _done(*words: str) -> None:
    """Carries out a command, which must succeed."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        code = run([*words])
    assert code == 0, f"affray {shlex.join(words)}: {said.getvalue()}"
