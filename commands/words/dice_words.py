"""The words for dice: faces thrown by hand, `ask` or `roll`."""

import os
import sys
from typing import Any

from commands.action.dice_sources import Question
from ledger.errors import UsageError


def ask(question: Question) -> int:
    """The face that somebody types. Raises UsageError when there is no terminal to ask on."""
    if not sys.stdin.isatty():
        raise UsageError(
            "Affray can ask for dice only on a terminal.", "Give the dice with --dice, separated by commas."
        )
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


def read_dice(word: str | None) -> tuple[tuple[int, ...] | None, Any]:
    """Typed faces, or the function that asks for them; neither when the program rolls. `$AFFRAY_DICE` sets the
    default.
    """
    word = os.environ.get("AFFRAY_DICE") or "roll" if word is None else word
    if word == "roll":
        return None, None
    if word == "ask":
        return None, ask
    faces = []
    for face in word.split(","):
        if not (face.strip().isascii() and face.strip().isdigit() and len(face.strip()) <= 6):
            raise UsageError(f"{face[:20]!a} is not a face of a die.", "Write whole numbers with commas: --dice 14,6.")
        faces.append(int(face))
    return tuple(faces), None
