"""The course of play: which entries stand at an entry, after undo, redo and amend."""

from collections.abc import Iterator

from commands.action.book import events_of
from ledger.events import Declared, Event, lasts
from ledger.store import Range, Store


def latest(store: Store, entry: int) -> tuple[Event, ...]:
    """The events of the last entry of play that stands at an entry; () if none does."""
    last = tip(store, entry)
    return events_of(store.entry(last)) if last else ()


def tip(store: Store, entry: int) -> int:
    """The last entry of play at an entry: undo and redo are no play, the course goes on where they jumped to. Nor is
    what stirs the dice or reveals something.
    """
    while entry:
        events = events_of(store.entry(entry))
        if not (_of_course(events) or lasts(events)):
            break
        entry = store.after(entry)
    return entry


def parted(store: Store, one: int, other: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The entries of play that stand at only one of two entries: those of the first, and those of the second."""
    left = fork(store.course(one), store.course(other))
    return tuple(standing(store, one, above=left)), tuple(standing(store, other, above=left))


def fork(one: Iterator[Range], other: Iterator[Range]) -> int:
    """The last entry that two courses share, given as ranges, the newest first; 0 if none."""
    nothing = (0, 0)
    mine, theirs = next(one, nothing), next(other, nothing)
    while mine != nothing and theirs != nothing:
        if mine[0] > theirs[1]:
            mine = next(one, nothing)
        elif theirs[0] > mine[1]:
            theirs = next(other, nothing)
        else:
            return min(mine[1], theirs[1])
    return 0


def standing(store: Store, entry: int, above: int = 0) -> list[int]:
    """The entries of play that stand at an entry, in order; only those above a given one."""
    found: list[int] = []
    lasting = store.lasting(above)
    for first, last in store.course(entry):
        if last <= above:
            break
        store.check_unbroken(max(first, above) + 1, last)
        lowest = max(first + 1 if changes_of_course(store, first) else first, above + 1)
        found[:0] = [one for one in range(lowest, last + 1) if one not in lasting]
    return found


def changes_of_course(store: Store, entry: int) -> tuple[Event, ...]:
    """What an entry says of the course, if it is an undo or a redo; () if it is play."""
    return _of_course(events_of(store.entry(entry)))


def _of_course(events: tuple[Event, ...]) -> tuple[Event, ...]:
    declared = events[0]
    return events[1:] if isinstance(declared, Declared) and declared.verb in ("undo", "redo") else ()
