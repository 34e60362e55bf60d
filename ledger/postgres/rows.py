"""What is read of a campaign of a database, and what of it is kept in memory."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg

from ledger.chain import GENESIS, Blinds, Entry
from ledger.errors import AffrayError, LedgerDamaged
from ledger.store import BATCH, Checkpoint, Head, Range, Stamp, Store, longest_wait, possible, seal

from . import statements
from .address import Address, Query, Rows, explained, lock_timeout
from .connection import LONG, Connection
from .listing import system_of
from .schema import TABLES

_WINDOW = 320
"""Entries that are read together with one that is asked for: it and those before it, down to a kept checkpoint."""
_JUMPS = 64
"""Jumps that a look reads. Older ones are read when they are asked for."""
_MOST_KEPT = 2048
"""The most entries that are kept in memory."""
_SCATTERED = 3
"""So often only those entries are read that are asked for, and after that whole blocks."""


class Reading(Store):
    """An open campaign that is read. `PostgresStore` also writes it."""

    rescue = "Ask who keeps the database for its last backup."

    def __init__(self, address: Address, connection: Connection, new_key: str = "") -> None:
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
        self._timeout = lock_timeout(longest_wait())
        """How long the connection waits for a lock at once, unless something else is said."""
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

    def _rows(self, query: str, *values: object) -> Rows:
        """The rows of a statement about this campaign, whose name is the first of its values."""
        return self._ask((query, (self.address.campaign, *values)))[0]

    def _carry(self, *queries: Query) -> list[Rows]:
        due, self._due = self._due, []
        with self._db.pipeline():
            cursors = [self._db.execute(query, values) for query, values in (*due, *queries)]
        return [one.fetchall() if one.pgresult and one.pgresult.nfields else [] for one in cursors[len(due) :]]

    def _looking(self) -> tuple[Query, ...]:
        """Asks for the head; the first time also for what no undo takes back, and for the jumps."""
        one, known = self.address.campaign, self._looked
        tip = (statements.TIP, (one, known, one, known, one, one, self._ends))
        return (tip,) if known else (tip, *self._lately())

    def _lately(self) -> tuple[Query, ...]:
        """Asks for what no undo takes back and the jumps since the last look."""
        one = self.address.campaign
        return (statements.STIRS, (one, self._looked)), (statements.JUMPS, (one, self._looked + 1, 2**62, _JUMPS))

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
        if len(jumps) == _JUMPS:
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
        if len(self._kept) > _MOST_KEPT:
            self._kept = dict([*self._kept.items()][-_MOST_KEPT // 2 :])

    # Reading

    def system(self) -> str:
        with suppress(LedgerDamaged, IndexError):
            if said := system_of(self.entry(1).bodies[1]):
                return said
        raise LedgerDamaged(f"{self.path} does not begin with a campaign.", "affray verify")

    @property
    def is_for_players(self) -> bool:
        try:
            return self.entry(1).parts != ""
        except LedgerDamaged:
            return False

    def head(self) -> Head:
        return self._head if self._head is not None else self._seen(self._ask(*self._looking()))

    def stamp(self) -> Stamp | None:
        try:
            rows = self._rows(statements.HEAD)
        except AffrayError:
            return None
        return 0, 0, rows[0][0] if rows else 0, 0

    def _key(self) -> str | None:
        return self._held_key

    def _stirs(self, newest: int = 0) -> list[tuple[int, str]]:
        self._look_again()
        return [(entry, body) for entry, kind, body in self._lasting if kind == "stirred"][-newest:]

    def _look_again(self) -> None:
        """Reads what no undo takes back and the jumps, where nothing is known of them now."""
        if not self._looked or (self._appended and self._looked < self._appended.entry):
            self._seen(self._ask(*self._looking()))

    def lasting(self, above: int) -> set[int]:
        self._look_again()
        return {entry for entry, _, _ in self._lasting if entry > above}

    def entry(self, number: int) -> Entry:
        if number not in self._kept and number > 0:
            first, last = self._around(max(1, number - _WINDOW + 1), number)
            within = (self.address.campaign, next(at for at in range(first, number + 1) if at not in self._kept), last)
            for found, _ in self._keep(*self._ask((statements.ENTRIES, within), (statements.EVENTS, within))):
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
        if self._missed <= _SCATTERED:
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
        rows, events = self._ask((statements.ENTRIES, within), (statements.EVENTS, within))
        lost = {event[0] for event in events if first <= event[0] <= last} - {row[0] for row in rows}
        if strays is not None:
            strays |= lost
        elif lost:
            raise LedgerDamaged(f"{self.path} holds events of e{min(lost)}, which is not there.")
        for row in rows:
            if strays is None and first <= row[0] <= last and not possible(*row[:6]):
                raise LedgerDamaged(f"e{row[0]} says of itself what is so of no entry.", "affray verify")
        yield from (found for found in self._keep(rows, events) if first <= found[0].entry <= last)

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
        one, begun = (self.address.campaign, numbers), [first for first, _, begins in pieces if begins]
        rows, events = self._ask((statements.STANDING, (*one, begun)), (statements.BODIES, one))
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
        query = "SELECT count(*) FROM affray.entries WHERE campaign = %s AND entry BETWEEN %s AND %s"
        [(count,)] = self._rows(f"{query} AND after = entry - 1", first, last)
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
            older = self._rows(statements.JUMPS, 1, self._jumps_from - 1, BATCH)
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
        query = "SELECT entry, origin FROM affray.entries WHERE campaign = %s AND origin <> entry AND entry <= %s"
        return self._rows(f"{query} ORDER BY entry", until)

    def recorded(self, once: str) -> int | None:
        rows = self._rows("SELECT entry FROM affray.entries WHERE campaign = %s AND once = %s AND once <> ''", once)
        return rows[0][0] if rows else None

    def of_kinds(self, *kinds: str) -> list[tuple[int, str]]:
        query = "SELECT entry, body FROM affray.events WHERE campaign = %s AND kind = ANY(%s) ORDER BY entry, nth"
        with self._db.patient(LONG):
            return self._rows(query, [*kinds])

    def checkpoint(self, reducers: str, first: int, last: int) -> Checkpoint | None:
        self._look_again()
        if self._marks is None:
            marks = self._rows("SELECT entry, reducers FROM affray.checkpoints WHERE campaign = %s ORDER BY entry")
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
        for entry, state, sealed, digest in self._rows(query, first, last, reducers):
            if sealed == seal(digest, reducers, state):
                return Checkpoint(entry, reducers, state, sealed)
        return None

    def checkpoints(self) -> list[int]:
        rows = self._rows("SELECT entry FROM affray.checkpoints WHERE campaign = %s ORDER BY entry")
        return [entry for (entry,) in rows]

    def folded(self, reducers: str, entry: int) -> tuple[Checkpoint | None, list[Range]]:
        if entry < 1:
            return None, []
        if self._tip and not self._appended and entry == self._tip[0].entry == self._looked:
            found, digest = self._tip
            if found.reducers == reducers and found.seal == seal(digest, reducers, found.state):
                return found, []
        values = {"campaign": self.address.campaign, "tip": entry, "reducers": reducers}
        [rows] = self._ask((statements.FOLDED, values))  # type: ignore[arg-type]
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
        query = "SELECT DISTINCT table_name::text FROM information_schema.columns WHERE table_schema = 'affray'"
        [rows] = self._ask((query, ()))
        return [], [f"The table {table} is missing." for table in sorted(TABLES - {table for (table,) in rows})]

    def trust_rows(self, only: bool) -> None:
        """Nothing has to be done: PostgreSQL keeps its indexes itself."""

    def has_strays(self) -> bool:
        query = (
            "SELECT 1 FROM affray.events WHERE campaign = %s AND (entry < 1 OR entry >"
            " (SELECT max(entry) FROM affray.entries WHERE campaign = %s)) LIMIT 1"
        )
        with self._db.patient(LONG):
            return bool(self._rows(query, self.address.campaign))

    def disorder(self) -> list[str]:
        """Entries that have another number of events than the numbers of these say."""
        query = (
            "SELECT entry FROM affray.events WHERE campaign = %s GROUP BY entry"
            " HAVING min(nth) <> 1 OR max(nth) <> count(*) ORDER BY entry"
        )
        with self._db.patient(LONG):
            rows = self._rows(query)
        return [f"{self.path} does not hold all events of e{entry}." for (entry,) in rows]

    def _undone(self) -> None:
        """Ends the transaction under way, if there is one, without a trace."""
        self._due = []
        if self._appended:  # what was read since then may be gone
            self._forget()
        with suppress(psycopg.Error):
            if not self._db.closed:
                self._db.rollback()  # which also forgets prepared statements that the server may never have seen
