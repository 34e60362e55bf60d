"""What players have seen happen, in words: it stands in the place of numbers that they do not know."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action.board import Label
from ledger.events import Event, Joined, Left, Renamed
from ledger.events.harm import ConditionEnded, ConditionGained, Rose, WoundSuffered, WoundTreated, lasting
from ledger.hurting import harm
from projections.state import State

_UNHURT, _HURT, _BADLY, _DOWN = "unhurt", "hurt", "badly hurt", "down"
"""The words for somebody whose numbers the players do not know."""


class Sightings(Struct, frozen=True):
    """What players have seen happen to everybody, added up from the open halves of events."""

    times: dict[str, int] = {}
    """How often somebody suffered harm to the body that is counted."""
    risen: dict[str, bool] = {}
    """Those who went down and are up again."""
    conditions: dict[str, dict[str, Label]] = {}
    """The conditions that began, with what ends them, without their numbers."""
    wounds: dict[str, tuple[Label, ...]] = {}
    """The wounds that have a name."""

    def after(self, events: Sequence[Event]) -> "Sightings":
        """With some events of which the players know at least the open half."""
        now = self
        for event in events:
            now = now._saw(event)
        return now

    def _saw(self, event: Any) -> "Sightings":
        match event:
            case Joined(who=who) | Left(who=who):
                return Sightings(*({one: of for one, of in held.items() if one != who} for held in self._held()))
            case Rose(who=who):
                return replace(self, risen={**self.risen, who: True})
            case ConditionGained(who=who, condition=name):
                whom = f" ({', '.join(event.whom)})" if event.whom else ""
                known = Label(f"{name}{whom}", lasting(event.until, event.whose, event.round))
                return replace(self, conditions={**self.conditions, who: {**self.conditions.get(who, {}), name: known}})
            case ConditionEnded(who=who, condition=name):
                rest = {one: known for one, known in self.conditions.get(who, {}).items() if one != name}
                return replace(self, conditions={**self.conditions, who: rest})
            case WoundSuffered(who=who):
                wound = Label(f"{event.wound} ({event.place})")
                return replace(self, wounds={**self.wounds, who: (*self.wounds.get(who, ()), wound)})
            case WoundTreated(who=who):
                left = list(self.wounds.get(who, ()))
                at = next((at for at, one in enumerate(left) if one.what.startswith(f"{event.wound} (")), None)
                if at is not None:
                    del left[at]
                return replace(self, wounds={**self.wounds, who: tuple(left)})
            case Renamed():
                return Sightings(*map(event.moves, self._held()))
            case _ if event.AMOUNT and event.BODILY and harm(event):
                return replace(self, times={**self.times, event.who: self.times.get(event.who, 0) + 1})
        return self

    def otherwise(self, other: "Sightings") -> frozenset[str]:
        """Those of whom something else was seen in other sightings."""
        found = set[str]()
        for held, holds in zip(self._held(), other._held(), strict=True):
            if held is not holds:
                found |= {who for who in held.keys() | holds.keys() if held.get(who) != holds.get(who)}
        return frozenset(found)

    def _held(self) -> "tuple[dict[str, Any], ...]":
        return self.times, self.risen, self.conditions, self.wounds

    def word(self, state: State, who: str) -> str:
        """How somebody is, in a word, and how often players saw harm come to it."""
        times = self.times.get(who, 0)
        often = f" {times} times" if times > 1 else ""
        if who in state.harm.down:
            return _DOWN
        if who in self.risen:
            return f"{_BADLY}{often}"
        return f"{_HURT}{often}" if times or self.wounds.get(who) else _UNHURT

    def labels(self, state: State, who: str) -> list[Label]:
        """The wounds of somebody, and the conditions that still hold."""
        held = state.conditions.of.get(who, {})
        still = [known for name, known in self.conditions.get(who, {}).items() if name in held]
        return [*self.wounds.get(who, ()), *still]
