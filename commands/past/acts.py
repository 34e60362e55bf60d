"""Acts: the actions of a course, as they were said, and said again under other names."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import events_of
from commands.action.declaration import PEOPLE, shapes
from commands.action.resolution import Resolution
from ledger.chain import Entry
from ledger.errors import LedgerDamaged
from ledger.events import Awaited, Declared, EncounterBegan, Event, Retracted, Rolled, WaitingEnded
from ledger.store import Store

from .course import standing


class Act(Struct, frozen=True):
    """An action of a course that is resolved again or inserted."""

    declared: Declared
    entry: int = 0
    """The entry that stands; 0 when the action is inserted."""
    origin: int = 0
    """The entry that first resolved this action; 0 when it is inserted."""
    before: tuple[Event, ...] = ()
    """The events of that entry."""
    program: str = ""
    """The program that resolved it."""
    kept: tuple[str, ...] | None = None
    """The names in its facts, if it keeps them because today's rules differ; None when it is resolved again."""
    dice: tuple[int | None, ...] = ()
    """Faces of dice that it did not need before, None for a die of the program."""
    another: bool = False
    """Whether it is another command than was recorded: then these are the faces of its own dice, None for one that was
    thrown."""
    said_now: bool = False
    """Whether it is said otherwise by the correction itself."""
    puts_in: int | None = None
    """The entry before which it is put in because the table went on there, as somebody passes: 0 before what was
    inserted; None when it was said."""
    why: str = ""
    """Why it is put in, or does more than was said: for whom the fight waited."""
    called: Mapping[str, str] = {}
    """Those who bear another name now than when the entry was recorded: each name of then, with that of now."""

    @property
    def said_for(self) -> int:
        """Its entry, or the one before which it is put in; 0 for what is inserted."""
        return self.entry or self.puts_in or 0


def acts(store: Store, present: int, first: int) -> list[Act]:
    """The actions that stand at the tip `present`, from the entry `first` on, in order."""
    return acts_of(entries_of(store, standing(store, present, above=first - 1)))


def acts_of(entries: Iterable[Entry]) -> list[Act]:
    """The actions of some entries, in order."""
    return [act for entry in entries if (act := act_of(entry))]


def act_of(entry: Entry) -> Act | None:
    """The action of an entry; None for what only changes the course, stirs the dice or reveals something.

    Raises LedgerDamaged when nothing was said.
    """
    events = events_of(entry)
    declared = events[0]
    if not isinstance(declared, Declared):
        raise LedgerDamaged(f"e{entry.entry} does not begin with a declaration.")
    if systems.past(declared.verb):
        return None
    return Act(declared, entry.entry, entry.origin, _plain(events), entry.program)


def declarers(store: Store, settled: Iterable[Event], how: str, entry: int, since: Iterable[Act] = ()) -> Iterator[Act]:
    """The actions in which somebody declared what ended `how` by some events, as by being done or lost, the last first:
    of those `since` an entry, which do not stand, and of those up to it.
    """
    ended = {(event.kind, event.who) for event in settled if isinstance(event, WaitingEnded) and event.how == how}
    for found in chain(since, _up_to(store, entry)) if ended else ():
        begun = {(event.kind, event.who) for event in found.before if isinstance(event, Awaited)}
        if found.declared.said.get("who") in [who for _, who in ended & begun]:
            yield found
        ended -= begun
        if not ended or EncounterBegan in map(type, found.before):
            return  # nothing waits longer than an encounter


def _up_to(store: Store, entry: int) -> Iterator[Act]:
    """The actions up to an entry, the last first."""
    while entry:
        if found := act_of(store.entry(entry)):
            yield found
        entry = store.after(entry)


def sets_up(act: Act, system: str, some: Set[str]) -> bool:
    """Whether an act says how somebody of them is."""
    card, said = systems.find_verb(system, act.declared.verb), act.declared.said.get("who", ())
    return card.role == "sets" and not some.isdisjoint([said] if isinstance(said, str) else said)


def said_by(found: Resolution) -> Declared:
    """What an action says."""
    return Declared(found.verb, to_builtins(found.declaration), found.allow)


def in_order(act: Act) -> Act:
    """An act that may stand in the order again, which an earlier correction had changed."""
    return replace(act, declared=replace(act.declared, out_of_order=False))


def changed_sheets(act: Act) -> list[str]:
    """What a correction changed on the stat blocks of those who join, each beside that of its name; one that replaces
    another beside that.
    """
    before = act.before[0].said.get("sheets", ()) if act.before and isinstance(act.before[0], Declared) else ()
    was, now = ({one.get("name"): one for one in sheets} for sheets in (before, act.declared.said.get("sheets", ())))
    gone, come = [was[name] for name in was if name not in now], [now[name] for name in now if name not in was]
    lines = []
    for old, new in [*((was[name], now[name]) for name in now if name in was), *zip(gone, come, strict=False)]:
        fields = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        plain = [name for name in fields if not isinstance(old.get(name, new.get(name)), list | dict)]
        words = [f"{name} {old.get(name, '-')} -> {new.get(name, '-')}" for name in plain]
        if words := [*words, *(name for name in fields if name not in plain)]:
            lines.append(f"the sheet of {new.get('name', '')}: {', '.join(words)}")
    return lines


def entries_of(store: Store, numbers: Sequence[int]) -> Iterator[Entry]:
    """Entries by number; neighbours are read together."""
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            yield from (entry for entry, _ in store.entries(numbers[start], numbers[at - 1]))
            start = at


def _plain(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events without those of an instant that change the course."""
    return tuple(event for event in events if not isinstance(event, Retracted))


def without(some: Set[str], said: Mapping[str, Any]) -> dict[str, list[str]]:
    """The lists in what a declaration says that name some of these and others, each without them."""
    lists = {field: value for field, value in said.items() if isinstance(value, list | tuple)}
    rest = {
        field: [one for one in value if not (isinstance(one, str) and one in some)] for field, value in lists.items()
    }
    return {field: value for field, value in rest.items() if value and value != [*said[field]]}


_NAMING = {*PEOPLE, "group", "groups", "places", "scores", "value", "words", ""}
"""The words of the types that may name somebody, alone or among other words."""


def under(names: Mapping[str, str], words: str) -> str:
    """Words in which everybody has another name, all at once."""
    sought = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<![\w'-])({sought})(?![\w'-])", lambda found: names[found[1]], words) if names else words


def renamed(act: Act, names: Mapping[str, str], system: str, seats: Container[str] = ()) -> Act:
    """The action, said under other names, with the dice of those who bear them. Free words stay, and so does a seat
    that is called as somebody was.
    """
    if act.kept is not None:
        return act
    others = {name: now for name, now in names.items() if name not in seats}

    def new(value: Any, names: Mapping[str, str]) -> Any:
        match value:
            case str():
                return under(names, value)
            case list() | tuple():
                return [new(one, names) for one in value]
            case dict():
                return {new(key, names): new(one, names) for key, one in value.items()}
        return value

    def said_so(declared: Declared) -> Declared:
        _, declaration = systems.procedure(systems.find_verb(system, declared.verb))
        naming = {field.name for field, shape in shapes(declaration) if shape.word in _NAMING}
        said = {at: new(one, others if at == "seats" else names) for at, one in declared.said.items() if at in naming}
        return replace(declared, said={**declared.said, **said})

    def told_so(event: Event) -> Event:
        if isinstance(event, Rolled):
            whose = others if event.purpose == "initiative" else names
            return replace(event, who=new(event.who, whose), about=new(event.about, names))
        return said_so(event) if isinstance(event, Declared) else event

    return replace(act, declared=said_so(act.declared), before=tuple(map(told_so, act.before)), called=names)
