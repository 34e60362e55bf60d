"""Persons: who bears which name at which moment. The one place where names are resolved.

A person is the entry and the place of their first join, whatever they are called later; who leaves and joins again is
somebody else. An entry that resolves a join again brings the same persons: each `Joined` says which, where that is not
the one in its own place (`Joined.place`).

An event says who by the name of that moment. `Persons` knows whose name that is, and under which name everybody is
told: the one that they bear at the end, and where several bear it, one after another, the last of them; the others with
the entry of their join, as `Ogre (e3)`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ledger.chain import Entry
from ledger.events import NAMING, Declared, Event, Joined, Left, Renamed, Ruled, decode
from ledger.store import Store

from .glimpses import known_events

Known = TypeVar("Known", Event, Event | None)


class Person(NamedTuple):
    """Somebody who joined."""

    entry: int
    """The entry that first resolved their join."""
    place: int
    """The place of their `Joined` in it, 1 for the first."""


class Names(Struct, frozen=True, gc=False):
    """Everybody's names at one moment of a course."""

    of: Mapping[str, Person] = {}
    """Each name at the table, with the person who bears it, in the order of joining."""
    left: tuple[tuple[str, Person], ...] = ()
    """Those who left, under their last names, in the order of leaving."""

    def after(self, event: Event, entry: int, place: int) -> "Names":
        """The names after an event. `entry` is the one that first resolved its action, `place` that of a `Joined`."""
        match event:
            case Joined(who=who, place=said):
                return Names({**self.of, who: Person(entry, said or place)}, self.left)
            case Renamed():
                return Names(event.moves(self.of), self.left)
            case Left(who=who) if who in self.of:
                others = {one: person for one, person in self.of.items() if one != who}
                return Names(others, (*self.left, (who, self.of[who])))
        return self

    def through(self, events: Iterable[Known], origin: int) -> Iterator[tuple[Known, "Names", "Names"]]:
        """Each event of an entry that first resolved as `origin`, with the names before and after it."""
        names, place = self, 0
        for event in events:
            before = names
            if event and type(event) in _NAMING:
                place += isinstance(event, Joined)
                names = before.after(event, origin, place)
            yield event, before, names

    def among(self, others: "Names") -> dict[str, str]:
        """The names of those who are called otherwise among others, each with that name; or told apart, where they are
        not there and somebody else is called so.
        """
        shared = {person: name for name, person in others.of.items()}
        found = dict[str, str]()
        for name, person in self.of.items():
            words = (word for word in _words(name, person) if word not in others.of)
            found[name] = shared.get(person) or next(words)
        return {name: now for name, now in found.items() if now != name}


_KINDS = ("joined", "left", "renamed", "retracted", "reinstated")
"""The tags of the events by which names change: those of the table, and of the jumps of the course."""
_NAMING = {Joined, Left, Renamed}


class Persons:
    """The persons of a ledger up to an entry, on every course."""

    def __init__(self) -> None:
        self._from = [0]
        """The entries after which others bear the names than after the one recorded before, in order."""
        self._names = [Names()]
        self._ever: dict[Person, dict[str, None]] = {}
        """All names of everybody, the last one last."""

    def take(self, entry: int, after: int, origin: int, events: Iterable[Event]) -> None:
        """The next entry, in the order of recording. One that changes no name and does not jump may be left out."""
        before = names = self.at(after)
        for event, earlier, names in before.through(events, origin):
            match event:
                case Joined(who=name) | Renamed(name=name) if name in names.of:
                    self._called(names.of[name], name)
                case Left(who=name) if name in earlier.of:
                    self._called(earlier.of[name], name)
        if names is not self._names[-1]:
            self._from.append(entry)
            self._names.append(names)
        self.__dict__.pop("_told", None)

    def _called(self, person: Person, name: str) -> None:
        names = self._ever.setdefault(person, {})
        names.pop(name, None)
        names[name] = None

    def at(self, entry: int) -> Names:
        """Who bears which name after an entry."""
        return self._names[bisect_right(self._from, entry) - 1]

    def called(self, word: str) -> list[Person]:
        """Those who ever bore a name, in any case, in the order of joining."""
        return sorted(one for one, names in self._ever.items() if word.casefold() in map(str.casefold, names))

    def bearer(self, word: str, entry: int) -> Person | None:
        """The one who bears a name after an entry, in any case; else the one who is told under it or apart, as
        `Ogre (e3)`, or the last to join of those who bore it, if anybody: first of those who were there on the course.
        """
        sought, then = word.casefold(), self.at(entry)
        here = [one for name, one in then.of.items() if name.casefold() == sought]
        there = {*then.of.values(), *(one for _, one in then.left)}
        found = [*(one for one in self._ever if sought in self._apart(one)), *reversed(self.called(word))]
        return next(iter((*here, *sorted(found, key=lambda one: one not in there))), None)

    def _apart(self, person: Person) -> set[str]:
        """The words that mean a person and nobody else, in small letters."""
        words = (word for name in self.names(person) for word in _words(name, person) if word != name)
        return {self._told[person].casefold(), *map(str.casefold, words)}

    def others(self, person: Person, entry: int) -> list[str]:
        """What else a person may be called than by the name that they bear after an entry."""
        name = self.name_at(entry, person)
        ever = [one for one in self.names(person) if one != name]
        return [word for one in ever for word in (one, apart(one, person))]

    def names(self, person: Person) -> tuple[str, ...]:
        """All names of a person, the last one last."""
        return tuple(self._ever.get(person, ()))

    def name_at(self, entry: int, person: Person) -> str:
        """The name of a person after an entry; "" where they are not at the table."""
        return next((name for name, one in self.at(entry).of.items() if one == person), "")

    # As they are told

    def told(self, person: Person) -> str:
        """The name under which a person is told: of nobody else who stands on the last course."""
        return self._told[person]

    def told_at(self, entry: int) -> dict[str, str]:
        """Each name at the table after an entry, with the one under which its bearer is told."""
        return {name: self._told[person] for name, person in self.at(entry).of.items()}

    @cached_property
    def _told(self) -> dict[Person, str]:
        last = self._names[-1]
        told = {person: [*names][-1] for person, names in self._ever.items()}
        taken: dict[str, Person] = {}
        for name, person in reversed((*last.left, *last.of.items())):
            word = next(one for one in _words(name, person) if one not in taken)
            told[person] = word
            taken[word] = person
        return told

    def meant(self, word: str) -> str:
        """The name under which the one is told whom a word means: the `bearer` at last, or the only one of whom a name
        begins so, in any case. The word itself where it means nobody or several: it may be a seat.
        """
        if one := self.bearer(word, self._from[-1]):
            return self._told[one]
        sought = word.casefold()
        known = [(one, name.casefold()) for one, names in self._ever.items() for name in names]
        begin = {self._told[one] for one, name in known if name.startswith(sought)}
        return begin.pop() if len(begin) == 1 else word

    def under_told_names(self, after: int, origin: int, events: Sequence[Known]) -> Sequence[Known]:
        """The events of an entry that stands after another one and was first resolved as `origin`, with everybody
        whom they are about under the name under which they are told; None stands for one that is not known.
        """
        names, found = self.at(after), list[Known]()
        known = self._otherwise(names)
        if not known and not any(type(event) in _NAMING for event in events):
            return events
        for event, before, now in names.through(events, origin):
            earlier, known = known, known if now is before else self._otherwise(now)
            otherwise = known if isinstance(event, Joined) else {**known, **earlier}
            found.append(told_under(otherwise, event) if event else event)
        return found

    def _otherwise(self, names: Names) -> dict[str, str]:
        """Those who are told under another name than that of a moment: each name of then, with the other."""
        return {name: told for name, person in names.of.items() if (told := self._told.get(person, name)) != name}


def _words(name: str, person: Person) -> Iterator[str]:
    """What somebody of a name may be told as, the shortest first."""
    yield from (name, apart(name, person), f"{name} (e{person.entry}, {person.place})")


def apart(name: str, person: Person) -> str:
    """How somebody is told whose name others bear as well."""
    return f"{name} (e{person.entry})"


def told_under(names: Mapping[str, str], event: Event) -> Event:
    """An event about people under other names."""
    if isinstance(event, Declared):
        said = {field: _each(names, event.said[field]) for field in NAMING if field in event.said}
        return replace(event, said={**event.said, **said})
    fields = {field: names[one] for field in ("who", "about", "target") if (one := getattr(event, field, "")) in names}
    if isinstance(event, Renamed):
        fields["name"] = names.get(event.name, event.name)
    elif isinstance(event, Ruled) and (word := event.outcome.partition(" ")[0]) in names:
        fields["outcome"] = names[word] + event.outcome[len(word) :]
    return replace(event, **fields) if fields else event


def _each(names: Mapping[str, str], said: Any) -> Any:
    """What was said in a field, under other names."""
    if isinstance(said, list | tuple):
        return [_each(names, one) for one in said]
    return names.get(said, said) if isinstance(said, str) else said


def persons_of(store: Store, hides: Callable[[Entry], bool] | None = None) -> Persons:
    """The persons of a ledger. `hides` says which entries nobody knows of who reads about them."""
    persons, entries = Persons(), dict[int, list[Event]]()
    if store.is_for_players:
        for entry, _ in store.entries(1, store.head().entry):
            persons.take(entry.entry, entry.after, entry.origin, [event for event, _ in known_events(entry.parts)])
        return persons
    for number, body in store.of_kinds(*_KINDS):
        entries.setdefault(number, []).append(decode(body))
    origins = dict(store.resolved_again(store.head().entry)) if entries else {}
    for number, events in entries.items():
        known = () if hides and hides(store.entry(number)) else events
        persons.take(number, store.after(number), origins.get(number, number), known)
    return persons
