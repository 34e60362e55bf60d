"""Courses: walking back from checkpoint to checkpoint finds the same as walking from the start."""

import os
import random
from collections.abc import Iterator

import pytest

from commands.action.book import Book, events_of
from commands.look.timeline import changes, forwards, names_ever
from commands.look.why import differences
from commands.past.course import fork
from commands.shell.cli import run
from ledger import sqlite
from ledger.events import Agreed
from ledger.sqlite import SqliteStore
from projections.changes import between, values
from projections.state import State, fold
from tests.kit import KEY

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=range(6))
def winding(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """A ledger of some eighty entries with many undos and redos, and a checkpoint at every fifth entry."""
    chance, path = random.Random(request.param), str(tmp_path_factory.mktemp("winding") / "test.affray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "SPARSE", 5)
        for name in [name for name in os.environ if name.startswith("AFFRAY")]:
            patch.delenv(name)
        run(["--ledger", path, "init", "Test", "--system", "freepg", "--key", KEY.hex()])
        run(["--ledger", path, "join", "tilda", "jane"])
        book = Book(SqliteStore.open(path))
        for _ in range(80):
            who = chance.choice(["tilda", "jane"])
            last = book.store.head().entry
            words = chance.choices(
                [
                    ("adjust", who, "hp", str(chance.randint(0, 50)), "luck"),
                    ("adjust", who, "condition", "wet", "rain"),
                    ("adjust", who, "no-condition", "wet", "sun"),
                    ("assert", f"{who}.side", "party"),
                    ("undo",),
                    ("undo", f"e{chance.randint(max(3, last - 9), max(3, last))}"),
                    ("redo",),
                ],
                weights=[6, 2, 2, 1, 2, 2, 3],
            )[0]
            run(["--ledger", path, *words])
    yield book
    book.store.close()


class Naive:
    """The course of every entry, state by state from the start, without a checkpoint."""

    def __init__(self, book: Book) -> None:
        self.states = {0: State()}
        self.made: dict[int, list[tuple[int, str, str, str]]] = {}
        self.agreed: dict[int, list[tuple[int, str, str, str]]] = {}
        self.book = book
        for entry, _ in book.store.entries(1, book.store.head().entry):
            number, events = entry.entry, events_of(entry)
            before = self.states[entry.after]
            after = self.states[number] = fold(before, events)
            self.made[number] = [(number, *change) for change in between(before, after)]
            self.agreed[number] = [
                (number, event.name, *2 * [event.value]) for event in events if isinstance(event, Agreed)
            ]

    def changes(self, tip: int, agreed: bool = False) -> list[tuple[int, str, str, str]]:
        """Every change of any value on the course to an entry, and perhaps every agreement on one, the newest first."""
        numbers = [n for first, last in sorted(self.book.store.course(tip)) for n in range(first, last + 1)]
        return [one for n in numbers for one in (*self.made[n], *(self.agreed[n] if agreed else ()))][::-1]


def test_walking_back_finds_what_walking_on_finds(winding: Book):
    head, naive = winding.store.head().entry, Naive(winding)
    assert len(winding.store.checkpoints()) >= 8
    assert len(list(winding.store.course(head))) > 3
    for tip in (head, head - 1, head // 2, 3):
        every = naive.changes(tip, agreed=True)
        for name in names_ever(winding, tip, "test"):
            found = [
                (change.transition.entry.entry, change.name, change.old, change.new)
                for change in changes(winding, tip, {name}, "test")
            ]
            assert found == [one for one in every if one[1] == name]
        assert [transition.after for transition in forwards(winding, tip, "test")][-1] == winding.state_at(tip)


def test_two_courses_part_after_the_last_entry_that_both_have(winding: Book):
    head = winding.store.head().entry
    standing = {
        tip: {entry for first, last in winding.store.course(tip) for entry in range(first, last + 1)}
        for tip in range(1, head + 1)
    }
    for one in range(1, head + 1, 3):
        for other in range(1, head + 1, 4):
            found = fork(winding.store.course(one), winding.store.course(other))
            assert found == max(standing[one] & standing[other])


def test_each_difference_is_made_by_the_last_entry_that_touched_it(winding: Book):
    """On the second course, or else on the first, after both parted."""
    chance, naive = random.Random(0), Naive(winding)
    head = winding.store.head().entry
    for _ in range(12):
        first, second = chance.randint(1, head), chance.randint(1, head)
        left = fork(winding.store.course(first), winding.store.course(second))
        touched = {
            course: {name: entry for entry, name, _, _ in reversed(naive.changes(tip)) if entry > left}
            for course, tip in (("first", first), ("second", second))
        }
        found = differences(winding, first, second)
        before, after = values(winding.state_at(first)), values(winding.state_at(second))
        assert {one.name for one in found} == {
            name for name in {*before, *after} if before.get(name) != after.get(name)
        }
        for one in found:
            assert one.course == ("second" if one.name in touched["second"] else "first")
            assert one.entry == touched[one.course][one.name]
