"""Ledgers in PostgreSQL: what only they do. What every engine does is in `test_store_contract.py`."""

import contextlib
import os
import random
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from commands.action.book import Book, Order
from commands.action.common import Note
from commands.past.audit import audit
from commands.past.perform import perform
from commands.shell.cli import run
from commands.shell.run import play
from commands.words.console import Console
from commands.words.discovery import opened
from ledger.errors import AffrayError, AlreadyRecorded, LedgerMissing
from tests import postgres
from tests.engines import Postgres
from tests.kit import KEY
from tests.shell import Shell, affray, command, environment, say
from tests.test_golden import (
    AS_DATA,
    BRIEFLY,
    FIXTURES,
    SEEN,
    SESSION,
    STORIES,
    golden_of,
    named,
    same,
    tell,
    transcript,
)  # fmt: skip

pytest.importorskip("psycopg", reason="psycopg is not installed")
import ledger.postgres.rows
from ledger.postgres import PostgresStore

pytestmark = pytest.mark.slow
WHOLE = bool(os.environ.get("AFFRAY_EXPLORE"))
"""Whether tests look further than a sample."""
SAMPLE = ("demo", "wrestling", "the-cellar", "windows", "fire")
FEW = STORIES if WHOLE else [story for story in STORIES if story.stem in SAMPLE]
SPEAKS = re.compile(r"e(\d+)$")


@pytest.fixture
def club() -> Postgres:
    """A database of a club, with its role."""
    return Postgres()


@pytest.fixture
def camp(club: Postgres, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a campaign with a fight under way, which every command of the shell means."""
    where = club.place()
    monkeypatch.setenv("AFFRAY_LEDGER", where)
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin", "ogre")
    shell.done("begin")
    shell.done("initiative", "--dice", "20,1")
    return where


READY = b"Z\0\0\0\5I"
"""ReadyForQuery of a session without a transaction."""


def last_words(code: str, says: str) -> bytes:
    """The message with which a server ends a session."""
    fields = b"".join(one.encode() + b"\0" for one in ("SFATAL", "VFATAL", f"C{code}", f"M{says}")) + b"\0"
    return b"E" + (len(fields) + 4).to_bytes(4, "big") + fields


class Wire:
    """Stands between the program and the server: counts round trips, and cuts the connection."""

    def __init__(self, server: postgres.Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.trips = 0
        self.cut = ""
        """`before` or `after`: where the next COMMIT ends the connection."""
        self.ending = b""
        """A last message of the server in place of the ReadyForQuery that answers the next COMMIT."""
        self.quiet = b""
        """From the next message with these bytes on nothing comes through any more, on no connection."""
        self.heard = 0
        """How many messages were not carried on since."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self.server.folder / ".s.PGSQL.5432"))
        deaf, begun, rest, ended = False, False, b"", False
        with client, server:
            while True:
                ready, _, _ = select.select([client, server], [], [])
                if server in ready:
                    data = server.recv(1 << 16)
                    if not data or deaf:
                        return
                    if ended and data.endswith(READY):
                        client.sendall(data.removesuffix(READY) + self.ending)
                        self.ending = b""
                        return
                    client.sendall(data)
                if client in ready:
                    data = client.recv(1 << 16)
                    if not data:
                        return
                    rest += data
                    while len(rest) >= 5:  # all but the first message: a letter, then the length of what follows it
                        end = begun + int.from_bytes(rest[begun : begun + 4], "big")
                        if len(rest) < end:
                            break
                        self.trips += begun and rest[:1] in b"SQ"  # Sync and Query: only after these one waits
                        begun, rest = True, rest[end:]
                    if self.quiet and (self.heard or self.quiet in data):
                        self.heard += 1
                        continue
                    ended |= bool(self.ending) and b"COMMIT" in data
                    if self.cut and b"COMMIT" in data:
                        if self.cut == "before":
                            self.cut = ""
                            return
                        self.cut, deaf = "", True
                    server.sendall(data)

    def of(self, where: str) -> str:
        """The address, by way of here."""
        return where.replace(quote(str(self.server.folder)), quote(str(self.folder)))

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def wire(club: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    made = Wire(club.server, tmp_path_factory.mktemp("w"))
    yield made
    made.close()


# The same as on SQLite


@pytest.mark.parametrize("story", FEW, ids=named)
def test_a_story_is_recorded_to_the_byte_as_on_sqlite(
    story: Path, club: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_BY", "gm")
    where, told = club.place(), tmp_path / "told.jsonl"
    tell(story, where)  # type: ignore[arg-type]
    assert run(["--ledger", where, "export", str(told)]) == 0
    assert told.read_bytes() == golden_of(story).read_bytes()
    assert run(["--ledger", where, "verify"]) == 0


@pytest.mark.parametrize(("system", "file", "commands", "who", "other", "half"), [
    ("freepg", "demo.seen", SEEN, "Tilda", "Grub-1", 20),
    ("freepg", "demo.data", AS_DATA, "Tilda", "Grub-1", 20),
    ("freepg", "demo.session", SESSION, "Tilda", "Grub-1", 20),
    ("arkm", "demo.seen", BRIEFLY, "Corm", "Militia", 30),
])  # fmt: skip
def test_every_verb_answers_as_on_sqlite(system, file, commands, who, other, half, club, tmp_path, capsys, monkeypatch):
    """The board, log, replays, reasons, statistics, exports, odds, disputes, corrections, and what is said wrong."""
    monkeypatch.setenv("AFFRAY_BY", "gm")
    monkeypatch.chdir(tmp_path)
    where = club.server.address(club.database, club.player, "demo")
    assert run(["import", str(FIXTURES / system / "demo.jsonl"), where]) == 0
    said = [command.format(who=who, other=other, harm="hp", half=half) for command in commands]
    same(FIXTURES / system / file, transcript(capsys, where, *said).replace("'demo.affray'", "demo.affray"))


def test_commands_at_random_leave_a_sound_ledger(camp: str, shell: Shell):
    """Undone, brought back, corrected and wrong commands in any order."""
    dice = random.Random(5)
    said = [
        ["undo"], ["undo"], ["redo"], ["done"], ["note", "x"], ["attack", "boffin", "ogre"],
        ["attack", "ogre", "boffin"], ["adjust", "boffin", "hp", "9", "a fall"], ["roll", "2d6"],
        ["attack", "ogre", "boffin", "--allow", "so be it"],
        ["undo", "--times", "3"], ["move", "boffin", "--to", "1,1"], ["attack", "nobody", "ogre"], ["stir", "bridge"],
        ["option", "min_hit_damage", "2"], ["dispute", "e2", "why"], ["amend", "e2", "--drop", "--apply"],
    ]  # fmt: skip
    codes = [shell(*dice.choice(said)).code for _ in range(60)]
    assert {0, 1} <= {*codes} <= {0, 1, 2, 3}
    shell.done("verify")
    assert shell.done("copy", camp, "back.affray").splitlines()[-1] == shell.done("verify").splitlines()[-1]
    assert shell.done("--ledger", "back.affray", "verify") == shell.done("verify")


# Addresses


def test_the_address_needs_a_campaign(camp: str, shell: Shell):
    database = camp.partition("#")[0]
    shell.refused("--ledger", database, "status", code=2)
    shell.refused("--ledger", f"{database}#other", "status", code=2)


@pytest.mark.parametrize("said", ["postgresql://%zz@/x#camp", "postgresql://u:p/w@h/d#c", "postgresql:///x?nope=1#c"])
def test_what_is_no_address_is_refused_without_a_word_of_it(said: str, shell: Shell):
    answer = shell.refused("--ledger", said, "status", code=2)
    assert "p/w" not in answer.err


def test_ledgers_lists_the_campaigns_of_a_database(camp: str, shell: Shell):
    database = camp.partition("#")[0]
    shell.done("--ledger", f"{database}#another%20one", "init", "Second", "--system", "arkm")
    lines = shell.done("ledgers", database).splitlines()
    assert [re.split(" {2,}", line)[:3] for line in lines] == [
        ["another one", "arkm", "1 entry"], ["camp 1", "freepg", "4 entries"],
    ]  # fmt: skip


def test_a_database_anywheres_is_said_to_be_one(club: Postgres, shell: Shell):
    empty = club.server.address(club.server.database())
    shell.refused("ledgers", empty, code=2)
    shell.refused("--ledger", f"{empty}#camp", "undo", code=2)


def test_a_schema_of_somebody_else_is_left_alone(club: Postgres, shell: Shell):
    name = club.server.database()
    club.server.sql("CREATE SCHEMA affray", "CREATE TABLE affray.entries (fee int)", database=name)
    where = club.server.address(name, campaign="camp")
    shell.refused("--ledger", where, "init", "T", "--system", "freepg", code=2)
    assert club.server.sql("SELECT * FROM affray.entries", database=name) == []


# Privileges


def test_a_club_neither_reads_nor_writes_what_another_club_recorded(club: Postgres, camp: str, shell: Shell):
    other = Postgres()
    foreign = club.server.address(club.database, other.player, "camp%201")
    for words in (("status",), ("note", "hello"), ("init", "T", "--system", "freepg")):
        shell.refused("--ledger", foreign, *words, code=2, says="permission denied for database")


@pytest.mark.parametrize("statement", [
    "INSERT INTO affray.entries (campaign, entry, after, command, origin, drawn, hidden, recorded_at, by, typed,"
    " program, once, parts, digest, role) SELECT campaign, 99, 1, 1, 1, 0, 0, '', '', '', '', '', '', '', 'somebody'"
    " FROM affray.turns",
    "UPDATE affray.turns SET campaign = 'mine'",
    "DELETE FROM affray.turns",
    "TRUNCATE affray.entries",
    "DROP TABLE affray.entries",
    "ALTER TABLE affray.entries DISABLE TRIGGER ALL",
    "UPDATE affray.checkpoints SET state = '{}'",
    "UPDATE affray.format SET format = 99",
    "CREATE TABLE affray.mine (x int)",
])  # fmt: skip
def test_a_player_only_reads_and_appends(club: Postgres, camp: str, statement: str):
    import psycopg

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        club.server.sql(statement, database=club.database, role=club.player)


def test_even_the_keeper_changes_nothing_by_accident(club: Postgres, camp: str):
    import psycopg

    with pytest.raises(psycopg.errors.RaiseException, match="append-only: nothing in events"):
        club.server.sql("DELETE FROM affray.events", database=club.database)


def test_the_role_of_the_database_stands_beside_each_entry(club: Postgres, camp: str):
    rows = club.server.sql("SELECT DISTINCT role FROM affray.entries", database=club.database)
    assert rows == [(club.player,)]


# Faults


def test_a_server_that_does_not_write_to_its_disk_is_refused(club: Postgres, camp: str, shell: Shell):
    club.server.stop()
    try:
        club.server.start(fsync="off")
        shell.refused("note", "hello", code=2, says="its setting fsync is off")
    finally:
        club.server.stop()
        club.server.start()
    shell.done("note", "hello")


def test_a_session_writes_durably_whatever_its_role_is_set_to(club: Postgres, camp: str):
    club.server.sql(f"ALTER ROLE {club.player} SET synchronous_commit = off")
    with contextlib.closing(opened(camp)) as store:
        assert store._ask(("SHOW synchronous_commit", ())) == [[("on",)]]  # type: ignore[attr-defined]


def test_a_password_is_never_told(club: Postgres, camp: str, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Neither in errors nor in the record: not a wrong one, and not one that the server never asks for."""
    folder = quote(str(club.server.folder))
    secret = f"postgresql://{club.player}:s3cret-w0rd@/{club.database}?host={folder}"
    shell.done("--ledger", f"{secret}#new", "init", "T", "--system", "freepg")
    said = [shell("--ledger", f"{secret}{end}", *words) for end, words in (
        ("#none", ["status"]), ("", ["status"]), ("#new", ["note", "hi"]), ("#new", ["log"]), ("#new", ["verify"]),
        ("#new", ["nonsense"]), ("#new", ["attack", "x", "y"]), ("#new", ["init", "T", "--system", "freepg"]),
    )]  # fmt: skip
    said += [shell("salvage", secret, "x.affray"), shell("verify", secret), shell("import", secret, "x.affray")]
    said += [shell("ledgers", secret), shell("copy", f"{secret}#new", f"{secret}#new2")]
    said.append(shell("--ledger", f"postgresql://u:s3cret-w0rd@{'x' * 70}.invalid/db#c", "status"))
    assert said[-1].code == 2
    assert not [answer for answer in said if "s3cret" in answer.out + answer.err]
    club.server.sql("SELECT 1")
    recorded = club.server.sql("SELECT typed FROM affray.entries", database=club.database)
    assert not [row for row in recorded if "s3cret" in str(row)]


def test_a_wrong_password_is_one_clear_sentence(club: Postgres, camp: str, shell: Shell):
    rules = club.server.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    club.server.sql(f"ALTER ROLE {club.player} PASSWORD 'right'")
    rules.write_text(f"local all {club.player} scram-sha-256\n{before}")
    try:
        club.server.sql("SELECT pg_reload_conf()")
        time.sleep(0.3)
        wrong = camp.replace(f"{club.player}@", f"{club.player}:wrong-one@")
        answer = shell.refused("--ledger", wrong, "note", "x", code=2, says="password authentication failed")
        assert "wrong-one" not in answer.err
        shell.done("--ledger", wrong.replace("wrong-one", "right"), "note", "x")
    finally:
        rules.write_text(before)
        club.server.sql("SELECT pg_reload_conf()")


def test_a_statement_that_takes_too_long_leaves_no_trace(club: Postgres, camp: str, shell: Shell):
    club.server.sql(f"ALTER ROLE {club.player} SET statement_timeout = '200ms'")
    blocker = Postgres.locked(club, camp)
    with blocker:
        assert shell("note", "x").code == 2
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 4


def test_a_connection_that_is_cut_before_the_commit_records_nothing(camp: str, wire: Wire):
    with contextlib.closing(opened(wire.of(camp))) as store:
        wire.cut = "before"
        with pytest.raises(LedgerMissing, match=r"The connection to .* broke"):
            say(Book(store), Note("lost"))
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 4


def test_a_connection_that_is_cut_after_the_commit_is_said_to_have_recorded(camp: str, wire: Wire):
    """Said again under the same id, the command is recorded only once."""
    with contextlib.closing(opened(wire.of(camp))) as store:
        wire.cut = "after"
        with pytest.raises(AlreadyRecorded, match=r"the command is recorded: .* ends with e5"):
            perform(Book(store), Order("note", Note("kept"), "note", once="n-1"))
        again = perform(Book(store), Order("note", Note("kept"), "note", once="n-1"))
        assert (again.entry, again.repeated, store.head().entry) == (5, True, 5)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("57P01", "terminating connection due to administrator command"),
        ("57P02", "terminating connection because of crash of another server process"),
        ("57P05", "terminating connection due to idle-session timeout"),
        ("08006", "connection failure"),
        ("08P01", "protocol violation"),
    ],
)
def test_a_session_that_ends_just_after_the_commit_is_said_to_have_recorded(
    code: str, says: str, camp: str, wire: Wire, shell: Shell
):
    """The library raises what the server said last before it sees that the connection is closed."""
    wire.ending = last_words(code, says)
    answer = shell("--ledger", wire.of(camp), "note", "kept")
    assert (answer.code, wire.ending) == (6, b"")
    assert "the command is recorded:" in answer.err
    assert "ends with e5" in answer.err
    assert "Say it again" not in answer.err
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 5


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that gives a silent server up sooner."""
    monkeypatch.setattr("ledger.postgres.connection.PATIENCE", 0.5)
    for name, seconds in (("COMMITTING", 0.5), ("ASKING_AGAIN", 0.4)):
        monkeypatch.setattr(f"ledger.postgres.store.{name}", seconds)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("at", [b"current_setting", b"FOR UPDATE"])
def test_a_server_that_falls_silent_before_the_commit_has_recorded_nothing(
    at: bytes, camp: str, wire: Wire, shell: Shell
):
    """A proxy that carries nothing on from the first question, or from the lock on."""
    wire.quiet = at
    answer = shell("--ledger", wire.of(camp), "note", "lost")
    assert answer.code == 2
    assert "has fallen silent, so the command was given up; it recorded nothing." in answer.err
    assert wire.heard
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 4


@pytest.mark.usefixtures("impatient")
def test_a_server_that_falls_silent_at_the_commit_may_have_recorded(camp: str, wire: Wire, shell: Shell):
    """Nobody can say more; said again under the same id, the command is recorded only once."""
    wire.quiet = b"COMMIT"
    answer = shell("--ledger", wire.of(camp), "note", "kept", "--once", "n-1")
    assert answer.code == 6
    assert "fell silent while e5 was being recorded. It may be recorded or not." in answer.err
    assert "With --once ID, saying it again is always safe." in answer.err
    wire.quiet = b""
    assert "e5" in shell.done("--ledger", wire.of(camp), "note", "kept", "--once", "n-1")
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 5


@pytest.mark.usefixtures("impatient")
def test_a_stopped_process_of_the_server_in_the_middle_of_a_script_is_told(club: Postgres, camp: str, shell: Shell):
    """Lines before it stay; the line itself is not recorded, and may be said again when the process goes on."""
    paused: list[int] = []

    def stopping() -> Iterator[str]:
        for nth in range(9):
            yield f"note {nth}\n"
            if nth == 3:
                query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'affray' AND state = 'idle'"
                paused.extend(int(str(pid)) for (pid,) in club.server.sql(query))
                for pid in paused:
                    os.kill(pid, signal.SIGSTOP)

    try:
        with pytest.raises(AffrayError, match=r"line 5: .* has fallen silent"):
            play(Console(camp), stopping(), "script")
    finally:
        for pid in paused:
            os.kill(pid, signal.SIGCONT)
    assert len(paused) == 1
    with contextlib.closing(opened(camp)) as store:
        assert store.head().entry == 8


def test_a_command_asks_again_and_again_for_a_lock_as_long_as_it_may_wait(
    club: Postgres, camp: str, monkeypatch: pytest.MonkeyPatch
):
    """So the silence of a server is never that of somebody who waits for others."""
    monkeypatch.setattr("ledger.postgres.address.AT_ONCE", 0.05)
    monkeypatch.setattr("ledger.postgres.store.AT_ONCE", 0.05)
    with contextlib.ExitStack() as others, contextlib.closing(opened(camp)) as store:
        others.enter_context(club.locked(camp))
        leaving = threading.Timer(0.4, others.close)
        leaving.start()
        assert say(Book(store), Note("late")) == 5
        leaving.join()


@contextlib.contextmanager
def small_disk(club: Postgres, megabytes: int) -> Iterator[str]:
    """A tablespace on a file system of its own, in memory, for the database `crowded`. Skips the test where nobody may
    mount one. Meanwhile the server tidies nothing up: it would then want room for each new connection, too.
    """
    sql = club.server.sql
    folder = Path(tempfile.mkdtemp(prefix="affray-disk-", dir="/tmp"))
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)]
    try:
        if os.geteuid() or not shutil.which("mount") or subprocess.run(mounting, capture_output=True).returncode:
            pytest.skip("a small disk for a full one: only root can mount it, where that is allowed")
        try:
            shutil.chown(folder, club.server.user)
            sql("ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()")
            sql(f"CREATE TABLESPACE small LOCATION '{folder}'")
            yield "small"
        finally:
            sql("DROP DATABASE IF EXISTS crowded WITH (FORCE)", "DROP TABLESPACE IF EXISTS small",
                "ALTER SYSTEM RESET autovacuum", "SELECT pg_reload_conf()")  # fmt: skip
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


def test_a_full_disk_of_the_server_records_nothing_and_is_told(club: Postgres, shell: Shell):
    """A few notes may find room in pages that are there; then all are refused. With room again, play goes on."""
    import psycopg

    sql = club.server.sql
    with small_disk(club, 24) as space:
        sql(f"CREATE DATABASE crowded TABLESPACE {space}")
        where = club.server.address("crowded", campaign="camp")
        shell.done("--ledger", where, "init", "T", "--system", "freepg")
        shell.done("--ledger", where, "note", "first")
        sql("CREATE TABLE ballast (x text)", "ALTER TABLE ballast ALTER x SET STORAGE PLAIN", database="crowded")
        for length in (8000, 1000, 10):
            with contextlib.suppress(psycopg.errors.DiskFull):
                while True:
                    sql(f"INSERT INTO ballast SELECT repeat('x', {length}) FROM generate_series(1, 200)",
                        database="crowded")  # fmt: skip
        dice = random.Random(3)
        notes = [bytes(dice.choices(range(97, 123), k=1900)).decode() for _ in range(12)]
        codes = [shell("--ledger", where, "note", note).code for note in notes]
        assert codes == sorted(codes)
        assert codes[-1] == 2
        shell.refused("--ledger", where, "note", notes[-1], "--once", "n-1", code=2, says="has no room")
        with contextlib.closing(opened(where)) as store:
            assert store.head().entry == 2 + codes.count(0)
        sql("DROP TABLE ballast", "CHECKPOINT", database="crowded")
        shell.done("--ledger", where, "note", notes[-1], "--once", "n-1")
        assert f"{3 + codes.count(0)} entries" in shell.done("--ledger", where, "verify")


@pytest.mark.parametrize(("where", "says"), [
    ("postgresql://gm@nowhere.invalid/club#camp", "postgresql://gm@nowhere.invalid/club#camp cannot be opened"),
    ("postgresql://gm@localhost:1/club#camp", "cannot be opened"),
    ("postgresql:///club?host=/nowhere#camp", "cannot be opened"),
])  # fmt: skip
def test_a_server_that_is_not_there_is_one_clear_sentence(where: str, says: str, shell: Shell):
    for words in (("note", "x"), ("init", "T", "--system", "freepg"), ("status",)):
        shell.refused("--ledger", where, *words, code=2, says=says)
    shell.refused("ledgers", where.partition("#")[0], code=2, says="cannot be opened")


def test_tables_of_a_newer_program_are_left_alone(club: Postgres, camp: str, shell: Shell):
    shell.done("copy", camp, "here.affray")
    club.server.sql("UPDATE affray.format SET format = 99", database=club.database)
    database = camp.partition("#")[0]
    for words in (
        ("note", "x"), ("verify",), ("--ledger", f"{database}#new", "init", "T", "--system", "freepg"),
        ("ledgers", database), ("copy", "here.affray", f"{database}#new"), ("copy", camp, "there.affray"),
    ):  # fmt: skip
        shell.refused(*words, code=2)
    assert club.server.sql("SELECT campaign FROM affray.turns", database=club.database) == [("camp 1",)]


def test_a_server_that_stops_at_once_loses_nothing_that_was_printed(club: Postgres, camp: str, tmp_path: Path):
    moments = random.Random(20260501)
    (tmp_path / "script").write_text("roll 2d6 --why luck\nnote 'a line'\nundo\nredo\n" * 75)
    printed, stops = 4, 0
    while stops < 2 or (WHOLE and (stops < 40 or printed < 300)):
        stops += 1
        process = subprocess.Popen(
            command("run", "script"), cwd=tmp_path, env=environment({"PYTHONUNBUFFERED": "1", "AFFRAY_LEDGER": camp}),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(0.5 + moments.random() * 0.4)
        club.server.stop("immediate")
        out, err = process.communicate(timeout=60)
        club.server.start()
        assert "Traceback" not in err
        told = [int(found[1]) for line in out.splitlines() if (found := SPEAKS.search(line))]
        with contextlib.closing(opened(camp)) as store:
            head = store.head().entry
            assert max([printed, *told]) <= head <= max([printed, *told]) + 1
            printed = head
    with contextlib.closing(opened(camp)) as store:
        assert audit(Book(store)).entries == printed


def test_a_page_follows_a_campaign_as_it_follows_a_file(club: Postgres, camp: str, shell: Shell):
    """What the players and the game master see, undone and brought back; also after the server stood still."""
    pytest.importorskip("starlette", reason="the extra live is not installed")
    from commands.live.follow import Follower, Look

    audiences, seen = {"players": ("party",), "gm": None}, [Look({})]

    def comes(told: Callable[[Look], object]) -> None:
        end = time.monotonic() + 30
        while not told(seen[-1]):
            assert time.monotonic() < end, seen[-1].trouble
            time.sleep(0.02)

    def wholes(of: Look) -> list[bytes]:
        return [view.whole for view in of.views.values()]

    follower = Follower(camp, audiences, seen.append)
    follower.start()
    try:
        comes(lambda now: now.views)
        for line in ("attack boffin ogre --dice 18,2,9,9 --spare", "undo", "redo", "reveal e5", "note rain --secret"):
            shell.done(*shlex.split(line))
            before = seen[-1]
            comes(lambda now, before=before: now.views != before.views)
        club.server.stop("immediate")
        try:
            comes(lambda now: now.trouble)
        finally:
            club.server.start()
        comes(lambda now: not now.trouble)
        shell.done("note", "all is well")
        comes(lambda now: b"all is well" in wholes(now)[1])
    finally:
        follower.end()
    shell.done("copy", camp, "copy.affray")
    of_file: list[Look] = []
    alone = Follower("copy.affray", audiences, of_file.append)
    alone.start()
    alone.end()
    assert wholes(of_file[-1]) == wholes(seen[-1])


# Round trips


def test_an_action_takes_at_most_five_round_trips(camp: str, wire: Wire, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Once the ledger is open, whatever was done before. To open it takes as many as to open it alone."""
    for number in range(30):
        shell.done("note", f"note {number}")
        if number % 3 == 2:
            shell.done("undo")
    monkeypatch.setenv("AFFRAY_LEDGER", wire.of(camp))
    opened(wire.of(camp)).close()
    standing, trips = wire.trips, {}
    for words in (
        ("note", "here"), ("undo",), ("redo",), ("attack", "boffin", "ogre", "--dice", "12,3,4,5", "--spare"),
        ("undo", "--times", "4"), ("note", "once", "--once", "id-7"),
    ):  # fmt: skip
        wire.trips = 0
        answer = shell(*words)
        trips[" ".join(words)] = wire.trips - standing, answer.code
    assert [told for told, (count, code) in trips.items() if count > 5 or code] == []


def test_an_action_in_an_open_ledger_takes_two_round_trips_also_after_somebody_elses(
    camp: str, wire: Wire, shell: Shell
):
    """A third where somebody has taken something back meanwhile: the course of play is another one now."""
    note = Order("note", Note("rain"), "note rain")
    with contextlib.closing(opened(wire.of(camp))) as here, contextlib.closing(opened(camp)) as there:
        book, other = Book(here), Book(there)
        perform(book, note)
        trips = []
        for _ in range(3):
            perform(other, note)
            wire.trips = 0
            perform(book, note)
            trips.append(wire.trips)
        shell.done("--ledger", camp, "undo")
        wire.trips = 0
        perform(book, note)
        assert [*trips, wire.trips] == [2, 2, 2, 3]
        last = here.head().entry
        assert [here.after(number) for number in (last - 1, last)] == [last - 3, last - 1]


OFTEN = (
    ["note 'a'"], ["roll 2d6 --why luck"], ["roll d20 --who ogre --why fear"], ["note 'a'", "undo"],
    ["note 'a'", "note 'b'", "undo --times 2"], ["note 'a'", "undo", "redo"], ["note 'a'", "dispute e{at} why"],
    ["adjust boffin hp {hp} fate"], ["adjust boffin hp {hp} fate"],
)  # fmt: skip
"""What fills a long evening, with jumps of its course and disputes all over it."""
LOOKS = (
    "status", "status --at e20", "log", "log --last 0", "log --name ogre --kind rolled --last 0", "show boffin",
    "show e20", "map --at e20", "replay --since e2", "why boffin.hp", "why boffin.hp --last 0", "diff e2..e{half}",
    "diff e2..", "find 'boffin.hp < 10' --last 0", "find boffin.down", "disputes",
    "stats", "verify", "export a.jsonl", "export a.md", "export a.html",
    "export b.jsonl --player-safe", "export b.md --player-safe", "export - --format csv --table dice",
    "odds --at e20 attack boffin ogre",
    "rules options", "assert boffin.hp 99", "copy {where} c.affray", "undo e{half} --dry-run", "undo e{half}", "redo",
    "dispute e{half} why", "reveal e{half}", "amend e{half} --drop", "amend e{half} --drop --apply", "stir bridge",
)  # fmt: skip
"""Everything that looks at a ledger, and what changes something far behind."""


def test_all_other_verbs_take_a_constant_number_of_round_trips_for_many_entries(
    club: Postgres, camp: str, wire: Wire, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Blocks of 50 entries stand for those of 500, so that 230 entries are many; `AFFRAY_EXPLORE` takes real ones."""
    scale = 1 if WHOLE else 10
    for name in ("BATCH", "_WINDOW", "_JUMPS", "_MOST_KEPT"):
        monkeypatch.setattr(f"ledger.postgres.rows.{name}", getattr(ledger.postgres.rows, name) // scale)
    dice, lines = random.Random(5), ["join boffin", "join ogre", "begin", "initiative --dice 20,1"]
    while len(lines) < 2300 // scale:
        for line in dice.choice(OFTEN):
            lines.append(line.format(at=len(lines) + 1, hp=1 + len(lines) % 37))
    Path("script").write_text("\n".join(lines))
    shell.done("--ledger", "long.affray", "init", "Long", "--system", "freepg", "--key", KEY.hex())
    shell.done("--ledger", "long.affray", "run", "script")
    where = wire.of(camp) + "long"
    shell.done("copy", "long.affray", where)
    monkeypatch.setenv("AFFRAY_LEDGER", where)
    half = 2 + next(at for at, line in enumerate(lines) if at > len(lines) // 2 and line.startswith("roll 2d6"))
    thousands, trips = len(lines) * scale / 1000, {}
    for words in LOOKS:
        wire.trips = 0
        answer = shell(*shlex.split(words.format(half=half, where=where)))
        assert answer.code in (0, 1), (words, answer)
        trips[words] = wire.trips
    assert {words: count for words, count in trips.items() if count > 5 + 16 * thousands} == {}


def test_what_somebody_with_all_rights_changed_is_found(club: Postgres, camp: str, shell: Shell):
    """And the way out is a backup: salvage reads a file."""
    club.forge(camp, "UPDATE {table}events SET body = replace(body, '55', '54') WHERE {mine} AND entry = 2")
    shell.refused("verify", code=5)
    shell.refused("salvage", camp, "new.affray", code=2)
    shell.refused("copy", camp, "new.affray", code=5)
    assert not Path("new.affray").exists()


def test_an_address_is_no_export(camp: str, shell: Shell):
    for words in (("verify", camp), ("import", camp, "new.affray")):
        shell.refused(*words, code=2)


# Copies


def test_a_campaign_goes_either_way_with_its_head_unchanged(camp: str, shell: Shell):
    database = camp.partition("#")[0]
    shell.done("undo")
    head = shell.done("verify").splitlines()[-1]
    assert shell.done("copy", camp, "one.affray").splitlines()[-1] == head
    shell.done("copy", "one.affray", f"{database}#two")
    shell.done("copy", f"{database}#two", f"{database}#three")
    for where in ("one.affray", f"{database}#two", f"{database}#three"):
        assert shell.done("--ledger", where, "verify").splitlines()[-1] == head
        shell.done("--ledger", where, "redo")


def test_a_copy_into_a_database_goes_on_where_it_stopped(camp: str, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("commands.files.copy.BATCH", 2)
    database = camp.partition("#")[0]
    shell.done("copy", camp, "one.affray")
    seen: list[int] = []
    append = PostgresStore.append

    def failing(store: PostgresStore, entry, *rest):  # type: ignore[no-untyped-def]
        seen.append(entry.entry)
        if len(seen) == 4:
            raise LedgerMissing("The network is gone.")
        return append(store, entry, *rest)

    monkeypatch.setattr(PostgresStore, "append", failing)
    shell.refused("copy", "one.affray", f"{database}#two", code=2)
    assert "2 entries" in shell.done("ledgers", database)
    shell.done("copy", "one.affray", f"{database}#two")
    assert seen == [1, 2, 3, 4, 3, 4]
    assert shell.done("--ledger", f"{database}#two", "verify") == shell.done("--ledger", "one.affray", "verify")


def test_a_copy_never_goes_into_another_ledger(camp: str, shell: Shell):
    database = camp.partition("#")[0]
    shell.done("--ledger", "other.affray", "init", "Other", "--system", "arkm")
    shell.refused("copy", "other.affray", camp, code=2)
    shell.done("copy", camp, f"{database}#two")
    shell.done("--ledger", f"{database}#two", "note", "played on")
    shell.refused("copy", camp, f"{database}#two", code=2)


def test_a_ledger_on_sqlite_imports_nothing_of_postgres(tmp_path: Path):
    assert affray("init", "T", "--system", "freepg", cwd=tmp_path).code == 0
    seen = subprocess.run(
        [*command("note", "x")[:1], "-X", "importtime", *command("note", "x")[1:]], cwd=tmp_path, env=environment(),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "ledger.sqlite" in seen.stderr
    assert not re.search(r"psycopg|ledger\.postgres|urllib", seen.stderr)


def test_a_command_on_a_database_imports_nothing_of_ours_that_it_does_not_use(camp: str, tmp_path: Path):
    seen = subprocess.run(
        [*command("note", "x")[:1], "-X", "importtime", *command("note", "x")[1:]], cwd=tmp_path,
        env=environment({"AFFRAY_LEDGER": camp}), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "psycopg.connection" in seen.stderr
    assert not re.search(r"\| +(commands\.(odds|live|seats|files|look)\b|click\b)", seen.stderr)


def test_without_psycopg_the_way_to_get_it_is_named(monkeypatch: pytest.MonkeyPatch, shell: Shell):
    monkeypatch.setitem(__import__("sys").modules, "ledger.postgres", None)
    monkeypatch.delattr("ledger.postgres", raising=False)
    shell.refused("--ledger", "postgresql://u@h/d#c", "status", code=2)
