"""Undo says what it takes back, and redo what it brings back; on a terminal undo of several commands asks first."""

from pathlib import Path

import pytest

from commands.past import undo as past
from ledger.events import Reinstated, Retracted
from tests.shell import Answer, Shell, affray, recorded
from tests.test_cli import Terminal


@pytest.fixture
def notes(table: Shell) -> Shell:
    """e2, e3 and e4 are notes: one, two, three."""
    for text in ("one", "two", "three"):
        table.done("note", text)
    return table


THREE = ["undoes e2: one", "undoes e3: two", "undoes e4: three"]


def test_undo_and_redo_name_each_entry_with_its_outcome(notes: Shell):
    assert notes.done("undo", "--times", "3").splitlines() == [*THREE, "e2, e3, e4 are taken back  e5"]
    told = notes.done("redo").splitlines()
    assert told == ["redoes e2: one", "redoes e3: two", "redoes e4: three", "e2, e3, e4 stand again  e6"]
    assert notes.done("undo", "e3", "--dry-run").splitlines() == [*THREE[1:], "e3, e4 are taken back  (dry run)"]


def test_the_outcome_of_a_fight_is_told_without_its_arithmetic(table: Shell):
    """Where an entry is nothing but dice and sums, they are told."""
    table.done("join", "boffin", "grub")
    table.done("begin", "--unordered")
    table.done("attack", "boffin", "grub", "--dice", "14,3")
    told = table.done("undo").splitlines()[0]
    assert told.startswith("undoes e4: Boffin attacks Grub: hit; Grub loses ")
    assert "d20" not in told
    table.done("roll", "d20", "--dice", "7")
    assert table.done("undo").splitlines()[0] == "undoes e6: a roll: 7  e7"


def test_json_names_the_entries_too(notes: Shell):
    gone = notes("undo", "e3", "--json").json
    assert gone["taken_back"] == [{"entry": 3, "line": "two"}, {"entry": 4, "line": "three"}]
    assert gone["brought_back"] == []
    back = notes("redo", "--json").json
    assert back["brought_back"] == gone["taken_back"]
    assert back["taken_back"] == []


def test_undo_of_an_amendment_brings_back_what_it_replaced(notes: Shell):
    """e5 amends e3, and e6 and e7 stand for e3 and e4; e4 came out the same, so it is not told. A redo tells
    the same the other way round.
    """
    notes.done("amend", "e3", "--text", "TWO", "--because", "louder", "--apply")
    told = notes.done("undo").splitlines()
    assert [line for line in told if "redoes" in line] == ["redoes e3: two"]
    assert any("TWO" in line for line in told if line.startswith("undoes"))
    assert not any("three" in line for line in told)
    again = [line.partition(":")[0] for line in notes.done("redo").splitlines()]
    assert again[:3] == ["undoes e3", "redoes e5", "redoes e6"]


# The question


def test_one_command_is_taken_back_without_a_question(notes: Shell, typing):
    typing("n\n")
    answer = notes("undo")
    assert answer == Answer(0, "undoes e4: three  e5\n", "")


@pytest.mark.parametrize("words", [("e2",), ("--times", "3"), ("--to", "e1")], ids=" ".join)
@pytest.mark.parametrize(
    ("typed", "agreed"), [("y\n", True), ("Yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_several_commands_are_taken_back_after_a_yes(notes: Shell, typing, words, typed: str, agreed: bool):
    typing(typed)
    before = Path("test.affray").read_bytes()
    answer = notes("undo", *words)
    assert answer.code == 0
    assert answer.err.startswith("Take back 3 commands? [y/N] ")
    assert answer.out.splitlines() == [*THREE, *(["e2, e3, e4 are taken back  e5"] if agreed else [])]
    if not agreed:
        assert answer.err.endswith("Nothing was taken back.\n")
        assert Path("test.affray").read_bytes() == before


@pytest.mark.parametrize("words", [("--yes",), ("--json",), ("--dry-run",)], ids=" ".join)
def test_nobody_is_asked_who_said_yes_or_wants_json_or_a_dry_run(notes: Shell, typing, words):
    typing("")
    answer = notes("undo", "e2", *words)
    assert (answer.code, answer.err) == (0, "")
    assert "e2, e3, e4 are taken back" in answer.out


def test_scripts_are_not_asked(notes: Shell, typing, tmp_path: Path):
    """Without a terminal, and where a line of `run` says it on one."""
    assert affray("undo", "e3", cwd=tmp_path).code == 0
    assert recorded(5)[1:] == (Retracted((3, 4), (4,)),)
    notes.done("redo")
    Path("back.fight").write_text("undo e3\n")
    typing("")
    notes.done("run", "back.fight")
    assert recorded(7)[1:] == (Retracted((3, 4), (4,)),)


def test_the_word_of_yes_is_no_part_of_the_record(notes: Shell):
    notes.done("undo", "e3", "--yes")
    assert '"said":{"entry":"e3"}' in notes.done("show", "e5", "--json").replace(" ", "")
    notes.done("verify")


def test_an_amendment_is_one_command_however_many_entries_it_resolved_again(notes: Shell, typing):
    notes.done("amend", "e2", "--text", "ONE", "--because", "louder", "--apply")
    typing("")
    answer = notes("undo")
    assert (answer.code, answer.err) == (0, "")
    assert recorded(9)[1:] == (Retracted((5, 6, 7, 8), (8,)), Reinstated((2, 3, 4)))


def test_an_entry_that_comes_in_between_stops_it(notes: Shell, typing, monkeypatch: pytest.MonkeyPatch):
    """Somebody else records e5 while the question stands."""
    typing("y\n")
    told = past._print

    def meanwhile(console, story):
        told(console, story)
        assert affray("note", "meanwhile", cwd=Path.cwd()).code == 0

    monkeypatch.setattr(past, "_print", meanwhile)
    answer = notes("undo", "e2")
    assert answer.code == 4
    assert "Somebody else recorded e5 meanwhile; nothing was taken back." in answer.err
    assert notes.done("log").splitlines()[-1] == "meanwhile  e5"


def test_a_real_terminal_is_asked(notes: Shell, tmp_path: Path):
    terminal = Terminal("undo", "e3", cwd=tmp_path)
    terminal.see("Take back 2 commands? [y/N] ")
    assert "undoes e3: two" in terminal.shown
    terminal.type("y\n")
    assert terminal.end() == 0
    assert recorded(5)[1:] == (Retracted((3, 4), (4,)),)


def test_a_command_without_an_input_is_a_script(notes: Shell, tmp_path: Path):
    """Its standard input is closed."""
    import subprocess

    from tests.shell import command, environment

    words = ["sh", "-c", 'exec "$@" <&-', "sh", *command("undo", "e2")]
    done = subprocess.run(words, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert recorded(5)[1:] == (Retracted((2, 3, 4), (4,)),)
