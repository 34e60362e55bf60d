"""The encounter: whether there is one, and the ground it is fought on."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import EncounterBegan, EncounterEnded, GroundCleared, GroundLaid


class Encounter(Struct, frozen=True, omit_defaults=True, gc=False):
    """The fight that is running, or the last one."""

    number: int = 0
    name: str = ""
    running: bool = False
    ordered: bool = True
    """False when the fight is played without turns."""
    ground: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each feature the squares that have it, as x and y, in order."""


def _began(state: Encounter, event: EncounterBegan) -> Encounter:
    return Encounter(event.number, event.name, True, event.ordered)


def _ended(state: Encounter, event: EncounterEnded) -> Encounter:
    return replace(state, running=False, ground={})


def _laid(state: Encounter, event: GroundLaid) -> Encounter:
    squares = tuple(sorted({*state.ground.get(event.feature, ()), *event.squares}))
    return replace(state, ground={**state.ground, event.feature: squares})


def _cleared(state: Encounter, event: GroundCleared) -> Encounter:
    squares = tuple(sorted({*state.ground.get(event.feature, ())} - {*event.squares}))
    return replace(state, ground={**state.ground, event.feature: squares})


REDUCERS = {EncounterBegan: _began, EncounterEnded: _ended, GroundLaid: _laid, GroundCleared: _cleared}
