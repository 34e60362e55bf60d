"""The desk: one process's view of its ledger, its user and its terminal."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ledger.errors import AffrayError, Refused
from ledger.store import Store
from projections.narration import lines

from .book import Book, Done
from .discovery import find_ledger


class Desk:
    """What a command works with: the ledger, and a way to speak."""

    def __init__(self, ledger: str = "", json: bool = False) -> None:
        self.ledger = ledger
        """The path that was said; "" to look for it."""
        self.json = json
        self._book: Book | None = None

    @property
    def book(self) -> Book:
        """The ledger, opened when it is first needed. Raises LedgerMissing when there is none."""
        if self._book is None:
            self._book = Book(Store.open(find_ledger(self.ledger)))
        return self._book

    @book.setter
    def book(self, book: Book) -> None:
        self._book = book

    @property
    def system(self) -> str:
        """The rule system of the ledger; "" when there is none to ask."""
        try:
            return self.book.present()[1].campaign.system
        except AffrayError:
            return ""

    @property
    def colour(self) -> bool:
        """Whether to use colour: on a terminal, unless `$NO_COLOR` is set."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, code: str) -> str:
        """The text in a colour or style of ANSI, such as `1` for bold, where colour is used."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def say(self, text: str = "") -> None:
        """One line of what was asked for, on standard output."""
        sys.stdout.write(text + "\n")

    def give(self, data: Any) -> None:
        """What was asked for, as one line of JSON on standard output."""
        self.say(msgspec.json.encode(data).decode())

    def whisper(self, text: str) -> None:
        """One line of talk, on standard error."""
        sys.stderr.write(text + "\n")

    def tell(self, done: Done) -> None:
        """What a command came to."""
        told = [harmless(line) for line in lines(done.events)]
        needed = [NeededDice(roll.who, roll.dice, roll.purpose, roll.about) for roll in done.needed]
        if self.json:
            self.give(
                Outcome(
                    ok=True,
                    entry=done.entry or None,
                    digest=done.head.digest if done.entry == done.head.entry else None,
                    repeated=done.repeated,
                    lines=told,
                    needs=needed,
                    events=done.events,
                )
            )
            return
        mark = f"e{done.entry}" if done.entry else "(dry run)"
        for line in told:
            self.say(f"{line}  {self.paint(mark, '2')}")
        for dice in needed:
            about = f" ({dice.about})" if dice.about else ""
            self.say(f"needs {dice.who or 'the table'} {dice.dice} for {dice.purpose}{about}  {self.paint(mark, '2')}")
        if done.repeated:
            self.whisper(f"Recorded before as e{done.entry}; nothing was recorded now.")

    def last_word(self) -> str:
        """What the ledger ends with, for somebody who wonders whether the last command came through."""
        if self._book is None:
            return "Nothing was recorded."
        head = self._book.store.head()
        return f"The ledger ends with e{head.entry}."

    def complain(self, error: AffrayError) -> int:
        """Says what went wrong, and gives the exit code."""
        if self.json:
            clause = error.clause if isinstance(error, Refused) else None
            self.give(Failure(ok=False, error=Problem(error.reference, error.code, error.message, error.hint, clause)))
            return error.code
        self.whisper(self._paint_error(error.heading()) + harmless(error.message))
        if isinstance(error, Refused):
            self.whisper("Nothing was recorded.")
        if error.hint:
            self.whisper(f"Try: {harmless(error.hint)}")
        return error.code

    def _paint_error(self, text: str) -> str:
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return f"\x1b[1;31m{text}\x1b[0m" if coloured else text


class NeededDice(Struct):
    """A roll that a preview needs."""

    who: str
    dice: str
    purpose: str
    about: str


class Outcome(Struct):
    """What a recorded command came to, for `--json`."""

    ok: bool
    entry: int | None
    digest: str | None
    repeated: bool
    lines: list[str]
    needs: list[NeededDice]
    events: Sequence[Any]


class Problem(Struct):
    """What went wrong, for `--json`."""

    reference: str
    code: int
    message: str
    hint: str
    clause: str | None


class Failure(Struct):
    """A failed command, for `--json`."""

    ok: bool
    error: Problem


def harmless(text: str) -> str:
    """The text with every character that a terminal might obey written out."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
