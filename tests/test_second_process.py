"""`verify` by two processes: whatever is in a ledger, they find what one process finds."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.past import processes, soundness
from commands.past.soundness import Audit, Later, examine, later
from ledger.errors import AffrayError
from ledger.sqlite import SqliteStore
from tests.formats import FORMATS, path_of
from tests.sample import WHOLE
from tests.shell import Shell, chain_anew, forge, without_guards
from tests.test_strangers import STRANGE

CHANGED = [name for name, changes in STRANGE.items() if all(one.startswith(("UPDATE", "DELETE")) for one in changes)]
"""What is only changed or gone, and no other table or view."""


class Here:
    """A second process that is none, and does its task when it is asked for the answer."""

    joined = 0
    """How many answers were used, or could have been."""

    def __init__(self, work: object, task: Later) -> None:
        assert work is later
        self.task = task

    def answer(self) -> object:
        found, _ = later(self.task)
        Here.joined += found is not None
        return found

    def stop(self) -> None:
        pass


@contextmanager
def second_from(monkeypatch: pytest.MonkeyPatch, first: int) -> Iterator[None]:
    """The second process begins with this entry, or the next one that begins a command."""
    with monkeypatch.context() as patched:
        patched.setattr(soundness, "LONG", 1)
        patched.setattr(soundness, "_START", first)
        patched.setattr(soundness, "_SHARE", 0)
        yield


def examined(path: Path, processes: int, checks: tuple[str, ...] = ()) -> Audit | str:
    """What is found, or why nothing can be looked for."""
    try:
        with closing(SqliteStore.open(str(path))) as store:
            return examine(Book(store), checks, processes)
    except (AffrayError, sqlite3.Error) as error:
        return str(error)


def check_same(path: Path, monkeypatch: pytest.MonkeyPatch, *firsts: int, checks: tuple[str, ...] = ()) -> None:
    """Two processes find what one finds, wherever the second one begins."""
    monkeypatch.setattr(processes, "Beside", Here)
    alone = examined(path, 1, checks)
    for first in firsts:
        with second_from(monkeypatch, first):
            assert examined(path, 2, checks) == alone, first


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FORMATS.glob("*.affray")), ids=lambda path: path.stem)
def test_two_processes_find_what_one_finds_in_a_sound_and_in_a_drifting_ledger(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Undos, amendments, stirs and reveals on both sides; and the second one is used where a command begins."""
    monkeypatch.setattr(Here, "joined", 0)
    copy = Path(shutil.copy(path, tmp_path))
    head = SqliteStore.open(str(copy)).head().entry
    firsts = range(2, head + 1, max(1, head // 3))
    check_same(copy, monkeypatch, *firsts)
    assert Here.joined >= len(firsts) - 1


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(60 if WHOLE else 2))
def test_two_processes_find_what_one_finds_in_a_damaged_ledger(
    system: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One to three things are changed anywhere; half of the ledgers are chained anew, as by a forger with the key."""
    chance = random.Random(f"{system} {seed}")
    path = Path(shutil.copy(path_of(system), tmp_path))
    head = SqliteStore.open(str(path)).head().entry
    for _ in range(chance.randint(1, 3)):
        damaged(path, chance.randint(1, head), chance)
    if chance.random() < 0.5:
        with suppress(TypeError, ValueError, LookupError):  # of what no digest can cover
            chain_anew(path)
    checks = chance.choice([(), (), ("rules",), ("course", "checkpoints"), ("dice", "rules")])
    check_same(path, monkeypatch, chance.randint(2, head), checks=checks)


def damaged(path: Path, entry: int, chance: random.Random) -> None:
    """Changes something of an entry."""
    number = chance.choice((0, 1, entry - 1, entry, entry + 1, 999))
    with without_guards(path) as db:
        bodies = db.execute("SELECT seq, body FROM events WHERE entry = ?", (entry,)).fetchall()
        if not bodies:
            return
        seq, body = chance.choice(bodies)
        digits = [at for at, sign in enumerate(body) if sign.isdigit()]
        at = chance.choice(digits) if digits else 0
        changed = f"{body[:at]}{(int(body[at]) + 1) % 10}{body[at + 1 :]}" if digits else body.replace('"', "'", 1)
        column = chance.choice(("after", "command", "origin", "drawn", "hidden"))
        statement, values = chance.choice([
            ("UPDATE events SET body = ? WHERE seq = ?", (changed, seq)),
            ("UPDATE events SET body = ? WHERE seq = ?", (changed, seq)),
            ("UPDATE events SET split = split + 1 WHERE seq = ?", (seq,)),
            ("DELETE FROM events WHERE seq = ?", (seq,)),
            ("DELETE FROM entries WHERE entry = ?", (entry,)),
            (f"UPDATE entries SET {column} = ? WHERE entry = ?", (number, entry)),
            ("UPDATE entries SET typed = 'x' WHERE entry = ?", (entry,)),
            ("UPDATE entries SET program = 'affray 0.0.9 freepg-0' WHERE entry = ?", (entry,)),
            ("UPDATE entries SET digest = ? WHERE entry = ?", ("0" * 64, entry)),
            ("UPDATE checkpoints SET state = '{}' WHERE entry >= ?", (entry,)),
        ])  # fmt: skip
        db.execute(statement, values)


@pytest.mark.slow
@pytest.mark.parametrize("strange", CHANGED[:: 1 if WHOLE else 3])
def test_two_processes_find_what_one_finds_in_a_strange_file(
    strange: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Also where an entry stands after itself: no amendment after it follows that course for ever."""
    path = Path(shutil.copy(path_of("freepg"), tmp_path))
    forge(path, *STRANGE[strange])
    check_same(path, monkeypatch, 4)


@pytest.mark.slow
def test_verify_says_the_same_with_a_real_second_process(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """And where that one is killed, or cannot be started, the first one goes on alone."""
    shutil.copy(path_of("aachen"), "test.affray")
    alone = shell.done("verify")
    monkeypatch.setattr("commands.past.audit.cores", lambda: 2)
    with second_from(monkeypatch, 30):
        assert shell.done("verify") == alone
        monkeypatch.setattr(processes, "Beside", Lost)
        assert shell.done("verify") == alone
        monkeypatch.setattr(processes, "Beside", Refused)
        assert shell.done("verify") == alone


class Lost(processes.Beside[Later, object]):
    """A second process that ends by itself."""

    def answer(self) -> object:
        for process in active_children():
            process.kill()
        return super().answer()


class Refused:
    """A second process that the system does not start."""

    def __init__(self, work: object, task: Later) -> None:
        raise OSError
