"""Work that several processes share, with the answers in the order of the tasks.

Each process is asked through a pipe of its own. So nothing is left behind when all of them are stopped at once, and a
process whose parent is gone reads the end of its pipe and leaves too.
"""

import os
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


def started(serve: Callable[..., None], *given: object) -> "tuple[Connection[Any, Any], BaseProcess]":
    """A process of its own that serves the other end of a pipe, with what is given, until nobody is there."""
    from multiprocessing import get_context, resource_tracker

    resource_tracker.ensure_running()  # else it is started with the first process, and lets Ctrl-C through again
    fresh = get_context("spawn")  # a copy of this process would hold its connections and its handlers
    ours, theirs = fresh.Pipe()
    process = fresh.Process(target=serve, args=(theirs, *given), daemon=True)
    with _undisturbed(), _without_main():
        process.start()
    theirs.close()
    return ours, process


class _Slot(Generic[Task, Answer]):
    """A task and, later, its answer and the tasks that come after it."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.answer: tuple[Answer] | None = None
        self.further: list[_Slot[Task, Answer]] = []


class _Crew(Generic[Task, Answer]):
    """Some processes, started when there is work for them. This one works beside them."""

    def __init__(self, work: Work[Task, Answer], others: int) -> None:
        self.work, self.others = work, others
        self.idle: list[Connection[Any, Any]] = []
        self.busy: dict[Connection[Any, Any], _Slot[Task, Answer]] = {}
        self.processes: list[BaseProcess] = []

    def answers(self, tasks: Iterator[Task]) -> Iterator[Answer]:
        """The answers in order."""
        line: deque[_Slot[Task, Answer]] = deque()
        waiting: deque[_Slot[Task, Answer]] = deque()
        while True:
            while len(waiting) <= self.others and len(line) < _AHEAD * (self.others + 1):
                try:
                    slot: _Slot[Task, Answer] = _Slot(next(tasks))
                except StopIteration:
                    break
                line.append(slot)
                waiting.append(slot)
            if not line:
                return
            while waiting and (pipe := self.free()):
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

    def free(self) -> "Connection[Any, Any] | None":
        """A process that has nothing to do, by its pipe; a new one where there may be more of them."""
        if not self.idle and len(self.processes) < self.others:
            self._start()
        return self.idle.pop() if self.idle else None

    def _start(self) -> None:
        pipe, process = started(_serve, self.work)
        self.processes.append(process)
        self.idle.append(pipe)

    def send(self, pipe: "Connection[Any, Any]", slot: _Slot[Task, Answer]) -> None:
        """Gives a task to a process."""
        try:
            pipe.send(slot.task)
        except OSError:
            raise _lost() from None
        self.busy[pipe] = slot

    def heard(self, wait: bool = True) -> list[_Slot[Task, Answer]]:
        """The tasks that have been answered; without any, those that are next, unless nobody can `wait`."""
        from multiprocessing import connection

        ready, found = connection.wait([*self.busy], None if wait else 0), []
        for pipe in [pipe for pipe in self.busy if pipe in ready]:
            slot = self.busy.pop(pipe)
            try:
                answer, further = pipe.recv()
            except (EOFError, OSError):
                raise _lost() from None
            slot.answer, slot.further = (answer,), [_Slot(task) for task in further]
            self.idle.append(pipe)
            found.append(slot)
        return found

    def stop(self) -> None:
        """Ends all processes at once; whatever they were doing leaves no trace."""
        for process in self.processes:
            process.terminate()
        for pipe in (*self.idle, *self.busy):
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
        pipe = self._crew.free()
        assert pipe
        self._crew.send(pipe, _Slot(task))

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
    """Answers the tasks that come through a pipe, until nobody is there."""
    with suppress(EOFError, OSError):
        while True:
            answer, further = work(pipe.recv())
            pipe.send((answer, list(further)))
