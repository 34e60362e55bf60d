"""Ledgers in PostgreSQL: writers at the same time, against bare inserts of the same rows; and an action in a campaign
of a million entries, against one of a thousand.

python benchmarks/postgres.py [--actions N] [--writers N,N] [--campaigns N,N] [--small N] [--large N] [--runs N]

It starts a PostgreSQL of its own in a temporary folder, with the settings that the server has by itself.
"""

import argparse
import contextlib
import io
import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import big
import psycopg
from report import Row, show

from commands.action.book import PROGRAM, Book, Order
from commands.action.common import Init, Join, Note
from commands.action.rolling import Roll
from commands.action.systems import rules
from commands.past.perform import perform
from commands.past.undo import Undo, undo
from commands.words.console import Console
from commands.words.discovery import opened
from ledger.chain import Blinds, Entry, covered, digest
from ledger.dice import committed
from ledger.events import Declared, Event, Noted, Retracted, encode, split
from ledger.postgres import PostgresStore
from ledger.store import SPARSE, seal
from projections.state import VERSION
from tests.postgres import OWNER, Server, server

WRITERS, GROWTH = 2.0, 1.10
"""The bars: bare inserts are at most twice as fast (a ratio of 0.5), and many entries cost no more than few."""
VISIT = 10
"""Actions that a writer records in a campaign before it goes to another one."""
SYSTEM = "freepg"
TABLES = ("turns", "keys", "entries", "events", "checkpoints")
ENTRY = "entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest"
EVENT = "entry, nth, body, split"
INSERTS = (
    f"INSERT INTO affray.entries (campaign, {ENTRY}) VALUES ({', '.join(['%s'] * 14)})",
    f"INSERT INTO affray.events (campaign, {EVENT}) VALUES (%s, %s, %s, %s, %s)",
    "INSERT INTO affray.checkpoints (campaign, entry, reducers, state, seal) VALUES (%s, %s, %s, %s, %s)",
)
FORK = multiprocessing.get_context("fork")


WAYS = {
    "open": "an action in an open ledger",
    "whole": "opening, an action, closing",
    "undo": "an undo of what somebody else recorded",
}


class Database:
    """A database of the server, with the tables of Affray."""

    def __init__(self, of: Server) -> None:
        self.server, self.name = of, of.database()
        PostgresStore.create(self.at("none"), b"").close()

    def at(self, campaign: str) -> str:
        """The address of a campaign."""
        return self.server.address(self.name, campaign=campaign)

    def connect(self) -> "psycopg.Connection[tuple[Any, ...]]":
        """A bare connection that writes as durably as Affray's."""
        db = psycopg.connect(host=str(self.server.folder), dbname=self.name, user=OWNER, autocommit=True)
        db.execute("SET synchronous_commit = on")
        return db

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a statement; none of one that has no answer."""
        with contextlib.closing(self.connect()) as db:
            answer = db.execute(query, values)  # type: ignore[arg-type]
            return answer.fetchall() if answer.description else []

    def cloned(self, campaign: str, names: Sequence[str]) -> None:
        """Copies a campaign under other names."""
        for table in TABLES:
            columns = [
                name
                for (name,) in self.ask(
                    "SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'affray' AND"
                    " table_name = %s AND is_generated = 'NEVER' AND column_name <> 'campaign'", table,
                )
            ]  # fmt: skip
            listed = "".join(f", {name}" for name in columns)
            self.ask(
                f"INSERT INTO affray.{table} (campaign{listed}) SELECT name{listed} FROM affray.{table},"
                " unnest(%s::text[]) AS name WHERE campaign = %s", [*names], campaign,
            )  # fmt: skip
        self.ask("ANALYZE")


# Writers at the same time


def begun(database: Database, campaign: str) -> None:
    """A campaign with some fighters at the table."""
    with contextlib.closing(PostgresStore.create(database.at(campaign), big.KEY)) as store:
        book = Book(store)
        perform(book, Order("init", Init("A club", SYSTEM, committed(big.KEY)), "init 'A club'"))
        for line in big.script(SYSTEM):
            if isinstance(line.said, Join):
                perform(book, Order(line.verb, line.said, line.typed))


def acting(visits: Sequence[str], actions: int) -> None:
    """Goes through campaigns and records some actions in each."""
    for address in visits:
        with contextlib.closing(opened(address)) as store:
            book = Book(store)
            for _ in range(actions):
                perform(book, Order("roll", Roll("1d20+3", why="courage"), "roll 1d20+3 --why courage"))


Bare = tuple[tuple[Any, ...], list[tuple[Any, ...]], tuple[Any, ...]]
"""What one action writes: the entry, its events, and the checkpoint, without the name of the campaign."""


def inserting(database: Database, visits: Sequence[tuple[str, Sequence[Bare]]], in_turn: bool) -> None:
    """Inserts the same rows, in a transaction for each entry; `in_turn`: one writer after another."""
    for campaign, rows in visits:
        with contextlib.closing(database.connect()) as db, db.cursor() as cursor:
            for entry, events, checkpoint in rows:
                with db.transaction():
                    if in_turn:
                        cursor.execute("SELECT turn FROM affray.turns WHERE campaign = %s FOR UPDATE", (campaign,))
                    cursor.execute(INSERTS[0], (campaign, *entry))
                    cursor.executemany(INSERTS[1], [(campaign, *event) for event in events])
                    cursor.execute(INSERTS[2], (campaign, *checkpoint))


def together(works: Sequence[Callable[[], None]]) -> float:
    """Seconds that some processes take that begin at the same moment."""
    ready, go = FORK.Semaphore(0), FORK.Event()

    def one(work: Callable[[], None]) -> None:
        ready.release()
        go.wait()
        work()

    processes = [FORK.Process(target=one, args=(work,)) for work in works]
    for process in processes:
        process.start()
    for _ in processes:
        ready.acquire()
    start = time.perf_counter()
    go.set()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise SystemExit("A writer failed.")
    return time.perf_counter() - start


def written(database: Database, campaign: str, after: int) -> list[Bare]:
    """What the actions after an entry wrote into a campaign."""
    where = "WHERE campaign = %s AND entry > %s ORDER BY entry"
    [(state,)] = database.ask("SELECT state FROM affray.checkpoints WHERE campaign = %s LIMIT 1", campaign)
    events: dict[int, list[tuple[Any, ...]]] = {}
    for row in database.ask(f"SELECT {EVENT} FROM affray.events {where}, nth", campaign, after):
        events.setdefault(row[0], []).append(row)
    return [
        (row, events[row[0]], (row[0], VERSION, state, row[-1]))
        for row in database.ask(f"SELECT {ENTRY} FROM affray.entries {where}", campaign, after)
    ]


def writers(database: Database, said: argparse.Namespace) -> None:
    """Measures each number of writers on each number of campaigns."""
    begun(database, "first")
    [(base,)] = database.ask("SELECT max(entry) FROM affray.entries WHERE campaign = 'first'")
    rows = []
    for campaigns in said.campaigns:
        for count in said.writers:
            runs = [measured(database, f"{campaigns} {count} {run}", campaigns, count, said.actions, base)
                    for run in range(said.runs)]  # fmt: skip
            affray, bare, unordered = map(statistics.median, zip(*runs, strict=True))
            what = f"{count} writer{'s' * (count > 1)} on {campaigns:,} campaign{'s' * (campaigns > 1)}"
            slower = statistics.median(bare / affray for affray, bare, _ in runs)
            rows.append(Row(what, f"{affray:,.0f}/s", slower, WRITERS))
            rows.append(Row("  bare inserts" + ", one at a time" * (campaigns == 1), f"{bare:,.0f}/s"))
            if campaigns == 1 < count:
                rows.append(Row("  bare inserts, in no order", f"{unordered:,.0f}/s"))
    show(f"{SYSTEM}: actions recorded (median of {said.runs})", rows)
    print()


def measured(
    database: Database, run: str, campaigns: int, count: int, actions: int, base: int
) -> tuple[float, float, float]:
    """Actions a second of some writers, and as many bare inserts of the same rows: in turn, and in any order."""
    names = [f"{run} {number}" for number in range(campaigns)]
    database.cloned("first", names)
    each, length = (1, actions // count) if campaigns == 1 else (max(1, actions // count // VISIT), VISIT)
    visits = [[names[(writer * each + at) % campaigns] for at in range(each)] for writer in range(count)]

    def played(of: list[str]) -> Callable[[], None]:
        return lambda: acting([*map(database.at, of)], length)

    took = [together([played(of) for of in visits])]
    rows = {name: written(database, name, base) for name in {name for of in visits for name in of}}
    for kind, in_turn in (("bare", True), ("unordered", False)):
        database.ask("INSERT INTO affray.turns SELECT unnest(%s::text[])", [f"{kind} {name}" for name in rows])

        def inserted(writer: int, kind: str = kind, in_turn: bool = in_turn) -> Callable[[], None]:
            share = slice(writer, None, count) if campaigns == 1 else slice(None)
            of = [(f"{kind} {name}", rows[name][share]) for name in visits[writer]]
            return lambda: inserting(database, of, in_turn and campaigns == 1)

        took.append(together([inserted(writer) for writer in range(count)]))
    affray, bare, unordered = (count * each * length / seconds for seconds in took)
    return affray, bare, unordered


# A long campaign


def long_campaign(database: Database, campaign: str, entries: int) -> None:
    """A sound campaign of so many entries, of which every hundredth takes back the one before it."""
    begun(database, campaign)
    with contextlib.closing(opened(database.at(campaign))) as store, contextlib.closing(database.connect()) as db:
        head, system, key = store.head(), rules(SYSTEM), Blinds(big.KEY)
        previous, first, state = head.digest, head.entry + 1, Book(store).present()[1].encoded()
        made: list[tuple[Entry, str]] = []
        for number in range(first, entries):
            events: tuple[Event, ...] = (Declared("note", {"text": "rain"}), Noted("rain"))
            after = number - 1
            if number % 100 == 0 and number > first:
                events, after = (Declared("undo", {}), Retracted((number - 1,), (number - 1,))), number - 2
            bodies = [*map(encode, events)]
            entry = Entry(
                entry=number, after=after, command=number, origin=number, drawn=head.drawn, hidden=head.hidden,
                recorded_at="2026-05-01T18:30:00Z", by="gm", typed="undo" if after < number - 1 else "note rain",
                program=f"{PROGRAM} {system}", once="", bodies=tuple(map(bytes.decode, bodies)),
                splits=tuple(map(split, events, bodies)),
            )  # fmt: skip
            previous = digest(previous, entry, *covered(previous, entry, key))
            made.append((entry, previous))
            if len(made) == 10_000 or number == entries - 1:
                _load(db, campaign, made, state)
                made = []
        db.execute("VACUUM ANALYZE")
    with contextlib.closing(opened(database.at(campaign))) as store:
        perform(Book(store), Order("note", Note("the end"), "note 'the end'"))


def _load(
    db: "psycopg.Connection[tuple[Any, ...]]", campaign: str, made: Sequence[tuple[Entry, str]], state: str
) -> None:
    """Copies the rows of some entries into the tables; notes leave the state as it is."""
    with db.cursor() as cursor:
        with cursor.copy(f"COPY affray.entries (campaign, {ENTRY}) FROM STDIN") as copy:
            for one, link in made:
                copy.write_row((
                    campaign, one.entry, one.after, one.command, one.origin, one.drawn, one.hidden, one.recorded_at,
                    one.by, one.typed, one.program, one.once, one.parts, link,
                ))  # fmt: skip
        with cursor.copy("COPY affray.checkpoints (campaign, entry, reducers, state, seal) FROM STDIN") as copy:
            for one, link in made:
                if one.entry % SPARSE == 0:
                    copy.write_row((campaign, one.entry, VERSION, state, seal(link, VERSION, state)))
        with cursor.copy(f"COPY affray.events (campaign, {EVENT}) FROM STDIN") as copy:
            for one, _ in made:
                for nth, (body, at) in enumerate(zip(one.bodies, one.splits, strict=True), 1):
                    copy.write_row((campaign, one.entry, nth, body, at))


def growth(database: Database, said: argparse.Namespace) -> None:
    """An action in a long campaign against one in a short campaign: in an open ledger, and from opening to closing."""
    sizes = (said.small, said.large)
    for entries in sizes:
        long_campaign(database, f"long {entries}", entries)
    stores = [opened(database.at(f"long {entries}")) for entries in sizes]
    books = [Book(store) for store in stores]
    note, console = Order("note", Note("rain"), "note rain"), Console(json=True)
    times: dict[tuple[str, int], list[float]] = {(how, at): [] for how in WAYS for at in (0, 1)}
    for run in range(said.notes + 3):
        for at in (0, 1) if run % 2 else (1, 0):
            start = time.perf_counter()
            perform(books[at], note)
            middle = time.perf_counter()
            with contextlib.closing(opened(database.at(f"long {sizes[at]}"))) as store:
                perform(Book(store), note)
            end = time.perf_counter()
            console.book = books[at]
            with contextlib.redirect_stdout(io.StringIO()):
                undo(console, Undo())
            undone = time.perf_counter()
            if run >= 3:
                times["undo", at].append(undone - end)
                times["open", at].append(middle - start)
                times["whole", at].append(end - middle)
    for store in stores:
        store.close()
    rows = []
    for how, what in WAYS.items():
        small, large = (statistics.median(times[how, at]) for at in (0, 1))
        rows.append(Row(f"{what}, {sizes[0]:,} entries", f"{small * 1000:.2f} ms"))
        rows.append(Row(f"{what}, {sizes[1]:,} entries", f"{large * 1000:.2f} ms", large / small, GROWTH))
    show(f"{SYSTEM}: time of an action (median of {said.notes})", rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=800, help="actions of a measurement")
    parser.add_argument("--writers", type=_numbers, default=[1, 8, 16])
    parser.add_argument("--campaigns", type=_numbers, default=[1, 1000])
    parser.add_argument("--runs", type=int, default=5, help="measurements of each kind")
    parser.add_argument("--notes", type=int, default=200, help="actions in the long campaigns")
    parser.add_argument("--small", type=int, default=1_000, help="entries of the short campaign")
    parser.add_argument("--large", type=int, default=1_000_000, help="entries of the long campaign")
    said = parser.parse_args()
    database = Database(server())
    writers(database, said)
    growth(database, said)


def _numbers(said: str) -> list[int]:
    return [int(word) for word in said.split(",")]


if __name__ == "__main__":
    main()
