"""Questions at the terminal."""

import sys
import time
from collections.abc import Callable

_PERIOD = 0.1
"""Seconds between two looks at what may have arrived."""


def answer(question: str, for_dice: bool = False) -> str | None:
    """The line that somebody types at a question; None at the end of the input. The prompt asks in its own way, and may
    keep an answer about dice for the next try.
    """
    ask = getattr(sys.stdin, "ask", None)
    if ask:
        return str(ask(question, for_dice))
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline() or None


def refused() -> None:
    """Tells the prompt that the last answer about dice was none, and need not be kept."""
    getattr(sys.stdin, "refuse", lambda: None)()


def answer_unless(question: str, arrived: Callable[[], bool]) -> str | None:
    """The line that somebody types at a question about dice, unless something arrives meanwhile; then None. Where
    nobody can type, it only waits for that.
    """
    ask = getattr(sys.stdin, "ask_unless", None)
    if ask:
        line: str | None = ask(question, arrived)
        return line
    sys.stderr.write(question)
    sys.stderr.flush()
    typing = sys.stdin is not None and sys.stdin.isatty()
    while not arrived():
        if not typing:
            time.sleep(_PERIOD)
            continue
        import select

        if select.select([sys.stdin], [], [], _PERIOD)[0]:
            return sys.stdin.readline() or None
    sys.stderr.write("\n")
    return None


def agrees(question: str) -> bool:
    """Whether somebody says yes; no is what anything else means."""
    return (answer(f"{question} [y/N] ") or "").strip().lower() in ("y", "yes")
