"""The chain: every entry carries a digest of itself and of the entry before it.

An entry has parts, and each part a **leaf**: `SHA-256(frames)`, where a frame is a length as 8 bytes, big-endian,
followed by that many bytes. The first frame of a leaf is its **blind**, 16 bytes that only the campaign's key gives;
the others are what the leaf covers. The digest of an entry covers its leaves and not what they cover, so a part can be
left out of a copy and its leaf put in its place: the chain is the same, and without the blind nobody can try what the
part might be.

The parts, in this order: the words (frames `by`, `typed`, `once`); the counts of dice (frames `drawn`, `hidden`, as
decimal numbers); and of each event the two halves of its body, the open one and the closed one, a frame each.

`digest = SHA-256(frames)`: the words `affray entry 1`; the digest of the entry before (64 zeros for the first); entry,
after, command and origin as decimal numbers; recorded_at and program as they stand; all leaves, 32 bytes each, in one
frame.
"""

from msgspec import Struct

from .hashing import Hmac, frames, hexdigest, hmac, sha256

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
    """UTC, such as `2026-05-01T18:30:00Z`."""
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
    """For each event the byte of its body at which the closed half begins."""
    parts: str = ""
    """In a file for players: all parts, as JSON (`parts.py`), and neither words nor counts nor events besides."""


class Blinds:
    """The blinds of a campaign: 16 bytes for each part of each entry, from the campaign's key."""

    def __init__(self, key: bytes) -> None:
        self._secret = Hmac(secret(key, "blinds", 0))

    def of(self, entry: int, events: int) -> list[tuple[bytes, bytes]]:
        """The blinds of an entry: first of its words and of its counts, then of the two halves of each event.

        The 32 bytes of each two come from `SHA-256(secret of the entry, number of the event)`, 0 for the words and the
        counts; the secret of the entry from `HMAC(blinds, entry)`. Both numbers are 8 bytes, big-endian.
        """
        of_entry = self._secret.of(entry.to_bytes(8, "big"))
        both = [sha256(of_entry + part.to_bytes(8, "big")).digest() for part in range(events + 1)]
        return [(one[:SIZE], one[SIZE:]) for one in both]


def secret(key: bytes, use: str, epoch: int) -> bytes:
    """The secret of a campaign for one use in one epoch, 32 bytes: HMAC of `use epoch`, such as `open dice 3`."""
    return hmac(key, f"{use} {epoch}".encode())


def leaf(blind: bytes, *texts: bytes) -> bytes:
    """What stands for a part in the digest of its entry, 32 bytes."""
    if len(texts) == 1 and len(blind) == SIZE:  # written out, for most leaves are such
        (text,) = texts
        made: bytes = sha256(_FRAMED + blind + len(text).to_bytes(8, "big") + text).digest()
        return made
    return bytes(sha256(frames(blind, *texts)).digest())


_FRAMED = SIZE.to_bytes(8, "big")


def leaves(entry: Entry, blinds: Blinds) -> bytes:
    """The leaves of all parts of an entry, in order."""
    (words, counts), *halves = blinds.of(entry.entry, len(entry.bodies))
    found = [
        leaf(words, entry.by.encode(), entry.typed.encode(), entry.once.encode()),
        leaf(counts, b"%d" % entry.drawn, b"%d" % entry.hidden),
    ]
    for body, split, blinds_of in zip(entry.bodies, entry.splits, halves, strict=True):
        whole = body.encode()
        for blind, half in zip(blinds_of, (whole[:split], whole[split:]), strict=True):  # `leaf`, written out
            found.append(sha256(_FRAMED + blind + len(half).to_bytes(8, "big") + half).digest())
    return b"".join(found)


def digest(previous: str, entry: Entry, of_parts: bytes) -> str:
    """The digest of an entry, in hexadecimal, given that of the entry before it and its leaves."""
    head = (
        "affray entry 1", previous, str(entry.entry), str(entry.after), str(entry.command), str(entry.origin),
        entry.recorded_at, entry.program,
    )  # fmt: skip
    return hexdigest(frames(*map(str.encode, head), of_parts))


def head_line(entry: int, digest: str) -> str:
    """The line that stands for a whole record: who keeps it can tell later whether anything before it changed."""
    return f"affray e{entry} {digest}"
