"""Asking for dice thrown by hand, one by one, on a terminal."""

import sys

from ledger.errors import UsageError

from .dice_sources import Question


def ask(question: Question) -> int:
    """The face that somebody reads out. Raises UsageError when there is no terminal to ask on."""
    if not sys.stdin.isatty():
        raise UsageError("Dice can be asked for on a terminal only.", "Give them with --dice, separated by commas.")
    about = f" ({question.about})" if question.about else ""
    prompt = f"{question.who or 'The table'}: d{question.sides} for {question.purpose}{about}? "
    while True:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise UsageError("The dice were not all given; nothing was recorded.")
        word = line.strip()
        if word.isascii() and word.isdigit() and len(word) <= 6 and 1 <= int(word) <= question.sides:
            return int(word)
        sys.stderr.write(f"A d{question.sides} shows 1 to {question.sides}.\n")
