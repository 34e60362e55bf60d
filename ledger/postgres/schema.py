"""The tables of a database that holds ledgers, and their format."""

from contextlib import suppress
from typing import Any

import psycopg
from psycopg import errors

from ledger import FORMAT
from ledger.errors import LedgerDamaged, LedgerMissing
from ledger.store import check_format

from .address import Address, Rows

_SCHEMA = """
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
CREATE TABLE affray.tray (
    campaign text COLLATE "C" NOT NULL,
    nth bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    seat text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    state text NOT NULL,
    body text NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (campaign, nth),
    UNIQUE (campaign, kind, seat, id)
);
"""
_GUARDS = """
CREATE FUNCTION affray.never() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'a ledger is append-only: nothing in % is ever changed or deleted', TG_TABLE_NAME; END $$;
""" + "".join(
    f"CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON affray.{table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION affray.never();\n"
    for table in ("entries", "events", "keys")
)
"""A second guard beside the privileges. Nothing depends on it."""
TABLES = frozenset({"format", "turns", "keys", "entries", "events", "checkpoints", "tray"})


def lay_out(db: "psycopg.Connection[tuple[Any, ...]]", address: Address) -> None:
    """Makes the tables where there are none. Raises LedgerMissing when something else has their place."""
    if _format(db, address):
        return
    try:
        with db.transaction():
            db.execute(_SCHEMA, prepare=False)
            db.execute("INSERT INTO affray.format VALUES (%s)", (FORMAT,))
            with suppress(errors.FeatureNotSupported), db.transaction():
                db.execute(_GUARDS, prepare=False)
    except (errors.DuplicateSchema, errors.UniqueViolation):  # somebody else did so at the same time
        if not _format(db, address):
            raise


def _format(db: "psycopg.Connection[tuple[Any, ...]]", address: Address) -> int:
    """The format of the tables; 0 where there are none. Raises LedgerMissing when it is another one, or the tables
    are of something else.
    """
    query = "SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    rows = db.execute(f"{query} WHERE nspname = 'affray' AND relkind IN ('r', 'p', 'v', 'm', 'f')")
    held = {name for (name,) in rows}
    if not held and not db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'affray'").fetchone():
        return 0
    if not held >= TABLES:
        message = f"{address.database} has a schema affray that is not one of Affray's ledgers."
        raise LedgerMissing(message, "Use another database.")
    return checked_format(db.execute("SELECT format FROM affray.format").fetchall(), address)


def checked_format(rows: Rows, address: Address) -> int:
    """The format that a database says it has. Raises LedgerMissing when it is another one, LedgerDamaged when
    none.
    """
    if len(rows) != 1:
        raise LedgerDamaged(f"{address.database} does not say which format it has.")
    held: int = rows[0][0]
    check_format(address.database, held)
    return held
