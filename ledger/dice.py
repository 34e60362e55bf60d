"""Dice: how they are written, and the keyed streams that program dice come from.

A campaign has two streams: of dice that are thrown openly, and of dice that are hidden when they are thrown.
Every face drawn from a stream has a place, counted from 1 and never used twice. The places of a stream are divided
into epochs: epoch 0 begins with place 1, and each stir of the dice begins the next one. An epoch has a secret for each
stream, from the campaign's key, and words that the players choose; together they make the key of its dice:

    secret = HMAC-SHA-256(campaign key, `open dice E D` or `hidden dice E D`)  E is the epoch, a decimal number
    dice key = HMAC-SHA-256(secret, words as UTF-8)                            epoch 0 has no words

The face at `place` of a die with `sides` sides (2 to 2**32) comes from the dice key alone:

1. for attempt = 0, 1, 2, ...: block = HMAC-SHA-256(dice key, place as 8 bytes + attempt as 4 bytes, both big-endian);
2. read the block as eight 32-bit big-endian words, from the left;
3. the first word below the largest multiple of `sides` that is at most 2**32 gives the face: word % sides + 1.

So a face depends on nothing that happened before it, every face is equally likely, and anyone with the secret can
check each one. The SHA-256 of a secret is its commitment, recorded before the words of its epoch are chosen: those of
epochs 0 and 1 in the first entry, each other one in the stir before. D is the digest before the entry that commits;
before the first there is none, and ` D` is left out. So ledgers that were one share no epoch that either committed to
after they parted.
`fixtures/dice-vectors.json` holds published faces.
"""

import os
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from .chain import secret
from .errors import UsageError
from .hashing import Hmac, hexdigest, hmac

OPEN, HIDDEN = "open dice", "hidden dice"
"""The two streams."""

MOST_PLACE = 2**53 - 1
"""The last place of the stream that a ledger uses: every reader of JSON holds it exactly."""
MOST_SIDES = 1000
"""The largest die that can be rolled at the table."""
MOST_DICE = 100
"""The most dice in one roll."""


def new_key() -> bytes:
    """Thirty-two bytes from the operating system."""
    return os.urandom(32)


class Epoch(Struct, frozen=True):
    """A part of both streams, from one stir of the dice to the next."""

    number: int = 0
    words: str = ""
    """What the players chose, as it is used."""
    first: int = 1
    """Its first place in the open stream."""
    first_hidden: int = 1
    """Its first place in the hidden stream."""
    before: str | None = ""
    """The digest before the entry that committed to it; "" for the first entry, None where nobody knows it."""


def commitments(key: bytes, epoch: int, before: str = "") -> tuple[str, str]:
    """What is recorded of the secrets of an epoch before it begins: of its open dice, and of its hidden ones. `before`
    is the digest before the entry that records it.
    """
    return hexdigest(secret(key, OPEN, epoch, before)), hexdigest(secret(key, HIDDEN, epoch, before))


def committed(key: bytes) -> tuple[tuple[str, str], tuple[str, str]]:
    """What the first entry of a campaign records: the commitments of epochs 0 and 1."""
    return commitments(key, 0), commitments(key, 1)


def dice_key(own: bytes, words: str) -> bytes:
    """The key of the dice of one stream in one epoch, from its secret and the words of the epoch."""
    return hmac(own, words.encode())


def used(words: str) -> str:
    """What players say to stir the dice, as it is used: without blanks and signs, in small letters.

    Which signs are left out and which letters become small is a closed list, so that every reader does the same: below
    U+00C0 only 0-9, A-Z and a-z are kept, and U+2000 to U+206F are left out; A-Z and the capitals from U+00C0 to U+00DE
    become small.
    """
    import re

    small = re.sub("[A-Z\u00c0-\u00d6\u00d8-\u00de]", lambda found: chr(ord(found[0]) + 32), words)
    return re.sub("[^0-9a-z\u00c0-\u1fff\u2070-\U0010ffff]", "", small)


class Streams:
    """Both streams of a campaign through its epochs, as far as their secrets are known."""

    def __init__(self, key: bytes | None) -> None:
        self.key = key
        """The campaign's key; None where only the secrets are known that were revealed."""
        self.epochs = [Epoch()]
        self.secrets: dict[tuple[str, int], bytes] = {}
        """The secrets that were revealed, by stream and epoch."""
        self._keys: dict[tuple[str, int], Hmac | None] = {}

    def epoch_of(self, place: int) -> Epoch:
        """The epoch in which a die fell. A place of the hidden stream is negative."""
        if len(self.epochs) == 1:
            return self.epochs[0]
        from bisect import bisect_right
        from operator import attrgetter

        first = attrgetter("first" if place > 0 else "first_hidden")
        return self.epochs[bisect_right(self.epochs, abs(place), key=first) - 1]

    def face(self, place: int, sides: int) -> int | None:
        """The face at a place, 1 to `sides`; None when the secret of its epoch is not known."""
        stream, epoch = OPEN if place > 0 else HIDDEN, self.epoch_of(place)
        at = stream, epoch.number
        if at not in self._keys:
            own = self.secrets.get(at)
            if self.key is not None and epoch.before is not None:
                own = secret(self.key, *at, epoch.before)
            self._keys[at] = Hmac(dice_key(own, epoch.words)) if own is not None else None
        key = self._keys[at]
        return None if key is None else _face(key, abs(place), sides)


def face(key: bytes, place: int, sides: int) -> int:
    """The face, 1 to `sides`, that a dice key gives at a place of its stream."""
    return _face(Hmac(key), place, sides)


def _face(key: Hmac, place: int, sides: int) -> int:
    accepted = 2**32 - 2**32 % sides
    attempt = 0
    while True:
        block = key.of(place.to_bytes(8, "big") + attempt.to_bytes(4, "big"))
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
    for term in dice.replace(" ", "").lower().replace("-", "+-").removeprefix("+").split("+"):
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


def groups(sizes: Sequence[int]) -> list[str]:
    """Dice of some sizes, those of one size together.

    >>> groups([6, 4, 6])
    ['2d6', '1d4']
    """
    return [f"{sizes.count(size)}d{size}" for size in dict.fromkeys(sizes)]


def written(sizes: Sequence[int]) -> str:
    """Dice of some sizes, as they are rolled and recorded: `2d6+1d4`."""
    return "+".join(groups(sizes))
