"""The skirmishes of the round."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import EncounterEnded, Event, Left, RoundBegan, SkirmishEnded, SkirmishJoined


class Skirmish(Struct, frozen=True, gc=False):
    """A fight within the fight: some on one side, some on the other, each in the order of joining it."""

    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The side that picked the fight, and the other."""
    done: bool = False

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody in it, the side that picked it first."""
        return (*self.sides[0], *self.sides[1])


class Skirmishes(Struct, frozen=True, gc=False):
    """All skirmishes of the round."""

    of: dict[int, Skirmish] = {}
    """By number, in the order of forming."""

    def with_(self, who: str) -> int:
        """The number of the one that somebody is in; 0 for none."""
        return next((number for number, skirmish in self.of.items() if who in skirmish.members), 0)


def _joined(state: Skirmishes, event: SkirmishJoined) -> Skirmishes:
    skirmish = state.of.get(event.skirmish, Skirmish())
    first, second = skirmish.sides
    sides = ((*first, event.who), second) if event.side == 0 else (first, (*second, event.who))
    return Skirmishes({**state.of, event.skirmish: replace(skirmish, sides=sides)})


def _ended(state: Skirmishes, event: SkirmishEnded) -> Skirmishes:
    skirmish = state.of.get(event.skirmish, Skirmish())
    return Skirmishes({**state.of, event.skirmish: replace(skirmish, done=True)})


def _anew(state: Skirmishes, event: Event) -> Skirmishes:
    return Skirmishes()


def _left(state: Skirmishes, event: Left) -> Skirmishes:
    def rest(side: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(who for who in side if who != event.who)

    return Skirmishes(
        {
            number: replace(skirmish, sides=(rest(skirmish.sides[0]), rest(skirmish.sides[1])))
            for number, skirmish in state.of.items()
        }
    )


REDUCERS = {
    SkirmishJoined: _joined,
    SkirmishEnded: _ended,
    RoundBegan: _anew,
    EncounterEnded: _anew,
    Left: _left,
}
