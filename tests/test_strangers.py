# ruff: noqa: E501  statements of SQL are not broken
"""Files from strangers: a command explains in one sentence what is wrong with a file, soon and in little memory. No
file is reported as a fault of Affray.
"""

import contextlib
import os
import resource
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.shell import Answer, Shell, chain_anew, clear, command, environment, foreign

pytestmark = pytest.mark.slow

VERBS = (
    ("status",), ("log",), ("log", "--last", "0"), ("show",), ("show", "e2"), ("stats",), ("map",), ("replay", "--since", "e1"),
    ("why", "Grub.hp"), ("verify",), ("undo",), ("undo", "e2"), ("redo",), ("amend", "e2", "--drop"), ("disputes",),
    ("export", "out.jsonl"), ("export", "out.md"), ("note", "hi"), ("roll", "1d6"),
    ("join", "boffin"), ("rules", "options"), ("find", "Grub.hp < 5"), ("odds", "roll", "1d6"),
)  # fmt: skip
"""Every way in which a ledger is read or written."""


@pytest.fixture
def ledger(table: Shell) -> Shell:
    """e2 brings Grub, e3 rolls two dice of the stream, e4 is a note."""
    table.done("join", "grub")
    table.done("roll", "2d6")
    table.done("note", "hi")
    return table


def endless(table: str, columns: str, first: str) -> list[str]:
    """Puts an endless view in the place of a table."""
    return [
        f"ALTER TABLE {table} RENAME TO old_{table}",
        f"CREATE VIEW {table} AS WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)"
        f" SELECT {first} AS {columns} FROM more",
    ]


ENTRY_VIEW = endless("entries", "entry", "n, n - 1 AS after, n AS command, n AS origin, 0 AS drawn, 0 AS hidden,"
                     " '' AS recorded_at, '' AS by, '' AS typed, '' AS program, '' AS once, '' AS parts, '' AS digest, n")  # fmt: skip
LOOSE = (
    "CREATE TABLE loose (entry INTEGER PRIMARY KEY, after, command, origin, drawn, hidden, recorded_at, by, typed, program,"
    " once, parts, digest)",
    "INSERT INTO loose SELECT * FROM entries",
    "DROP TABLE entries",
    "ALTER TABLE loose RENAME TO entries",
)
"""The table of the entries, which takes anything now."""
LOOSE_EVENTS = (
    "CREATE TABLE loose (seq INTEGER PRIMARY KEY, entry, body, split, kind AS (substr(body, 11, instr(substr(body, 11), '\"') - 1)))",
    "INSERT INTO loose SELECT seq, entry, body, split FROM events",
    "DROP TABLE events",
    "ALTER TABLE loose RENAME TO events",
)

STRANGE: dict[str, tuple[str, ...]] = {
    "an entry stands after itself": ("UPDATE entries SET after = 3 WHERE entry = 3",),
    "an entry stands after a later one": ("UPDATE entries SET after = 4 WHERE entry = 3",),
    "the last entry stands after one that never comes": ("UPDATE entries SET after = 9000000000000000000 WHERE entry = 4",),
    "an entry stands before everything": ("UPDATE entries SET after = -9000000000000000000 WHERE entry = 4",),
    "the last entry has a very high number": (
        "UPDATE entries SET entry = 9000000000000000000, after = 8999999999999999999 WHERE entry = 4",
        "UPDATE events SET entry = 9000000000000000000 WHERE entry = 4",
    ),
    "the last entry has the highest number": (
        "UPDATE entries SET entry = 9223372036854775807 WHERE entry = 4",
        "UPDATE events SET entry = 9223372036854775807 WHERE entry = 4",
    ),
    "the last event has the highest number": (
        "UPDATE events SET seq = 9223372036854775807 WHERE seq = (SELECT max(seq) FROM events)",
    ),
    "very many dice were drawn": ("UPDATE entries SET drawn = 9223372036854775807 WHERE entry = 4",),
    "very many hidden dice were drawn": ("UPDATE entries SET hidden = 9223372036854775807 WHERE entry = 4",),
    "an event is divided before it begins": ("UPDATE events SET split = -1 WHERE entry = 4",),
    "an event is divided behind its end": ("UPDATE events SET split = 9223372036854775807 WHERE entry = 4",),
    "an event is divided elsewhere": ("UPDATE events SET split = split + 1 WHERE entry = 4",),
    "a split is a word": (*LOOSE_EVENTS, "UPDATE events SET split = 'x' WHERE entry = 4"),
    "an entry has parts, too": (
        'UPDATE entries SET parts = \'{"words":"\' || lower(hex(zeroblob(32))) || \'","counts":"\' || lower(hex(zeroblob(32)))'
        ' || \'","events":[]}\' WHERE entry = 4',
    ),
    "an entry has parts that are none": ("UPDATE entries SET parts = 'dragons' WHERE entry = 4",),
    "a stir is none": (
        'UPDATE events SET body = \'{"event":"stirred","dragons":1}\' WHERE seq = (SELECT max(seq) FROM events)',
    ),
    "an entry belongs to a command before everything": ("UPDATE entries SET command = -9223372036854775808 WHERE entry = 4",),
    "an entry resolves one again that is not there": ("UPDATE entries SET origin = 9223372036854775807 WHERE entry = 4",),
    "the entries are an endless view": tuple(ENTRY_VIEW),
    "the events are an endless view": tuple(
        endless("events", "seq", "n, 1 AS entry, '{\"event\":\"noted\",\"text\":\"x\"}' AS body, 16 AS split, 'noted' AS kind, n")
    ),
    "the entries are a very large view": (
        "ALTER TABLE entries RENAME TO old_entries",
        "CREATE VIEW entries AS SELECT a.entry, a.after, a.command, a.origin, a.drawn, a.hidden, a.recorded_at, a.by,"
        " a.typed, a.program, a.once, a.parts, a.digest FROM old_entries a, " + ", ".join(f"events x{n}" for n in range(12)),
    ),
    "the key is not hexadecimal": ("UPDATE keys SET key = 'dragon'",),
    "the key is short": ("UPDATE keys SET key = 'ff'",),
    "the key is gone": ("DELETE FROM keys",),
    "a body is NULL": (*LOOSE_EVENTS, "UPDATE events SET body = NULL WHERE seq = 4"),
    "a body is a number": (*LOOSE_EVENTS, "UPDATE events SET body = 7 WHERE seq = 4"),
    "a body is bytes": (*LOOSE_EVENTS, "UPDATE events SET body = x'00ff' WHERE seq = 4"),
    "a body is not a UTF-8": (*LOOSE_EVENTS, "UPDATE events SET body = CAST(x'7bff' AS TEXT) WHERE seq = 4"),
    "all bodies are NULL": (*LOOSE_EVENTS, "UPDATE events SET body = NULL"),
    "a column of the entries is NULL": (*LOOSE, "UPDATE entries SET drawn = NULL, by = NULL, digest = NULL WHERE entry = 4"),
    "a number of the entries is a word": (*LOOSE, "UPDATE entries SET after = 'e3', command = 'x' WHERE entry = 4"),
    "a body is nested 100,000 deep": (
        "UPDATE events SET body = '{\"event\":\"declared\",\"verb\":\"note\",\"said\":{\"text\":' || replace(hex(zeroblob(50000)),"
        " '0', '[') || '}}' WHERE seq = (SELECT min(seq) FROM events WHERE entry = 4)",
    ),
    "a body is nested 900 deep": (
        "UPDATE events SET body = '{\"event\":\"declared\",\"verb\":\"note\",\"said\":{\"text\":' || replace(hex(zeroblob(450)),"
        " '0', '[') || replace(hex(zeroblob(450)), '0', ']') || '}}' WHERE seq = (SELECT min(seq) FROM events WHERE entry = 4)",
    ),
    "the rules are unknown": ("UPDATE events SET body = replace(body, '\"freepg\"', '\"dragons\"') WHERE entry = 1",),
    "the rules are a module of Affray": ("UPDATE events SET body = replace(body, '\"freepg\"', '\"exports\"') WHERE entry = 1",),
    "the rules have a very long name": (
        "UPDATE events SET body = replace(body, '\"freepg\"', '\"' || hex(zeroblob(100000)) || '\"') WHERE entry = 1",
    ),
    "a name has very many letters": (
        "UPDATE events SET body = replace(body, '\"Grub\"', '\"' || hex(zeroblob(50000)) || '\"') WHERE entry = 2",
    ),
    "a name has 41 letters": ("UPDATE events SET body = replace(body, '\"Grub\"', '\"" + "x" * 41 + "\"') WHERE entry = 2",),
    "a kind of event has a very long name": (
        "UPDATE events SET body = replace(body, '\"noted\"', '\"' || hex(zeroblob(100000)) || '\"') WHERE entry = 4",
    ),
    "there are no entries": ("DELETE FROM events", "DELETE FROM entries"),
    "there is nothing": ("DELETE FROM events", "DELETE FROM entries", "DELETE FROM keys"),
    "a table is missing": ("DROP TABLE entries",),
    "a column is missing": ("ALTER TABLE checkpoints DROP COLUMN seal",),
}  # fmt: skip


def says_what_is_wrong(answer: Answer, verb: tuple[str, ...]) -> None:
    clear(answer, "Error: " if answer.err else "")
    assert answer.code in (2, 5), (verb, answer)


@pytest.mark.parametrize(
    ("strange", "chained"),
    sampled(
        [
            (name, chained)
            for name in STRANGE
            for chained in (False, True)
            if not (chained and "event has the high" in name)
        ],
        several=True,
    ),
)
def test_a_strange_ledger_is_explained_by_every_verb(ledger: Shell, strange: str, chained: bool):
    """Verify always finds it. Another verb either says what is wrong, or does what the ledger says."""
    tamper(*STRANGE[strange])
    if chained and not _chained_anew():
        return
    for cached in (True, False):
        if not cached:
            forget()
        whole = Path("test.affray").read_bytes()
        for verb in VERBS:
            Path("test.affray").write_bytes(whole)
            began = time.process_time()
            answer = ledger._typed(*verb)
            assert time.process_time() - began < 2, verb
            assert answer.code in (0, 1, 2, 3, 5), (verb, answer)
            assert len(answer.err) < 2000, (verb, answer.err[:200])
            if verb == ("verify",):
                says_what_is_wrong(answer, verb)
    for left in Path().glob("out.*"):
        left.unlink()


@pytest.mark.parametrize("column", ["after", "command", "origin", "drawn", "hidden"])
def test_a_number_that_became_a_word_is_explained_wherever_play_jumped(ledger: Shell, column: str):
    """A flipped bit in a row's header does so, in spite of the type of the column."""
    for words in ("undo", "redo", "undo", "note there", "dispute e2 no", "amend e2 --drop --apply"):
        ledger.done(*words.split())
    whole = Path("test.affray").read_bytes()
    for entry in (5, 7, 8, 10, 11):
        tamper(*LOOSE, f"UPDATE entries SET {column} = 'x' WHERE entry = {entry}")
        forget()
        changed = Path("test.affray").read_bytes()
        for verb in VERBS:
            Path("test.affray").write_bytes(changed)
            answer = ledger._typed(*verb)
            assert answer.code in (0, 1, 2, 3, 5), (entry, verb, answer)
            if verb == ("verify",):
                says_what_is_wrong(answer, verb)
        Path("test.affray").write_bytes(whole)
    for left in Path().glob("out.*"):
        left.unlink()


@pytest.mark.parametrize("entry", ["'x'", "NULL", "1.5"])
def test_an_event_of_an_entry_that_is_no_number_is_explained(ledger: Shell, entry: str):
    ledger.done("dispute", "e2", "no")
    tamper(*LOOSE_EVENTS, f"UPDATE events SET entry = {entry} WHERE kind = 'dispute-opened'")
    for verb in VERBS:
        answer = ledger._typed(*verb)
        assert answer.code in (0, 1, 2, 3, 5), (verb, answer)
        if verb == ("verify",):
            says_what_is_wrong(answer, verb)


def tamper(*changes: str) -> None:
    """Changes the ledger as a stranger may, whose file need not even keep its triggers."""
    db = foreign("test.affray")
    guards = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    views = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'").fetchall()
    for name, _ in guards:
        db.execute(f"DROP TRIGGER {name}")
    for name, _ in views:
        db.execute(f"DROP VIEW {name}")
    for change in changes:
        db.execute(change)
    for _, sql in (*guards, *views):
        try:
            db.execute(sql)
        except sqlite3.Error:
            continue  # on a table that became a view
    db.close()


def forget() -> None:
    """Takes away the checkpoints, so that everything is folded from the events."""
    db = foreign("test.affray")
    db.execute("DELETE FROM checkpoints")
    db.close()


def _chained_anew() -> bool:
    """Whether the digests could be made to follow again."""
    with contextlib.closing(foreign("test.affray")) as db:
        views = db.execute("SELECT name FROM sqlite_master WHERE type = 'view' AND name IN ('entries', 'events')")
        if views.fetchall():
            return False
    try:
        chain_anew("test.affray")
    except (sqlite3.Error, ValueError, TypeError, AttributeError):  # without a key, or of what is no text
        return False
    return True


# Headers and schemas


def test_a_format_that_no_affray_wrote_is_refused(ledger: Shell):
    for version in (0, -5):
        tamper(f"PRAGMA user_version = {version}")
        for verb in VERBS[:12]:
            ledger.refused(*verb, code=2)
        assert ledger._typed("--help").code == 0


@pytest.mark.parametrize("damage", ["SELEKT", "\xff\xfe"])
def test_a_view_with_a_damaged_byte_is_explained(ledger: Shell, damage: str):
    db = foreign("test.affray")
    db.execute("PRAGMA writable_schema = ON")
    words = damage.encode("latin-1")
    db.execute("UPDATE sqlite_master SET sql = CAST(replace(CAST(sql AS BLOB), CAST('SELECT' AS BLOB), ?) AS TEXT)"
               " WHERE name = 'rolls'", [words])  # fmt: skip
    db.close()
    for verb in VERBS:
        answer = ledger._typed(*verb)
        clear(answer, "test.affray is damaged")
        assert answer.code == 5, (verb, answer)


@pytest.mark.parametrize("change", [
    "CREATE TRIGGER swallow BEFORE INSERT ON events WHEN NEW.entry > 4 BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM checkpoints; END",
    "CREATE INDEX words ON entries (typed)",
    "CREATE TABLE notes (x)",
    "DROP INDEX jumps",
    "DROP VIEW rolls",
    "ALTER TABLE events ADD COLUMN loud TEXT AS (upper(body))",
])  # fmt: skip
def test_what_does_not_belong_in_the_file_is_named(ledger: Shell, change: str):
    db = foreign("test.affray")
    db.execute(change)
    db.close()
    ledger.refused("verify", code=5)


def test_a_view_that_shows_something_else_is_named(ledger: Shell):
    tamper()
    db = foreign("test.affray")
    db.execute("DROP VIEW damage")
    db.execute("CREATE VIEW damage AS SELECT 1")
    db.close()
    ledger.refused("verify", code=5)


def test_views_of_ones_own_and_statistics_of_sqlite_are_welcome(ledger: Shell):
    db = foreign("test.affray")
    db.execute("CREATE VIEW mine AS SELECT who FROM rolls")
    db.execute("ANALYZE")
    db.close()
    ledger.done("note", "more")
    ledger.done("verify")


@pytest.mark.parametrize("name", ["swallow", "events_come_in_order", "keys_come_once"])
def test_a_trigger_that_swallows_facts_is_noticed_before_the_command_says_that_it_recorded_them(
    ledger: Shell, name: str
):
    """Under a foreign name nothing may be asked in its name; under one of ours, what was written is read back."""
    db = foreign("test.affray")
    db.execute(f"DROP TRIGGER IF EXISTS {name}")
    db.execute(
        f"CREATE TRIGGER {name} BEFORE INSERT ON events WHEN NEW.body LIKE '%noted%' BEGIN SELECT RAISE(IGNORE); END"
    )
    db.close()
    ledger.refused("note", "hello", code=5)


# JSON Lines and TOML


@pytest.mark.parametrize("lines", [
    "[" * 100_000,
    '{"affray":1,"key":' + "[" * 100_000,
    '{"affray":1,"key":"dragon"}',
    '{"affray":' + "9" * 5000 + ',"key":""}',
    '{"affray":1,"players":false}',
    '{"affray":1,"players":true,"key":""}',
])  # fmt: skip
def test_a_first_line_that_makes_no_sense_is_refused(ledger: Shell, lines: str):
    Path("x.jsonl").write_text(lines)
    ledger.refused("import", "x.jsonl", "new.affray", code=2)
    assert not os.path.exists("new.affray")


@pytest.mark.parametrize("put", ['"events":[' + "[" * 100_000, '"events":[' + "[" * 900 + "]" * 900 + ',',
                                 '"more":' + "9" * 5000 + ',"events":['])  # fmt: skip
def test_an_entry_line_that_makes_no_sense_is_refused(ledger: Shell, put: str):
    ledger.done("export", "x.jsonl")
    text = Path("x.jsonl").read_text().splitlines()
    text[2] = text[2].replace('"events":[', put, 1)
    Path("x.jsonl").write_text("\n".join(text))
    ledger.refused("import", "x.jsonl", "new.affray", code=5)
    assert not os.path.exists("new.affray")


@pytest.mark.parametrize("content", [
    pytest.param(b"x = " + b"9" * 5000, id="a long number"),
    pytest.param(b"x = 0x" + b"f" * 5000, id="a long hexadecimal number"),
    pytest.param(b"x = -0x" + b"f" * 5000, id="one below nothing"),
    pytest.param(b"[" + b".".join([b"a"] * 5000) + b"]\nx = 1\n", id="a long key of a table"),
    pytest.param(b".".join([b"a"] * 20_000) + b" = 1\n", id="a long key"),
    pytest.param(b" . ".join([b'"a b"'] * 20_000) + b" = 1\n", id="a long key in quotes"),
    pytest.param(b"x = " + b"[" * 100_000, id="deep lists"),
    pytest.param(b"x = " + b"{a=" * 100_000, id="deep tables"),
    pytest.param(b"\n".join(b"a.b.k%d = 1" % n for n in range(20_000)), id="many keys"),
])  # fmt: skip
def test_a_toml_file_without_measure_is_refused(ledger: Shell, content: bytes):
    Path("x.toml").write_bytes(content)
    began = time.process_time()
    ledger.refused("join", "x.toml", code=2)
    assert time.process_time() - began < 2


def test_dots_in_a_text_are_no_key(ledger: Shell):
    Path("ghost.toml").write_text('name = "Ghost"\nkind = "enemy"\n# ' + "It haunts. " * 100 + "\n")
    ledger.done("join", "ghost.toml")


MEMORY = 200 << 20
"""Bytes that a command may take in all."""


def confined(folder: Path, *words: str) -> Answer:
    """A command in a process that has little memory and little time."""

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (4, 4))

    done = subprocess.run(command(*words), cwd=folder, env=environment(), capture_output=True, text=True,
                          preexec_fn=confine, timeout=60)  # fmt: skip
    return Answer(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("words", [("import", "/dev/zero", "new.affray"), ("run", "/dev/zero"), ("join", "/dev/zero")])
def test_a_file_without_an_end_is_refused(ledger: Shell, words: tuple[str, ...]):
    answer = confined(Path.cwd(), *words)
    clear(answer, "/dev/zero")
    assert answer.code == 2


@pytest.mark.parametrize("strange", ["the entries are an endless view", "the entries are a very large view",
                                     "the last entry has a very high number",
                                     "a body is nested 100,000 deep"])  # fmt: skip
@pytest.mark.parametrize("verb", [("status",), ("verify",), ("--help",), ("export", "out.jsonl")], ids=" ".join)
def test_a_strange_ledger_needs_little_memory_and_time(ledger: Shell, strange: str, verb: tuple[str, ...]):
    tamper(*STRANGE[strange])
    answer = confined(Path.cwd(), *verb)
    assert answer.code in ((5,) if verb == ("verify",) or "deep" not in strange else (0, 5)) or verb == ("--help",), (
        answer
    )
    assert len(answer.err) < 2000


# Names


def test_a_hostile_name_is_nothing_in_front_matter_or_for_a_shell(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    from commands.words.console import Console
    from tests.completed import completed

    shell.done("--ledger", "test.affray", "init", "<img src=x> [a](http://b) `c`", "--system", "freepg")
    shell.done("join", "grub")
    front = shell.done("export", "--format", "markdown").split("---")[1]
    (title,) = [line for line in front.splitlines() if line.startswith("title: ")]
    assert not set("<>[]()`") & set(title)
    assert ("//" in title, ":\\u002f" in title, "\\u003a//" in title) == (True, False, True)
    tamper("""UPDATE events SET body = replace(body, '"Grub"', '"$(touch x)"')""")
    forget()
    assert completed(Console(), "fighter", "") == ["$(touch x)"]
    monkeypatch.setenv("_AFFRAY_COMPLETE", "bash_complete")
    assert completed(Console(), "fighter", "$") == ["'$(touch x)'"]
    tamper("""UPDATE events SET body = replace(body, '$(touch x)', 'a\\n\\u001b[31m')""")
    forget()
    assert completed(Console(), "fighter", "") == []
