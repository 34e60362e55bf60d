"""The contract of a store: the entries of one campaign, to which commands can only append.

`sqlite.py` and `postgres` fulfil it. `tests/test_store_contract.py` says of each call what both have to do.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Protocol

from msgspec import MsgspecError, Struct
from msgspec.structs import replace

from . import FORMAT
from .chain import Blinds, Entry, covered, digest
from .dice import Epoch
from .errors import LedgerBusy, LedgerDamaged, LedgerMissing, UsageError
from .hashing import hexdigest

_WAIT = 10.0
"""Seconds that a command waits in all for other processes that write. `$AFFRAY_WAIT` replaces it."""
_MOST_WAIT = 86_400
SPARSE = 256
"""Checkpoints of entries divisible by this are kept; the others only while their entry is the head."""
BATCH = 500
"""Entries that are read at a time."""
LONGEST = 1 << 25
"""The most bytes of a text that is read or written: a stat block has a million at most."""

Range = tuple[int, int]
"""First and last entry of an unbroken piece of a course, both included."""


Stamp = tuple[int, int, int, int]
"""Differs when somebody has recorded something; the first two numbers differ when another ledger has the place."""


class Head(Struct, frozen=True, gc=False):
    """The last entry of a ledger."""

    entry: int
    digest: str
    drawn: int
    """Open dice drawn from the stream so far."""
    hidden: int
    """Hidden dice drawn so far."""


class Checkpoint(Struct, frozen=True, gc=False):
    """A folded state, as its bytes."""

    entry: int
    reducers: str
    """Version of the reducers that folded it."""
    state: str
    seal: str
    """SHA-256 of the digest of its entry, the reducers and the state."""


def seal(entry_digest: str, reducers: str, state: str) -> str:
    """What makes a checkpoint sound: it belongs to this entry, these reducers and these bytes."""
    return hexdigest(f"{entry_digest}\n{reducers}\n{state}".encode())


def check_format(of: str, held: int) -> None:
    """Raises LedgerMissing when a ledger, an export or a database has another format than this program reads."""
    if held != FORMAT:
        newer = "Upgrade: pip install --upgrade affray" if held > FORMAT else ""
        raise LedgerMissing(f"{of} has format {held}; this program reads format {FORMAT} alone.", newer)


def longest_wait() -> float:
    """Seconds that a command waits for others that write."""
    said = os.environ.get("AFFRAY_WAIT") or str(_WAIT)
    try:
        seconds = float(said)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= _MOST_WAIT:
        raise UsageError(f"$AFFRAY_WAIT is {said[:40]!r}; it should be a number of seconds, 0 to {_MOST_WAIT:,}.")
    return seconds


def possible(entry: int, after: int, command: int, origin: int, drawn: int, hidden: int) -> bool:
    """Whether these numbers can be those of an entry."""
    return type(after) is type(command) is type(origin) is type(drawn) is type(hidden) is int and (
        0 <= after < entry and 0 < command <= entry and 0 < origin <= entry and 0 <= drawn < 2**53 > hidden >= 0
    )


class Store(Protocol):
    """The open ledger of one campaign.

    What was appended never changes. Every call raises LedgerBusy when others do not let go in time, LedgerMissing when
    the ledger cannot be reached or written, and LedgerDamaged when it does not hold what a ledger holds.
    """

    path: str
    """Where the ledger is, as messages name it: a file, or the address of a campaign without its password."""
    wrote: bool
    """Whether a transaction was recorded here, for good."""
    rescue: str
    """What to do when it is damaged, in a sentence."""
    _blinds: Blinds | None

    def close(self) -> None:
        """Ends all use of the ledger."""

    @property
    def name(self) -> str:
        """What it is called in short: the name of the file, or of the campaign in its database."""

    # Reading

    def system(self) -> str:
        """The rule system of the campaign. Raises LedgerDamaged when the ledger does not say it."""

    @property
    def is_for_players(self) -> bool:
        """Whether this is a ledger for players: it holds parts, and no state can be folded from them."""

    def head(self) -> Head:
        """The last entry; entry 0 in an empty ledger. Read anew, except in `writing`, where nobody else can append."""

    def stamp(self) -> Stamp | None:
        """What the ledger looks like from outside, quickly and without waiting for anybody; None where it is gone."""

    def key(self) -> bytes:
        """The campaign's key: the dice and the blinds come from it. Raises LedgerDamaged when it is not there."""
        said = self._key()
        if said is None:
            raise LedgerDamaged(f"{self.path} has lost its key.")
        try:
            key = bytes.fromhex(said)
        except (TypeError, ValueError):
            key = b""
        if len(key) != 32:
            raise LedgerDamaged(f"{self.path} has something else where its key should be.")
        return key

    def _key(self) -> str | None:
        """The key as it is held; None when there is none."""

    def epoch(self) -> Epoch:
        """The newest epoch of the dice. Raises LedgerDamaged when what should be a stir is none."""
        return [Epoch(), *self._epochs(2)][-1]

    def epochs(self) -> list[Epoch]:
        """All epochs of the dice, in order. Raises LedgerDamaged when what should be a stir is none."""
        return [Epoch(), *self._epochs()]

    def _epochs(self, newest: int = 0) -> Iterator[Epoch]:
        """The epochs that stirs began, or so many of the newest."""
        committed = 0
        for entry, body in self._stirs(newest):
            from .events import Stirred, decode

            with suppress(ValueError, TypeError, MsgspecError):
                if isinstance(stir := decode(body), Stirred):
                    held = self.entries(committed, committed) if committed else iter(())
                    before = next((digest for _, digest in held), "" if stir.epoch == 1 else None)
                    yield replace(stir.begins, before=before)
                    committed = entry - 1
                    continue
            message = f"{self.path} holds something else where a stir of the dice should be."
            raise LedgerDamaged(message, "affray verify")

    def _stirs(self, newest: int = 0) -> list[tuple[int, str]]:
        """The events that stir the dice, or so many of the newest, in order: the entry of each, and its body."""

    def lasting(self, above: int) -> set[int]:
        """The entries above one that no undo takes back: they stir the dice or reveal something."""

    def linked(self, previous: str, entry: Entry) -> str:
        """The digest that an entry should have after the one before it.

        Raises LedgerDamaged when the key of the campaign is not there, or a ledger for players holds no parts.
        """
        if entry.parts:
            from .parts import decode

            with suppress(ValueError, MsgspecError):
                parts = decode(entry.parts)
                return digest(previous, entry, parts.sealed, parts.leaves())
            raise LedgerDamaged(f"{self.path} holds something else where the parts of e{entry.entry} should be.")
        if self._blinds is None:
            self._blinds = Blinds(self.key())
        return digest(previous, entry, *covered(previous, entry, self._blinds))

    def entry(self, number: int) -> Entry:
        """One entry with its events. Raises LedgerDamaged when there is none."""
        for found, _ in self.entries(number, number):
            return found
        raise LedgerDamaged(f"{self.path} has no entry {number}.")

    def entries(self, first: int, last: int, strays: set[int] | None = None) -> Iterator[tuple[Entry, str]]:
        """Entries `first` to `last` in the order of recording, each with the digest that the ledger holds for it.

        Read in batches, so that nobody who writes has to wait for a reader. The numbers of entries that have events and
        are not there are put into `strays`. Raises LedgerDamaged when there are such, and no `strays` are given.
        """

    def bodies(self, ranges: Sequence[Range]) -> Iterator[str]:
        """The bodies of all events of some pieces of a course, in the order given. Read in batches."""

    def check_unbroken(self, first: int, last: int) -> None:
        """Raises LedgerDamaged when not each of some entries stands after the one before it, as the rows have it."""

    def course(self, tip: int) -> Iterator[Range]:
        """The entries that stand at `tip`, as ranges, the newest first."""

    def after(self, number: int) -> int:
        """The entry that an entry stands after; 0 for the first."""

    def resolved_again(self, until: int) -> list[tuple[int, int]]:
        """The entries up to one that resolve an earlier action again, each with its origin, in order."""

    def recorded(self, once: str) -> int | None:
        """The number of the entry with this command id, if there is one."""

    def of_kinds(self, *kinds: str) -> list[tuple[int, str]]:
        """The bodies of all events of some kinds, given by their tags, in order, each with its entry."""

    def checkpoint(self, reducers: str, first: int, last: int) -> Checkpoint | None:
        """The newest sound checkpoint of these reducers at an entry from `first` to `last`."""

    def checkpoints(self) -> list[int]:
        """The entries that have a checkpoint, sound or not."""

    def folded(self, reducers: str, entry: int) -> tuple[Checkpoint | None, list[Range]]:
        """The nearest sound checkpoint of the course of an entry, and the pieces of that course after it, the oldest
        first.
        """
        ranges: list[Range] = []
        found = None
        for first, last in self.course(entry):
            found = self.checkpoint(reducers, first, last)
            if found:
                if found.entry < last:
                    self.check_unbroken(found.entry + 1, last)
                    ranges.append((found.entry + 1, last))
                break
            ranges.append((first, last))
        return found, ranges[::-1]

    def still(self) -> AbstractContextManager[Head]:
        """Gives the head. Meanwhile all that is read is as it was at that moment."""

    # Looking for damage

    def unsound(self) -> tuple[list[str], list[str]]:
        """What the engine finds wrong with its storage, and how that differs from the format; a sentence each.

        Raises LedgerDamaged when nothing can be read at all.
        """

    def trust_rows(self, only: bool) -> None:
        """Reads all jumps from the rows: from now on no course comes from their index. `only`: nor does anything else
        come from an index.
        """

    def has_strays(self) -> bool:
        """Whether there are events of entries before the first or after the last."""

    def disorder(self) -> list[str]:
        """What is wrong with the order of entries and events, as their rows have it, in a sentence each."""

    # Writing

    def writing(self) -> AbstractContextManager[Head]:
        """A transaction that nobody else can write in: commits at its end, leaves no trace when an error passes.

        Gives the head as it is now. Raises LedgerBusy when another process does not let go in time, and AlreadyRecorded
        when the engine reports an error although all is there.
        """

    def append(self, entry: Entry, expected: Head, reducers: str = "", state: str = "") -> Head:
        """Appends an entry inside `writing`, with the state it leads to, and gives the new head.

        Raises LedgerBusy when the head is no longer the one expected.
        """

    def _linked(self, entry: Entry, expected: Head) -> str:
        """The digest of an entry that comes next. Raises LedgerBusy when the head is no longer the one expected."""
        head = self.head()
        if head != expected or entry.entry != head.entry + 1:
            message = f"Somebody else recorded entry {head.entry} in the meantime."
            raise LedgerBusy(message, "Look at it, then say it again.")
        return self.linked(head.digest, entry)

    def save_checkpoint(self, entry: int, entry_digest: str, reducers: str, state: str) -> None:
        """Puts a checkpoint, in place of the one that is there, and of the one before unless that is to stay."""

    def series(self, on: bool) -> None:
        """Whether many commands follow one another from here on: each is recorded as safely, and sooner."""

    def hurry(self, waited: float) -> None:
        """Some of the seconds that the command under way may wait have gone by; the next one has all of them again."""
