"""Forking: resolves one action again and again, until every way in which its dice can fall is covered.

Why this is exact. A procedure has no inputs but the state, the declaration and its dice. Here a roll is decided only
when the procedure reads it, and only as far as it is read: a total, the highest face, or all faces one by one. Two
ways of the dice that agree in everything that was read cannot be told apart by the procedure, so they are resolved
once and counted together; dice that nobody reads are not told apart at all. What is read next may depend on what was
read before: each way is a path of answers, and every path is walked once. The text of the faces in the record
(`Roll.shown`) is left empty, because nothing may be decided by it.

Each path is resolved from the start: that costs less than a tenth of what it costs to copy the process at a fork.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any

from msgspec import Struct

from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice
from commands.action.procedures import resolve
from commands.action.resolution import Latest, Remedies, Resolution, Roll
from ledger.dice import parse
from ledger.errors import AffrayError
from ledger.events import Event, Overruled
from projections.state import REDUCERS, State, fold

MOST_WAYS = 1_000_000
"""The most ways that are told apart."""
_MOST_FACES = 100_000
"""The most combinations of faces of one roll that are told apart."""
_MOST_TOTALS = 10_000
"""The most totals of one roll that are told apart."""
SAME_QUESTION = 20
"""How often one action may ask for the same roll: a tie that is rolled again could go on for ever."""
_PROBES = 32
"""How many paths are walked to guess how many there are."""


class TooMany(Exception):
    """There are more ways than can be told apart."""


class Spread(Struct, frozen=True):
    """The values that a roll can show when it is read, and the number of ways of its dice for each."""

    values: tuple[Any, ...]
    ways: tuple[int, ...]
    of: int
    """All the ways together."""


@cache
def spread(sides: tuple[int, ...], what: str, known: tuple[tuple[str, int], ...] = ()) -> Spread:
    """The values that reading `what` of some dice can give: their total, highest, lowest, or faces; `known` was read
    before.

    >>> spread((6, 6), "total").ways
    (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
    >>> spread((4, 4), "highest").ways, spread((4, 4), "highest", (("total", 4),)).values
    ((1, 3, 5, 7), (3, 2))

    Raises TooMany when there are too many.
    """
    if known or what == "faces":
        ways = _one_by_one(sides, what, known)
    elif what == "total":
        ways = _totals(sides)
    elif what == "highest":
        up_to = [prod(min(face, size) for size in sides) for face in range(max(sides) + 1)]
        ways = {face: up_to[face] - up_to[face - 1] for face in range(1, max(sides) + 1)}
    else:
        from_ = [prod(max(size - face, 0) for size in sides) for face in range(min(sides) + 1)]
        ways = {face: from_[face - 1] - from_[face] for face in range(1, min(sides) + 1)}
    return Spread(tuple(ways), tuple(ways.values()), sum(ways.values()))


def _totals(sides: tuple[int, ...]) -> dict[Any, int]:
    if sum(sides) > _MOST_TOTALS:
        raise TooMany
    ways = [1]
    for size in sides:
        sums = [0]
        for count in ways:
            sums.append(sums[-1] + count)
        last = len(sums) - 1
        ways = [sums[min(at + 1, last)] - sums[max(at + 1 - size, 0)] for at in range(len(ways) + size - 1)]
    return {len(sides) + at: count for at, count in enumerate(ways)}


def _one_by_one(sides: tuple[int, ...], what: str, known: tuple[tuple[str, int], ...]) -> dict[Any, int]:
    if prod(sides) > _MOST_FACES:
        raise TooMany
    ways: dict[Any, int] = {}
    for faces in product(*(range(1, size + 1) for size in sides)):
        if all(_READ[word](faces) == value for word, value in known):
            value = _READ[what](faces)
            ways[value] = ways.get(value, 0) + 1
    return ways


_READ: dict[str, Callable[[tuple[int, ...]], Any]] = {"total": sum, "highest": max, "lowest": min, "faces": tuple}
"""What can be read of the faces of a roll."""


class Fork(Struct):
    """A place on a path where a roll was read."""

    roll: int
    what: str
    spread: Spread
    at: int = 0
    """Which of the values is taken now."""


class Path:
    """The answers of one resolution, and the step to the next."""

    def __init__(self) -> None:
        self.forks: list[Fork] = []
        self._depth = 0

    def begin(self) -> None:
        """Back to the first fork."""
        self._depth = 0

    def take(self, roll: int, what: str, sides: tuple[int, ...], known: tuple[tuple[str, int], ...]) -> Any:
        """The value that this path reads there."""
        if self._depth == len(self.forks):
            self.forks.append(self.fork(roll, what, spread(sides, what, known)))
        fork = self.forks[self._depth]
        assert (fork.roll, fork.what) == (roll, what), "a procedure does the same when its dice fall the same way"
        self._depth += 1
        return fork.spread.values[fork.at]

    def fork(self, roll: int, what: str, spread: Spread) -> Fork:
        """A new fork; its first value is taken first."""
        return Fork(roll, what, spread)

    def ways(self) -> tuple[int, int]:
        """How many ways of the dice that were read lead along this path, and how many there are in all."""
        ways = of = 1
        for fork in self.forks:
            ways *= fork.spread.ways[fork.at]
            of *= fork.spread.of
        return ways, of

    def advance(self) -> bool:
        """On to the next path. False when all have been walked."""
        while self.forks and self.forks[-1].at == len(self.forks[-1].spread.values) - 1:
            self.forks.pop()
        if self.forks:
            self.forks[-1].at += 1
        return bool(self.forks)


class _Probe(Path):
    """A path with random steps."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        super().__init__()
        self._pick = pick

    def fork(self, roll: int, what: str, spread: Spread) -> Fork:
        """A new fork, at any of its values."""
        return Fork(roll, what, spread, self._pick(len(spread.values)))

    def size(self) -> int:
        """An estimate of the number of paths, as if every path forked like this one. It is right on average."""
        return prod(len(fork.spread.values) for fork in self.forks)


class Undecided(Roll):
    """A roll that is decided when it is read, as far as it is read."""

    def __init__(
        self, path: Path, place: int, sides: tuple[int, ...], who: str, dice: str, purpose: str, about: str
    ) -> None:
        self.who, self.dice, self.purpose, self.about = who, dice, purpose, about
        self.known, self.nth = True, 0
        self._path, self._place, self._sides = path, place, sides
        self._seen: dict[str, Any] = {}

    @property
    def faces(self) -> tuple[int, ...]:
        """In the order rolled."""
        if len(self._sides) == 1:
            return (self.total,)
        faces: tuple[int, ...] = self._look("faces")
        return faces

    def _read(self) -> tuple[int, ...]:
        return self.faces

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return int(self._look("total"))

    @property
    def highest(self) -> int:
        """The best of the faces."""
        return int(self._look("highest" if len(self._sides) > 1 else "total"))

    @property
    def lowest(self) -> int:
        """The least of the faces."""
        return int(self._look("lowest" if len(self._sides) > 1 else "total"))

    def shown(self, between: str) -> str:
        """Nothing: see above."""
        return ""

    def _look(self, what: str) -> Any:
        seen = self._seen
        if what not in seen:
            if "faces" in seen:
                seen[what] = _READ[what](seen["faces"])
            else:
                seen[what] = self._path.take(self._place, what, self._sides, tuple(seen.items()))
        return seen[what]


class Tried(Resolution):
    """An action that is resolved many times from the same state."""

    before: State
    """The state that all start from."""
    sheets: dict[str, Any]
    """The stat blocks of those at the table, so that they are not read again each time."""
    options: dict[str, Any]
    """All house rules, also those at their default."""
    assumed: dict[str, str]
    """The clauses that are assumed not to refuse, each with its message; "" if it would not have refused."""

    def refuse(self, clause: str, message: str, hint: str | Remedies = "", at: Sequence[str | int] = ()) -> None:
        """Refuses by a clause, unless the clause is assumed not to refuse."""
        if clause not in self.assumed:
            super().refuse(clause, message, hint)
            return
        self.assumed[clause] = self.assumed[clause] or message
        self.record(Overruled(clause, message, "assumed"))

    def option(self, name: str) -> Any:
        """The value of a house rule."""
        if self.state.campaign is not self.before.campaign:
            return super().option(name)
        if name not in self.options:
            self.options[name] = super().option(name)
        return self.options[name]

    def sheet(self, who: str) -> Any:
        """The stat block of a combatant."""
        if self.state.roster.members.get(who) is not self.before.roster.members.get(who):
            return super().sheet(who)
        if who not in self.sheets:
            self.sheets[who] = super().sheet(who)
        return self.sheets[who]

    def record(self, event: Event) -> None:
        """Records a fact; one that changes nothing, such as a ruling, leaves the state as it is."""
        self.events.append(event)
        if type(event) in REDUCERS:
            self.state = fold(self.state, (event,))


class Forked(Tried):
    """An action on a path of answers."""

    path: Path

    def roll(self, who: str, dice: str, purpose: str, about: str = "", optional: bool = False) -> Roll:
        """A roll that is still undecided. Raises TooMany when the same roll is asked for again and again."""
        asked = (who, purpose, about)
        time = self._times[asked] = self._times.get(asked, -1) + 1
        if time == SAME_QUESTION:
            raise TooMany
        roll = Undecided(self.path, len(self.asked), sides_of(dice), who, dice, purpose, about)
        self.asked.append(roll)
        return roll


@cache
def sides_of(dice: str) -> tuple[int, ...]:
    """The sizes of some dice."""
    return parse(dice)[0]


class Way(Struct, frozen=True):
    """One resolution, and how likely it is."""

    fight: Tried
    refused: AffrayError | None
    ways: int
    of: int


class Action:
    """An action to try from a state; `said` has full names. Trying an instant raises Again, because it changes another
    action, whose dice are already thrown.
    """

    def __init__(
        self,
        state: State,
        verb: str,
        said: Declaration,
        allow: str = "",
        latest: Latest = tuple,
        assume: Sequence[str] = (),
    ) -> None:
        self.state, self.verb, self.said, self.allow, self.latest = state, verb, said, allow, latest
        self.assumed = dict.fromkeys(assume, "")
        """The clauses that are assumed not to refuse, each with its message, or ""."""
        self._sheets: dict[str, Any] = {}
        self._options: dict[str, Any] = {}

    def along(self, path: Path) -> Way:
        """The resolution along a path. Raises TooMany."""
        path.begin()
        fight = self.begun(Forked, _NOTHING)
        fight.path = path
        return Way(fight, carried_out(fight), *path.ways())

    def drawn(self, dice: Dice, of: int) -> Way:
        """The resolution with some dice, as one of `of` tries."""
        fight = self.begun(Tried, dice)
        return Way(fight, carried_out(fight), 1, of)

    def begun(self, kind: "type[Any]", dice: Dice) -> Any:
        """A new resolution of one of the kinds above, which nothing has happened in yet."""
        fight = kind(self.state, self.verb, self.said, dice, self.allow, self.latest)
        fight.before, fight.sheets, fight.options = self.state, self._sheets, self._options
        fight.assumed = self.assumed
        return fight


_NOTHING = Dice(faces=())
"""No dice."""


def carried_out(fight: Tried) -> AffrayError | None:
    """Why the action was not possible, if it was not."""
    try:
        resolve(fight)
    except AffrayError as error:
        return error
    return None


def every_way(action: Action, most: int = MOST_WAYS) -> Iterator[Way]:
    """Each distinct way, once. Raises TooMany, at once or later, when there are more than `most`."""
    path = Path()
    for _ in range(most):
        yield action.along(path)
        if not path.advance():
            return
    raise TooMany


def rolls(action: Action) -> bool:
    """Whether anything depends on dice."""
    path = Path()
    try:
        action.along(path)
    except TooMany:
        return True
    return bool(path.forks)


def guess(action: Action, pick: Callable[[int], int]) -> int:
    """An estimate of the number of ways; more than MOST_WAYS when there is no limit.

    D. E. Knuth, Estimating the efficiency of backtrack programs (1975).
    """
    sizes = []
    for _ in range(_PROBES):
        probe = _Probe(pick)
        try:
            action.along(probe)
        except TooMany:
            return MOST_WAYS + 1
        sizes.append(probe.size())
    return sum(sizes) // _PROBES
