"""The dice that an action needs, before anybody throws them: those that are certain, and those that it may need.

A die is certain when every way in which the dice can fall asks for it. The ways are walked as for odds, but only so far
down that there are not too many. A way that is cut off there asks at least for the dice that it has asked for so far.
So whatever is called certain is certain, even when not every way was walked to its end.
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from commands.action.book import Book, Done, Need
from commands.action.dice_sources import Dice
from commands.action.resolution import Again, Resolution, Roll
from commands.past.course import latest

from .branches import SAME_QUESTION, Action, Fork, Forked, Path, Spread, TooMany, Undecided, carried_out, sides_of

MOST_WAYS, ENOUGH = 1000, 500
"""The most ways that are walked to one depth: to find what is certain, and once that is found."""
_Die = tuple[str, str, str, str, int]
"""A roll as the ways are compared by it: who, dice, purpose, about, and how often the way asked for the same before."""
_Ways = list[dict[_Die, bool]]
"""What each of some ways asks for, in its order, and whether it needs that or would do without."""


class _Shallow(Path):
    """A path that is cut off where it would fork more than so many times. Raises TooMany there."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def fork(self, roll: int, what: str, spread: Spread) -> Fork:
        """A new fork, if there may be one more."""
        if len(self.forks) == self.most:
            raise TooMany
        return super().fork(roll, what, spread)


class _Foreseen(Forked):
    """An action on a path, of whose dice some may be typed."""

    def roll(self, who: str, dice: str, purpose: str, about: str = "", optional: bool = False) -> Roll:
        """A roll with the faces that were typed for it, or one that is still undecided. Raises TooMany when the same
        roll is asked for again and again.
        """
        roll = Resolution.roll(self, who, dice, purpose, about, optional)
        if roll.known:
            return roll
        if self._times[who, purpose, about] == SAME_QUESTION:
            raise TooMany
        self.asked[-1] = Undecided(self.path, len(self.asked) - 1, sides_of(dice), who, dice, purpose, about)
        return self.asked[-1]


def foreseen(book: Book, done: Done) -> Done:
    """A preview that stopped for dice, with all the dice that are certain and those that it may need. For an instant
    only the dice are known that the preview came to.
    """
    order = done.order
    assert order is not None
    last = partial(latest, book.store, done.head.entry)
    try:
        rolls, more = needs(Action(done.before, order.verb, order.declaration, order.allow, last), order.dice or ())
    except Again:
        return done
    return replace(done, needed=rolls, open_ended=more)


def needs(action: Action, typed: Sequence[int | None]) -> tuple[tuple[Need, ...], bool]:
    """The dice of an action in the order of throwing, the typed ones too, and whether there may be others. A roll that
    may be repeated is named once.

    Raises Again for an instant.
    """
    ended, cut = _to_depth(action, typed, 0, MOST_WAYS)
    depth, before, certain = 0, 1, _in_all([*ended, *cut])
    while cut:
        found = bool(ended) and _in_all(ended) == certain
        most, ways = ENOUGH if found else MOST_WAYS, len(ended) + len(cut)
        if len(ended) + len(cut) * ways // before > most:
            break  # as they grew last time, they would be too many
        depth += 1
        more = _to_depth(action, typed, depth, most)
        if not any(more):
            break
        before, (ended, cut) = ways, more
        certain = _in_all([*ended, *cut])
    dice = _merged([*ended, *cut])
    told = tuple(Need(*die[:4], certain=die in certain) for die in dice if die in certain or not die[4])
    return told, bool(cut) or len(told) < len(dice)


def _in_all(ways: _Ways) -> set[_Die]:
    """The dice that all ways ask for, and that one of them needs."""
    return {die for die in set.intersection(*map(set, ways)) if any(way[die] for way in ways)}


def _to_depth(action: Action, typed: Sequence[int | None], depth: int, most: int) -> tuple[_Ways, _Ways]:
    """The ways that end before a depth, and those that are cut off there; none when there are more than `most`."""
    path = _Shallow(depth)
    ended: _Ways = []
    cut: _Ways = []
    for _ in range(most):
        path.begin()
        fight = action.begun(_Foreseen, Dice(faces=typed, spare=True))
        fight.path = path
        try:
            carried_out(fight)
            ended.append(_asked(fight.asked))
        except TooMany:
            cut.append(_asked(fight.asked))
        if not path.advance():
            return ended, cut
    return [], []


def _asked(rolls: Sequence[Roll]) -> dict[_Die, bool]:
    asked: dict[_Die, bool] = {}
    for roll in rolls:
        words = (roll.who, roll.dice, roll.purpose, roll.about)
        asked[*words, sum(die[:4] == words for die in asked)] = isinstance(roll, Undecided) or bool(roll.faces)
    return asked


def _merged(ways: _Ways) -> list[_Die]:
    """All dice in one order: each after those that a way asks for before it, as far as the ways agree."""
    order: list[_Die] = []
    for way in ways:
        at = 0
        for die in way:
            if die not in order:
                order.insert(at, die)
            at = max(at, order.index(die) + 1)
    return order
