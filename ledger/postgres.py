"""Ledgers in a PostgreSQL database: many campaigns, which many machines write.

`docs/postgres.md` says how it is laid out and why. Only a ledger with such an address imports this.
"""

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from shlex import quote as quoted
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import msgspec
import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from . import FORMAT
from .chain import GENESIS, Blinds, Entry
from .errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing, NoLedger, Recorded, Uncertain, UsageError
from .store import BATCH, LONGEST, SPARSE, Checkpoint, Head, Range, Stamp, Store, longest_wait, possible, seal

logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # what it warns of becomes an error of ours

Query = tuple[str, Sequence[object]]
"""A statement with its values."""
Rows = list[tuple[Any, ...]]

WINDOW = 320
"""Entries that are read together with one that is asked for: it and those before it, down to a kept checkpoint."""
JUMPS = 64
"""Jumps that a look reads. Older ones are read when they are asked for."""
MOST_KEPT = 2048
"""The most entries that are kept in memory."""
SCATTERED = 3
"""So often only those entries are read that are asked for, and after that whole blocks."""
_KINDS = ("stirred", "revealed", "dice-revealed")
_LASTING = f"kind IN {_KINDS}"
_COLUMNS = "entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest"
_ENTRIES = f"SELECT {_COLUMNS} FROM affray.entries WHERE campaign = %s AND entry BETWEEN %s AND %s ORDER BY entry"
_EVENTS = (
    "SELECT entry, body, split FROM affray.events WHERE campaign = %s AND entry BETWEEN %s AND %s ORDER BY entry, nth"
)
_HEAD = "SELECT entry, digest, drawn, hidden FROM affray.entries WHERE campaign = %s ORDER BY entry DESC LIMIT 1"
_TIP = (
    "SELECT head.entry, digest, drawn, hidden, reducers, state, seal,"
    f" (SELECT entry FROM affray.events WHERE campaign = %s AND {_LASTING} AND entry > %s"
    " ORDER BY entry DESC, nth DESC LIMIT 1) IS NOT NULL"
    " OR (SELECT entry FROM affray.entries WHERE campaign = %s AND after <> entry - 1 AND entry > %s"
    " ORDER BY entry DESC LIMIT 1) IS NOT NULL"
    f" FROM ({_HEAD}) AS head LEFT JOIN affray.checkpoints AS kept"
    " ON kept.campaign = %s AND kept.entry = head.entry AND head.entry <> %s"
)
"""The head, the checkpoint there, unless the head is the one that is known, and whether `_STIRS` or `_JUMPS` have
anything to say. They are sought in the order of an index, here and below: for EXISTS the planner may read whole tables.
"""
_STIRS = (
    f"SELECT entry, kind, body FROM affray.events WHERE campaign = %s AND {_LASTING} AND entry > %s ORDER BY entry, nth"
)
_JUMPS = (
    "SELECT entry, after FROM affray.entries WHERE campaign = %s AND after <> entry - 1 AND entry BETWEEN %s AND %s"
    " ORDER BY entry DESC LIMIT %s"
)
_FOLDED = """
WITH RECURSIVE course(first, last, after) AS (
    SELECT coalesce(jump.entry, 1), tip.entry, coalesce(jump.after, 0)
    FROM (SELECT %(tip)s::bigint AS entry) AS tip LEFT JOIN LATERAL (
        SELECT entry, after FROM affray.entries WHERE campaign = %(campaign)s AND after <> entries.entry - 1
            AND entries.entry <= tip.entry ORDER BY entries.entry DESC LIMIT 1
    ) AS jump ON true
    UNION ALL
    SELECT coalesce(jump.entry, 1), course.after, coalesce(jump.after, 0)
    FROM course LEFT JOIN LATERAL (
        SELECT entry, after FROM affray.entries WHERE campaign = %(campaign)s AND after <> entries.entry - 1
            AND entries.entry <= course.after ORDER BY entries.entry DESC LIMIT 1
    ) AS jump ON true
    WHERE course.after > 0 AND (
        SELECT entry FROM affray.checkpoints WHERE campaign = %(campaign)s AND reducers = %(reducers)s
            AND entry BETWEEN course.first AND course.last ORDER BY entry DESC LIMIT 1
    ) IS NULL
)
SELECT course.first, course.last, kept.entry, kept.state, kept.seal, kept.digest
FROM course LEFT JOIN LATERAL (
    SELECT checkpoints.entry, state, seal, digest FROM affray.checkpoints
    JOIN affray.entries ON entries.campaign = checkpoints.campaign AND entries.entry = checkpoints.entry
    WHERE checkpoints.campaign = %(campaign)s AND reducers = %(reducers)s
        AND checkpoints.entry BETWEEN course.first AND course.last
    ORDER BY checkpoints.entry DESC LIMIT 1
) AS kept ON true
ORDER BY course.first DESC"""
"""The pieces of a course, the newest first, up to the first that has a checkpoint, each with its newest checkpoint."""
_APPEND = (
    f"WITH entry AS (INSERT INTO affray.entries (campaign, {_COLUMNS})"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)){}"
    " INSERT INTO affray.events (campaign, entry, nth, body, split) SELECT %s, %s, nth, body, split"
    " FROM ROWS FROM (json_array_elements_text(%s::json), unnest(string_to_array(%s, ',')::bigint[]))"
    " WITH ORDINALITY AS event(body, split, nth)"
)
"""An entry with its events. The braces are for more to do along with it."""
_BEFORE = (
    "DELETE FROM affray.checkpoints WHERE campaign = %s AND entry %% %s <> 0 AND entry ="
    " (SELECT max(entry) FROM affray.checkpoints WHERE campaign = %s AND entry < %s)"
)
"""Deletes the checkpoint before one, unless it is to stay."""
_KEEP = (
    "INSERT INTO affray.checkpoints (campaign, entry, reducers, state, seal) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)
_APPEND_AND_KEEP = _APPEND.format(f", before AS ({_BEFORE}), kept AS ({_KEEP})")
_APPEND = _APPEND.format("")
_SETTINGS = (
    "SELECT current_setting('fsync'), current_setting('server_encoding'),"
    " set_config('synchronous_commit', 'on', false), set_config('lock_timeout', %s, false),"
    " set_config('default_transaction_isolation', 'read committed', false),"
    " set_config('plan_cache_mode', 'force_generic_plan', false)"
)
"""What a connection has to know and to set; no plan here is better for being made again for each value."""
SCHEMA = """
CREATE SCHEMA affray;
CREATE TABLE affray.format (
    format integer PRIMARY KEY
);
CREATE TABLE affray.turns (
    campaign text COLLATE "C" PRIMARY KEY,
    turn bigint NOT NULL DEFAULT 0
);
CREATE TABLE affray.keys (
    campaign text COLLATE "C" PRIMARY KEY,
    key text NOT NULL
);
CREATE TABLE affray.entries (
    campaign text COLLATE "C" NOT NULL,
    entry bigint NOT NULL CHECK (entry > 0),
    after bigint NOT NULL CHECK (after >= 0 AND after < entry),
    command bigint NOT NULL,
    origin bigint NOT NULL,
    drawn bigint NOT NULL,
    hidden bigint NOT NULL,
    recorded_at text NOT NULL,
    by text NOT NULL,
    typed text NOT NULL,
    program text NOT NULL,
    once text COLLATE "C" NOT NULL,
    parts text NOT NULL,
    digest text NOT NULL,
    role text NOT NULL DEFAULT session_user,
    PRIMARY KEY (campaign, entry)
);
CREATE INDEX jumps ON affray.entries (campaign, entry, after) WHERE after <> entry - 1;
CREATE INDEX resolved_again ON affray.entries (campaign, entry, origin) WHERE origin <> entry;
CREATE UNIQUE INDEX once ON affray.entries (campaign, once) WHERE once <> '';
CREATE TABLE affray.events (
    campaign text COLLATE "C" NOT NULL,
    entry bigint NOT NULL,
    nth integer NOT NULL,
    body text NOT NULL,
    split bigint NOT NULL CHECK (split >= 0),
    kind text COLLATE "C" GENERATED ALWAYS AS (substr(body, 11, position('"' IN substr(body, 11)) - 1)) STORED,
    PRIMARY KEY (campaign, entry, nth)
);
CREATE INDEX lasting ON affray.events (campaign, entry, nth, kind)
WHERE kind IN ('stirred', 'revealed', 'dice-revealed');
CREATE TABLE affray.checkpoints (
    campaign text COLLATE "C" NOT NULL,
    entry bigint NOT NULL,
    reducers text NOT NULL,
    state text NOT NULL,
    seal text NOT NULL,
    PRIMARY KEY (campaign, entry)
);
"""
GUARDS = "".join(
    [
        """
CREATE FUNCTION affray.never() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'a ledger is append-only: nothing in % is ever changed or deleted', TG_TABLE_NAME; END $$;
""",
        *(
            f"CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.{table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION affray.never();\n"
            for table in ("entries", "events", "keys")
        ),
    ]
)
"""A second guard beside the privileges. Nothing depends on it."""
_TABLES = frozenset({"format", "turns", "keys", "entries", "events", "checkpoints"})


class Address:
    """Where a campaign is: the server, the database, and its name there."""

    def __init__(self, said: str) -> None:
        """Raises UsageError when it is no such address. Says nothing of a password."""
        at, _, campaign = said.partition("#")
        try:
            self.campaign = unquote(campaign, errors="strict")
            if not self.campaign.isprintable() or len(self.campaign) > 100:
                raise ValueError
            self.details = conninfo_to_dict(at)
            parts = urlsplit(at)
            shown = parse_qsl(parts.query, keep_blank_values=True)
            if "@" in parts.path:  # a password with a slash would be taken for a database
                raise ValueError
        except (ValueError, psycopg.Error):
            raise UsageError(
                "The address of the ledger is not one of PostgreSQL.",
                "Write it as postgresql://USER@HOST/DATABASE#CAMPAIGN, with %40 for @ and %2F for / in a password.",
            ) from None
        user, found, host = parts.netloc.rpartition("@")
        public = urlencode([pair for pair in shown if "password" not in pair[0]], safe="/")
        self.database = f"postgresql://{user.partition(':')[0]}{found}{host}{parts.path}{public and '?' + public}"
        """The address of the database, without a password."""
        self.shown = self.of(self.campaign)

    def of(self, campaign: str) -> str:
        """The address of a campaign of this database, without a password."""
        return f"{self.database}#{quote(campaign)}" if campaign else self.database

    def connect(self, *queries: Query) -> tuple["psycopg.Connection[tuple[Any, ...]]", list[Rows]]:
        """A connection that writes durably, and the answers to some statements, in one round trip. Raises LedgerMissing
        when there is none to be had.
        """
        settings = {
            "connect_timeout": str(max(2, int(longest_wait()))),
            "application_name": "affray",
            **{name: value for name, value in self.details.items() if value is not None},
            "client_encoding": "UTF8",
        }
        try:
            db = psycopg.connect(**settings, autocommit=True)  # type: ignore[arg-type]
        except (psycopg.Error, UnicodeError) as error:  # a name of a host that no network can have
            raise LedgerMissing(
                f"{self.shown} cannot be opened: {self.told(error)}",
                "Check the address, the password, and whether the server is running.",
            ) from None
        try:
            db.prepare_threshold = 0
            with db.pipeline():
                asked = db.execute(_SETTINGS, (str(_milliseconds(longest_wait())),))
                cursors = [db.execute(query, values) for query, values in queries]
            fsync, encoding, *_ = asked.fetchone() or ("", "")
            answers = [one.fetchall() for one in cursors]
        except psycopg.Error as error:
            db.close()
            raise meaning(self, error) from error
        if fsync != "on" or encoding != "UTF8":
            db.close()
            why = "its setting fsync is off" if fsync != "on" else f"its encoding is {encoding} and not UTF8"
            raise LedgerMissing(f"{self.database} cannot hold a ledger safely: {why}.", "Use another database.")
        return db, answers

    def told(self, error: Exception) -> str:
        """What the server or its library says, on one line, without a password."""
        said = error.diag.message_primary if isinstance(error, psycopg.Error) else None
        line = said or (str(error).strip().splitlines() or ["no reason"])[0]
        line = line.rpartition("FATAL:")[2]
        for name in ("password", "sslpassword"):
            if secret := self.details.get(name):
                line = line.replace(str(secret), "...")
        return "".join(sign for sign in line.strip() if sign.isprintable()).rstrip(".") + "."


def meaning(address: Address, error: psycopg.Error) -> AffrayError:
    """What an error of PostgreSQL means for the user."""
    told = address.told(error)
    match error:
        case errors.LockNotAvailable() | errors.SerializationFailure() | errors.DeadlockDetected():
            return LedgerBusy(f"{address.shown} is being written by another command.", "Try again in a moment.")
        case errors.UniqueViolation():
            return LedgerBusy(f"Somebody else recorded into {address.shown} meanwhile.", "Try again in a moment.")
        case errors.QueryCanceled():
            return LedgerMissing(f"The server of {address.shown} ended the command: {told}", "Say it again.")
        case errors.DiskFull() | errors.OutOfMemory():
            return LedgerMissing(f"The server of {address.shown} has no room: {told}", "Make room, then say it again.")
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return LedgerMissing(f"{address.shown} does not let you do that: {told}", "Ask who keeps the database.")
        case errors.InvalidSchemaName() | errors.UndefinedTable():
            return NoLedger(
                f"{address.database} holds no ledgers of Affray.",
                "Open one with init, or name another database.",
            )
        case errors.DataError() | psycopg.DataError():
            return UsageError(f"PostgreSQL cannot hold this: {told}", "Leave out characters that cannot be seen.")
        case psycopg.OperationalError():
            return LedgerMissing(f"The connection to {address.shown} broke: {told}", "Say it again.")
    return LedgerDamaged(f"{address.shown} is damaged or not a ledger: {told}", "affray verify")


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Says what an error of PostgreSQL means for the user."""
    try:
        yield
    except psycopg.Error as error:
        raise meaning(address, error) from error


def lay_out(db: "psycopg.Connection[tuple[Any, ...]]", address: Address) -> None:
    """Makes the tables where there are none. Raises LedgerMissing when something else has their place."""
    if _format(db, address):
        return
    try:
        with db.transaction():
            db.execute(SCHEMA, prepare=False)
            db.execute("INSERT INTO affray.format VALUES (%s)", (FORMAT,))
            with suppress(errors.FeatureNotSupported), db.transaction():
                db.execute(GUARDS, prepare=False)
    except (errors.DuplicateSchema, errors.UniqueViolation):  # somebody else did so at the same time
        if not _format(db, address):
            raise


def _format(db: "psycopg.Connection[tuple[Any, ...]]", address: Address) -> int:
    """The format of the tables; 0 where there are none. Raises LedgerMissing when it is a newer one, or the tables are
    of something else.
    """
    held = {
        name
        for (name,) in db.execute(
            "SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
            " WHERE nspname = 'affray' AND relkind IN ('r', 'p', 'v', 'm', 'f')"
        )
    }
    if not held and not db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'affray'").fetchone():
        return 0
    if not held >= _TABLES:
        raise LedgerMissing(
            f"{address.database} has a schema affray that is not one of Affray's ledgers.", "Use another database."
        )
    return checked_format(db.execute("SELECT format FROM affray.format").fetchall(), address)


def checked_format(rows: Rows, address: Address) -> int:
    """The format that a database says it has. Raises LedgerMissing when it is a newer one, LedgerDamaged when none."""
    if len(rows) != 1 or rows[0][0] < 1:
        raise LedgerDamaged(f"{address.database} does not say which format it has.")
    held: int = rows[0][0]
    if held > FORMAT:
        raise LedgerMissing(
            f"{address.database} was written by a newer Affray: its format is {held}, this program knows {FORMAT}.",
            "Upgrade: pip install --upgrade affray",
        )
    return held


class PostgresStore(Store):
    """An open campaign in a database. Use `PostgresStore.open` or `PostgresStore.create`."""

    rescue = "Ask who keeps the database for its last backup."

    def __init__(self, address: Address, connection: "psycopg.Connection[tuple[Any, ...]]", new_key: str = "") -> None:
        self.address = address
        self.path = address.shown
        self.wrote = False
        self._blinds: Blinds | None = None
        self._db = connection
        self._new = False
        """Whether the first transaction makes the campaign."""
        self._held_key: str | None = new_key or None
        self._kept: dict[int, tuple[Entry, str]] = {}
        """Entries that were read, the oldest reading first: none of them ever changes."""
        self._missed = 0
        """How often entries were asked for that are not kept."""
        self._marks: dict[str, list[int]] | None = None
        """The entries with a checkpoint, by reducers, as of the last look; None when they were not read since."""
        self._lasting: list[tuple[int, str, str]] = []
        """Entry, kind and body of what no undo takes back, as of the last look."""
        self._jumps: list[Range] = []
        """Jumps with what they stand after, the newest first, as of the last look."""
        self._jumps_from = 1
        """The entry from which on all jumps are in `_jumps`."""
        self._looked = 0
        """The entry up to which `_lasting` and `_jumps` hold everything."""
        self._ends = 0
        """The entry at the head, as of the last look or as recorded here since."""
        self._tip: tuple[Checkpoint, str] | None = None
        """The checkpoint at the head, with the digest of the entry, if the last look found another head there."""
        self._timeout = _milliseconds(longest_wait())
        """How long the connection waits for a lock, unless something else is said."""
        self._head: Head | None = None
        """The head, while nobody else can write; None outside of `writing` and `still`."""
        self._appended: Head | None = None
        """The last entry of the transaction under way."""
        self._own: dict[int, tuple[Entry, str]] = {}
        """The entries of the transaction under way."""
        self._due: list[Query] = []
        """Statements of the transaction under way that wait for the next round trip."""
        self._waits: float | None = None
        """Seconds that the command under way may still wait; None for all of them."""

    @classmethod
    def create(cls, said: str, key: bytes) -> "PostgresStore":
        """A new campaign without entries, with its key; one for players has none (b""). It appears in the database with
        its first transaction. Raises LedgerMissing when it is there already.
        """
        address = _with_campaign(said)
        store = cls(address, address.connect()[0], key.hex())
        with store._closed_by_errors(), explained(address):
            lay_out(store._db, address)
            if store._db.execute("SELECT 1 FROM affray.turns WHERE campaign = %s", (address.campaign,)).fetchone():
                raise store._already()
        store._new = True
        return store

    @classmethod
    def open(cls, said: str) -> "PostgresStore":
        """The campaign at an address.

        Raises NoLedger when there is none; LedgerMissing when the database cannot be reached, or its format is newer
        than this program.
        """
        address = _with_campaign(said)
        one = (address.campaign,)
        db, (formats, there, keys, *first) = address.connect(
            ("SELECT format FROM affray.format", ()),
            ("SELECT 1 FROM affray.turns WHERE campaign = %s", one),
            ("SELECT key FROM affray.keys WHERE campaign = %s", one),
            (_ENTRIES, (*one, 1, 1)),
            (_EVENTS, (*one, 1, 1)),
        )
        store = cls(address, db)
        with store._closed_by_errors():
            checked_format(formats, address)
            if not there:
                raise NoLedger(
                    f"There is no campaign {address.campaign} in {address.database}.",
                    f"affray ledgers {quoted(address.database)}\nOpen one with init, or name another after the #.",
                )
            store._held_key = keys[0][0] if keys else None
            store._keep(*first)
        return store

    @contextmanager
    def _closed_by_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _already(self) -> LedgerMissing:
        return LedgerMissing(
            f"{self.path} already exists; nothing was changed.",
            "To go on with it, just leave this command out. For a new campaign, give another name after the #.",
        )

    def close(self) -> None:
        with suppress(psycopg.Error):
            self._db.close()

    @property
    def name(self) -> str:
        return self.address.campaign

    # Asking

    def _ask(self, *queries: Query) -> list[Rows]:
        """The rows of some statements, in one round trip, together with what waits for one."""
        with explained(self.address):
            return self._carry(*queries)

    def _carry(self, *queries: Query) -> list[Rows]:
        due, self._due = self._due, []
        with self._db.pipeline():
            cursors = [self._db.execute(query, values) for query, values in (*due, *queries)]
        return [one.fetchall() if one.pgresult and one.pgresult.nfields else [] for one in cursors[len(due) :]]

    def _looking(self) -> tuple[Query, ...]:
        """Asks for the head; the first time also for what no undo takes back, and for the jumps."""
        one, known = self.address.campaign, self._looked
        tip = (_TIP, (one, known, one, known, one, one, self._ends))
        return (tip,) if known else (tip, *self._lately())

    def _lately(self) -> tuple[Query, ...]:
        """Asks for what no undo takes back and the jumps since the last look."""
        one = self.address.campaign
        return (_STIRS, (one, self._looked)), (_JUMPS, (one, self._looked + 1, 2**62, JUMPS))

    def _seen(self, rows: list[Rows]) -> Head:
        """The head, from the answers to `_looking`. Asks again where somebody else recorded such things meanwhile."""
        heads, *lately = rows
        head = Head(*heads[0][:4]) if heads else Head(0, GENESIS, 0, 0)
        if head.entry < self._looked:  # another ledger has its place now
            self._forget()
            return self._seen(self._ask(*self._looking()))
        if not lately:
            lately = self._ask(*self._lately()) if heads[0][-1] else [[], []]
        stirs, jumps = lately
        if head.entry != self._ends:
            self._marks, self._tip = None, None
            if heads and heads[0][4] is not None:
                self._tip = Checkpoint(head.entry, *heads[0][4:-1]), head.digest
        self._ends = head.entry
        self._lasting += stirs
        if len(jumps) == JUMPS:
            self._jumps, self._jumps_from = jumps, jumps[-1][0]
        else:
            self._jumps = jumps + self._jumps
        self._looked = head.entry
        return head

    def _forget(self) -> None:
        """Forgets all that was read."""
        self._looked, self._lasting, self._jumps, self._jumps_from = 0, [], [], 1
        self._kept, self._marks, self._ends, self._tip = {}, None, 0, None

    def _keep(self, rows: Rows, events: Rows) -> list[tuple[Entry, str]]:
        """Makes entries of rows, and keeps them while they cannot be taken back."""
        of: dict[int, list[tuple[str, int]]] = {row[0]: [] for row in rows}
        for number, body, split in events:
            if number in of:
                of[number].append((body, split))
        found = []
        for *fields, parts, held in rows:
            halves = of[fields[0]]
            bodies, splits = tuple(body for body, _ in halves), tuple(split for _, split in halves)
            made = Entry(*fields, bodies=bodies, splits=splits, parts=parts)
            found.append((made, held))
        if self._appended is None:
            self._remember({made.entry: (made, held) for made, held in found})
        return found

    def _remember(self, found: dict[int, tuple[Entry, str]]) -> None:
        """Keeps entries that nobody can take back any more."""
        self._kept |= found
        if len(self._kept) > MOST_KEPT:
            self._kept = dict([*self._kept.items()][-MOST_KEPT // 2 :])

    # Reading

    def system(self) -> str:
        with suppress(LedgerDamaged, IndexError):
            if said := _system(self.entry(1).bodies[1]):
                return said
        raise LedgerDamaged(f"{self.path} does not begin with a campaign.", "affray verify")

    @property
    def is_for_players(self) -> bool:
        try:
            return self.entry(1).parts != ""
        except LedgerDamaged:
            return False

    def head(self) -> Head:
        if self._head is not None:
            return self._head
        return self._seen(self._ask(*self._looking()))

    def stamp(self) -> Stamp | None:
        try:
            [rows] = self._ask((_HEAD, (self.address.campaign,)))
        except AffrayError:
            return None
        return 0, 0, rows[0][0] if rows else 0, 0

    def _key(self) -> str | None:
        return self._held_key

    def _last_stir(self) -> str | None:
        self._look_again()
        return next((body for _, kind, body in reversed(self._lasting) if kind == "stirred"), None)

    def _look_again(self) -> None:
        """Reads what no undo takes back and the jumps, where nothing is known of them now."""
        if not self._looked or (self._appended and self._looked < self._appended.entry):
            self._seen(self._ask(*self._looking()))

    def lasting(self, above: int) -> set[int]:
        self._look_again()
        return {entry for entry, _, _ in self._lasting if entry > above}

    def entry(self, number: int) -> Entry:
        if number not in self._kept and number > 0:
            first, last = self._around(max(1, number - WINDOW + 1), number)
            missing = next(at for at in range(first, number + 1) if at not in self._kept)
            within = (self.address.campaign, missing, last)
            for found, _ in self._keep(*self._ask((_ENTRIES, within), (_EVENTS, within))):
                if found.entry == number:
                    return found
        if number in self._kept:
            return self._kept[number][0]
        raise LedgerDamaged(f"{self.path} has no entry {number}.")

    def _around(self, first: int, last: int) -> Range:
        """What to read of entries that are not kept: just these at first; from then on all of their block, because
        somebody who asks for one piece after another is going through the ledger.
        """
        self._missed += 1
        if self._missed <= SCATTERED:
            return first, last
        return min(first, (last - 1) // BATCH * BATCH + 1), -(-last // BATCH) * BATCH

    def entries(self, first: int, last: int, strays: set[int] | None = None) -> Iterator[tuple[Entry, str]]:
        while first <= last:
            end = min(first + BATCH - 1, last)
            if strays is None and all(number in self._kept for number in range(first, end + 1)):
                yield from [self._kept[number] for number in range(first, end + 1)]
            else:
                yield from self._read(first, end, strays)
            first = end + 1

    def _read(self, first: int, last: int, strays: set[int] | None) -> Iterator[tuple[Entry, str]]:
        """Some entries, as they are in the database now. Raises LedgerDamaged for what only `strays` may hold."""
        whole = (first, last) if strays is not None or last - first + 1 == BATCH else self._around(first, last)
        within = (self.address.campaign, *whole)
        rows, events = self._ask((_ENTRIES, within), (_EVENTS, within))
        lost = {event[0] for event in events if first <= event[0] <= last} - {row[0] for row in rows}
        if strays is not None:
            strays |= lost
        elif lost:
            raise LedgerDamaged(f"{self.path} holds events of e{min(lost)}, which is not there.")
        for row in rows:
            if strays is None and first <= row[0] <= last and not possible(*row[:6]):
                raise LedgerDamaged(f"e{row[0]} says of itself what is so of no entry.", "affray verify")
        for found in self._keep(rows, events):
            if first <= found[0].entry <= last:
                yield found

    def bodies(self, ranges: Sequence[Range]) -> Iterator[str]:
        pieces: list[tuple[int, int, bool]] = []
        room = BATCH
        for first, last in ranges:
            start = first
            while start <= last:
                end = min(last, start + room - 1)
                pieces.append((start, end, start == first))
                room -= end - start + 1
                start = end + 1
                if not room:
                    yield from self._of_pieces(pieces)
                    pieces, room = [], BATCH
        if pieces:
            yield from self._of_pieces(pieces)

    def _of_pieces(self, pieces: Sequence[tuple[int, int, bool]]) -> Iterator[str]:
        """The bodies of the events of some pieces. Each but the first entry of a piece stands after the one before."""
        numbers = [number for first, last, _ in pieces for number in range(first, last + 1)]
        if all(number in self._kept for number in numbers):
            for first, last, begins in pieces:
                self.check_unbroken(first + begins, last)
            yield from (body for number in numbers for body in self._kept[number][0].bodies)
            return
        one = (self.address.campaign, numbers)
        rows, events = self._ask(
            (
                "SELECT entry FROM affray.entries WHERE campaign = %s AND entry = ANY(%s::bigint[])"
                " AND (after = entry - 1 OR entry = ANY(%s::bigint[]))",
                (*one, [first for first, _, begins in pieces if begins]),
            ),
            (
                "SELECT entry, body FROM affray.events WHERE campaign = %s AND entry = ANY(%s::bigint[])"
                " ORDER BY entry, nth",
                one,
            ),
        )
        if len(rows) != len(numbers):
            raise self._broken(pieces[0][0], pieces[-1][1])
        of: dict[int, list[str]] = {number: [] for number in numbers}
        for number, body in events:
            of[number].append(body)
        for number in numbers:
            yield from of[number]

    def _broken(self, first: int, last: int) -> LedgerDamaged:
        return LedgerDamaged(f"The course of play from e{first} to e{last} is not whole.", "affray verify")

    def check_unbroken(self, first: int, last: int) -> None:
        if all(number in self._kept and self.after(number) == number - 1 for number in range(first, last + 1)):
            return
        query = (
            "SELECT count(*) FROM affray.entries WHERE campaign = %s AND entry BETWEEN %s AND %s AND after = entry - 1"
        )
        [[(count,)]] = self._ask((query, (self.address.campaign, first, last)))
        if count != last - first + 1:
            raise self._broken(first - 1, last)

    def course(self, tip: int) -> Iterator[Range]:
        while tip > 0:
            first, after = self._jump(tip)
            if not -1 < after < first:
                raise LedgerDamaged(f"e{first} stands after e{after}, which does not come before it.", "affray verify")
            yield first, tip
            tip = after

    def _jump(self, tip: int) -> Range:
        """The newest jump up to an entry, and what that stands after; 1 and 0 if there is none."""
        if tip > self._looked:
            self._seen(self._ask(*self._looking()))
        while tip < self._jumps_from:
            [older] = self._ask((_JUMPS, (self.address.campaign, 1, self._jumps_from - 1, BATCH)))
            self._jumps += older
            self._jumps_from = older[-1][0] if len(older) == BATCH else 1
        at = bisect_left(self._jumps, -tip, key=lambda jump: -jump[0])
        return self._jumps[at] if at < len(self._jumps) else (1, 0)

    def after(self, number: int) -> int:
        if number in self._kept:
            return self._kept[number][0].after
        if self._jumps_from <= number <= self._looked:
            jump, after = self._jump(number)
            return after if jump == number else number - 1
        try:
            return self.entry(number).after
        except LedgerDamaged:
            return 0

    def resolved_again(self, until: int) -> list[tuple[int, int]]:
        query = (
            "SELECT entry, origin FROM affray.entries WHERE campaign = %s AND origin <> entry AND entry <= %s"
            " ORDER BY entry"
        )
        [rows] = self._ask((query, (self.address.campaign, until)))
        return rows

    def recorded(self, once: str) -> int | None:
        query = "SELECT entry FROM affray.entries WHERE campaign = %s AND once = %s AND once <> ''"
        [rows] = self._ask((query, (self.address.campaign, once)))
        return rows[0][0] if rows else None

    def of_kinds(self, *kinds: str) -> list[tuple[int, str]]:
        query = "SELECT entry, body FROM affray.events WHERE campaign = %s AND kind = ANY(%s) ORDER BY entry, nth"
        [rows] = self._ask((query, (self.address.campaign, [*kinds])))
        return rows

    def checkpoint(self, reducers: str, first: int, last: int) -> Checkpoint | None:
        self._look_again()
        if self._marks is None:
            query = "SELECT entry, reducers FROM affray.checkpoints WHERE campaign = %s ORDER BY entry"
            [marks] = self._ask((query, (self.address.campaign,)))
            self._marks = {of: [entry for entry, held in marks if held == of] for _, of in marks}
        known = self._marks.get(reducers, [])
        if bisect_right(known, last) <= bisect_left(known, first):
            return None
        query = (
            "SELECT checkpoints.entry, state, seal, digest FROM affray.checkpoints JOIN affray.entries"
            " ON entries.campaign = checkpoints.campaign AND entries.entry = checkpoints.entry"
            " WHERE checkpoints.campaign = %s AND checkpoints.entry BETWEEN %s AND %s AND reducers = %s"
            " ORDER BY checkpoints.entry DESC"
        )
        [rows] = self._ask((query, (self.address.campaign, first, last, reducers)))
        for entry, state, sealed, digest in rows:
            if sealed == seal(digest, reducers, state):
                return Checkpoint(entry, reducers, state, sealed)
        return None

    def checkpoints(self) -> list[int]:
        query = "SELECT entry FROM affray.checkpoints WHERE campaign = %s ORDER BY entry"
        [rows] = self._ask((query, (self.address.campaign,)))
        return [entry for (entry,) in rows]

    def folded(self, reducers: str, entry: int) -> tuple[Checkpoint | None, list[Range]]:
        if entry < 1:
            return None, []
        if self._tip and not self._appended and entry == self._tip[0].entry == self._looked:
            found, digest = self._tip
            if found.reducers == reducers and found.seal == seal(digest, reducers, found.state):
                return found, []
        values = {"campaign": self.address.campaign, "tip": entry, "reducers": reducers}
        [rows] = self._ask((_FOLDED, values))  # type: ignore[arg-type]
        *before, (first, last, kept, state, sealed, digest) = rows
        ranges = [(one[0], one[1]) for one in before]
        if kept is None:
            return None, [*ranges, (first, last)][::-1]
        if sealed != seal(digest, reducers, state):
            return super().folded(reducers, entry)
        if kept < last:
            ranges.append((kept + 1, last))
        return Checkpoint(kept, reducers, state, sealed), ranges[::-1]

    @contextmanager
    def still(self) -> Iterator[Head]:
        self._due.append(("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ()))
        try:
            self._head = self._seen(self._ask(*self._looking()))
            yield self._head
        finally:
            self._head = None
            self._undone()

    # Looking for damage

    def unsound(self) -> tuple[list[str], list[str]]:
        query = (
            "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'affray'"
        )
        [rows] = self._ask((query, ()))
        missing = sorted(_TABLES - {table for table, _ in rows})
        return [], [f"The table {table} is missing." for table in missing]

    def trust_rows(self, only: bool) -> None:
        """Nothing has to be done: PostgreSQL keeps its indexes itself."""

    def has_strays(self) -> bool:
        query = (
            "SELECT 1 FROM affray.events WHERE campaign = %s AND (entry < 1 OR entry >"
            " (SELECT max(entry) FROM affray.entries WHERE campaign = %s)) LIMIT 1"
        )
        [rows] = self._ask((query, (self.address.campaign,) * 2))
        return bool(rows)

    def disorder(self) -> list[str]:
        """Entries that have another number of events than the numbers of these say."""
        query = (
            "SELECT entry FROM affray.events WHERE campaign = %s GROUP BY entry"
            " HAVING min(nth) <> 1 OR max(nth) <> count(*) ORDER BY entry"
        )
        [rows] = self._ask((query, (self.address.campaign,)))
        return [f"{self.path} does not hold all events of e{entry}." for (entry,) in rows]

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Head]:
        self._appended = None
        try:
            self._head = self._seen(self._begin())
            yield self._head
            if self._appended or not self._new:
                self._commit()
            else:
                self._undone()
        except BaseException:
            self._undone()
            raise
        finally:
            self._head = self._appended = None
            self._own = {}
            self._waits = None

    def _begin(self) -> list[Rows]:
        """Begins a transaction in which nobody else can write, in one round trip. Gives the answers to `_looking`."""
        one = (self.address.campaign,)
        wait = _milliseconds(longest_wait() if self._waits is None else self._waits)
        self._due = [("BEGIN", ())]
        if wait != self._timeout:
            self._due.append((f"SET LOCAL lock_timeout = {wait}", ()))
        if not self._new:
            lock = ("SELECT turn FROM affray.turns WHERE campaign = %s FOR UPDATE", one)
            locked, *look = self._ask(lock, *self._looking())
            if not locked:
                raise NoLedger(f"There is no campaign {self.address.campaign} in {self.address.database}.")
            return look
        if self._held_key:
            made: tuple[Query, ...] = (
                ("INSERT INTO affray.keys (campaign, key) VALUES (%s, %s)", (*one, self._held_key)),
            )
        else:
            made = ()
        try:
            with explained(self.address):
                looking = self._looking()
                answers = self._carry(("INSERT INTO affray.turns (campaign) VALUES (%s)", one), *made, *looking)
        except LedgerBusy as error:
            if isinstance(error.__cause__, errors.UniqueViolation):
                raise self._already() from None
            raise
        return answers[-len(looking) :]

    def _commit(self) -> None:
        try:
            self._carry(("COMMIT", ()))
        except psycopg.Error as error:
            if self._db.closed and (last := self._appended):
                self._after_loss(last, error)
            raise meaning(self.address, error) from error
        if self._appended:
            self.wrote, self._new = True, False
            self._looked_at_own()
            self._remember(self._own)

    def _looked_at_own(self) -> None:
        """Makes the last look one that has seen what was just recorded here."""
        for entry, _ in self._own.values():
            if entry.entry > self._looked:
                kinds = [(body[10 : body.find('"', 10)], body) for body in entry.bodies]
                self._lasting += [(entry.entry, kind, body) for kind, body in kinds if kind in _KINDS]
                if entry.after != entry.entry - 1:
                    self._jumps.insert(0, (entry.entry, entry.after))
                self._looked = entry.entry
        self._ends = self._looked

    def _after_loss(self, last: Head, error: psycopg.Error) -> None:
        """The connection broke as an entry was being recorded: asks on another one whether it is there.

        The lock makes this wait until the server has ended the transaction that was under way.
        """
        one = (self.address.campaign,)
        try:
            self._db, _ = self.address.connect()
            with self._db.transaction():
                self._db.execute(f"SET LOCAL lock_timeout = {max(1000, int(longest_wait() * 1000))}")
                self._db.execute("SELECT turn FROM affray.turns WHERE campaign = %s FOR UPDATE", one)
                query = "SELECT digest FROM affray.entries WHERE campaign = %s AND entry = %s"
                held = self._db.execute(query, (*one, last.entry)).fetchone()
        except (psycopg.Error, AffrayError):
            raise Uncertain(
                f"The connection to {self.path} broke while e{last.entry} was being recorded. It may be recorded or"
                " not.",
                "Look with log before you say it again. With --once ID, saying it again is always safe.",
            ) from error
        if held == (last.digest,):
            self.wrote, self._new = True, False
            raise Recorded(
                f"The connection broke, but the command is recorded: {self.path} ends with e{last.entry}.",
                "affray log --last 1",
            ) from error

    def _undone(self) -> None:
        """Ends the transaction under way, if there is one, without a trace."""
        self._due = []
        if self._appended:  # what was read since then may be gone
            self._forget()
        with suppress(psycopg.Error):
            if not self._db.closed:
                self._db.rollback()  # which also forgets prepared statements that the server may never have seen

    def append(self, entry: Entry, expected: Head, reducers: str = "", state: str = "") -> Head:
        link = self._linked(entry, expected)
        campaign = self.address.campaign
        if max(map(len, (entry.typed, entry.by, entry.parts, *entry.bodies))) > LONGEST:
            raise UsageError(f"e{entry.entry} holds a text that is too long for a ledger.")
        values = (
            campaign, entry.entry, entry.after, entry.command, entry.origin, entry.drawn, entry.hidden,
            entry.recorded_at, entry.by, entry.typed, entry.program, entry.once, entry.parts, link,
        )  # fmt: skip
        events = (campaign, entry.entry, msgspec.json.encode(entry.bodies).decode(), ",".join(map(str, entry.splits)))
        if reducers:
            self._marks = None
            before = (campaign, SPARSE, campaign, entry.entry)
            kept = (campaign, entry.entry, reducers, state, seal(link, reducers, state))
            self._due.append((_APPEND_AND_KEEP, (*values, *before, *kept, *events)))
        else:
            self._due.append((_APPEND, (*values, *events)))
        if len(self._due) > BATCH:
            self._ask()
        self._own[entry.entry] = entry, link
        self._head = self._appended = Head(entry.entry, link, entry.drawn, entry.hidden)
        return self._appended

    def save_checkpoint(self, entry: int, entry_digest: str, reducers: str, state: str) -> None:
        campaign = self.address.campaign
        self._marks = None
        self._due += [
            (_BEFORE, (campaign, SPARSE, campaign, entry)),
            ("DELETE FROM affray.checkpoints WHERE campaign = %s AND entry = %s", (campaign, entry)),
            (_KEEP, (campaign, entry, reducers, state, seal(entry_digest, reducers, state))),
        ]

    def hurry(self, waited: float) -> None:
        self._waits = max(0, longest_wait() - waited)


def _milliseconds(seconds: float) -> int:
    """As a setting of the server; 0 would be no limit there."""
    return max(1, int(seconds * 1000))


def _with_campaign(said: str) -> Address:
    address = Address(said)
    if not address.campaign:
        raise UsageError(
            f"{address.database} does not say which campaign is meant.",
            f"affray ledgers {quoted(address.database)}\nName it after a #: {address.database}#CAMPAIGN",
        )
    return address


class Campaign(msgspec.Struct, frozen=True):
    """A campaign of a database, as `campaigns` finds it."""

    name: str
    system: str
    """Its rule system; "" where it holds only what the players see."""
    entries: int
    changed: str
    """When its last entry was recorded."""
    address: str


def campaigns(said: str) -> list[Campaign]:
    """All campaigns of a database, by name. Raises NoLedger when it holds no ledgers."""
    address = Address(said)
    query = (
        "SELECT turns.campaign, coalesce(begun.body, ''), coalesce(last.entry, 0), coalesce(last.recorded_at, '')"
        " FROM affray.turns LEFT JOIN LATERAL (SELECT entry, recorded_at FROM affray.entries"
        " WHERE entries.campaign = turns.campaign ORDER BY entry DESC LIMIT 1) AS last ON true"
        " LEFT JOIN affray.events AS begun"
        " ON begun.campaign = turns.campaign AND begun.entry = 1 AND begun.nth = 2 ORDER BY turns.campaign"
    )
    db, (formats, found) = address.connect(("SELECT format FROM affray.format", ()), (query, ()))
    db.close()
    checked_format(formats, address)
    return [Campaign(name, _system(body), entries, changed, address.of(name)) for name, body, entries, changed in found]


def _system(body: str) -> str:
    """The rule system that the event says with which a campaign begins."""
    with suppress(msgspec.DecodeError, TypeError, AttributeError):
        return str(msgspec.json.decode(body).get("system", ""))
    return ""
