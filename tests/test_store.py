"""The store: entries come in at the end and never change."""

import os
import re
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Note, Option
from commands.files.init import new_ledger
from ledger.chain import GENESIS, Entry
from ledger.errors import AffrayError, LedgerBusy, LedgerDamaged, LedgerMissing
from ledger.events import (
    Declared,
    EncounterBegan,
    EncounterEnded,
    HpLost,
    Noted,
    Number,
    Retracted,
    Rolled,
    RoundBegan,
    Ruled,
    Step,
)
from ledger.guarded import guard
from ledger.schema import VIEWS
from ledger.sqlite import SqliteStore
from ledger.store import Head, seal
from projections.state import VERSION
from tests.kit import KEY
from tests.shell import NOON, ROOT, foreign, forge, new_book, say, write

SAID = [Declared("note", {"text": "hi"}), Noted("hi")]


@pytest.fixture
def store(tmp_path: Path):
    """An empty ledger."""
    made = SqliteStore.create(str(tmp_path / "store.affray"), KEY)
    yield made
    made.close()


def opened(path: str) -> None:
    SqliteStore.open(path).close()


def test_events_in_another_order_than_their_entries_are_never_read_as_sound(book: Book):
    """The events of e4 come before those of e3 in their table."""
    for text in ("a", "b", "c", "d"):
        say(book, Note(text))
    assert len([*book.store.bodies([(2, 5)])]) == 8
    forge(
        book.store.path,
        "UPDATE events SET seq = seq + 1000 WHERE entry = 3",
        "UPDATE events SET seq = seq + 2000 WHERE entry = 5",
    )
    for first in (2, 3, 4):
        with pytest.raises(LedgerDamaged, match="has its events in another order than their index says"):
            list(book.store.bodies([(first, 5)]))


def test_a_new_ledger_is_empty_and_keeps_its_key(store: SqliteStore):
    assert store.head() == Head(0, GENESIS, 0, 0)
    assert store.key() == KEY


def test_what_was_appended_is_read_back(store: SqliteStore):
    body = '{"event":"noted","text":"hi"}'
    entry = Entry(1, 0, 1, 1, 3, 2, NOON, "Zoë", "note 'hi'", "test", "id-1", (body,), (16,))
    with store.writing() as head:
        new = store.append(entry, head)
    ((read, digest),) = store.entries(1, 1)
    assert (read, digest) == (entry, new.digest)
    assert store.head() == Head(1, new.digest, 3, 2)
    assert list(store.bodies([(1, 1)])) == [body]
    assert (store.recorded("id-1"), store.recorded("id-2"), store.recorded("")) == (1, None, None)


def test_an_entry_that_is_missing_in_the_middle_is_damage(book: Book):
    """Gone from the entries alone, its events are found; gone from both, it is not there. What is whole is read."""
    for text in ("two", "three", "four"):
        say(book, Note(text))
    store = book.store
    forge(store.path, "DELETE FROM entries WHERE entry = 3")
    for read in (lambda: list(store.entries(1, 4)), lambda: store.entry(3)):
        with pytest.raises(LedgerDamaged, match="holds events of e3, which is not there"):
            read()
    assert [store.entry(number).typed for number in (2, 4)] == ["note", "note"]
    assert not store.has_strays(), "they belong neither before the first entry nor after the last"
    forge(store.path, "DELETE FROM events WHERE entry = 3")
    with pytest.raises(LedgerDamaged, match="has no entry 3"):
        store.entry(3)
    assert [entry.entry for entry, _ in store.entries(1, 4)] == [1, 2, 4]


@pytest.mark.parametrize(("entry", "stray"), [(0, True), (-5, True), (1, False), (2, False), (3, True), (2**40, True)])
def test_events_before_the_first_entry_or_after_the_last_are_strays(book: Book, entry: int, stray: bool):
    say(book, Note("two"))
    assert not book.store.has_strays()
    forge(book.store.path, ("INSERT INTO events (seq, entry, body, split) VALUES (99, ?, '{}', 1)", [entry]))
    assert book.store.has_strays() is stray


def test_an_error_in_the_middle_leaves_no_trace(store: SqliteStore):
    write(store, SAID)
    before = store.head()

    def interrupted() -> None:
        with store.writing() as head:
            store.append(replace(store.entry(1), entry=2, after=1), head)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interrupted()
    assert store.head() == before
    assert list(store.bodies([(1, 1)])) == ['{"event":"declared","verb":"note","said":{"text":"hi"}}',
                                            '{"event":"noted","text":"hi"}']  # fmt: skip


COLUMNS = "after, command, origin, drawn, hidden, recorded_at, by, typed, program, once, parts, digest"


@pytest.mark.parametrize(("statement", "reason"), [
    ("UPDATE entries SET typed = 'a lie' WHERE entry = 2", "nothing in entries is ever changed"),
    ("UPDATE OR REPLACE entries SET entry = 1 WHERE entry = 2", "nothing in entries is ever changed"),
    ("UPDATE events SET body = '{}'", "nothing in events is ever changed"),
    ("UPDATE keys SET key = 'ff'", "nothing in keys is ever changed"),
    ("DELETE FROM entries WHERE entry = 3", "nothing in entries is ever deleted"),
    ("DELETE FROM events", "nothing in events is ever deleted"),
    ("DELETE FROM keys", "nothing in keys is ever deleted"),
    (f"INSERT OR REPLACE INTO entries SELECT entry, {COLUMNS} FROM entries WHERE entry = 2", "not the next entry"),
    (f"REPLACE INTO entries SELECT entry, {COLUMNS} FROM entries WHERE entry = 3", "not the next entry"),
    (f"INSERT INTO entries SELECT 5, {COLUMNS} FROM entries WHERE entry = 3", "not the next entry"),
    (f"INSERT INTO entries SELECT NULL, {COLUMNS} FROM entries WHERE entry = 1", "not the next entry"),
    (f"INSERT INTO entries SELECT 4, 4{COLUMNS[5:]} FROM entries WHERE entry = 1", "not the next entry"),
    (f"INSERT INTO entries SELECT 4, -1{COLUMNS[5:]} FROM entries WHERE entry = 1", "not the next entry"),
    (f"REPLACE INTO entries SELECT 4, {COLUMNS} FROM entries WHERE once = 'only'", "not the next entry"),
    (f"INSERT OR REPLACE INTO entries SELECT 4, {COLUMNS} FROM entries WHERE once = 'only'", "not the next entry"),
    ("REPLACE INTO events (seq, entry, body, split) VALUES (1, 3, '{}', 1)", "not the next event"),
    ("REPLACE INTO events (seq, entry, body, split) VALUES (6, 3, '{}', 1)", "not the next event"),
    ("INSERT INTO events (seq, entry, body, split) VALUES (9, 3, '{}', 1)", "not the next event"),
    ("INSERT INTO events (seq, entry, body, split) VALUES (7, 2, '{}', 1)", "not the next event"),
    ("INSERT INTO events (seq, entry, body, split) VALUES (7, 4, '{}', 1)", "not the next event"),
    ("INSERT INTO events (entry, body, split) VALUES (3, '{}', 1)", "not the next event"),
    ("INSERT INTO events (seq, entry, body, split) VALUES (6, 3, '{}', 1) ON CONFLICT (seq) DO UPDATE SET split = 2",
     "not the next event"),
    ("REPLACE INTO keys VALUES ('b')", "a ledger has one key"),
    ("REPLACE INTO keys SELECT key FROM keys", "a ledger has one key"),
])  # fmt: skip
def test_another_program_cannot_rewrite_the_past(store: SqliteStore, statement: str, reason: str):
    """Not even one with other settings: recursive triggers are off in it."""
    write(store, SAID)
    write(store, SAID, once="only")
    write(store, SAID)
    db = foreign(store.path)
    assert db.execute("PRAGMA recursive_triggers").fetchone() == (0,)
    before = "".join(db.iterdump())
    with pytest.raises(sqlite3.IntegrityError, match=reason):
        db.execute(statement)
    assert "".join(db.iterdump()) == before
    db.close()


@pytest.mark.parametrize("view", ["standing", "rolls", "dice", "rulings", "damage", "rounds"])
def test_a_view_can_only_be_read(store: SqliteStore, view: str):
    db = foreign(store.path)
    column = db.execute(f"SELECT * FROM {view}").description[0][0]
    for statement in (f"INSERT INTO {view} ({column}) VALUES (1)", f"DELETE FROM {view}",
                      f"UPDATE {view} SET {column} = 1"):  # fmt: skip
        with pytest.raises(sqlite3.OperationalError, match="because it is a view"):
            db.execute(statement)
    db.close()


@pytest.mark.parametrize("statement", [
    "UPDATE entries SET typed = ''",
    "UPDATE checkpoints SET state = ''",
    "DELETE FROM entries",
    "DELETE FROM events",
    "DELETE FROM keys",
    "DROP TABLE events",
    "DROP TRIGGER entries_are_never_changed",
    "DROP VIEW rolls",
    "ATTACH ':memory:' AS other",
    "PRAGMA synchronous = OFF",
    "PRAGMA writable_schema = ON",
    "CREATE TABLE more (x)",
    "CREATE TEMP TABLE more (x)",
    "CREATE TEMP TRIGGER t BEFORE INSERT ON main.entries BEGIN SELECT 1; END",
    "CREATE VIEW more AS SELECT 1",
    "ALTER TABLE entries ADD COLUMN x",
    "REINDEX",
    "VACUUM INTO 'copy'",
    "SELECT * FROM sqlite_master",
    "INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)",
])  # fmt: skip
def test_our_own_connection_may_only_read_and_append(store: SqliteStore, statement: str):
    with pytest.raises(sqlite3.DatabaseError, match=r"authoriz|prohibited"):
        store._db.execute(statement)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 is the first that can set it")
def test_sqlite_defends_the_schema_of_a_ledger(store: SqliteStore):
    """Even without the authorizer nothing is written into the schema, by a command or by what `verify` asks."""
    store._db.set_authorizer(None)
    plain = sqlite3.connect(store.path, isolation_level=None)
    guard(plain, store.path)
    for db in (store._db, plain):
        db.execute("PRAGMA writable_schema = ON")
        with pytest.raises(sqlite3.OperationalError, match="may not be modified"):
            db.execute("DELETE FROM sqlite_master WHERE type = 'trigger'")
    plain.close()


def test_what_is_printed_is_on_the_disk(store: SqliteStore):
    """The setting `synchronous` is EXTRA, and the journal is deleted at the end of each transaction."""
    store._db.set_authorizer(None)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (3,)
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert store._db.execute("PRAGMA recursive_triggers").fetchone() == (1,)


@pytest.mark.parametrize(("platform", "full"), [("darwin", 1), ("linux", 0)])
def test_on_macos_an_entry_waits_for_the_disk_itself(
    platform: str, full: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    new_book(tmp_path / "book.affray").store.close()
    monkeypatch.setattr(sys, "platform", platform)
    opened = SqliteStore.open(str(tmp_path / "book.affray"))
    opened._db.set_authorizer(None)
    assert opened._db.execute("PRAGMA fullfsync").fetchone() == (full,)
    opened.close()


def test_a_script_keeps_a_journal_without_a_head_beside_the_ledger_until_its_end(book: Book):
    """As safe: its head becomes zeros and is synced at the end of each transaction."""
    store = book.store
    assert isinstance(store, SqliteStore)
    book.play()
    say(book, Note("one"))
    assert Path(f"{store.path}-journal").read_bytes()[:28] == bytes(28)
    store._db.set_authorizer(None)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (3,)
    book.keep()
    assert not os.path.exists(f"{store.path}-journal")
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_ledger_that_another_program_put_into_wal_mode_comes_back(store: SqliteStore):
    store.close()
    db = foreign(store.path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    again = SqliteStore.open(store.path)
    again._db.set_authorizer(None)
    assert again._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    again.close()
    assert os.listdir(os.path.dirname(store.path)) == ["store.affray"]


def test_the_tables_take_no_value_of_another_type(store: SqliteStore):
    db = foreign(store.path)
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
        db.execute("INSERT INTO entries VALUES (1, 0, 'x', 1, 0, 0, '', '', '', '', '', '', '')")
    db.close()


# Opening


def test_a_newer_format_is_refused_by_name(store: SqliteStore):
    db = foreign(store.path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(LedgerMissing, match="has format 99; this program reads format 1 alone"):
        opened(store.path)


@pytest.mark.parametrize("content", [b"", b"not a ledger", b"\0" * 4096, "Zoë".encode() * 2000])
def test_what_is_no_ledger_is_refused(tmp_path: Path, content: bytes):
    path = tmp_path / "x.affray"
    path.write_bytes(content)
    with pytest.raises(LedgerMissing, match="is not an Affray ledger"):
        opened(str(path))
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_refused(tmp_path: Path):
    db = foreign(tmp_path / "x.affray")
    db.execute("CREATE TABLE entries (x)")
    db.close()
    with pytest.raises(LedgerMissing, match="is not an Affray ledger"):
        opened(str(tmp_path / "x.affray"))


def test_a_ledger_whose_pages_are_overwritten_is_damaged(store: SqliteStore):
    for _ in range(50):
        write(store, SAID)
    store.close()
    with open(store.path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 20_000)
    with pytest.raises(LedgerDamaged):
        SqliteStore.open(store.path).head()


def test_a_ledger_without_its_key_is_damaged(store: SqliteStore):
    db = foreign(store.path)
    db.execute("DROP TRIGGER keys_are_never_deleted")
    db.execute("DELETE FROM keys")
    db.close()
    with pytest.raises(LedgerDamaged, match="has lost its key"):
        store.key()


# Expected head


def test_an_entry_that_expects_another_head_is_not_appended(store: SqliteStore):
    write(store, SAID)
    stale = store.head()
    write(store, SAID)
    with pytest.raises(LedgerBusy, match="Somebody else recorded entry 2 in the meantime"), store.writing():
        store.append(replace(store.entry(2), entry=2, after=1), stale)
    assert store.head().entry == 2


@pytest.mark.parametrize("number", [1, 2, 4])
def test_only_the_next_number_can_be_appended(store: SqliteStore, number: int):
    write(store, SAID)
    write(store, SAID)
    with pytest.raises(LedgerBusy), store.writing() as head:
        store.append(replace(store.entry(2), entry=number), head)
    assert store.head().entry == 2


# The course


def test_the_course_is_a_short_list_of_ranges(store: SqliteStore):
    """1 2 3, back to 2; 5 6, back to 5; 8, forward to 6; 10."""
    for after in (0, 1, 2, 2, 4, 5, 5, 7, 6, 9):
        write(store, SAID, after=after)
    assert list(store.course(3)) == [(1, 3)]
    assert list(store.course(4)) == [(4, 4), (1, 2)]
    assert list(store.course(6)) == [(4, 6), (1, 2)]
    assert list(store.course(8)) == [(7, 8), (4, 5), (1, 2)]
    assert list(store.course(10)) == [(9, 10), (4, 6), (1, 2)]
    assert list(store.course(0)) == []


def test_the_course_may_go_back_to_the_very_beginning(store: SqliteStore):
    for after in (0, 1, 0):
        write(store, SAID, after=after)
    assert list(store.course(3)) == [(3, 3)]


# Checkpoints


def slots(book: Book) -> object:
    """The house rule as the ledger has it, read by somebody who remembers nothing."""
    return Book(book.store).present()[1].campaign.options["weapon_slots"]


def test_a_checkpoint_of_the_head_is_kept(book: Book):
    for text in ("one", "two"):
        say(book, Note(text))
    assert book.store.checkpoints() == [3]


def test_a_script_that_is_killed_leaves_a_checkpoint_of_at_most_16_entries_ago(book: Book):
    book.play()
    for at in range(40):
        say(book, Option("weapon_slots", str(1 + at % 2)))
    assert book.store.checkpoints() == [32]
    assert slots(book) == 2


def test_every_256th_checkpoint_stays(book: Book):
    state = book.present()[1].encoded()
    with book.store.writing() as head:
        for number in range(2, 601):
            bodies = ('{"event":"noted","text":"x"}',)
            entry = Entry(number, number - 1, number, number, 0, 0, NOON, "", "", "", "", bodies, (16,))
            head = book.store.append(entry, head, VERSION, state)
    assert book.store.checkpoints() == [256, 512, 600]
    found = book.store.checkpoint(VERSION, 1, 511)
    assert found
    assert found.entry == 256


@pytest.mark.parametrize("damage", [
    "UPDATE checkpoints SET state = replace(state, '\"weapon_slots\":1', '\"weapon_slots\":2')",
    "UPDATE checkpoints SET state = '{}'",
    "UPDATE checkpoints SET state = ''",
    "UPDATE checkpoints SET seal = replace(seal, substr(seal, 1, 1), 'x')",
    "UPDATE checkpoints SET reducers = 'another version', state = '{}'",
    "DELETE FROM checkpoints",
])  # fmt: skip
def test_a_damaged_checkpoint_is_ignored_and_the_state_folded_anew(book: Book, damage: str):
    say(book, Option("weapon_slots", "1"))
    say(book, Note("hi"))
    digest = book.present()[1].digest()
    db = foreign(book.store.path)
    assert db.execute(damage).rowcount == 1
    db.close()
    assert slots(book) == 1
    assert Book(book.store).present()[1].digest() == digest


def test_a_checkpoint_of_another_entry_does_not_pass_for_this_one(book: Book):
    """The seal binds a state to the digest of its entry."""
    say(book, Option("weapon_slots", "1"))
    db = foreign(book.store.path)
    (old,) = db.execute("SELECT state FROM checkpoints").fetchone()
    say(book, Option("weapon_slots", "2"))
    (entry_digest,) = db.execute("SELECT digest FROM entries WHERE entry = 2").fetchone()
    db.execute("UPDATE checkpoints SET state = ?, seal = ?", (old, seal(entry_digest, VERSION, old)))
    db.close()
    assert slots(book) == 2


def test_a_checkpoint_that_is_sealed_and_makes_no_sense_is_damage(book: Book):
    db = foreign(book.store.path)
    db.execute("UPDATE checkpoints SET state = 'x', seal = ?", (seal(book.store.head().digest, VERSION, "x"),))
    db.close()
    with pytest.raises(LedgerDamaged, match="cannot be read"):
        Book(book.store).present()


def test_a_checkpoint_saves_the_reading_of_everything_before_it(book: Book):
    """With a sealed checkpoint at e2, the state is folded from there on: what it says of the past holds."""
    say(book, Option("weapon_slots", "1"))
    state = book.present()[1].encoded().replace('"weapon_slots":1', '"weapon_slots":7')
    with book.store.writing() as head:
        book.store.save_checkpoint(2, head.digest, VERSION, state)
    write(book.store, SAID)
    assert slots(book) == 7


# Views


@pytest.fixture(params=["ON", "OFF"], ids=["trusted", "untrusted"])
def fought(tmp_path: Path, request: pytest.FixtureRequest):
    """Two rounds by hand: a blow, a second blow that is taken back, and a third.

    SQLite trusts what the file has for views, or does not: they show the same, in 3.40 too.
    """
    store = SqliteStore.create(str(tmp_path / "fought.affray"), KEY)

    def blow(faces: tuple[int, ...], points: int, left: int):
        total = Number("attack", (Step(sum(faces), "2d6"), Step(2, "sword")), sum(faces) + 2)
        defense = Number("defense", (Step(9, "d20"),), 9)
        return [
            Declared("attack", {"who": "Ann"}),
            Rolled("Ann", "attack", "Bob", "2d6", faces, (1, 0)),
            Ruled("test.hit", "Ann", "Bob", "hit", (total, defense), ">="),
            HpLost("Bob", points, left),
        ]

    write(store, [Declared("begin", {}), EncounterBegan(1), RoundBegan(1)])
    write(store, blow((6, 5), 4, 16))
    write(store, blow((3, 4), 5, 11))
    write(store, [Declared("undo", {}), Retracted((3,), (3,))], after=2)
    write(store, [Declared("done", {}), RoundBegan(2)])
    write(store, blow((1, 1), 6, 10))
    write(store, [Declared("end", {}), EncounterEnded(1)])
    write(store, [Declared("begin", {}), EncounterBegan(2)])
    write(store, [Declared("done", {}), RoundBegan(1)])
    store.close()
    db = foreign(store.path)
    db.execute(f"PRAGMA trusted_schema = {request.param}")
    yield db
    db.close()


def test_views_read_json_only_by_what_every_sqlite_lets_an_untrusted_file_use():
    """From SQLite 3.31 on that is `json_each`. The other functions of JSON are open to untrusted files since 3.41."""
    for name, query in VIEWS.items():
        assert set(re.findall(r"json\w*(?=\()|->+", query)) <= {"json_each"}, name


def test_the_view_standing_leaves_out_what_was_taken_back(fought: sqlite3.Connection):
    rows = fought.execute("SELECT entry FROM standing ORDER BY entry").fetchall()
    assert [entry for (entry,) in rows] == [1, 2, 4, 5, 6, 7, 8, 9]


def test_the_view_rolls_has_a_row_for_each_roll(fought: sqlite3.Connection):
    assert fought.execute("SELECT * FROM rolls").fetchall() == [
        (5, 2, "Ann", "attack", "Bob", "2d6", "[6,5]", "[1,0]", 1),
        (9, 3, "Ann", "attack", "Bob", "2d6", "[3,4]", "[1,0]", 0),
        (17, 6, "Ann", "attack", "Bob", "2d6", "[1,1]", "[1,0]", 1),
    ]


def test_the_view_dice_has_a_row_for_each_die(fought: sqlite3.Connection):
    rows = fought.execute("SELECT entry, who, nth, face, place, source, stands FROM dice ORDER BY seq, nth").fetchall()
    assert rows == [
        (2, "Ann", 1, 6, 1, "program", 1),
        (2, "Ann", 2, 5, 0, "typed", 1),
        (3, "Ann", 1, 3, 1, "program", 0),
        (3, "Ann", 2, 4, 0, "typed", 0),
        (6, "Ann", 1, 1, 1, "program", 1),
        (6, "Ann", 2, 1, 0, "typed", 1),
    ]


def test_the_view_rulings_shows_both_sums_and_the_outcome(fought: sqlite3.Connection):
    columns = "entry, clause, who, about, left_total, sign, right_total, outcome, stands"
    rows = fought.execute(f"SELECT {columns} FROM rulings").fetchall()
    assert rows == [
        (2, "test.hit", "Ann", "Bob", 13, ">=", 9, "hit", 1),
        (3, "test.hit", "Ann", "Bob", 9, ">=", 9, "hit", 0),
        (6, "test.hit", "Ann", "Bob", 4, ">=", 9, "hit", 1),
    ]
    (numbers,) = fought.execute("SELECT numbers FROM rulings WHERE entry = 2").fetchone()
    assert numbers == (
        '[{"of":"attack","steps":[{"value":11,"reason":"2d6"},{"value":2,"reason":"sword"}],"total":13},'
        '{"of":"defense","steps":[{"value":9,"reason":"d20"}],"total":9}]'
    )


def test_the_view_damage_says_what_was_lost_and_what_is_left(fought: sqlite3.Connection):
    rows = fought.execute("SELECT entry, who, points, now, verb, stands FROM damage").fetchall()
    assert rows == [(2, "Bob", 4, 16, "attack", 1), (3, "Bob", 5, 11, "attack", 0), (6, "Bob", 6, 10, "attack", 1)]


def test_the_view_rounds_gives_the_entries_of_each_round(fought: sqlite3.Connection):
    assert fought.execute("SELECT * FROM rounds").fetchall() == [(1, 1, 1, 4), (1, 2, 5, 6), (2, 1, 9, 9)]


def test_the_kind_of_an_event_is_a_column(fought: sqlite3.Connection):
    rows = fought.execute("SELECT kind FROM events WHERE entry = 2").fetchall()
    assert rows == [("declared",), ("rolled",), ("ruled",), ("hp-lost",)]


# Files


def test_a_ledger_in_a_folder_that_is_not_there_cannot_be_made(tmp_path: Path):
    with pytest.raises(AffrayError, match="cannot be written"):
        SqliteStore.create(str(tmp_path / "no" / "x.affray"), KEY)


def test_another_sqlite_that_sqlite_utils_would_choose_makes_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It takes `pysqlite3` where that is installed, whose errors are others than those of Python's own `sqlite3`."""

    def connect(*_: object) -> object:
        raise AssertionError("the other SQLite was asked for a connection")

    monkeypatch.setattr("sqlite_utils.db.sqlite3", SimpleNamespace(**{**vars(sqlite3), "connect": connect}))
    SqliteStore.create(str(tmp_path / "x.affray"), KEY).close()
    with pytest.raises(AffrayError, match="cannot be written"):
        SqliteStore.create(str(tmp_path / "no" / "x.affray"), KEY)


@pytest.mark.parametrize("path", [*ROOT.glob("ledger/*.py"), *ROOT.glob("commands/*.py")], ids=lambda path: path.name)
def test_no_statement_numbers_its_values(path: Path):
    """From Python 3.14 on `?1` takes no values from a sequence; 3.12 warns."""
    assert not re.findall(r"(?:=|,|\(|BETWEEN|AND) ?\?[0-9]", path.read_text()), path


def test_nothing_lies_beside_a_ledger(tmp_path: Path):
    book = new_book(tmp_path / "x.affray")
    say(book, Note("hi"))
    assert os.listdir(tmp_path) == ["x.affray"]
    book.store.close()


def test_a_new_ledger_is_closed_when_it_is_made(tmp_path: Path):
    with new_ledger(str(tmp_path / "new.affray"), KEY) as made:
        assert made.head().entry == 0
    with pytest.raises(LedgerDamaged, match="Cannot operate on a closed database"):
        made.head()


def test_what_is_folded_stands_entry_after_entry(book: Book):
    """e4 follows e2: nobody who goes by the index of jumps may take e2 to e5 for one stretch."""
    for number in range(2, 6):
        say(book, Note((f"{number}",)))
    book.store.check_unbroken(2, 5)
    book.store.check_unbroken(3, 2)
    forge(book.store.path, "UPDATE entries SET after = 2 WHERE entry = 4")
    book.store.check_unbroken(2, 3)
    book.store.check_unbroken(5, 5)
    with pytest.raises(LedgerDamaged, match="The course of play from e1 to e5 is not what the index of jumps says"):
        book.store.check_unbroken(2, 5)


@pytest.mark.parametrize(("field", "least", "most"), [
    ("after", 0, 2), ("command", 1, 3), ("origin", 1, 3), ("drawn", 0, 2**53 - 1),
    ("hidden", 0, 2**53 - 1),
])  # fmt: skip
def test_no_number_of_an_entry_lies_beyond_its_bounds(book: Book, field: str, least: int, most: int):
    """e3 stands after the start or an entry before it, is part of a command that began by then, and so on."""
    for number in range(2, 5):
        say(book, Note((f"{number}",)))

    def read(value: int) -> int:
        forge(book.store.path, f"UPDATE entries SET {field} = {value} WHERE entry = 3")
        return len(list(book.store.entries(1, 4)))

    assert [read(least), read(most)] == [4, 4]
    for value in (least - 1, most + 1):
        with pytest.raises(LedgerDamaged, match="e3 says of itself what is so of no entry"):
            read(value)
