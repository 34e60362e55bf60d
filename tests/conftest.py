"""What several tests stand on."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from commands.book import Book
from tests.shell import Shell, new_book

MEMORY = Path("/dev/shm")
"""A folder in memory, on Linux: thousands of commits need not wait for a disk."""
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
    tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("AFFRAY_EXPLORE") else "steady")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in an empty folder."""
    for name in [name for name in os.environ if name.startswith(("AFFRAY", "_AFFRAY"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFFRAY_BY", "tester")
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


@pytest.fixture
def table(shell: Shell) -> Shell:
    """A shell in a folder with the ledger `test.affray`, which holds one entry."""
    shell.done("init", "Test", "--key", bytes(range(32)).hex())
    return shell


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """A ledger `book.affray` that holds one entry."""
    made = new_book(tmp_path / "book.affray")
    yield made
    made.store.close()
