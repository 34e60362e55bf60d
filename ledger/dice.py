"""Dice: how they are written, and the keyed stream that program dice come from.

The stream (format 1). Every face drawn in a campaign has a place, counted from 1 and never used twice. The face at
`place` of a die with `sides` sides (2 to 2**32) comes from the campaign's 32-byte key alone:

1. for attempt = 0, 1, 2, ...: block = HMAC-SHA-256(key, place as 8 bytes + attempt as 4 bytes, both big-endian);
2. read the block as eight 32-bit big-endian words, from the left;
3. the first word below the largest multiple of `sides` that is at most 2**32 gives the face: word % sides + 1.

So a face depends on nothing that happened before it, every face is equally likely, and who holds the key can check
each one. `fixtures/dice-vectors.json` holds published faces.
"""

import os
from functools import cache

from .errors import UsageError
from .hashing import hexdigest, hmac

MOST_PLACE = 2**53 - 1
"""The last place of the stream that a ledger uses: every reader of JSON holds it exactly."""
MOST_SIDES = 1000
"""The largest die that can be rolled at the table."""
MOST_DICE = 100
"""The most dice in one roll."""


def new_key() -> bytes:
    """Thirty-two bytes from the operating system."""
    return os.urandom(32)


def commitment(key: bytes) -> str:
    """What the campaign's first event says of its key."""
    return hexdigest(key)


def face(key: bytes, place: int, sides: int) -> int:
    """The face, 1 to `sides`, at a place of the stream."""
    accepted = 2**32 - 2**32 % sides
    attempt = 0
    while True:
        block = hmac(key, place.to_bytes(8, "big") + attempt.to_bytes(4, "big"))
        for at in range(0, 32, 4):
            word = int.from_bytes(block[at : at + 4], "big")
            if word < accepted:
                return word % sides + 1
        attempt += 1


@cache
def parse(dice: str) -> tuple[tuple[int, ...], int]:
    """The sides of each die of an expression, in order, and the constant added to them.

    >>> parse("2d6+1")
    ((6, 6), 1)
    >>> parse("d20+1d4-2")
    ((20, 4), -2)

    Raises UsageError when it is not an expression, or holds more than 100 dice or a die of more than 1,000 sides.
    """
    sides: list[int] = []
    constant = 0
    text = dice.replace(" ", "").lower()
    for term in text.replace("-", "+-").removeprefix("+").split("+"):
        negative, word = term.startswith("-"), term.removeprefix("-")
        count, d, size = word.partition("d")
        numbers = [n for n in (count or "1", size) if n] if d else [word]
        if not all(n.isascii() and n.isdigit() and len(n) <= 6 for n in numbers) or (d and (negative or not size)):
            raise UsageError(f"{dice[:40]!r} is not a roll.", "Write it like 2d6, d20+3 or 1d8+1d6-1.")
        if not d:
            constant += -int(word) if negative else int(word)
            continue
        if not 2 <= int(size) <= MOST_SIDES:
            raise UsageError(f"A die has 2 to {MOST_SIDES} sides, not {int(size)}.")
        if not 1 <= int(count or "1") <= MOST_DICE - len(sides):
            raise UsageError(f"One roll holds 1 to {MOST_DICE} dice.")
        sides += [int(size)] * int(count or "1")
    return tuple(sides), constant
