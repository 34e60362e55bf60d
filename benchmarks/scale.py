"""A thousand campaigns in one database: what they take, and whether an action and a query stay as fast as beside few.

python benchmarks/scale.py [--campaigns N] [--events N] [--runs N] [--processes N]

It starts a PostgreSQL of its own, as `postgres.py` does, and needs about 2 GB there. `docs/scale.md` computes from its
figures what a million campaigns cost.
"""

import argparse
import contextlib
import io
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial

import big
from postgres import Database, together
from report import Row, show

from commands.action.book import Book, Order
from commands.action.rolling import Roll
from commands.action.systems import SYSTEMS
from commands.archive.archive import Archive, archive
from commands.files.copy import Copy, copy
from commands.look.filters import Filters
from commands.look.stats import report
from commands.past.perform import perform
from commands.words.console import Console
from commands.words.discovery import opened
from ledger.hashing import hexdigest
from ledger.postgres import PostgresStore, campaigns
from tests.postgres import OWNER, server

GROWTH = 1.10
"""The bar: a thousand campaigns in a database make an action or a query in one of them no slower than ten."""
FEW = 10


class Loaded:
    """A database with many campaigns of all rule systems by turns."""

    def __init__(self, count: int, events: int, processes: int) -> None:
        self.database, self.count, self.events = Database(server()), count, events
        shares = [range(first, count, processes) for first in range(processes)]
        self.took = together([partial(self._load, share) for share in shares])
        self.database.ask("VACUUM ANALYZE")

    def at(self, number: int) -> str:
        """The address of a campaign."""
        return self.database.at(f"campaign {number}".replace(" ", "%20"))

    def _load(self, share: range) -> None:
        for number in share:
            key = bytes.fromhex(hexdigest(str(number).encode()))
            with contextlib.closing(PostgresStore.create(self.at(number), key)) as store:
                big.fill(store, big.campaign(SYSTEMS[number % len(SYSTEMS)], key), self.events)

    def counted(self, table: str) -> int:
        """The rows of a table."""
        [(rows,)] = self.database.ask(f"SELECT count(*) FROM affray.{table}")
        return int(rows)


def sizes(few: Loaded, many: Loaded) -> None:
    """Rows and bytes."""
    rows = [
        Row(f"written with {many.events:,} events for each of {many.count:,}", f"{many.took:,.0f} s"),
        Row("  entries a second", f"{many.counted('entries') / many.took:,.0f}"),
    ]
    whole = 0
    for table in ("entries", "events", "checkpoints", "turns", "keys"):
        [(size, indexes)] = many.database.ask("SELECT pg_total_relation_size(%s), pg_indexes_size(%s)",
                                              *[f"affray.{table}"] * 2)  # fmt: skip
        whole += size
        rows.append(Row(f"{table}: rows", f"{many.counted(table):,}"))
        rows.append(Row("  MB, of which indexes", f"{size / 1e6:,.1f}, {indexes / 1e6:,.1f}"))
    rows.append(Row("bytes for each event, all in all", f"{whole / many.counted('events'):,.0f}"))
    rows.append(Row("bytes for each campaign", f"{whole / many.count:,.0f}"))
    show("rows and bytes", rows)
    print()


def act(where: str) -> None:
    """Opens a campaign, records an action, closes."""
    with contextlib.closing(opened(where)) as store:
        perform(Book(store), Order("roll", Roll("1d20", why="courage"), "roll 1d20 --why courage"))


def stats(where: str) -> None:
    """Adds up a campaign."""
    with contextlib.closing(opened(where)) as store:
        report(Book(store), Filters())


def flat(few: Loaded, many: Loaded, runs: int) -> None:
    """An action and a query, by turns beside few campaigns and beside many."""
    deeds: dict[str, Callable[[str], None]] = {"an action, with opening": act, "stats of a campaign": stats}
    rows = []
    for what, deed in deeds.items():
        times: tuple[list[float], list[float]] = ([], [])
        for run in range(runs + 3):
            number = run % few.count  # the same campaign in both
            for at, loaded in ((0, few), (1, many)) if run % 2 else ((1, many), (0, few)):
                start = time.perf_counter()
                deed(loaded.at(number))
                if run >= 3:
                    times[at].append(time.perf_counter() - start)
        small, large = map(statistics.median, times)
        rows.append(Row(f"{what}, beside {few.count:,}", f"{small * 1000:.1f} ms"))
        rows.append(Row(f"{what}, beside {many.count:,}", f"{large * 1000:.1f} ms", large / small, GROWTH))
    start = time.perf_counter()
    found = len(campaigns(many.database.at("").removesuffix("#")))
    rows.append(Row(f"the list of {found:,} campaigns", f"{(time.perf_counter() - start) * 1000:.0f} ms"))
    show(f"time (median of {runs})", rows)
    print()


def moved(few: Loaded, many: Loaded, runs: int) -> None:
    """Copies campaigns into files and back."""
    out, back, size = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(runs, many.count)):
            path = os.path.join(folder, f"{number}.affray")
            for took, words in ((out, (many.at(number), path)), (back, (path, many.database.at(f"moved{number}")))):
                start = time.perf_counter()
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    copy(Console(json=True), Copy(*words))
                took.append(time.perf_counter() - start)
            size.append(os.path.getsize(path))
    rows = [
        Row("a campaign into a file", f"{statistics.median(out) * 1000:.0f} ms"),
        Row("a campaign into the database", f"{statistics.median(back) * 1000:.0f} ms"),
        Row("the file", f"{statistics.mean(size):,.0f} bytes"),
    ]
    show("moving", rows)
    print()


def backup(few: Loaded, many: Loaded) -> None:
    """Dumps the database, compressed, and restores it."""
    of = many.database
    with tempfile.TemporaryDirectory() as folder:
        path, rows = os.path.join(folder, "dump"), []
        tools, other = of.server.programs, of.server.database()
        where = ["-h", str(of.server.folder), "-U", OWNER]
        for what, words in (
            ("pg_dump, compressed", ["pg_dump", *where, "-Fc", "-f", path, of.name]),
            ("pg_restore", ["pg_restore", *where, "-d", other, path]),
        ):
            start = time.perf_counter()
            subprocess.run([str(tools / words[0]), *words[1:]], check=True)
            rows.append(Row(what, f"{time.perf_counter() - start:.1f} s"))
        rows.append(Row("the dump", f"{os.path.getsize(path) / 1e6:,.1f} MB"))
    show("backup", rows)
    print()


def archived(few: Loaded, many: Loaded) -> None:
    """Archives both databases, and says it again."""
    rows, each = [], []
    with tempfile.TemporaryDirectory() as folder:
        for loaded in (few, many):
            to = os.path.join(folder, str(loaded.count))
            said = Archive(ledger=(loaded.database.at("").removesuffix("#"),), to=to)
            first, again = (
                _took(partial(archive, Console(json=True), said)),
                _took(partial(archive, Console(json=True), said)),
            )
            files = [os.path.join(root, name) for root, _, names in os.walk(to) for name in names]
            each.append(first / loaded.count)
            rows += [
                Row(f"the archive of {loaded.count:,} campaigns", f"{first:.1f} s"),
                Row("  on the disk", f"{sum(map(os.path.getsize, files)) / 1e6:,.1f} MB"),
                Row("  said again", f"{again:.1f} s"),
            ]
    rows.append(Row("a campaign of the many", f"{each[1] * 1000:.0f} ms", each[1] / each[0], 1.25))
    show("archive", rows)


def _took(work: Callable[[], object]) -> float:
    """The seconds of some work, which prints nothing."""
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--events", type=int, default=1000, help="events of each campaign")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="that write at the same time")
    said = parser.parse_args()
    few = Loaded(min(FEW, said.campaigns), said.events, 1)
    many = Loaded(said.campaigns, said.events, said.processes)
    sizes(few, many)
    flat(few, many, said.runs)
    moved(few, many, min(said.runs, 50))
    backup(few, many)
    archived(few, many)


if __name__ == "__main__":
    main()
