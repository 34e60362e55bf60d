"""Courses: what is found by walking back from checkpoint to checkpoint is what a walk from the start finds."""

import random
from pathlib import Path

import pytest

from commands.action.book import Book, events_of
from commands.look.timeline import changes, forwards, names_ever
from commands.look.why import differences
from commands.past.course import fork
from ledger import store
from ledger.events import Agreed
from ledger.store import Store
from projections.changes import between, values
from projections.state import State, fold
from tests.shell import Shell


@pytest.fixture
def winding(table: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> Book:
    """A ledger of some eighty entries with many undos and redos, and a checkpoint at every fifth entry."""
    monkeypatch.setattr(store, "SPARSE", 5)
    chance = random.Random(request.param)
    table.done("join", "tilda", "jane")
    for _ in range(80):
        who = chance.choice(["tilda", "jane"])
        last = int(table("log", "--last", "1", "--json").json["entry"])
        table(
            *chance.choices(
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
        )
    return Book(Store.open("test.affray"))


def naive(book: Book, tip: int, agreed: bool = False) -> list[tuple[int, str, str, str]]:
    """Every change of any value on the course to an entry, and with `agreed` every agreement on one, the newest first:
    from the start, state by state.
    """
    state, found = State(), []
    for first, last in sorted(book.store.course(tip)):
        for entry, _ in book.store.entries(first, last):
            after = fold(state, events_of(entry))
            found += [(entry.entry, *change) for change in between(state, after)]
            found += [
                (entry.entry, event.name, values(after)[event.name], values(after)[event.name])
                for event in events_of(entry)
                if agreed and isinstance(event, Agreed)
            ]
            state = after
    return found[::-1]


@pytest.mark.parametrize("winding", range(6), indirect=True)
def test_walking_back_finds_what_walking_on_finds(winding: Book):
    head = winding.store.head().entry
    assert len(winding.store.checkpoints()) >= 8
    assert len(list(winding.store.course(head))) > 3
    for tip in (head, head - 1, head // 2, 3):
        every = naive(winding, tip, agreed=True)
        for name in names_ever(winding, tip, "test"):
            found = [
                (change.step.entry.entry, change.name, change.old, change.new)
                for change in changes(winding, tip, {name}, "test")
            ]
            assert found == [one for one in every if one[1] == name]
        assert [step.after for step in forwards(winding, tip, "test")][-1] == winding.state_at(tip)


@pytest.mark.parametrize("winding", range(6), indirect=True)
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


@pytest.mark.parametrize("winding", range(6), indirect=True)
def test_each_difference_is_made_by_the_last_entry_that_touched_it(winding: Book):
    """On the second course, or else on the first, after both parted."""
    chance = random.Random(0)
    head = winding.store.head().entry
    for _ in range(12):
        first, second = chance.randint(1, head), chance.randint(1, head)
        left = fork(winding.store.course(first), winding.store.course(second))
        touched = {
            course: {name: entry for entry, name, _, _ in reversed(naive(winding, tip)) if entry > left}
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
