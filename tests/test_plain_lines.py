"""A line of a recorded verb: each word in its place, options by name, values as they are."""

import shlex
from typing import Any

import pytest

from commands.action import systems
from commands.words.orders import SHARED, read
from ledger.errors import UsageError
from tests.shell import ROOT

SCRIPTS = sorted([*ROOT.glob("fixtures/*/*.fight"), *ROOT.glob("commands/rules/*/demo.fight")])


def values(system: str, line: str) -> dict[str, Any]:
    """What is read of a line, without what it does not say."""
    words = shlex.split(line)
    _, declaration = systems.procedure(systems.find_verb(system, words[0]))
    return {name: one for name, one in read(words[0], declaration, words[1:]).items() if one not in (None, False)}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_lines_of_an_evening_are_read(script: Any):
    """None of them is refused for its words."""
    system = script.parent.name
    verbs = {**systems.COMMON, **systems.load(system).verbs}
    lines = [shlex.split(line, comments=True) for line in script.read_text(encoding="utf-8").splitlines()]
    for words in lines:
        name = systems.verb_of([*words, ""], verbs)
        if name in verbs and name != "init":
            assert read(name, systems.procedure(verbs[name])[1], words[len(name.split()) :])


@pytest.mark.parametrize(("line", "said"), [
    ("attack jane grub", {"who": "jane", "target": ("grub",)}),
    ("attack jane grub --wi sword", {"who": "jane", "target": ("grub",), "with_": "sword"}),
    ("attack jane grub --with=sword --json", {"who": "jane", "target": ("grub",), "with_": "sword", "_json": True}),
    ("attack jane grub = 14 6", {"who": "jane", "target": ("grub",), "_dice": "14,6"}),
    ("attack jane --dice 14 grub --mod=2 --dice=6,-",
     {"who": "jane", "target": ("grub",), "mod": ("2",), "_dice": "14,6,-"}),
    ("move jane --to -1,2 --mode SH", {"who": "jane", "to": " -1,2", "mode": "shift"}),
    ("note -- '- x'", {"text": ("- x",)}),
    ("note --secret well then", {"text": ("well", "then"), "_secret": True}),
])  # fmt: skip
def test_each_word_stands_in_its_place(line: str, said: dict[str, Any]):
    """Options in any place, by a beginning, and dice behind the action; a minus before a digit begins no option."""
    assert values("freepg", line) == said


@pytest.mark.parametrize(("line", "why"), [
    ("attack", "attack needs WHO, who attacks."),
    ("move jane 3,2", "move has no place for '3,2'."),
    ("attack jane grub --nonsense", "attack has no option '--nonsense'."),
    ("attack jane grub --d", "'--d' could be --dice, --dry-run"),
    ("attack jane grub --with", "Option '--with' requires an argument."),
    ("attack jane grub --secret=1", "Option '--secret' does not take a value."),
    ("move jane --mode hover", "--mode cannot be 'hover'."),
    ("damage jane many x", "POINTS is a whole number, not 'many'."),
])  # fmt: skip
def test_what_is_wrong_is_named(line: str, why: str):
    with pytest.raises(UsageError) as error:
        values("freepg", line)
    assert error.value.message.startswith(why.rstrip("."))


def test_every_option_of_every_verb_is_read():
    for option, settings in SHARED.items():
        said = option if "is_flag" in settings else f"{option} 3"
        assert len(values("freepg", f"note hello {said}")) == 2
