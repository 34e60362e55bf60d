"""The console: one process's view of its ledger, its user and its terminal."""

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from commands.action.quoting import quoted
from ledger.errors import AffrayError, NoLedger, Refused

from .discovery import find_ledger, system_of

if TYPE_CHECKING:
    from commands.action.book import Book, Done


AT_ONCE = 0.05
"""A ledger that opens within this many seconds was not busy."""


class Unsaid(Exception):
    """The output cannot be written. Not an OSError, so that nobody takes it for an error of a file."""


class Console:
    """What a command works with: the ledger and the output."""

    def __init__(self, ledger: str = "", json: bool = False) -> None:
        self.ledger = ledger
        """The path from --ledger; "" to look for the ledger."""
        self.json = json
        self.making = ""
        """The file of a new ledger that this command makes; else ""."""
        self.interrupted = False
        """Whether somebody pressed Ctrl-C, even if the code under way turned that into another error."""
        self.missing: NoLedger | None = None
        """Why no ledger says which rule system is played; None before anybody asked, and where there is a ledger."""
        self.words: list[str] = []
        """The words of the command, as the record keeps them."""
        self.playing = False
        """Whether the command is a line of a script."""
        self._book: Book | None = None
        self._system = ""

    @property
    def book(self) -> "Book":
        """The ledger, opened when it is first needed. Raises LedgerMissing when there is none."""
        if self._book is None:
            from commands.action.book import Book
            from ledger.store import Store

            path, began = find_ledger(self.ledger), time.monotonic()
            store = Store.open(path)
            if (waited := time.monotonic() - began) > AT_ONCE:
                store.hurry(waited)
            self._book = Book(store)
        return self._book

    @book.setter
    def book(self, book: "Book") -> None:
        self._book = book

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
        AffrayError when the ledger cannot be read now.
        """
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
    def typed(self) -> str:
        """The words of the command, quoted for a shell."""
        return " ".join(map(quoted, self.words))

    def write_out(self, said: str, meant: str) -> None:
        """Keeps what a word meant in place of it, where it first stands in the command."""
        for at, word in enumerate(self.words):
            if word == said or (word.startswith("--") and word.partition("=")[2] == said):
                self.words[at] = word.removesuffix(said) + meant
                return

    @property
    def opened(self) -> "Book | None":
        """The ledger, if it was opened; None else."""
        return self._book

    @property
    def colour(self) -> bool:
        """Whether to use colour: on a terminal, unless `$NO_COLOR` is set."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, code: str) -> str:
        """The text in a colour or style of ANSI, such as `1` for bold, where colour is used."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def say(self, text: str = "") -> None:
        """Prints a line of the answer on standard output."""
        try:
            sys.stdout.write(text + "\n")
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unsaid(error.strerror) from None

    def give(self, data: Any) -> None:
        """Prints the answer as one line of JSON on standard output."""
        import msgspec

        self.say(msgspec.json.encode(data).decode())

    def whisper(self, text: str) -> None:
        """Prints a line on standard error, if possible."""
        with contextlib.suppress(OSError):
            sys.stderr.write(text + "\n")

    def tell(self, done: "Done") -> None:
        """Prints the result of a recorded command."""
        from projections.narration import lines

        told = [harmless(line) for line in lines(done.events)]
        again = [harmless(line) for line in lines(done.again)]
        if self.json:
            needs = [
                {"who": roll.who, "dice": roll.dice, "purpose": roll.purpose, "about": roll.about}
                for roll in done.needed
            ]
            self.give(
                {
                    "ok": True,
                    "entry": done.entry or None,
                    "digest": done.head.digest if done.entry and not done.repeated else None,
                    "repeated": done.repeated,
                    "lines": told,
                    "needs": needs,
                    "notes": done.notes,
                    "events": done.events,
                    "again": {"lines": again, "events": done.again} if again else None,
                }
            )
            return
        for line in done.notes:
            self.say(self.paint(harmless(line), "2"))
        mark = f"e{done.entry}" if done.entry else "(dry run)"
        for line in told:
            self.say(f"{line}  {self.paint(mark, '2')}")
        mark = f"e{done.entry + 1}" if done.entry else "(dry run)"
        for line in again:
            self.say(f"again: {line}  {self.paint(mark, '2')}")
        for roll in done.needed:
            about = f" ({roll.about})" if roll.about else ""
            self.say(f"needs {roll.who or 'the table'} {roll.dice} for {roll.purpose}{about}  {self.paint(mark, '2')}")
        if done.repeated:
            self.whisper(f"This was already recorded as e{done.entry}; nothing was recorded now.")

    def last_word(self) -> str:
        """How the ledger ends, for somebody who wonders whether the last command was recorded. Reads the file itself,
        after giving up whatever was under way.
        """
        path = self.making
        if self._book is not None:
            path = self._book.store.path
            self._book.store.close()
        if not os.path.isfile(path):
            return "Nothing was recorded."
        from ledger.store import Store

        try:
            head = Store.open(path).head()
        except AffrayError:
            return "affray log shows how the ledger ends."
        return f"{'The ledger' if path != self.making else path} ends with e{head.entry}."

    @property
    def wrote(self) -> bool:
        """Whether this command recorded something already."""
        return os.path.isfile(self.making) or (self._book is not None and self._book.store.wrote)

    def complain(self, error: AffrayError) -> int:
        """Prints what went wrong, and gives the exit code."""
        if self.json:
            problem = {
                "reference": error.reference,
                "code": error.code,
                "message": harmless(error.message),
                "hint": harmless(error.hint),
                "clause": error.clause or None,
            }
            answer = {"ok": False, "error": problem, **error.data}
            try:
                self.give(answer)
                sys.stdout.flush()
            except (OSError, Unsaid):
                import msgspec

                self.whisper(msgspec.json.encode(answer).decode())
            return error.code
        self.whisper(self._paint_error(error.heading()) + harmless(error.message))
        if isinstance(error, Refused):
            self.whisper("Nothing was recorded.")
        for line in error.hint.splitlines():
            self.whisper(harmless(tried(line)))
        return error.code

    def _paint_error(self, text: str) -> str:
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return f"\x1b[1;31m{text}\x1b[0m" if coloured else text


def tried(line: str) -> str:
    """A line of a hint as it is printed: a command with "Try:" in front, a sentence unchanged."""
    return f"Try: {line}" if line.startswith(("affray ", "pip ", "pipx ", "uv ")) else line


def harmless(text: str) -> str:
    """The text with its control characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
