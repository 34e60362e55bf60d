"""CSV (RFC 4180, UTF-8): one table, or all of them in a zip file."""

import codecs
import csv
from typing import IO

from commands.seen.record import Record

from .tidy import Cell, table_named
from .zipped import write_tables

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "'")
"""A spreadsheet takes a cell that begins like this for a formula; or, for the last one, a text that hides the sign."""


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the table that is wanted, or all of them."""
    write_tables(record, file, ".csv", _write_table)


def _write_table(record: Record, name: str, file: IO[bytes]) -> None:
    """Writes one table, with a heading."""
    table = table_named(name)
    sheet = csv.writer(codecs.getwriter("utf-8")(file))
    sheet.writerow(table.columns)
    for page in record.pages():
        sheet.writerows(map(harmless_cell, row) for row in table.rows(page))


def harmless_cell(cell: Cell) -> Cell:
    """The cell, with an apostrophe before a text that a spreadsheet would run. A reader who removes one apostrophe from
    the beginning of every text has the original.
    """
    return f"'{cell}" if isinstance(cell, str) and cell.strip().startswith(_FORMULA) else cell
