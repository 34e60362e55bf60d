"""The course of play: which entries stand at an entry, after undo, redo and amend."""

from collections.abc import Container, Iterable, Iterator

from msgspec.structs import replace

from commands.action.book import Done, events_of
from commands.action.systems import COMMON, amends, past
from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import Declared, Event, Reinstated, Retracted, Rolled, decode, lasts
from ledger.store import Range, Store


def latest(store: Store, entry: int) -> tuple[Event, ...]:
    """The events of the last action that stands at an entry; () if none does."""
    last = last_action(store, entry)
    return events_of(store.entry(last)) if last else ()


def last_action(store: Store, entry: int) -> int:
    """The last action at an entry, which an instant may answer: a note, a roll, a dispute or the game master's word
    since then is none.
    """
    entry = tip(store, entry)
    while entry and _aside(events_of(store.entry(entry))):
        entry = tip(store, store.after(entry))
    return entry


def _aside(events: tuple[Event, ...]) -> bool:
    declared = events[0]
    if not isinstance(declared, Declared) or declared.verb not in COMMON:
        return False
    return COMMON[declared.verb].role in ("aside", "sets", "harm")


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
    while mine != nothing:
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


def stands(store: Store, present: int, entry: int) -> bool:
    """Whether an entry of play stands at the tip `present`."""
    return entry in standing(store, present, above=entry - 1)[:1]


def in_its_place(store: Store, head: int, entry: int) -> int:
    """The entry of play that stands at the head for an entry: itself, or the one that resolved the same action again.
    Raises UsageError that says what became of it when none does.
    """
    present = tip(store, head)
    if stands(store, present, entry):
        return entry
    origin = store.entry(entry).origin
    again = [number for number, first in store.resolved_again(head) if first == origin]
    for other in (*reversed(again), origin):
        if stands(store, present, other):
            return other
    raise UsageError(*_gone(store, head, {entry, origin, *again}, entry))


def renumbered(entry: int, place: int) -> str:
    """That another entry stands in the place of an entry, in words."""
    return f"e{entry}, now e{place}"


def _gone(store: Store, head: int, family: set[int], entry: int) -> tuple[str, str]:
    """Why an entry does not stand, in words, and the command that shows who took it away."""
    if changes_of_course(store, entry):
        return f"e{entry} does not stand: it is an undo or a redo, and no play.", f"affray show e{entry}"
    last = 0
    for number, body in store.of_kinds("retracted"):
        event = decode(body)
        if number <= head and isinstance(event, Retracted) and family.intersection(event.entries):
            last = number
    if not last:
        return f"e{entry} does not stand.", "affray log"
    declared = events_of(store.entry(last))[0]
    verb = declared.verb if isinstance(declared, Declared) else ""
    how = f"the amendment e{last} left it out" if amends(declared) else f"the {verb} e{last} took it back"
    return f"e{entry} does not stand: {how}.", f"affray show e{last}"


def with_standing(store: Store, done: Done) -> Done:
    """What was recorded under the id of a command, with whether it still stands: which entry took it back, or resolved
    it again. Of what changes the course, or is never taken back, that is not said.
    """
    if changes_of_course(store, done.entry) or lasts(done.events):
        return done
    head, place, gone = store.head().entry, done.entry, ""
    try:
        place = in_its_place(store, head, done.entry)
    except UsageError as error:
        gone = error.message
    moved = f"It stands as e{place}, resolved again." if place != done.entry else ""
    notes = tuple(filter(None, [*done.notes, gone, moved]))
    return replace(done, notes=notes, more={**done.more, "stands": not gone})


class Repeats:
    """Notices where somebody rolls again: the same verb by the same actor at the same place of the course, when an undo
    had taken the first away. Takes all entries in order.
    """

    def __init__(self) -> None:
        self._places: dict[int, int] = {0: 0}
        """The last entry of play at an entry, where that is another one or has entries after it."""
        self._rolled: dict[tuple[int, str, str], set[tuple[int, ...]]] = {}

    def again(self, entry: Entry, events: tuple[Event, ...]) -> bool:
        """Whether the next entry rolls again."""
        before = self._places.get(entry.after, entry.after)
        self._places[entry.entry] = before if jumps(events) else entry.entry
        action = _rolled(events) if entry.origin == entry.entry else None
        if action is None:
            return False
        earlier = self._rolled.setdefault((before, *action), set())
        found = bool(earlier) and not _said_again(events, earlier)
        earlier.add(_faces(events))
        return found


def _faces(events: Iterable[Event]) -> tuple[int, ...]:
    """All faces of an action, in order."""
    return tuple(face for event in events if isinstance(event, Rolled) for face in event.faces)


def _said_again(events: tuple[Event, ...], earlier: Container[tuple[int, ...]]) -> bool:
    """Whether an action was thrown by hand and shows the same faces as before: they were typed again, not rolled."""
    by_hand = not any(place for event in events if isinstance(event, Rolled) for place in event.places)
    return by_hand and _faces(events) in earlier


def _rolled(events: tuple[Event, ...]) -> tuple[str, str] | None:
    """The verb and the actor of an action for which dice were thrown; None of any other."""
    declared = events[0]
    if not isinstance(declared, Declared) or not any(isinstance(event, Rolled) and event.faces for event in events):
        return None
    return declared.verb, str(declared.said.get("who", ""))


def repeated(store: Store, head: int, events: tuple[Event, ...]) -> int:
    """The undone entry that an action rolls again which is recorded after the head; 0 for none. Reads the head, and
    as many more entries as were tried and undone at this place of the course.
    """
    action = _rolled(events)
    at = head
    while action and at and store.after(at) != at - 1:
        jump = changes_of_course(store, at)
        changes = [event for event in jump if isinstance(event, Retracted) and event.entries]
        if not changes or any(isinstance(event, Reinstated) for event in jump):
            return 0  # what is taken back for something that comes back in its place stood elsewhere
        (first, *_), at = changes[0].entries, 0
        entry = store.entry(first)
        if entry.origin == first and _rolled(before := events_of(entry)) == action:
            return 0 if _said_again(events, {_faces(before)}) else first
        at = entry.after
    return 0


def jumps(events: tuple[Event, ...]) -> bool:
    """Whether an entry is an undo or a redo, given its events."""
    declared = events[0]
    return isinstance(declared, Declared) and past(declared.verb) == "jumps"


def moved(events: Iterable[Event], kind: type[Retracted | Reinstated]) -> list[int]:
    """The entries that some events take back, or bring back."""
    return [one for event in events if isinstance(event, kind) for one in event.entries]


def changes_of_course(store: Store, entry: int) -> tuple[Event, ...]:
    """What an entry says of the course, if it is an undo or a redo; () if it is play."""
    return _of_course(events_of(store.entry(entry)))


def _of_course(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return events[1:] if jumps(events) else ()
