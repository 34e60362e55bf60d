"""Questions: dice that somebody in a seat is asked for on their phone while a command waits, wherever it was given.

Each stands on a paper of the tray. The phone answers there, or the game master at the terminal, or another terminal. A
face that a phone has sent stands: where the command is given up, it is recorded as set aside.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from math import inf
from secrets import token_hex

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import Book, Order
from commands.action.dice_sources import TENS, Question
from commands.action.names import SEATS
from commands.action.seats import SetAside
from commands.action.whose_dice import seats_of
from commands.words.asking import answer_unless
from commands.words.console import Console
from commands.words.dice_words import Hand, in_words
from ledger.errors import AffrayError, UsageError
from ledger.tray import QUESTION as KIND
from ledger.tray import Paper, Tray

from .aside import set_aside
from .trays import tray_of

OPEN, ANSWERED, CLOSED, USED, ASIDE = "open", "answered", "closed", "used", "set aside"
_BEAT = 2.0
"""Seconds after which somebody who waits says again that they do."""
PATIENCE = 60.0
"""Seconds for which a command waits that nobody can end at a terminal."""
DEAD = 10.0
"""Seconds after which somebody who says nothing is taken to be gone."""


class Asked(Struct, frozen=True, omit_defaults=True):
    """What the paper of a question holds."""

    who: str
    dice: tuple[int, ...]
    """The sides of each."""
    purpose: str
    about: str
    command: str
    """The id under which the command is recorded that waits for it."""
    beat: int = 0
    faces: tuple[int | None, ...] = ()
    """What was answered, None for a die that the program rolls."""


class Wanted(Struct, frozen=True):
    """A question as it is shown."""

    id: str
    number: int
    seat: str
    who: str
    dice: list[str]
    purpose: str
    about: str

    def told(self) -> str:
        """`waiting for Jane: d20 for defense`."""
        sides = [int(one[1:]) for one in self.dice]
        pool = [Question(self.who, self.purpose, self.about, 0, nth, size) for nth, size in enumerate(sides)]
        about = f" ({self.about})" if self.about else ""
        return f"waiting for {self.seat}: {in_words(pool)} for {self.purpose}{about}"


def asked_of(paper: Paper) -> Asked:
    """What a paper holds."""
    return msgspec.json.decode(paper.body, type=Asked)


def shown(paper: Paper) -> Wanted:
    """The question as its seat sees it."""
    held = asked_of(paper)
    dice = [f"d{sides}" for sides in held.dice]
    return Wanted(paper.id, paper.nth, paper.seat, held.who, dice, held.purpose, held.about)


def _fitting(held: Asked, faces: Sequence[int | None]) -> tuple[int | None, ...]:
    """The faces of an answer, a 0 on a d10 as 10. Raises UsageError when they are not of these dice."""
    if len(faces) != len(held.dice):
        raise UsageError(f"{len(held.dice)} dice are asked for, and {len(faces)} are given.")
    read = [TENS if face == 0 and sides == TENS else face for face, sides in zip(faces, held.dice, strict=True)]
    for face, sides in zip(read, held.dice, strict=True):
        if face is not None and not 1 <= face <= sides:
            raise UsageError(f"A d{sides} shows 1 to {sides}.")
    return tuple(read)


def answer(tray: Tray, paper: Paper, faces: Sequence[int | None]) -> None:
    """Answers a question. Raises UsageError when somebody else has answered it."""
    while paper.state == OPEN:
        held = asked_of(paper)
        tray.change(paper, ANSWERED, _json(replace(held, faces=_fitting(held, faces))))
        found = tray.find(KIND, paper.seat, paper.id)
        if found is None:
            raise UsageError("Nobody asks for these dice any more.")
        paper = found
    held = asked_of(paper)
    if paper.state == CLOSED or held.faces != _fitting(held, faces):
        raise UsageError("Nobody asks for these dice any more.")


def close(tray: Tray, paper: Paper) -> bool:
    """Ends a question that nobody has answered; says whether it did."""
    while (now := tray.find(KIND, paper.seat, paper.id)) is not None and now.state == OPEN:
        if tray.change(now, CLOSED):
            return True
    return now is not None and now.state == CLOSED


def _json(held: Asked) -> str:
    return msgspec.json.encode(held).decode()


class GivenUp(UsageError):
    """Nobody waits for a die any more."""


class Phones(Hand):
    """Asks those in seats on their phones for dice, and at the same time somebody at the terminal."""

    def __init__(self, book: Book, tray: Tray, command: str, terminal: bool, waits: Callable[[str], None]) -> None:
        super().__init__(SEATS)
        self._book, self._tray, self.command = book, tray, command
        self._terminal, self._waits = terminal, waits
        """Whether somebody may type the dice here; and who is told for whom it waits."""
        self.papers: list[Paper] = []
        """The questions of the command."""
        self._at: Paper | None = None
        self._beaten = 0.0
        self.patience = inf
        """Seconds for which it waits where nobody may type."""

    @classmethod
    def of(cls, console: Console, tray: Tray, command: str) -> "Phones":
        """Those that a command at a console asks. Without a terminal it says for whom it waits, and not for ever."""
        made = cls(console.book, tray, command, console.asks, (lambda _: None) if console.asks else console.whisper)
        made.patience = PATIENCE
        return made

    def __call__(self, pool: Sequence[Question]) -> list[int | None]:
        """The faces of dice that are thrown together; of nobody in a seat the program rolls them. Raises GivenUp when
        they are not waited for any more.
        """
        seats = seats_of(self._book.present()[1], pool[0].who)
        if not seats:
            return [None] * len(pool)
        first = pool[0]
        sides = tuple(one.sides for one in pool)
        body = _json(Asked(first.who, sides, first.purpose, first.about, self.command))
        self._at = self._tray.lay(KIND, seats[0].name, token_hex(8), OPEN, body)
        self.papers.append(self._at)
        self._waits(shown(self._at).told())
        try:
            typed = super().__call__(pool) if self._terminal else self._wait()
        except _Arrived as arrived:
            return arrived.faces
        except BaseException:
            close(self._tray, self._at)
            raise
        return typed if close(self._tray, self._at) else self._faces

    def check(self, needed: str) -> None:
        """Somebody may always be asked."""

    def read(self, question: str) -> str | None:
        """The line that somebody types here. Raises _Arrived when the phone was sooner."""
        assert self._at is not None
        line = answer_unless(f"(waiting for {self._at.seat}) {question}", self._arrived)
        if line is None and self._arrived():
            raise _Arrived(self._faces)
        return line

    def _wait(self) -> list[int | None]:
        until = time.monotonic() + self.patience
        while not self._arrived():
            if time.monotonic() > until:
                raise GivenUp(
                    f"{self._now().seat} has not sent the dice for {self.patience:.0f} seconds; nothing was recorded.",
                    "Say it again when they are at their phone, or in a terminal, where the dice can be typed.",
                )
            time.sleep(0.1)
        raise _Arrived(self._faces)

    @property
    def _faces(self) -> list[int | None]:
        """What the phone has answered."""
        return [*asked_of(self._now()).faces]

    def _arrived(self) -> bool:
        """Whether the phone has answered. Raises GivenUp when somebody else has ended the question."""
        now = self._now()
        if now.state == CLOSED:
            raise GivenUp(f"{now.seat} is no longer asked; nothing was recorded.")
        if now.state == OPEN and time.monotonic() > self._beaten + _BEAT:
            self._beaten = time.monotonic()
            held = asked_of(now)
            self._tray.change(now, OPEN, _json(replace(held, beat=held.beat + 1)))
        return now.state == ANSWERED

    def _now(self) -> Paper:
        assert self._at is not None
        found = self._tray.find(KIND, self._at.seat, self._at.id)
        if found is None:
            raise GivenUp("The question is gone; nothing was recorded.")
        return found

    def check_standing(self) -> None:
        """Raises GivenUp when an answer was set aside meanwhile, because this was taken to be gone."""
        if any(paper.state == ASIDE for paper in self._papers()):
            raise GivenUp("The dice were set aside meanwhile; nothing was recorded.")

    def _papers(self) -> list[Paper]:
        found = (self._tray.find(KIND, paper.seat, paper.id) for paper in self.papers)
        return [paper for paper in found if paper is not None]

    def settle(self) -> None:
        """Notes what became of the answers: used where the command is recorded, else set aside, with an entry."""
        for paper in self._papers():
            settle(self._book, self._tray, paper, "given up")


class _Arrived(Exception):
    """The phone was sooner than somebody at the terminal."""

    def __init__(self, faces: list[int | None]) -> None:
        super().__init__()
        self.faces = faces


def settle(book: Book, tray: Tray, paper: Paper, why: str) -> None:
    """Notes what became of an answer. Faces that no entry has used are recorded as set aside."""
    if paper.state == OPEN:
        close(tray, paper)
        return
    if paper.state != ANSWERED:
        return
    held = asked_of(paper)
    if book.store.recorded(held.command):
        tray.change(paper, USED)
        return
    if faces := tuple(face for face in held.faces if face is not None):
        set_aside(book, SetAside(held.who, faces, held.purpose, why), f"asked {paper.id}/aside")
    tray.change(paper, ASIDE)


@contextmanager
def phones(console: Console, order: Order) -> Iterator[Order]:
    """The order, asking those in seats on their phones. Answers that it did not use are recorded as set aside."""
    with closing(tray_of(console)) as tray:
        once = order.once or f"asked {token_hex(8)}"
        asking = Phones.of(console, tray, once)
        try:
            yield replace(order, ask=asking, side=SEATS, option=None, once=once, still=asking.check_standing)
        finally:
            with suppress(AffrayError):  # the worker notes it later
                asking.settle()
