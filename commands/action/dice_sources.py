"""Where the faces come from when a rule asks for dice: one `Dice`, whose layers are asked in order.

A layer is a function: typed faces, those that were recorded, those that a terminal asks for, the campaign's stream.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


class Answer(Struct, frozen=True, gc=False):
    """A face and its place in the stream, negative in that of hidden dice; place 0 for a die thrown by hand."""

    face: int
    place: int


LEFT_OUT = Answer(0, 0)
"""The answer to a die that nobody threw because nothing depends on it."""
TENS = 10
"""The faces of the die on which a 0 is read as this number."""

Pool = tuple[Question, ...]
"""Dice that are thrown together."""
Asking = Callable[[Sequence[Question]], Sequence[int | None]]
"""Asks for dice that are thrown together by hand, and gives their faces; None for each that the program is to roll.
Raises Back when the dice before them are to be asked for again.
"""
ByHand = Callable[[Question], bool]
"""Whether a die is thrown by hand."""
Came = TypeVar("Came")
"""What comes of an action."""


class Back(Exception):
    """Somebody wants to go back to the dice before."""


class Throw:
    """Dice that are thrown together, while one layer after the other is asked for them."""

    def __init__(self, pool: Sequence[Question], optional: bool, hidden: bool) -> None:
        self.pool = pool
        self.optional = optional
        """Whether they need not be thrown: LEFT_OUT is an answer, too."""
        self.hidden = hidden
        """Whether nobody but the game master sees them fall."""
        self.found: dict[int, Answer | None] = {}
        """The answer for each die by its place in the pool; None for one that nobody has thrown."""
        self.left = set[int]()
        """Those that are left to the program, also of one who throws by hand."""

    @property
    def open(self) -> list[int]:
        """The places of the dice for which the next layer is asked."""
        return [nth for nth in range(len(self.pool)) if nth not in self.found]

    @property
    def answers(self) -> list[Answer | None]:
        """The answer for each die; None for one that nobody has thrown."""
        return [self.found.get(nth) for nth in range(len(self.pool))]

    def wait(self, nth: int) -> None:
        """A die that is to be thrown by hand, and is not."""
        self.found[nth] = LEFT_OUT if self.optional else None


class Layer:
    """A function that answers what it can of a throw, and a list in which it keeps what it gave: what is taken off the
    end of the list, it has not given.
    """

    def __init__(self, ask: Callable[[Throw, list[Any]], None]) -> None:
        self.ask, self.used = ask, list[Any]()


Mark = tuple[int, ...]
"""How much some dice have given, and each of their layers."""


class Dice:
    """The dice of an action: faces that were typed, or a terminal that asks for them; then other layers, in order."""

    def __init__(
        self,
        *layers: Layer,
        faces: Sequence[int | None] | None = None,
        owners: Sequence[str] = (),
        spare: bool = False,
        ask: Asking | None = None,
        by_hand: ByHand = lambda _: True,
    ) -> None:
        """With `faces`, dice thrown by hand are given in the order in which they are needed, of each who is named in
        `owners` by itself; None stands for a die of the program. The faces of small dice may stand together: 626 for
        three d6. With `ask` they are asked for pool by pool. All others are those of `layers`.
        """
        self.faces = list(faces or ())
        self.owners = [owner.casefold() for owner in owners] or [""] * len(self.faces)
        """Who threw each of them; "" for one that anybody may need who throws by hand."""
        self.spare = spare
        """Whether faces that nothing needs may be set aside."""
        self.by_hand = by_hand
        """Whether a die is thrown by hand where nobody is named; the layers give all others."""
        self.watch: Callable[[Sequence[Question]], None] = lambda _: None
        """Is told of each pool before it is asked for."""
        self.throws: list[Throw] = []
        """What was asked for and given, in order."""
        self._ask = ask
        self._asked: list[tuple[Pool, Sequence[int | None]]] = []
        own = [Layer(self._typed)] if faces is not None else [Layer(self._at_the_table)] if ask else []
        self.layers = (*own, *layers)
        self._start = self.mark()

    def answers(self, pool: Sequence[Question], optional: bool, hidden: bool = False) -> list[Answer | None]:
        """The faces of dice that are thrown together; LEFT_OUT for one that need not be thrown, None for one that
        nobody has thrown. `hidden` says that nobody but the game master sees them fall.
        """
        throw = Throw(pool, optional, hidden)
        for layer in self.layers:
            layer.ask(throw, layer.used)
        self.throws.append(throw)
        return throw.answers

    def mark(self) -> Mark:
        """How much was given, for `back`."""
        return len(self.throws), *(len(layer.used) for layer in self.layers)

    def back(self, mark: Mark | None = None) -> None:
        """Takes back the dice that were given since the mark, or all, for an action that turned out not to be possible
        or that was only looked at.
        """
        for given, many in zip((self.throws, *(layer.used for layer in self.layers)), mark or self._start, strict=True):
            del given[many:]

    def given(self) -> list[Answer]:
        """What was given, in order."""
        return [answer for throw in self.throws for answer in throw.answers if answer]

    def as_typed(self) -> tuple[int | None, ...]:
        """The faces that were given, as they are typed: None for each that the program rolled."""
        return tuple(None if one.place else one.face for one in self.given() if one is not LEFT_OUT)

    # Typed

    @property
    def rest(self) -> tuple[int | None, ...]:
        """The typed faces that are not used yet."""
        return tuple([self.faces[at] for at in self._rest])

    @property
    def named_rest(self) -> tuple[str, ...]:
        """The names before those of them that are no dashes."""
        return tuple([self.owners[at] for at in self._rest if self.owners[at] and self.faces[at] is not None])

    def rest_of(self, owner: str) -> list[int]:
        """The places of the typed faces of one who is named that are not used yet."""
        return [at for at in self._rest if self.owners[at] == owner]

    @property
    def _rest(self) -> list[int]:
        used = {*self.layers[0].used} if self.faces else ()
        return [at for at in range(len(self.faces)) if at not in used]

    @property
    def left_over(self) -> str:
        """The first of these in words."""
        return ", ".join("-" if face is None else str(face) for face in self.rest[:5])

    def _typed(self, throw: Throw, used: list[int]) -> None:
        """The next faces that were typed."""
        for nth in throw.open:
            question, pool = throw.pool[nth], throw.pool[nth:]
            ours, taken = self.by_hand(question), {*used}
            owners = (question.who.casefold(), *([""] if ours else []))
            at = next((at for at, owner in enumerate(self.owners) if at not in taken and owner in owners), -1)
            if at >= 0:
                self._take_apart(at, pool, used)
                used.append(at)
                if (given := self.faces[at]) is None:
                    throw.left.add(nth)
                else:
                    throw.found[nth] = face_of(given, question, len(pool))
            elif ours or self.layers[1:] == ():
                throw.wait(nth)

    def _take_apart(self, at: int, pool: Sequence[Question], used: list[int]) -> None:
        """Puts the digits of what is no face in its place, if each of them is one of a die of the pool."""
        digits, sides = str(self.faces[at]), [question.sides for question in pool]
        if not digits.isdigit() or int(digits) <= sides[0] or len(digits) > len(pool) or max(sides) > TENS:
            return
        if not all(1 <= (int(one) or 10) <= size for one, size in zip(digits, sides, strict=False)):
            return
        more = len(digits) - 1
        self.faces[at : at + 1] = map(int, digits)
        self.owners[at : at + 1] = [self.owners[at]] * len(digits)
        used[:] = [one + more if one > at else one for one in used]

    # Asked for

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
                del self._asked[-1:]

    def _at_the_table(self, throw: Throw, used: list[Pool]) -> None:
        """The faces that the person at the table reads out. Dice that were taken back are not asked for again: they
        lie on the table.
        """
        asked = [nth for nth in throw.open if nth not in throw.left and self.by_hand(throw.pool[nth])]
        if throw.optional:
            throw.found |= dict.fromkeys(asked, LEFT_OUT)
        elif asked and self._ask:
            pool = tuple(throw.pool[nth] for nth in asked)
            lying = [shown for one, shown in self._asked if one == pool][used.count(pool) :]
            if not lying:
                self.watch(pool)
                lying = [self._ask(pool)]
                self._asked.append((pool, lying[0]))
            used.append(pool)
            throw.found |= {nth: Answer(face, 0) for nth, face in zip(asked, lying[0], strict=True) if face is not None}


def face_of(given: int, question: Question, together: int = 1) -> Answer:
    """The face of a die that was thrown by hand, of so many dice that were thrown together. Raises UsageError when the
    die does not have that face.
    """
    given = given or (TENS if question.sides == TENS else given)
    if not 1 <= given <= question.sides:
        several = together <= given <= together * question.sides
        roll = f"{question.purpose} ({question.who})" if question.who else question.purpose
        more = f"; write each of the {together} dice, not their sum" if several else ""
        message = f"{given} is not a face of the d{question.sides} for {roll}."
        raise UsageError(message, f"It shows 1 to {question.sides}{more}.")
    return Answer(given, 0)


# Layers


def stream(key: bytes | Callable[[bool], bytes], drawn: int = 0, hidden: int = 0) -> Layer:
    """Dice from a key, or from one of the open dice and one of the hidden ones, after so many of each: never without an
    answer. Raises LedgerDamaged after the last one.
    """
    keys = {False: key, True: key} if isinstance(key, bytes) else {}

    def ask(throw: Throw, used: list[tuple[int, int]]) -> None:
        unseen = throw.hidden
        if unseen not in keys and callable(key):
            keys[unseen] = key(unseen)
        for nth in throw.open:
            places = used[-1] if used else (drawn, hidden)
            if (place := places[unseen]) >= MOST_PLACE:
                raise LedgerDamaged(f"The ledger says that {place:,} dice were drawn; there are no more.")
            used.append((places[0], place + 1) if unseen else (place + 1, places[1]))
            shown = face(keys[unseen], place + 1, throw.pool[nth].sides)
            throw.found[nth] = Answer(shown, -place - 1 if unseen else place + 1)

    return Layer(ask)


def program(store: Store, head: Head) -> Layer:
    """The campaign's own dice, in its newest epoch. Its key is not read before the first die falls."""

    def key(hidden: bool) -> bytes:
        epoch = store.epoch()
        own = secret(store.key(), HIDDEN if hidden else OPEN, epoch.number, epoch.before or "")
        return dice_key(own, epoch.words)

    return stream(key, head.drawn, head.hidden)


def unthrown(by_hand: ByHand) -> Layer:
    """Dice that are thrown by hand and that nobody has thrown yet."""

    def ask(throw: Throw, used: list[int]) -> None:
        for nth in throw.open:
            if nth not in throw.left and by_hand(throw.pool[nth]):
                throw.wait(nth)

    return Layer(ask)


def in_a_row(faces: Sequence[int | None], owners: Sequence[str] = ()) -> Layer:
    """Faces for the next dice, of each who is named in `owners` by itself, "" for anybody; None stands for a die of the
    program. It keeps the places of those that it gave.
    """

    def ask(throw: Throw, used: list[int]) -> None:
        for nth in throw.open:
            whose = {"", throw.pool[nth].who.casefold()} if owners else {""}
            free = (at for at in range(len(faces)) if at not in used and (not owners or owners[at] in whose))
            if nth not in throw.left and (at := next(free, None)) is not None:
                if (given := faces[at]) is None:
                    throw.left.add(nth)
                else:
                    throw.found[nth] = face_of(given, throw.pool[nth])
                used.append(at)

    return Layer(ask)


def of_record(rolls: Iterable[Rolled]) -> Layer:
    """The dice of an action that was recorded before."""
    return of_answers(dict(answers(rolls)))


def of_answers(known: Mapping[Question, Answer]) -> Layer:
    """Dice of which it is known what they decided; none of the stream that it should not come from."""

    def ask(throw: Throw, used: list[Question]) -> None:
        for nth in throw.open:
            question = throw.pool[nth]
            found = known.get(question)
            if found and question not in used and not (found.place and (found.place < 0) is not throw.hidden):
                used.append(question)
                throw.found[nth] = found

    return Layer(ask)


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
