"""What several tests share."""

import gc
import io
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from commands.action.book import Book, Order, Written
from ledger.store import Head
from tests import clauses, refusals
from tests.shell import ROOT, Shell, new_book

MEMORY = Path("/dev/shm")
"""A folder in memory, on Linux: thousands of commits need not wait for a disk."""
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("AFFRAY_EXPLORE") else "steady")


STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"})
"""Events of Python by which a process starts another one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """For trying other versions of libraries quickly, and for what takes long."""
    parser.addoption("--no-processes", action="store_true", help="leave every test as soon as it starts a process")
    parser.addoption("--slow", action="store_true", help="run the tests that take long, and no others")


def pytest_configure(config: pytest.Config) -> None:
    """Heeds the option. Ctrl-C reaches the processes of the tests even where a shell runs these in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--slow"):
        config.option.loadscopereorder = False  # pytest-xdist would begin the files of few tests last, the longest ones
    if config.getoption("--no-processes"):
        config.pluginmanager.register(NoProcesses())
    if os.environ.get("AFFRAY_CLAUSES"):
        Book.write = noted(Book.write)  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long is left out, unless its file or folder is named or `--slow` asks for it; files of which a browser
    is waited for begin first then.
    """
    slow = config.getoption("--slow")
    if not slow and [Path(arg.partition("::")[0]).resolve() for arg in config.args] != [ROOT / "tests"]:
        return
    marked = [item for item in items if item.get_closest_marker("slow")]
    others = [item for item in items if not item.get_closest_marker("slow")]
    waited = {item.path for item in marked if "browser" in getattr(item, "fixturenames", ())}
    marked.sort(key=lambda item: item.path not in waited)
    items[:], left = (marked, others) if slow else (others, marked)
    config.hook.pytest_deselected(items=left)


def pytest_collection_finish() -> None:
    """The tests themselves stay to the end: the collector of garbage need not go through them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A test that holds has said all that is written down of it."""
    refusals.SAID.clear()
    done = yield
    refusals.check_all_said(item.nodeid)
    return done


def noted(write: Callable[..., Head]) -> Callable[..., Head]:
    """The function that writes entries; it also keeps the clauses of each."""

    def listening(book: Book, head: Head, course: Sequence[Written], order: Order) -> Head:
        for written in course:
            clauses.note(written.events)
        return write(book, head, course, order)

    return listening


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tells which clauses came out."""
    if path := os.environ.get("AFFRAY_CLAUSES"):
        clauses.append(path)
    if os.environ.get("AFFRAY_REWRITE") and not hasattr(session.config, "workerinput"):
        refusals.sort()


class NoProcesses:
    """A test that starts a process is skipped there, whichever way it does so."""

    def __init__(self) -> None:
        self.testing = False
        sys.addaudithook(self.leave)

    def leave(self, event: str, _: object) -> None:
        """Python tells what it is about to do."""
        if self.testing and event in STARTS:
            pytest.skip("starts a process")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """From the set-up of a test to its end."""
        self.testing = True
        try:
            return (yield)
        finally:
            self.testing = False


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of this process print lines as wide as they like; `tests/test_lines.py` tests how they are broken."""
    monkeypatch.setattr("commands.words.screen.USUAL", 100_000)
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in an empty folder."""
    for name in [name for name in os.environ if name.startswith(("AFFRAY", "_AFFRAY"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFFRAY_BY", "tester")
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets the clock of commands to so many days, and `hours`, after a new year."""
    start = 1_767_225_600.0
    real, now = time.localtime, [start]
    monkeypatch.setattr(time, "localtime", lambda *said: real(*said) if said else real(now[0]))

    def wait(days: float, hours: float = 0) -> None:
        now[0] = start + days * 86_400 + hours * 3_600

    return wait


class Keyboard(io.StringIO):
    """Words that somebody types on a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch):
    """Types words on a terminal."""
    return lambda words: monkeypatch.setattr(sys, "stdin", Keyboard(words))


@pytest.fixture
def table(shell: Shell) -> Shell:
    """A shell in a folder with the ledger `test.affray`, which holds one entry."""
    shell.done("init", "Test", "--system", "freepg", "--key", bytes(range(32)).hex())
    return shell


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A ledger `book.affray` that holds one entry."""
    made = new_book(tmp_path / "book.affray")
    yield made
    made.store.close()
