"""The words of the verbs: every declaration can be recorded and read back, and every verb has its procedure."""

import msgspec
import pytest

from commands import systems
from commands.aachen import SYSTEM
from tests.kit import verb_of


@pytest.mark.parametrize("verb", SYSTEM.verbs)
def test_every_verb_has_its_declaration(verb):
    procedure, declaration = systems.procedure(SYSTEM.verbs[verb])
    assert procedure.__doc__
    assert declaration.__doc__
    required = [field for field in msgspec.structs.fields(declaration) if field.required]
    words = {"feet": 30, "attr": "STR", "kind": "luck"}
    said = declaration(*(words.get(field.name, ("a",) if "tuple" in str(field.type) else "a") for field in required))
    assert verb_of(said) == verb
    assert msgspec.convert(msgspec.to_builtins(said), declaration) == said


def test_no_verb_is_both_here_and_elsewhere():
    assert not set(SYSTEM.verbs) & set(SYSTEM.elsewhere)
    assert not set(systems.COMMON) & set(SYSTEM.verbs)
