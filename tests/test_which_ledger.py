"""The rule system of a ledger is known, or the command stops: nothing is done by the rules of another system."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands.action import systems
from commands.words.console import Console
from ledger.sqlite import SqliteStore
from tests.kit import KEY
from tests.shell import Shell, foreign, forge
from tests.test_cli import head


@contextlib.contextmanager
def locked(path: str, how: str = "EXCLUSIVE") -> Iterator[None]:
    """Another program holds the ledger meanwhile."""
    db = foreign(path)
    db.execute(f"BEGIN {how}")
    yield
    db.execute("ROLLBACK")
    db.close()


@contextlib.contextmanager
def locked_for(path: str, seconds: float) -> Iterator[None]:
    """Another program holds the ledger for some time from now on."""
    ready = threading.Event()

    def hold() -> None:
        with locked(path):
            ready.set()
            time.sleep(seconds)

    other = threading.Thread(target=hold)
    other.start()
    ready.wait()
    yield
    other.join()


MAGE_ARMOR = ("effect", "ulfarmi", "mage armor", "--amount", "3")
"""FReePG has an effect too, which means another thing."""


@pytest.fixture
def dungeon(shell: Shell) -> Shell:
    """A shell beside a ledger of Dungeoneers with Ulfarmi in a fight."""
    shell.done("--ledger", "test.affray", "init", "Deep", "--system", "dungeoneers", "--key", KEY.hex())
    shell.done("join", "ulfarmi", "skeleton")
    return shell


@pytest.mark.slow
def test_a_ledger_that_is_busy_for_too_long_is_not_played_by_another_system(
    dungeon: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_WAIT", "0.2")
    with locked("test.affray"):
        answer = dungeon(*MAGE_ARMOR)
    assert (answer.code, answer.out) == (4, "")
    assert head() == 2


@pytest.mark.slow
def test_a_ledger_that_is_busy_for_a_moment_is_waited_for(dungeon: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "20")
    with locked_for("test.affray", 0.4):
        dungeon.done(*MAGE_ARMOR)
    assert head() == 3
    declared = SqliteStore.open("test.affray").entry(3).bodies[-1]
    assert '"modifies":"armor value"' in declared


@pytest.mark.slow
@pytest.mark.parametrize("words", [MAGE_ARMOR, ("undo",), ("rules", "options")])
def test_all_waiting_of_a_command_together_is_the_time_that_was_said(
    words: tuple[str, ...], dungeon: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_WAIT", "4")
    began = time.monotonic()
    with locked("test.affray"):
        answer = dungeon(*words)
    assert answer.code == 4, answer
    assert 4 <= time.monotonic() - began < 8, "it was not waited twice"


@pytest.mark.slow
def test_time_spent_on_opening_is_not_waited_again_for_writing(dungeon: Shell, monkeypatch: pytest.MonkeyPatch):
    """Of nine seconds 0.4 go by until the file opens; the rest is left to get hold of it, and nine again afterwards."""
    monkeypatch.setenv("AFFRAY_WAIT", "9")
    with locked_for("test.affray", 0.4):
        store = Console("test.affray").book.store
    (left,) = store._one("PRAGMA busy_timeout") or ()
    assert left <= 8700
    with store.writing():
        pass
    assert store._one("PRAGMA busy_timeout") == (9000,)
    store.close()


def newer() -> None:
    db = foreign("test.affray")
    db.execute("PRAGMA user_version = 99")
    db.close()


def damaged() -> None:
    unknown = """UPDATE events SET body = '{"event":"nonsense"}' WHERE entry = 1"""
    forge("test.affray", unknown, "DELETE FROM checkpoints")


def text() -> None:
    Path("test.affray").write_text("Dear diary")


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (newer, 2),
        (damaged, 5),
        (text, 2),
    ],
)
def test_a_ledger_that_cannot_be_read_is_not_played_by_another_system(
    spoil: Callable[[], None], code: int, dungeon: Shell
):
    spoil()
    dungeon.refused(*MAGE_ARMOR, code=code)
    dungeon.refused("odds", *MAGE_ARMOR, code=code)
    dungeon.refused("effect", "--help", code=code)


@pytest.mark.parametrize("spoil", [newer, text])
def test_the_help_of_all_says_why_the_rule_system_is_not_known(spoil: Callable[[], None], dungeon: Shell):
    spoil()
    said = dungeon.done("--help")
    assert "FReePG" not in said
    assert "All verbs: affray help all." in said
    assert "test.affray" in said


def test_a_script_tells_in_json_which_clause_refused(table: Shell):
    """The clause stands in its own field, as when the line is said by itself."""
    Path("x.toml").write_text('kind = "enemy"\nflat_bonus = 9\n')
    alone = table("join", "x.toml", "--json").json["error"]
    Path("script").write_text("note one\njoin x.toml\n")
    table("run", "script", "--json")
    answer = table("run", "script", "--json")
    error = answer.out.splitlines()[-1]
    assert alone["clause"] == "freepg.enemy.flat-bonus"
    assert '"clause":"freepg.enemy.flat-bonus"' in error
    assert answer.code == 1


# Help


def test_help_uses_a_ledger_that_is_named(table: Shell):
    """On whichever side of --help it is named, and whatever lies in this folder."""
    for system in systems.SYSTEMS:
        folder = Path(system)
        folder.mkdir()
        table.done("--ledger", f"{system}/other.affray", "init", "Other", "--system", system)
        title = f"{systems.load(system).title}, the most common verbs:\n"
        for words in (("--ledger", f"{system}/other.affray", "--help"), ("--help", f"--ledger={system}/other.affray")):
            said = table.done(*words)
            assert title in said
            assert all(
                f"\n  {name} " in said
                for name, verb in systems.load(system).verbs.items()
                if verb.rank in ("often", "listed")
            )


def test_help_without_a_ledger_says_so(shell: Shell):
    said = shell.done("--ledger", "cave.affray", "--help")
    assert "There is no ledger at cave.affray." in said
    said = shell.done("--help")
    assert "There is no ledger in this folder or any folder above it." in said
    for name in ("a.affray", "b.affray"):
        Path(name).touch()
    assert "There are 2 ledgers here: a.affray, b.affray." in shell.done("--help")


def test_help_of_a_verb_without_a_ledger_lists_the_systems_that_have_it(shell: Shell):
    for words in (("grapple", "--help"), ("odds", "grapple", "-h")):
        said = shell.done(*words)
        listed = [line.split()[0] for line in said.splitlines() if line.startswith("  ")]
        assert listed == ["aachen", "arkm", "dungeoneers"]
        assert f"affray --ledger FILE {' '.join(words[:-1])} --help explains it" in said


def test_help_of_a_verb_that_one_system_has_names_that_system(shell: Shell):
    said = shell.done("skirmish", "--help")
    assert said.startswith(
        "No ledger is chosen, so the rule system is not known. Only Paraverse has skirmish:\n\nUsage: affray "
    )


def test_a_verb_without_a_ledger_is_not_taken_for_that_of_any_system(shell: Shell):
    """Whether its words would fit one of them or not."""
    for words in (("grapple", "a", "b"), ("grapple",), ("skirmish", "--nonsense"), ("odds", "attack", "a")):
        shell.refused(*words, code=2)
    shell.refused("grapel", code=2)


# Why


def test_why_tells_the_facts_behind_what_is_counted(table: Shell):
    """An action that was spent: who, which kind, how many."""
    table.done("join", "boffin", "jane", "ogre")
    table.done("begin")
    table.done("initiative", "--dice", "15,4,9")
    table.done("attack", "boffin", "ogre", "--dice", "15,4")
    said = table.facts("why", "boffin.action")["changes"]
    assert [(one["entry"], one["before"], one["after"], one["facts"]) for one in said] == [
        (5, "2", "1", ["Boffin: points spent (kind action, points 1, left 1)"]),
        (4, "-", "2", ["Boffin: points set (kind action, left 2)"]),
    ]
