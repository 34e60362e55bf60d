"""Hints, read in the code: a command stands on a line of its own, and nothing in it is left to be filled in."""

import ast
import re
from pathlib import Path

import pytest

from commands.action.systems import COMMON, SYSTEMS, find_verb, load, procedure
from tests import hints
from tests.hints import OFFER
from tests.sample import WHOLE, sampled
from tests.shell import ROOT
from tests.tables import Table

PLACES = {
    "refuse": 2, "impossible": 1, "UsageError": 1, "Refused": 2, "NameUnknown": 1, "Disagreement": 1,
    "LedgerMissing": 1, "LedgerDamaged": 1, "LedgerBusy": 1,
}  # fmt: skip
"""Where each call that raises an error takes its hint."""
TO_FILL_IN = re.compile(r"\b[A-Z]{2,}\b|\b[NXY]\b|\.\.\.")
MODULES = sorted(path for folder in ("commands", "ledger") for path in (ROOT / folder).rglob("*.py"))
RULES = sorted((ROOT / "commands" / "rules").rglob("*.py"))
VERBS = {*COMMON, *(verb for system in SYSTEMS for verb in load(system).verbs)}
WRITTEN = re.compile(rf"(?m)^{OFFER}|: ({'|'.join(sorted(VERBS))}) x\b")
"""A command as text: on a line of its own, or at the end of a sentence with a name in it."""


def texts(node: ast.expr) -> list[str]:
    """The texts that an expression can be; values that stand in a text are written `x`."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(part.value if isinstance(part, ast.Constant) else "x" for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return [*texts(one), *texts(other)]
        case ast.BinOp(left=left, right=right):
            return [one + other for one in texts(left) or ["x"] for other in texts(right) or ["x"]]
    return []


def hints_of(path: Path) -> list[tuple[int, str]]:
    """The hints that a module gives, with their lines."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = PLACES.get(name)
            given = [word.value for word in node.keywords if word.arg == "hint"]
            if place is not None and len(node.args) > place:
                given.append(node.args[place])
            found += [(node.lineno, text) for one in given for text in texts(one)]
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "hint":
            found += [(node.lineno, text) for text in texts(node.value)]
    return found


def commands_written(path: Path) -> list[tuple[int, str]]:
    """The texts of a module in which a command is written out, with their lines; docstrings do not count."""
    tree = ast.parse(path.read_text())
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    return [
        (node.lineno, text)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in told | inner
        for text in texts(node)
        if WRITTEN.search(text)
    ]


@pytest.mark.slow
def test_a_rule_offers_an_action_that_is_tried_and_writes_no_command():
    """A way on is a verb and what is said: `fight.otherwise(...)` or `("stand", {"who": who})`."""
    assert {path: found for path in RULES if (found := commands_written(path))} == {}


def actions_offered(path: Path) -> list[tuple[int, str, list[str]]]:
    """The actions that a module writes as ways on, with their lines and the names of their fields."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Tuple(elts=[ast.Constant(value=str(verb)), ast.Dict(keys=keys), *_]) if verb in VERBS:
                found.append((node.lineno, verb, [key.value for key in keys if isinstance(key, ast.Constant)]))
    return found


@pytest.mark.slow
def test_an_action_that_is_offered_has_a_verb_of_the_system_and_fields_that_the_verb_has():
    """Without this a wrong name would only make the way on disappear."""
    for path in RULES:
        for line, verb, names in actions_offered(path):
            kind = procedure(find_verb(path.parent.name, verb))[1]
            assert {*names} <= {*kind.__struct_fields__}, f"{path}, line {line}: {verb}"


@pytest.mark.slow
def test_a_command_that_is_offered_can_be_typed_as_it_stands():
    for path in MODULES:
        for line, hint in hints_of(path):
            for words in hint.splitlines():
                place = f"{path}, line {line}"
                assert OFFER not in words.removeprefix(OFFER), f"{place}: a command stands inside of {words!r}"
                if words.startswith(OFFER):
                    assert not TO_FILL_IN.search(words), f"{place}: {words!r} cannot be typed as it stands"


def test_the_reading_of_hints_finds_what_it_looks_for(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text("raise UsageError('No.', f'affray move {who} --feet N' if who else 'Or: affray done')")
    assert hints_of(module) == [(1, "affray move x --feet N"), (1, "Or: affray done")]
    module.write_text(
        '"""Docs.\n\naffray done"""\nMORE = f"It lies: draw {who} axe."\nONE = {"a": f"No.\\naffray {verb} {who}"}'
    )
    assert commands_written(module) == [(4, "It lies: draw x axe."), (5, "No.\naffray x x")]
    assert TO_FILL_IN.search("affray move x --feet N")
    assert not TO_FILL_IN.search("affray move Nox --at 3,4")


SEEDS = 6 if WHOLE else 3
"""Evenings of each system."""


class Listening(hints.Listening, Table):
    """An evening in which every hint is typed."""


@pytest.mark.parametrize(
    ("system", "seed"), sampled([(s, seed) for s in SYSTEMS for seed in range(SEEDS)], SEEDS, True)
)
def test_in_an_evening_of_chance_every_hint_works_and_costs_nothing_unsaid(system: str, seed: int):
    """Each is typed in a copy after each refusal: it takes nothing from anybody whom it does not name, or says so."""
    table = Listening(system, seed)
    for _ in table.play(200 if seed else 40):
        pass
    assert table.typed > (50 if seed else 10)
