"""The verbs of every rule system: each has a declaration that can be recorded and read back, and explains itself."""

from typing import Any

import msgspec
import pytest

from commands.action import systems
from commands.action.declaration import Shape, shapes
from commands.action.systems import COMMON, SYSTEMS
from commands.shell.tools import TOOLS
from tests.kit import verb_of
from tests.shell import Shell

VERBS = [(system, verb) for system in SYSTEMS for verb in systems.load(system).verbs]

SAME = {("paraverse", "defend"): "pass"}
"""Verbs that say the same as another one."""


def something(shape: Shape) -> Any:
    """What a field takes."""
    if shape.choices:
        return shape.choices[0]
    if shape.word == "square":
        return ((1, 2, 0),) if shape.many else (1, 2, 0)
    return ("a",) if shape.many else 1 if shape.base is int else "a"


@pytest.mark.parametrize(("system", "verb"), VERBS)
def test_every_verb_has_its_declaration(system: str, verb: str):
    procedure, declaration = systems.procedure(systems.load(system).verbs[verb])
    assert procedure.__doc__
    assert declaration.__doc__
    assert not [field.name for field, shape in shapes(declaration) if not shape.description]
    required = {field.name: something(shape) for field, shape in shapes(declaration) if field.required}
    said = msgspec.convert(required, declaration)
    assert verb_of(said) == SAME.get((system, verb), verb)
    assert msgspec.to_builtins(said) == msgspec.to_builtins(required)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_verb_of_a_system_explains_itself(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    for name, verb in systems.load(system).verbs.items():
        assert verb.summary
        assert shell.done(name, "--help").startswith(f"Usage: affray {name}")


def test_help_says_how_each_kind_of_value_is_written(shell: Shell):
    """A number, a square, a word by the name of its option, a value for each of several names."""
    shell.done("init", "Words", "--system", "arkm")
    told = shell.done("surprise", "--help")
    for word in ("--stealth NAME=VALUE", "--distance N", "--negated-by NEGATED-BY"):
        assert word in told
    assert "--at X,Y[,Z]" in shell.done("join", "--help")


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_verb_is_both_here_and_elsewhere(system: str):
    loaded = systems.load(system)
    assert not set(loaded.verbs) & set(loaded.elsewhere)
    assert not {*COMMON, *TOOLS} & set(loaded.verbs)
    others = {verb for other in SYSTEMS if other != system for verb in systems.load(other).verbs}
    assert set(loaded.elsewhere) <= others, "nobody asks for a verb that no rule system has"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_verb_that_a_system_does_not_have_is_refused_with_the_reason(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    for verb, why in systems.load(system).elsewhere.items():
        answer = shell(verb)
        assert answer.code in (1, 2)
        clause, _, reason = why.partition(": ")
        assert f"has no {verb}: {reason if clause.startswith(f'{system}.') else why}" in answer.err
