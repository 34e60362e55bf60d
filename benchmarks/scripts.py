"""`affray run` of many commands, against bare inserts of the same rows with the same durability.

python benchmarks/scripts.py [--affray PATH] [--commands N] [--system NAME]
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice

import big
from report import Row, show

from ledger.schema import TABLES

BESIDE = os.path.join(os.path.dirname(sys.executable), "affray")
COLUMNS = "entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest"


class Bare:
    """A file with the tables of a ledger and without any rule, as durable as a ledger."""

    def __init__(self, path: str) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = DELETE")
        self.db.execute("PRAGMA synchronous = EXTRA")
        self.db.executescript(TABLES)

    def commit(self, entry: Sequence[object], events: Sequence[Sequence[object]]) -> float:
        """Seconds for the rows of an entry, in a transaction of its own."""
        began = time.perf_counter()
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", entry)
        self.db.executemany("INSERT INTO events (seq, entry, body, split) VALUES (?, ?, ?, ?)", events)
        self.db.execute("COMMIT")
        return time.perf_counter() - began


def rows(source: str, above: int = 0) -> Iterator[tuple[Sequence[object], Sequence[Sequence[object]]]]:
    """The rows of each entry of a ledger above one: that of the entry, and those of its events."""
    old = sqlite3.connect(source)
    entries = old.execute(f"SELECT {COLUMNS} FROM entries WHERE entry > ? ORDER BY entry", (above,)).fetchall()
    events: dict[int, list[Sequence[object]]] = {}
    for row in old.execute("SELECT seq, entry, body, split FROM events WHERE entry > ? ORDER BY seq", (above,)):
        events.setdefault(row[1], []).append(row)
    old.close()
    return ((entry, events[entry[0]]) for entry in entries)


def bare(source: str, path: str) -> float:
    """Seconds for the rows of a ledger, each entry in a transaction of its own, in a file without any rule."""
    file = Bare(path)
    return sum(file.commit(*both) for both in rows(source))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--affray", default=BESIDE)
    parser.add_argument("--commands", type=int, default=10_000)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    with tempfile.TemporaryDirectory() as folder:
        ledger, script = os.path.join(folder, "run.affray"), os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("\n".join(islice(big.accepted(system), said.commands)) + "\n")
        subprocess.run(
            [said.affray, "--ledger", ledger, "init", "A long day", "--system", system, "--key", big.KEY.hex()],
            check=True,
            capture_output=True,
        )
        began = time.perf_counter()
        subprocess.run([said.affray, "--ledger", ledger, "run", script], check=True, stdout=subprocess.DEVNULL)
        took = time.perf_counter() - began
        inserted = bare(ledger, os.path.join(folder, "bare"))
    show(
        f"{system}: {said.commands:,} commands",
        [
            Row("bare inserts a second", f"{said.commands / inserted:,.0f}"),
            Row("affray run, commands a second", f"{said.commands / took:,.0f}", took / inserted),
            Row("in all", f"{took:.1f} s"),
        ],
    )


if __name__ == "__main__":
    main()
