"""JSON Lines: the whole record, without loss. A first line with the format and the key, then a line for each entry.

A file for players says so in place of the key, and has of each entry its parts: what they do not see is left out,
and its leaf stands in its place, so that the chain is the same.
"""

from collections.abc import Sequence
from typing import IO

import msgspec
from msgspec import Raw, Struct

from commands.action.book import events_of
from commands.seen.player_safe import Players
from commands.seen.players_lines import PlayersFirstLine, line_of
from commands.seen.record import Record
from ledger import FORMAT, hashing, parts
from ledger.chain import GENESIS, Blinds, Entry


class FirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    affray: int
    """Format of the ledger."""
    key: str
    """The campaign's key, in hexadecimal: all of its secrets come from it."""


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of an entry's line before its events, as in the table."""

    entry: int
    after: int
    command: int
    origin: int
    drawn: int
    hidden: int
    recorded_at: str
    by: str
    typed: str
    program: str
    once: str
    digest: str
    stands: bool
    """Whether it belongs to the course of play at the last entry."""


class EntryLine(Heading, frozen=True, forbid_unknown_fields=True):
    """A line for one entry, the events as they are recorded."""

    events: list[Raw]
    splits: list[int]
    """For each event the byte of its JSON at which its closed half begins."""


_encode = msgspec.json.Encoder().encode


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the lines."""
    if record.store.is_for_players:
        file.write(_encode(PlayersFirstLine(FORMAT, True)) + b"\n")
        for one, digest in record.entries():
            file.write(_encode(line_of(one, digest, record.stands(one.entry), parts.decode(one.parts))) + b"\n")
        return
    if record.sides is not None:
        _write_for_players(record, record.sides, file)
        return
    file.write(_encode(FirstLine(FORMAT, record.store.key().hex())) + b"\n")
    for one, digest in record.entries():
        file.write(written(one, digest, record.stands(one.entry)) + b"\n")


def written(one: Entry, digest: str, stands: bool) -> bytes:
    """The line of an entry."""
    heading = _encode(Heading(*one.heading, digest=digest, stands=stands))[:-1]
    return b'%s,"events":[%s],"splits":%s}' % (heading, ",".join(one.bodies).encode(), _encode(one.splits))


def _write_for_players(record: Record, sides: Sequence[str], file: IO[bytes]) -> None:
    file.write(_encode(PlayersFirstLine(FORMAT, True)) + b"\n")
    hashing.in_bulk(record.head.entry)
    blinds, players, previous = Blinds(record.store.key()), Players(record.store, sides), GENESIS
    for one, digest in record.entries():
        seen = players.see(one, events_of(one)).parts(one, blinds.of(previous, one))
        file.write(_encode(line_of(one, digest, record.stands(one.entry), seen)) + b"\n")
        previous = digest
