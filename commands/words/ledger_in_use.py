"""The ledger of a process: found, opened when it is first needed, and asked how it ends."""

import contextlib
import time
from typing import TYPE_CHECKING

from ledger.errors import AffrayError, NoLedger

from .discovery import find_ledger, is_there, opened, shown, system_of

if TYPE_CHECKING:
    from commands.action.book import Book
    from ledger.store import Head

_AT_ONCE = 0.05
"""A ledger that opens within this many seconds was not busy."""


class LedgerInUse:
    """The ledger that commands work with."""

    def __init__(self, ledger: str = "") -> None:
        self.ledger = ledger
        """The path from --ledger; "" to look for the ledger."""
        self.by: str | None = None
        """Who gives the commands; None for what `$AFFRAY_BY` says."""
        self.making = ""
        """The file of a new ledger that this command makes; else ""."""
        self.missing: NoLedger | None = None
        """Why no ledger says which rule system is played; None before anybody asked, and where there is a ledger."""
        self.side = ""
        """The side of whom dice are typed; "" where the campaign says whose, or nobody does."""
        self.once = ""
        """The id under which a command is recorded once; "" where its words say one, or there is none."""
        self.shown: Head | None = None
        """The end of the ledger that the words of the command rely on; None when they rely on none."""
        self.seen: Head | None = None
        """The end of the ledger that the board at the prompt shows."""
        self._book: Book | None = None
        self._system = ""

    @property
    def book(self) -> "Book":
        """The ledger, opened when it is first needed. Raises LedgerMissing when there is none."""
        if self._book is None:
            from commands.action.book import Book

            path, began = find_ledger(self.ledger), time.monotonic()
            store = opened(path)
            if (waited := time.monotonic() - began) > _AT_ONCE:
                store.hurry(waited)
            self._book = Book(store, self.by)
        return self._book

    @book.setter
    def book(self, book: "Book") -> None:
        self._book, self._system = book, ""

    def close(self) -> None:
        """Closes the ledger. The next command opens it anew."""
        if self._book is not None:
            self._book.store.close()
        self._book = None

    @property
    def system(self) -> str:
        """The rule system of the ledger, found without opening it; "" when there is no ledger. Raises AffrayError when
        the ledger cannot be read now.
        """
        if not self._system:
            try:
                self._system = system_of(find_ledger(self.ledger))
            except NoLedger as missing:
                self.missing = missing
        return self._system

    def open(self) -> str:
        """Opens the ledger, for a command that needs it, and gives its rule system; "" when there is no ledger. Raises
        AffrayError when the ledger cannot be read now. A script asks the file only once: no ledger changes its system.
        """
        if self._book is not None and self._system:
            return self._system
        try:
            self._system = self.book.present()[1].campaign.system
        except NoLedger as missing:
            self.missing = missing
        return self._system

    def need(self) -> None:
        """Finds the ledger, before anything else of a command is looked at. Raises NoLedger when there is none."""
        if self._book is None:
            if self.missing:
                raise self.missing
            find_ledger(self.ledger)

    @property
    def opened(self) -> "Book | None":
        """The ledger, if it was opened; None else."""
        return self._book

    def last_word(self) -> str:
        """How the ledger ends, for somebody who wonders whether the last command was recorded. Reads the file itself,
        after giving up whatever was under way.
        """
        path = self.making
        if self._book is not None:
            path = self._book.store.path
            self.close()
        try:
            if not (path and is_there(path)):
                return "Nothing was recorded."
            with contextlib.closing(opened(path)) as store:
                head = store.head()
        except AffrayError:
            return "affray log shows how the ledger ends."
        return f"{'The ledger' if path != self.making else shown(path)} ends with e{head.entry}."

    @property
    def wrote(self) -> bool:
        """Whether this command recorded something already."""
        return (self._book is not None and self._book.store.wrote) or bool(self.making and is_there(self.making))
