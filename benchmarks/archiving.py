"""Archiving many small campaigns: time for each and memory, against a tenth of them.

python benchmarks/archiving.py [--affray PROGRAM] [--campaigns N] [--events N] [--postgres ADDRESS]

With --postgres the campaigns are copied into that database first, which should hold no others, and archived from there.
"""

import argparse
import os
import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import big
from report import Row, show
from spawner import Spawner

from commands.action.systems import SYSTEMS
from ledger.sqlite import SqliteStore

MORE_MEMORY = 1.10
"""All campaigns take at most a tenth more memory than a tenth of them."""
MORE_TIME = 1.25
"""Each takes at most a quarter more time than each of a tenth."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--affray", default=str(Path(sys.executable).parent / "affray"))
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--events", type=int, default=300)
    parser.add_argument("--postgres", default="")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Spawner() as spawner:
        Archiving(said, folder, spawner).measure()


class Archiving:
    """Folders of ledgers, and archives of them."""

    def __init__(self, said: argparse.Namespace, folder: str, spawner: Spawner) -> None:
        self.said, self.folder, self.spawner = said, folder, spawner
        self.few = max(said.campaigns // 10, 1)

    def spend(self, *words: str) -> tuple[float, int]:
        """Seconds and KiB of a command."""
        return self.spawner.spend([os.path.abspath(self.said.affray), *words, "--json"], self.folder)

    def measure(self) -> None:
        """Measures from files, and from a database where one is named."""
        many, few = (os.path.join(self.folder, name) for name in ("many", "few"))
        os.mkdir(many)
        os.mkdir(few)
        for number in range(self.said.campaigns):
            system = SYSTEMS[number % len(SYSTEMS)]
            path, key = os.path.join(many, f"{number:07}.affray"), number.to_bytes(32, "big")
            with closing(SqliteStore.create(path, key)) as store:
                big.fill(store, big.campaign(system, key), self.said.events)
            if number < self.few:
                shutil.copy(path, few)
        _, bare = self.spend("sheets", "freepg")
        self.archive("files", few, many, bare)
        if self.said.postgres:
            database = self.said.postgres
            for number, name in enumerate(sorted(os.listdir(many)), 1):
                self.spend("copy", os.path.join(many, name), f"{database}#{name}")
                if number == self.few:
                    few_there = self.spend("archive", database, "--to", "few-there")
            self.archive("a database", "", database, bare, few_there)

    def archive(self, what: str, few: str, many: str, bare: int, first: tuple[float, int] | None = None) -> None:
        """Archives a tenth and all, and says it again."""
        places = [os.path.join(self.folder, f"{name} {what}") for name in ("few", "many")]
        short, little = first or self.spend("archive", few, "--to", places[0])
        took, held = self.spend("archive", many, "--to", places[1])
        again, _ = self.spend("archive", many, "--to", places[1])
        size = sum(os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(places[1]) for name in names)
        count, each = self.said.campaigns, took / self.said.campaigns
        rows = [
            Row("time for each, against a tenth", f"{1e3 * each:.1f} ms", each / (short / self.few), MORE_TIME),
            Row("memory, against a tenth", f"{held / 1024:.0f} MiB", held / little, MORE_MEMORY),
            Row("said again, for each", f"{1e3 * again / count:.1f} ms"),
            Row("on the disk, for each", f"{size / count / 1024:.0f} KiB"),
            Row("affray sheets", f"{bare / 1024:.0f} MiB"),
        ]
        show(f"{what}: {count:,} campaigns of {self.said.events} events", rows)


if __name__ == "__main__":
    main()
