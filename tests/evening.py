"""Evenings: whole fights kept as stories, checked entry by entry."""

from collections.abc import Sequence
from pathlib import Path

from commands.action.book import Book
from commands.shell.cli import run
from ledger.events import Event, Overruled, Ruled, decode
from ledger.sqlite import SqliteStore
from projections.state import State
from tests.test_golden import FIXTURES, tell


class Evening:
    """A story, played into a ledger of its own."""

    def __init__(self, system: str, folder: Path, story: str = "evening") -> None:
        self.ledger = folder / "evening.affray"
        tell(FIXTURES / system / f"{story}.fight", self.ledger)
        store = SqliteStore.open(str(self.ledger))
        self._book = Book(store)
        self.state: State = self._book.present()[1]
        course = sorted(store.course(store.head().entry))
        self.events: Sequence[Event] = [decode(body) for body in store.bodies(course)]
        """Of the entries that stand: what was taken back or amended is not among them."""
        store.close()

    def ruled(self, clause: str, *totals: int) -> int:
        """How often a clause had these totals."""
        return sum(
            isinstance(event, Ruled) and event.clause == clause and tuple(n.total for n in event.numbers) == totals
            for event in self.events
        )

    def overruled(self) -> list[str]:
        """The clauses that the game master overruled, in order."""
        return [event.clause for event in self.events if isinstance(event, Overruled)]

    def is_sound(self) -> bool:
        """Whether every entry resolves again to the same bytes."""
        return run(["--ledger", str(self.ledger), "verify"]) == 0
