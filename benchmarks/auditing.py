"""`affray verify`: chain, dice, checkpoints, and every declaration resolved again, by one process and by two, beside
reading and decoding the same events.

python benchmarks/auditing.py [--events N] [--system NAME]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action.book import Book
from commands.past.audit import audit
from ledger.events import decode
from ledger.sqlite import SqliteStore


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    path = big.ledger(said.events, system)
    gc.disable()  # as every command does
    took = {}
    for processes in (1, 2):
        began = time.perf_counter()
        found = audit(Book(SqliteStore.open(path)), processes)
        took[processes] = time.perf_counter() - began
    book = Book(SqliteStore.open(path))
    began = time.perf_counter()
    for body in book.store.bodies([(1, found.entries)]):
        decode(body)
    floor = time.perf_counter() - began
    rows = [Row("SELECT and decode: events a second", f"{found.events / floor:,.0f}")]
    for processes, seconds in took.items():
        by = "1 process" if processes == 1 else f"{processes} processes"
        rows += [
            Row(f"{by}: commands a second", f"{found.entries / seconds:,.0f}"),
            Row(f"{by}: events a second, against SELECT and decode", f"{found.events / seconds:,.0f}", seconds / floor),
        ]
    rows.append(Row("time of 2 processes over that of one", f"{took[2]:.1f} s", took[2] / took[1]))
    show(
        f"{system}: verify {found.events:,} events of {found.entries:,} commands, {found.dice:,} dice of the stream",
        rows,
    )


if __name__ == "__main__":
    main()
