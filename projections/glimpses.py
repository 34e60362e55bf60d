"""Glimpses: what can be told of an event of which only the open half is known."""

from typing import Any

import msgspec
from msgspec import Raw

from ledger import parts
from ledger.events import VAGUE, ConditionGained, Declared, Event, Joined, Noted, Ruled, Sentence, Stirred, decode


class Glimpse(Noted, tag=False):
    """What is told of somebody, of whom no more is known."""

    whose: str = ""
    """Of whom."""

    def sentence(self) -> Sentence:
        """What is told, about them."""
        return self.whose, " ", self.text


def fields(opened: str) -> dict[str, Any]:
    """The fields of the open half of an event. Raises msgspec.DecodeError when it is none."""
    try:
        found: dict[str, Any] = msgspec.json.decode(f"{opened}}}", type=dict)
    except msgspec.DecodeError:
        found = msgspec.json.decode(f"{opened}}}}}", type=dict)  # a declaration ends among its words
    return found


def told(of_entry: str) -> list[tuple[Event, bool]]:
    """The events of an entry of a file for players, from its parts, as they are told; each with whether it is proven.

    Raises msgspec.MsgspecError when something else stands there.
    """
    found: list[tuple[Event, bool]] = []
    for half in parts.decode(of_entry).events:
        if isinstance(half.open, str):
            event: Event | None = Noted(half.told) if half.told else None
        elif isinstance(half.closed, str):
            event = glimpse(_text(half.open))
        else:
            event = decode(_text(half.open) + _text(half.closed))
        if event:
            found.append((event, not isinstance(half.open, str)))
    return found


def _text(part: parts.Part) -> str:
    if len(part) != 2:
        raise msgspec.ValidationError("a part that is shown has a blind and one text")
    return part[1]


def tells(event: Event) -> bool:
    """Whether the open half of an event tells anything by itself."""
    return bool(event.VAGUE) or isinstance(event, Declared | Ruled | Joined | ConditionGained | Stirred)


def glimpse(opened: str) -> Event | None:
    """The event as it is told to somebody who knows only its open half; None when there is nothing to tell.

    Raises msgspec.DecodeError and KeyError when it is no open half of an event.
    """
    known = fields(opened)
    match known["event"]:
        case "declared":
            return Declared(known["verb"], known["said"])
        case "ruled":
            plain = known["outcome"] not in ("yes", "no")
            return Ruled(known["clause"], known["who"], known["about"], known["outcome"] if plain else "", (), "")
        case "stirred":
            return decode(f'{opened},"first_hidden":0}}')
        case "joined":
            return Joined(known["who"], known["side"], Raw(b"{}"))
        case "condition-gained":
            return decode(f"{opened}}}")
        case kind if kind in VAGUE:
            alone, _, of_who = VAGUE[kind].partition("{who} ")
            return Glimpse(of_who.format(**known), whose=known["who"]) if of_who else Noted(alone.format(**known))
    return None
