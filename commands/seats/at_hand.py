"""The proposals and questions of a ledger as a prompt shows them, looked at again and again."""

from contextlib import suppress

from commands.words.console import Console
from commands.words.screen import harmless
from ledger.errors import AffrayError
from ledger.tray import PROPOSAL, Paper, Tray

from .deciding import told
from .proposals import WAITS, body_of
from .trays import tray_of


class AtHand:
    """What waits on the tray of a ledger."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._tray: Tray | None = None
        self._version: tuple[int, int] | None = None
        self._papers: list[Paper] = []

    def look(self) -> list[Paper]:
        """The proposals that wait, the oldest first; none where nobody has a seat, or the tray cannot be read now."""
        with suppress(AffrayError):
            if self._tray is None:
                if not self._console.book.present()[1].seats.taken:
                    return []
                self._tray = tray_of(self._console)
            if (version := self._tray.version()) != self._version:
                self._papers, self._version = self._tray.papers(PROPOSAL, WAITS), version
            return self._papers
        self.close()
        return []

    def line(self) -> str:
        """The oldest in a line, and how many more there are; "" for none."""
        papers = self.look()
        more = f" (and {len(papers) - 1} more)" if papers[1:] else ""
        return f"{harmless(told(papers[0]))}{more}" if papers else ""

    def deciding(self, verb: str, words: bool = False) -> str:
        """The command that accepts or declines the oldest, perhaps in the `words` of it; "" where none waits."""
        return next((f"{verb} {one.nth} {body_of(one).line * words}" for one in self.look()), "")

    def close(self) -> None:
        """Closes the tray."""
        if self._tray is not None:
            with suppress(AffrayError):
                self._tray.close()
        self._tray = self._version = None
