"""The dice of a campaign, written from the docstring of `ledger/dice.py` and not from its code."""

import hashlib
import hmac

from tests.kit import KEY


def secret_by_the_book(key: bytes, hidden: bool, epoch: int, before: str = "") -> bytes:
    """The secret of one stream in one epoch, given the digest before the entry that commits to it."""
    stream = "hidden dice" if hidden else "open dice"
    return hmac.digest(key, f"{stream} {epoch}{before and f' {before}'}".encode(), "sha256")


def face_by_the_book(key: bytes, place: int, sides: int) -> int:
    """The face that the key of some dice gives at a place."""
    limit = (1 << 32) // sides * sides
    for attempt in range(1000):
        message = place.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        block = hmac.new(key, message, hashlib.sha256).digest()
        words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
        for word in words:
            if word < limit:
                return word % sides + 1
    raise AssertionError


def die(place: int, sides: int, epoch: int = 0, words: str = "", key: bytes = KEY, before: str = "") -> int:
    """What a die shows; a place of the hidden stream is negative."""
    dice_key = hmac.digest(secret_by_the_book(key, place < 0, epoch, before), words.encode(), "sha256")
    return face_by_the_book(dice_key, abs(place), sides)
