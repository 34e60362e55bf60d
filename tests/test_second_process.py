"""`verify` by two processes: whatever is in a ledger, they find what one process finds."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.past import processes, soundness
from commands.past.findings import CHECKS
from commands.past.soundness import Audit, Later, examine, later
from ledger.errors import AffrayError
from ledger.sqlite import SqliteStore
from projections.state import VERSION, State
from tests.formats import FORMATS, path_of
from tests.sample import WHOLE
from tests.shell import Shell, chain_anew, forge, ledger_here, without_guards
from tests.test_strangers import STRANGE

CHANGED = [name for name, changes in STRANGE.items() if all(one.startswith(("UPDATE", "DELETE")) for one in changes)]
"""What is only changed or gone, and no other table or view."""


class Here:
    """A second process that is none, and does its task when it is asked for the answer."""

    joined = 0
    """How many answers were used, or could have been."""
    asked = 0
    """How often an answer was asked for."""

    def __init__(self, work: object, task: Later) -> None:
        assert work is later
        self.task = task

    def answer(self) -> object:
        Here.asked += 1
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


@pytest.fixture
def long(shell: Shell) -> Path:
    """Eight entries: a blow on typed dice, and two house rules after the undo of a note."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 31 + "07")
    shell.done("join", "boffin", "grub")
    for line in ("attack boffin grub --dice 9,10", "note a", "undo", "option min_hit_damage 2"):
        shell.done(*line.split())
    shell.done("option", "min_hit_damage", "3")
    shell.done("option", "min_hit_damage", "4")
    return Path(ledger_here())


def asked(path: Path, monkeypatch: pytest.MonkeyPatch, first: int, *checks: str) -> int:
    """How often two processes, which find what one finds, ask the second for its half, which begins with an entry."""
    Here.asked = 0
    check_same(path, monkeypatch, first, checks=checks)
    return Here.asked


@pytest.mark.parametrize("first", [2, 3, 4, 5, 7, 8])
@pytest.mark.parametrize("checks", [(), ("rules",), ("course", "dice")])
def test_the_second_half_of_a_sound_ledger_is_what_the_second_process_found(
    first: int, checks: tuple[str, ...], long: Path, monkeypatch: pytest.MonkeyPatch
):
    assert asked(long, monkeypatch, first, *checks) == 1


@pytest.mark.parametrize(("first", "events"), [(7, 4), (8, 2)])
def test_what_the_second_process_counts_is_its_own_half(first: int, events: int, long: Path):
    """e7 and e8 are two house rules: two events each."""
    with closing(SqliteStore.open(str(long))) as store:
        before, after = (Book(store).state_at(entry).digest() for entry in (first - 1, 8))
    half, _ = later(Later(str(long), tuple(CHECKS), first, 8))
    assert half
    assert (half.before, half.state, half.events, half.findings) == (before, after, events, ())
    assert later(Later(str(long), tuple(CHECKS), first, 9))[0] is None


def test_nothing_is_believed_of_a_second_process_where_something_before_its_half_is_not_sure(
    long: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whatever is checked: a face, and a checkpoint that only its own check tells of."""
    copies = [Path(shutil.copy(long, f"{name}.affray")) for name in ("face", "checkpoint")]
    forge(copies[0], "UPDATE events SET body = replace(body, '[9]', '[8]') WHERE entry = 3")
    with closing(SqliteStore.open(str(copies[1]))) as store:
        [(entry, digest)] = [(one.entry, digest) for one, digest in store.entries(3, 3)]
        store.save_checkpoint(entry, digest, VERSION, State().encoded())
    assert asked(copies[0], monkeypatch, 7) == 0
    assert asked(copies[1], monkeypatch, 7, "rules") == 0
    assert asked(copies[1], monkeypatch, 2, "rules") == 1


def test_a_second_process_finds_nothing_where_its_own_half_is_not_what_was_recorded(long: Path):
    """The last house rule is another one."""
    forge(long, """UPDATE events SET body = replace(body, '4', '5') WHERE entry = 8""")
    assert later(Later(str(long), tuple(CHECKS), 7, 8))[0] is None


@pytest.mark.parametrize("same", [True, False])
def test_a_second_process_is_believed_if_it_began_with_the_state_to_which_the_first_one_comes(
    same: bool, long: Path, monkeypatch: pytest.MonkeyPatch
):
    """One that says of itself that it saw a thousand events more."""

    class More(Here):
        def answer(self) -> object:
            found, _ = later(self.task)
            assert found
            return replace(found, events=found.events + 1000, before=found.before if same else "0" * 64)

    alone = examined(long, 1)
    monkeypatch.setattr(processes, "Beside", More)
    with second_from(monkeypatch, 7):
        both = examined(long, 2)
    assert isinstance(alone, Audit)
    assert isinstance(both, Audit)
    assert both.events == alone.events + 1000 * same


def test_a_second_process_is_started_only_where_something_is_resolved_again(
    long: Path, monkeypatch: pytest.MonkeyPatch
):
    started = list[int]()
    monkeypatch.setattr(processes, "Beside", lambda work, task: started.append(task.first) or Here(work, task))
    with second_from(monkeypatch, 7):
        examined(long, 1)
        examined(long, 2, ("chain", "dice", "file", "checkpoints"))
        assert started == []
        examined(long, 2, ("course",))
        assert started == [7]


def test_a_second_process_begins_with_a_command_behind_its_share_of_the_ledger(
    long: Path, monkeypatch: pytest.MonkeyPatch
):
    """Of 8 entries 1 and half of all are 5; but e5 is an undo."""
    started = list[int]()
    monkeypatch.setattr(processes, "Beside", lambda work, task: started.append(task.first) or Here(work, task))
    with second_from(monkeypatch, 1):
        monkeypatch.setattr(soundness, "_SHARE", 50)
        examined(long, 2)
    assert started == [6]


def test_a_ledger_is_long_from_a_number_of_entries_on(long: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(processes, "Beside", Here)
    monkeypatch.setattr(soundness, "_START", 2)
    for many, times in ((9, 0), (8, 1)):
        Here.asked = 0
        monkeypatch.setattr(soundness, "LONG", many)
        examined(long, 2)
        assert Here.asked == times


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


@pytest.mark.parametrize(("jobs", "long", "alone"), [(1, True, [1, 2, 3]), (2, False, [1, 2, 3]), (2, True, [])])
def test_short_work_and_that_of_one_process_is_done_alone(
    jobs: int, long: bool, alone: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Half a second is enough for three tasks, and the other process is one that answers here."""
    here = list[int]()

    def work(task: int) -> tuple[int, tuple[int, ...]]:
        here.append(task)
        return -task, ()

    @contextmanager
    def elsewhere(_: object, many: int) -> Iterator[object]:
        assert many == jobs
        yield lambda task: SimpleNamespace(result=lambda: (-task, ()))

    monkeypatch.setattr(processes, "_pool", elsewhere)
    assert [*processes.shared(work, [1, 2, 3], jobs, long)] == [-1, -2, -3]
    assert here == alone
