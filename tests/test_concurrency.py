"""Many at once, and a sudden end: what was printed is there, and nothing is there twice."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.past.audit import audit
from commands.words.discovery import opened
from ledger.events import Rolled, decode
from ledger.store import Store
from tests.engines import ENGINES, engine_named
from tests.kit import KEY
from tests.shell import Shell, command, environment

SIXTEEN = 16
KILLS = 25


@pytest.fixture(params=[pytest.param(one, marks=[pytest.mark.slow] if one == "postgres" else []) for one in ENGINES])
def where(request: pytest.FixtureRequest, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ledger of one entry, which every command means."""
    place = engine_named(request.param, tmp_path).place()
    monkeypatch.setenv("AFFRAY_LEDGER", place)
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    return place


def sound(where: str) -> tuple[Store, int]:
    """The ledger, audited, with the number of its entries."""
    store = opened(where)
    return store, audit(Book(store)).entries


def left(folder: Path) -> set[str]:
    """What lies in the folder besides the ledger."""
    return {*os.listdir(folder)} - {"camp1.affray"}


@pytest.mark.slow
def test_sixteen_at_once_lose_nothing(where: str, tmp_path: Path):
    """Each records four entries: all are there, in one chain, and no die was thrown twice."""
    script = "roll 2d6 --why {0}\nnote {0}\nroll d20 --why {0}\nnote {0} again\n"
    processes = [
        subprocess.Popen(
            command("run", "-"), cwd=tmp_path, env=environment({"AFFRAY_WAIT": "60", "AFFRAY_LEDGER": where}),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(SIXTEEN)
    ]  # fmt: skip
    for number, process in enumerate(processes):
        assert process.stdin
        process.stdin.write(script.format(f"n{number}"))
        process.stdin.flush()
    answers = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * SIXTEEN
    printed = [int(line.rpartition("  e")[2]) for out, _ in answers for line in out.splitlines() if "  e" in line]
    store, entries = sound(where)
    assert entries == 1 + 4 * SIXTEEN
    assert sorted(printed) == list(range(2, entries + 1))
    events = [decode(body) for body in store.bodies([(1, entries)])]
    places = [place for event in events if isinstance(event, Rolled) for place in event.places]
    assert [-place for place in places] == list(range(1, 3 * SIXTEEN + 1))
    assert left(tmp_path) == set()
    store.close()


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_that_was_printed(where: str, shell: Shell, tmp_path: Path):
    """Killed again and again while it records: what was printed stands, and at most one entry more."""
    moments = random.Random(20260501)
    (tmp_path / "script").write_text("roll 2d6 --why luck\nnote 'a line'\nundo\nredo\n" * 500)
    printed, kills = 1, 0
    while kills < KILLS or printed <= KILLS:
        kills += 1
        process = subprocess.Popen(
            [*command("run", "script")], cwd=tmp_path,
            env=environment({"PYTHONUNBUFFERED": "1", "AFFRAY_LEDGER": where}), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout
        assert process.stderr
        late = max(0, kills - KILLS) * 0.02  # a machine that is slow today gets to its first line in the end
        time.sleep(0.08 + moments.random() * 0.12 + late)
        process.send_signal(signal.SIGKILL)
        out = process.stdout.read().decode()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        lines = [line for line in out.splitlines(keepends=True) if line.endswith("\n") and "  e" in line]
        if lines:
            printed = int(lines[-1].rpartition("  e")[2])
        store = opened(where)
        with store.writing() as head:  # waits until a server has ended what was under way
            recorded = head.entry
        assert printed <= recorded <= printed + 1
        printed = recorded
        store.close()
    store, entries = sound(where)
    assert entries == printed
    assert entries > KILLS
    store.close()
    shell.done("note", "and on it goes")
    assert left(tmp_path) == {"script"}
