"""What hurts and what heals: the kinds of events whose cards say that they change how badly somebody is hurt."""

from typing import Any

from .events import KINDS, Event, tag

CHANGES = {tag(kind): kind for kind in sorted(KINDS, key=lambda kind: bool(kind.UNIT)) if kind.WORD}
"""The kinds that do, by their tags; those last that are added up in the unit of another."""
HARM = {name: kind for name, kind in CHANGES.items() if kind.TONE == "harm"}
"""Those of them that hurt."""
UNITS = tuple(dict.fromkeys(kind.UNIT or kind.WORD for kind in HARM.values()))
"""What harm is added up in. A wound that has a name counts as one of the wounds."""
WORST = tuple(dict.fromkeys(kind.UNIT or kind.WORD for kind in sorted(HARM.values(), key=lambda kind: not kind.BODILY)))
"""The same, harm to the body before other harm."""


def harm(event: Any) -> tuple[str, str, int] | None:
    """Who suffered harm by an event, in which unit, and how much; None when nobody did."""
    kind: type[Event] = type(event)
    if kind.TONE != "harm" or not kind.WORD:
        return None
    return event.who, kind.UNIT or kind.WORD, getattr(event, kind.AMOUNT) if kind.AMOUNT else 1
