"""Archives: folders of Parquet files with many campaigns. What they hold, and how they are added up.

`docs/archive.md` says how a folder is laid out. A file of an archive counts only if the manifest of its campaign names
it, so an archive is read as it was before or after each change, whatever happens to the program that changes it.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from glob import escape
from typing import Any

import msgspec
from msgspec import Struct

from commands.words.installed import adding, upgrading
from ledger.errors import LedgerDamaged, LedgerMissing, UsageError
from ledger.hurting import UNITS
from projections.statistics import Luck, Pile, Score, Statistics

FORMAT = 1
"""The format of an archive: its folders, its tables and their columns."""
MARKER = "affray-archive.json"
"""The file that makes a folder an archive."""
CAMPAIGNS = "campaigns"
"""The folder of the manifests."""
ENDING = ".json"
STATISTICS = "statistics"
"""The table with what the statistics of each campaign have counted."""
COLUMNS: dict[str, type] = {
    "section": str, "nth": int, "who": str, "side": str, "source": str, "sides": int, "measure": str, "number": int,
    "value": int,
}  # fmt: skip
"""Its columns."""
_TRIES = 3
"""How often an archive is read that others change meanwhile."""


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

    def of(self, table: str) -> list[str]:
        """Its files of one table."""
        return [file for file in self.files if file.startswith(f"{table}/")]


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
        raise LedgerMissing(
            f"{folder} is not an archive of Affray and holds other files.", "Name another folder."
        ) from None
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


def manifests(folder: str) -> list[Manifest]:
    """All campaigns of an archive, by system and name. Raises LedgerMissing where there is no archive that can be read,
    LedgerDamaged for a manifest that makes no sense.
    """
    if marker(folder) is None:
        raise LedgerMissing(f"{folder} is not an archive.", "affray archive --help")
    try:
        names = [name for name in os.listdir(os.path.join(folder, CAMPAIGNS)) if name.endswith(ENDING)]
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise LedgerMissing(f"{folder} cannot be read: {error.strerror}.") from None
    found = []
    for name in names:
        one = manifest(folder, name.removesuffix(ENDING))
        if one is None:
            path = os.path.join(folder, CAMPAIGNS, name)
            raise LedgerDamaged(f"{path} is not a campaign's manifest.", "Remove it, then archive that campaign again.")
        found.append(one)
    return sorted(found, key=lambda one: (one.system, one.name, one.campaign))


# Statistics


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
_SUMS = """
SELECT section, who, side, source, sides, measure, number, CAST(sum(value) AS BIGINT),
       min(place * 1000000 + nth) AS first
FROM read_parquet($patterns, hive_partitioning = false, filename = true) AS counted
JOIN (SELECT unnest($files) AS filename, generate_subscripts($files, 1) AS place) AS listed USING (filename)
GROUP BY section, who, side, source, sides, measure, number
ORDER BY first"""


def added(folder: str) -> tuple[Statistics, int]:
    """The statistics of all campaigns of an archive, added up, and how often somebody rolled again.

    Raises LedgerMissing where there is no archive, and UsageError when it holds no campaign or DuckDB is missing.
    """
    try:
        import duckdb
    except ImportError:
        raise UsageError("An archive needs DuckDB, which is not installed.", adding("archive")) from None
    for tries in range(1, _TRIES + 1):
        found = manifests(folder)
        files = [os.path.join(folder, file) for one in found for file in one.of(STATISTICS)]
        if not files:
            raise UsageError(f"{folder} holds no campaign yet.", "affray archive --help")
        try:
            with duckdb.connect() as db:
                said = {"files": files, "patterns": [*map(escape, files)]}
                return _statistics(db.execute(_SUMS, said).fetchall())
        except duckdb.Error as error:
            if tries == _TRIES or manifests(folder) == found:
                why = str(error).partition("\n")[0]
                raise LedgerDamaged(f"{folder} cannot be read: {why}", "Archive its campaigns again.") from None
    raise AssertionError


def _statistics(rows: Sequence[tuple[Any, ...]]) -> tuple[Statistics, int]:
    """The statistics that these rows add up to."""
    counted, again = Statistics({}), 0
    for section, who, side, source, sides, measure, number, value, _ in rows:
        match section:
            case "damage":
                _do(counted.fighters.setdefault((who, side), Score()), measure, value)
            case "dice":
                counted.faces.setdefault(Pile(who, source, sides), [0] * sides)[number - 1] += value
                counted.luck.setdefault(who, Luck()).add(number, sides, value)
            case "pace":
                lengths = counted.rounds if measure == "round" else counted.turns.setdefault(who, [])
                lengths += [number] * value
            case _ if measure == "again":
                again += value
            case _:
                counted.encounters += value
    counted.finish()
    return counted, again


def _do(score: Score, measure: str, value: int) -> None:
    """Adds to what somebody did."""
    unit, _, way = measure.partition(" ")
    if way:
        assert unit in UNITS
        harm = score.dealt if way == "dealt" else score.taken
        harm[unit] = harm.get(unit, 0) + value
    else:
        setattr(score, measure, getattr(score, measure) + value)
