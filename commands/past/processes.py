"""Work of other processes."""

import _thread
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def cores() -> int:
    """How many processes can work at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Beside(Generic[Task, Answer]):
    """A second process that does one task, while this one goes on, and ends when it is stopped.

    It is a copy of this process where this has one thread only, whose locks nobody else holds, and has its modules
    then; it leaves alone what this holds, such as connections to ledgers, and opens its own.
    """

    def __init__(self, work: Callable[[Task], Answer], task: Task) -> None:
        """Raises OSError when no process can be started."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        fork = sys.platform == "linux" and not _thread._count()
        self._others = {*active_children()}
        self._pool = ProcessPoolExecutor(1, get_context("fork" if fork else "spawn"), _begin)
        try:
            with _undisturbed():
                self._given = self._pool.submit(work, task)
        except BaseException:
            self.stop()
            raise

    def answer(self) -> Answer | None:
        """The answer, when it is there; None when the process has ended by itself."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self._given.result()
        except BrokenProcessPool:
            return None

    def stop(self) -> None:
        """Ends the process, whatever it is doing."""
        from multiprocessing import active_children

        for process in {*active_children()} - self._others:
            process.terminate()
        self._pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """The process ends with the one that started it."""
    _thread.start_new_thread(_end_with_parent, ())


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


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
