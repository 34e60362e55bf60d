"""The screen: what is written for somebody to read, and how wide and in which colours."""

import contextlib
import os
import sys
from typing import Any

DIM = "2"
"""The style of what is less important."""
TIED = "\u00a0"
"""A space at which no line is broken; the names and texts of users have none, as `harmless` escapes it."""
_PLAIN = str.maketrans("█░●▲…·", "#-*^~|")
"""What stands for the signs of bars and boards where the terminal has no such signs."""
USUAL = 80
"""Columns where there is no terminal."""


def columns() -> int:
    """The width of the terminal: `$COLUMNS`, or what the terminal says."""
    for asked in (lambda: os.environ["COLUMNS"], lambda: os.get_terminal_size(sys.stdout.fileno()).columns):
        try:
            if (found := int(asked())) > 0:
                return found
        except (KeyError, OSError, ValueError, AttributeError):
            continue
    return USUAL


def fitting(text: str, width: int, hanging: str | None = None) -> list[str]:
    """The text on lines that are no wider, unless one word is."""
    if len(text) <= width and text.isascii():
        return [text]
    from .width import wrapped

    return wrapped(text, width, hanging)


def drawable(text: str, encoding: str | None) -> str:
    """The text with plain signs in bars and boards, where an encoding does not have the others.

    >>> drawable("● Jane  ███░ 6/8", "iso8859-1"), drawable("● Jane", "utf-8")
    ('* Jane  ###- 6/8', '● Jane')
    """
    try:
        text.isascii() or text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


class Unwritten(Exception):
    """The output cannot be written. Not an OSError, so that nobody takes it for an error of a file."""


TRY = "Try: "
"""Stands before a command that is offered."""


class Screen:
    """Where a command prints, and whom it may ask."""

    def __init__(self, json: bool = False) -> None:
        self.json = json
        """Whether answers are data, for programs."""
        self.brief = os.environ.get("AFFRAY_BRIEF", "") not in ("", "0")
        """Whether only the outcome lines of entries are printed, without arithmetic."""
        self.short = False
        """Whether what is recorded is told in short: the dice before the outcome, without arithmetic, and what keeps
        the books on one line."""
        self.playing = False
        """Whether the command is a line of a script."""
        self.prompting = False
        """Whether the command was typed at the prompt of `affray play`."""

    @property
    def colour(self) -> bool:
        """Whether to use colour: on a terminal, unless `$NO_COLOR` is set."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, code: str) -> str:
        """The text in a colour or style of ANSI, such as `1` for bold, where colour is used."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    @property
    def width(self) -> int:
        """The columns that the terminal has now; 80 where there is none."""
        return columns()

    @property
    def height(self) -> int:
        """The rows that the terminal has now for an answer, without the line that is typed next and, at the prompt, the
        last one; more than anybody fills where there is no terminal.
        """
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if sys.stdout.isatty() and (rows := os.get_terminal_size(sys.stdout.fileno()).lines):
                return rows - 1 - self.prompting
        return sys.maxsize

    def say(self, text: str = "", whole: bool = False, hanging: str | None = None) -> None:
        """Prints a line of the answer on standard output, on several lines if it is too wide, perhaps with something
        before all but the first. `whole` is for what is copied or read by programs, and for what is as wide as it has
        to be.
        """
        for line in [text] if whole else fitting(text, self.width, hanging):
            line = line if whole else line.replace(TIED, " ")
            try:
                sys.stdout.write(drawable(line, sys.stdout.encoding) + "\n")
            except BrokenPipeError:
                raise
            except OSError as error:
                raise Unwritten(error.strerror) from None

    def give(self, data: Any) -> None:
        """Prints the answer as one line of JSON on standard output."""
        import msgspec

        self.say(msgspec.json.encode(data).decode(), whole=True)

    def answer(self, data: dict[str, Any], text: str, whole: bool = False) -> None:
        """Prints the answer of a command that did what it should: its data for programs, else a text; like `say`."""
        if self.json:
            self.give({"ok": True, **data})
        else:
            self.say(text, whole)

    def whisper(self, text: str, whole: bool = False) -> None:
        """Prints a line on standard error, if possible, behind what was said before; like `say`."""
        with contextlib.suppress(OSError):
            sys.stdout.flush()  # where both go into one pipe
        with contextlib.suppress(OSError):
            for line in [text] if whole else fitting(text, self.width):
                sys.stderr.write(line + "\n")

    def agrees(self, question: str) -> bool:
        """Whether somebody says yes to a question; no is what anything else means."""
        from .asking import agrees

        return agrees(question)

    @property
    def asks(self) -> bool:
        """Whether somebody is there who can be asked: at a terminal, not in a script and not for an answer in JSON."""
        return not self.json and not self.playing and sys.stdin is not None and sys.stdin.isatty()

    def note(self, line: str) -> None:
        """Prints a remark on a command, dimmed; a command that it offers on a line of its own."""
        self.say(self.paint(harmless(line), DIM), whole=line.startswith(TRY))

    def advise(self, hint: str) -> None:
        """Prints what to do next. A line with a command in it stays one line, so that it can be copied."""
        for line in hint.splitlines():
            shown = tried(line)
            self.whisper(harmless(shown), whole=shown != line or ": affray " in line)


def tried(line: str) -> str:
    """A line of a hint as it is printed: a command with "Try:" in front, a sentence unchanged."""
    return f"{TRY}{line}" if is_command(line) else line


def is_command(line: str) -> bool:
    """Whether a line of a hint is a command that can be typed as it stands."""
    return line.startswith(("affray ", "export ", "pip ", "pipx ", "uv "))


def harmless(text: str) -> str:
    """The text with its control characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
