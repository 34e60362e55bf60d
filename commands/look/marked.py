"""Marks in the ledger: where one is set, and which are set at an entry."""

from msgspec.structs import replace

from commands.action.book import Book
from commands.action.declaration import Declaration, is_entry, number
from commands.action.marks import Mark, parted
from commands.past.course import in_its_place, last_action, renumbered, standing, tip
from ledger.errors import UsageError
from ledger.events import Marked, decode

from .timeline import origins


def check(book: Book, said: Declaration) -> tuple[Declaration, tuple[str, ...]]:
    """The declaration with the entry that stands now, or with the last action where none is named, and a note about
    that. An entry of which nothing stands any more can be marked too. Raises NameUnknown when there is no such entry.
    """
    assert isinstance(said, Mark)
    said, head = parted(said), book.store.head().entry
    if not said.entry:
        last = last_action(book.store, head) or head
        return (said if is_entry(said.text) else replace(said, entry=f"e{last}")), ()
    entry = book.check_entry(number(said.entry))
    try:
        place = in_its_place(book.store, head, entry)
    except UsageError:
        place = entry
    return replace(said, entry=f"e{place}"), (renumbered(entry, place),) if place != entry else ()


def marks_at(book: Book, entry: int) -> list[tuple[int, str]]:
    """The marks that stand at an entry, or at one that resolves the same action: the entry of each, and its words."""
    found = [(by, event) for by, body in book.store.of_kinds("marked") if isinstance(event := decode(body), Marked)]
    if not found:
        return []
    head = book.store.head().entry
    origin, stand = origins(book.store, head), set(standing(book.store, tip(book.store, head), above=found[0][0] - 1))
    same = origin.get(entry, entry)
    return [(by, event.text) for by, event in found if by in stand and origin.get(event.entry, event.entry) == same]
