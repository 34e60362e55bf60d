"""Reads the rows of a damaged ledger file page by page. No index, table root or schema has to be sound.

It searches every leaf page of a table for rows of the shapes that a ledger has (`schema.py`). The chain shows whether
such a row was recorded. The layout of pages is that of SQLite's file format.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from mmap import mmap
from typing import Any, NamedTuple

from . import APPLICATION_ID
from .chain import Entry

MAGIC = b"SQLite format 3\0"
_LEAF = 0x0D
"""The first byte of a page that holds rows of a table."""
_DEFAULT_SIZE = 4096
_TRIES = 64
"""How many combinations of rows are tried for one entry, where the file holds several rows with one number."""
_WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
"""How many bytes the kinds of whole numbers take."""


class _Cell(NamedTuple):
    """A row: where its content begins, how long it is, and the kinds of its columns."""

    at: int
    size: int
    kinds: tuple[int, ...]


class _Unreadable(Exception):
    """A row makes no sense."""


class Pages:
    """The rows of a file, found by `read`."""

    def __init__(self, data: bytes | mmap) -> None:
        self.data = data
        """The whole file."""
        self.size, self.usable = _page_size(data)
        self.entries: dict[int, list[_Cell]] = {}
        self.events: dict[int, dict[int, list[_Cell]]] = {}
        """By entry, and by their own numbers."""
        self.keys: list[str] = []
        """In hexadecimal."""
        self.checkpoints: set[int] = set()

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.data) // self.size

    @property
    def lost(self) -> int:
        """How many more pages the file should hold, by its own header; 0 if the header does not say."""
        said = int.from_bytes(self.data[28:32], "big")
        return max(0, said - self.count) if self.data[24:28] == self.data[92:96] else 0

    @property
    def format(self) -> int:
        """The format of the ledger, by the file's own header; 0 when the header is not that of a ledger."""
        ours = self._number(68, 4) == APPLICATION_ID and self.data[:16] == MAGIC
        return self._number(60, 4) if ours else 0

    @property
    def known(self) -> set[int]:
        """The numbers of all entries of which any row was found."""
        return {*self.entries, *self.events, *self.checkpoints}

    def read(self, pages: Iterable[int]) -> None:
        """Finds the rows of some pages, counted from 0."""
        for page in pages:
            start = page * self.size
            head = start + (100 if page == 0 else 0)
            if self.data[head] != _LEAF:
                continue
            for at in range(head + 8, head + 8 + 2 * self._number(head + 3, 2), 2):
                try:
                    self._sort(start + self._number(at, 2), start)
                except (_Unreadable, IndexError):
                    continue

    def candidates(self, number: int) -> Iterator[tuple[Entry, str]]:
        """An entry with the digest that the file holds for it, in each way in which its rows can be put together."""
        rows = [row for cell in self.entries.get(number, ()) for row in self._columns(cell)]
        events = self.events.get(number, {})
        halves = [[row[2:] for cell in events[seq] for row in self._columns(cell)] for seq in sorted(events)]
        for row, *chosen in islice(product(*map(dict.fromkeys, (rows, *halves))), _TRIES):
            *fields, parts, digest = row[1:]
            bodies, splits = tuple(body for body, _ in chosen), tuple(split for _, split in chosen)
            yield Entry(number, *fields, bodies=bodies, splits=splits, parts=parts), digest

    def _number(self, at: int, width: int) -> int:
        return int.from_bytes(self.data[at : at + width], "big")

    def _varint(self, at: int) -> tuple[int, int]:
        """A number of variable length, and where it ends."""
        value = 0
        for nth in range(9):
            byte = self.data[at + nth]
            if nth == 8:
                return value << 8 | byte, at + 9
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value, at + nth + 1
        raise _Unreadable

    def _sort(self, at: int, page: int) -> None:
        """Keeps a row by its shape."""
        size, at = self._varint(at)
        row, at = self._varint(at)
        if not 0 < row < 2**63 or size > len(self.data):
            raise _Unreadable
        length, next_ = self._varint(at)
        end, kinds = at + length, []
        if not at < end <= page + self.size:
            raise _Unreadable
        while next_ < end:
            kind, next_ = self._varint(next_)
            kinds.append(kind)
        cell = _Cell(at, size, tuple(kinds))
        match "".join(map(_shape, kinds)):
            case "0nnnnnttttttt":
                self.entries.setdefault(row, []).append(cell)
            case "0ntn":
                entry = _signed(self.data[end : end + _WIDTHS[kinds[1]]], kinds[1])
                self.events.setdefault(entry, {}).setdefault(row, []).append(cell)
            case "t" if size < self.usable - 35:
                self.keys += [str(key) for (key,) in self._columns(cell)]
            case "0ttt":
                self.checkpoints.add(row)

    def _columns(self, cell: _Cell) -> Iterator[tuple[Any, ...]]:
        """The values of a row; nothing when they cannot be read."""
        try:
            content = self._content(cell)
            at, _ = self._varint(cell.at)  # the header's length
            values: list[Any] = []
            for kind in cell.kinds:
                width = (kind - 13) // 2 if kind >= 13 else _WIDTHS.get(kind, 0)
                part = content[at : at + width]
                if len(part) < width:
                    return
                values.append(part.decode() if kind >= 13 else _signed(part, kind))
                at += width
        except (_Unreadable, IndexError, UnicodeDecodeError):
            return
        yield tuple(values)

    def _content(self, cell: _Cell) -> bytes:
        """The bytes of a row, those on overflow pages too."""
        most = self.usable - 35
        least = (self.usable - 12) * 32 // 255 - 23
        local = cell.size
        if cell.size > most:
            kept = least + (cell.size - least) % (self.usable - 4)
            local = kept if kept <= most else least
        content = bytearray(self.data[cell.at : cell.at + local])
        page = self._number(cell.at + local, 4) if local < cell.size else 0
        while len(content) < cell.size:
            start = (page - 1) * self.size
            if not 0 < page <= self.count:
                raise _Unreadable
            content += self.data[start + 4 : start + min(self.usable, 4 + cell.size - len(content))]
            page = self._number(start, 4)
        return bytes(content)


def _page_size(data: bytes | mmap) -> tuple[int, int]:
    """The size of a page and how much of it is used; the usual ones where the header makes no sense."""
    size, spare = int.from_bytes(data[16:18], "big"), data[20] if len(data) > 20 else 0
    size = 65536 if size == 1 else size
    if data[:16] != MAGIC or size < 512 or size & (size - 1) or size - spare < 480:
        return _DEFAULT_SIZE, _DEFAULT_SIZE
    return size, size - spare


def _shape(kind: int) -> str:
    """0 for no value, n for a whole number, t for text, ? for anything else."""
    return "0" if kind == 0 else "n" if kind in _WIDTHS else "t" if kind >= 13 and kind % 2 else "?"


def _signed(part: bytes, kind: int) -> int:
    return kind - 8 if kind in (8, 9) else int.from_bytes(part, "big", signed=True)
