"""Folding all events of a ledger into a state, against reading and decoding them.

python benchmarks/folding.py [--events N] [--runs N] [--system NAME]
"""

import argparse
import gc
import statistics
import time

import big
from report import Row, show

from ledger.events import decode
from ledger.sqlite import SqliteStore
from projections.state import State, fold

BAR = 2.0


def reading(store: SqliteStore, last: int) -> None:
    """SELECT and decode."""
    for body in store.bodies([(1, last)]):
        decode(body)


def folding(store: SqliteStore, last: int) -> None:
    """The same, and the fold."""
    fold(State(), map(decode, store.bodies([(1, last)])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    store = SqliteStore.open(big.ledger(said.events, system))
    last = store.head().entry
    gc.disable()  # as every command does
    times: dict[str, list[float]] = {"reading": [], "folding": []}
    for _ in range(said.runs):
        for work in (reading, folding):
            began = time.perf_counter()
            work(store, last)
            times[work.__name__].append(time.perf_counter() - began)
    read, folded = (statistics.median(times[name]) for name in ("reading", "folding"))
    show(
        f"{system}: {said.events:,} events (median of {said.runs})",
        [
            Row("SELECT and decode", f"{read * 1e6 / said.events:.2f} us each"),
            Row("SELECT, decode and fold", f"{folded * 1e6 / said.events:.2f} us each", folded / read, BAR),
        ],
    )


if __name__ == "__main__":
    main()
