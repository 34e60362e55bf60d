"""Long work says how far it is, to a terminal and to nobody else."""

import io
from collections.abc import Iterator

import pytest

from commands.progress import watched


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
    """A file, a pipe, a terminal that cannot move its cursor."""
    plain, dumb = io.StringIO(), Terminal()
    assert list(watched([1, 2], 2, "export", plain, lambda: 99.0)) == [1, 2]
    monkeypatch.setenv("TERM", "dumb")
    assert list(watched([1, 2], 2, "export", dumb, lambda: 99.0)) == [1, 2]
    assert plain.getvalue() == dumb.getvalue() == ""


def test_the_line_vanishes_when_the_work_is_interrupted():
    screen, clock = Terminal(), seconds(0, 1, 2)

    def work() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(watched(work(), 10_000, "import", screen, lambda: next(clock)))
    assert screen.getvalue() == "\rimport: 0 of 10,000 (0%)\x1b[K\r\x1b[K"
