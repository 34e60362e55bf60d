"""Where the faces come from when a rule asks for dice: typed, recorded, or drawn from the campaign's stream."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from ledger.chain import secret
from ledger.dice import HIDDEN, MOST_PLACE, OPEN, dice_key, face
from ledger.errors import LedgerDamaged, UsageError
from ledger.events import Rolled
from ledger.store import Head, Store


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


class Die(Struct, frozen=True, gc=False):
    """Whose a die of an action is and what it was thrown for, and not at whom the action is aimed: so it is found again
    when the action is resolved again with other words.
    """

    who: str
    purpose: str
    sides: int
    blow: str
    """Against whom it was, of an action against several; "" of any other."""
    nth: int
    """Which of the dice that are alike in these, 0 for the first of the action."""


class Tally:
    """Tells the dice of one action from each other, in the order in which they are thrown."""

    def __init__(self, part: Callable[[str], str] = str, several: Container[str] = ()) -> None:
        self._part = part
        """Whose part somebody has, where that is somebody else's."""
        self._several = several
        """Those against whom it is, where they are several: a blow at one of them that falls away leaves its dice."""
        self._counts: dict[tuple[str, str, int, str], int] = {}

    def next(self, question: Question) -> Die:
        """The die that a question asks for."""
        blow = self._part(question.about) if question.about in self._several else ""
        alike = (self._part(question.who), question.purpose, question.sides, blow)
        nth = self._counts[alike] = self._counts.get(alike, -1) + 1
        return Die(*alike, nth)


def parts(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, str]:
    """Who has whose part in an action that is said otherwise: in each field of the declaration those who come in stand
    for those who are left out, in order.
    """
    found: dict[str, str] = {}
    for field in before:
        was, is_ = _names(before[field]), _names(now.get(field))
        gone, come = [one for one in was if one not in is_], [one for one in is_ if one not in was]
        found |= zip(gone, come, strict=False)
    return found


def several(*said: Mapping[str, Any]) -> set[str]:
    """Those who are named in a field of declarations together with others."""
    fields = {field for one in said for field in one if len(_names(one[field])) > 1}
    return {name for one in said for field in fields for name in _names(one.get(field))}


def _names(value: object) -> list[str]:
    """The texts in what a field of a declaration says."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


class Answer(Struct, frozen=True, gc=False):
    """A face and its place in the stream, negative in that of hidden dice; place 0 for a die thrown by hand."""

    face: int
    place: int


LEFT_OUT = Answer(0, 0)
"""The answer to a die that nobody threw because nothing depends on it."""


Mark = tuple[int, ...]
"""How many dice a source has given: open and hidden ones, or typed ones and then those of the program."""
TENS = 10
"""The faces of the die on which a 0 is read as this number."""


class Source:
    """Answers the questions of one action, in the order in which they are asked."""

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face; LEFT_OUT for a die that need not be thrown; None when this source has no answer.

        `hidden` says that nobody but the game master sees this die fall.
        """
        raise NotImplementedError

    def answers(self, pool: Sequence[Question], optional: bool, hidden: bool = False) -> list[Answer | None]:
        """The faces of dice that are thrown together."""
        return [self.answer(question, optional, hidden) for question in pool]

    def rolled(self, question: Question, hidden: bool = False) -> Answer | None:
        """The face of a die that is left to the program, also of one who throws by hand."""
        return self.answer(question, False, hidden)

    def knows(self, question: Question) -> bool:
        """Whether it was told the face of this very die, so that none that was thrown and undone takes its place."""
        return False

    def mark(self) -> Mark:
        """Where it is, for `back`."""
        return 0, 0

    def back(self, mark: Mark) -> None:
        """Takes back the dice that were given since the mark, for an action that turned out not to be possible."""
        return


class Stream(Source):
    """Dice from a key: never without an answer."""

    def __init__(self, key: bytes, drawn: int, hidden: int = 0) -> None:
        self.key = key
        self.drawn, self.hidden = drawn, hidden

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer:
        """The face at the next place of the stream. Raises LedgerDamaged after the last one."""
        drawn = self.hidden if hidden else self.drawn
        if drawn >= MOST_PLACE:
            raise LedgerDamaged(f"The ledger says that {drawn:,} dice were drawn; there are no more.")
        shown = face(self.key_of(hidden), drawn + 1, question.sides)
        if hidden:
            self.hidden += 1
            return Answer(shown, -self.hidden)
        self.drawn += 1
        return Answer(shown, self.drawn)

    def key_of(self, hidden: bool) -> bytes:
        """The key of the dice of one stream."""
        return self.key

    def mark(self) -> Mark:
        """The dice drawn so far."""
        return self.drawn, self.hidden

    def back(self, mark: Mark) -> None:
        """As though no more than these had been drawn."""
        self.drawn, self.hidden = mark[:2]


class Program(Stream):
    """The campaign's own dice, in its newest epoch. Its key is not read before the first die falls."""

    def __init__(self, store: Store, head: Head) -> None:
        super().__init__(b"", head.drawn, head.hidden)
        self._store = store
        self._keys: dict[bool, bytes] = {}

    def key_of(self, hidden: bool) -> bytes:
        """The key of the dice of one stream."""
        if hidden not in self._keys:
            epoch, stream = self._store.epoch(), HIDDEN if hidden else OPEN
            own = secret(self._store.key(), stream, epoch.number, epoch.before or "")
            self._keys[hidden] = dice_key(own, epoch.words)
        return self._keys[hidden]


class Typed(Source):
    """Dice thrown by hand, given in the order in which they are needed, of each who is named by itself. None stands for
    a die of the program. The faces of small dice may stand together: 626 for three d6.
    """

    def __init__(
        self,
        faces: Sequence[int | None],
        program: Source | None = None,
        spare: bool = False,
        owners: Sequence[str] = (),
        by_hand: Callable[[Question], bool] = lambda _: True,
    ) -> None:
        self.faces = tuple(faces)
        self.program = program
        """Rolls the dice that are None; without it, they have no answer."""
        self.spare = spare
        """Whether faces that nothing needs may be set aside."""
        self.owners = [owner.casefold() for owner in owners] or [""] * len(self.faces)
        """Who threw each of them; "" for one that anybody may need who throws by hand."""
        self.by_hand = by_hand
        """Whether a die is thrown by hand where nobody is named; the program rolls all others."""
        self._used: list[int] = []

    @property
    def rest(self) -> tuple[int | None, ...]:
        """The faces that are not used yet."""
        return tuple([face for at, face in enumerate(self.faces) if at not in self._used])

    def _next(self, question: Question) -> int:
        """Which face answers a question; -1 when there is none."""
        owners = (question.who.casefold(), *([""] if self.by_hand(question) else []))
        thrown = (at for at, owner in enumerate(self.owners) if at not in self._used and owner in owners)
        return next(thrown, -1)

    def _take_apart(self, at: int, pool: Sequence[Question]) -> None:
        """Puts the digits of what is no face in its place, if each of them is one of a die of the pool."""
        digits, sides = str(self.faces[at] or 0), [question.sides for question in pool]
        if int(digits) <= sides[0] or len(digits) > len(pool) or max(sides) > TENS:
            return
        if not all(1 <= (int(one) or 10) <= size for one, size in zip(digits, sides, strict=False)):
            return
        more = len(digits) - 1
        self.faces = (*self.faces[:at], *map(int, digits), *self.faces[at + 1 :])
        self.owners[at : at + 1] = [self.owners[at]] * len(digits)
        self._used = [used + more if used > at else used for used in self._used]

    @property
    def left_over(self) -> str:
        """The first of these in words."""
        return ", ".join("-" if face is None else str(face) for face in self.rest[:5])

    def answers(self, pool: Sequence[Question], optional: bool, hidden: bool = False) -> list[Answer | None]:
        """The next faces given."""
        found: list[Answer | None] = []
        for nth, question in enumerate(pool):
            if (at := self._next(question)) >= 0:
                self._take_apart(at, pool[nth:])
            found.append(self.answer(question, optional, hidden, len(pool) - nth))
        return found

    def answer(self, question: Question, optional: bool, hidden: bool = False, more: int = 1) -> Answer | None:
        """The next face given, of so many dice that are still to be thrown together. Raises UsageError when the die
        does not have that face.
        """
        at = self._next(question)
        if at < 0 and self.program and not self.by_hand(question):
            return self.program.answer(question, optional, hidden)
        if at < 0:
            return LEFT_OUT if optional else None
        given = self.faces[at]
        if given is None:
            self._used.append(at)
            return self.program.answer(question, False, hidden) if self.program else None
        given = given or (TENS if question.sides == TENS else given)
        if not 1 <= given <= question.sides:
            raise UsageError(
                f"{given} is not a face of the d{question.sides} that {question.who or 'the table'} rolls"
                f" for {question.purpose}.",
                f"It shows 1 to {question.sides}"
                + (
                    f"; write each of the {more} dice, not their sum." if more < given <= more * question.sides else "."
                ),
            )
        self._used.append(at)
        return Answer(given, 0)

    def mark(self) -> Mark:
        """The dice given so far."""
        return len(self._used), *(self.program.mark() if self.program else ())

    def back(self, mark: Mark) -> None:
        """As though no more than these had been given."""
        del self._used[mark[0] :]
        if self.program:
            self.program.back(mark[1:])


Asking = Callable[[Sequence[Question]], Sequence[int | None]]
"""Asks for dice that are thrown together by hand, and gives their faces; None for each that the program is to roll.
Raises Back when the dice before them are to be asked for again.
"""


Pool = tuple[Question, ...]
"""Dice that are thrown together."""


class Back(Exception):
    """Somebody wants to go back to the dice before."""


Came = TypeVar("Came")
"""What comes of an action."""


class Asked(Source):
    """Dice thrown by hand, asked for pool by pool. The program rolls all others, and each that is left to it."""

    def __init__(self, ask: Asking, program: Source, by_hand: Callable[[Question], bool] = lambda _: True) -> None:
        self.ask, self.by_hand = ask, by_hand
        self.program = program
        """Rolls what nobody throws by hand."""
        self.faces: list[int | None] = []
        self._pools: list[tuple[int, Pool, Sequence[int | None]]] = []
        """What was read out, pool by pool, each with how many faces came before it."""
        self._asked: list[Pool] = []
        """The pools in the order in which they were asked for, those that were taken back too."""
        self._kept: dict[Pool, list[Sequence[int | None]]] = {}
        """What was read out and taken back: it is not asked for again."""
        self.watch: Callable[[Sequence[Question]], None] = lambda _: None
        """Is told of each pool before it is asked for."""

    def until_given(self, resolve: "Callable[[], Came]") -> "Came":
        """What comes of an action once all of its dice are given. When somebody goes back, it is resolved again up to
        the dice before.
        """
        start = self.mark()
        while True:
            try:
                return resolve()
            except Back:
                self.back(start)
                if self._asked:
                    self._kept[self._asked.pop()].pop()

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face that the person at the table reads out, or the program's."""
        return self.answers((question,), optional, hidden)[0]

    def answers(self, pool: Sequence[Question], optional: bool, hidden: bool = False) -> list[Answer | None]:
        """The faces that the person at the table reads out, or the program's."""
        by_hand = self.by_hand(pool[0])
        if optional and by_hand:
            return [LEFT_OUT] * len(pool)
        shown: Sequence[int | None] = [None] * len(pool)
        if by_hand:
            shown = self._read(tuple(pool))
            self._pools.append((len(self.faces), tuple(pool), shown))
        self.faces += shown
        return [
            Answer(face, 0) if face is not None else self.program.answer(question, optional, hidden)
            for question, face in zip(pool, shown, strict=True)
        ]

    def _read(self, pool: Pool) -> Sequence[int | None]:
        if kept := self._kept.get(pool):
            return kept.pop(0)
        self.watch(pool)
        shown = self.ask(pool)
        self._asked.append(pool)
        return shown

    def rolled(self, question: Question, hidden: bool = False) -> Answer | None:
        """The program's face."""
        self.faces.append(None)
        return self.program.rolled(question, hidden)

    def mark(self) -> Mark:
        """The dice thrown so far."""
        return len(self.faces), *self.program.mark()

    def back(self, mark: Mark) -> None:
        """Takes back what was thrown since. The same dice are not asked for again: they lie on the table."""
        while self._pools and self._pools[-1][0] >= mark[0]:
            _, pool, shown = self._pools.pop()
            self._kept.setdefault(pool, []).insert(0, shown)
        del self.faces[mark[0] :]
        self.program.back(mark[1:])


class Corrected(Source):
    """The true faces of an action's dice, in the order in which they are needed; when there are no more, another
    source's. None stands for a die of that source.
    """

    def __init__(self, faces: Sequence[int | None], others: Source) -> None:
        self.faces = tuple(faces)
        self.others = others
        self._next = 0

    @property
    def rest(self) -> tuple[int | None, ...]:
        """The faces that are not used yet."""
        return self.faces[self._next :]

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The next face. Raises UsageError when the die does not have that face."""
        if not self.rest:
            return self.others.answer(question, optional, hidden)
        given = self.rest[0]
        found = self.rolled(question, hidden) if given is None else Typed((given,)).answer(question, optional)
        self._next += 1
        return found

    def knows(self, question: Question) -> bool:
        """Whether a face is left, or the other source knows. A die of the program that was thrown before is as good."""
        if self.rest[:1] == (None,) and not self.others.knows(question):
            self._next += 1
            return False
        return bool(self.rest) or self.others.knows(question)

    def rolled(self, question: Question, hidden: bool = False) -> Answer | None:
        """The other source's."""
        return self.others.rolled(question, hidden)

    def mark(self) -> Mark:
        """The faces used, and where the other source is."""
        return self._next, *self.others.mark()

    def back(self, mark: Mark) -> None:
        """As though no more had been used."""
        self._next = mark[0]
        self.others.back(mark[1:])


def answers(rolls: Iterable[Rolled]) -> Iterator[tuple[Question, Answer]]:
    """The dice of an action that was recorded before, each with what it decided."""
    from ledger.dice import parse

    times: dict[tuple[str, str, str], int] = {}
    for roll in rolls:
        asked = (roll.who, roll.purpose, roll.about)
        time = times[asked] = times.get(asked, -1) + 1
        shown = [Answer(*pair) for pair in zip(roll.faces, roll.places, strict=False)]
        for die, sides in enumerate(parse(roll.dice)[0]):
            yield Question(*asked, time, die, sides), shown[die] if die < len(shown) else LEFT_OUT


class Recorded(Source):
    """The dice of an action that was recorded before."""

    def __init__(self, rolls: Iterable[Rolled]) -> None:
        self.rest = dict(answers(rolls))
        self._given: list[tuple[Question, Answer]] = []

    def knows(self, question: Question) -> bool:
        """Whether it was recorded."""
        return question in self.rest

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The recorded face; None for a die of the stream that it should not come from."""
        found = self.rest.get(question)
        if found is None or (found.place and (found.place < 0) is not hidden):
            return None
        self._given.append((question, self.rest.pop(question)))
        return found

    def mark(self) -> Mark:
        """How many dice it has given."""
        return (len(self._given),)

    def back(self, mark: Mark) -> None:
        """Takes the dice since then back."""
        self.rest.update(self._given[mark[0] :])
        del self._given[mark[0] :]
