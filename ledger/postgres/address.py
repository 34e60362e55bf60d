"""The address of a campaign, connections to its database, and what their errors mean."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from ledger.errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing, NoLedger, UsageError
from ledger.store import longest_wait

from .connection import AT_ONCE, PATIENCE, Connection, Silent

Query = tuple[str, Sequence[object]]
"""A statement with its values."""
Rows = list[tuple[Any, ...]]

_SETTINGS = (
    "SELECT current_setting('fsync'), current_setting('server_encoding'),"
    " set_config('synchronous_commit', 'on', false), set_config('lock_timeout', %s, false),"
    " set_config('default_transaction_isolation', 'read committed', false),"
    " set_config('plan_cache_mode', 'force_generic_plan', false)"
)
"""What a connection has to know and to set; no plan here is better for being made again for each value."""


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

    def connect(self, *queries: Query, patience: float = 0) -> tuple[Connection, list[Rows]]:
        """A connection that writes durably, and the answers to some statements, in one round trip. Raises LedgerMissing
        when there is none to be had, also in the `patience`.
        """
        settings = {
            "connect_timeout": str(max(2, int(patience or min(PATIENCE, longest_wait())))),
            "application_name": "affray",
            **{name: value for name, value in self.details.items() if value is not None},
            "client_encoding": "UTF8",
        }
        try:
            db = Connection.connect(**settings, autocommit=True)  # type: ignore[arg-type]
        except (psycopg.Error, UnicodeError) as error:  # a name of a host that no network can have
            hint = "Check the address, the password, and whether the server runs and has room."
            raise LedgerMissing(f"{self.shown} cannot be opened: {self.in_words(error)}", hint) from None
        try:
            db.prepare_threshold, db.patience = 0, patience
            with db.pipeline():
                asked = db.execute(_SETTINGS, (str(lock_timeout(longest_wait())),))
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

    def in_words(self, error: Exception) -> str:
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
    told = address.in_words(error)
    match error:
        case errors.LockNotAvailable() | errors.SerializationFailure() | errors.DeadlockDetected():
            return LedgerBusy(f"{address.shown} is being written by another command.", "Try again in a moment.")
        case errors.UniqueViolation():
            return LedgerBusy(f"Somebody else recorded into {address.shown} meanwhile.", "Try again in a moment.")
        case Silent():
            return LedgerMissing(
                f"The server of {address.shown} has fallen silent, so the command was given up; it recorded nothing.",
                "Say it again when the server answers.",
            )
        case errors.QueryCanceled():
            return LedgerMissing(f"The server of {address.shown} ended the command: {told}", "Say it again.")
        case errors.DiskFull() | errors.OutOfMemory():
            return LedgerMissing(f"The server of {address.shown} has no room: {told}", "Make room, then say it again.")
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return LedgerMissing(f"{address.shown} does not let you do that: {told}", "Ask who keeps the database.")
        case errors.InvalidSchemaName() | errors.UndefinedTable():
            message = f"{address.database} holds no ledgers of Affray."
            return NoLedger(message, "Open one with init, or name another database.")
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


def lock_timeout(seconds: float) -> int:
    """How long the server waits for others at once, as a setting of it: in milliseconds; 0 would be no limit there."""
    return max(1, int(min(seconds, AT_ONCE) * 1000))
