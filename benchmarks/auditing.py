"""`affray verify`: chain, dice, checkpoints, and every declaration resolved again.

python benchmarks/auditing.py [--events N]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action.book import Book
from commands.past.verify import audit
from ledger.store import Store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--system", default="freepg")
    said = parser.parse_args()
    book = Book(Store.open(big.ledger(said.events, said.system)))
    gc.disable()  # as every command does
    began = time.perf_counter()
    found = audit(book)
    took = time.perf_counter() - began
    show(
        f"verify {found.events:,} events of {found.entries:,} commands, {found.dice:,} dice of the stream",
        [
            Row("events a second", f"{found.events / took:,.0f}"),
            Row("commands a second", f"{found.entries / took:,.0f}"),
            Row("in all", f"{took:.1f} s"),
        ],
    )


if __name__ == "__main__":
    main()
