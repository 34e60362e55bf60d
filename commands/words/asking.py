"""Questions at the terminal."""

import sys


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


def agrees(question: str) -> bool:
    """Whether somebody says yes; no is what anything else means."""
    return (answer(f"{question} [y/N] ") or "").strip().lower() in ("y", "yes")
