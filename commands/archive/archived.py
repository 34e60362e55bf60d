"""Archives: folders of Parquet files with many campaigns. What they hold.

`docs/archive.md` says how a folder is laid out. A file of an archive counts only if the manifest of its campaign names
it, so an archive is read as it was before or after each change, whatever happens to the program that changes it.
"""

import os
from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from commands.files.exports.tidy import columns
from commands.words.installed import upgrading
from ledger.errors import LedgerMissing
from projections.statistics import Statistics

FORMAT = 1
"""The format of an archive: its folders, its tables and their columns."""
MARKER = "affray-archive.json"
"""The file that makes a folder an archive."""
CAMPAIGNS = "campaigns"
"""The folder of the manifests."""
ENDING = ".json"
STATISTICS = "statistics"
"""The table with what the statistics of each campaign have counted."""
COLUMNS = columns("section #nth who side source #sides measure #number #value")
"""Its columns."""


class Marker(Struct, frozen=True):
    """Says that a folder is an archive, and which one."""

    affray_archive: int
    """Its format."""
    player_safe: bool
    """Whether it holds only what players may see."""


class Manifest(Struct, frozen=True):
    """What an archive holds of one campaign."""

    format: int
    """The format of its tables."""
    campaign: str
    """The digest of its first entry."""
    name: str
    system: str
    entries: int
    """How many entries."""
    head: str
    """The digest of the last of them."""
    began: str
    """When the first entry was recorded."""
    changed: str
    """When the last one was."""
    sides: tuple[str, ...] | None
    """The players' sides in an archive for players; None where nothing is left out."""
    writing: int
    """How often the campaign was written; the names of its files begin with it."""
    files: tuple[str, ...]
    """Its files, from the folder of the archive on."""


def marker(folder: str) -> Marker | None:
    """What an archive says of itself; None where there is none yet: no folder, or an empty one.

    Raises LedgerMissing for a folder of something else and for an archive of a newer program.
    """
    path = os.path.join(folder, MARKER)
    try:
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read(), type=Marker)
    except FileNotFoundError:
        if _is_free(folder):
            return None
        message = f"{folder} is not an archive of Affray and holds other files."
        raise LedgerMissing(message, "Name another folder.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise LedgerMissing(f"{path} is not the marker of an archive.", "Name another folder.") from None
    except OSError as error:
        raise LedgerMissing(f"{folder} cannot be read as an archive: {error.strerror}.", "Name a folder.") from None
    if found.affray_archive > FORMAT:
        raise LedgerMissing(f"{folder} was written by a newer Affray.", upgrading())
    return found


def _is_free(folder: str) -> bool:
    """Whether an archive can be made there. A draft of a killed process is no other file."""
    try:
        return all(name.startswith(f".{MARKER}.") for name in os.listdir(folder))
    except FileNotFoundError:
        return True
    except OSError as error:
        raise LedgerMissing(f"{folder} cannot be read as an archive: {error.strerror}.", "Name a folder.") from None


def manifest(folder: str, campaign: str) -> Manifest | None:
    """The manifest of a campaign; None where there is none that makes sense. Raises LedgerMissing for a newer one, and
    for one that cannot be read.
    """
    path = os.path.join(folder, CAMPAIGNS, campaign + ENDING)
    try:
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read(), type=Manifest)
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise LedgerMissing(f"{path} cannot be read: {error.strerror}.") from None
    if found.format > FORMAT:
        raise LedgerMissing(f"{path} was written by a newer Affray.", upgrading())
    return found if found.campaign == campaign else None


def tally(counted: Statistics, again: int) -> Iterator[tuple[int | str | None, ...]]:
    """What the statistics of a campaign have counted, as rows. `again`: how often somebody rolled again."""
    yield "campaign", 0, "", "", "", None, "encounters", None, counted.encounters
    yield "campaign", 0, "", "", "", None, "again", None, again
    for nth, ((who, side), score) in enumerate(counted.fighters.items()):
        for way, harm in (("dealt", score.dealt), ("taken", score.taken)):
            for unit, points in harm.items():
                yield "damage", nth, who, side, "", None, f"{unit} {way}", None, points
        for measure in _DEEDS:
            yield "damage", nth, who, side, "", None, measure, None, getattr(score, measure)
    place = {who: nth for nth, who in enumerate(counted.luck)}
    for pile, faces in counted.faces.items():
        for face, times in enumerate(faces, 1):
            if times:
                yield "dice", place[pile.who], pile.who, "", pile.source, pile.sides, "face", face, times
    for seconds, times in Counter(counted.rounds).items():
        yield "pace", 0, "", "", "", None, "round", seconds, times
    for nth, (who, lengths) in enumerate(counted.turns.items()):
        for seconds, times in Counter(lengths).items():
            yield "pace", nth, who, "", "", None, "turn", seconds, times


_DEEDS = ("hits", "misses", "felled", "fell")
