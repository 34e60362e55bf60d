"""Long work shows its progress, only on a terminal."""

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from commands.words.progress import Item, watched
from tests.shell import Shell, environment


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def seconds(*moments: float) -> Iterator[float]:
    yield from moments


def test_a_terminal_sees_how_far_the_work_is_and_the_line_vanishes():
    """Nothing in the first half second, then ten times a second at most."""
    screen, clock = Terminal(), seconds(0, 0.25, 0.5, 0.5625, 0.75)
    assert list(watched("abcd", 4, "verify", screen, lambda: next(clock))) == list("abcd")
    assert screen.getvalue() == "\rverify: 1 of 4 (25%)\x1b[K\rverify: 3 of 4 (75%)\x1b[K\r\x1b[K"


def test_short_work_says_nothing():
    screen = Terminal()
    assert list(watched([1, 2], 2, "export", screen, lambda: 0.0)) == [1, 2]
    assert screen.getvalue() == ""


def test_nobody_else_sees_anything(monkeypatch: pytest.MonkeyPatch):
    """A file, a pipe, a terminal that cannot move its cursor; a second for each item is long work."""
    plain, dumb, able = io.StringIO(), Terminal(), Terminal()
    assert list(watched([1, 2], 2, "export", plain, partial(next, seconds(0, 1, 2)))) == [1, 2]
    assert list(watched([1, 2], 2, "export", able, partial(next, seconds(0, 1, 2)))) == [1, 2]
    monkeypatch.setenv("TERM", "dumb")
    assert list(watched([1, 2], 2, "export", dumb, partial(next, seconds(0, 1, 2)))) == [1, 2]
    assert plain.getvalue() == dumb.getvalue() == ""
    assert "export: 1 of 2 (50%)" in able.getvalue()


def test_some_work_is_told_everywhere_ever_more_seldom():
    """A line after two seconds, and then after each time that is twice as long."""
    plain, clock = io.StringIO(), seconds(0, 1, 2, 3, 4, 5, 6)
    assert list(watched("abcdef", 6, "odds", plain, lambda: next(clock), everywhere=True)) == list("abcdef")
    assert plain.getvalue() == "odds: 1 of 6 (16%)\nodds: 3 of 6 (50%)\n"


def test_the_line_vanishes_when_the_work_is_interrupted():
    screen, clock = Terminal(), seconds(0, 1, 2)

    def work() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(watched(work(), 10_000, "import", screen, lambda: next(clock)))
    assert screen.getvalue() == "\rimport: 0 of 10,000 (0%)\x1b[K\r\x1b[K"


IMPATIENT = (
    "import affray; from commands.words import progress; from commands.shell import main;"
    " progress.PATIENCE = progress.PAUSE = 0; main.main()"
)
"""The program, which says at once how far it is."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "story.md"], r"export: 1 of 4 \(25%\)"),
        (["verify"], r"verify: 3 of 4 \(75%\)"),
        (["import", "old.jsonl", "new.affray"], r"import: 2 of 5 \(40%\)"),
        (["amend", "e2", "--drop", "--apply"], r"amend: 1 of 2 \(50%\)"),
    ],
)
def test_long_work_is_watched_on_a_real_terminal(table: Shell, tmp_path: Path, words: list[str], said: str):
    """The line is on standard error only, and gone at the end."""
    for text in ("one", "two", "three"):
        table.done("note", text)
    table.done("export", "old.jsonl")
    mine, its = pty.openpty()
    env = environment({"TERM": "xterm", "AFFRAY_LEDGER": "test.affray"})
    with subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *words], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=its
    ) as process:
        os.close(its)
        seen = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while part := os.read(mine, 4096):
                seen += part
        out, _ = process.communicate(timeout=30)
    os.close(mine)
    assert process.returncode == 0, seen
    assert re.search(said, seen.decode())
    assert seen.decode().rpartition("\x1b[K")[2].strip("\r\n").count("%") == 0
    assert b"%" not in out


def test_an_interrupted_import_leaves_nothing_and_an_interrupted_audit_changes_nothing(
    table: Shell, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(items: Iterable[Item], *_: object) -> Iterator[Item]:
        yield next(iter(items))
        raise KeyboardInterrupt

    table.done("export", "old.jsonl")
    before = Path("test.affray").read_bytes()
    monkeypatch.setattr("commands.files.transfer.watched", interrupted)
    monkeypatch.setattr("commands.past.soundness.watched", interrupted)
    for words in (("import", "old.jsonl", "new.affray"), ("verify",)):
        answer = table(*words)
        assert (answer.code, answer.out) == (130, "")
        assert "Interrupted." in answer.err
    assert sorted(os.listdir()) == ["old.jsonl", "test.affray"]
    assert Path("test.affray").read_bytes() == before
