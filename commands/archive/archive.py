"""Archives: the tables of many campaigns as Parquet files in one folder, which analytical programs read."""

import errno
import gc
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from commands.action.book import Book
from commands.action.declaration import Declaration, Words, says
from commands.action.quoting import quoted
from commands.files.drafts import DRAFT, drafted, lock, replace, sync_folder_of
from commands.files.exports.parquet import Sheet, arrow
from commands.files.exports.tidy import TABLES
from commands.look.filters import Filters
from commands.look.stats import Counting
from commands.look.timeline import origins
from commands.seen.record import Record, players_sides
from commands.words.console import Console
from commands.words.discovery import each_ledger, is_address, opened, shown
from commands.words.installed import adding
from commands.words.progress import watched
from commands.words.screen import harmless
from ledger.errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing, UsageError
from ledger.events import Noted
from ledger.events.sentences import counted
from ledger.store import Head, Store

from . import archived

_QUERIES = "tables.sql"
"""The file with the views, for DuckDB."""
_CAMPAIGN = "campaign="
"""How the name of a campaign's folder begins."""
_LONGEST = 100
"""The most bytes of the name of a rule system in the name of a folder."""
Outcome = Literal["new", "added", "replaced", "unchanged", "older"]


class Archive(Declaration):
    """Write the tables of campaigns into a folder as Parquet files, for DuckDB, pandas and the like: entries, events,
    dice, rulings, damage, conditions, fighters, statistics. Run again, it leaves alone what has not changed.

    A LEDGER is a file, a folder with the ledgers in it and below it, a campaign in PostgreSQL, or a whole database
    with all its campaigns.
    """

    ledger: Annotated[Words, says("Files, folders, addresses.", min_length=1)]
    to: Annotated[str, says("The folder of the archive; it is made if it is not there.")] = ""
    player_safe: Annotated[bool, says("Leave out what the players should not know.")] = False
    sides: Annotated[Words, says("With --player-safe: the players' sides, about which everything is told.")] = ()


class Archived(Struct, frozen=True):
    """What became of one ledger."""

    ledger: str
    outcome: Outcome
    campaign: str
    name: str
    system: str
    entries: int
    """How many entries the archive holds of it now."""
    added: int
    """How many entries were written."""
    digest: str
    """The digest of the last entry in the archive."""
    why: str = ""
    """Why it was written anew, in words."""

    def line(self) -> str:
        """What to say of it; "" for nothing."""
        written = f"{self.added} {'entry' if self.added == 1 else 'entries'}"
        match self.outcome:
            case "new":
                return f"{self.ledger}: {written}"
            case "added":
                return f"{self.ledger}: {written} more, now {self.entries}"
            case "replaced":
                return f"{self.ledger}: {written}, written anew because {self.why}"
            case "older":
                return f"{self.ledger}: nothing, because the archive holds more: {self.entries} entries of it"
        return ""


def archive(console: Console, said: Archive) -> None:
    """Archives one ledger after another. What is wrong with one does not keep the others out."""
    if not said.to:
        raise UsageError("--to names the folder of the archive.", "affray archive --help")
    if said.sides and not said.player_safe:
        raise UsageError("--sides names the players' sides; it needs --player-safe.")
    _check_installed()
    folder = _Folder(said.to, said.player_safe, said.sides)
    done: list[Archived] = []
    failed: list[tuple[str, AffrayError]] = []
    gc.freeze()  # what is imported stays; what each campaign leaves behind goes
    try:
        places = _places(said.ledger, failed)
        alone = len(places) == 1 and not failed
        with closing(folder):
            for place in places if alone else watched(places, len(places), "archive"):
                try:
                    done.append(folder.take(place, "archive" if alone else ""))
                except AffrayError as error:
                    failed.append((place, error))
                gc.collect()
    except OSError as error:
        raise _unwritable(said.to, error, done) from None
    finally:
        gc.unfreeze()
    _end(console, said, done, failed)


def _check_installed() -> None:
    try:
        arrow()
    except UsageError:
        raise UsageError("An archive needs pyarrow, which is not installed.", adding("archive")) from None


def _places(said: Sequence[str], failed: list[tuple[str, AffrayError]]) -> list[str]:
    """The ledgers that the words name, each once."""
    found: dict[str, str] = {}
    for word in said:
        try:
            for place in each_ledger((word,)):
                found.setdefault(shown(place) if is_address(place) else os.path.realpath(place), place)
        except AffrayError as error:
            failed.append((word, error))
    return [*found.values()]


def _unwritable(folder: str, error: OSError, done: Sequence[Archived]) -> LedgerMissing:
    """What to say when the archive cannot be written. What was archived before stays."""
    count = f"{len(done)} {'ledger is' if len(done) == 1 else 'ledgers are'} archived." if done else ""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    hint = "Make room, then say it again." if full else "Check the folder and its permissions, then say it again."
    found = LedgerMissing(f"{folder} cannot be written: {error.strerror or error}. {count}".rstrip(), hint)
    found.data = {"ledgers": done}
    return found


def _end(console: Console, said: Archive, done: list[Archived], failed: list[tuple[str, AffrayError]]) -> None:
    """Says what became of all. Raises an AffrayError when a ledger was not archived."""
    answer = {
        "archive": said.to,
        "ledgers": done,
        "failed": [
            {"ledger": shown(place), "reference": error.reference, "code": error.code, "message": error.message}
            for place, error in failed
        ],
    }
    if console.json and not failed:
        console.give({"ok": True, **answer})
    elif done and not console.json:
        for line in filter(None, map(Archived.line, done)):
            console.say(harmless(line), whole=True)
        console.whisper(harmless(_summary(said.to, done)))
    if not failed:
        return
    place, found = failed[0]
    if isinstance(found, LedgerDamaged):
        found.hint = f"affray --ledger {quoted(shown(place))} verify"
    if done or failed[1:]:
        for word, error in failed if not console.json else ():
            named = "" if shown(word) in error.message else f"{shown(word)}: "
            console.whisper(harmless(f"{named}{error.message}"))
        count = f"{len(failed)} of {len(done) + len(failed)} ledgers {'was' if len(failed) == 1 else 'were'}"
        whole = AffrayError(f"{count} not archived.", found.hint if len(failed) == 1 else "")
        whole.code, whole.reference = found.code, found.reference
        found = whole
    found.data = answer
    raise found


_WORDS: dict[Outcome, str] = {
    "new": "new",
    "added": "with more entries",
    "replaced": "written anew",
    "unchanged": "unchanged",
    "older": "older than the archive",
}


def _summary(folder: str, done: Sequence[Archived]) -> str:
    """What became of the ledgers, in numbers."""
    each = Counter(one.outcome for one in done)
    parts = [f"{each[outcome]} {word}" for outcome, word in _WORDS.items() if each[outcome]]
    return f"{counted(len(done), 'ledger')} archived in {folder}: {', '.join(parts)}."


class _Folder:
    """The folder of an archive. Close it in the end."""

    def __init__(self, path: str, player_safe: bool, sides: Sequence[str]) -> None:
        """Raises LedgerMissing for a folder that cannot be an archive, UsageError for an archive that shows more or
        less.
        """
        self.path = path
        self.player_safe = player_safe
        self._sides = sides
        self._taken: dict[str, str] = {}
        """The ledger of each campaign that was archived just now."""
        self._held = -1
        """The file that is locked; -1 before anything is written."""
        if (found := archived.marker(path)) and found.player_safe != player_safe:
            what, needs = ("an archive", "without") if found.player_safe else ("not an archive", "with")
            message = f"{path} is {what} for players, and nothing goes in {needs} --player-safe."
            raise UsageError(message, "Name another folder.")

    def close(self) -> None:
        """Others can write it now."""
        if self._held >= 0:
            os.close(self._held)

    def take(self, place: str, work: str) -> Archived:
        """Archives what is new of a ledger. `work` names it in the line of progress.

        Raises AffrayError when something is wrong with it, OSError when the archive cannot be written.
        """
        with closing(opened(place)) as store:
            if store.is_for_players:
                message = f"{store.path} holds only what the players see."
                raise UsageError(message, "Archive the game master's ledger; --player-safe leaves the rest out.")
            head = store.head()
            if not head.entry:
                raise UsageError(f"{store.path} holds no entries.")
            campaign = _first(store)
            sides = tuple(sorted({*players_sides(Book(store), self._sides)})) if self.player_safe else None
            self._begin()
            held = archived.manifest(self.path, campaign)
            outcome, why = self._plan(store, head, held, sides)
            if outcome == "replaced" and campaign in self._taken and not _holds(store, held):
                message = f"{store.path} and {self._taken[campaign]} are two histories of one campaign."
                raise UsageError(f"{message} Only the second is archived.", "Name only one of them.")
            self._taken.setdefault(campaign, store.path)
            if outcome in ("unchanged", "older"):
                assert held
                self._clean(held)
                return _archived(store.path, outcome, held, 0)
            now = self._write(Record(Book(store), Filters(), sides=sides, work=work, checked=True), held, campaign)
            self._clean(now)
            kept = held.entries if held and outcome == "added" else 0
            return _archived(store.path, outcome, now, now.entries - kept, why)

    def _begin(self) -> None:
        """Makes the archive where there is none, and locks it. Raises LedgerBusy when another command writes it."""
        if self._held >= 0:
            return
        path = os.path.join(self.path, archived.MARKER)
        if archived.marker(self.path) is None:
            _make(self.path)
            _put(path, msgspec.json.encode(archived.Marker(archived.FORMAT, self.player_safe)) + b"\n")
        self._held = os.open(path, os.O_RDWR)
        try:
            lock(self._held)
        except BlockingIOError:
            raise LedgerBusy(f"{self.path} is being written by another command.", "Try again in a moment.") from None
        except OSError:  # a file system without locks
            pass
        _make(os.path.join(self.path, archived.CAMPAIGNS))
        views = _CAMPAIGNS + "".join(_TABLE.format(table=table) for table in (*TABLES, archived.STATISTICS))
        _put(os.path.join(self.path, _QUERIES), views.encode())
        self._forsake()

    def _forsake(self) -> None:
        """Removes the files of campaigns without a manifest: a command was killed before it had written one."""
        known = {name.removesuffix(archived.ENDING) for name in _names(os.path.join(self.path, archived.CAMPAIGNS))}
        tables = (*TABLES, archived.STATISTICS)  # in the order in which their folders are made
        for system in _names(os.path.join(self.path, tables[0])):
            for campaign in _names(os.path.join(self.path, tables[0], system)):
                if campaign.removeprefix(_CAMPAIGN) in known or not campaign.startswith(_CAMPAIGN):
                    continue
                for folder in [os.path.join(self.path, table, system, campaign) for table in reversed(tables)]:
                    for name in _names(folder):
                        if name.endswith((".parquet", DRAFT)):
                            os.unlink(os.path.join(folder, name))
                    with suppress(OSError):  # it holds something else
                        os.rmdir(folder)

    def _plan(
        self, store: Store, head: Head, held: archived.Manifest | None, sides: tuple[str, ...] | None
    ) -> tuple[Outcome, str]:
        """What is to be done, and why, where it is not for more entries."""
        if held is None:
            return "new", ""
        if held.format != archived.FORMAT:
            return "replaced", "another Affray wrote it"
        if not all(os.path.isfile(os.path.join(self.path, file)) for file in held.files):
            return "replaced", "files of it were missing"
        if head.entry < held.entries:
            return "older", ""
        if not _holds(store, held):
            return "replaced", "its history is another one"
        if held.sides != sides:
            return "replaced", "the players' sides are others"
        return ("unchanged" if head.entry == held.entries else "added"), ""

    def _write(self, record: Record, held: archived.Manifest | None, campaign: str) -> archived.Manifest:
        """Writes all entries, and then the manifest, from which on they belong to the archive."""
        writing = held.writing + 1 if held else 1
        name = f"{writing:06}-e1-e{record.head.entry}.parquet"
        place = f"system={_partition(record.campaign.system)}/{_CAMPAIGN}{campaign}/{name}"
        files = {table: f"{table}/{place}" for table in (*TABLES, archived.STATISTICS)}
        times: list[str] = []
        with ExitStack() as drafts:
            paths = {}
            for file in files.values():
                path = os.path.join(self.path, file)
                _make(os.path.dirname(path))
                paths[path] = drafts.enter_context(drafted(path))
            with ExitStack() as streams:
                places = [streams.enter_context(open(draft, "wb")) for draft in paths.values()]
                with ExitStack() as sheets:
                    columns = {table: of.columns for table, of in TABLES.items()}
                    columns[archived.STATISTICS] = archived.COLUMNS
                    written = {
                        table: sheets.enter_context(Sheet(stream, table, columns[table], record))
                        for table, stream in zip(files, places, strict=True)
                    }
                    times = _fill(record, written)
                for stream in places:
                    stream.flush()
                    os.fsync(stream.fileno())
            for path, draft in paths.items():
                replace(draft, path)
        now = archived.Manifest(
            format=archived.FORMAT,
            campaign=campaign,
            name=record.campaign.name,
            system=record.campaign.system,
            entries=record.head.entry,
            head=record.head.digest,
            began=times[0],
            changed=times[-1],
            sides=None if record.sides is None else tuple(record.sides),
            writing=writing,
            files=(*files.values(),),
        )
        _put(os.path.join(self.path, archived.CAMPAIGNS, campaign + archived.ENDING), msgspec.json.encode(now) + b"\n")
        return now

    def _clean(self, now: archived.Manifest) -> None:
        """Removes the files of a campaign that do not belong to the archive, or not any more."""
        files = {os.path.join(self.path, file) for file in now.files}
        for folder in {os.path.dirname(file) for file in files}:
            for name in os.listdir(folder):
                if name.endswith(".parquet") and os.path.join(folder, name) not in files:
                    os.unlink(os.path.join(folder, name))


def _first(store: Store) -> str:
    """The digest of the first entry, which names the campaign. Raises LedgerDamaged when it is none."""
    for _, digest in store.entries(1, 1):
        if len(digest) == 64 and {*digest} <= {*"0123456789abcdef"}:
            return digest
    raise LedgerDamaged(f"{store.path} has no digest of its first entry.", "affray verify")


def _holds(store: Store, held: archived.Manifest | None) -> bool:
    """Whether a ledger goes on where the archive ends, or ends there."""
    if held is None or held.entries > store.head().entry:
        return False
    return [digest for _, digest in store.entries(held.entries, held.entries)] == [held.head]


def _archived(path: str, outcome: Outcome, held: archived.Manifest, added: int, why: str = "") -> Archived:
    return Archived(path, outcome, held.campaign, held.name, held.system, held.entries, added, held.head, why)


def _fill(record: Record, sheets: Mapping[str, Sheet]) -> list[str]:
    """Fills the tables with the rows of all entries. Gives when the first and the last were recorded."""
    added = Counting(record.persons, origins(record.store, record.head.entry))
    times = ["", ""]
    for page in record.pages():
        told = page.events or (Noted("known to the game master"),)
        times = [times[0] or page.entry.recorded_at, page.entry.recorded_at]
        added.take(page.entry, told, page.stands)
        for table, of in TABLES.items():
            sheets[table].take(of.rows(page))
    added.statistics.finish()
    sheets[archived.STATISTICS].take(archived.tally(added.statistics, added.again))
    return times


def _names(folder: str) -> list[str]:
    """What a folder holds; nothing where there is none."""
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _partition(system: str) -> str:
    """The name of a rule system in the name of a folder. Raises LedgerDamaged when it cannot be there."""
    name = quote(system, safe="")
    if not name or len(name) > _LONGEST:
        raise LedgerDamaged(f"No folder can be named after the rule system {system[:40]!r} of this ledger.")
    return name


def _make(folder: str) -> None:
    """Makes a folder, and those above it, for good. Raises OSError."""
    if os.path.isdir(folder):
        return
    if above := os.path.dirname(folder.rstrip(os.sep)):
        _make(above)
    with suppress(FileExistsError):
        os.mkdir(folder)
    sync_folder_of(folder.rstrip(os.sep))


def _put(path: str, content: bytes) -> None:
    """Writes a file whole, in place of an older one. Raises OSError."""
    with suppress(FileNotFoundError), open(path, "rb") as old:
        if old.read() == content:
            return
    with drafted(path) as draft:
        with open(draft, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        replace(draft, path)


_CAMPAIGNS = """\
-- Made by affray archive. In this folder: duckdb -cmd '.read tables.sql'
CREATE OR REPLACE VIEW manifests AS
SELECT * FROM read_json('campaigns/*.json', columns = {campaign: 'VARCHAR', name: 'VARCHAR', system: 'VARCHAR',
    entries: 'BIGINT', head: 'VARCHAR', began: 'VARCHAR', changed: 'VARCHAR', files: 'VARCHAR[]'});
CREATE OR REPLACE VIEW campaigns AS SELECT * EXCLUDE (files) FROM manifests;
"""
_TABLE = """\
CREATE OR REPLACE VIEW {table} AS
SELECT * EXCLUDE (filename) FROM read_parquet('{table}/*/*/*.parquet', filename = true, hive_partitioning = true,
    hive_types = {{system: VARCHAR, campaign: VARCHAR}})
WHERE filename IN (SELECT unnest(files) FROM manifests);
"""
