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
    vanishes = screen.isatty() and os.environ.get("TERM") != "dumb"
    return _told(items, total, what, screen, clock, vanishes) if vanishes or everywhere else iter(items)


def _told(
    items: Iterable[Item], total: int, what: str, screen: TextIO, clock: Callable[[], float], vanishes: bool
) -> Iterator[Item]:
    pause, said = PAUSE if vanishes else _SILENCE, False
    due = clock() + (PATIENCE if vanishes else pause)
    try:
        for done, item in enumerate(items):
            if (moment := clock()) >= due:
                far = f"{what}: {done:,} of {total:,} ({100 * done // max(total, 1)}%)"
                screen.write(f"\r{far}\x1b[K" if vanishes else f"{far}\n")
                screen.flush()
                due, pause, said = moment + pause, pause if vanishes else 2 * pause, True
            yield item
    finally:
        if said and vanishes:
            screen.write("\r\x1b[K")
            screen.flush()
