"""True names that the players do not know yet: no command may write one where everybody reads it.

In words that only tell, such as a note, an export for players leaves the name out with the words around it. In what
stands on the board, and in the open half of an event, it would be read: there it is refused.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Raw, Struct

from ledger.chain import SECRET, sealed
from ledger.errors import UsageError
from ledger.events import NAMING, Declared, Event, Joined, Masked, Renamed, SideChanged, Unmasked, encode
from projections.state import REDUCERS, State

_NO_WORDS = ("clause", "verb", "dice")
"""Fields that hold a word of the rules."""


def words(names: Collection[str]) -> re.Pattern[str]:
    """Finds any of these names as a word of its own, in any case, and with spaces for hyphens; nothing when there are
    none.
    """
    alternatives = "|".join(re.escape(name).replace(r"\-", r"[-\s]+") for name in sorted(names)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


def check_unsaid(state: State, events: Sequence[Event], before: str) -> None:
    """Raises UsageError when an entry that is to be recorded, given its events and the state after them, would show a
    true name to the players, unless it stands already in `before`, the action that is resolved again.
    """
    unknown = _unknown(state, events)
    if not unknown or sealed([encode(events[0]).decode()]) == SECRET:
        return
    found = words([*unknown])
    for text in (text for event in events for text in _shown(event, state)):
        said = found.search(text)
        if said and not words([said[0]]).search(before):
            name, seen = next(both for both in unknown.items() if words([both[0]]).fullmatch(said[0]))
            message = f"The players do not know the name {name} yet, and would read it here."
            known = f"They know {seen}. " if seen else ""
            raise UsageError(message, f"{known}Say it in other words, or keep all of it from them with --secret.")


def _unknown(state: State, events: Sequence[Event]) -> dict[str, str]:
    """Each true name that would tell something, with the name that the players know. One that is a word of a name which
    everybody has known before these events tells nothing.
    """
    names = state.roster.unknown_names()
    fresh = {event.who for event in events if isinstance(event, Joined | SideChanged)}
    fresh |= {event.name for event in events if isinstance(event, Renamed)}
    known = [text for who, member in state.roster.members.items() if who not in fresh for text in (who, member.side)]
    return {name: seen for name, seen in names.items() if not words([name]).search("\n".join(known))}


def _shown(event: Event, state: State) -> Iterator[str]:
    """The texts of an event that stand on the board or in its open half, or that all are to read. The stat block of
    somebody whom the players know by another name holds the true one, and is closed.
    """
    if isinstance(event, Masked | Unmasked):
        return
    if isinstance(event, Declared):
        yield from _texts([event.said.get(field) for field in NAMING])
        return
    member = state.roster.members.get(getattr(event, "who", ""))
    fields = event.__struct_fields__ if event.FOR_ALL or type(event) in REDUCERS else event.OPEN
    for field in fields:
        value = getattr(event, field)
        if field not in _NO_WORDS and not (isinstance(value, Raw) and member and member.truly):
            yield from _texts(value)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Raw():
            yield bytes(value).decode()
        case dict():
            for name, one in value.items():
                yield from (name, *_texts(one))
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case Struct():
            yield from _texts([getattr(value, field) for field in value.__struct_fields__])
