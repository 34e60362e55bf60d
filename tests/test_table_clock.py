"""An entry keeps the table's offset from UTC, so that an evening has the date of the table's clock."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.action.common import Init, Note
from commands.look.heroes import evening
from commands.look.timeline import seconds_of
from ledger.dice import committed
from ledger.sqlite import SqliteStore
from projections.persons import Persons
from tests.kit import KEY
from tests.shell import Shell, say


@pytest.fixture
def zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table somewhere else."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield
    os.environ.pop("TZ")
    os.environ |= {"TZ": before} if before else {}
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "offset"),
    [("XXX-2", "+02:00"), ("XXX3:30", "-03:30"), ("UTC", "Z"), ("XXX-5:45", "+05:45")],
    indirect=["zone"],
)
def test_an_entry_says_how_far_the_tables_clock_is_from_utc(zone: None, offset: str, tmp_path: Path) -> None:
    book = Book(SqliteStore.create(str(tmp_path / "x.affray"), KEY))
    say(book, Init("x", "freepg", committed(KEY)))
    said = book.store.entry(1).recorded_at
    assert said[19:] == offset
    assert abs(seconds_of(said) - time.time()) < 100
    book.store.close()


def test_an_evening_has_the_date_of_the_tables_clock(tmp_path: Path) -> None:
    """Half past twelve at night in Berlin is still the day before in UTC; two hours there are two hours."""
    times = iter(["2026-05-02T00:30:00+02:00", "2026-05-02T02:30:00+02:00"])
    book = Book(SqliteStore.create(str(tmp_path / "x.affray"), KEY), clock=lambda: next(times))
    say(book, Init("x", "freepg", committed(KEY)))
    say(book, Note("late"))
    assert evening(book, Persons(), 2).day == "2026-05-02"
    first, last = (seconds_of(book.store.entry(number).recorded_at) for number in (1, 2))
    assert last - first == 7200
    book.store.close()


def test_the_offset_is_in_the_chain(shell: Shell, tmp_path: Path) -> None:
    """A file in which it is another one is not sound."""
    shell.done("init", "x", "--system", "freepg", "--key", KEY.hex())
    shell.done("export", "x.jsonl")
    text = Path("x.jsonl").read_text(encoding="utf-8")
    moment = text.partition('"recorded_at":"')[2][:19]
    assert moment
    shell.done("import", "x.jsonl", "same.affray")
    Path("x.jsonl").write_text(text.replace(f"{moment}Z", f"{moment}+02:00"), encoding="utf-8")
    shell.refused("import", "x.jsonl", "other.affray", code=5)
