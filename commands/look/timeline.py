"""Courses: walks along the entries that stand, forwards or backwards, without holding all of them in memory."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from commands.action.book import Book, events_of
from commands.action.values import on_board
from commands.words.progress import watched
from ledger.chain import Entry
from ledger.events import Agreed, Event
from ledger.store import Range, Store
from projections.changes import same, values
from projections.persons import Person, persons_of
from projections.state import VERSION, State, decode, fold


class Transition(Struct, frozen=True):
    """An entry of a course, with the state before and after it."""

    entry: Entry
    events: tuple[Event, ...]
    before: State
    after: State


class Change(Struct, frozen=True):
    """How an entry changed a value of the board, or that the value agrees with somebody's sheet there."""

    transition: Transition
    name: str
    then: str
    """Its name in that entry, which is another one where its bearer was called otherwise."""
    old: str
    """The value before; a dash where it was not on the board."""
    new: str

    @property
    def agreement(self) -> bool:
        """Whether the entry records that board and sheet agree."""
        return any(isinstance(event, Agreed) and event.name == self.then for event in self.transition.events)


class Followed:
    """Values of the board along a course, each of the same person whatever they are called there: of the one who bears
    the name at its tip, or else bore it last.
    """

    def __init__(self, book: Book, tip: int) -> None:
        self._persons, self._tip = persons_of(book.store), tip
        self._bearers: dict[str, Person | None] = {}

    def held(self, state: State, entry: int, names: Iterable[str]) -> dict[str, str]:
        """Some values of the board in the state after an entry, each as `on_board` tells it."""
        then = {name: self.then(name, entry) for name in names}
        board = held(state, then.values())
        return {name: board[one] for name, one in then.items()}

    def within(self, name: str, entry: Entry) -> str:
        """The name of a value in an entry: that on the board after it, or before it of somebody who left by it."""
        then = self.then(name, entry.entry)
        return self.then(name, entry.after) if then.startswith(".") else then

    def then(self, name: str, entry: int) -> str:
        """The name of a value on the board after an entry; one that nothing has where its bearer was not there yet."""
        who, sign, word = name.partition(".")
        if sign and who not in self._bearers:
            self._bearers[who] = self._persons.bearer(who, self._tip)
        if sign and (bearer := self._bearers[who]):
            return f"{self._persons.name_at(entry, bearer) or who * (entry == self._tip)}.{word}"
        return name


def forwards(book: Book, tip: int, what: str) -> Iterator[Transition]:
    """The entries that stand at `tip`, in order. `what` names the work in the line of progress."""
    state = State()
    pieces = sorted(book.store.course(tip))
    entries = (entry for first, last in pieces for entry, _ in book.store.entries(first, last))
    for entry in watched(entries, sum(last - first + 1 for first, last in pieces), what):
        events = events_of(entry)
        after = fold(state, events)
        yield Transition(entry, events, state, after)
        state = after


def changes(book: Book, tip: int, names: set[str], what: str) -> Iterator[Change]:
    """How the entries that stand at `tip` changed some values of the board, the newest first. Goes back from checkpoint
    to checkpoint. The caller may remove a name from `names`; a few more changes of it may still come.
    """
    followed = Followed(book, tip)
    found: list[Change] = []
    state, wanted = State(), frozenset[str]()
    old: dict[str, str] = {}
    for item in watched(_backwards(book, tip), tip, what):
        if isinstance(item, tuple):
            yield from reversed(found)
            if not names:
                return
            found, wanted = [], frozenset(names)
            at, state = item
            old = followed.held(state, at, wanted)
            continue
        events = events_of(item)
        after = fold(state, events)
        agreed = {event.name for event in events if isinstance(event, Agreed)}
        if agreed or not same(state, after):
            new = followed.held(after, item.entry, wanted)
            transition = Transition(item, events, state, after)
            found += [
                Change(transition, name, then, old[name], new[name])
                for name, then in sorted((name, followed.within(name, item)) for name in wanted)
                if old[name] != new[name] or then in agreed
            ]
            old = new
        state = after
    yield from reversed(found)


def names_ever(book: Book, tip: int, what: str) -> dict[str, None]:
    """The names of all values that were on the board at some time, along the course to `tip`: under the name of then,
    and under every other word for those who are not called so at `tip`, such as `Ogre (e3).hp`.
    """
    names: dict[str, None] = {}
    persons = persons_of(book.store)
    for transition in forwards(book, tip, what):
        if not same(transition.before, transition.after):
            then = persons.at(transition.entry.entry).of
            for who in {getattr(event, "who", "") for event in transition.events}:
                board = dict.fromkeys(values(transition.after, who))
                names |= board
                if person := then.get(who):
                    others = persons.others(person, tip)
                    names |= dict.fromkeys(under({who: word}, name) for word in others for name in board)
    return names


def under(names: Mapping[str, str], name: str) -> str:
    """The name of a value, with its bearer under another name."""
    who, sign, word = name.partition(".")
    return f"{names.get(who, who)}{sign}{word}"


def held(state: State, names: Iterable[str]) -> dict[str, str]:
    """Some values of the board, each as `on_board` tells it."""
    heads = {name.partition(".")[0] for name in names}
    board = values(state, *heads) if len(heads) == 1 else values(state)
    return {name: on_board(state, board, name) for name in names}


def _backwards(book: Book, tip: int) -> Iterator[tuple[int, State] | Entry]:
    """The course in parts, the newest part first: an entry with the state after it, and those that follow, in order."""
    pieces: list[Range] = []
    for first, last in book.store.course(tip):
        end = last
        while found := book.store.checkpoint(VERSION, first, end - 1):
            pieces.append((found.entry + 1, end))
            yield found.entry, decode(found.state)
            yield from _entries(book, pieces)
            pieces, end = [], found.entry
        pieces.append((first, end))
    yield 0, State()
    yield from _entries(book, pieces)


def _entries(book: Book, pieces: list[Range]) -> Iterator[Entry]:
    return (entry for first, last in reversed(pieces) for entry, _ in book.store.entries(first, last))


def seconds_of(moment: str) -> int:
    """A time as entries hold it, in seconds since a fixed moment; 0 for a time that cannot be read."""
    try:
        return int(datetime.fromisoformat(moment).timestamp())
    except ValueError:
        return 0


def origins(store: Store, head: int) -> dict[int, int]:
    """For each entry that resolves an action again the entry that resolved it first."""
    origins: dict[int, int] = {}
    for entry, origin in store.resolved_again(head):
        origins[entry] = origins.get(origin, origin)
    return origins
