"""The words for dice: faces thrown by hand, `-`, `ask`, `ask:SIDE` or `roll`."""

import os
import sys
from collections.abc import Sequence

from commands.action.dice_sources import TENS, Back, Question
from ledger.errors import UsageError

from .asking import answer

_HUNDRED = "00"
"""How 100 is read on two dice with ten faces."""
_PROGRAM = "-"
"""Stands for a die that the program rolls."""


BACK = "<"
"""Takes back the die that was typed last."""


class Hand:
    """Asks for dice that are thrown by hand."""

    def __init__(self, side: str = "", said: bool = False) -> None:
        self.side = side
        """Whose dice are asked for; "" for everybody's."""
        self.said = said
        """Whether the command says it, and not `$AFFRAY_DICE`."""

    def __call__(self, pool: Sequence[Question]) -> list[int | None]:
        """The faces that somebody types for dice that are thrown together; None for those of the program. Raises
        UsageError when there is no terminal to ask on, and Back when the dice before are to be asked for again.
        """
        first, faces = pool[0], list[int | None]()
        about = f" ({first.about})" if first.about else ""
        self.check(f"{first.who or 'the table'} {in_words(pool)} for {first.purpose}{about}")
        while left := pool[len(faces) :]:
            more = " more" if faces else ""
            line = self.read(f"{first.who or 'The table'}: {in_words(left)}{more} for {first.purpose}{about}? ")
            if line is None:
                raise UsageError("The dice were not all given; nothing was recorded.")
            if not (word := line.strip()):
                return [*faces, *[None] * len(left)]
            if word == BACK:
                if not faces:
                    raise Back
                del faces[-1]
                continue
            read, fault = _faces(word, [question.sides for question in left])
            if fault:
                rolls = "it" if len(left) == 1 else "them"
                leave = "; Ctrl-C leaves the question" if word[:1].isalpha() else ""
                sys.stderr.write(f"{fault} Enter lets the program roll {rolls}{leave}.\n")
                from .asking import refused

                refused()
            faces += read
        return faces

    def check(self, needed: str) -> None:
        """Raises UsageError when there is nobody who can be asked for the dice that are needed."""
        if not sys.stdin.isatty():
            raise UsageError(
                f"Affray can ask for dice only on a terminal. Needed first: {needed}.",
                "Give the dice with --dice, separated by commas, or let the program roll them: --dice roll.",
            )

    def read(self, question: str) -> str | None:
        """The line that answers a question; None where nobody will."""
        return answer(question, for_dice=True)


class Rest(Hand):
    """Asks for the dice that are missing behind those that were typed."""

    def __init__(self, typed: Sequence[int | None]) -> None:
        super().__init__()
        self._typed = [_PROGRAM if face is None else str(face) for face in typed]

    def read(self, question: str) -> str | None:
        """The next of those that were typed; then the line that answers a question."""
        return self._typed.pop(0) if self._typed else super().read(question)


def in_words(pool: Sequence[Question]) -> str:
    """Dice that are thrown together, such as d20, 3d6 or 2d6+d4."""
    sizes = [question.sides for question in pool]
    return "+".join(f"{n if (n := sizes.count(size)) > 1 else ''}d{size}" for size in dict.fromkeys(sizes))


def _faces(word: str, sizes: Sequence[int]) -> tuple[list[int | None], str]:
    """The faces in an answer for dice of these sizes, `6 2 6`, `6,2,6` or `626`; or what is wrong with it.

    >>> _faces("6 2", (6, 6, 6)), _faces("626", (6, 6, 6)), _faces("62", (6, 6, 6)), _faces("14", (20, 20))
    (([6, 2], ''), ([6, 2, 6], ''), ([6, 2], ''), ([14], ''))
    """
    said = word.replace(",", " ").split()
    if len(said) == 1 and 1 < len(word) <= len(sizes) and max(sizes) <= TENS and _face(word, sizes[0]) is None:
        said = list(word)
    if len(said) > len(sizes) and all(one == _PROGRAM or one.isdigit() for one in said):
        return [], f"{len(said)} dice are too many: {len(sizes)} {'is' if len(sizes) == 1 else 'are'} asked for."
    read: list[int | None] = []
    for one, size in zip(said, sizes, strict=False):
        face = None if one == _PROGRAM else _face(one, size)
        if face is None and one != _PROGRAM:
            return [], f"A d{size} shows 1 to {size}."
        read.append(face)
    return read, ""


def _face(word: str, sides: int) -> int | None:
    """The face that somebody reads: a 0 on a d10 is 10, 00 on a d100 is 100; None for what the die does not show."""
    if not (word.isascii() and word.isdigit() and len(word) <= 6):
        return None
    face = 100 if word == _HUNDRED else int(word) or (TENS if sides == TENS else 0)
    return face if 1 <= face <= sides else None


def read_dice(word: str | None) -> tuple[tuple[int | None, ...] | None, Hand | None]:
    """Typed faces, or what asks for them; neither when the program rolls. `$AFFRAY_DICE` sets the default. A face is
    None for a die that the program rolls.
    """
    typed = word is not None
    word = os.environ.get("AFFRAY_DICE") or "roll" if word is None else word
    if word == "roll":
        return None, None
    if word == "ask" or word.startswith("ask:"):
        return None, Hand(word.removeprefix("ask").removeprefix(":"), typed)
    faces: list[int | None] = []
    for face in word.split(","):
        said = face.strip()
        if said != _PROGRAM and not (said.isascii() and said.isdigit() and len(said) <= 6):
            raise UsageError(
                f"{face[:20]!r} is not a face of a die.",
                "Write whole numbers with commas, and - for a die that the program rolls: --dice 14,-,6.",
            )
        faces.append(None if said == _PROGRAM else 100 if said == _HUNDRED else int(said))
    return tuple(faces), None


def owners_of(word: str | None) -> tuple[str | None, tuple[str, ...]]:
    """The word for dice without names, and for each die the name before it; a name counts up to the next one. Nobody is
    named where no die has a name.

    >>> owners_of("sigrun:6,2,grum:13"), owners_of("14,6"), owners_of("ask:party")
    (('6,2,13', ('sigrun', 'sigrun', 'grum')), ('14,6', ()), ('ask:party', ()))
    """
    if word is None or ":" not in word or word.startswith("ask"):
        return word, ()
    owner, faces, owners = "", list[str](), list[str]()
    for piece in word.split(","):
        name, named, face = piece.rpartition(":")
        owner = name.strip() if named else owner
        faces.append(face)
        owners.append(owner)
    return ",".join(faces), tuple(owners)
