"""The words for dice: faces thrown by hand, `-`, `ask`, `ask:SIDE` or `roll`."""

import os
import sys

from commands.action.dice_sources import TENS, Question
from ledger.errors import UsageError

_HUNDRED = "00"
"""How 100 is read on two dice with ten faces."""
PROGRAM = "-"
"""Stands for a die that the program rolls."""


class Hand:
    """Asks for dice that are thrown by hand."""

    def __init__(self, side: str = "") -> None:
        self.side = side
        """Whose dice are asked for; "" for everybody's."""

    def __call__(self, question: Question) -> int | None:
        """The face that somebody types; None for the program. Raises UsageError when there is no terminal to ask on."""
        if not sys.stdin.isatty():
            raise UsageError(
                "Affray can ask for dice only on a terminal.",
                "Give the dice with --dice, separated by commas, or let the program roll them: --dice roll.",
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
            if word in ("", PROGRAM):
                return None
            digits = word.isascii() and word.isdigit() and len(word) <= 6
            if digits and 1 <= (face := _face(word, question.sides)) <= question.sides:
                return face
            sys.stderr.write(f"A d{question.sides} shows 1 to {question.sides}. Enter lets the program roll it.\n")


def _face(word: str, sides: int) -> int:
    """The face that somebody reads: a 0 on a d10 is 10, and 00 on a d100 is 100."""
    return 100 if word == _HUNDRED else int(word) or (TENS if sides == TENS else 0)


def read_dice(word: str | None) -> tuple[tuple[int | None, ...] | None, Hand | None]:
    """Typed faces, or what asks for them; neither when the program rolls. `$AFFRAY_DICE` sets the default. A face is
    None for a die that the program rolls.
    """
    word = os.environ.get("AFFRAY_DICE") or "roll" if word is None else word
    if word == "roll":
        return None, None
    if word == "ask" or word.startswith("ask:"):
        return None, Hand(word.removeprefix("ask").removeprefix(":"))
    faces: list[int | None] = []
    for face in word.split(","):
        said = face.strip()
        if said != PROGRAM and not (said.isascii() and said.isdigit() and len(said) <= 6):
            raise UsageError(
                f"{face[:20]!a} is not a face of a die.",
                "Write whole numbers with commas, and - for a die that the program rolls: --dice 14,-,6.",
            )
        faces.append(None if said == PROGRAM else 100 if said == _HUNDRED else int(said))
    return tuple(faces), None


def by_default(word: str | None) -> bool:
    """Whether neither the command nor `$AFFRAY_DICE` says where the dice come from."""
    return word is None and not os.environ.get("AFFRAY_DICE")
