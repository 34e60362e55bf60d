"""A real PostgreSQL for the tests: started when the first test needs it, stopped at the end.

It is Debian's package `postgresql-15` or another one whose programs are found. Where there is none, its tests are
skipped and say so. It listens on a socket in a temporary folder, and runs as a user that is not root.
"""

import atexit
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest

NEEDED = ("initdb", "pg_ctl", "psql")
ROLES = Path(__file__).parent.parent / "docs" / "postgres-roles.sql"
OWNER = "keeper"
"""The role that makes databases and lays out the tables."""
_numbers = itertools.count(1)


class Server:
    """A cluster of its own, in a temporary folder."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="affray-pg-", dir="/tmp"))
        self.user: str | None = None
        try:
            self._make()
        except BaseException:  # a test that may start no process ends here
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _make(self) -> None:
        """Makes the cluster and starts it."""
        if os.geteuid() == 0:
            self.user = next(name for name in ("postgres", "nobody") if _is_user(name))
            shutil.chown(self.folder, self.user)
        made = (
            "initdb", "-D", f"{self.folder}/data", "-U", OWNER, "-E", "UTF8", "--locale=C", "--auth-local=trust",
            "--no-sync",
        )  # fmt: skip
        self._program(*made)
        with open(self.folder / "data" / "postgresql.conf", "a") as settings:
            settings.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nfsync = on\n")
        self.start()

    def _program(self, name: str, *words: str, stdin: bytes = b"") -> None:
        log = self.folder / "programs.log"
        with log.open("ab") as told:
            done = subprocess.run(
                [str(self.programs / name), *words], user=self.user, cwd=self.folder, input=stdin, stdout=told,
                stderr=told, timeout=60,
            )  # fmt: skip
        assert done.returncode == 0, log.read_text()

    def start(self, **settings: str) -> None:
        """Starts it, with some settings."""
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._program("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stops it; `immediate` is what a power cut is to it."""
        self._program("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", mode, "stop")

    def end(self) -> None:
        """Stops it for good, and leaves nothing behind."""
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        """The name of a new, empty database."""
        name = f"club{next(_numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return name

    def club(self) -> tuple[str, str]:
        """The names of a new database with all tables, and of the role that plays in it, made as the docs say."""
        from ledger.postgres import PostgresStore

        name = self.database()
        player = f"player_of_{name}"
        PostgresStore.create(self.address(name, campaign="none"), b"").close()
        self._program(
            "psql", "-v", "ON_ERROR_STOP=1", "-v", f"player={player}", "-d", self.address(name), "-f", "-",
            stdin=ROLES.read_bytes(),
        )  # fmt: skip
        return name, player

    def address(self, name: str, role: str = OWNER, campaign: str = "") -> str:
        """The address of a database, or of a campaign in it."""
        return f"postgresql://{role}@/{name}?host={quote(str(self.folder))}" + (f"#{campaign}" if campaign else "")

    def sql(self, *statements: str, database: str = "postgres", role: str = OWNER) -> list[tuple[object, ...]]:
        """Runs statements on a connection of their own. Gives the rows of the last one."""
        import psycopg

        with psycopg.connect(host=str(self.folder), dbname=database, user=role, autocommit=True) as db:
            for statement in statements:
                answer = db.execute(statement)  # type: ignore[arg-type]
            return answer.fetchall() if answer.description else []


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def programs() -> Path | None:
    """The folder with initdb, pg_ctl and psql: those of Debian's newest package, or others on the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = [Path(found).parent for found in [shutil.which("initdb")] if found]
    there = (folder for folder in [*debian, *on_path] if all((folder / name).exists() for name in NEEDED))
    return next(there, None)


@cache
def server() -> Server:
    """The server of this test process. Skips the test where there is no PostgreSQL or no psycopg."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    started = Server(found)
    atexit.register(started.end)
    return started
