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

    def accepting(self) -> str:
        """The command that records the oldest; "" where none waits."""
        return next((f"accept {one.nth}" for one in self.look()), "")

    def changing(self) -> str:
        """The command that records the oldest in words that can be changed."""
        return next((f"accept {one.nth} {body_of(one).line}" for one in self.look()), "")

    def declining(self) -> str:
        """The command that sends the oldest back, with room for a word."""
        return next((f"decline {one.nth} " for one in self.look()), "")

    def close(self) -> None:
        """Closes the tray."""
        if self._tray is not None:
            with suppress(AffrayError):
                self._tray.close()
        self._tray = self._version = None
