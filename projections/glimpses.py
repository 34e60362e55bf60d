"""Glimpses: what can be told of an event of which only the open half is known."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw

from ledger import parts
from ledger.chain import PLAN
from ledger.events import VAGUE, ConditionGained, Declared, Event, Joined, Noted, Ruled, Sentence, TurnBegan, decode

UNKNOWN = 2**53
"""Stands for the first place of an epoch in the hidden stream where that is left out: no ledger comes so far."""
_SECRETLY = "something happens"
"""What is told of a sealed entry."""
_UNPROVEN = "(unproven)"
"""Marks what is told in place of something that is left out: nothing in the chain shows that it is so."""


class _Glimpse(Noted, tag=False):
    """What is told of somebody, of whom no more is known."""

    whose: str = ""
    """Of whom."""

    def sentence(self) -> Sentence:
        """What is told, about them."""
        return self.whose, " ", self.text


def instead(sealed: str) -> Noted:
    """What is told of an entry that is left out, given its seal."""
    if sealed.startswith(PLAN):
        return Noted(f"{sealed.removeprefix(PLAN)} decides what to do {_UNPROVEN}")
    return Noted(f"{_SECRETLY} {_UNPROVEN}")


def nothing_told() -> Noted:
    """What is told of an entry that is shown, but of which nothing is known that tells anything."""
    return Noted(f"known to the game master {_UNPROVEN}")


def fields(opened: str) -> dict[str, Any]:
    """The fields of the open half of an event. Raises msgspec.DecodeError when it is none."""
    try:
        found: dict[str, Any] = msgspec.json.decode(f"{opened}}}", type=dict)
    except msgspec.DecodeError:
        found = msgspec.json.decode(f"{opened}}}}}", type=dict)  # a declaration ends among its words
    return found


def known_events(of_entry: str) -> list[tuple[Event, bool]]:
    """The events of an entry of a file for players, from its parts, as they are told; each with whether it is proven.

    Raises msgspec.MsgspecError when something else stands there.
    """
    held = parts.decode(of_entry)
    if held.leaf:
        return [(instead(held.sealed), False)]
    found: list[tuple[Event, bool]] = []
    for half in held.events:
        body = half.body()
        if event := glimpse(half.open) if body is None else decode(body):
            found.append((event, True))
    return [(nothing_told(), False)] if game_masters_own([event for event, _ in found]) else found


def tells(event: Event) -> bool:
    """Whether the open half of an event tells anything by itself."""
    return bool(event.VAGUE) or isinstance(event, Declared | Ruled | Joined | ConditionGained | TurnBegan)


def glimpse(opened: str) -> Event | None:
    """The event as it is told to somebody who knows only its open half; None when there is nothing to tell.

    Raises msgspec.DecodeError and KeyError when it is no open half of an event.
    """
    if not opened:
        return None
    known = fields(opened)
    match known["event"]:
        case "declared":
            return Declared(known["verb"], known["said"], instant=known.get("instant", False))
        case "ruled":
            outcome = known.get("outcome", "")
            outcome = "" if outcome in ("yes", "no") else outcome
            return Ruled(known["clause"], known["who"], known["about"], outcome, (), "", nth=known.get("nth", 1))
        case "stirred":
            return decode(f'{opened},"first_hidden":{UNKNOWN}}}')
        case "joined":
            return Joined(known["who"], known["side"], Raw(b"{}"), known.get("place", 0))
        case "condition-gained" | "turn-began":
            return decode(f"{opened}}}")
        case kind if kind in VAGUE:
            alone, _, of_who = VAGUE[kind].partition("{who} ")
            return _Glimpse(of_who.format(**known), whose=known["who"]) if of_who else Noted(alone.format(**known))
    return None


def game_masters_own(events: Sequence[Event]) -> bool:
    """Whether the game master rolled for nobody, and nothing that is known of it tells anything."""
    match events[0] if events else None:
        case Declared(verb="roll", said=said) if not said.get("who"):
            return not any(event.line() for event in events[1:])
    return not events
