"""Ledgers of an older format, which `copy` carries over into a new ledger.

Format 1 was written before 0.1.0. It has other names for some events and fields, and a closed half where all of an
event is open. What was said, thrown and recorded stays; the digests are computed anew, so the head line changes.
"""

from collections.abc import Iterator

from msgspec import json
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.progress import watched
from ledger import events
from ledger.chain import GENESIS, Entry
from ledger.errors import LedgerDamaged, LedgerMissing
from ledger.sqlite import SqliteStore
from ledger.store import Head, Store
from projections.state import VERSION

_KINDS = {"settled": "waiting-ended", "dispute-closed": "dispute-settled"}
"""Kinds of format 1 that have another name today."""
_FIELDS = {
    "hp-set": {"hp": "left"},
    "points-set": {"points": "left"},
    "ambient-magica-set": {"points": "left"},
    "counted": {"what": "kind"},
    "wounds-sustained": {"type": "kind"},
}
"""Fields of format 1 that have another name today, by the kind of their event."""


def key(store: Store) -> bytes:
    """The key of a ledger of an older format. Raises LedgerMissing for one of the players, whose leaves nobody can
    compute anew.
    """
    if store.is_for_players:
        raise LedgerMissing(
            f"{store.path} holds what the players see, in an older format, and cannot be carried over.",
            "Ask the game master to carry the campaign over, and to export it for the players again.",
        )
    return store.key()


def carry_over(store: SqliteStore, target: Store, last: Head) -> Head:
    """Appends all entries of a ledger of an older format to a new ledger, in one transaction. Gives the new head.

    Raises LedgerDamaged when the chain of the old one is broken, or it holds an event that format 1 does not have.
    """
    with target.writing() as head:
        for entry in watched(_entries(store, last), last.entry, "copy"):
            head = target.append(entry, head)
    state = Book(target).state_at(head.entry)
    with target.writing():
        target.save_checkpoint(head.entry, head.digest, VERSION, state.encoded())
    return head


def _entries(store: SqliteStore, last: Head) -> Iterator[Entry]:
    """All entries as they are written today. Raises LedgerDamaged as `carry_over` does."""
    previous = GENESIS
    for entry, held in store.entries(1, last.entry):
        if store.linked(previous, entry) != held:
            raise _unsound(f"e{entry.entry} of {store.path} is not as it was recorded; nothing was copied.")
        previous = held
        try:
            found = [_renewed(body) for body in entry.bodies]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _unsound(f"e{entry.entry} of {store.path} holds no event of its format ({error}).") from None
        bodies = [*map(events.encode, found)]
        splits = tuple(map(events.split, found, bodies))
        yield replace(entry, bodies=tuple(map(bytes.decode, bodies)), splits=splits)


def _renewed(body: str) -> events.Event:
    """An event of format 1 as it is today. Raises ValueError, KeyError, TypeError, AttributeError or RecursionError
    when it is none.
    """
    kind = json.decode(body)["event"]
    if kind in _KINDS:
        body = body.replace(kind, _KINDS[kind], 1)
    elif kind in _FIELDS:
        names = _FIELDS[kind]
        body = json.encode({names.get(name, name): value for name, value in json.decode(body).items()}).decode()
    return events.decode(body)


def _unsound(message: str) -> LedgerDamaged:
    return LedgerDamaged(message, "Verify it with the Affray that wrote it.")
