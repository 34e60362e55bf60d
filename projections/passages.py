"""Passages: who acts upon whom, event by event. Every reader asks here, and none works out causes."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ledger.events import Event, Passage

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
