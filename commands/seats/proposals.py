"""Proposals: what a seat wants to do, until it is recorded, sent back or taken back.

The ledger decides. An entry with the id of a proposal is that proposal, recorded, whatever its paper says; and papers
are settled while nobody can write into the ledger, so nothing is both recorded and declined.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Done, Order
from commands.action.declaration import Declaration
from commands.action.dice_sources import Asking, Question
from commands.action.names import SEATS, acting
from commands.action.seats import SetAside
from commands.action.whose_dice import seats_of
from commands.words.dice_words import read_dice
from ledger.errors import AffrayError, LedgerBusy, NameUnknown, UsageError
from ledger.events import whose
from ledger.store import Head
from ledger.tray import PROPOSAL as KIND
from ledger.tray import Paper, Tray
from projections.state import State

from .aside import set_aside, tried
from .sayable import ASK_GM, Saying, is_hers, may_act, named_in

WAITS, RECORDED, DECLINED, BACK = "waits", "recorded", "declined", "taken back"
_MOST = 20
"""The most proposals of a seat that wait at once."""
_LONGEST = 100
"""The most characters of what some dice were thrown for."""
Faces = tuple[int | None, ...] | None
"""Faces in the order needed, None for one that the program rolls; None where it rolls them all."""
For = tuple[str, str, str]
"""What a die was thrown for: by whom, the purpose, and about whom."""


class Body(Struct, frozen=True, omit_defaults=True):
    """What the paper of a proposal holds."""

    verb: str
    said: dict[str, object]
    line: str
    dice: Faces = ()
    thrown_for: tuple[For, ...] = ()
    """What each of these dice was thrown for; empty where they are in the order in which they are asked for."""
    sent: str = ""
    """What the phone sent, so that the same comes again and nothing else."""
    say: str = ""
    """What the phone is told."""
    why: str = ""
    """What the rules say against it: for the game master."""
    entry: int = 0


class Told(Struct, frozen=True):
    """A proposal as the phone is told of it."""

    id: str
    line: str
    dice: Faces
    state: str
    entry: int
    say: str


class Shown(Struct, frozen=True):
    """A proposal as the game master is shown it."""

    number: int
    seat: str
    line: str
    dice: Faces
    state: str
    entry: int
    why: str
    """What the rules say against it, if somebody tried to accept it."""


def body_of(paper: Paper) -> Body:
    """What a paper holds."""
    return msgspec.json.decode(paper.body, type=Body)


def told(paper: Paper) -> Told:
    """The proposal as its phone is told of it. Numbers would tell how much others propose."""
    body = body_of(paper)
    return Told(paper.id, body.line, body.dice, paper.state, body.entry, body.say)


def shown(paper: Paper) -> Shown:
    """The proposal as the game master sees it."""
    body = body_of(paper)
    return Shown(paper.nth, paper.seat, body.line, body.dice, paper.state, body.entry, body.why)


def waiting(tray: Tray) -> list[Paper]:
    """The proposals that wait, in the order in which they came."""
    return tray.papers(KIND, WAITS)


def propose(
    tray: Tray, seat: str, id_: str, saying: Saying, dice: Faces, sent: str, thrown_for: tuple[For, ...] = ()
) -> Paper:
    """Lays a proposal on the tray, or finds it there. Raises UsageError when its id stands for something else, or too
    many wait.
    """
    paper = known(tray, seat, id_, sent)
    if paper is not None:
        return paper
    if sum(one.seat == seat for one in waiting(tray)) >= _MOST:
        raise UsageError(f"{_MOST} proposals wait already; take one back.")
    said = msgspec.to_builtins(saying.declaration)
    if saying.dice is not None:
        dice, thrown_for = saying.dice, ()
    return tray.lay(KIND, seat, id_, WAITS, _json(Body(saying.verb, said, saying.line, dice, thrown_for, sent)))


def known(tray: Tray, seat: str, id_: str, sent: str) -> Paper | None:
    """The proposal of a seat with this id, if there is one. Raises Taken when it was sent with other words."""
    paper = tray.find(KIND, seat, id_)
    if paper is not None and body_of(paper).sent != sent:
        raise Taken("That id stands for something else already.")
    return paper


class Taken(UsageError):
    """An id that was used before stands for something else."""


def _json(body: Body) -> str:
    return msgspec.json.encode(body).decode()


def once(paper: Paper) -> str:
    """The id under which a proposal is recorded."""
    return f"seat {paper.seat} {paper.id}"


# Deciding


class Hers:
    """Gives the faces that came with a proposal, each for what it was thrown for, and then asks further."""

    def __init__(self, book: Book, seat: str, body: Body, further: Asking) -> None:
        self._book, self._seat, self._further = book, seat, further
        self._programs = body.dice is None
        self._left: list[tuple[For | None, int | None]] = [*zip_longest(body.thrown_for, body.dice or ())]
        """The dice that nothing has needed yet."""

    def __call__(self, pool: Sequence[Question]) -> list[int | None]:
        """The faces of a pool: those of the seat from the proposal, of the others those that somebody is asked for."""
        if not any(one.name == self._seat for one in seats_of(self._book.present()[1], pool[0].who)):
            return [*self._further(pool)]
        if self._programs:
            return [None] * len(pool)
        wanted = pool[0].who, pool[0].purpose, pool[0].about
        mine_now = [one for one in self._left if one[0] in (None, wanted)][: len(pool)]
        for one in mine_now:
            self._left.remove(one)
        faces = [face for _, face in mine_now]
        if rest := pool[len(faces) :]:
            faces += self._further(rest)
        return faces

    @property
    def left(self) -> list[tuple[int, str]]:
        """The faces that nothing has needed, each with the purpose, "" where that is not known."""
        return [(face, thrown_for[1] if thrown_for else "") for thrown_for, face in self._left if face is not None]


def accept(
    book: Book,
    tray: Tray,
    paper: Paper,
    further: Asking,
    by: str,
    instead: Saying | None = None,
    shown: Head | None = None,
) -> Done:
    """Records a proposal, perhaps with other words instead of its own, as `by`; where those rely on what was `shown`,
    only if that is still the end of the ledger. Raises Settled when it does not wait,
    and what the rules raise: then it goes on waiting.
    """
    _check_waits(book, tray, paper)
    _check_seated(book.present()[1], paper)
    body = body_of(paper)
    saying = instead or Saying(body.verb, _declaration(book, body))
    hers = Hers(book, paper.seat, body, further)
    words = saying.verb, saying.declaration, saying.line
    everybody = (thrown_by(book.present()[1]) or "").casefold() == SEATS
    side, still = SEATS if everybody else paper.seat, partial(_check_waits, book, tray, paper)
    order = Order(*words, ask=hers, tells=True, side=side, shown=shown, once=once(paper), still=still)
    before, book.by = book.by, by
    try:
        done = tried(book, order)
    except AffrayError as error:
        _note(tray, paper, error)
        raise
    finally:
        book.by = before
    settle(tray, paper, RECORDED, entry=done.entry)
    if hers.left:
        faces, purposes = zip(*hers.left, strict=True)
        purpose = ", ".join(dict.fromkeys(purposes)) or body.verb
        set_aside(book, SetAside(_thrower(paper), faces, purpose[:_LONGEST], "not needed"), aside(paper))
    return done


def thrown_by(state: State) -> str | None:
    """The side whose dice are thrown by hand, as `$AFFRAY_DICE` or the campaign says: "" for everybody's, None for
    nobody's.
    """
    hand = read_dice(None)[1]
    return hand.side if hand else str(state.campaign.options.get("hand_dice") or "") or None


def _declaration(book: Book, body: Body) -> Declaration:
    _, kind = systems.procedure(systems.find_verb(book.present()[1].campaign.system, body.verb))
    return msgspec.convert(body.said, kind)


def _note(tray: Tray, paper: Paper, error: AffrayError) -> None:
    """Keeps on the paper what the rules say against it, for the game master. The phone is only told to ask."""
    if isinstance(error, LedgerBusy):
        return
    now = tray.find(KIND, paper.seat, paper.id)
    if now is not None and now.state == WAITS:
        tray.change(now, WAITS, _json(replace(body_of(now), why=error.message[:1000], say=ASK_GM)))


def trusts(book: Book, paper: Paper) -> bool:
    """Whether a proposal may be recorded without asking the game master: its seat is trusted, it is their time to act,
    and it says nothing that is the game master's to say.
    """
    state, body = book.present()[1], body_of(paper)
    seat = state.seats.named(paper.seat)
    if seat is None or not seat.trusted:
        return False
    with suppress(AffrayError, msgspec.ValidationError):
        declaration = _declaration(book, body)
        now = acting(state)
        in_time = all(one in now for one in who_acts(paper))
        return in_time and is_hers(declaration) and may_act(state, seat, body.verb, body.said)
    return False


def _check_seated(state: State, paper: Paper) -> None:
    """Raises UsageError when those for whom something was proposed are not played from that seat any more, or the turn
    that it ends is not theirs.
    """
    seat, body = state.seats.named(paper.seat), body_of(paper)
    with suppress(NameUnknown):
        if seat and may_act(state, seat, body.verb, body.said):
            return
    who = ", ".join(who_acts(paper))
    why = f"{paper.seat} no longer plays {who}." if who else f"It is not {whose(paper.seat)} turn any more."
    raise UsageError(why, f"affray decline {paper.nth}")


def decline(book: Book, tray: Tray, paper: Paper, word: str = "", how: str = DECLINED) -> None:
    """Sends a proposal back, or takes it back. Faces that came with it are recorded as set aside; without any there is
    no trace of it in the ledger. Raises Settled when it does not wait.
    """
    faces = tuple(face for face in body_of(paper).dice or () if face is not None)
    if not faces:
        with book.store.writing():
            _check_waits(book, tray, paper)
            settle(tray, paper, how, say=word)
        return
    _check_waits(book, tray, paper)
    said = SetAside(_thrower(paper), faces, body_of(paper).verb, f"{how}{f': {word}' if word else ''}"[:200])
    set_aside(book, said, aside(paper), partial(_check_waits, book, tray, paper))
    settle(tray, paper, how, say=word)


def aside(paper: Paper) -> str:
    """The id under which the dice of a proposal are recorded that nothing has used."""
    return f"{once(paper)}/aside"


def who_acts(paper: Paper) -> tuple[str, ...]:
    """Those for whom something is proposed."""
    return named_in(body_of(paper).said)


def _thrower(paper: Paper) -> str:
    return (*who_acts(paper), paper.seat)[0]


def _check_waits(book: Book, tray: Tray, paper: Paper) -> None:
    """Raises UsageError unless a proposal waits. One that the ledger holds already is settled first."""
    if entry := book.store.recorded(once(paper)):
        settle(tray, paper, RECORDED, entry=entry)
    elif book.store.recorded(aside(paper)):
        settle(tray, paper, DECLINED)
    now = tray.find(KIND, paper.seat, paper.id)
    if now is None or now.state != WAITS:
        how = now.state if now else "gone"
        raise Settled(f"Proposal {paper.nth} of {paper.seat} is already {how}.", "affray proposals")


class Settled(UsageError):
    """A proposal does not wait any more."""


def settle(tray: Tray, paper: Paper, state: str, entry: int = 0, say: str = "") -> None:
    """Notes on its paper how a proposal was settled. What is recorded stays so."""
    while (now := tray.find(KIND, paper.seat, paper.id)) is not None and now.state != RECORDED:
        if tray.change(now, state, _json(replace(body_of(now), entry=entry, say=say, why=""))):
            break
