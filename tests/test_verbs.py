"""The verbs of every rule system: each has a declaration that can be recorded and read back, and explains itself."""

import ast
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands.action import common_verbs, systems
from commands.action.declaration import Shape, shapes
from commands.action.systems import COMMON, SYSTEMS
from commands.shell.tools import TOOLS
from commands.words.sheet_files import example_sheets
from ledger.errors import UsageError
from ledger.sqlite import SqliteStore
from tests.kit import verb_of
from tests.shell import Shell
from tests.test_architecture import HOUSE, in_house

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


def lists_of_verbs(path: Path) -> list[list[str]]:
    """The tuples, sets, lists and comparisons of a file that hold nothing but names of verbs, at least two."""
    verbs = {*COMMON, *common_verbs.COURSE, *TOOLS, *(verb for _, verb in VERBS)}
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        elements = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        words = [one.value for one in elements if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if len(words) > 1 and len(words) == len(elements) and verbs.issuperset(words):
            found.append(words)
    return found


TABLES = ("commands/action/common_verbs.py", "commands/shell/tools.py")
"""The two tables of verbs that are of no rule system."""
IN_WORDS = {
    "commands/past/amend_proposal.py": [["init", "stir", "reveal"]],
    "projections/narration.py": [["cast", "pray"]],
    "projections/statistics.py": [["init", "join", "adjust"]],
}
"""What tells some verbs in words of their own."""


@pytest.mark.parametrize("path", HOUSE, ids=in_house)
def test_what_is_to_be_known_of_a_verb_stands_on_its_card(path: Path):
    """No file of a shared room lists verbs that have something in common."""
    if in_house(path) not in TABLES and "rules" not in path.parts:
        assert [words for words in lists_of_verbs(path) if words not in IN_WORDS.get(in_house(path), [])] == []


@pytest.mark.parametrize(("system", "verb"), VERBS)
def test_an_action_of_a_combatant_says_whose_it_is(system: str, verb: str):
    """What a player may say for their own begins with `who`."""
    card = systems.load(system).verbs[verb]
    _, declaration = systems.procedure(card)
    named = {field.name: shape.word for field, shape in shapes(declaration)}
    if card.by == "combatant":
        assert named.get("who") in ("fighter", "fighters", "group", "groups")


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
    shell.done("--ledger", "mat.affray", "init", "Mat", "--system", "freepg")
    assert "--at X,Y[,Z]" in shell.done("--ledger", "mat.affray", "join", "--help")


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


OFTEN = ("status", "attack", "move", "heal", "turn", "done", "round", "phase", "initiative", "opportune", "undo")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_beginning_stands_for_the_only_verb_that_has_it_or_for_the_one_used_often(system: str):
    every = {**COMMON, **systems.load(system).verbs, **TOOLS}
    verbs = {name: verb for name, verb in every.items() if " " not in name}
    assert systems.begun("sheet s", every) == "", "verbs of two words are typed whole"
    for name in verbs:
        assert systems.begun(name.upper(), {name: verbs[name]}) == name
        for end in range(1, len(name)):
            word = name[:end]
            every_one = sorted(one for one in verbs if one[:end] == word)
            fitting = [one for one in every_one if verbs[one].rank != "seldom"] or every_one
            usual = [one for one in fitting if one in OFTEN]
            fitting = [one for one in fitting if verbs[one].by != "gm"] or usual or fitting
            often = [one for one in fitting if one in OFTEN]
            if word == "no":
                assert systems.begun(word, every) == "", "it is a word of its own"
            elif word in verbs or len(fitting) == 1 or often:
                assert systems.begun(word, every) == (word if word in verbs else (often or fitting)[0])
            else:
                with pytest.raises(UsageError, match=f"'{word}' could be {', '.join(sorted({*fitting, *usual}))}"):
                    systems.begun(word, every)
    assert systems.begun("attackk", every) == ""


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_verb_that_is_no_action_takes_a_beginning_from_one(system: str):
    """`b` is begin, though backup begins so too."""
    actions = systems.load(system).verbs
    every = {**COMMON, **actions, **TOOLS}
    for name in actions:
        for end in range(1, len(name)):
            with suppress(UsageError):
                meant, word = systems.begun(name[:end], every), name[:end]
                assert meant in actions or meant == word, word
    assert systems.begun("b", every) == "begin"


@pytest.mark.parametrize(("system", "word", "meant"), [
    ("paraverse", "sho", "shoot"), ("aachen", "de", "defend"), ("arkm", "di", ""), ("arkm", "dis", ""),
    ("arkm", "disa", "disarm"), ("freepg", "stat", "status"), ("freepg", "sta", "stand"),
    ("paraverse", "sta", "status"), ("freepg", "sho", "show"), ("paraverse", "mi", "misc"),
])  # fmt: skip
def test_what_somebody_does_goes_before_what_nobody_does(system: str, word: str, meant: str):
    """`sho` is shoot where anybody can shoot, though `show` begins so too; `disarm` and `disengage` are both deeds."""
    every = {**COMMON, **systems.load(system).verbs, **TOOLS}
    if meant:
        assert systems.begun(word, every) == meant
    else:
        with pytest.raises(UsageError, match=f"'{word}' could be disarm, disengage"):
            systems.begun(word, every)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_record_holds_the_whole_verb(system: str, shell: Shell):
    """So do a script and the words of --insert; an exact verb wins over a longer one."""
    shell.done("init", "Test", "--system", system)
    sheet = sorted(example_sheets(system))[0]
    shell.done("jo", sheet)
    shell.done("--ledger", "test.affray", "NOT", "a")
    Path("note.fight").write_text("affray not b\n")
    shell.done("run", "note.fight")
    shell.done("am", "e4", "--insert", "not c", "--apply")
    shell.done("am", "e4", "--insert=affray not d", "--apply")
    shell.done("un", "--dry-run")
    shell.done("u")
    store = SqliteStore.open("test.affray")
    typed = [entry.typed for entry, _ in store.entries(2, store.head().entry)]
    assert list(dict.fromkeys(typed)) == [
        f"join {sheet}", "note a", "note b", "amend e4 --insert 'note c' --apply",
        "amend e4 '--insert=note d' --apply", "undo",
    ]  # fmt: skip
    assert "a script cannot use demo" in _refused_line(shell, "dem x\n")


def _refused_line(shell: Shell, line: str) -> str:
    Path("bad.fight").write_text(line)
    return shell.refused("run", "bad.fight", code=2).err


def test_a_verb_that_could_be_several_is_refused_with_the_list(shell: Shell):
    shell.done("init", "Test", "--system", "freepg")
    shell.refused("re", code=2)
    shell.refused("attackk", code=2)
    assert shell.done("help", "att").startswith("Usage: affray attack")
    shell.refused("odds", "re", code=2)
    shell.done("note", "a")
    shell.refused("amend", "e2", "--insert", "not", code=2)
    shell.refused("amend", "e2", "--insert", "e x", code=2)
    shell.refused("st", code=2)
    assert shell.done("stat") == shell.done("status")


def test_without_a_ledger_a_beginning_may_mean_a_verb_of_any_system(shell: Shell):
    for word in ("a", "at", "initia"):
        shell.refused(word, code=2)


def test_other_words_for_a_verb_are_offered(shell: Shell):
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "grub")
    shell.refused("hurt", "grub", "2", "fell", code=2)
    assert shell.done("who") == shell.done("status")


def test_an_option_is_meant_by_its_beginning_and_the_record_holds_the_option(shell: Shell):
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "jane", "grub")
    shell.done("attack", "jane", "grub", "--dist", "4", "--dic=12,9")
    assert "attack jane grub --distance 4" in shell.done("log", "--json")
    shell.refused("attack", "jane", "grub", "--weapon", "bow", code=2)
    shell.refused("attack", "jane", "grub", "--d", "4", code=2)
    shell.refused("attack", "jane", "grub", "--distances", "4", code=2)
    shell.refused("amend", "--mo", "hit:2:high ground", code=2)


@pytest.mark.parametrize(("system", "who", "foe", "stranger"), [
    ("freepg", "boffin", "grub", "ogre"), ("aachen", "brun", "goblin", "sergeant"), ("arkm", "fighter", "orc", "troll"),
])  # fmt: skip
def test_a_word_in_a_targets_place_that_names_nobody_is_an_error(
    system: str, who: str, foe: str, stranger: str, shell: Shell
):
    """It is no weapon beside the weapon that was named, and no option that takes one value is said twice."""
    shell.done("init", "test", "--system", system)
    shell.done("join", who, foe)
    doer = {"fighter": "aldric"}.get(who, who)
    shell.refused("attack", doer, stranger, "--with", "sword", "--dice", "14,6", code=3)
    shell.refused("attack", doer, foe, "--with", "sword", "--with", "bow", "--dice", "14,6", code=2)
