"""Export and import: the whole record goes out and comes back, to the byte."""

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action.book import Book
from commands.action.common import Note, Option
from commands.action.rolling import Roll
from commands.files.transfer import BringIn, Export, bring_in, export
from commands.past.audit import audit
from commands.past.course import standing
from commands.past.undo import Undo, undo
from commands.words.console import Console
from ledger.sqlite import SqliteStore
from projections.state import VERSION
from tests.kit import KEY
from tests.shell import Shell, affray, digest_by_the_book, new_book, say

Lines = list[str]


@pytest.fixture
def exported(table: Shell) -> Lines:
    """The lines of an export: the key, then four entries, one of them undone."""
    table.done("roll", "2d6+1", "--once", "luck")
    table.done("note", "Zoë says 'hi'")
    table.done("undo")
    table.done("export", "out.jsonl")
    return Path("out.jsonl").read_text(encoding="utf-8").splitlines()


def test_the_first_line_holds_the_key_and_each_other_line_an_entry(exported: Lines):
    first, *entries = map(json.loads, exported)
    assert first == {"affray": 1, "key": KEY.hex()}
    assert [entry["entry"] for entry in entries] == [1, 2, 3, 4]
    assert entries[2]["events"] == [
        {"event": "declared", "verb": "note", "said": {"text": "Zoë says 'hi'"}},
        {"event": "noted", "text": "Zoë says 'hi'"},
    ]
    assert (entries[1]["once"], entries[3]["after"]) == ("luck", 2)
    assert (entries[1]["drawn"], entries[1]["hidden"]) == (0, 2), "the game master rolls behind the screen"
    assert entries[2]["splits"] == [len('{"event":"declared","verb":"note","said":{'), 0]


def test_what_comes_back_is_the_same_ledger(table: Shell, exported: Lines):
    answer = table("import", "out.jsonl", "back.affray")
    head = table.done("--ledger", "test.affray", "verify").splitlines()[-1]
    assert (answer.code, answer.out) == (0, f"{head}\n")
    assert table.done("--ledger", "back.affray", "verify") == table.done("--ledger", "test.affray", "verify")
    assert table.done("--ledger", "back.affray", "export") == "".join(f"{line}\n" for line in exported)
    assert table.done("--ledger", "back.affray", "log", "--json") == table.done(
        "--ledger", "test.affray", "log", "--json"
    )


def test_a_ledger_that_came_back_need_not_be_folded_anew(table: Shell, exported: Lines):
    table.done("import", "out.jsonl", "back.affray")
    with closing(SqliteStore.open("back.affray")) as store:
        head = store.head()
        kept = store.checkpoint(VERSION, 1, head.entry)
    assert kept is not None
    assert kept.entry == head.entry


def test_play_goes_on_in_the_ledger_that_came_back(table: Shell, exported: Lines):
    """The same dice come next, what was undone can be redone, and an id that was used stays used."""
    table.done("import", "out.jsonl", "back.affray")
    for ledger in ("test.affray", "back.affray"):
        assert table("--ledger", ledger, "roll", "2d6", "--once", "luck").code == 2
        table.done("--ledger", ledger, "redo")
    assert table.done("--ledger", "back.affray", "roll", "d100") == table.done(
        "--ledger", "test.affray", "roll", "d100"
    )


@pytest.mark.slow
def test_an_export_goes_to_standard_output_and_an_import_comes_from_standard_input(
    table: Shell, exported: Lines, tmp_path: Path
):
    """In UTF-8, whatever the terminal speaks."""
    out = affray("--ledger", "test.affray", "export", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert out.out.splitlines() == exported
    back = affray("import", "-", "back.affray", cwd=tmp_path, stdin=out.out, env={"PYTHONIOENCODING": "ascii"})
    assert back.code == 0
    assert back.out == table.done("--ledger", "test.affray", "verify").splitlines()[-1] + "\n"


def change(lines: Lines, at: int, **fields: object) -> Lines:
    """One field of one line is changed; the digests stay as they were."""
    said = {**json.loads(lines[at]), **fields}
    return [*lines[:at], json.dumps(said, ensure_ascii=False, separators=(",", ":")), *lines[at + 1 :]]


def forged(lines: Lines, at: int, **fields: object) -> Lines:
    """One field of one line is changed by somebody who makes all digests follow again."""
    first, *entries = map(json.loads, change(lines, at, **fields))
    previous = "0" * 64
    made = [json.dumps(first, separators=(",", ":"))]
    for entry in entries:
        bodies = [json.dumps(body, ensure_ascii=False, separators=(",", ":")) for body in entry["events"]]
        head = [entry[name] for name in ("entry", "after", "command", "origin", "drawn", "hidden", "recorded_at",
                                         "by", "typed", "program", "once")]  # fmt: skip
        halves = [*zip(bodies, entry["splits"], strict=False)]
        entry["digest"] = previous = digest_by_the_book(KEY, previous, head, halves)
        made.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    return made


DAMAGE: dict[str, tuple[Callable[[Lines], Lines], int]] = {
    "nothing at all": (lambda lines: [], 2),
    "no first line": (lambda lines: lines[1:], 2),
    "another first line": (lambda lines: ["hello", *lines[1:]], 2),
    "a key that is none": (lambda lines: change(lines, 0, key="xyz"), 2),
    "another key": (lambda lines: change(lines, 0, key="00" * 32), 5),
    "a newer format": (lambda lines: change(lines, 0, affray=3), 2),
    "no entries": (lambda lines: lines[:1], 2),
    "a line is missing": (lambda lines: [*lines[:2], *lines[3:]], 5),
    "a line twice": (lambda lines: [*lines[:3], lines[2], *lines[3:]], 5),
    "two lines swapped": (lambda lines: [*lines[:2], lines[3], lines[2], lines[4]], 5),
    "an empty line": (lambda lines: [*lines[:3], "", *lines[3:]], 5),
    "half a line": (lambda lines: [*lines[:4], lines[4][:50]], 5),
    "no JSON": (lambda lines: [*lines[:2], "hello", *lines[3:]], 5),
    "a list": (lambda lines: [*lines[:2], "[]", *lines[3:]], 5),
    "a field too many": (lambda lines: change(lines, 3, more=1), 5),
    "a number as text": (lambda lines: change(lines, 3, entry="3"), 5),
    "a lone surrogate": (lambda lines: [*lines[:3], lines[3].replace("hi", "\\ud800"), lines[4]], 5),
    "other words": (lambda lines: change(lines, 3, typed="note 'ho'"), 5),
    "another time": (lambda lines: change(lines, 2, recorded_at="2026-01-01T00:00:00Z"), 5),
    "another event": (lambda lines: change(lines, 3, events=[{"event": "noted", "text": "x"}]), 5),
    "an unknown event": (lambda lines: change(lines, 3, events=[{"event": "sung"}]), 5),
    "a forged jump ahead": (lambda lines: forged(lines, 3, after=7), 5),
    "a forged jump before the start": (lambda lines: forged(lines, 3, after=-1), 5),
    "a forged number": (lambda lines: forged(lines, 3, entry=9), 5),
    "a forged huge number": (lambda lines: forged(lines, 3, drawn=2**70), 5),
    "a forged count below nothing": (lambda lines: forged(lines, 3, hidden=-1), 5),
    "an event without its split": (lambda lines: change(lines, 3, splits=[42]), 5),
    "a split before the event": (lambda lines: change(lines, 3, splits=[-1, 16]), 5),
    "another split": (lambda lines: change(lines, 3, splits=[41, 16]), 5),
    "a forged huge origin": (lambda lines: forged(lines, 3, origin=2**70), 5),
    "a count that not every reader of JSON holds": (lambda lines: forged(lines, 3, drawn=2**53), 5),
    "a place that not every reader of JSON holds": (
        lambda lines: forged(
            lines,
            2,
            events=[
                *json.loads(lines[2])["events"][:1],
                {**json.loads(lines[2])["events"][1], "places": [2**53, 2**53 + 1]},
                *json.loads(lines[2])["events"][2:],
            ],
        ),
        5,
    ),
    "a forged entry of nothing": (lambda lines: forged(lines, 3, events=[], splits=[]), 5),
    "a forged id that is used": (lambda lines: forged(lines, 3, once="luck"), 5),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_export_is_refused_with_its_line_and_leaves_nothing_behind(
    table: Shell, exported: Lines, damage: str
):
    spoil, code = DAMAGE[damage]
    Path("in.jsonl").write_text("".join(f"{line}\n" for line in spoil(exported)), encoding="utf-8")
    table.refused("import", "in.jsonl", "back.affray", code=code)
    assert sorted(os.listdir()) == ["in.jsonl", "out.jsonl", "test.affray"]


def test_an_export_that_is_not_text_is_refused(table: Shell, exported: Lines, tmp_path: Path):
    damaged = "\n".join(exported).encode().replace(b"hi", b"\xff\xfe")
    Path("in.jsonl").write_bytes(damaged)
    table.refused("import", "in.jsonl", "back.affray", code=2)
    assert affray("import", "-", "back.affray", cwd=tmp_path, stdin=damaged).code == 2
    assert sorted(os.listdir()) == ["in.jsonl", "out.jsonl", "test.affray"]


def test_a_forged_rule_is_imported_and_then_found(table: Shell, exported: Lines):
    """The import checks the chain, the audit the rules: it says so."""
    events = [{"event": "declared", "verb": "note", "said": {"text": "x"}}, {"event": "noted", "text": "y"}]
    Path("in.jsonl").write_text("\n".join(forged(exported, 3, events=events)), encoding="utf-8")
    assert "verify checks the rules too" in table("import", "in.jsonl", "back.affray").err
    table.refused("--ledger", "back.affray", "verify", code=5,
                  ledger="back.affray")  # fmt: skip


def test_an_import_never_touches_what_is_there(table: Shell, exported: Lines):
    table.refused("import", "out.jsonl", "test.affray", code=2)
    table.refused("import", "nothing", "back.affray", code=2)
    table.refused("import", ".", "back.affray", code=2)
    table.refused("import", "out.jsonl", "no/such/folder/x.affray", code=2)


def test_an_export_that_cannot_be_written_leaves_the_old_one(table: Shell, exported: Lines):
    table.refused("export", "no/such/folder/x.jsonl", code=2)
    table.refused("export", ".", code=2)
    assert sorted(os.listdir()) == ["out.jsonl", "test.affray"]


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.one_of(TEXT, st.integers(0, 99), st.none()), max_size=8))
def test_export_then_import_is_identity(steps: list[str | int | None]):
    """Words, dice and undos of any kind."""
    with tempfile.TemporaryDirectory() as folder:
        book = new_book(f"{folder}/one.affray")
        console = Console()
        console.book = book
        for step in steps:
            match step:
                case None if len(standing(book.store, book.store.head().entry)) > 1:
                    undo(console, Undo())
                case str():
                    say(book, Note(step), typed=step)
                case int():
                    say(book, Roll("2d6"))
                    say(book, Option("min_hit_damage", str(step)))
        export(console, Export(file=f"{folder}/one.jsonl"))
        bring_in(Console(), BringIn(f"{folder}/one.jsonl", f"{folder}/two.affray"))
        other = Console()
        other.book = Book(SqliteStore.open(f"{folder}/two.affray"))
        export(other, Export(file=f"{folder}/two.jsonl"))
        assert Path(f"{folder}/one.jsonl").read_bytes() == Path(f"{folder}/two.jsonl").read_bytes()
        assert other.book.store.head() == book.store.head()
        assert other.book.present()[1].digest() == book.present()[1].digest()
        assert audit(other.book) == audit(book)
        other.book.store.close()
        book.store.close()
