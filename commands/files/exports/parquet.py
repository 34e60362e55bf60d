"""Parquet: one table, or all of them in a zip file. Needs pyarrow, the extra `parquet`."""

from collections.abc import Iterable, Mapping
from typing import IO, Any

from commands.seen.record import Record
from commands.words.installed import adding
from ledger.errors import UsageError

from .tidy import Row, table_named
from .zipped import write_tables

_BATCH = 10_000
"""The number of rows in a row group."""


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the table that is wanted, or all of them."""
    arrow()
    write_tables(record, file, ".parquet", _write_table)


def _write_table(record: Record, name: str, file: IO[bytes]) -> None:
    """Writes one table. Its metadata name the head that it comes from."""
    table = table_named(name)
    with Sheet(file, name, table.columns, record) as sheet:
        for page in record.pages():
            sheet.take(table.rows(page))


class Sheet:
    """One table that is being written, as a file of its own. Use it in a `with` statement. Holds one row group at most.

    Its metadata name the head that it comes from, and the campaign. Raises UsageError for a number that is too large.
    """

    def __init__(self, file: IO[bytes], name: str, columns: Mapping[str, type], record: Record) -> None:
        self.name = name
        self._arrow, parquet = arrow()
        types = {int: self._arrow.int64(), str: self._arrow.string()}
        about = {"affray.head": record.line, "affray.campaign": record.campaign.name}
        self._schema = self._arrow.schema([(column, types[kind]) for column, kind in columns.items()], about)
        self._rows: list[Row] = []
        packed = {column: "none" if column == "digest" else "snappy" for column in columns}
        repeated = [column for column in columns if column != "digest"]
        self._writer = parquet.ParquetWriter(file, self._schema, compression=packed, use_dictionary=repeated)

    def __enter__(self) -> "Sheet":
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Writes what is left, unless it failed."""
        try:
            if not failed:
                self._write()
        finally:
            self._writer.close()

    def take(self, rows: Iterable[Row]) -> None:
        """The next rows."""
        self._rows.extend(rows)
        if len(self._rows) >= _BATCH:
            self._write()

    def _write(self) -> None:
        if not self._rows:
            return
        try:
            columns = [
                self._arrow.array(column, field.type)
                for column, field in zip(zip(*self._rows, strict=True), self._schema, strict=True)
            ]
        except (OverflowError, self._arrow.ArrowInvalid) as error:
            message = f"The table {self.name} holds a number too large for Parquet: {error}."
            raise UsageError(message, "--format csv") from None
        self._rows.clear()
        self._writer.write_table(self._arrow.Table.from_arrays(columns, schema=self._schema))


def arrow() -> tuple[Any, Any]:
    """The modules pyarrow and pyarrow.parquet. Raises UsageError when they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow, which is not installed.", adding("parquet")) from None
    return pyarrow, pyarrow.parquet
