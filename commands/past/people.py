"""People: who is who in a join that is resolved again otherwise, and whom later words mean."""

from collections.abc import Iterable, Sequence
from itertools import count

from msgspec.structs import replace

from commands.action.whose_dice import stood_for
from ledger.events import Declared, Event, Joined
from projections.persons import Names, Person
from projections.state import State


def names_of(state: State) -> Names:
    """Everybody's names in a state, each another person of nobody's join."""
    return Names({who: Person(0, place) for place, who in enumerate(state.roster.order, 1)})


def named_after(names: Names, events: Iterable[Event], origin: int) -> Names:
    """The names after an entry whose action an entry first resolved."""
    for _, _, after in names.through(events, origin):
        names = after
    return names


def called_now(then: Names, now: Names) -> dict[str, str]:
    """Those who bear another name now: each name of then, with that of now. Who is not there any more is called by
    their name and the entry of their join.
    """
    names = {person: name for name, person in now.of.items()}
    each = ((name, names.get(one, f"{name} (e{one.entry})")) for name, one in then.of.items())
    return {name: other for name, other in each if other != name}


def seats_among(state: State, names: Iterable[str]) -> list[str]:
    """Those of some names that only a seat or a group bears now."""
    return [name for name in names if name not in state.roster.members and stood_for(state, name)]


def the_same_persons(before: Sequence[Event], now: Sequence[Event]) -> tuple[Event, ...]:
    """The events of a join that is resolved again, each `Joined` with the place that stands for its person. Of each
    sheet the first stays the first, and so on; a sheet that replaces another one brings the persons of that.
    """
    was, is_ = _by_sheet(before), _by_sheet(now)
    if not was or not is_:
        return tuple(now)
    gone, come = ([name for name in some if name not in others] for some, others in ((was, is_), (is_, was)))
    instead = {**{name: name for name in is_}, **dict(zip(come, gone, strict=False))}
    found: dict[int, int] = {}
    for name, places in is_.items():
        found |= zip((nth for nth, _ in places), (place for _, place in was.get(instead[name], [])), strict=False)
    taken = {*found.values(), *(place for places in was.values() for _, place in places)}
    everybody, nth = list[Event](), 0
    for event in now:
        if isinstance(event, Joined):
            nth += 1
            place = found.get(nth) or next(one for one in count(nth) if one not in taken)
            taken.add(place)
            event = replace(event, place=place if place != nth else 0)
        everybody.append(event)
    return tuple(everybody)


def _by_sheet(events: Sequence[Event]) -> dict[str, list[tuple[int, int]]]:
    """Those who join, by the name of their sheet: each as which of the `Joined`, and with the place of the person."""
    declared, found = events[0] if events else None, dict[str, list[tuple[int, int]]]()
    if isinstance(declared, Declared) and (sheets := declared.said.get("sheets")):
        many = declared.said.get("count", 1)
        for nth, event in enumerate((event for event in events if isinstance(event, Joined)), 1):
            name = str(sheets[min((nth - 1) // many, len(sheets) - 1)].get("name"))
            found.setdefault(name, []).append((nth, event.place or nth))
    return found
