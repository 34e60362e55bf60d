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


def watched(
    items: Iterable[Item],
    total: int,
    what: str,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Item]:
    """The items as they are; meanwhile a line on standard error says how many of `total` are done.

    Only on a terminal, where the line vanishes at the end, also when the work is interrupted. `what` is the work in a
    word, such as `verify`.
    """
    screen = sys.stderr if stream is None else stream
    if not screen.isatty() or os.environ.get("TERM") == "dumb":
        return iter(items)
    return _shown(items, total, what, screen, clock)


def _shown(items: Iterable[Item], total: int, what: str, screen: TextIO, clock: Callable[[], float]) -> Iterator[Item]:
    due = clock() + PATIENCE
    said = False
    try:
        for done, item in enumerate(items):
            if (moment := clock()) >= due:
                screen.write(f"\r{what}: {done:,} of {total:,} ({100 * done // max(total, 1)}%)\x1b[K")
                screen.flush()
                due, said = moment + PAUSE, True
            yield item
    finally:
        if said:
            screen.write("\r\x1b[K")
            screen.flush()
