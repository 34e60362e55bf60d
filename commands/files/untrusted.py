"""Reads lines of an untrusted file or pipe, up to a longest length."""

from collections.abc import Iterator
from typing import TextIO

from ledger.errors import UsageError


def bounded(file: TextIO, name: str, longest: int) -> Iterator[str]:
    """The lines of a file. Raises UsageError at the first that has more signs than `longest`."""
    at = 1
    while line := file.readline(longest + 1):
        if len(line) > longest:
            raise UsageError(f"{name}, line {at}: it is longer than {longest:,} characters.")
        yield line
        at += 1
