"""Dice that were thrown by hand, as the arithmetic of a ruling shows them."""

from collections.abc import Sequence

from msgspec.structs import replace

from ledger.events import Event, Number, Rolled, Ruled, Step

_BY_HAND = "*"
"""Marks such a die."""


def marked(events: Sequence[Event]) -> list[Event]:
    """The events; in the arithmetic of rulings the dice that were thrown by hand are marked."""
    rolls = [event for event in events if isinstance(event, Rolled)]
    if not any(0 in roll.places for roll in rolls):
        return [*events]

    def step(one: Step) -> Step:
        roll = rolls[one.roll - 1] if 0 < one.roll <= len(rolls) else None
        if roll is None or 0 not in roll.places:
            return one
        dice, space, rest = one.reason.partition(" ")
        if rest[:1] != "[":
            return replace(one, reason=f"{dice}{_BY_HAND}{space}{rest}")
        return replace(one, reason=f"{dice} [{roll.shown()}{rest[rest.find(']') :]}")

    def numbered(one: Number) -> Number:
        return Number(one.of, tuple(map(step, one.steps)), one.total)

    return [
        replace(event, numbers=tuple(map(numbered, event.numbers))) if isinstance(event, Ruled) else event
        for event in events
    ]
