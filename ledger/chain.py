"""The chain: every entry carries a digest of itself and of the entry before it.

`digest = SHA-256(frames)`, where each frame is its length as 8 bytes, big-endian, followed by its bytes. The frames
are, in this order and as UTF-8 text: the words `affray entry 1`; the digest of the entry before (64 zeros for the
first); entry, after, command, origin and drawn as decimal numbers; recorded_at, by, typed, program and once as they
stand; the number of events; and the body of each event.

Frames make the input unambiguous: no two different entries have the same bytes.
"""

from msgspec import Struct

from .hashing import hexdigest

GENESIS = "0" * 64
"""What stands for the digest before the first entry."""


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
    """Dice drawn from the stream by all entries up to and with this one, undone ones too."""
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


def digest(previous: str, entry: Entry) -> str:
    """The digest of an entry, in hexadecimal, given that of the entry before it."""
    frames = (
        "affray entry 1",
        previous,
        str(entry.entry),
        str(entry.after),
        str(entry.command),
        str(entry.origin),
        str(entry.drawn),
        entry.recorded_at,
        entry.by,
        entry.typed,
        entry.program,
        entry.once,
        str(len(entry.bodies)),
        *entry.bodies,
    )
    whole = bytearray()
    for frame in frames:
        framed = frame.encode("utf-8")
        whole += len(framed).to_bytes(8, "big") + framed
    return hexdigest(whole)


def head_line(entry: int, digest: str) -> str:
    """The line that stands for a whole record: who keeps it can tell later whether anything before it changed."""
    return f"affray e{entry} {digest}"
