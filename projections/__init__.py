"""The present: folds events into states, lines, boards and maps. Adds up, never judges.

This file holds what the aspects of the state share: their shape, and reducers that only set or remove a value.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Event

Held = TypeVar("Held")
Reducer = Callable[[Any, Any], Any]
"""Takes an aspect and an event, and gives the aspect after the event."""

Said = Iterable[tuple[str, str, str]]
"""Values of a combatant: the name, the value in words, and "" or, where the name is none of an aspect's `WORDS` but a
word of the table, what sort of thing it is: it becomes part of the name where the word is taken."""
_NONE: Mapping[type[Event], Reducer] = {}
"""No kind of event."""
_NAMELESS: tuple[str, ...] = ()
"""No word."""
_HARMLESS: Mapping[str, str] = {}
"""No harm."""


class Part(Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of the state. Its JSON leaves out everything that still has its first value."""

    NAMES = _NAMELESS
    """Its fields in which combatants are named."""


class Aspect(Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of the state that events change. Its class is its card: it says which events change it, which values of a
    combatant it holds, in the words of the board, and which of them tell how badly somebody is hurt. The types of
    what it says are bare, because msgspec evaluates them once more for each aspect.
    """

    REDUCERS = _NONE
    """The kinds of event that change it, each with the function that does so. With somebody who leaves goes what its
    mappings hold of them, without being said."""
    WORDS = _NAMELESS
    """The names that values of a combatant have in it: hp, down ... In every rule system each means this and nothing
    else."""
    HARM = _HARMLESS
    """Those of them that tell how badly somebody is hurt, each with what is said of somebody who has no such value: 0,
    none ..., a dash where that means nothing."""
    NAMES = _NAMELESS
    """Its fields in which combatants are named. A mapping has them as its keys without being listed; one with names
    among its values, such as whom each one fights, is listed too."""
    NAMELESS = _NAMELESS
    """Its mappings in which it does not."""
    PLACE = 50
    """Where its values stand among those of a combatant: the lower, the earlier."""

    def board(self, who: str) -> Said:
        """The values of a combatant."""
        return ()


class Levels(Aspect):
    """An aspect that holds one number of each combatant; its only word names it."""

    of: dict[str, int] = {}
    """Anyone who never had any is missing."""

    def total(self, who: str) -> int:
        """The number of one combatant."""
        return self.of.get(who, 0)

    def board(self, who: str) -> Said:
        """The number."""
        return [(self.WORDS[0], str(self.of[who]), "")] if who in self.of else ()


def put(field: str, value: str) -> Reducer:
    """Sets the value of `who` in a field of the aspect to a field of the event."""

    def reduce(state: Any, event: Any) -> Any:
        return replace(state, **{field: {**getattr(state, field), event.who: getattr(event, value)}})

    return reduce


def take(field: str, value: str) -> Reducer:
    """Sets a field of the aspect to a field of the event."""
    return lambda state, event: replace(state, **{field: getattr(event, value)})


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
