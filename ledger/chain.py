"""The chain: every entry carries a digest of itself and of the entry before it.

An entry has parts, and each part a **leaf**: `SHA-256(frames)`, where a frame is a length as 8 bytes, big-endian,
followed by that many bytes. The digest of an entry covers its leaves and not what they cover, so a part can be left out
of a copy and its leaf put in its place: the chain is the same. The first frame of a leaf is its **blind**: 16 bytes
that only the campaign's key gives, and without which nobody can try what the part might be.

The parts, in this order: the open halves of the bodies of all events, a frame each, in one leaf, which has no blind
since nobody leaves them out alone; the words (frames `by`, `typed`, `once`); the counts of dice (frames `drawn`,
`hidden`, as decimal numbers); and of each event that has a closed half that half of its body, a frame. An entry that is
sealed has one leaf, with a blind, in place of them all, which covers their leaves.

The blinds of an entry come from its **seed**, `HMAC(secret of the blinds, frames)`: the digest of the entry before, the
number of the entry, and all that its parts cover, in the order above. `SHA-256(frames)` of the seed and a place, which
is 0, 1, 2 ..., is 32 bytes, the blinds of the next two parts; for the place `seal` its first 16 bytes are that of the
seal. So no two different entries share a blind, in a copy of the ledger either.

`digest = SHA-256(frames)`: the words `affray entry 1`; the digest of the entry before (64 zeros for the first); entry,
after, command and origin as decimal numbers; recorded_at and program as they stand; the seal, `""` for an entry that is
not sealed; all leaves, 32 bytes each, in one frame.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from . import hashing
from .hashing import Hmac, frames, hexdigest, hmac, length
from .hashing import digest as digest_of

GENESIS = "0" * 64
"""What stands for the digest before the first entry."""
SIZE = 16
"""Bytes of a blind."""


class Entry(Struct, frozen=True, gc=False):
    """One command as it stands in the ledger."""

    entry: int
    """Its number; 1 for the first."""
    after: int
    """The entry that it stands after: entry - 1, except where the course of play jumps; 0 for the first."""
    command: int
    """The first entry of the command that wrote it."""
    origin: int
    """The entry whose action it resolves again; its own number if none."""
    drawn: int
    """Open dice drawn from the stream by all entries up to and with this one, undone ones too."""
    hidden: int
    """The same of the hidden dice."""
    recorded_at: str
    """By the table's clock, with its offset from UTC: `2026-05-01T20:30:00+02:00`, or `Z` where that is none."""
    by: str
    """Who gave the command."""
    typed: str
    """The words of the command."""
    program: str
    """The version that wrote it."""
    once: str
    """The command's own id, under which it is recorded only once; "" if it has none."""
    bodies: tuple[str, ...]
    """Its events, as JSON."""
    splits: tuple[int, ...]
    """For each event the byte of its body at which the closed half begins; its end where all of it is open."""
    parts: str = ""
    """In a file for players: all parts, as JSON (`parts.py`), and neither words nor counts nor events besides."""

    @property
    def heading(self) -> tuple[Any, ...]:
        """Its fields before the events."""
        return astuple(self)[:11]


COLUMNS = "entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest"
"""The columns of an entry in a store."""
TYPES = [*(int,) * 6, *(str,) * 7]
"""What stands in each."""
SECRET, PLAN = "secret", "plan "
"""The seal of an entry that was said with `--secret`; and how that of one begins in which somebody only decides what to
do later. Their name follows.
"""


class Blinds:
    """The blinds of a campaign: 16 bytes for each part of each entry, from the campaign's key."""

    def __init__(self, key: bytes) -> None:
        self._secret = Hmac(secret(key, "blinds", 0))

    def of(self, previous: str, entry: Entry) -> "BlindsOf":
        """Those of an entry, given the digest of the entry before it."""
        bodies = [body.encode() for body in entry.bodies]
        opened, closed = [], []
        for body, at in zip(bodies, entry.splits, strict=True):
            first, second = body[:at], body[at:]
            opened.append(length(len(first)) + first)
            if second:
                closed.append(length(len(second)) + second)
        words = entry.by.encode(), entry.typed.encode(), entry.once.encode()
        covered = [frames(*words), frames(b"%d" % entry.drawn, b"%d" % entry.hidden), *closed]
        seed = self._secret.of(b"".join([frames(previous.encode(), b"%d" % entry.entry), *opened, *covered]))
        return BlindsOf(seed, b"".join(opened), covered)


class BlindsOf:
    """The blinds of one entry: from its seed, 32 bytes, the frames of all open halves, and those of each other part."""

    def __init__(self, seed: bytes, opened: bytes, covered: Sequence[bytes]) -> None:
        self._seed = length(len(seed)) + seed
        self._opened, self._covered = opened, covered

    def parts(self) -> list[tuple[bytes, bytes]]:
        """Of each part that has a blind, in order: the blind, and the frames of what it covers."""
        sha256, seed = hashing.sha256, self._seed
        pairs = [sha256(seed + place).digest() for place in _places((len(self._covered) + 1) // 2)]
        blinds = [blind for pair in pairs for blind in (pair[:SIZE], pair[SIZE:])]
        return [*zip(blinds, self._covered, strict=False)]  # the last pair may have one blind too many

    def leaves(self) -> bytes:
        """The leaves of all parts, in order."""
        sha256 = hashing.sha256
        each = [sha256(_FRAMED + blind + covered).digest() for blind, covered in self.parts()]
        return digest_of(self._opened) + b"".join(each)

    def of_seal(self) -> bytes:
        """The blind of the seal of a sealed entry."""
        return digest_of(self._seed + frames(b"seal"))[:SIZE]

    def seal(self) -> bytes:
        """Of a sealed entry the one leaf that covers the leaves of all its parts."""
        return leaf_of(self.of_seal(), frames(self.leaves()))


@cache
def _places(many: int) -> tuple[bytes, ...]:
    """The frames of the first places."""
    return tuple(frames(b"%d" % nth) for nth in range(many))


def sealed(bodies: Sequence[str]) -> str:
    """The seal of an entry, from its events; "" for one that is not sealed, and where one is damaged."""
    try:
        return _sealed(bodies)
    except (msgspec.DecodeError, AttributeError, KeyError, TypeError, RecursionError):
        return ""


def _sealed(bodies: Sequence[str]) -> str:
    if bodies and '"secret":true' in bodies[0] and msgspec.json.decode(bodies[0]).get("secret"):
        return SECRET
    if _AWAITED in [body[_BEGINNING] for body in bodies]:
        said = msgspec.json.decode(bodies[0]).get("said", {}).get("who")
        kinds = [msgspec.json.decode(body) for body in bodies]
        waits = any(one["event"] == "awaited" and one["who"] == said and not one.get("answerable") for one in kinds)
        if waits and not any(one["event"] == "rolled" and one["faces"] for one in kinds):
            return f"{PLAN}{said}"
    return ""


_AWAITED = '{"event":"awaited"'
_BEGINNING = slice(len(_AWAITED))


def secret(key: bytes, use: str, epoch: int, before: str = "") -> bytes:
    """The secret of a campaign for one use in one epoch, 32 bytes: HMAC of `use epoch before`, such as `open dice 3`
    and a digest. `before` is the digest before the entry that commits to it; nothing stands before the first entry.
    """
    return hmac(key, f"{use} {epoch} {before}".rstrip().encode())


def leaf(blind: bytes, *texts: bytes) -> bytes:
    """What stands for a part in the digest of its entry, 32 bytes."""
    return leaf_of(blind, frames(*texts))


_FRAMED = SIZE.to_bytes(8, "big")


def leaf_of(blind: bytes, covered: bytes) -> bytes:
    """The leaf of a part, given its blind and the frames of what it covers."""
    return digest_of(_FRAMED + blind + covered)


def hidden(blind: bytes, covered: bytes) -> str:
    """The same in hexadecimal: what stands in place of a part that is left out."""
    return hexdigest(_FRAMED + blind + covered)


def covered(previous: str, entry: Entry, blinds: Blinds) -> tuple[str, bytes]:
    """What the digest of an entry covers besides its heading: its seal, and its leaves, or one leaf of them all."""
    of_entry = blinds.of(previous, entry)
    seal = sealed(entry.bodies)
    return seal, of_entry.seal() if seal else of_entry.leaves()


def digest(previous: str, entry: Entry, seal: str, of_parts: bytes) -> str:
    """The digest of an entry, in hexadecimal, given that of the entry before it, its seal and its leaves."""
    head = ("affray entry 1", previous, *map(str, entry.heading[:4]), entry.recorded_at, entry.program, seal)
    return hexdigest(frames(*map(str.encode, head), of_parts))


def head_line(entry: int, digest: str) -> str:
    """The line that stands for a whole record: who keeps it can tell later whether anything before it changed."""
    return f"affray e{entry} {digest}"
