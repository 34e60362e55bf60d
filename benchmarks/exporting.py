"""Exporting a ledger in each format, against reading and decoding its events.

python benchmarks/exporting.py [--events N] [--runs N] [--system NAME] [--all]
"""

import argparse
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable

import big
from report import Row, show

from commands.action import systems
from commands.action.book import Book
from commands.files.exports import FORMATS
from commands.files.transfer import writer
from commands.look.filters import Filters
from commands.seen.record import Record
from ledger.events import decode
from ledger.sqlite import SqliteStore

BAR = 2.0
"""JSON Lines take at most twice as long as SELECT and decode."""


def reading(book: Book, path: str) -> None:
    """SELECT and decode."""
    for body in book.store.bodies([(1, book.store.head().entry)]):
        decode(body)


def writing(name: str, sides: tuple[str, ...] | None = None) -> Callable[[Book, str], None]:
    """An export; for players of some sides, or of everything."""
    write = writer(name)
    table = "events" if FORMATS[name].tabular else ""

    def work(book: Book, path: str) -> None:
        with open(path, "wb") as file:
            write(Record(book, Filters(), table, sides), file)
            file.flush()
            os.fsync(file.fileno())

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--all", action="store_true", help="every format, not only JSON Lines")
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    book = Book(SqliteStore.open(big.ledger(said.events, system)))
    book.present()
    gc.disable()  # as every command does
    works: dict[str, Callable[[Book, str], None]] = {"SELECT and decode": reading}
    works |= {name: writing(name) for name in (FORMATS if said.all else ["jsonl"])}
    works["jsonl for players"] = writing("jsonl", systems.load(system).players)
    times: dict[str, list[float]] = {name: [] for name in works}
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "export")
        for _ in range(said.runs):
            for name, work in works.items():
                began = time.perf_counter()
                work(book, path)
                times[name].append(time.perf_counter() - began)
                sizes[name] = os.path.getsize(path) if os.path.exists(path) else 0
    read = statistics.median(times.pop("SELECT and decode"))
    rows = [Row("SELECT and decode", f"{read * 1e6 / said.events:.2f} us each")]
    for name, measured in times.items():
        took = statistics.median(measured)
        each = f"{took * 1e6 / said.events:.2f} us each, {sizes[name] / 1e6:.0f} MB"
        if name == "jsonl for players":
            rows.append(Row(f"{name}, against jsonl", each, took / statistics.median(times["jsonl"])))
        else:
            rows.append(Row(name, each, took / read, BAR if name == "jsonl" else None))
    show(f"{system}: {said.events:,} events (median of {said.runs})", rows)


if __name__ == "__main__":
    main()
