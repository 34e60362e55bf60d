"""The present: folds events into states, lines, boards and maps. Adds up, never judges.

This file holds what the aspects of the state share: their shape, and reducers that only set or remove a value.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Event

Held = TypeVar("Held")
Reducer = Callable[[Any, Any], Any]
"""Takes an aspect and an event, and gives the aspect after the event."""


NONE: Mapping[type[Event], Reducer] = {}
"""No kind of event."""


class Part(Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of the state. Its JSON leaves out everything that still has its first value."""

    REDUCERS: ClassVar = NONE
    """The kinds of event that change it, each with the function that does so. The type of `NONE` is its own: msgspec
    evaluates what is written here once more for each part."""


def put(field: str, value: str) -> Reducer:
    """Sets the value of `who` in a field of the aspect to a field of the event."""

    def reduce(state: Any, event: Any) -> Any:
        return replace(state, **{field: {**getattr(state, field), event.who: getattr(event, value)}})

    return reduce


def forget(*fields: str) -> Reducer:
    """Removes the values of `who` from some fields of the aspect."""

    def reduce(state: Any, event: Any) -> Any:
        held = [field for field in fields if event.who in getattr(state, field)]
        return replace(state, **{field: without(getattr(state, field), event.who) for field in held}) if held else state

    return reduce


def anew(state: Any, event: Any) -> Any:
    """The aspect as it was at the start."""
    return type(state)()


def without(held: dict[str, Held], gone: str) -> dict[str, Held]:
    """A mapping without one of its keys."""
    return {key: value for key, value in held.items() if key != gone}
