"""Pages: every row is found in the bytes of a file, whatever its length, also on overflow pages."""

from pathlib import Path

import pytest

from ledger.events import Declared, Noted, encode
from ledger.pages import Pages
from tests.kit import KEY
from tests.shell import foreign, new_book, write


@pytest.mark.parametrize("size", [512, 4096])
def test_a_row_of_any_length_is_read_as_it_was_written(tmp_path: Path, size: int):
    """Rows that just fit a page, or just do not, and rows that fill one, two and three overflow pages to the byte."""
    path = tmp_path / "test.affray"
    book = new_book(path)
    lengths = [many * (size - 4) + size - less for many in range(4) for less in range(90, 50, -1)]
    for length in lengths:
        write(book.store, (Declared("note", {"text": ""}), Noted("x" * length, "")))
    book.store.close()
    db = foreign(path)
    db.execute(f"PRAGMA page_size = {size}")
    db.execute("VACUUM")
    ((pages,),) = db.execute("PRAGMA page_count")
    db.close()
    found = Pages(path.read_bytes())
    assert (found.size, found.count, found.lost) == (size, pages, 0)
    found.read(range(found.count))
    assert found.known == set(range(1, len(lengths) + 2))
    for number, length in enumerate(lengths, 2):
        (entry, _), *more = found.candidates(number)
        assert more == []
        assert entry.bodies[1] == encode(Noted("x" * length, "")).decode()
    assert found.keys == [KEY.hex()]


def test_a_file_that_ends_early_has_lost_its_last_pages(tmp_path: Path):
    path = tmp_path / "test.affray"
    book = new_book(path)
    for number in range(40):
        write(book.store, (Declared("note", {"text": ""}), Noted(f"{number} " + "x" * 500, "")))
    book.store.close()
    whole = path.read_bytes()
    for lost in (1, 3):
        found = Pages(whole[: -4096 * lost])
        assert (found.count, found.lost) == (len(whole) // 4096 - lost, lost)
