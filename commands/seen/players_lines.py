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
    stands: bool
    """Whether it belongs to the course of play at the last entry."""
    parts: Parts


def line_of(one: Entry, digest: str, stands: bool, found: Parts) -> PlayersLine:
    """The line of an entry of a file for players."""
    place = one.entry, one.after, one.command, one.origin
    return PlayersLine(*place, one.recorded_at, one.program, digest, stands, found)
