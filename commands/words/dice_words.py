"""The words for dice: faces thrown by hand, or how to come by them."""

import os
import sys
from typing import Any

from commands.action.dice_sources import Question
from ledger.errors import UsageError


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


def read_dice(word: str | None) -> tuple[tuple[int, ...] | None, Any]:
    """Typed faces, or the way to ask for them; neither when the program rolls. `$AFFRAY_DICE` says what is usual."""
    word = os.environ.get("AFFRAY_DICE") or "roll" if word is None else word
    if word == "roll":
        return None, None
    if word == "ask":
        return None, ask
    faces = []
    for face in word.split(","):
        if not (face.strip().isascii() and face.strip().isdigit() and len(face.strip()) <= 6):
            raise UsageError(f"{face[:20]!a} is not a face of a die.", "Write --dice 14,6: whole numbers, commas.")
        faces.append(int(face))
    return tuple(faces), None
