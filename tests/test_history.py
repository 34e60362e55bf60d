"""Undo and redo: the state is always the fold of the entries that stand."""

import json
import tempfile

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Join, Note, Option
from commands.action.rolling import Roll
from commands.past.audit import audit
from commands.past.course import standing
from commands.past.undo import Redo, Undo, redo, undo
from commands.words.console import Console
from ledger.errors import AffrayError, UsageError
from ledger.events import Reinstated, Retracted, decode
from projections.state import VERSION, State, fold
from tests.shell import Shell, new_book, recorded, say

BOB = {"name": "Bob", "kind": "enemy"}


def console(book: Book) -> Console:
    made = Console()
    made.book = book
    return made


def back(book: Book, entry: str = "", to: str = "", dry_run: bool = False) -> None:
    undo(console(book), Undo(entry, to, dry_run))


def forth(book: Book, dry_run: bool = False) -> None:
    redo(console(book), Redo(dry_run))


def stands(book: Book) -> list[int]:
    """The entries of play that stand."""
    return standing(book.store, book.store.head().entry)


def last(book: Book) -> object:
    """What the last entry says of the course."""
    return decode(book.store.entry(book.store.head().entry).bodies[-1])


def options(book: Book) -> dict[str, object]:
    """The house rules, read from the ledger alone."""
    return Book(book.store).present()[1].campaign.options


@pytest.fixture
def five(book: Book) -> Book:
    """e1 opens the ledger; e2 to e5 set a house rule to 2, 3, 4 and 5."""
    for value in "2345":
        say(book, Option("min_hit_damage", value))
    return book


def test_undo_takes_back_the_last_entry(five: Book):
    back(five)
    assert stands(five) == [1, 2, 3, 4]
    assert options(five) == {"min_hit_damage": 4}
    assert last(five) == Retracted((5,), (5,))
    assert five.store.after(6) == 4


def test_undo_of_an_entry_takes_back_all_after_it(five: Book):
    back(five, "e3")
    assert stands(five) == [1, 2]
    assert options(five) == {"min_hit_damage": 2}
    assert last(five) == Retracted((3, 4, 5), (5,))


def test_undo_to_an_entry_keeps_that_entry(five: Book):
    back(five, to="e3")
    assert stands(five) == [1, 2, 3]
    assert options(five) == {"min_hit_damage": 3}


def test_an_entry_may_be_named_by_its_bare_number(five: Book):
    """After --to; as the first word it is refused."""
    back(five, to="2")
    assert stands(five) == [1, 2]


def test_everything_but_the_first_entry_can_be_taken_back(five: Book):
    back(five, to="e1")
    assert stands(five) == [1]
    assert options(five) == {}


def test_redo_brings_back_what_undo_took(five: Book):
    before = five.present()[1]
    back(five, "e3")
    forth(five)
    assert stands(five) == [1, 2, 3, 4, 5]
    assert last(five) == Reinstated((3, 4, 5))
    assert Book(five.store).present()[1] == before


def test_undo_after_undo_goes_one_further_and_redo_comes_back_step_by_step(five: Book):
    """2 3 4 5; undo twice: 2 3; redo: 2 3 4; redo: 2 3 4 5."""
    back(five)
    back(five)
    assert options(five) == {"min_hit_damage": 3}
    forth(five)
    assert options(five) == {"min_hit_damage": 4}
    forth(five)
    assert options(five) == {"min_hit_damage": 5}
    assert stands(five) == [1, 2, 3, 4, 5]
    with pytest.raises(UsageError, match="nothing to redo"):
        forth(five)


def test_redo_after_undo_after_redo(five: Book):
    back(five)
    back(five)
    forth(five)
    back(five)
    assert options(five) == {"min_hit_damage": 3}
    forth(five)
    forth(five)
    assert options(five) == {"min_hit_damage": 5}


def test_redo_of_a_long_undo_brings_all_of_it_at_once(five: Book):
    back(five)
    back(five, "e2")
    assert options(five) == {}
    forth(five)
    assert options(five) == {"min_hit_damage": 4}
    forth(five)
    assert options(five) == {"min_hit_damage": 5}


def test_nothing_can_be_redone_once_something_new_stands(five: Book):
    back(five)
    say(five, Note("another way"))
    with pytest.raises(UsageError, match="There is nothing to redo"):
        forth(five)
    assert stands(five) == [1, 2, 3, 4, 7]


def test_undo_of_what_was_done_after_an_undo_reaches_the_old_course(five: Book):
    """e5 is taken back by e6; e7 is new; taking back e7 and then e4 leaves e1 to e3."""
    back(five)
    say(five, Option("min_hit_damage", "9"))
    assert options(five) == {"min_hit_damage": 9}
    back(five)
    assert options(five) == {"min_hit_damage": 4}
    back(five)
    assert stands(five) == [1, 2, 3]
    forth(five)
    forth(five)
    assert options(five) == {"min_hit_damage": 9}
    assert stands(five) == [1, 2, 3, 4, 7]


@pytest.mark.parametrize(("entry", "to", "why"), [
    ("e1", "", "e1 opens the ledger; it cannot be taken back"),
    ("e5", "", "e5 does not stand"),
    ("e6", "", "e6 does not stand"),
    ("e7", "", "e7 does not stand"),
    ("e0", "", "e0 does not stand"),
    ("e999999999999", "", "e999999999999 does not stand"),
    ("", "e5", "e5 does not stand"),
    ("", "e6", "Nothing stands after e4"),
    ("", "e4", "Nothing stands after e4"),
    ("e2", "e3", "Give one of these"),
])  # fmt: skip
def test_what_does_not_stand_cannot_be_taken_back(five: Book, entry: str, to: str, why: str):
    back(five)
    head = five.store.head()
    with pytest.raises(UsageError, match=why):
        back(five, entry, to)
    assert five.store.head() == head


def test_what_does_not_stand_names_the_undo_that_took_it_back(five: Book):
    """And not a later one, of something else."""
    back(five)
    say(five, Option("min_hit_damage", "9"))
    back(five)
    for entry, by in (("e5", "e6"), ("e7", "e8")):
        with pytest.raises(UsageError) as refused:
            back(five, entry)
        assert refused.value.message == f"{entry} does not stand: the undo {by} took it back."


def test_an_undo_stands_for_where_the_course_stood_after_it(five: Book):
    """The undo e6 left e4 as the last entry of play; e7 is said after it."""
    back(five)
    say(five, Option("min_hit_damage", "9"))
    back(five, to="e6")
    assert stands(five) == [1, 2, 3, 4]


def test_the_opening_of_a_ledger_cannot_be_taken_back(book: Book):
    with pytest.raises(UsageError, match="e1 opens the ledger"):
        back(book)
    assert book.store.head().entry == 1


def test_a_dry_run_says_what_would_happen_and_records_nothing(five: Book, capsys: pytest.CaptureFixture[str]):
    head = five.store.head()
    back(five, "e4", dry_run=True)
    assert "e4, e5 are taken back  (dry run)\n" in capsys.readouterr().out
    assert five.store.head() == head
    back(five)
    head = five.store.head()
    capsys.readouterr()
    forth(five, dry_run=True)
    assert "e5 stands again  (dry run)\n" in capsys.readouterr().out
    assert five.store.head() == head


def test_undo_reaches_across_a_join_and_a_house_rule(book: Book):
    say(book, Join((BOB,)))
    say(book, Option("min_hit_damage", "3"))
    say(book, Note("hi"))
    back(book, "e2")
    state = Book(book.store).present()[1]
    assert (state.roster.order, state.campaign.options) == ((), {})
    forth(book)
    state = Book(book.store).present()[1]
    assert (state.roster.order, state.campaign.options) == (("Bob",), {"min_hit_damage": 3})


def test_undo_reaches_across_rounds_and_encounters(table: Shell):
    """e2 Bob joins, e3 begins, e4 ends, e5 begins again."""
    for words in ("join boffin", "begin --unordered", "end", "begin --unordered"):
        table.done(*words.split())
    assert table.value("encounter") == "2"
    table.done("undo", "e4")
    assert table.value("encounter") == "1"
    table.done("undo")
    assert table.value("encounter") == "none"
    table.done("redo")
    table.done("redo")
    assert table.value("encounter") == "2"
    table.done("verify")


def test_undone_dice_are_never_thrown_again(book: Book):
    """Places of the stream are counted on, whatever is taken back or brought back."""
    places = []
    for step in (1, 0, 1, 0, 1):
        if step:
            say(book, Roll("2d6"))
            places += decode(book.store.entry(book.store.head().entry).bodies[1]).places
        else:
            back(book)
    assert places == [-1, -2, -3, -4, -5, -6]
    assert (book.store.head().drawn, book.store.head().hidden) == (0, 6)
    audit(book)


def test_undone_entries_are_struck_through_in_the_log(table: Shell):
    table.done("note", "one")
    table.done("note", "two")
    table.done("undo")
    lines = table.done("log", "--last", "3").splitlines()
    assert lines[:2] == ["one  e2", "~~two~~  e3"]
    assert "e3 is taken back" in lines[2]


def test_the_log_tells_the_entries_of_a_range(table: Shell):
    for word in ("one", "two", "three", "four"):
        table.done("note", word)
    for words, told in (("e3..e4", [3, 4]), ("e4..", [4, 5]), ("--since e4", [4, 5]), ("e2..e5 --last 1", [5])):
        lines = table.done("log", *words.split(), "--json").splitlines()
        assert [json.loads(line)["entry"] for line in lines] == told
    for wrong in ("e3", "3..4..5", "two..e4"):
        assert table("log", wrong).code == 2


def test_the_past_is_shown_as_it_was_whether_it_stands_or_not(table: Shell):
    table.done("option", "min_hit_damage", "3")
    table.done("undo")
    assert table.facts("show", "--at", "e2")["values"]["option.min_hit_damage"] == "3"
    assert table.value("option.min_hit_damage") is None
    assert "(undone)" in table.done("show", "e2")


def test_undo_reads_no_more_of_a_long_ledger_than_of_a_short_one(book: Book):
    """Counted in what SQLite does: the same steps after 20 entries as after 520, give or take a level of a tree."""

    def cost() -> int:
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        reader = Book(book.store, by="tester", clock=book.clock)
        book.store._db.set_progress_handler(step, 10)
        back(reader)
        book.store._db.set_progress_handler(None, 10)
        return steps

    for number in range(20):
        say(book, Note(str(number)))
    short = cost()
    state = book.present()[1].encoded()
    with book.store.writing() as head:
        model = book.store.entry(2)
        for _ in range(500):
            head = book.store.append(replace(model, entry=head.entry + 1, after=head.entry), head, VERSION, state)
    say(book, Note("last"))
    assert cost() <= 2 * short


# Any walk

STEP = st.one_of(
    st.sampled_from(["note", "roll", "join", "undo", "undo", "undo", "redo", "redo"]),
    st.integers(0, 9).map(lambda value: f"option {value}"),
    st.integers(0, 30).map(lambda entry: f"undo {entry}"),
    st.integers(0, 30).map(lambda entry: f"to {entry}"),
)


class Model:
    """Undo and redo over plain lists: the entries that stand, and the courses that can be brought back."""

    def __init__(self) -> None:
        self.course = [1]
        self.undone: list[list[int]] = []

    def play(self, entry: int) -> None:
        self.course = [*self.course, entry]
        self.undone = []

    def cut(self, length: int) -> None:
        self.undone.append(self.course)
        self.course = self.course[:length]

    def forth(self) -> None:
        self.course = self.undone.pop()


def walk(book: Book, model: Model, step: str) -> None:
    """Takes one step in the ledger and in the model, or is refused in both."""
    word, _, said = step.partition(" ")
    number = int(said or 0)
    match word:
        case "note":
            model.play(say(book, Note("hi")))
        case "roll":
            model.play(say(book, Roll("d6+1")))
        case "join":
            model.play(say(book, Join((BOB,), count=2)))
        case "option":
            model.play(say(book, Option("min_hit_damage", said)))
        case "redo" if model.undone:
            forth(book)
            model.forth()
        case "undo" if (entry := number if said else model.course[-1]) in model.course[1:]:
            back(book, f"e{number}" if said else "")
            model.cut(model.course.index(entry))
        case "to" if number in model.course[:-1]:
            back(book, to=f"e{number}")
            model.cut(model.course.index(number) + 1)
        case _:
            head = book.store.head()
            with pytest.raises(UsageError):
                refused(book, word, f"e{number}" if said else "")
            assert book.store.head() == head


def refused(book: Book, word: str, entry: str) -> None:
    if word == "redo":
        forth(book)
    elif word == "to":
        back(book, to=entry)
    else:
        back(book, entry)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@hypothesis_given(st.lists(STEP, max_size=25))
def test_any_walk_through_time_agrees_with_plain_lists(steps: list[str]):
    """The state is the fold of the entries in the list, and the whole record stays sound."""
    with tempfile.TemporaryDirectory() as folder:
        book = new_book(f"{folder}/walk.affray")
        try:
            model = Model()
            for step in steps:
                walk(book, model, step)
                assert stands(book) == model.course
                bodies = [body for entry in model.course for body in book.store.entry(entry).bodies]
                expected = fold(State(), map(decode, bodies)).digest()
                assert book.present()[1].digest() == expected
                assert Book(book.store).present()[1].digest() == expected
            found = audit(book)
            assert found.state_digest == expected if steps else True
            assert found.entries == book.store.head().entry
        finally:
            book.store.close()


@settings(max_examples=15, deadline=None)
@hypothesis_given(st.lists(STEP, max_size=12), st.integers(1, 5))
def test_undo_then_redo_is_identity(steps: list[str], times: int):
    with tempfile.TemporaryDirectory() as folder:
        book = new_book(f"{folder}/walk.affray")
        try:
            model = Model()
            for step in steps:
                walk(book, model, step)
            before = book.present()[1].digest()
            taken = 0
            for _ in range(times):
                try:
                    back(book)
                    taken += 1
                except AffrayError:
                    break
            for _ in range(taken):
                forth(book)
            assert Book(book.store).present()[1].digest() == before
        finally:
            book.store.close()


def test_an_undo_with_an_id_takes_back_one_entry_however_often_it_is_sent(table: Shell):
    table.done("note", "one")
    table.done("note", "two")
    first = table.done("undo", "--once", "back")
    assert table("undo", "--once", "back").out == first
    assert recorded()[1:] == (Retracted((3,), (3,)),)
    table.done("redo", "--once", "forth")
    again = table.facts("redo", "--once", "forth")
    assert (again["entry"], again["repeated"]) == (5, True)


def test_several_commands_are_taken_back_and_brought_back_together(five: Book):
    """e5, e4 and e3 go. What an undo took back before is no command that stands."""
    undo(console(five), Undo(times=3))
    assert last(five) == Retracted((3, 4, 5), (5,))
    assert stands(five) == [1, 2]
    with pytest.raises(UsageError, match="Only 1 command can be taken back, not 2") as refused:
        undo(console(five), Undo(times=2))
    assert refused.value.hint == "affray undo --times 1"
    forth(five)
    back(five)
    back(five)
    with pytest.raises(UsageError, match="Only 2 commands can be taken back, not 3"):
        undo(console(five), Undo(times=3))
    forth(five)
    forth(five)
    assert stands(five) == [1, 2, 3, 4, 5]
    undo(console(five), Undo(entry="e4"))
    undo(console(five), Undo(times=2))
    assert stands(five) == [1]
    assert not audit(five).findings
