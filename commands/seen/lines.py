"""The lines of a file for players: of each entry its parts, those that they do not see as leaves."""

from msgspec import Struct

from ledger.chain import Entry
from ledger.parts import Parts


class PlayersFirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file for players."""

    affray: int
    """Format of the ledger."""
    players: bool


class PlayersLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line for one entry of a file for players."""

    entry: int
    after: int
    command: int
    origin: int
    recorded_at: str
    program: str
    digest: str
    parts: Parts


def line_of(one: Entry, digest: str, found: Parts) -> PlayersLine:
    """The line of an entry of a file for players."""
    return PlayersLine(one.entry, one.after, one.command, one.origin, one.recorded_at, one.program, digest, found)
