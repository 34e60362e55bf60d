"""The golden ledgers: told from their scripts, always by the same hand, at the same hour, with the same dice.

`python -m tests.paraverse.stories` tells all of them anew; read the difference before you keep it.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from commands.book import Book, Order
from commands.desk import Desk
from commands.opening import new_ledger
from commands.scripts import play
from commands.table import Init
from commands.transfer import Export, export
from ledger.dice import commitment
from ledger.store import Store

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures/paraverse"
KEY = bytes(range(32))
STORIES = {"gatehouse": ROOT / "commands/paraverse/demo.fight"} | {
    path.stem: path for path in sorted(FOLDER.glob("*.fight"))
}
"""Name and script of each; the demo's is the one that is shipped."""


def book(path: Path) -> Book:
    """The ledger of a story."""
    return Book(Store.open(str(path)), by="the referee", clock=lambda: "2018-02-01T20:00:00Z")


def tell(name: str, path: Path) -> Desk:
    """Plays a script into a new ledger."""
    with new_ledger(str(path), KEY) as store:
        Book(store, by="the referee", clock=lambda: "2018-02-01T20:00:00Z").perform(
            Order("init", Init(name, "paraverse", commitment(KEY)), f"init {name} --system paraverse")
        )
    desk = Desk(str(path))
    desk.book = book(path)
    play(desk, STORIES[name].read_text().splitlines(), name)
    return desk


def main() -> None:
    """Tells every story anew."""
    for name in STORIES:
        with TemporaryDirectory() as folder:
            desk = tell(name, Path(folder) / "story.affray")
            export(desk, Export(str(FOLDER / f"{name}.jsonl")))
            desk.book.store.close()


if __name__ == "__main__":
    if os.environ.get("QUIET"):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    main()
