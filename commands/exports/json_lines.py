"""JSON Lines: the whole record, without loss. A first line with the format and the key, then a line for each entry."""

from typing import IO

import msgspec
from msgspec import Raw, Struct

from ledger.chain import Entry
from ledger.store import FORMAT

from .record import Record


class FirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """Format of the ledger."""
    commitment: str
    key: str


class EntryLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line for one entry; the fields are those of the table, the events as they are recorded."""

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
    events: list[Raw]


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the lines."""
    encode = msgspec.json.Encoder().encode
    commitment, key = record.store.key()
    file.write(encode(FirstLine(FORMAT, commitment, key.hex())) + b"\n")
    for entry, digest in record.entries():
        events = [Raw(body.encode()) for body in entry.bodies]
        file.write(encode(_line(entry, digest, events)) + b"\n")


def _line(entry: Entry, digest: str, events: list[Raw]) -> EntryLine:
    return EntryLine(
        entry.entry, entry.after, entry.command, entry.origin, entry.drawn, entry.recorded_at, entry.by, entry.typed,
        entry.program, entry.once, digest, events,
    )  # fmt: skip
