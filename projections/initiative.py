"""Initiative that differs from the sheet, and ties that were broken."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import EncounterEnded, InitiativeSet, Left, TieBroken


class Tie(Struct, frozen=True, omit_defaults=True, gc=False):
    """A tie that was broken; the fields are those of `TieBroken`."""

    score: int
    order: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...] = ()


class Initiative(Struct, frozen=True, omit_defaults=True, gc=False):
    """What was said and rolled for the order of this encounter."""

    scores: dict[str, int] = {}
    """For each combatant the score that replaces its sheet's."""
    ties: tuple[Tie, ...] = ()
    """In the order in which they were broken."""


def _score(state: Initiative, event: InitiativeSet) -> Initiative:
    return replace(state, scores={**state.scores, event.who: event.score})


def _tie(state: Initiative, event: TieBroken) -> Initiative:
    same = (event.score, set(event.order))
    others = tuple(tie for tie in state.ties if (tie.score, set(tie.order)) != same)
    return replace(state, ties=(*others, Tie(event.score, event.order, event.numbers)))


def _ended(state: Initiative, event: EncounterEnded) -> Initiative:
    return Initiative() if state.scores or state.ties else state


def _left(state: Initiative, event: Left) -> Initiative:
    if event.who not in state.scores:
        return state
    return replace(state, scores={who: score for who, score in state.scores.items() if who != event.who})


REDUCERS = {InitiativeSet: _score, TieBroken: _tie, EncounterEnded: _ended, Left: _left}
