"""Drawings: the story and the heroes of a view, as the exported page has them. Made when somebody asks, and kept."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from time import monotonic

from commands.action.book import Book
from commands.look.filters import Filters
from commands.seen.record import Record
from commands.words.discovery import opened

from .follow import Sides

_FRESH = 10.0
"""Seconds for which a drawing will do, whatever is recorded meanwhile: an action at the table comes first."""


class Drawings:
    """The drawings of all views of a ledger."""

    def __init__(self, path: str, audiences: Mapping[str, Sides]) -> None:
        self._path, self._audiences = path, audiences
        self._made: dict[str, tuple[str, float, str]] = {}
        self._drawing = asyncio.Lock()

    async def of(self, view: str, known: str) -> str:
        """HTML for a view whose last entry has this id. Raises AffrayError when the ledger cannot be read."""
        async with self._drawing:
            made = self._made.get(view)
            if made is None or (made[0] != known and monotonic() - made[1] >= _FRESH):
                began = monotonic()
                made = known, began, await asyncio.to_thread(self._draw, view)
                self._made[view] = made
            return made[2]

    def _draw(self, view: str) -> str:
        from commands.seen.page.render import drawings

        with closing(opened(self._path)) as store:
            return drawings(Record(Book(store), Filters(), sides=self._audiences[view]))
