"""Whose time it is."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import EncounterBegan, EncounterEnded, Event, OrderSet, PhaseBegan, RoundBegan, TurnBegan, TurnEnded


class Turns(Struct, frozen=True, omit_defaults=True, gc=False):
    """Round, phase and turn of the running encounter."""

    order: tuple[str, ...] = ()
    """Seats, sides or combatants, the first to act first; empty before it is decided."""
    round: int = 0
    """0 before the first round."""
    phase: str = ""
    who: str = ""
    """The seat, side or combatant whose turn it is; "" between turns."""
    last: str = ""
    """The one whose turn ended last; "" before the first turn ends."""


def _anew(state: Turns, event: Event) -> Turns:
    return Turns()


def _order(state: Turns, event: OrderSet) -> Turns:
    return replace(state, order=event.order)


def _round(state: Turns, event: RoundBegan) -> Turns:
    return replace(state, round=event.round, phase="")


def _phase(state: Turns, event: PhaseBegan) -> Turns:
    return replace(state, phase=event.phase)


def _turn(state: Turns, event: TurnBegan) -> Turns:
    return replace(state, who=event.who)


def _ended(state: Turns, event: TurnEnded) -> Turns:
    return replace(state, who="", last=event.who)


REDUCERS = {
    EncounterBegan: _anew,
    EncounterEnded: _anew,
    OrderSet: _order,
    RoundBegan: _round,
    PhaseBegan: _phase,
    TurnBegan: _turn,
    TurnEnded: _ended,
}
