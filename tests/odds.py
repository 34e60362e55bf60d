"""Odds in tests: the possible results of an action, computed in another way."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from commands.action.declaration import Declaration
from commands.action.dice_sources import Answer, Dice, Layer, Question, Throw
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.odds.branches import Action, every_way
from commands.odds.outcomes import Odds, foresee
from commands.odds.report import changes, tests
from ledger.errors import AffrayError
from ledger.events import Event, Passage, Rolled, Ruled, encode
from tests.kit import Told, verb_of

Signature = tuple[object, ...]
"""What an action came to, with everything that can be compared."""


def action(told: Told, said: Declaration, allow: str = "") -> Action:
    """A declaration as an action from a table."""
    return Action(told.state, verb_of(said), resolve_names(told.state, said), allow)


def foreseen(told: Told, said: Declaration, allow: str = "", draws: int | None = None, seed: int = 1) -> Odds:
    """The odds of a declaration."""
    return foresee(action(told, said, allow), seed, draws)


def answered(odds: Odds) -> dict[tuple[str, str], dict[str, str]]:
    """For each test its answers, each with its ways of all, such as 191/400."""
    return {
        (who, about): {word: f"{ways}/{odds.of}" for word, ways in answers.items()}
        for who, about, answers in tests(odds)
    }


def valued(odds: Odds, told: Told, name: str) -> dict[str, str]:
    """The possible values afterwards, each with its ways of all."""
    return {word: f"{ways}/{odds.of}" for word, ways in changes(odds, told.state)[name][1].items()}


class TooLong(Exception):
    """More dice are asked for than all ways can be gone through."""


class EveryDie:
    """Answers each question for each die with each face in turn: all ways, none of them put together."""

    MOST = 10
    """Dice."""

    def __init__(self) -> None:
        self.path: list[list[int]] = []
        self._at = 0

    @property
    def dice(self) -> Dice:
        """Its dice."""

        def ask(throw: Throw, used: list[Any]) -> None:
            throw.found |= {nth: self._answer(die) for nth, die in enumerate(throw.pool)}

        return Dice(Layer(ask))

    def _answer(self, question: Question) -> Answer:
        """The face of this turn."""
        if self._at == self.MOST:
            raise TooLong
        if self._at == len(self.path):
            self.path.append([1, question.sides])
        self._at += 1
        return Answer(self.path[self._at - 1][0], 0)

    def advance(self) -> bool:
        """On to the next way. False when there is none."""
        self._at = 0
        while self.path and self.path[-1][0] == self.path[-1][1]:
            self.path.pop()
        if self.path:
            self.path[-1][0] += 1
        return bool(self.path)

    def chance(self) -> Fraction:
        """Of this way."""
        chance = Fraction(1)
        for _, sides in self.path:
            chance /= sides
        return chance


def signature(events: Iterable[Event], refused: AffrayError | None) -> Signature:
    """All that was ruled, with its totals, and all facts; or the refusal."""
    if refused:
        return type(refused), refused.message

    def told() -> Iterator[object]:
        for event in events:
            if isinstance(event, Ruled):
                totals = tuple(number.total for number in event.numbers)
                yield event.clause, event.who, event.about, event.sign, event.outcome, totals
            elif not isinstance(event, Rolled | Passage):  # odds tell no passages
                yield encode(event)

    return tuple(told())


def one_by_one(action: Action, most: int) -> dict[Signature, Fraction] | None:
    """The chance of each result of an action, die by die; none when there are more than `most` ways."""
    chances: dict[Signature, Fraction] = {}
    source = EveryDie()
    for _ in range(most):
        fight = Resolution(action.state, action.verb, action.said, source.dice, action.allow)
        refused = None
        try:
            resolve(fight)
        except AffrayError as error:
            refused = error
        except TooLong:
            return None
        key = signature(fight.events, refused)
        chances[key] = chances.get(key, Fraction(0)) + source.chance()
        if not source.advance():
            return chances
    return None


def folded(action: Action) -> dict[Signature, Fraction]:
    """The same, as odds find it."""
    chances: dict[Signature, Fraction] = {}
    for way in every_way(action):
        key = signature(way.fight.events, way.refused)
        chances[key] = chances.get(key, Fraction(0)) + Fraction(way.ways, way.of)
    return chances
