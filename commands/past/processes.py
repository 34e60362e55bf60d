"""Work that several processes share, with the answers in the order of the tasks.

Each process is asked through a pipe of its own. So nothing is left behind when all of them are stopped at once, and a
process whose parent is gone reads the end of its pipe and leaves too.
"""

import _thread
import os
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ledger.errors import AffrayError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Work = Callable[[Task], tuple[Answer, Iterable[Task]]]
"""Gives the answer to a task, and the tasks that come right after it."""
ALONE = 0.5
"""Seconds of work before other processes are started, which takes some time too."""
_AHEAD = 4
"""How many tasks for each process are taken before their answers are given."""
_EACH = 2
"""The most tasks that another process has: so it goes on while this one is at a task of its own."""
_FITS = 4096
"""Bytes of a task that a pipe takes in any case. A larger one is given only to a process that waits for it: one that is
about to give a large answer would wait until somebody reads that."""


class ProcessLost(AffrayError):
    """A process that shared the work has ended by itself."""

    code, reference = 70, "process"


def cores() -> int:
    """How many processes can work at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared(work: Work[Task, Answer], tasks: Iterable[Task], jobs: int, long: bool = False) -> Iterator[Answer]:
    """The answers to some tasks in their order, whatever the number of processes. Short work is done here alone. Of
    longer work, or at once of what is known to be `long`, the tasks go to other processes too, and so does a copy of
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
    if not line:
        return
    crew = _Crew(work, jobs - 1)
    try:
        yield from crew.answers(chain.from_iterable(reversed(line)))
    finally:
        crew.stop()


def started(
    serve: Callable[..., None], *given: object, fork: bool = False
) -> "tuple[Connection[Any, Any], BaseProcess]":
    """A process of its own that serves the other end of a pipe, with a copy of what is given, until nobody is there.

    With `fork`, where it can be had, it is a copy of this process, which has its modules at once. It leaves alone what
    it holds too, such as connections to ledgers, and opens its own; no transaction may be under way, and nobody may
    wait for the end of anything that is open here.
    """
    from multiprocessing import get_context, resource_tracker

    process: BaseProcess
    if fork and _may_fork():
        copy = get_context("fork")
        ours, theirs = copy.Pipe()
        process = copy.Process(target=_serve_apart, args=(ours, theirs, serve, pickle.dumps(given)), daemon=True)
    else:
        resource_tracker.ensure_running()  # else it is started with the first process, and lets Ctrl-C through again
        fresh = get_context("spawn")
        ours, theirs = fresh.Pipe()
        process = fresh.Process(target=serve, args=(theirs, *given), daemon=True)
    with _undisturbed(), _without_main():
        process.start()
    theirs.close()
    return ours, process


def _may_fork() -> bool:
    """Whether a copy of this process works: not of one with several threads, whose locks nobody would open again."""
    return sys.platform == "linux" and not _thread._count()


def _serve_apart(
    ours: "Connection[Any, Any]", theirs: "Connection[Any, Any]", serve: Callable[..., None], given: bytes
) -> None:
    """Serves a pipe in a copy of the process that holds its other end."""
    ours.close()  # else nobody would notice that the other process is gone
    serve(theirs, *pickle.loads(given))


class _Slot(Generic[Task, Answer]):
    """A task and, later, its answer and the tasks that come after it."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.packed = b""
        """The task as it goes through a pipe, once it is to go through one."""
        self.answer: tuple[Answer] | None = None
        self.further: list[_Slot[Task, Answer]] = []


class _Crew(Generic[Task, Answer]):
    """Some processes, started when there is work for them. This one works beside them."""

    def __init__(self, work: Work[Task, Answer], others: int) -> None:
        self.work, self.others = work, others
        self.given: dict[Connection[Any, Any], deque[_Slot[Task, Answer]]] = {}
        """The tasks that each process has, by its pipe."""
        self.processes: list[BaseProcess] = []

    def answers(self, tasks: Iterator[Task]) -> Iterator[Answer]:
        """The answers in order."""
        line: deque[_Slot[Task, Answer]] = deque()
        waiting: deque[_Slot[Task, Answer]] = deque()
        while True:
            while len(waiting) <= _EACH * self.others and len(line) < _AHEAD * (self.others + 1):
                try:
                    slot: _Slot[Task, Answer] = _Slot(next(tasks))
                except StopIteration:
                    break
                line.append(slot)
                waiting.append(slot)
            if not line:
                return
            while waiting and (pipe := self.free(waiting[0])):
                self.send(pipe, waiting.popleft())
            if line[0].answer is None:
                for slot in self.heard(wait=not waiting) or self._done_here(waiting.popleft()):
                    waiting.extendleft(reversed(slot.further))
                continue
            first = line.popleft()
            line.extendleft(reversed(first.further))
            assert first.answer
            yield first.answer[0]

    def _done_here(self, slot: _Slot[Task, Answer]) -> list[_Slot[Task, Answer]]:
        """A task that this process does, as the others are busy."""
        answer, further = self.work(slot.task)
        slot.answer, slot.further = (answer,), [*map(_Slot, further)]
        return [slot]

    def free(self, slot: _Slot[Task, Answer]) -> "Connection[Any, Any] | None":
        """The process for a task, by its pipe: that which has least to do, or a new one; None where all have enough."""
        if len(self.processes) < self.others and all(self.given.values()):
            self._start()
        slot.packed = slot.packed or pickle.dumps(slot.task)
        pipe = min(self.given, key=lambda pipe: len(self.given[pipe]))
        return pipe if len(self.given[pipe]) < (_EACH if len(slot.packed) <= _FITS else 1) else None

    def _start(self) -> None:
        pipe, process = started(_serve, self.work, fork=True)
        self.processes.append(process)
        self.given[pipe] = deque()

    def send(self, pipe: "Connection[Any, Any]", slot: _Slot[Task, Answer]) -> None:
        """Gives a task to a process."""
        try:
            pipe.send_bytes(slot.packed)
        except OSError:
            raise _lost() from None
        self.given[pipe].append(slot)

    def heard(self, wait: bool = True) -> list[_Slot[Task, Answer]]:
        """The tasks that have been answered; without any, those that are next, unless nobody can `wait`."""
        from multiprocessing import connection

        busy, found = [pipe for pipe, given in self.given.items() if given], []
        ready = connection.wait(busy, None if wait else 0)
        for pipe in [pipe for pipe in busy if pipe in ready]:
            slot = self.given[pipe].popleft()
            try:
                answer, further = pipe.recv()
            except (EOFError, OSError):
                raise _lost() from None
            slot.answer, slot.further = (answer,), [_Slot(task) for task in further]
            found.append(slot)
        return found

    def stop(self) -> None:
        """Ends all processes at once; whatever they were doing leaves no trace."""
        for process in self.processes:
            process.terminate()
        for pipe in self.given:
            pipe.close()
        for process in self.processes:
            process.join()


def _lost() -> ProcessLost:
    return ProcessLost("A process that shared the work has ended.", "With --jobs 1 one process does all of it.")


class Beside(Generic[Task, Answer]):
    """A second process that does one task, while this one goes on."""

    def __init__(self, work: Work[Task, Answer], task: Task) -> None:
        """Raises OSError when no process can be started."""
        self._crew = _Crew(work, 1)
        slot: _Slot[Task, Answer] = _Slot(task)
        pipe = self._crew.free(slot)
        assert pipe
        self._crew.send(pipe, slot)

    def answer(self) -> Answer | None:
        """The answer, when it is there; None when the process has ended by itself."""
        with suppress(ProcessLost):
            for slot in self._crew.heard():
                return slot.answer[0] if slot.answer else None
        return None

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        self._crew.stop()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits meanwhile. A process that is started now never sees it: the one that started it ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """A process that is started now does not read the script by which this one was started."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _serve(pipe: "Connection[Any, Any]", work: Work[Any, Any]) -> None:
    """Answers the tasks that come through a pipe, until nobody is there. The next task is taken before the answer is
    given: while one side writes much, the other one reads.
    """
    with suppress(EOFError, OSError):
        task = pipe.recv()
        while True:
            answer, further = work(task)
            ahead = [pipe.recv()] if pipe.poll() else []
            pipe.send((answer, list(further)))
            task = ahead[0] if ahead else pipe.recv()
