"""What every engine does for a campaign. Each test runs on SQLite and on a real PostgreSQL."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Init, Note
from ledger.chain import GENESIS, Entry
from ledger.dice import Epoch, committed
from ledger.errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing, NoLedger
from ledger.events import Declared, Noted
from ledger.store import SPARSE, Head, Store
from projections.state import VERSION
from tests.engines import ENGINES, Engine, engine_named
from tests.kit import KEY
from tests.shell import NOON, digest_by_the_book, say, write

SAID = [Declared("note", {"text": "hi"}), Noted("hi")]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    return engine_named(request.param, tmp_path)


@pytest.fixture
def where(engine: Engine) -> str:
    """A ledger with its key and without entries, or with its first entry where nothing less can be."""
    place = engine.place()
    store = engine.create(place, KEY)
    write(store, SAID)
    store.close()
    return place


@pytest.fixture
def store(engine: Engine, where: str) -> Iterator[Store]:
    """The same, open."""
    with contextlib.closing(engine.open(where)) as opened:
        yield opened


@pytest.fixture
def book(engine: Engine) -> Iterator[Book]:
    """A campaign that holds its first entry."""
    with contextlib.closing(engine.create(engine.place(), KEY)) as store:
        made = Book(store, by="tester", clock=lambda: NOON)
        say(made, Init("Test", "freepg", committed(KEY)))
        yield made


def jumping(store: Store, *afters: int) -> None:
    """Appends entries that stand after the ones named."""
    for after in afters:
        write(store, SAID, after=after)


# Reading


def test_a_new_ledger_is_empty_and_keeps_its_key(engine: Engine):
    with contextlib.closing(engine.create(engine.place(), KEY)) as store:
        assert store.head() == Head(0, GENESIS, 0, 0)
        assert (store.key(), store.is_for_players, store.epoch()) == (KEY, False, Epoch())
        assert [*store.course(0)] == []
        assert store.folded(VERSION, 0) == (None, [])


def test_what_was_appended_is_read_back(engine: Engine):
    place = engine.place()
    body = '{"event":"noted","text":"hi"}'
    entry = Entry(1, 0, 1, 1, 3, 2, NOON, "Zoë", "note 'hi' \\ %s", "test", "id-1", (body, body), (16, 9))
    with contextlib.closing(engine.create(place, KEY)) as store:
        with store.writing() as head:
            new = store.append(entry, head)
        assert store.wrote
    with contextlib.closing(engine.open(place)) as store:
        assert not store.wrote
        assert store.key() == KEY
        assert [*store.entries(1, 1)] == [(entry, new.digest)]
        assert store.entry(1) == entry
        assert store.head() == new == Head(1, new.digest, 3, 2)
        assert [*store.bodies([(1, 1)])] == [body, body]
        assert (store.recorded("id-1"), store.recorded("id-2"), store.recorded("")) == (1, None, None)
        for missing in (0, 2):
            with pytest.raises(LedgerDamaged):
                store.entry(missing)


def test_the_chain_is_the_one_that_the_docs_describe(store: Store):
    jumping(store, 1, 0)
    previous = GENESIS
    for entry, held in store.entries(1, 3):
        fields = [getattr(entry, name) for name in Entry.__struct_fields__[:11]]
        previous = digest_by_the_book(KEY, previous, fields, [*zip(entry.bodies, entry.splits, strict=True)])
        assert held == previous


def test_there_is_no_ledger_where_none_was_made(engine: Engine, where: str):
    with pytest.raises(NoLedger):
        engine.open(engine.place())


def test_a_ledger_that_was_made_and_never_written_is_not_there(engine: Engine):
    """A file appears under its name when it is whole (`commands/files/init.py`), a campaign with its first entry."""
    from commands.files.init import new_ledger

    place = engine.place()
    with pytest.raises(ZeroDivisionError), new_ledger(place, KEY) as store, store.writing():
        raise ZeroDivisionError
    assert not store.wrote
    with pytest.raises(NoLedger):
        engine.open(place)


def test_a_second_ledger_of_the_same_name_is_refused(engine: Engine, where: str):
    from commands.files.init import new_ledger

    with pytest.raises(LedgerMissing, match="already exists; nothing was changed"), new_ledger(where, KEY):
        raise AssertionError
    with contextlib.closing(engine.open(where)) as store:
        assert store.head().entry == 1


def test_a_newer_format_is_refused_by_name(engine: Engine, where: str):
    engine.newer(where)
    with pytest.raises(LedgerMissing, match="has format 99; this program reads format 1 alone"):
        engine.open(where)


# Appending only


@pytest.mark.parametrize("statement", [
    "UPDATE {table}entries SET typed = 'a lie' WHERE {mine}",
    "UPDATE {table}events SET body = '{{}}' WHERE {mine}",
    "UPDATE {table}keys SET key = 'ff' WHERE {mine}",
    "DELETE FROM {table}entries WHERE {mine}",
    "DELETE FROM {table}events WHERE {mine}",
    "DELETE FROM {table}keys WHERE {mine}",
])  # fmt: skip
def test_nobody_changes_or_deletes_what_was_recorded(engine: Engine, where: str, statement: str):
    assert engine.refuses(where, statement)


def test_checkpoints_may_be_deleted_and_are_made_again(engine: Engine, book: Book):
    assert not engine.refuses(book.store.path, "DELETE FROM {table}checkpoints WHERE {mine}")
    assert book.store.checkpoints() == []
    say(book, Note("again"))
    assert book.store.checkpoints() == [2]


def test_an_error_in_the_middle_leaves_no_trace(store: Store):
    before = store.head()

    def interrupted() -> None:
        with store.writing() as head:
            store.append(replace(store.entry(1), entry=2, after=1, once="x"), head)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        interrupted()
    assert store.head() == before
    assert not store.wrote
    assert store.recorded("x") is None
    assert len([*store.bodies([(1, 1)])]) == len(SAID)
    write(store, SAID)
    assert store.entry(2).once == ""


def test_an_entry_that_expects_another_head_is_not_appended(store: Store):
    old = store.head()
    write(store, SAID)
    with store.writing() as head, pytest.raises(LedgerBusy, match="Somebody else recorded entry 2 in the meantime"):
        store.append(replace(store.entry(1), entry=2, after=1), old)
    assert store.head() == head


@pytest.mark.parametrize("number", [1, 3, 9])
def test_only_the_next_number_can_be_appended(store: Store, number: int):
    with store.writing() as head, pytest.raises(LedgerBusy):
        store.append(replace(store.entry(1), entry=number, after=0), head)


def test_a_command_id_is_recorded_once(store: Store):
    write(store, SAID, once="blow-7")
    assert store.recorded("blow-7") == 2
    with pytest.raises(AffrayError):
        write(store, SAID, once="blow-7")
    assert store.head().entry == 2


def test_several_entries_are_one_transaction(engine: Engine, where: str, store: Store):
    with contextlib.closing(engine.open(where)) as other:
        with store.writing() as head:
            for number in range(2, 9):
                head = store.append(replace(store.entry(1), entry=number, after=number - 1), head)
                assert store.head() == head
            if engine.reads_while_others_write:
                assert other.head().entry == 1
        assert other.head() == head


# The course


def test_the_course_is_a_short_list_of_ranges(store: Store):
    jumping(store, 1, 2, 1, 4, 5, 3)
    assert [*store.course(7)] == [(7, 7), (1, 3)]
    assert [*store.course(6)] == [(4, 6), (1, 1)]
    assert [*store.course(3)] == [(1, 3)]
    assert [store.after(number) for number in range(8)] == [0, 0, 1, 2, 1, 4, 5, 3]
    bodies = [body for number in (1, 2, 3, 7) for body in store.entry(number).bodies]
    assert [*store.bodies([(1, 3), (7, 7)])] == bodies


@pytest.mark.slow
def test_a_course_with_very_many_jumps_is_found_from_either_end(store: Store):
    """Of e1 to e1400 each even one stands after the even one before it, each odd one after the one just before."""
    with store.writing() as head:
        for number in range(2, 1401):
            after = number - 1 if number % 2 else max(number - 2, 1)
            head = store.append(replace(store.entry(1), entry=number, after=after), head)
    assert [*store.course(1400)] == [*((number, number) for number in range(1400, 3, -2)), (1, 2)]
    assert [*store.course(101)][:2] == [(100, 101), (98, 98)]
    assert [*store.course(5)] == [(4, 5), (1, 2)]
    assert [*store.course(1)] == [(1, 1)]


@pytest.mark.slow
def test_bodies_are_read_in_the_order_of_the_pieces(store: Store):
    with store.writing() as head:
        for number in range(2, 1301):
            body = f'{{"event":"noted","text":"{number}"}}'
            entry = replace(store.entry(1), entry=number, after=number - 1, bodies=(body,), splits=(1,))
            head = store.append(entry, head)
    found = [*store.bodies([(1290, 1300), (2, 700)])]
    assert [body.split('"')[-2] for body in found] == [str(at) for at in (*range(1290, 1301), *range(2, 701))]


def test_a_course_with_an_entry_missing_is_damage(engine: Engine, where: str, store: Store):
    jumping(store, 1, 2, 3)
    store.close()
    engine.forge(where, "DELETE FROM {table}entries WHERE {mine} AND entry = 3")
    with contextlib.closing(engine.open(where)) as again:
        with pytest.raises(LedgerDamaged):
            [*again.bodies([(1, 4)])]
        with pytest.raises(LedgerDamaged):
            again.check_unbroken(2, 4)
        with pytest.raises(LedgerDamaged, match="holds events of e3, which is not there"):
            [*again.entries(1, 4)]
        strays: set[int] = set()
        assert [entry.entry for entry, _ in again.entries(1, 4, strays)] == [1, 2, 4]
        assert strays == {3}


def test_entries_that_resolve_others_again_are_listed(store: Store):
    write(store, SAID, origin=1)
    write(store, SAID)
    write(store, SAID, origin=2)
    assert store.resolved_again(4) == [(2, 1), (4, 2)]
    assert store.resolved_again(3) == [(2, 1)]


def test_events_are_found_by_their_kind(store: Store):
    write(store, [Noted("two")])
    assert [entry for entry, _ in store.of_kinds("noted")] == [1, 2]
    assert [entry for entry, _ in store.of_kinds("noted", "declared")] == [1, 1, 2]
    assert store.of_kinds("stirred") == []


def test_a_stir_begins_an_epoch_and_lasts(engine: Engine):
    from commands.shell.cli import run

    place = engine.place()
    assert run(["--ledger", place, "init", "Test", "--system", "freepg"]) == 0
    with contextlib.closing(engine.open(place)) as store:
        before = store.epoch()
        assert run(["--ledger", place, "stir", "the bridge creaks"]) == 0
        assert store.head().entry == 2
        assert store.epoch() != before
        assert (store.lasting(0), store.lasting(1), store.lasting(2)) == ({2}, {2}, set())


# Checkpoints


@pytest.mark.slow
def test_a_checkpoint_of_the_head_is_kept_and_every_256th(book: Book):
    for number in range(2, SPARSE + 4):
        say(book, Note(f"note {number}"))
    assert book.store.checkpoints() == [SPARSE, SPARSE + 3]
    found, ranges = book.store.folded(VERSION, SPARSE + 2)
    assert found
    assert (found.entry, ranges) == (SPARSE, [(SPARSE + 1, SPARSE + 2)])
    assert book.store.folded(VERSION, SPARSE - 1) == (None, [(1, SPARSE - 1)])
    assert book.store.folded("another version", 3) == (None, [(1, 3)])


@pytest.mark.parametrize("damage", ["state = '{{}}'", "seal = 'ff'", "reducers = 'other'"])
def test_an_unsound_checkpoint_is_ignored_and_the_state_folded_anew(engine: Engine, book: Book, damage: str):
    state = book.present()[1]
    where = book.store.path
    engine.forge(where, f"UPDATE {{table}}checkpoints SET {damage} WHERE {{mine}}")
    with contextlib.closing(engine.open(where)) as again:
        assert again.checkpoint(VERSION, 1, 1) is None
        assert again.folded(VERSION, 1) == (None, [(1, 1)])
        assert Book(again).present()[1] == state


def test_the_nearest_checkpoint_is_one_of_the_course(book: Book):
    """The checkpoint of e3 is newer, and e3 is undone: the state at e4 is folded from e1 and e2."""
    say(book, Note("two"))
    say(book, Note("three"))
    store = book.store
    write(store, SAID, after=2)
    assert store.checkpoints() == [3]
    assert store.folded(VERSION, 4) == (None, [(1, 2), (4, 4)])
    assert store.folded(VERSION, 3)[1] == []


# Others at the same time


@pytest.mark.slow
def test_a_command_is_refused_when_others_write_for_too_long(
    engine: Engine, where: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_WAIT", "0.3")
    with contextlib.closing(engine.open(where)) as store, engine.locked(where):
        began = time.monotonic()
        with pytest.raises(LedgerBusy, match="is being written by another command"), store.writing():
            raise AssertionError
        assert time.monotonic() - began > 0.2
        assert store.head().entry == 1


@pytest.mark.slow
def test_a_command_waits_while_others_write_for_a_moment(engine: Engine, where: str, monkeypatch: pytest.MonkeyPatch):
    """Time that is already gone by is not waited again; the command after that has all of it."""
    monkeypatch.setenv("AFFRAY_WAIT", "20")
    ready = threading.Event()

    def hold() -> None:
        with engine.locked(where):
            ready.set()
            time.sleep(0.4)

    other = threading.Thread(target=hold)
    with contextlib.closing(engine.open(where)) as store:
        other.start()
        ready.wait()
        write(store, SAID)
        other.join()
        with engine.locked(where):
            store.hurry(19.9)
            with pytest.raises(LedgerBusy), store.writing():
                raise AssertionError
        write(store, SAID)
        assert store.head().entry == 3


def test_a_late_command_sees_what_others_recorded(engine: Engine, where: str):
    with contextlib.closing(engine.open(where)) as one, contextlib.closing(engine.open(where)) as other:
        assert one.head().entry == other.head().entry == 1
        write(one, SAID, after=0)
        with other.writing() as head:
            assert head.entry == 2
            assert [*other.course(2)] == [(2, 2)]
        write(other, SAID)
        assert [*one.course(one.head().entry)] == [(2, 3)]


@pytest.mark.slow
def test_a_reader_sees_one_moment_while_others_write(engine: Engine, where: str):
    """Reading by batches lets others write in between; `still` shows everything as it was."""
    with contextlib.closing(engine.open(where)) as writer, contextlib.closing(engine.open(where)) as reader:
        with writer.writing() as head:
            for number in range(2, 1101):
                head = writer.append(replace(writer.entry(1), entry=number, after=number - 1), head)
        entries = reader.entries(1, 1100)
        assert next(entries)[0].entry == 1
        write(writer, SAID)
        assert [entry.entry for entry, _ in entries] == [*range(2, 1101)]
        with reader.still() as seen:
            if engine.reads_while_others_write:
                write(writer, SAID)
            assert (seen.entry, reader.head().entry) == (1101, 1101)
            assert len([*reader.entries(1, 2000)]) == 1101


@pytest.mark.parametrize("read", [
    lambda store: store.head(),
    lambda store: [*store.entries(1, 1)],
    lambda store: store.recorded("x"),
    lambda store: [*store.bodies([(1, 1)])],
], ids=["head", "entries", "recorded", "bodies"])  # fmt: skip
def test_others_may_read_while_somebody_decides(engine: Engine, where: str, read: Callable[[Store], object]):
    with engine.locked(where), contextlib.closing(engine.open(where)) as store:
        assert read(store) in (store.head(), None) or read(store)


def test_a_stamp_differs_when_somebody_has_recorded(engine: Engine, where: str):
    with contextlib.closing(engine.open(where)) as one, contextlib.closing(engine.open(where)) as other:
        before = one.stamp()
        assert before
        assert one.stamp() == before
        write(other, SAID)
        now = one.stamp()
        assert now
        assert (now[:2], now != before) == (before[:2], True)


# A ledger for players


def test_a_ledger_for_players_has_parts_and_no_key(engine: Engine, tmp_path: Path):
    from commands.shell.cli import run

    full, given = str(tmp_path / "full.affray"), str(tmp_path / "given.jsonl")
    assert run(["--ledger", full, "init", "Test", "--system", "freepg"]) == 0
    assert run(["--ledger", full, "join", "boffin", "ogre"]) == 0
    assert run(["--ledger", full, "export", "--player-safe", given]) == 0
    place = engine.place()
    assert run(["import", given, place]) == 0
    with contextlib.closing(engine.open(place)) as store, contextlib.closing(engine.open(full)) as whole:
        assert store.is_for_players
        assert store.head().digest == whole.head().digest
        first = whole.entries(1, 1)
        assert store.linked(next(first)[1], store.entry(2)) == whole.head().digest
        with pytest.raises(LedgerDamaged, match="has lost its key"):
            store.key()
