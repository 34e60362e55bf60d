"""Outcomes that are told in one sentence with the one before: what somebody joins with, where, and how they are, what
they put away and take, who fights whom, and a way in several steps.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ledger.events import KINDS, AreaEntered, Equipped, Joined, Moved, Placed, Sentence, SkirmishJoined, Unequipped
from ledger.events.declared import Event
from ledger.events.sentences import alone, articled, together, whereabouts

Outcome = tuple[list[Event], Sentence]
"""What came of it, in a sentence, and the events that it tells."""


def _taken(before: Outcome, event: Any) -> Outcome:
    events: list[Any] = [*before[0], event]
    items = [one.item for one in events if isinstance(one, Equipped)]
    who, joint, what = events[0].sentence()
    if isinstance(events[0], Joined):
        return events, (who, joint, f"{what} with {together([*map(articled, items)])}")
    taken = f"takes {together([f'the {item}' for item in items])}"
    return events, (who, joint, taken if isinstance(events[0], Equipped) else f"{what} and {taken}")


def _there(before: Outcome, event: Any) -> Outcome:
    who, joint, what = before[1]
    where = whereabouts("at", event.area) if isinstance(event, AreaEntered) else event.sentence()[2].removeprefix("is ")
    return [*before[0], event], (who, joint, f"{what}, {where}")


def _brought(before: Outcome, event: Any) -> Outcome:
    """How they are: nobody gains or suffers that on arriving."""
    who, joint, what = before[1]
    return [*before[0], event], (who, joint, f"{what}; has {event.has()}")


def _fought(before: Outcome, event: Any) -> Outcome | None:
    joined: list[Any] = [*before[0], event]
    if joined[-2].fight != event.fight:
        return None
    sides = (", ".join(one.who for one in joined if one.side == side) for side in (0, 1))
    return joined, alone(f"{event.fight}: {' v '.join(filter(None, sides))}")


def farther(before: Outcome, event: Any) -> Outcome | None:
    """A way of several steps as one, where it is gone in the same manner; else None."""
    last: Any = before[0][-1]
    if event.measure or event.how != last.how:
        return None
    way = replace(event, squares=last.squares + event.squares)
    return [way], way.sentence()


ARRIVING: tuple[tuple[type[Event], ...], ...] = (
    (Joined, Equipped),
    (Placed, AreaEntered),
    tuple(kind for kind in KINDS if kind.HAS),
)
"""What is told of somebody who joins before all else, in this order."""
JOINED: "dict[type[Event], tuple[tuple[type[Event], ...], Callable[[Outcome, Any], Outcome | None]]]" = {
    Equipped: ((Equipped, Joined, Unequipped), _taken),
    Placed: ((Joined,), _there),
    AreaEntered: ((Joined,), _there),
    **dict.fromkeys(ARRIVING[-1], ((Joined,), _brought)),
    SkirmishJoined: ((SkirmishJoined,), _fought),
    Moved: ((Moved,), farther),
}
"""With what before it an event is told in one sentence, and how; None where they do not belong together."""
