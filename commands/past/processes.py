"""Work that several processes share, with the answers in the order of the tasks."""

import _thread
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ledger.errors import AffrayError

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Work = Callable[[Task], tuple[Answer, Iterable[Task]]]
"""Gives the answer to a task, and the tasks that come right after it."""
ALONE = 0.5
"""Seconds of work before other processes are started, which takes some time too."""
_AHEAD = 4
"""How many tasks for each process are taken before their answers are given."""
_work: Work[Any, Any]
"""In a process that shares the work: what it does."""


class ProcessLost(AffrayError):
    """A process that shared the work has ended by itself."""

    code, reference = 70, "process"


def cores() -> int:
    """How many processes can work at the same time here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Work[Task, Answer], tasks: Iterable[Task], jobs: int, long: bool = False) -> Iterator[Answer]:
    """The answers to some tasks in their order, whatever the number of processes. Short work is done here alone. Of
    longer work, or at once of what is known to be `long`, the tasks go to other processes, and so does a copy of
    `work`, by pickle. Raises ProcessLost when one of them ends by itself.
    """
    line = [iter(tasks)]
    alone_until = time.monotonic() + (0 if long else ALONE)
    while line and (jobs == 1 or time.monotonic() < alone_until):
        try:
            task = next(line[-1])
        except StopIteration:
            line.pop()
            continue
        answer, further = work(task)
        line.append(iter(further))
        yield answer
    left = chain.from_iterable(reversed(line))
    with _pool(work, jobs) as give:
        given: deque[Future[tuple[Answer, list[Task]]]] = deque(map(give, islice(left, _AHEAD * jobs)))
        while given:
            answer, more = _answer(given.popleft())
            given.extendleft(reversed([*map(give, more)]))
            given.extend(map(give, islice(left, max(0, _AHEAD * jobs - len(given)))))
            yield answer


def _answer(given: "Future[Answer]") -> Answer:
    """The answer to a task that was given to another process. Raises ProcessLost when that has ended by itself."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        return given.result()
    except BrokenProcessPool:
        hint = "With --jobs 1 one process does all of it."
        raise ProcessLost("A process that shared the work has ended.", hint) from None


class Beside(Generic[Task, Answer]):
    """A second process that does one task, while this one goes on."""

    def __init__(self, work: Work[Task, Answer], task: Task) -> None:
        """Raises OSError when no process can be started."""
        self._left = ExitStack()
        with ExitStack() as started:
            self._given = started.enter_context(_pool(work, 1))(task)
            self._left = started.pop_all()

    def answer(self) -> Answer | None:
        """The answer, when it is there; None when the process has ended by itself."""
        try:
            answer: Answer = _answer(self._given)[0]
        except ProcessLost:
            return None
        return answer

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._left.close()


@contextmanager
def _pool(work: Work[Any, Any], jobs: int) -> "Iterator[Callable[[Any], Future[Any]]]":
    """Gives tasks to so many processes, which are started with the first task and end at once when this is left.

    They are copies of this process where it has one thread only, whose locks nobody else holds, and have its modules
    then; they leave alone what it holds, such as connections to ledgers, and open their own.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    fork = sys.platform == "linux" and not _thread._count()
    others, packed = {*active_children()}, pickle.dumps(work)
    pool = ProcessPoolExecutor(jobs, get_context("fork" if fork else "spawn"), _begin, (packed,))

    def give(task: Any) -> "Future[Any]":
        with _undisturbed():
            return pool.submit(_done, task)

    try:
        yield give
    finally:
        for process in {*active_children()} - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(packed: bytes) -> None:
    """Takes the work in a process of its own, which ends with the one that started it."""
    global _work
    _work = pickle.loads(packed)
    _thread.start_new_thread(_end_with_parent, ())


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


def _done(task: Any) -> tuple[Any, list[Any]]:
    answer, further = _work(task)
    return answer, [*further]


def started(serve: Callable[..., None], *given: object) -> "Connection[Any, Any]":
    """The pipe of a new process that serves its other end, with a copy of what is given, until nobody is there."""
    from multiprocessing import get_context, resource_tracker

    resource_tracker.ensure_running()  # else it is started with the first process, and lets Ctrl-C through again
    fresh = get_context("spawn")
    ours, theirs = fresh.Pipe()
    with _undisturbed():
        fresh.Process(target=serve, args=(theirs, *given), daemon=True).start()
    theirs.close()
    return ours


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A process that is started now never sees Ctrl-C, since the one that started it ends it; and it does not read the
    script by which that was started.
    """
    script, masks = sys.modules["__main__"], hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
