"""A campaign of a database as a `Store`."""

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote as quoted

import msgspec
import psycopg
from psycopg import errors

from ledger.chain import Entry
from ledger.errors import AffrayError, AlreadyRecorded, LedgerBusy, LedgerMissing, NoLedger, Uncertain, UsageError
from ledger.store import BATCH, LONGEST, SPARSE, Head, longest_wait, seal

from . import statements
from .address import Address, Query, Rows, explained, lock_timeout, meaning
from .connection import ASKING_AGAIN, AT_ONCE, COMMITTING, Silent
from .rows import Reading
from .schema import checked_format, lay_out


class PostgresStore(Reading):
    """An open campaign in a database. Use `PostgresStore.open` or `PostgresStore.create`."""

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
            (statements.ENTRIES, (*one, 1, 1)),
            (statements.EVENTS, (*one, 1, 1)),
        )
        store = cls(address, db)
        with store._closed_by_errors():
            checked_format(formats, address)
            if not there:
                hint = f"affray ledgers {quoted(address.database)}\nOpen one with init, or name another after the #."
                raise NoLedger(f"There is no campaign {address.campaign} in {address.database}.", hint)
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
        hint = "To go on with it, just leave this command out. For a new campaign, give another name after the #."
        return LedgerMissing(f"{self.path} already exists; nothing was changed.", hint)

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
        """Begins a transaction in which nobody else can write, in one round trip where nobody else writes. Gives the
        answers to `_looking`.
        """
        left = longest_wait() if self._waits is None else self._waits
        while True:
            try:
                return self._begun(lock_timeout(left))
            except LedgerBusy as error:
                if left <= AT_ONCE or not isinstance(error.__cause__, errors.LockNotAvailable):
                    raise
                left -= AT_ONCE
                self._undone()

    def _begun(self, wait: int) -> list[Rows]:
        one = (self.address.campaign,)
        self._due = [("BEGIN", ())]
        if wait != self._timeout:
            self._due.append((f"SET LOCAL lock_timeout = {wait}", ()))
        if not self._new:
            lock = ("SELECT turn FROM affray.turns WHERE campaign = %s FOR UPDATE", one)
            locked, *look = self._ask(lock, *self._looking())
            if not locked:
                raise NoLedger(f"There is no campaign {self.address.campaign} in {self.address.database}.")
            return look
        keep: Query = ("INSERT INTO affray.keys (campaign, key) VALUES (%s, %s)", (*one, self._held_key))
        made = (keep,) if self._held_key else ()
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
            with self._db.patient(COMMITTING):
                self._carry(("COMMIT", ()))
        except psycopg.Error as error:
            if (last := self._appended) and (self._db.closed or _broken(error)):
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
                self._lasting += [(entry.entry, kind, body) for kind, body in kinds if kind in statements.KINDS]
                if entry.after != entry.entry - 1:
                    self._jumps.insert(0, (entry.entry, entry.after))
                self._looked = entry.entry
        self._ends = self._looked

    def _after_loss(self, last: Head, error: psycopg.Error) -> None:
        """The connection broke as an entry was being recorded: asks on another one whether it is there.

        The lock makes this wait until the server has ended the transaction that was under way.
        """
        one, silent = (self.address.campaign,), isinstance(error, Silent)
        self.close()
        patience = ASKING_AGAIN if silent else max(1, longest_wait())
        try:
            self._db, _ = self.address.connect(patience=ASKING_AGAIN if silent else 0)
            with self._db.transaction():
                self._db.execute(f"SET LOCAL lock_timeout = {max(1, int(patience * 1000))}")
                self._db.execute("SELECT turn FROM affray.turns WHERE campaign = %s FOR UPDATE", one)
                query = "SELECT digest FROM affray.entries WHERE campaign = %s AND entry = %s"
                held = self._db.execute(query, (*one, last.entry)).fetchone()
        except (psycopg.Error, AffrayError):
            raise Uncertain(
                f"The {'server of' if silent else 'connection to'} {self.path} {'fell silent' if silent else 'broke'}"
                f" while e{last.entry} was being recorded. It may be recorded or not.",
                "Look with log before you say it again. With --once ID, saying it again is always safe.",
            ) from error
        if held == (last.digest,):
            self.wrote, self._new = True, False
            raise AlreadyRecorded(
                f"The {'server fell silent' if silent else 'connection broke'}, but the command is recorded:"
                f" {self.path} ends with e{last.entry}.",
                "affray log --last 1",
            ) from error

    def append(self, entry: Entry, expected: Head, reducers: str = "", state: str = "") -> Head:
        link = self._linked(entry, expected)
        campaign = self.address.campaign
        if max(map(len, (entry.typed, entry.by, entry.parts, *entry.bodies))) > LONGEST:
            raise UsageError(f"e{entry.entry} holds a text that is too long for a ledger.")
        values = (campaign, *entry.heading, entry.parts, link)
        events = (campaign, entry.entry, msgspec.json.encode(entry.bodies).decode(), ",".join(map(str, entry.splits)))
        if reducers:
            self._marks = None
            before = (campaign, SPARSE, campaign, entry.entry)
            kept = (campaign, entry.entry, reducers, state, seal(link, reducers, state))
            self._due.append((statements.APPEND_AND_KEEP, (*values, *before, *kept, *events)))
        else:
            self._due.append((statements.APPEND, (*values, *events)))
        if len(self._due) > BATCH:
            self._ask()
        self._own[entry.entry] = entry, link
        self._head = self._appended = Head(entry.entry, link, entry.drawn, entry.hidden)
        return self._appended

    def save_checkpoint(self, entry: int, entry_digest: str, reducers: str, state: str) -> None:
        campaign = self.address.campaign
        self._marks = None
        self._due += [
            (statements.BEFORE, (campaign, SPARSE, campaign, entry)),
            ("DELETE FROM affray.checkpoints WHERE campaign = %s AND entry = %s", (campaign, entry)),
            (statements.KEEP, (campaign, entry, reducers, state, seal(entry_digest, reducers, state))),
        ]

    def hurry(self, waited: float) -> None:
        self._waits = max(0, longest_wait() - waited)


def _broken(error: psycopg.Error) -> bool:
    """Whether an error says that the connection is at its end, though the library may not have noticed. A server may
    say so after it has committed: an ended session (57P) is told in place of the answer.
    """
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


def _with_campaign(said: str) -> Address:
    address = Address(said)
    if not address.campaign:
        hint = f"affray ledgers {quoted(address.database)}\nName it after a #: {address.database}#CAMPAIGN"
        raise UsageError(f"{address.database} does not say which campaign is meant.", hint)
    return address
