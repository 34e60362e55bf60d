"""What happened in short: without arithmetic, behind what the dice came to."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ledger.events import Event, Retracted, Ruled
from ledger.events.encounter import Awaited, EncounterEnded, Engaged, SkirmishJoined, TurnBegan, TurnEnded

from .narration import ASIDE, Told, told

if TYPE_CHECKING:
    from .declarations import Verbs


def fights(found: list[Told], events: Sequence[Event], verbs: "Verbs") -> list[Told]:
    """The outcome lines of an entry, as `found` tells them. Where it decides several fights at once, each begins with
    what the dice came to, as in `19 > 12  Grub against Jane: wins`, and has no arithmetic.
    """
    fought = told(events, verbs, _dice)
    several = sum(one != other for one, other in zip(found, fought, strict=True)) > 1
    return [replace(one, arithmetic=()) if one.outcome else one for one in fought] if several else found


def _dice(events: Sequence[Event]) -> str:
    """What the dice of a fight came to, by its first comparison: `19 > 12  `; "" where nothing was compared."""
    return next((f"{one}  " for one in _compared(events)), "")


def _every_die(events: Sequence[Event]) -> str:
    """The same by all its comparisons: `6 >= 1, 9 >= 4  `."""
    found = ", ".join(_compared(events))
    return f"{found}  " if found else ""


def _compared(events: Sequence[Event]) -> Iterator[str]:
    """The two sums of each comparison, as in `19 > 12`, without steps on the way to another one; `natural 20` where the
    face of a die hits or misses by itself. Nothing of what only had to be allowed, as a walk.
    """
    for event in events:
        if not isinstance(event, Ruled) or event.aside:
            continue
        thrown = any(step.roll for number in event.numbers for step in number.steps)
        if event.sign and (thrown or event.outcome not in ("yes", "no")):
            yield event.compared()
        elif event.outcome in ("hit", "miss") and event.natural:
            yield f"natural {event.natural}"


def in_short(events: Sequence[Event], verbs: "Verbs", massed: bool = False) -> list[Told]:
    """The outcome lines of an entry without their arithmetic, each behind what the dice came to, as in
    `6 >= 1, 9 >= 4  Freya attacks Grub: hit; pierced`; of a `massed` one only by the first comparison. What keeps the
    books is one line, the last.
    """
    lines = told(_needed(events), verbs, _dice if massed else _every_die, short=True)
    found = [replace(one, arithmetic=()) for one in lines if one.outcome]
    aside = " \u00b7 ".join(one.outcome for one in found if one.tone == ASIDE)
    return [*(one for one in found if one.tone != ASIDE), *([Told(aside, tone=ASIDE)] if aside else [])]


def _needed(events: Sequence[Event]) -> Sequence[Event]:
    """The events without those that others, or the sign of the prompt, say too."""
    if _of(SkirmishJoined, events):  # which say who is engaged with whom
        events = _without(Engaged, events)
    rest = _without(TurnBegan | TurnEnded, events)
    if any(event.sentence()[2] for event in rest[1:]):  # whose turn it is, the sign of the prompt says
        events = rest
    if _of(Retracted, events) and _of(Ruled, events):  # it is told again below
        events = _without(Retracted | Awaited, events)
    if ended := _of(EncounterEnded, events[1:]):  # and all that keeps the books
        events = [events[0], *ended, *(event for event in events[1:] if not event.ASIDE and event not in ended)]
    return events


def _of(kind: Any, events: Sequence[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def _without(kind: Any, events: Sequence[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, kind)]
