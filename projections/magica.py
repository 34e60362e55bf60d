"""What spells are paid with."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import (
    AmbientMagicaSet,
    AmbientMagicaSpent,
    EncounterEnded,
    Left,
    MagicaGained,
    MagicaSpent,
)


class Magica(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's magica, and that of the place."""

    of: dict[str, int] = {}
    """For each combatant what it has; whoever never had any is missing."""
    ambient: int | None = None
    """What the place has; none when nobody counts it."""

    def left(self, who: str) -> int:
        """What a combatant has."""
        return self.of.get(who, 0)


def _changed(state: Magica, event: MagicaGained | MagicaSpent) -> Magica:
    return replace(state, of={**state.of, event.who: event.left})


def _ambient(state: Magica, event: AmbientMagicaSet) -> Magica:
    return replace(state, ambient=event.points)


def _ambient_spent(state: Magica, event: AmbientMagicaSpent) -> Magica:
    return replace(state, ambient=event.left)


def _ended(state: Magica, event: EncounterEnded) -> Magica:
    return state if state.ambient is None else replace(state, ambient=None)


def _left(state: Magica, event: Left) -> Magica:
    if event.who not in state.of:
        return state
    return replace(state, of={who: points for who, points in state.of.items() if who != event.who})


REDUCERS = {
    MagicaGained: _changed,
    MagicaSpent: _changed,
    AmbientMagicaSet: _ambient,
    AmbientMagicaSpent: _ambient_spent,
    EncounterEnded: _ended,
    Left: _left,
}
