"""Parquet: one table, or all of them in a zip file. Needs pyarrow, the extra `parquet`."""

from itertools import chain, islice
from typing import IO, Any

from commands.words.installed import adding
from ledger.errors import UsageError

from .record import Record
from .tables import table_named
from .zipped import all_tables

BATCH = 50_000
"""The number of rows in a row group."""


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the table that is wanted, or all of them."""
    _arrow()
    if record.table:
        write_table(record, record.table, file)
    else:
        all_tables(record, file, ".parquet", write_table)


def write_table(record: Record, name: str, file: IO[bytes]) -> None:
    """Writes one table. Its metadata name the head that it comes from."""
    arrow, parquet = _arrow()
    table = table_named(name)
    types = {int: arrow.int64(), str: arrow.string()}
    about = {"affray.head": record.line, "affray.campaign": record.campaign.name}
    schema = arrow.schema([(column, types[kind]) for column, kind in table.columns.items()], about)
    rows = chain.from_iterable(map(table.rows, record.pages()))
    try:
        with parquet.ParquetWriter(file, schema) as sheet:
            while batch := list(islice(rows, BATCH)):
                columns = [
                    arrow.array(column, field.type)
                    for column, field in zip(zip(*batch, strict=True), schema, strict=True)
                ]
                sheet.write_table(arrow.Table.from_arrays(columns, schema=schema))
    except (OverflowError, arrow.ArrowInvalid) as error:
        raise UsageError(f"The table {name} holds a number too large for Parquet: {error}.", "--format csv") from None


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow, which is not installed.", adding("parquet")) from None
    return pyarrow, pyarrow.parquet
