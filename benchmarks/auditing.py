"""`affray verify`: chain, dice, checkpoints, and every declaration resolved again.

python benchmarks/auditing.py [--events N] [--system NAME]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action.book import Book
from commands.past.verify import audit
from ledger.sqlite import SqliteStore


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    book = Book(SqliteStore.open(big.ledger(said.events, system)))
    gc.disable()  # as every command does
    began = time.perf_counter()
    found = audit(book)
    took = time.perf_counter() - began
    show(
        f"{system}: verify {found.events:,} events of {found.entries:,} commands, {found.dice:,} dice of the stream",
        [
            Row("events a second", f"{found.events / took:,.0f}"),
            Row("commands a second", f"{found.entries / took:,.0f}"),
            Row("in all", f"{took:.1f} s"),
        ],
    )


if __name__ == "__main__":
    main()
