"""JSON Lines: the whole record, without loss. A first line with the format and the key, then a line for each entry."""

from typing import IO

import msgspec
from msgspec import Raw, Struct

from ledger.store import FORMAT

from .record import Record


class FirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """Format of the ledger."""
    commitment: str
    key: str


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of an entry's line before its events, as in the table."""

    entry: int
    after: int
    command: int
    origin: int
    drawn: int
    recorded_at: str
    by: str
    typed: str
    program: str
    once: str
    digest: str


class EntryLine(Heading, frozen=True, forbid_unknown_fields=True):
    """A line for one entry, the events as they are recorded."""

    events: list[Raw]


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the lines."""
    encode = msgspec.json.Encoder().encode
    commitment, key = record.store.key()
    file.write(encode(FirstLine(FORMAT, commitment, key.hex())) + b"\n")
    for one, digest in record.entries():
        heading = Heading(
            one.entry, one.after, one.command, one.origin, one.drawn,
            one.recorded_at, one.by, one.typed, one.program, one.once, digest,
        )  # fmt: skip
        events = ",".join(one.bodies).encode()
        file.write(b'%s,"events":[%s]}\n' % (encode(heading)[:-1], events))
