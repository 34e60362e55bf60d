"""The worker: a process beside the server, which records what seats propose as a command does. So nothing that it waits
for holds up the page, and a command in a terminal comes first.

What one seat says is carried out in order; what another says meanwhile does not wait for it.
"""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from commands.action import systems
from commands.action.book import Book
from commands.action.dice_sources import Dice
from commands.action.procedures import after_opening, resolve
from commands.action.resolution import Again, Needed, Resolution
from commands.odds.branches import Action
from commands.odds.needs import needs
from commands.past.processes import started
from commands.words.discovery import opened
from commands.words.form import Table
from commands.words.next_steps import next_steps
from commands.words.screen import harmless
from commands.words.shells import Shell
from ledger.errors import AffrayError
from ledger.tray import Paper, Tray
from projections.state import decode

from . import questions
from .deciding import instead_of
from .hand import ASKED, Hand, Tap, offered, said_in, still
from .proposals import BACK, KIND, Body, Settled, accept, body_of, decline, once, told, trusts
from .questions import ANSWERED, OPEN, Phones, asked_of
from .sayable import Saying
from .trays import tray_at

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_SWEEP = 2.0
"""Seconds between two looks for commands that nobody carries on."""


class Job(Struct, frozen=True):
    """Something to do: a proposal of a trusted seat, a word of the game master, or a look at the dice; or to begin."""

    kind: Literal["begin", "trusted", "record", "send back", "take back", "needs", "desk"]
    number: int = 0
    seat: str = ""
    word: str = ""
    state: str = ""
    """For a look at the dice: the twin of the state, as its JSON."""
    verb: str = ""
    said: dict[str, Any] = {}
    plays: tuple[str, ...] = ()
    tap: Tap = Tap()
    """At the desk: what is tapped, and `word` what is asked of the hand."""


Answer = dict[str, Any]


class Worker:
    """The process, as the server sees it. Started when it is first needed, and anew when it has ended."""

    def __init__(self, path: str, shell: Shell | None = None, patience: int = 0) -> None:
        self._path, self._shell, self._patience = path, shell, patience
        self._pipe: Connection[Any, Any] | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0
        self._sending = threading.Lock()

    async def ask(self, job: Job, seconds: float) -> Answer | None:
        """The answer to a job; None when there is none within so many seconds. The job is carried out in any case."""
        loop = asyncio.get_running_loop()
        number = self._number = self._number + 1
        answer = self._waiting[number] = loop.create_future()
        try:
            await asyncio.to_thread(self._send, (number, job), loop)
        except OSError:
            self._waiting.pop(number, None)
            answer.cancel()
            return None
        with suppress(TimeoutError, asyncio.CancelledError):
            return await asyncio.wait_for(asyncio.shield(answer), seconds)
        return None

    def _send(self, job: tuple[int, Job], loop: asyncio.AbstractEventLoop) -> None:
        with self._sending:
            if self._pipe is None:
                self._pipe = started(work, self._path, self._shell, self._patience)
                threading.Thread(target=self._listen, args=(self._pipe, loop), daemon=True).start()
            try:
                self._pipe.send(job)
            except OSError:
                self._pipe = None
                raise

    def _listen(self, pipe: "Connection[Any, Any]", loop: asyncio.AbstractEventLoop) -> None:
        with suppress(EOFError, OSError, RuntimeError):
            while True:
                number, answer = pipe.recv()
                loop.call_soon_threadsafe(self._give, number, answer)
        with self._sending:
            self._pipe = None if self._pipe is pipe else self._pipe

    def _give(self, number: int, answer: Answer) -> None:
        future = self._waiting.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def end(self) -> None:
        """Ends it."""
        if self._pipe is not None:
            self._pipe.close()


def work(pipe: "Connection[Any, Any]", path: str, shell: Shell | None, patience: int) -> None:
    """Carries out the jobs that come through a pipe, until nobody is there, with some patience for other programs."""
    if hasattr(os, "nice"):
        os.nice(patience)
    lanes: dict[str, ThreadPoolExecutor] = {}
    sending = threading.Lock()
    threading.Thread(target=_sweep, args=(path,), daemon=True).start()

    def carry(number: int, job: Job) -> None:
        answer = carried_out(path, job, shell)
        with sending, suppress(OSError):
            pipe.send((number, answer))

    with suppress(EOFError, OSError):
        while True:
            number, job = pipe.recv()
            lane = {"needs": "look", "desk": "desk", "take back": f"back {job.seat}"}.get(job.kind, job.seat)
            lanes.setdefault(lane, ThreadPoolExecutor(1)).submit(carry, number, job)
    os._exit(0)  # whatever waits for a die leaves no trace


def carried_out(path: str, job: Job, shell: Shell | None = None) -> Answer:
    """What came of a job."""
    try:
        if job.kind == "begin":
            return {}
        if job.kind == "needs":
            return _needs(job)
        if job.kind == "desk" and shell:
            return ASKED[job.word](Hand(path, shell), job.tap)
        with _opened(path) as (book, tray):
            return _decided(book, tray, job)
    except AffrayError as error:
        return {"error": error.reference, "say": error.message}
    except Exception as error:  # the worker goes on
        return {"error": "fault", "say": f"{type(error).__name__}: {error}"[:200]}


@contextmanager
def _opened(path: str) -> Iterator[tuple[Book, Tray]]:
    """A ledger with its tray."""
    with closing(opened(path)) as store:
        book = Book(store)
        with closing(tray_at(path, book.present()[1])) as tray:
            yield book, tray


def _decided(book: Book, tray: Tray, job: Job) -> Answer:
    paper = next((one for one in tray.papers(KIND) if one.nth == job.number), None)
    if paper is None:
        return {"error": "name", "say": f"There is no proposal {job.number}."}
    answer: Answer = {"number": paper.nth}
    try:
        if job.kind == "trusted" and trusts(book, paper):
            _accept(book, tray, paper, f"{paper.seat}, trusted", job.tap)
        elif job.kind == "record":
            _accept(book, tray, paper, f"{paper.seat}, accepted by {book.by}", job.tap)
        elif job.kind == "send back":
            decline(book, tray, paper, job.word)
        elif job.kind == "take back":
            decline(book, tray, paper, how=BACK)
    except Settled:
        pass  # its state says so
    except AffrayError as error:
        answer |= {"error": error.reference, "say": harmless(error.message), **_offered(book, body_of(paper), error)}
    now = tray.find(KIND, paper.seat, paper.id) or paper
    return {"state": now.state, **answer, "told": msgspec.to_builtins(told(now))}


def _instead(book: Book, tap: Tap) -> Saying | None:
    """What the game master says in place of what is proposed; None for nothing."""
    if not (tap.line or tap.verb):
        return None
    table = Table(book.present()[1])
    return instead_of(said_in(table, tap), table.system)


def _offered(book: Book, body: Body, error: AffrayError) -> Answer:
    """What can be recorded where the rules refuse a proposal; where that is the same action, `instead` is what is said
    otherwise.
    """
    table, proposed = Table(book.present()[1]), body.line.replace(" --", " ").split()
    error.offers = next_steps(table, (), error)
    found, verbs = offered(error), table.verbs
    for one in found["offers"]:
        verb, *words = one["line"].replace(" --", " ").split()
        other = " ".join(word for word in words if word not in proposed) or one["line"]
        one["instead"] = other if verb == body.verb else ""
    return {"offers": [one for one in found["offers"] if one["instead"] or one["line"].partition(" ")[0] in verbs]}


def _accept(book: Book, tray: Tray, paper: Paper, by: str, tap: Tap) -> None:
    asking = Phones(book, tray, once(paper), False, lambda _: None)
    try:
        seen = still(book.store, tap.head, once(paper))
        accept(book, tray, paper, asking, by, _instead(book, tap), seen)
    finally:
        asking.settle()


def _needs(job: Job) -> Answer:
    """The dice that are sure to fall for a seat, reckoned from what it may know. The rest are asked when they fall."""
    state = decode(job.state)
    _, kind = systems.procedure(systems.find_verb(state.campaign.system, job.verb))
    declaration = msgspec.convert(job.said, kind)
    try:
        state = after_opening(state, job.verb, declaration)
        with suppress(Needed):
            resolve(Resolution(state, job.verb, declaration, Dice(faces=())))
        rolls, _ = needs(Action(state, job.verb, declaration), ())
    except AffrayError as error:
        return {"needs": [], "say": error.message}
    except (Again, Exception):  # the twin is no fight that was fought: the rules may find what cannot be
        return {"needs": [], "say": ""}
    found = [
        {"who": roll.who, "dice": roll.dice, "purpose": roll.purpose, "about": roll.about}
        for roll in rolls
        if roll.certain and (roll.who in job.plays or roll.who == job.seat)
    ]
    return {"needs": found, "say": ""}


def _sweep(path: str) -> None:
    """Ends the questions of commands that nobody carries on any more, and sets aside the dice that were answered."""
    seen: dict[str, tuple[object, float]] = {}
    while True:
        time.sleep(_SWEEP)
        with suppress(AffrayError), _opened(path) as (book, tray):
            commands: dict[str, list[Paper]] = {}
            for paper in tray.papers(questions.KIND, OPEN, ANSWERED):
                commands.setdefault(asked_of(paper).command, []).append(paper)
            for command, papers in commands.items():
                if seen.setdefault(command, (papers, time.monotonic()))[0] != papers:
                    seen[command] = papers, time.monotonic()
                elif time.monotonic() - seen[command][1] > questions.DEAD:
                    for paper in papers:
                        questions.settle(book, tray, paper, "given up")
            for command in [*seen]:
                if command not in commands:
                    del seen[command]
