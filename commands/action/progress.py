"""Progress: how far long work is, for somebody who waits at a terminal."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

Item = TypeVar("Item")

PATIENCE = 0.5
"""Seconds before anything is said: short work says nothing."""
PAUSE = 0.1
"""Seconds between two words."""
_SILENCE = 2.0
"""Seconds before somebody who is not at a terminal is told anything, if at all; then twice as many, and so on."""


def watched(
    items: Iterable[Item],
    total: int,
    what: str,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
    everywhere: bool = False,
) -> Iterator[Item]:
    """The items as they are; meanwhile a line on standard error says how many of `total` are done.

    Only on a terminal, where the line vanishes at the end, also when the work is interrupted; `everywhere` a few lines
    that stay are printed elsewhere. `what` is the work in a word, such as `verify`.
    """
    screen = sys.stderr if stream is None else stream
    if screen.isatty() and os.environ.get("TERM") != "dumb":
        return _shown(items, total, what, screen, clock)
    return _lines(items, total, what, screen, clock) if everywhere else iter(items)


def _lines(items: Iterable[Item], total: int, what: str, screen: TextIO, clock: Callable[[], float]) -> Iterator[Item]:
    pause = _SILENCE
    due = clock() + pause
    for done, item in enumerate(items):
        if (moment := clock()) >= due:
            screen.write(f"{_how_far(what, done, total)}\n")
            screen.flush()
            due, pause = moment + pause, 2 * pause
        yield item


def _how_far(what: str, done: int, total: int) -> str:
    return f"{what}: {done:,} of {total:,} ({100 * done // max(total, 1)}%)"


def _shown(items: Iterable[Item], total: int, what: str, screen: TextIO, clock: Callable[[], float]) -> Iterator[Item]:
    due = clock() + PATIENCE
    said = False
    try:
        for done, item in enumerate(items):
            if (moment := clock()) >= due:
                screen.write(f"\r{_how_far(what, done, total)}\x1b[K")
                screen.flush()
                due, said = moment + PAUSE, True
            yield item
    finally:
        if said:
            screen.write("\r\x1b[K")
            screen.flush()
