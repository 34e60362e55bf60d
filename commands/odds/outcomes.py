"""Outcomes: the results that an action can have, counted, and split into single values."""

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from math import lcm, log, sqrt
from time import process_time
from typing import TypeVar

import msgspec
from msgspec import Struct

from commands.action.dice_sources import Dice, stream
from commands.words.progress import watched
from ledger.dice import face
from ledger.errors import AffrayError, Refused
from ledger.events import Event, Ruled, whose
from ledger.hashing import hexdigest
from projections.changes import differences, values
from projections.passages import passages
from projections.state import REDUCERS, State

from .branches import MOST_WAYS, Action, TooMany, Way, every_way, guess, rolls

DRAWS = 20_000
"""How often an action is tried for an estimate."""
SURE = 99
"""How many times in a hundred an estimate lies within its stated error."""
Words = TypeVar("Words", bound=Hashable)
"""A part of an outcome that is counted by itself."""


class Said(Struct, frozen=True):
    """The outcome of a ruling."""

    clause: str
    who: str
    about: str
    """Whom it concerns besides; or who is acted upon by who acts."""
    outcome: str
    test: bool
    """Whether it compared two numbers."""


class Sum(Struct, frozen=True):
    """A number that a ruling computes."""

    clause: str
    who: str
    about: str
    of: str
    time: int
    """The count among numbers of the same name in the action, 1 for the first."""


class Shift(Struct, frozen=True):
    """A value of the board that an action changed."""

    name: str
    before: str
    after: str


class Outcome(Struct, frozen=True):
    """The result of an action: its rulings and changes."""

    said: tuple[Said, ...]
    changes: tuple[Shift, ...]
    waits: str
    """The action that waits for an answer, if it stopped at a window; else ""."""
    refused: str
    """Why it was not possible; "" if it was."""


class Odds(Struct, frozen=True):
    """How likely the outcomes of an action are. Every chance is a number of ways `of` all."""

    outcomes: tuple[tuple[Outcome, int], ...]
    """Each distinct outcome with its ways, the likeliest first."""
    sums: dict[Sum, dict[int, int]]
    """For each number the ways of each of its values."""
    of: int
    """All ways of the dice, if the odds are exact; otherwise the number of tries."""
    tried: int
    """How often the action was resolved."""
    exact: bool

    @property
    def error(self) -> float:
        """The largest error of a chance in an estimate, 99 times in 100. 0 when the odds are exact.

        Hoeffding's inequality, which by Massart (1990) holds for every "at least so much" of a number at once.
        """
        return 0.0 if self.exact else sqrt(log(2 / (1 - SURE / 100)) / (2 * self.of))

    def chances(self, tells: Callable[[Outcome], Iterable[Words]]) -> dict[Words, int]:
        """The ways of each counted part, in the order of first appearance."""
        ways: dict[Words, int] = {}
        for outcome, count in self.outcomes:
            for one in dict.fromkeys(tells(outcome)):
                ways[one] = ways.get(one, 0) + count
        return ways


LONG = 20
"""Seconds of work for which nobody should wait unasked."""
_SAMPLE = 2
"""Seconds of work after which it is known how long all of it will take."""


def foresee(
    action: Action, seed: int = 1, draws: int | None = None, warn: Callable[[int, float], None] = lambda *_: None
) -> Odds:
    """The odds of an action: exact if its dice have few enough ways, otherwise, or with `draws`, an estimate with
    separate dice from a seed. `warn` is told once how many ways there are, and how many seconds it takes to count them,
    where that is long. Raises what the action raises when no roll of the dice makes it possible.
    """
    with _collecting():
        if draws is None or not rolls(action):
            try:
                about = guess(action, picker("probe"))
                if about > MOST_WAYS:
                    raise TooMany
                tally, began, warned = Tally(action.state), process_time(), False
                for way in watched(every_way(action), about, f"odds (--draws {DRAWS} is quicker)", everywhere=True):
                    tally.add(way)
                    if not warned and (spent := process_time() - began) >= _SAMPLE:
                        warned = True
                        if (seconds := spent * about / tally.tried) > LONG:
                            warn(about, seconds)
                return tally.odds(exact=True)
            except TooMany:
                pass
        return _estimated(action, seed, draws or DRAWS)


@contextmanager
def _collecting() -> Iterator[None]:
    """Switches the cyclic garbage collector on meanwhile; commands switch it off."""
    was = gc.isenabled()
    gc.enable()
    try:
        yield
    finally:
        if not was:
            gc.disable()


def _estimated(action: Action, seed: int, draws: int) -> Odds:
    tally = Tally(action.state)
    dice = Dice(stream(_key(str(seed))))
    for _ in watched(range(draws), draws, "odds", everywhere=True):
        tally.add(action.drawn(dice, draws))
    return tally.odds(exact=False)


def _key(word: str) -> bytes:
    """The key of dice that belong to no campaign."""
    return bytes.fromhex(hexdigest(f"affray odds {word}".encode()))


def picker(word: str) -> Callable[[int], int]:
    """Gives a function that picks a number below `n`, from 0; the same word gives the same picks."""
    key, place = _key(word), 0

    def pick(count: int) -> int:
        nonlocal place
        place += 1
        return face(key, place, count) - 1

    return pick


_Ways = dict[int, int]
"""Ways, by the total of which they are a part."""


class Tally:
    """Counts the outcomes of ways."""

    def __init__(self, before: State) -> None:
        self.tried = 0
        self._before = values(before)
        self._waiting = _waiting(before)
        self._refusal: AffrayError | None = None
        self._ways: dict[tuple[tuple[Said, ...], bytes, str], _Ways] = {}
        self._states: dict[bytes, State] = {}
        self._sums: dict[Sum, dict[int, _Ways]] = {}

    def add(self, way: Way) -> None:
        """Counts one resolution."""
        self.tried += 1
        if way.refused:
            self._refusal = self._refusal or way.refused
            clause = way.refused.clause if isinstance(way.refused, Refused) else ""
            why = f"refused by {clause}" if clause else way.refused.message
            _count(self._ways.setdefault(((), b"", why), {}), way)
            return
        said: list[Said] = []
        facts: list[Event] = []
        times: dict[tuple[str, str, str, str], int] = {}
        for passage, event in passages(way.fight.events):
            if type(event) is Ruled:
                numbers = event.numbers
                if event.outcome:
                    about = event.about or (passage.target if event.who == passage.who else "")
                    said.append(Said(event.clause, event.who, about, event.outcome, len(numbers) > 1))
                elif len(numbers) == 1:
                    name = (event.clause, event.who, event.about, numbers[0].of)
                    times[name] = times.get(name, 0) + 1
                    _count(self._sums.setdefault(Sum(*name, times[name]), {}).setdefault(numbers[0].total, {}), way)
            elif type(event) in REDUCERS:
                facts.append(event)
        key = _encoder.encode(facts)
        if key not in self._states:
            self._states[key] = way.fight.state
        _count(self._ways.setdefault((tuple(said), key, ""), {}), way)

    def odds(self, exact: bool) -> Odds:
        """Everything counted, as ways of one total. Raises what stopped the action if it was never possible."""
        if self._refusal and not self._states:
            raise self._refusal
        of = lcm(*(of for ways in self._ways.values() for of in ways))
        told = {key: self._told(state) for key, state in self._states.items()}
        ways: dict[Outcome, int] = {}
        for (said, key, refused), counted in self._ways.items():
            changes, waits = told.get(key, ((), ""))
            outcome = Outcome(said, changes, waits, refused)
            ways[outcome] = ways.get(outcome, 0) + _of(counted, of)
        each = {name: sorted(found.items()) for name, found in self._sums.items()}
        sums = {name: {value: _of(counted, of) for value, counted in found} for name, found in each.items()}
        return Odds(tuple(sorted(ways.items(), key=lambda pair: -pair[1])), sums, of, self.tried, exact)

    def _told(self, state: State) -> tuple[tuple[Shift, ...], str]:
        """The changes of a state, and what now waits there."""
        changes = tuple(Shift(*change) for change in differences(self._before, values(state)))
        waits = _waiting(state)
        return changes, waits if waits != self._waiting else ""


def _waiting(state: State) -> str:
    """The action that waits in an open window, and who may answer; "" when none is open."""
    window = state.pending.window
    return f"{whose(window.who)} {window.verb} waits for {' or '.join(window.answerable)}" if window else ""


def _count(ways: _Ways, way: Way) -> None:
    ways[way.of] = ways.get(way.of, 0) + way.ways


def _of(counted: _Ways, of: int) -> int:
    """The ways, scaled to a larger total."""
    return sum(ways * (of // part) for part, ways in counted.items())


_encoder = msgspec.msgpack.Encoder()
