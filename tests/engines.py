"""The engines that keep ledgers, each as the tests of the contract need it."""

import contextlib
import itertools
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from commands.words.discovery import opened
from ledger.sqlite import SqliteStore
from ledger.store import Store
from tests import postgres
from tests.shell import foreign, forge

ENGINES = ("sqlite", "postgres")


class Engine(ABC):
    """One way to keep a ledger. `where` names one: a path or an address."""

    reads_while_others_write = True
    """Whether others can finish writing while somebody reads, and the other way round."""

    @abstractmethod
    def place(self) -> str:
        """Where a new ledger can be made."""

    @abstractmethod
    def create(self, where: str, key: bytes) -> Store:
        """A new ledger."""

    def open(self, where: str) -> Store:
        """The ledger there."""
        return opened(where)

    @abstractmethod
    def refuses(self, where: str, statement: str) -> bool:
        """Whether another program with the rights of a player is refused this statement."""

    @abstractmethod
    def forge(self, where: str, *statements: str) -> None:
        """Changes it as somebody could who has all rights. `{mine}` in a statement limits it to this campaign."""

    @abstractmethod
    @contextlib.contextmanager
    def locked(self, where: str) -> Iterator[None]:
        """Somebody else writes meanwhile."""

    @abstractmethod
    def newer(self, where: str) -> None:
        """Makes it say that a newer program wrote it."""


class Sqlite(Engine):
    """A file for each campaign."""

    reads_while_others_write = False

    def __init__(self, folder: Path) -> None:
        self._places = (str(folder / f"camp{number}.affray") for number in itertools.count(1))

    def place(self) -> str:
        return next(self._places)

    def create(self, where: str, key: bytes) -> Store:
        return SqliteStore.create(where, key)

    def refuses(self, where: str, statement: str) -> bool:
        with contextlib.closing(foreign(where)) as db:
            try:
                db.execute(statement.format(mine="1", table=""))
            except sqlite3.IntegrityError as error:
                return "append-only" in str(error)
        return False

    def forge(self, where: str, *statements: str) -> None:
        forge(where, *(statement.format(mine="1", table="") for statement in statements))

    @contextlib.contextmanager
    def locked(self, where: str) -> Iterator[None]:
        with contextlib.closing(foreign(where)) as db:
            db.execute("BEGIN IMMEDIATE")
            yield
            db.execute("ROLLBACK")

    def newer(self, where: str) -> None:
        with contextlib.closing(foreign(where)) as db:
            db.execute("PRAGMA user_version = 99")


class Postgres(Engine):
    """A campaign among others in one database. Its neighbour has the same numbers of entries, and must not matter."""

    def __init__(self, club: tuple[str, str] | None = None) -> None:
        self.server = postgres.server()
        self.database, self.player = club or self.server.club()
        self._names = (f"camp {number}" for number in (itertools.count(1) if club is None else _NUMBERS))

    def place(self) -> str:
        return f"{self.server.address(self.database, self.player)}#{next(self._names).replace(' ', '%20')}"

    def create(self, where: str, key: bytes) -> Store:
        from ledger.postgres import PostgresStore

        return PostgresStore.create(where, key)

    def _mine(self, where: str) -> str:
        return f"campaign = '{where.partition('#')[2].replace('%20', ' ')}'"

    def refuses(self, where: str, statement: str) -> bool:
        import psycopg

        said = statement.format(mine=self._mine(where), table="affray.")
        try:
            self.server.sql(said, database=self.database, role=self.player)
        except psycopg.errors.InsufficientPrivilege:
            return True
        return False

    def forge(self, where: str, *statements: str) -> None:
        said = (statement.format(mine=self._mine(where), table="affray.") for statement in statements)
        self.server.sql("SET session_replication_role = replica", *said, database=self.database)

    @contextlib.contextmanager
    def locked(self, where: str) -> Iterator[None]:
        import psycopg

        with psycopg.connect(host=str(self.server.folder), dbname=self.database, user=self.player) as db:
            db.execute(f"SELECT turn FROM affray.turns WHERE {self._mine(where)} FOR UPDATE")  # type: ignore[arg-type]
            yield
            db.rollback()

    def newer(self, where: str) -> None:
        self.server.sql("UPDATE affray.format SET format = 99", database=self.database)
        _shared.cache_clear()


_NUMBERS = itertools.count(1)


@cache
def _shared() -> tuple[str, str]:
    """The database in which most tests have their campaigns, with its role."""
    return postgres.server().club()


def engine_named(name: str, folder: Path) -> Engine:
    """An engine, with room for ledgers of its own."""
    return Sqlite(folder) if name == "sqlite" else Postgres(_shared())
