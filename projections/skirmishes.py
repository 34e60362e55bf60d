"""The skirmishes of the round."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import EncounterEnded, Left, RoundBegan, SkirmishEnded, SkirmishJoined


class Skirmish(Struct, frozen=True, omit_defaults=True, gc=False):
    """A fight within the fight: some on one side, some on the other, each in the order of joining it."""

    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The side that picked the fight, and the other."""
    done: bool = False
    lasting: bool = False
    """Whether it lasts beyond the round."""

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody in it, the side that picked it first."""
        return (*self.sides[0], *self.sides[1])


class Skirmishes(Struct, frozen=True, omit_defaults=True, gc=False):
    """All skirmishes of the round, and those that last."""

    of: tuple[Skirmish, ...] = ()
    """In the order of forming."""

    def with_(self, who: str) -> int:
        """The number of the last one that somebody is in, 1 for the first; 0 for none."""
        return max((at for at, skirmish in enumerate(self.of, 1) if who in skirmish.members), default=0)

    def number(self, number: int) -> Skirmish:
        """The one of that number; an empty one if it is not formed yet."""
        return self.of[number - 1] if 0 < number <= len(self.of) else Skirmish()

    def changed(self, number: int, skirmish: Skirmish) -> "Skirmishes":
        """With another one under that number."""
        return Skirmishes((*self.of[: number - 1], skirmish, *self.of[number:]))


def _joined(state: Skirmishes, event: SkirmishJoined) -> Skirmishes:
    skirmish = state.number(event.skirmish)
    first, second = skirmish.sides
    sides = ((*first, event.who), second) if event.side == 0 else (first, (*second, event.who))
    return state.changed(event.skirmish, replace(skirmish, sides=sides, lasting=event.lasting))


def _ended(state: Skirmishes, event: SkirmishEnded) -> Skirmishes:
    return state.changed(event.skirmish, replace(state.number(event.skirmish), done=True))


def _round(state: Skirmishes, event: RoundBegan) -> Skirmishes:
    return Skirmishes(tuple([one for one in state.of if one.lasting]))


def _over(state: Skirmishes, event: EncounterEnded) -> Skirmishes:
    return Skirmishes()


def _left(state: Skirmishes, event: Left) -> Skirmishes:
    if not state.of:
        return state

    return Skirmishes(tuple(_without(one, event.who) for one in state.of))


def _without(one: Skirmish, who: str) -> Skirmish:
    """Without somebody who leaves; one of this round in which nobody is left on a side is none any more."""
    first, second = (tuple(other for other in side if other != who) for side in one.sides)
    alone = who in one.members and not (first and second) and not one.done and not one.lasting
    return Skirmish(done=True) if alone else replace(one, sides=(first, second))


REDUCERS = {
    SkirmishJoined: _joined,
    SkirmishEnded: _ended,
    RoundBegan: _round,
    EncounterEnded: _over,
    Left: _left,
}
