"""Passages: who acts upon whom, event by event, and what goes without saying. Every reader asks here, and none works
out causes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import astuple

from ledger.events import Disengaged, EncounterEnded, Event, Passage, Rolled, Ruled, tag
from ledger.events.harm import ConditionEnded, ConditionGained, Felled

from .declarations import stem

AS_DECLARED = Passage()
"""What belongs to the declaration."""
Known = TypeVar("Known", bound=Event | None)


def passages(events: Iterable[Known]) -> Iterator[tuple[Passage, Known]]:
    """The events of an entry, each with the passage that it belongs to; those that only say so are left out."""
    now = AS_DECLARED
    for event in events:
        if isinstance(event, Passage):
            now = event
        else:
            yield now, event


def doer(passage: Passage, victim: str) -> str:
    """Who does to somebody what befalls them in a passage; "" for nobody: they are not the one who is acted upon."""
    return passage.who if victim == passage.target else ""


def unsaid(events: Sequence[Event]) -> Iterator[Event]:
    """What goes without saying."""
    for spared in (_shown, _passed, _parted, _undone, _mirrored):
        yield from spared(events)


def _shown(events: Sequence[Event]) -> Sequence[Event]:
    """Rolls that a ruling's arithmetic shows, or that were not thrown."""
    steps = (step for event in events if isinstance(event, Ruled) for number in event.numbers for step in number.steps)
    shown = {step.roll for step in steps}
    rolls = [event for event in events if isinstance(event, Rolled)]
    return [event for nth, event in enumerate(rolls, 1) if not event.faces or nth in shown]


def _passed(events: Sequence[Event]) -> Sequence[Event]:
    """What begins until somebody moves, and ends or begins anew in the entry."""
    changed = [event for event in events if isinstance(event, ConditionGained | ConditionEnded)]
    last = {(event.who, event.condition): event for event in changed}
    passing = {event.condition for event in changed if isinstance(event, ConditionGained) and event.until == "move"}
    return [one for one in changed if one.condition in passing and one is not last[one.who, one.condition]]


def _parted(events: Sequence[Event]) -> Sequence[Event]:
    """Who is engaged no more, because one of them went down or the encounter ends."""
    over = any(isinstance(event, EncounterEnded) for event in events)
    down = {event.who for event in events if isinstance(event, Felled)}
    return [one for one in events if isinstance(one, Disengaged) and (over or down & {one.who, one.whom})]


def _mirrored(events: Sequence[Event]) -> Iterator[Event]:
    """What is the other side of the same: who holds is holding, where it is told who is held; and that it ends, where a
    rule says so.
    """
    changed = [event for event in events if isinstance(event, ConditionGained | ConditionEnded)]
    ends = {event.outcome: event for event in events if isinstance(event, Ruled)}
    twice = [ends[words] for one in (*ends, "let go") if (words := f"the grapple ends: {one}") in ends]
    freed = any(words.startswith("the grapple ends: ") and not words.endswith("let go") for words in ends)
    for one in changed:
        others = (stem(two.condition) for two in changed if two.condition != one.condition and type(two) is type(one))
        mirrors = one.condition.endswith("ing") and stem(one.condition) in others
        if mirrors or (freed and isinstance(one, ConditionEnded) and stem(one.condition) == stem("grapple")):
            yield one
    yield from twice


def _undone(events: Sequence[Event]) -> Iterator[Event]:
    """Events that undo each other, such as an engagement that begins and ends in the entry."""
    begun: dict[tuple[str, frozenset[Any]], Event] = {}
    for event in events:
        if event.UNDOES:
            about = frozenset(astuple(event))
            if before := begun.pop((event.UNDOES, about), None):
                yield from (before, event)
            else:
                begun[tag(type(event)), about] = event
