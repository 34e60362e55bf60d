"""Where the faces come from when a rule asks for dice: typed, recorded, or drawn from the campaign's stream."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from ledger.dice import MOST_PLACE, face
from ledger.errors import LedgerDamaged, UsageError
from ledger.events import Rolled


class Question(Struct, frozen=True, gc=False):
    """What one die decides. A recorded die answers the same question again, whatever its place in the stream."""

    who: str
    purpose: str
    about: str
    time: int
    """How often this action asked the same before."""
    die: int
    """Which die of the roll, 0 for the first."""
    sides: int


class Answer(Struct, frozen=True, gc=False):
    """A face and its place in the stream; place 0 for a die thrown by hand."""

    face: int
    place: int


LEFT_OUT = Answer(0, 0)
"""The answer to a die that nobody threw because nothing depends on it."""


class Source(Protocol):
    """Answers the questions of one action, in the order in which they are asked."""

    def answer(self, question: Question, optional: bool) -> Answer | None:
        """The face; LEFT_OUT for a die that need not be thrown; None when this source has no answer."""

    def mark(self) -> int:
        """Where it is, for `back`."""
        return 0

    def back(self, mark: int) -> None:
        """Takes back the dice that were given since the mark, for an action that turned out not to be possible."""
        return


class Stream(Source):
    """The campaign's own dice: never without an answer."""

    def __init__(self, key: bytes, drawn: int) -> None:
        self.key = key
        self.drawn = drawn

    def answer(self, question: Question, optional: bool) -> Answer:
        """The face at the next place of the stream. Raises LedgerDamaged after the last one."""
        if self.drawn >= MOST_PLACE:
            raise LedgerDamaged(f"The ledger says that {self.drawn:,} dice were drawn; there are no more.")
        self.drawn += 1
        return Answer(face(self.key, self.drawn, question.sides), self.drawn)

    def mark(self) -> int:
        """The dice drawn so far."""
        return self.drawn

    def back(self, mark: int) -> None:
        """As though no more than these had been drawn."""
        self.drawn = mark


class Typed(Source):
    """Dice thrown by hand, given in the order in which they are needed."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces = tuple(faces)
        self._next = 0

    @property
    def rest(self) -> tuple[int, ...]:
        """The faces that are not used yet."""
        return self.faces[self._next :]

    def answer(self, question: Question, optional: bool) -> Answer | None:
        """The next face given. Raises UsageError when the die does not have that face."""
        if self._next == len(self.faces):
            return LEFT_OUT if optional else None
        given = self.faces[self._next]
        if not 1 <= given <= question.sides:
            raise UsageError(
                f"{given} is not a face of the d{question.sides} that {question.who or 'the table'} rolls"
                f" for {question.purpose}.",
                f"It shows 1 to {question.sides}.",
            )
        self._next += 1
        return Answer(given, 0)

    def mark(self) -> int:
        """The dice given so far."""
        return self._next

    def back(self, mark: int) -> None:
        """As though no more than these had been given."""
        self._next = mark


class Asked(Source):
    """Dice thrown by hand, asked for one by one."""

    def __init__(self, ask: Callable[[Question], int]) -> None:
        self.ask = ask
        self.faces: list[int] = []

    def answer(self, question: Question, optional: bool) -> Answer:
        """The face that the person at the table reads out."""
        if optional:
            return LEFT_OUT
        self.faces.append(self.ask(question))
        return Answer(self.faces[-1], 0)

    def mark(self) -> int:
        """The dice thrown so far."""
        return len(self.faces)

    def back(self, mark: int) -> None:
        """Forgets what was thrown since."""
        del self.faces[mark:]


class Recorded(Source):
    """The dice of an action that was recorded before."""

    def __init__(self, rolls: Iterable[Rolled]) -> None:
        from ledger.dice import parse

        self.rest: dict[Question, Answer] = {}
        times: dict[tuple[str, str, str], int] = {}
        for roll in rolls:
            asked = (roll.who, roll.purpose, roll.about)
            time = times[asked] = times.get(asked, -1) + 1
            answers = [Answer(*pair) for pair in zip(roll.faces, roll.places, strict=False)]
            for die, sides in enumerate(parse(roll.dice)[0]):
                answer = answers[die] if die < len(answers) else LEFT_OUT
                self.rest[Question(*asked, time, die, sides)] = answer

    def answer(self, question: Question, optional: bool) -> Answer | None:
        """The recorded face."""
        return self.rest.pop(question, None)
