"""Ctrl-C at any instant, and output that nobody can write: a sentence says how the ledger ends, never a traceback."""

import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands.action.book import Book
from commands.action.common import Note
from commands.shell import main
from commands.shell.cli import run
from commands.words.console import Console
from ledger.errors import AlreadyRecorded
from ledger.sqlite import SqliteStore
from tests.sample import sampled
from tests.shell import Shell, affray, command, environment, new_book, say
from tests.test_cli import head

RECORDING = (
    ("note", "x"), ("undo",), ("redo",), ("amend", "e2", "--text", "z", "--apply"),
    ("import", "old.jsonl", "new.affray"), ("--ledger", "new.affray", "init", "New", "--system", "freepg"),
    ("demo", "freepg", "--file", "new.affray"), ("run", "script"), ("copy", "test.affray", "new.affray"),
    ("salvage", "test.affray", "new.affray"),
)  # fmt: skip
"""Every command that records something."""
TRIES = 25

READY = """
import os, sys
import affray
import commands.shell.main
os.write(2, b"ready")
sys.argv[1:] = {words!r}
commands.shell.main.main()
"""
"""The program, which says when it has imported the first module of ours: from then on Ctrl-C is answered."""


@pytest.fixture
def played(table: Shell) -> Shell:
    """A ledger in which everything can be said that records something."""
    for text in ("one", "two", "three"):
        table.done("note", text)
    table.done("export", "old.jsonl")
    table.done("undo")
    Path("script").write_text("note a\nroll 2d6\nundo\nredo\n" * 3)
    return table


def interrupted(words: tuple[str, ...], after: float) -> tuple[int, str]:
    """The code of a command that gets Ctrl-C so long after its first import, and what it said on standard error."""
    with subprocess.Popen(
        [sys.executable, "-c", READY.format(words=list(words))], env=environment({"AFFRAY_LEDGER": "test.affray"}),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stderr
        assert process.stderr.read(5) == b"ready"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
    return process.returncode, err


@pytest.mark.slow
def test_ctrl_c_at_any_instant_is_answered_in_a_sentence(played: Shell):
    """Or the command was done already; the ledger is sound and no draft is left."""
    moments = random.Random(20261122)
    codes = set()
    kept = {"test.affray", "old.jsonl", "script"}
    for number in range(TRIES):
        words = RECORDING[number % len(RECORDING)]
        code, err = interrupted(words, moments.random() * 0.15)
        codes.add(code)
        assert "Traceback" not in err
        assert "fault" not in err
        if code == 130:
            told = err.removeprefix("The ledger is new.affray.\n")
            assert re.fullmatch(r"\n+Interrupted\. (Nothing was recorded|.* ends with e[0-9]+)\.\n", told), (words, err)
        elif words[0] not in ("undo", "redo"):  # which may have nothing to take back or to bring back
            assert code == 0, (words, err)
        assert {*os.listdir()} - kept <= {"new.affray"}
        Path("new.affray").unlink(missing_ok=True)
    assert 130 in codes
    played.done("verify")


@pytest.mark.parametrize("words", RECORDING, ids=" ".join)
def test_what_was_recorded_is_said_when_the_interrupt_comes_after_it(
    words: tuple[str, ...], played: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The file itself is asked, even for a ledger that the command has just made."""
    monkeypatch.setenv("AFFRAY_LEDGER", "test.affray")

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("commands.words.console.Console.say", interrupt)
    before = head()
    if words == ("redo",):
        assert "e6" in affray("redo", cwd=Path()).out
        played("undo")
        before = head()
    answer = played(*words)
    assert answer.code == 130
    made = Path("new.affray")
    if made.exists():
        assert answer.err.endswith(f"Interrupted. new.affray ends with e{head('new.affray')}.\n")
    else:
        assert head() > before
        assert answer.err.endswith(f"Interrupted. The ledger ends with e{head()}.\n")


def test_an_interrupt_that_a_library_turns_into_another_error_is_an_interrupt(
    played: Shell, monkeypatch: pytest.MonkeyPatch
):
    """SQLite answers that its authorizer denied the statement."""
    console = Console()

    def deny(*_: object) -> int:
        console.interrupted = True
        raise KeyboardInterrupt

    opened = SqliteStore.open

    def denying(path: str) -> SqliteStore:
        store = opened(path)
        if not console.interrupted:
            store._db.set_authorizer(deny)
        return store

    monkeypatch.setattr(SqliteStore, "open", denying)
    assert run(["note", "x"], console) == 130
    assert head() == 5


def test_a_script_that_is_interrupted_before_its_last_step_leaves_no_journal(
    played: Shell, monkeypatch: pytest.MonkeyPatch
):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("commands.action.book.Book.keep", interrupt)
    assert played("run", "script").code == 130
    assert {*os.listdir()} == {"test.affray", "old.jsonl", "script"}


def test_ctrl_c_in_a_destructor_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Python cannot raise it there: the command goes on to its end, and has not been interrupted."""

    class Loud:
        def __del__(self) -> None:
            console.interrupted = True
            raise KeyboardInterrupt

    console = Console()
    monkeypatch.setattr(main._signal, "getsignal", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    main.Interrupts(console)
    Loud()
    assert capsys.readouterr().err == ""
    assert not console.interrupted


def test_an_ignored_ctrl_c_stays_ignored(played: Shell):
    """As for `affray ... &` in a script."""
    line = f"trap '' INT; exec {shlex.join([sys.executable, '-c', READY.format(words=['note', 'x'])])}"
    with subprocess.Popen(
        ["sh", "-c", line], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr
        assert process.stderr.read(5) == b"ready"
        process.send_signal(signal.SIGINT)
        assert process.communicate()[0] == b"x  e6\n"


# Output that cannot be written


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", sampled(RECORDING, 6), ids=" ".join)
def test_a_full_disk_behind_the_output_does_not_hide_what_was_recorded(
    words: tuple[str, ...], unbuffered: str, played: Shell
):
    """Exit code 6, and how the ledger ends; with --json as JSON on standard error."""
    env = environment({"AFFRAY_LEDGER": "test.affray", "PYTHONUNBUFFERED": unbuffered})
    if words == ("redo",):
        env.pop("AFFRAY_LEDGER")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command(*words), env=env, stdout=full, stderr=subprocess.PIPE, text=True)
    made = "new.affray" if Path("new.affray").exists() else ""
    end = f"{made or 'The ledger'} ends with e{head(made or 'test.affray')}."
    assert done.returncode == 6, done.stderr
    said = f"Error: The output cannot be written: No space left on device. What was done is recorded. {end}\n"
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    hint = done.stderr.rpartition("Try: affray ")[2].strip()
    played.done(*hint.split())


def test_a_full_disk_is_told_in_json_where_it_can_be(played: Shell):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("note", "x", "--json"), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 6
    assert '"reference":"recorded","code":6,' in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [("status",), ("note", "x", "--dry-run"), ("amend", "e2", "--text", "z")])
def test_a_full_disk_behind_what_records_nothing_is_an_output_that_cannot_be_written(
    words: tuple[str, ...], played: Shell
):
    for unbuffered in ("", "1"):
        with open("/dev/full", "wb") as full:
            env = environment({"PYTHONUNBUFFERED": unbuffered})
            done = subprocess.run(command(*words), env=env, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2
        assert done.stderr.endswith("Error: The output cannot be written: No space left on device.\n")
    assert head() == 5


class LastSyncFails:
    """A connection whose disk reports an error when all is written, as the last sync of the folder can."""

    def __init__(self, db: sqlite3.Connection, commits: bool) -> None:
        self._db, self._commits = db, commits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        if query != "COMMIT":
            return self._db.execute(query, *values)
        if self._commits:
            self._db.execute("COMMIT")
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


def test_an_error_of_the_disk_at_the_last_sync_says_what_stands(tmp_path: Path):
    """The entry is in the file: e2 is recorded. Where it is not, nothing was."""
    book = new_book(tmp_path / "test.affray")
    whole = book.store._db
    book.store._db = LastSyncFails(whole, commits=True)  # type: ignore[assignment]
    with pytest.raises(AlreadyRecorded, match=r"The disk reports an error \(disk I/O error\), .* ends with e2\."):
        say(book, Note("there"))
    book.store._db = LastSyncFails(whole, commits=False)  # type: ignore[assignment]
    with pytest.raises(Exception, match="could not be read or written") as error:
        say(book, Note("not there"))
    assert not isinstance(error.value, AlreadyRecorded)
    book.store._db = whole
    assert Book(book.store).store.head().entry == 2
    book.store.close()
