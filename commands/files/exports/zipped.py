"""All tables in one zip file."""

import zipfile
from collections.abc import Callable
from typing import IO

from commands.seen.record import Record

from .tables import TABLES

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file inside, so that the same ledger always gives the same bytes."""


def all_tables(
    record: Record, file: IO[bytes], ending: str, write_table: Callable[[Record, str, IO[bytes]], None]
) -> None:
    """Writes each table into a file of its own."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = record.line.encode()
        for name in TABLES:
            inside = zipfile.ZipInfo(name + ending, _LONG_AGO)
            inside.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(inside, "w", force_zip64=True) as one:
                write_table(record, name, one)
