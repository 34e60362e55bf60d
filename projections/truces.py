"""Which sides are at peace with each other."""

from msgspec import Struct

from ledger.events import EncounterEnded, TruceEnded, TruceMade


class Truces(Struct, frozen=True, omit_defaults=True, gc=False):
    """Truces between sides."""

    between: tuple[tuple[str, str], ...] = ()
    """Pairs of sides, each in the order of the alphabet."""

    def holds(self, one: str, other: str) -> bool:
        """Whether two sides are at peace."""
        return _pair(one, other) in self.between


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)


def _made(state: Truces, event: TruceMade) -> Truces:
    return Truces(tuple(sorted({*state.between, _pair(event.one, event.other)})))


def _broken(state: Truces, event: TruceEnded) -> Truces:
    return Truces(tuple(sorted({*state.between} - {_pair(event.one, event.other)})))


def _ended(state: Truces, event: EncounterEnded) -> Truces:
    return Truces() if state.between else state


REDUCERS = {TruceMade: _made, TruceEnded: _broken, EncounterEnded: _ended}
