"""The command line: one clear answer to everything, and nothing recorded unless it says so."""

import hashlib
import json
import os
import pty
import resource
import select
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.files.init import file_name
from commands.shell.tools import TOOLS
from commands.words import dice_words
from ledger import sqlite
from ledger.events import Declared, HpLost, Overruled, Renamed, Rolled
from tests.completed import completed as offered
from tests.shell import (
    ROOT,
    Answer,
    Shell,
    affray,
    clear,
    command,
    environment,
    foreign,
    forge,
    new_book,
    recorded,
    rulings,
)  # fmt: skip


def head(ledger: str = "test.affray") -> int:
    """The number of the last entry."""
    db = foreign(ledger)
    ((number,),) = db.execute("SELECT max(entry) FROM entries")
    db.close()
    return int(number)


# Exit codes


def test_0_done(table: Shell):
    assert table("note", "hi") == Answer(0, "hi  e2\n", "")


def test_1_the_rules_say_no(table: Shell):
    Path("x.toml").write_text('kind = "enemy"\nflat_bonus = 9\n')
    table.refused("join", "x.toml", clause="freepg.enemy.flat-bonus")


def test_2_the_words_are_wrong(table: Shell):
    table.refused("note", "--colour", "red", "hi", code=2)


def test_3_a_name_that_nobody_has(table: Shell):
    table.refused("show", "bob", code=3)


def test_4_the_ledger_is_busy(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "0.1")
    db = foreign("test.affray")
    db.execute("BEGIN IMMEDIATE")
    table.refused("note", "hi", code=4)
    table.done("log")
    db.execute("ROLLBACK")
    db.close()
    table.done("note", "hi")


def test_5_the_ledger_is_damaged(table: Shell):
    forge("test.affray", "UPDATE entries SET typed = 'a lie'")
    table.refused("verify", code=5)


# JSON


@pytest.mark.parametrize(
    "words",
    [
        "note hi",
        "roll 2d6+1",
        "roll 2d6 --dry-run",
        "option weapon_slots 1",
        "join boffin",
        "adjust x hp 3 why",
        "leave nobody",
        "show",
        "show e1",
        "show nobody",
        "status",
        "status --at e9",
        "map",
        "log",
        "verify",
        "undo",
        "undo e9",
        "redo",
        "replay --since e1",
        "rules freepg.no.such.clause",
        "export /no/such/folder/x.jsonl",
        "import nothing x.affray",
        "run nothing",
        "init Test",
        "note",
        "fly",
        "note --such hi",
        "roll x",
        "roll 2d6 --dice 7",
        "attack boffin",
        "join nobody.toml",
        "log --kind sung",
        "log --round x",
    ],
)
def test_every_command_answers_in_json_and_so_does_every_error(table: Shell, words: str):
    """One object a line; an error is one object, and nothing else is said."""
    answer = table(*words.split(), "--json")
    objects = [json.loads(line) for line in answer.out.splitlines()]
    assert all(isinstance(one, dict) for one in objects)
    if answer.code:
        (failure,) = objects
        hints, advice = failure["error"]["hints"], failure["error"]["advice"]
        assert all(hint.startswith("affray ") for hint in hints), "a hint is a command"
        assert not any("\n" in line or line.startswith("affray ") for line in advice), "advice is in sentences"
        assert failure["ok"] is False
        assert failure["error"]["code"] == answer.code
        assert set(failure["error"]) == {"reference", "code", "message", "hints", "advice", "clause"}
        assert answer.err == ""
    else:
        assert objects


def test_a_recorded_command_says_in_json_what_it_recorded(table: Shell):
    said = table("note", "hi", "--json").json
    assert (said["ok"], said["entry"], said["lines"]) == (True, 2, [{"outcome": "hi", "arithmetic": [], "tone": ""}])
    assert said["events"][1] == {"event": "noted", "text": "hi"}
    assert len(said["digest"]) == 64


def test_a_refusal_names_its_clause_in_json(table: Shell):
    Path("x.toml").write_text('kind = "enemy"\nflat_bonus = 9\n')
    error = table("join", "x.toml", "--json").json["error"]
    assert (error["reference"], error["code"], error["clause"]) == ("refused", 1, "freepg.enemy.flat-bonus")


# Finding the ledger


def test_no_ledger_here(shell: Shell):
    shell.refused("status", code=2)


def test_two_ledgers_here(shell: Shell):
    for name in ("a", "b"):
        new_book(f"{name}.affray").store.close()
    shell.refused("note", "hi", code=2, ledger="a.affray")


def test_the_ledger_of_a_folder_above(table: Shell, monkeypatch: pytest.MonkeyPatch):
    os.makedirs("deep/down")
    monkeypatch.chdir("deep/down")
    table.done("note", "hi")
    assert head("../../test.affray") == 2


def test_a_ledger_in_a_folder_above_in_which_anybody_may_write_is_nobodys(
    table: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Somebody else may have put it there, as in /tmp. Who stands in that folder means it."""
    Path("deep").mkdir()
    Path().chmod(0o1777)
    table.done("status")
    monkeypatch.chdir("deep")
    table.refused("status", code=2)


def test_the_nearest_ledger_wins(table: Shell, monkeypatch: pytest.MonkeyPatch):
    os.mkdir("near")
    new_book("near/near.affray").store.close()
    monkeypatch.chdir("near")
    table.done("note", "hi")
    assert (head("near.affray"), head("../test.affray")) == (2, 1)


def test_a_ledger_that_is_named_wins_over_one_that_lies_here(table: Shell, monkeypatch: pytest.MonkeyPatch):
    for name in ("by-environment", "by-option"):
        os.mkdir(name)
        new_book(f"{name}/x.affray").store.close()
    monkeypatch.setenv("AFFRAY_LEDGER", "by-environment/x.affray")
    table.done("note", "hi")
    assert (head("by-environment/x.affray"), head()) == (2, 1)
    table.done("--ledger", "by-option/x.affray", "note", "hi")
    assert (head("by-option/x.affray"), head("by-environment/x.affray"), head()) == (2, 2, 1)


@pytest.mark.parametrize("path", ["nothing.affray", "", ".", "/", "\x1b[31m.affray", "test.affray/x"])
def test_a_named_ledger_that_is_not_there(shell: Shell, monkeypatch: pytest.MonkeyPatch, path: str):
    monkeypatch.setenv("AFFRAY_LEDGER", path)
    shell.refused("status", code=2)


def test_a_folder_that_is_gone(table: Shell, monkeypatch: pytest.MonkeyPatch):
    os.mkdir("gone")
    monkeypatch.chdir("gone")
    os.rmdir("../gone")
    table.refused("status", code=2, says="This folder no longer exists.")
    table.refused("init", "Test", "--system", "freepg", code=2, says="cannot be")


# Opening a ledger


def test_init_makes_one_file_and_nothing_else(shell: Shell):
    shell.done("init", "The Sunken Keep", "--system", "freepg", "--option", "weapon_slots=1")
    assert os.listdir() == ["the-sunken-keep.affray"]
    (declared, *_) = recorded(1)
    assert isinstance(declared, Declared)
    assert declared.said["options"] == {"weapon_slots": "1"}


def test_init_never_touches_a_ledger_that_is_there(table: Shell):
    table.refused("init", "Test", "--system", "freepg", code=2)
    table.refused("demo", "freepg", "--file", "test.affray", code=2)


@pytest.mark.parametrize("words", [
    ("init", "Test", "--system", "freepg"), ("demo", "freepg", "--file", "test.affray"),
    ("import", "x.jsonl", "test.affray"), ("export", "y.jsonl"),
    ("copy", "test.affray", "test.affray"), ("salvage", "test.affray", "test.affray"),
])  # fmt: skip
def test_the_next_command_that_makes_a_file_removes_the_draft_of_a_killed_process(table: Shell, words: tuple[str, ...]):
    """Also when that is refused, because the process was killed after its file had appeared. A draft holds the key."""
    table.done("export", "x.jsonl")
    os.link("test.affray", ".test.affray.4711.affray-draft")
    Path(".test.affray.4711.affray-draft-journal").touch()
    assert table._typed(*words).code == (0 if words[0] == "export" else 2)
    assert [name for name in os.listdir() if name.startswith(".")] == []
    table.done("verify")


@pytest.mark.parametrize("words", [
    ("init", "x", "--system", "chess"),
    ("init", "x", "--system", "freepg", "--option", "nothing=1"),
    ("init", "x", "--system", "freepg", "--option", "weapon_slots"),
    ("init", "x", "--system", "freepg", "--option", "weapon_slots=7"),
    ("init", "x", "--key", "00"),
    ("init", "\U0001f409", "--system", "freepg"),
    ("init", ""),
    pytest.param(("init", "x" * 10_000), id="a long name"),
    ("init", "a\x1b[31mb", "--system", "freepg"),
    ("init",),
    ("init", "x"),
    ("demo", "chess"),
    ("--ledger", "no/such/folder/x.affray", "init", "x", "--system", "freepg"),
])  # fmt: skip
def test_a_failed_init_leaves_nothing_behind(shell: Shell, words: tuple[str, ...]):
    shell.refused(*words, code=2)
    assert os.listdir() == []


@pytest.mark.parametrize(("name", "file"), [
    ("The Toll-Bridge, II", "the-toll-bridge-ii.affray"),
    ("x" * 60, "x" * 60 + ".affray"),
    ("x" * 61, "x" * 60 + ".affray"),
    ("Mill " * 20, "mill-" * 12 + ".affray"),
])  # fmt: skip
def test_a_file_is_called_after_its_campaign(name: str, file: str):
    """Small letters and digits, hyphens between them; 60 at most, and the ending."""
    assert file_name(name) == file


# Verbs


@pytest.mark.parametrize("verb", [
    "rolll", "statsu", "xyzzy", pytest.param("x" * 10_000, id="a long word"), "\x1b[31m", "", "morale",
])  # fmt: skip
def test_an_unknown_verb_is_refused_with_the_nearest_ones(table: Shell, verb: str):
    table.refused(verb, code=2)


def test_every_verb_explains_itself(table: Shell):
    for verb in (*systems.COMMON, *TOOLS, *systems.load("freepg").verbs):
        assert table.done(*verb.split(), "--help").startswith(f"Usage: affray {verb} ")
    assert table.done("log", "--last", "many", "--help").startswith("Usage: affray log "), "whatever else is typed"


def test_the_list_of_verbs_is_complete(table: Shell):
    text = table.done("help", "all")
    chapters = [table.done("help", word) for word in ("fight", "common", "look", "past", "files")]
    assert text == "\n".join(chapters)
    for verb in ({*systems.COMMON} - {"init"}) | {*TOOLS} | {*systems.load("freepg").verbs}:
        assert any(f"\n  {verb} " in chapter for chapter in chapters)
    assert table("help", "past", "--json").json["text"].startswith("Undo and amend:\n  undo ")


def test_the_chapter_of_a_rule_system_needs_a_ledger(shell: Shell):
    """Without one the answer says so, and does not take the word for a verb."""
    assert shell.done("help", "fight").splitlines() == [
        "No ledger is chosen, so the rule system is not known.",
        "affray --ledger FILE help fight lists the verbs of that ledger.",
    ]


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_help_fits_a_terminal_of_24_lines(system: str, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """How to begin, ten verbs, and how to see the rest; the next prompt has a line, too."""
    monkeypatch.setenv("COLUMNS", "80")
    shell.done("init", "Field", "--system", system)
    text = shell.done("--help")
    assert text == shell.done("help")
    lines = text.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert lines[:3] == [
        "Usage: affray [--ledger FILE] VERB ...",
        "",
        "A combat ledger for role-playing games: every command and roll is recorded.",
    ]
    verbs = [line[2:13].strip() for line in lines if line.startswith("  ") and line[14:15].isupper()]
    assert len(verbs) == 10
    assert {"join", "begin", "attack", "move", "status", "undo"} <= {*verbs}


@pytest.mark.parametrize(("columns", "widest"), [("60", 58), ("30", 40), ("500", 100)])
def test_help_is_as_wide_as_the_terminal(tmp_path: Path, columns: str, widest: int):
    """Two columns less than the terminal has, 40 at least and 100 at most."""
    lines = affray("stats", "--help", cwd=tmp_path, env={"COLUMNS": columns}).out.splitlines()
    assert widest - 3 < max(map(len, lines)) <= widest


def test_a_system_without_areas_takes_none(table: Shell):
    table.refused("join", "boffin", "--area", "yard", code=2)


def test_the_version_is_said(shell: Shell):
    assert shell.done("--version") == shell.done("-V") == "affray 0.1.0\n"


def test_help_explains_a_verb_as_its_own_option_does(table: Shell):
    for words in (("attack",), ("odds",), ("odds", "attack"), ("help",)):
        assert table.done("help", *words) == table.done(*words, "--help")
    assert table("help", "note", "--json").json["text"].startswith("Usage: affray note ")
    table.refused("help", "atack", code=2)


def test_affray_alone_shows_the_board(table: Shell):
    table.done("join", "boffin")
    assert table.done() == table.done("status")


def test_affray_alone_explains_itself_where_there_is_no_ledger(shell: Shell):
    assert shell.done() == shell.done("--help")


def test_values_of_an_option_are_separated_by_commas_and_squares_by_strokes(table: Shell):
    """`--check chain,dice` is two checks; `--via 8,8/9,8` is two squares."""
    assert table("verify", "--check", "chain,dice", "--json").json["checks"] == ["chain", "dice"]
    table.done("join", "boffin", "--at", "7,7")
    table.done("begin", "--unordered")
    table.done("move", "boffin", "--to", "9,9", "--via", "8,8/9,8", "--allow", "so it is")
    assert '"via":[[8,8,0],[9,8,0]]' in table.done("show", "e4", "--json")


def test_a_value_that_an_option_does_not_take_is_answered_with_what_it_takes(table: Shell):
    table.refused("join", "ogre", "--count", "-1", code=2)
    table.refused("show", "--at", "x", code=2)
    table.refused("verify", "--check", "all", code=2)
    table.done("join", "boffin")
    item = ("adjust", "boffin", "item", 'name = "ring", slot = "nose"', "found")
    table.refused(*item, code=2)


# Names


def test_any_beginning_of_a_name_in_any_case_works(table: Shell):
    table.done("join", "boffin")
    table.done("adjust", "BOF", "hp", "7", "a test")
    assert table.value("Boffin.hp") == "7"


def test_an_ambiguous_beginning_is_refused_with_the_candidates(table: Shell):
    table.done("join", "grub", "--count", "2")
    table.refused("adjust", "gru", "hp", "7", "why", code=3)


def test_several_names_and_whole_sides(table: Shell):
    table.done("join", "grub", "--count", "3")
    table.done("join", "boffin")
    assert table.done("leave", "grub-3,grub-1").count("leaves") == 2
    assert table.done("leave", "@foes").count("leaves") == 1
    table.refused("leave", "@foes", code=3)
    table.refused("leave", ",", code=2)


@pytest.mark.parametrize(
    "name",
    ["\U0001f409", "a\x07b", "\x1b[31mred", pytest.param("x" * 10_000, id="name3"), "-x", "@party", "a,b", "."],
)
def test_a_name_that_no_shell_or_terminal_likes_is_refused(table: Shell, name: str):
    table.refused("join", "boffin", f"--called={name}", code=2)


def test_a_name_of_another_alphabet_is_a_name(table: Shell):
    """Composed and decomposed spellings mean the same."""
    table.done("join", "boffin", "--called", "Zoe\u0308")
    assert table.done("adjust", "ZO\u00cb", "hp", "5", "why").startswith("Zo\u00eb has 5/55 hp")


def test_two_of_the_same_name_cannot_sit_at_one_table(table: Shell):
    table.done("join", "boffin")
    table.refused("join", "boffin", "--called", "BOFFIN", code=2)


# Numbers


@pytest.mark.parametrize("words", [
    ("adjust", "boffin", "hp", "9" * 50, "why"),
    ("adjust", "boffin", "hp", "1000001", "why"),
    ("adjust", "boffin", "hp", "1.5", "why"),
    ("adjust", "boffin", "hp", "²", "why"),
    ("adjust", "boffin", "at", "1", "why"),
    ("adjust", "boffin", "at", "1,2,3,4", "why"),
    ("adjust", "boffin", "at", "9999999,1", "why"),
    ("adjust", "boffin", "down", "sleepy", "why"),
    ("adjust", "boffin", "height", "3", "why"),
    ("adjust", "boffin", "side", "two words!", "why"),
    ("join", "grub", "--count", "0"),
    ("join", "grub", "--count", "101"),
    ("join", "grub", "--count", "9" * 5000),
    ("join", "grub", "--at", "here"),
    ("option", "min_hit_damage", "-1"),
    ("option", "min_hit_damage", "9" * 50),
    ("option", "weapon_slots", "3"),
    ("log", "--round", "9" * 5000),
    ("log", "--last", "-1"),
    ("undo", "e" + "9" * 5000),
    ("undo", "e²"),
    ("undo", "--to", "x"),
    ("show", "--at", "e1.5"),
    ("note", "x" * 2001),
    ("note", ""),
    ("note", "a\x1b[31mb"),
    ("note", "a\nb"),
    ("roll", "1d1001"),
    ("roll", "101d6"),
    ("roll", "1d1"),
    ("roll", "0d6"),
    ("roll", "-1d6"),
    ("roll", "5"),
    ("roll", ""),
    ("roll", "9" * 5000 + "d6"),
])  # fmt: skip
def test_a_number_or_a_word_that_cannot_be_is_refused(table: Shell, words: tuple[str, ...]):
    table.done("join", "boffin")
    table.refused(*words, code=2)


def test_an_entry_that_is_not_there(table: Shell):
    for words in (("status", "--at", "e9"), ("show", "e9"), ("map", "--at", "e0"), ("replay", "--since", "e9")):
        table.refused(*words, code=3)
    table.refused("show", "e²", code=3)


# Dice


@pytest.mark.parametrize("dice", [
    "0", "21", "", "x", "-1", "1.5", "²", "3,", "1000000000", "3,4",
    pytest.param(",".join(["1"] * 1000), id="a thousand dice"),
])  # fmt: skip
def test_typed_dice_that_cannot_be_are_refused(table: Shell, dice: str):
    table.refused("roll", "d20", "--dice", dice, code=2)


def test_too_few_dice_are_refused_with_the_list_of_what_is_needed(table: Shell):
    table.refused(
        "roll",
        "2d6",
        "--why",
        "luck",
        "--dice",
        "3",
        code=2,
    )


def test_an_action_that_rolls_nothing_takes_no_dice(table: Shell):
    table.refused("note", "hi", "--dice", "3", code=2)


def test_typed_dice_are_recorded_as_they_were_typed(table: Shell):
    table.done("roll", "2d6+1d4-2", "--dice", "6, 1,4")
    assert rulings("table.roll") == [("", [6 + 1 + 4 - 2])]
    assert [(roll.dice, roll.faces) for roll in recorded() if isinstance(roll, Rolled)] == [("2d6+1d4", (6, 1, 4))]


def test_dice_are_asked_for_on_a_terminal_only(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
    table.refused("roll", "d20", "--dice", "ask", code=2)
    sys.stdin.close()


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *words: str, cwd: Path) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command(*words), cwd=cwd, stdin=slave, stdout=slave, stderr=slave, env=environment({"TERM": "xterm"}),
            start_new_session=True, preexec_fn=_control,
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def see(self, text: str) -> None:
        """Waits until the terminal shows a text."""
        while text not in self.shown:
            assert select.select([self.master], [], [], 30)[0], f"only this is shown: {self.shown}"
            data = os.read(self.master, 4096)
            assert data, self.shown
            self.shown += data.decode()

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        """The exit code, after all that was still shown."""
        try:
            while data := os.read(self.master, 4096):
                self.shown += data.decode()
        except OSError:
            pass
        os.close(self.master)
        return self.process.wait(30)


def _control() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_replay_ends_with_the_digest_of_the_state_that_it_came_to(table: Shell):
    """Two who have the same ledger can compare it: after e2, whatever came later."""
    table.done("join", "boffin")
    told = table.done("replay", "--since", "e2").splitlines()[-1]
    assert told == f"State {hashlib.sha256(_state().encode()).hexdigest()} after e2."
    table.done("join", "grub")
    assert table.done("replay", "--until", "e2").splitlines()[-1] == told


def _state() -> str:
    book = Book(sqlite.SqliteStore.open("test.affray"))
    encoded = book.present()[1].encoded()
    book.store.close()
    return encoded


def test_a_prompt_says_which_die_for_whom_and_what(table: Shell, tmp_path: Path):
    table.done("join", "boffin")
    terminal = Terminal("roll", "2d6", "--who", "boffin", "--why", "luck", "--dice", "ask", cwd=tmp_path)
    terminal.see("Boffin: 2d6 for luck? ")
    terminal.type("7\n")
    terminal.see("A d6 shows 1 to 6.")
    terminal.type("3\n")
    terminal.see("for luck? ")
    terminal.type("4\n")
    assert terminal.end() == 0
    assert [roll.faces for roll in recorded(3) if isinstance(roll, Rolled)] == [(3, 4)]
    assert head() == 3


def test_ctrl_c_at_a_prompt_records_nothing(table: Shell, tmp_path: Path):
    terminal = Terminal("roll", "2d6", "--dice", "ask", cwd=tmp_path)
    terminal.see("The table: 2d6 for a roll? ")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.shown
    assert head() == 1


def test_the_end_of_input_at_a_prompt_records_nothing(table: Shell, tmp_path: Path):
    terminal = Terminal("roll", "2d6", "--dice", "ask", cwd=tmp_path)
    terminal.see("? ")
    terminal.type("\x04")
    assert terminal.end() == 2
    assert head() == 1


@pytest.mark.slow
def test_colour_is_for_terminals_and_never_with_no_color(table: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plain = table.done("log")
    assert "\x1b" not in plain
    terminal = Terminal("log", cwd=tmp_path)
    assert terminal.end() == 0
    assert "\x1b[2me1\x1b[0m" in terminal.shown
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal("log", cwd=tmp_path)
    terminal.end()
    assert terminal.shown.replace("\r\n", "\n") == plain


# Once, dry runs, allowances


def test_a_command_with_an_id_is_recorded_once(table: Shell):
    assert table.done("roll", "2d6", "--once", "a") == (first := table("roll", "2d6", "--once", "a")).out
    assert first.err == "This was already recorded as e2; nothing was recorded now.\n"
    assert table("roll", "2d6", "--once", "a", "--json").json["repeated"] is True
    assert head() == 2


def test_the_id_of_an_action_that_was_taken_back_says_so_and_by_which_entry(table: Shell):
    for line in ("note hi --once a", "undo"):
        table.done(*line.split())
    assert "e2 does not stand: the undo e3 took it back." in table.done("note", "hi", "--once", "a")
    assert table("note", "hi", "--once", "a", "--json").json["stands"] is False
    table.done("redo")
    assert table("note", "hi", "--once", "a", "--json").json["stands"] is True
    table.done("amend", "e2", "--text", "ho", "--apply", "--because", "it was")
    told = table("note", "hi", "--once", "a", "--json").json
    assert (told["stands"], told["notes"]) == (True, ["It stands as e6, resolved again."])


def test_an_id_that_another_command_has_is_refused(table: Shell):
    table.done("note", "hi", "--once", "a")
    table.refused("note", "ho", "--once", "a", code=2)


def test_a_command_that_was_recorded_asks_for_no_dice_again(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """There is nobody at a terminal here to answer."""
    faces = iter([[14]])
    monkeypatch.setattr(dice_words.Hand, "__call__", lambda *_: next(faces))
    words = ("roll", "d20", "--dice", "ask", "--once", "a")
    table.done(*words)
    table.done(*words)
    assert [roll.faces for roll in recorded(2) if isinstance(roll, Rolled)] == [(14,)]
    assert head() == 2


def test_a_dry_run_records_nothing_and_throws_no_dice(table: Shell):
    before = Path("test.affray").read_bytes()
    assert table.done("note", "hi", "--dry-run") == "hi  (dry run)\n"
    needs = table.facts("roll", "2d6", "--why", "luck", "--dry-run")["needs"]
    assert needs == [{"who": "", "dice": "2d6", "purpose": "luck", "about": ""}]
    said = table.facts("roll", "2d6", "--dry-run", "--dice", "3,4")
    assert (said["entry"], [roll["faces"] for roll in said["events"] if roll["event"] == "rolled"]) == (None, [[3, 4]])
    assert Path("test.affray").read_bytes() == before


def test_what_a_rule_refuses_can_be_allowed_with_a_reason(table: Shell):
    Path("x.toml").write_text('kind = "enemy"\nflat_bonus = 9\n')
    table.done("join", "x.toml", "--allow", "a boss")
    (overruled,) = (one for one in recorded(2) if isinstance(one, Overruled))
    assert (overruled.clause, overruled.reason) == ("freepg.enemy.flat-bonus", "a boss")
    table.done("verify")


@pytest.mark.parametrize("option", ["--allow", "--once"])
@pytest.mark.parametrize("word", ["\x1b[31mred", "a\nb", pytest.param("x" * 10_000, id="word2")])
def test_an_odd_reason_or_id_is_refused(table: Shell, option: str, word: str):
    table.refused("note", "hi", option, word, code=2)


# Scripts

SCRIPT = "# a fight\nnote one\n\nroll d6 --dice 3   # luck\naffray note 'two words'\nnote four\nnote\nnote five\n"


def test_a_script_stops_at_its_seventh_line_and_keeps_the_six_before(table: Shell):
    Path("fight").write_text(SCRIPT)
    answer = table("run", "fight")
    assert answer.code == 2
    assert answer.out == "one  e2\na roll: 3  e3\n    3 (d6*)\ntwo words  e4\nfour  e5\n"
    assert answer.err.startswith("Error: fight, line 7: note needs TEXT, the note.")
    assert head() == 5
    table.done("verify")


def test_a_script_ends_with_the_code_of_its_failing_line(table: Shell):
    for line, code in (("show nobody", 3), ("attack a b", 3), ("fly", 2), ("'", 2)):
        Path("fight").write_text(f"note one\n{line}\n")
        answer = table("run", "fight")
        assert answer.code == code
        assert "fight, line 2: " in answer.err


def test_a_line_of_a_script_may_ask_for_json(table: Shell):
    Path("fight").write_text("note one --json\nnote two\n")
    first, second = table.done("run", "fight").splitlines()
    assert (json.loads(first)["entry"], second) == (2, "two  e3")


def test_a_line_of_a_script_says_no_more_than_the_words_that_it_has(table: Shell):
    """Whatever the line before said: an option does not stay, and help and beginnings of verbs work too."""
    Path("fight").write_text(
        "note one --secret --once a\nnote two\nnote --help\nnot  'three  #3'\n-V\nroll d6 --dice 4\n"
    )
    told = table.done("run", "fight")
    assert told.startswith("one [secret]  e2\ntwo  e3\nUsage: affray note ")
    assert told.endswith("\nthree  #3  e4\naffray 0.1.0\na roll: 4  e5\n    4 (d6*)\n")
    entries = [(entry.typed, entry.once) for entry, _ in sqlite.SqliteStore.open("test.affray").entries(2, 5)]
    assert entries == [
        ("note one --secret --once a", "a"), ("note two", ""), ("note 'three  #3'", ""), ("roll d6 --dice 4", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("lines", ["note again\n" * 20, "note again\n" * 20 + "fly\n"])
def test_a_script_ends_with_the_state_of_its_last_entry_in_the_file(table: Shell, lines: str):
    Path("fight").write_text(lines)
    table("run", "fight")
    assert sqlite.SqliteStore.open("test.affray").checkpoints() == [21]
    table.done("verify")


def test_a_script_comes_from_standard_input_too(table: Shell, tmp_path: Path):
    answer = affray("run", "-", cwd=tmp_path, stdin="note one\nnote Zoë\n")
    assert answer == Answer(0, "one  e2\nZoë  e3\n", "")


@pytest.mark.parametrize(
    "line",
    [
        "run fight",
        "init Other",
        "demo",
        "import a b.affray",
        "--ledger other.affray note hi",
        "--ledger=other.affray note hi",
    ],
)
def test_a_script_is_played_on_one_ledger(table: Shell, line: str):
    Path("fight").write_text(line)
    new_book("deep.affray").store.close()
    os.rename("deep.affray", "other.new")
    table.refused("run", "fight", code=2)
    assert sorted(os.listdir()) == ["fight", "other.new", "test.affray"]


def test_a_script_that_cannot_be_read(table: Shell, tmp_path: Path):
    table.refused("run", "nothing", code=2)
    table.refused("run", ".", code=2)
    Path("bytes").write_bytes(b"note a\xff\n")
    table.refused("run", "bytes", code=2)
    answer = affray("run", "-", cwd=tmp_path, stdin=b"note a\xff\n", env={"LC_ALL": "C.UTF-8"})
    assert answer.code == 2
    clear(answer, "UTF-8")
    assert head() == 1


DEMO = (ROOT / "commands" / "rules" / "freepg" / "demo.fight").read_text(encoding="utf-8")


def bodies(ledger: str) -> list[str]:
    """All events of a ledger, without their times."""
    db = foreign(ledger)
    found = [body for (body,) in db.execute("SELECT body FROM events ORDER BY seq")]
    db.close()
    return found


@pytest.mark.slow
def test_a_fight_comes_out_the_same_however_it_is_played(table: Shell):
    """In one process; as commands of their own, which load the state; and without a state to load."""
    Path("fight").write_text(DEMO, encoding="utf-8")
    table.done("run", "fight")
    for name in ("apart", "folded"):
        os.mkdir(name)
        new_book(f"{name}/x.affray").store.close()
    for line in DEMO.splitlines():
        words = shlex.split(line, comments=True)
        if words:
            table.done("--ledger", "apart/x.affray", *words)
            db = foreign("folded/x.affray")
            db.execute("DELETE FROM checkpoints")
            db.close()
            table.done("--ledger", "folded/x.affray", *words)
    assert len(bodies("test.affray")) > 50
    assert bodies("test.affray") == bodies("apart/x.affray") == bodies("folded/x.affray")
    table.done("--ledger", "folded/x.affray", "verify")


# Output that nobody reads


def test_a_pipe_that_is_closed_is_no_error(table: Shell, tmp_path: Path):
    """`affray log | head -1`: no traceback, and 0; with more output than a pipe holds, too."""
    Path("script").write_text("note 'a line that is long enough to fill a pipe when it is repeated'\n" * 200)
    table.done("run", "script")
    for words in (("log", "--last", "0"), ("log", "--last", "0", "--json"), ("export",)):
        process = subprocess.Popen(
            command(*words), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(30) == 0


@pytest.mark.slow
def test_a_demo_is_played_to_its_end_when_nobody_listens(shell: Shell, tmp_path: Path):
    """Its lines are shown before they are carried out; a reader who leaves stops neither."""
    shell.done("demo", "aachen", "--file", "whole.affray")
    whole = len(shell.done("--ledger", "whole.affray", "export", "-").splitlines())
    done = subprocess.Popen(
        command("demo", "aachen", "--file", "half.affray"), cwd=tmp_path, stdout=subprocess.PIPE, env=environment()
    )
    assert done.stdout
    done.stdout.readline()
    done.stdout.close()
    assert done.wait(60) == 0
    assert len(shell.done("--ledger", "half.affray", "export", "-").splitlines()) == whole


@pytest.mark.slow
def test_a_record_stays_when_nobody_reads_the_output(table: Shell, tmp_path: Path):
    for redirection in ("| true", ">&-", ">&- 2>&- <&-"):
        done = subprocess.run(
            ["bash", "-c", f"sleep 0.1 | {' '.join(command('note', 'hi'))} {redirection}; exit ${{PIPESTATUS[1]}}"],
            cwd=tmp_path, env=environment(), capture_output=True, timeout=30,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
    assert head() == 4
    table.done("verify")


def test_a_full_disk_behind_standard_output(table: Shell, tmp_path: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("log"), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, env=environment())
    assert done.returncode == 2
    assert done.stderr == b"Error: The output cannot be written: No space left on device.\n"


def test_a_terminal_without_the_letter_shows_another_sign(table: Shell, tmp_path: Path):
    answer = affray("note", "Zoë", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert answer == Answer(0, "Zo\\xeb  e2\n", "")


def test_words_that_are_not_text_are_refused(table: Shell, tmp_path: Path):
    for words in ((b"note", b"\xff"), (b"--ledger", b"\xff", b"log"), (b"\xff",)):
        done = subprocess.run(
            [*map(str.encode, command()), *words], cwd=tmp_path, env=environment(), capture_output=True
        )
        assert done.returncode == 2
        assert b"is not text in UTF-8." in done.stderr
    assert head() == 1


@pytest.mark.slow
def test_an_environment_that_is_not_text_does_no_harm(table: Shell, tmp_path: Path):
    odd = {**environment(), "AFFRAY_BY": os.fsdecode(b"\xffZo\xc3\xab")}
    assert subprocess.run(command("note", "hi"), cwd=tmp_path, env=odd, capture_output=True).returncode == 0
    assert "  ?Zoë  " in table.done("show", "e2")
    odd["AFFRAY_LEDGER"] = os.fsdecode(b"\xff.affray")
    done = subprocess.run(command("log", "--json"), cwd=tmp_path, env=odd, capture_output=True)
    assert json.loads(done.stdout)["error"]["message"] == "There is no ledger at \\udcff.affray."


def test_nobody_can_send_escapes_to_a_terminal_through_the_record(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_BY", "\x1b[31mred")
    table.done("note", "hi")
    for words in (("log",), ("show", "e2"), ("show",), ("status",), ("replay", "--since", "e1")):
        assert "\x1b" not in table.done(*words)
    assert "\\x1b[31mred" in table.done("show", "e2")


def test_an_odd_waiting_time_is_refused(table: Shell, monkeypatch: pytest.MonkeyPatch):
    for odd in ("x", "-1", "nan", "inf", "1e99", "²"):
        monkeypatch.setenv("AFFRAY_WAIT", odd)
        table.refused("note", "hi", code=2)


# Files


@pytest.mark.parametrize("content", [
    b"", pytest.param(b"hello\n" * 100, id="content1"), pytest.param(b"\0" * 10_000, id="content2"),
])  # fmt: skip
def test_a_file_that_is_not_a_ledger_is_refused(shell: Shell, content: bytes):
    Path("test.affray").write_bytes(content)
    for words in (("status",), ("note", "hi"), ("verify",), ("undo",), ("export",)):
        shell.refused(*words, code=2)


def test_a_ledger_that_is_damaged_in_the_middle(table: Shell):
    Path("script").write_text("note 'a line that fills a few pages when it is repeated'\n" * 100)
    table.done("run", "script")
    size = os.path.getsize("test.affray")
    with open("test.affray", "r+b") as file:
        file.seek(size // 4)
        file.write(b"\xfe" * (size // 2))
    for words in (("verify",), ("log", "--last", "0"), ("export", "out.jsonl")):
        table.refused(*words, code=5)
    assert not os.path.exists("out.jsonl")


def test_a_ledger_that_was_cut_off(table: Shell):
    Path("script").write_text("note 'a line that fills a few pages when it is repeated'\n" * 100)
    table.done("run", "script")
    os.truncate("test.affray", os.path.getsize("test.affray") // 2)
    for words in (("verify",), ("note", "hi"), ("undo",)):
        table.refused(*words, code=5)


def test_a_ledger_of_a_later_format(table: Shell):
    db = foreign("test.affray")
    db.execute("PRAGMA user_version = 7")
    db.close()
    for words in (("status",), ("note", "hi"), ("export",)):
        table.refused(*words, code=2)


def test_a_ledger_that_cannot_be_written(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """SQLite opens it for reading only, as it does where the permissions of a file say so."""
    table.done("note", "hi")
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite.sqlite3, "connect", lambda path, **more: connect(f"file:{path}?mode=ro", uri=True, **more)
    )
    table.refused("note", "ho", code=2)
    table.refused("undo", code=2)
    for words in (("status",), ("log",), ("verify",), ("show", "e2")):
        table.done(*words)


@pytest.mark.slow
def test_a_process_of_its_own_says_which_words_are_too_many(table: Shell, tmp_path: Path):
    """Click's messages are looked up only when one is said: in the singular and in the plural."""
    for words in (("x",), ("x", "y")):
        answer = affray("status", *words, cwd=tmp_path)
        assert answer.code == 2
        clear(answer, f"status has no place for '{' '.join(words)}'.")


def test_a_folder_that_cannot_be_written(table: Shell):
    """SQLite cannot make its journal there: something else bears that name."""
    os.mkdir("test.affray-journal")
    table.refused("note", "hi", code=2)
    os.rmdir("test.affray-journal")
    table.done("note", "hi")
    table.done("verify")


def test_a_disk_that_is_full(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """SQLite may take no page more than it has."""
    connect = sqlite3.connect

    def full(path: str, **more: object) -> sqlite3.Connection:
        db = connect(path, **more)  # type: ignore[call-overload]
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    monkeypatch.setattr(sqlite.sqlite3, "connect", full)
    Path("script").write_text("note 'a line that fills a page when it is repeated'\n" * 50)
    answer = table("run", "script")
    assert answer.code == 2
    clear(answer, "The disk that holds")
    assert "is full." in answer.err
    table.done("verify")
    recorded = head()
    table("run", "script")
    assert head() == recorded


def test_a_disk_that_takes_no_byte_more(table: Shell, tmp_path: Path):
    """The system refuses a write in the middle: the ledger stays as it was."""
    before = Path("test.affray").read_bytes()
    limit = len(before) // 2
    done = subprocess.run(
        command("note", "hi"), cwd=tmp_path, env=environment(), capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    answer = Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert answer.code == 2
    clear(answer, "test.affray could not be read or written")
    assert answer.out == ""
    table.done("verify")
    assert head() == 1


# Stat blocks


@pytest.mark.parametrize("sheet", [
    b'name = "Bob"\nhp =\n',
    b'name = "Bob\n',
    b'name = "B\xffb"\n',
    b'name = "Bob"\nhpp = 3\n',
    b'name = "Bob"\nhp = "three"\n',
    b'name = "Bob"\nspeed = 1001\n',
    b'name = "Bob"\nspeed = -1\n',
    b'name = "Bob"\nkind = "dragon"\n',
    b'name = "Bob"\nspeed = 1.5\n',
    b'name = "Bob"\nspeed = 99999999999999999999\n',
    b'name = "Bob"\nspeed = 2026-05-01\n',
    b'name = "a\\u001b[31mb"\n',
    b'name = "two words?"\n',
    b'name = "Bob"\n[[items]]\nslot = "weapon"\n',
    b'name = "Bob"\n[[items]]\nname = "x"\nslot = "nose"\n',
    b'name = 3\n',
    b'combatants = 3\n',
    b'[combatants]\na = 3\n',
    pytest.param(b'x = ' + b"[" * 5000, id="deep"),
    pytest.param(b'name = "Bob"\nhp = 0x' + b"f" * 6000, id="a long hexadecimal number"),
    pytest.param(b'name = "Bob"\nhp = 0b' + b"1" * 60_000, id="a long binary number"),
    pytest.param(b'name = "Bob"\nhp = ' + b"9" * 6000, id="a long number"),
    pytest.param(b"[a]\n" * 100_000, id="one table again and again"),
    pytest.param(b"".join(b"[a%d]\n" % nth for nth in range(100_000)), id="many tables"),
    pytest.param(b"[[x]]\n" * 100_000, id="a long list"),
    pytest.param(b'#' + b"x" * 1_000_001, id="a large file"),
    pytest.param(b'name = "' + b"x" * 10_000 + b'"\n', id="a long name"),
])  # fmt: skip
def test_a_stat_block_that_is_wrong_says_where(table: Shell, sheet: bytes):
    Path("x.toml").write_bytes(sheet)
    table.refused("join", "x.toml", code=2)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_list_that_names_nobody_is_an_error_in_every_verb(system: str, shell: Shell):
    """A comma alone, in the place of each argument: exit 2 or 3, never a fault."""
    shell.done("init", "Test", "--system", system)
    for verb in (*systems.recorded_verbs(system), *TOOLS):
        for words in ((verb, ","), (verb, ",,"), (verb, ",", "1", "x"), (verb, ",", ",")):
            answer = shell(
                *verb.split(), *words[1:], "--help" if verb in ("serve", "play", "mcp", "demo") else "--json"
            )
            assert answer.code != 70, (words, answer)
    for verb in ("prone", "stand", "leave", "show"):
        if verb in (*systems.recorded_verbs(system), *TOOLS):
            shell.refused(verb, ",", code=2)


def test_a_folder_without_permission_is_said_to_be_one(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """Nobody says that something is not there that they may not look for."""
    stat = os.stat

    def denied(path: Any, *how: Any, **also: Any) -> os.stat_result:
        if "hidden" in str(path):
            raise PermissionError(13, "Permission denied")
        return stat(path, *how, **also)

    monkeypatch.setattr(os, "stat", denied)
    table.refused("join", "hidden/jane.toml", code=2)
    answer = table("--ledger", "hidden/x.affray", "status")
    assert (answer.code, "hidden/x.affray cannot be looked for" in answer.err) == (2, True)


def test_a_stat_block_that_is_not_there(table: Shell):
    table.refused("join", "nobody.toml", code=2)
    table.refused("join", ".", code=2)
    table.refused("join", "x" * 10_000, code=2)
    os.mkfifo("pipe")
    for words in (("join", "pipe"), ("begin", "--from", "pipe"), ("begin", "--party", "pipe")):
        table.refused(*words, code=2)
    table.refused("join", "/dev/zero", code=2)
    table.refused("join", "\x1b[31m", code=2)


def test_several_stat_blocks_in_one_file(table: Shell):
    Path("x.toml").write_text('[combatants.Ann]\n[combatants.Bob]\nkind = "enemy"\n')
    table.done("join", "x.toml")
    assert "Ann" in table.done("status")
    assert "Bob" in table.done("status")
    table.refused("join", "x.toml", "--called", "Cat", code=2)


def test_of_several_stat_blocks_all_join_or_none(table: Shell):
    Path("x.toml").write_text('[combatants.Ann]\n[combatants."B!"]\n')
    table.refused("join", "x.toml", code=2)


# Completion


def test_each_shell_gets_its_script(table: Shell):
    for shell in ("bash", "zsh", "fish"):
        assert "_AFFRAY_COMPLETE" in table.done("completion", shell)


def test_a_shell_without_completion_is_told_which_have_one(table: Shell):
    table.refused("completion", "tcsh", code=2)


def completed(line: str, cwd: Path) -> list[str]:
    """What bash is offered at the end of a line."""
    words = line.split(" ")
    env = {"_AFFRAY_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    answer = affray(cwd=cwd, env=env)
    assert (answer.code, answer.err) == (0, "")
    return [offer.partition(",")[2] for offer in answer.out.splitlines()]


@pytest.mark.slow
def test_bash_completes_verbs_names_and_options(table: Shell, tmp_path: Path):
    table.done("join", "boffin")
    table.done("join", "grub", "--count", "2")
    assert completed("affray stat", tmp_path) == ["stats", "status"]
    assert completed("affray adjust gr", tmp_path) == ["Grub-1", "Grub-2"]
    assert completed("affray leave Boffin,@", tmp_path) == ["Boffin,@party", "Boffin,@foes"]
    assert "--dry-run" in completed("affray note --d", tmp_path)


def test_those_who_may_act_are_offered_before_the_others(table: Shell):
    """Boffin joined first; with a 3 against a 1 it is the turn of the foes."""
    from commands.words.console import Console

    table.done("join", "boffin")
    table.done("join", "grub", "--count", "2")
    assert offered(Console(), "fighter", "") == ["Boffin", "Grub-1", "Grub-2"]
    table.done("begin")
    table.done("initiative", "--dice", "1,3")
    assert offered(Console(), "fighter", "") == ["Grub-1", "Grub-2", "Boffin"]


def test_words_that_can_be_completed(table: Shell):
    """In this process: clauses, kinds, sheets; nothing where there is no ledger."""
    from commands.words.console import Console

    Path("mine.toml").write_text("")
    assert offered(Console(), "kind", "hp-") == ["hp-set", "hp-lost", "hp-gained"]
    assert {"mine.toml", "boffin"} <= set(offered(Console(), "sheet", ""))
    assert offered(Console(), "clause", "opt") == ["options"]
    assert offered(Console("nothing.affray"), "fighter", "") == []
    table.done("join", "grub")
    assert offered(Console(), "value", "grub.h") == ["Grub.hp", "Grub.hp-max"]


# Log, map, export to odd places


def test_the_log_is_filtered(table: Shell):
    table.done("join", "boffin")
    table.done("note", "far away")
    table.done("note", "--about", "boffin", "stumbles")
    assert table.facts("log", "--name", "bof", "--kind", "noted")["entry"] == 4
    assert table.facts("log", "--last", "1")["entry"] == 4
    answer = table("log", "--round", "3")
    assert (answer.out, answer.err) == ("", "Nothing in the record passes these filters.\n")
    table.refused("log", "--kind", "sung", code=2)


def test_an_export_never_takes_the_place_of_a_ledger(table: Shell, tmp_path: Path):
    os.link("test.affray", "link")
    new_book("deep").store.close()
    for target in ("test.affray", "./test.affray", str(tmp_path / "test.affray"), "link", "other.affray"):
        table.refused("export", target, code=2)
    assert sorted(os.listdir()) == ["deep", "link", "test.affray"]


@pytest.mark.slow
def test_a_signal_that_ends_a_command_leaves_nothing_behind(table: Shell, tmp_path: Path):
    """It waits for a script on standard input when it is told to stop."""
    process = subprocess.Popen(
        command("run", "-"), cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write("note hi\n")
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while head() == 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.endswith("Interrupted. The ledger ends with e2.\n")
    assert "Traceback" not in err
    assert os.listdir() == ["test.affray"]
    table.done("verify")


def test_affray_dice_sets_the_default_for_dice(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """`--dice` overrides `$AFFRAY_DICE`."""
    monkeypatch.setenv("AFFRAY_DICE", "ask")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    table.refused("roll", "d20", code=2)
    assert "4" in table.done("roll", "d6", "--dice", "4")
    table.done("roll", "d6", "--dice", "roll")


# Names and files


def test_the_log_of_a_name_goes_back_beyond_a_rename(table: Shell):
    table.done("join", "boffin", "grub")
    table.done("rename", "grub", "Mudge")
    table.done("damage", "mudge", "3", "a stone")
    told = table.done("log", "--name", "mudge", "--json").splitlines()
    assert [json.loads(line)["entry"] for line in told] == [2, 3, 4]
    assert HpLost("Mudge", 3, 17, 20) in recorded(4)


def test_a_rename_that_changes_nothing_is_refused(table: Shell):
    table.done("join", "boffin")
    table.refused("rename", "boffin", "Boffin", code=2)
    table.done("rename", "boffin", "BOFFIN")
    assert Renamed("Boffin", "BOFFIN") in recorded()


@pytest.mark.parametrize("words", [("verify", "a b.affray"), ("import", "a b.affray", "copy.affray")], ids=" ".join)
def test_a_ledger_in_place_of_an_export_is_called_a_ledger(table: Shell, words: tuple[str, ...]):
    """The shell of the tests types what the refusal offers."""
    Path("test.affray").rename("a b.affray")
    table.refused(*words, code=2, ledger="a b.affray")
