"""One table in a file, or all tables in one zip file."""

import zipfile
from collections.abc import Callable
from typing import IO

from commands.seen.record import Record

from .tidy import TABLES

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file inside, so that the same ledger always gives the same bytes."""


def write_tables(
    record: Record, file: IO[bytes], ending: str, write_table: Callable[[Record, str, IO[bytes]], None]
) -> None:
    """Writes the table that is wanted, or each into a file of its own. For players nothing is compressed: digests take
    up more or less room then by chance, and nobody should wonder what it means.
    """
    if record.table:
        write_table(record, record.table, file)
        return
    kind = zipfile.ZIP_DEFLATED if record.sides is None else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w") as archive:
        archive.comment = record.line.encode()
        for name in TABLES:
            inside = zipfile.ZipInfo(name + ending, _LONG_AGO)
            inside.compress_type = kind
            with archive.open(inside, "w", force_zip64=True) as one:
                write_table(record, name, one)
