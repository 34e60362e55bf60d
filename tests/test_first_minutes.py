"""The first ten minutes of somebody who does not know the program: every wrong turn is answered with the way on."""

import os
from pathlib import Path

import pytest

from commands.action import systems
from commands.shell.tools import TOOLS
from ledger.events import Declared
from tests.sample import sampled
from tests.shell import Shell, affray, recorded
from tests.test_cli import Terminal

NO_LEDGER = "There is no ledger in this folder or any folder above it."
TWO = "There are 2 ledgers here: demo-freepg.affray, the-toll-bridge.affray."
WORDS = {
    "undo": ["e3x"], "run": ["no-such-file"], "show": ["e1"], "amend": ["e2", "--cover", "half"], "stir": ["words"],
    "reveal": ["dice"], "odds": ["attack", "a", "b"], "diff": ["e1..e2"], "find": ["x", ">", "1"], "why": ["x.hp"],
    "join": ["boffin"], "leave": ["boffin"], "unmask": ["x"], "rename": ["x", "y"],
    "sheet set": ["x", "no-such-file"], "roll": ["d20"], "note": ["text"], "adjust": ["x", "hp", "3"],
    "dispute": ["e1", "why"], "settle": ["e1", "stands", "why"], "assert": ["x.hp", "3"], "option": ["x", "y"],
    "export": ["x.md"], "attack": ["a", "b"], "begin": [], "skirmish": ["a"],
}  # fmt: skip
"""Words for verbs that want some; what they name is not there."""
WITHOUT = {name for name, verb in TOOLS.items() if verb.has("anywhere")}
NEEDING = sorted({*systems.COMMON, *TOOLS, "attack", "begin", "skirmish"} - WITHOUT | {"verify"})


@pytest.fixture
def both(shell: Shell) -> Shell:
    """A shell where the demo was played and a campaign was opened beside it."""
    shell.done("demo", "freepg")
    shell.done("init", "The toll bridge", "--system", "freepg")
    return shell


@pytest.mark.parametrize("verb", NEEDING)
def test_every_verb_that_needs_a_ledger_first_says_that_there_is_none(verb: str, shell: Shell):
    words = [*verb.split(), *WORDS.get(verb, [])]
    shell.refused(*words, code=2, says=NO_LEDGER)
    assert os.listdir() == []


@pytest.mark.parametrize("verb", sampled(NEEDING, 6))
def test_every_verb_that_needs_a_ledger_first_says_that_there_are_two(verb: str, both: Shell):
    words = [*verb.split(), *WORDS.get(verb, [])]
    answer = both.refused(*words, code=2, says=TWO, ledger="the-toll-bridge.affray")
    assert "--ledger FILE before the verb" in answer.err


@pytest.mark.parametrize("words", [("join", "--help"), ("help", "join"), ("help", "undo"), ("undo", "-h")])
def test_a_verb_is_explained_without_a_ledger(words: tuple[str, ...], shell: Shell):
    assert shell.done(*words).startswith("Usage: affray ")


@pytest.mark.slow
def test_what_the_two_ledgers_message_offers_works_in_a_shell(both: Shell, tmp_path: Path):
    """The line with `export`, typed as it stands, chooses the ledger that was written last."""
    import subprocess
    import sys

    line = both("status").err.splitlines()[-1]
    assert line.startswith("Try: export AFFRAY_LEDGER=")
    typed = line.removeprefix("Try: ")
    launch = {name: value for name, value in os.environ.items() if not name.startswith("AFFRAY")}
    launch["PYTHONPATH"] = str(Path(__file__).parents[1] / "commands" / "launch")
    script = f"{typed} && mkdir deeper && cd deeper && {sys.executable} -m affray join boffin"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=launch, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Boffin" in both.done("--ledger", "the-toll-bridge.affray", "status")


def test_the_ledgers_of_a_folder_above_are_named_with_their_folder(both: Shell, monkeypatch: pytest.MonkeyPatch):
    os.mkdir("deeper")
    folder = os.getcwd()
    monkeypatch.chdir("deeper")
    assert f"There are 2 ledgers in {folder}: demo-freepg.affray, the-toll-bridge.affray." in both("status").err


# init


def test_init_warns_when_another_ledger_is_there(shell: Shell):
    shell.done("demo", "freepg")
    answer = shell("init", "The toll bridge", "--system", "freepg")
    assert answer.code == 0
    assert f"Warning: {TWO}" in answer.err
    assert "export AFFRAY_LEDGER=" in answer.err


def test_init_says_nothing_of_other_ledgers_where_there_are_none(shell: Shell):
    shell.done("demo", "freepg")
    os.mkdir("own")
    os.chdir("own")
    assert shell("init", "One", "--system", "freepg").err == "The ledger is one.affray.\n"


@pytest.mark.parametrize("words", [("init", "Camp"), ("init", "Camp", "--system", "fripg"), ("demo", "x")])
def test_without_a_terminal_the_rule_systems_are_listed(words: tuple[str, ...], shell: Shell):
    answer = shell.refused(*words, code=2)
    for system in systems.SYSTEMS:
        assert f"\n  {system:<12} {systems.load(system).about}\n" in answer.err
    assert os.listdir() == []


def test_each_rule_system_says_what_a_fight_is_like_in_one_short_line():
    said = [systems.load(system).about for system in systems.SYSTEMS]
    assert len(set(said)) == len(said)
    assert all(one.endswith(".") and len(one) <= 66 and one != systems.load(system).credit
               for one, system in zip(said, systems.SYSTEMS, strict=True))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "system"), [("freepg", "freepg"), ("Para", "paraverse"), ("3", "dungeoneers")])
def test_on_a_terminal_init_asks_for_the_rule_system(typed: str, system: str, shell: Shell, tmp_path: Path):
    terminal = Terminal("init", "The toll bridge", cwd=tmp_path)
    terminal.see("Which rule system? ")
    for name in systems.SYSTEMS:
        assert systems.load(name).about in terminal.shown
    terminal.type("a\n")
    terminal.see("Type one of these names, or its number: aachen, arkm.")
    terminal.see("Which rule system? ")
    terminal.type(f"{typed}\n")
    assert terminal.end() == 0
    (declared, *_) = recorded(1)
    assert isinstance(declared, Declared)
    assert (declared.said["name"], declared.said["system"]) == ("The toll bridge", system)


def test_somebody_who_does_not_answer_makes_no_ledger(shell: Shell, tmp_path: Path):
    terminal = Terminal("init", "The toll bridge", cwd=tmp_path)
    terminal.see("Which rule system? ")
    terminal.type("\n")
    assert terminal.end() == 2
    assert "No rule system is named." in terminal.shown
    assert os.listdir() == []


def test_init_twice_says_how_to_go_on(shell: Shell):
    shell.done("init", "Camp", "--system", "freepg")
    shell.refused("init", "Camp", "--system", "freepg", code=2)


@pytest.mark.parametrize("words", [("init", "Camp", "--system", "freepg"), ("demo", "freepg")])
def test_a_folder_in_which_nobody_may_write(words: tuple[str, ...], shell: Shell):
    """Nobody may make a file in /proc, not even root."""
    answer = affray(*words, cwd=Path("/proc"))
    assert answer.code == 2
    assert "cannot be made" in answer.err
    assert "Go to a folder in which you may write, or name another file." in answer.err


# demo


@pytest.mark.slow
def test_what_the_demo_offers_works_also_beside_another_ledger(shell: Shell):
    """A second demo in the same folder offers its commands with --ledger."""
    for system in ("freepg", "aachen"):
        told = shell.done("demo", system).partition("Explore it:\n")[2]
        offered = [line.split()[1:] for line in told.splitlines()]
        assert len(offered) == 6
        for words in offered:
            assert shell(*words).code == 0, words


def test_a_demo_that_was_played_before_is_offered(shell: Shell):
    shell.done("demo", "freepg")
    shell.refused("demo", "freepg", code=2, ledger="demo-freepg.affray")


def test_a_file_that_is_no_ledger_is_not_offered(shell: Shell):
    Path("demo-freepg.affray").write_text("Dear diary")
    answer = shell.refused("demo", "freepg", code=2, ledger="demo-freepg.affray")
    assert "Try:" not in answer.err


def test_a_stat_block_that_does_not_exist(shell: Shell):
    shell.refused("sheet", "bofin", code=3)


# begin


@pytest.mark.parametrize("said", ["Zed", "John,Jne,gm", "gm,boffin"])
def test_a_seat_that_nobody_plays_is_refused(said: str, table: Shell):
    """What is offered keeps the order that was said, and takes the seat of somebody who was named instead of it."""
    table.done("join", "boffin", "jane", "grub")
    table.refused("begin", "--seats", said, code=2)
