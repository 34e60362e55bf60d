"""Exports that people open: each format says what the record says, and a crash leaves the old file."""

import csv
import html
import io
import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.action.book import Book
from commands.action.common import Note
from commands.files.exports import FORMATS, format_of, markdown
from commands.files.exports.comma_separated import harmless_cell
from commands.files.exports.markdown import below, plain
from commands.files.exports.tidy import TABLES
from commands.files.transfer import Export
from commands.look.filters import Filters
from commands.seen.record import Record
from commands.words.screen import harmless
from ledger.errors import UsageError
from ledger.events import Declared, HpLost, Noted, Retracted
from ledger.sqlite import SqliteStore
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import ROOT, Shell, affray, command, environment, new_book, say, write
from tests.test_golden import SAMPLE, golden_of, named

INSTALLED = [name for name in FORMATS if name != "parquet" or find_spec("pyarrow")]
"""The formats whose packages are installed."""


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """A folder with a ledger of a fight: two who fight, one whose wound was undone, a game master's word."""
    shell.done("init", "The =bridge= & <gate>", "--key", KEY.hex(), "--system", "freepg")
    shell.done("join", "boffin", "brak")
    shell.done("begin", "At the *gate*")
    shell.done("initiative", "--dice", "14,3")
    shell.done("attack", "boffin", "brak", "--dice", "14,6")
    shell.done("adjust", "brak", "hp", "1", "=HYPERLINK(1)")
    shell.done("undo")
    shell.done("note", "@all: “hi”, said Zoë 🐉")
    return shell


def rows(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def head(shell: Shell) -> str:
    return shell.done("verify").splitlines()[-1]


# CSV


def test_a_csv_holds_a_row_for_each_entry_with_what_it_tells(fight: Shell):
    fight.done("export", "entries.csv")
    found = rows("entries.csv")
    assert [row["entry"] for row in found] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [row["stands"] for row in found] == ["1", "1", "1", "1", "1", "0", "1", "1"]
    assert found[4] | {"recorded_at": "", "digest": "", "told": ""} == {
        "entry": "5", "encounter": "1", "round": "1", "stands": "1", "after": "4", "command": "5", "origin": "5",
        "recorded_at": "", "by": "tester", "verb": "attack", "typed": "attack boffin brak --dice 14,6", "told": "",
        "program": "affray 0.1.0 freepg-1", "once": "", "digest": "",
    }  # fmt: skip
    assert found[4]["told"].splitlines() == [
        "Boffin attacks Brak: hit; Brak loses 9 hp, now 21/30",
        "    attack 16 (d20 14* +2 sword) > defense 8 (d20 6* +2 flat bonus): hit",
        "    damage 9 (d20 14* +2 sword +1 ring of force -8 defense)",
    ]


def test_dice_are_one_row_a_die(fight: Shell):
    fight.done("export", "dice.csv", "--table", "dice")
    found = [(row["entry"], row["who"], row["purpose"], row["face"], row["source"]) for row in rows("dice.csv")]
    assert found == [
        ("4", "John", "initiative", "14", "typed"), ("4", "gm", "initiative", "3", "typed"),
        ("5", "Boffin", "attack", "14", "typed"), ("5", "Brak", "defense", "6", "typed"),
    ]  # fmt: skip
    assert rows("dice.csv")[2] == {
        "entry": "5", "encounter": "1", "round": "1", "stands": "1", "nth": "5", "who": "Boffin", "purpose": "attack",
        "about": "Brak", "dice": "1d20", "die": "1", "sides": "20", "face": "14", "source": "typed", "place": "0",
        "person": "e2.1",
    }  # fmt: skip


def test_rulings_damage_and_conditions_have_tables_of_their_own(fight: Shell):
    """Attack 16 against 8: 16 + 1 (ring of force) - 8 = 9 points of Brak's 30."""
    fight.done("effect", "brak", "dazed", "--amount", "-1", "--until", "encounter-end")
    for table in ("rulings", "damage", "conditions"):
        fight.done("export", f"{table}.csv", "--table", table)
    hit = next(row for row in rows("rulings.csv") if row["clause"] == "freepg.attack.hit-test")
    assert (hit["who"], hit["about"], hit["outcome"]) == ("Boffin", "Brak", "hit")
    assert (hit["left"], hit["left_total"], hit["sign"], hit["right_total"]) == ("attack", "16", ">", "8")
    (blow,) = rows("damage.csv")
    assert (blow["who"], blow["counted"], blow["amount"], blow["now"], blow["verb"], blow["dealt_by"]) == (
        "Brak", "hp", "9", "21", "attack", "Boffin",
    )  # fmt: skip
    (dazed,) = rows("conditions.csv")
    assert (dazed["who"], dazed["condition"], dazed["change"], dazed["until"], dazed["amount"]) == (
        "Brak", "dazed", "gained", "encounter-end", "-1",
    )  # fmt: skip


def test_a_cell_that_a_spreadsheet_would_run_is_neutralised(fight: Shell):
    """The words come back when one apostrophe is taken away."""
    fight.done("export", "events.csv", "--table", "events")
    fight.done("export", "entries.csv")
    told = [row["told"] for row in rows("entries.csv")]
    assert told[7] == "'@all: “hi”, said Zoë 🐉"
    for row in (*rows("entries.csv"), *rows("events.csv")):
        assert not [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.slow
@given(st.text(max_size=12))
def test_a_text_comes_back_from_a_cell(text: str):
    written = io.StringIO(newline="")
    csv.writer(written).writerow([harmless_cell(text), 1])
    ((cell, _),) = csv.reader(io.StringIO(written.getvalue(), newline=""))
    assert cell.removeprefix("'") == text.removeprefix("'") if text.strip()[:1] != "'" else cell[1:] == text
    assert not cell.strip().startswith(("=", "+", "-", "@", "＝"))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r\n=1", " =1", "＝1", "'=1", "'"])
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(cell: str):
    assert harmless_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "a=1", "16 (d20 14 +2 sword)", 3, -3, None])
def test_numbers_and_words_stay_as_they_are(cell: str | int | None):
    assert harmless_cell(cell) == cell


def test_all_tables_are_in_a_zip_file(fight: Shell):
    fight.done("export", "all.zip")
    fight.done("export", "dice.csv", "--table", "dice")
    with zipfile.ZipFile("all.zip") as archive:
        assert archive.namelist() == [f"{name}.csv" for name in TABLES]
        assert archive.read("dice.csv") == Path("dice.csv").read_bytes()
        assert archive.comment.decode() == head(fight)
    first = Path("all.zip").read_bytes()
    fight.done("export", "all.zip")
    assert Path("all.zip").read_bytes() == first


def test_every_row_has_a_cell_for_each_column(fight: Shell):
    book = Book(SqliteStore.open(next(Path().glob("*.affray")).name))
    for table in TABLES.values():
        for page in Record(book, Filters()).pages():
            for row in table.rows(page):
                assert len(row) == len(table.columns)
                assert all(
                    cell is None or type(cell) is kind for cell, kind in zip(row, table.columns.values(), strict=True)
                )


# Parquet


@pytest.mark.slow
def test_parquet_holds_the_same_tables(fight: Shell):
    parquet = pytest.importorskip("pyarrow.parquet")
    for table, of in TABLES.items():
        fight.done("export", f"{table}.parquet", "--table", table)
        fight.done("export", f"{table}.csv", "--table", table)
        found = parquet.read_table(f"{table}.parquet")
        assert found.column_names == list(of.columns)
        wanted = rows(f"{table}.csv")
        assert [
            {name: "" if cell is None else str(harmless_cell(cell)) for name, cell in row.items()}
            for row in found.to_pylist()
        ] == wanted
        assert found.schema.metadata[b"affray.head"].decode() == head(fight)
    fight.done("export", "all.zip", "--format", "parquet")
    with zipfile.ZipFile("all.zip") as archive:
        assert parquet.read_table(io.BytesIO(archive.read("dice.parquet"))).num_rows == 4


def test_without_pyarrow_parquet_says_what_to_install(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    fight.refused("export", "dice.parquet", code=2)
    assert not Path("dice.parquet").exists()
    fight.refused("export", "dice.parquet", code=2)


@pytest.mark.slow
def test_pyarrow_is_imported_for_parquet_only(fight: Shell, tmp_path: Path):
    for words in (("export", "a.csv"), ("export", "a.md"), ("export", "a.jsonl")):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *command(*words)[1:]],
            env=environment(), cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0
        assert "pyarrow" not in done.stderr


# Markdown


def test_a_chronicle_has_front_matter_headings_and_a_line_for_each_entry(fight: Shell):
    fight.done("export", "story.md")
    told = Path("story.md").read_text(encoding="utf-8")
    front, body = told.removeprefix("---\n").split("\n---\n\n")
    facts = dict(line.split(": ", 1) for line in front.splitlines())
    assert json.loads(facts["title"]) == "The =bridge= & <gate>"
    assert json.loads(facts["head"]) == head(fight)
    assert json.loads(facts["state"]) in fight.done("verify", "--state")
    assert [line for line in body.splitlines() if line.startswith("#")] == [
        "# The =bridge= & \\<gate>", "## Before the first encounter", "## Encounter 1: At the \\*gate\\*",
        "### Round 1",
    ]  # fmt: skip
    items = [line for line in body.splitlines() if line.startswith("- ")]
    assert [line.split("**")[1] for line in items] == ["e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"]
    assert items[4] == "- **e5** Boffin attacks Brak: hit; Brak loses 9 hp, now 21/30"
    assert items[5] == "- **e6** ~~Brak has 1/30 hp (=HYPERLINK(1))~~"
    assert items[6] == "- **e7** e6 is taken back"
    assert items[7] == "- **e8** @all: “hi”, said Zoë 🐉"


def test_an_amended_course_is_struck_through_and_the_new_one_says_what_it_repeats(tmp_path: Path, shell: Shell):
    """e3 is replaced by e5, which stands after e2 and resolves e3 again; e4 opens the amendment."""
    book = new_book(tmp_path / "test.affray")
    for text in ("one", "two"):
        say(book, Note(text))
    write(book.store, [Declared("undo", {}), Retracted((3,), (3,))], after=2)
    write(book.store, [Declared("note", {"text": "three"}), Noted("three")], command=4, origin=3)
    book.store.close()
    shell.done("export", "story.md")
    assert Path("story.md").read_text(encoding="utf-8").splitlines()[-4:] == [
        "- **e2** one", "- **e3** ~~two~~", "- **e4** e3 is taken back", "- **e5** (e3 again) three",
    ]  # fmt: skip


def test_a_dispute_is_a_quote(fight: Shell):
    fight.done("dispute", "e5", "he was *prone*")
    fight.done("settle", "e5", "stands", "> no, he sat")
    fight.done("export", "story.md")
    assert Path("story.md").read_text(encoding="utf-8").splitlines()[-6:-2] == [
        "", "> **e9** e5 is disputed: he was \\*prone\\*", "", "> **e10** e5 stands: > no, he sat",
    ]  # fmt: skip


def test_markdown_in_names_and_notes_is_escaped():
    assert plain("*a* _b_ `c` ~~d~~ <b>e</b> [f](g) &amp; \\h") == (
        "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\<b>e\\</b> [f\\](g) \\&amp; \\\\h"
    )
    assert plain("attack 16 (4 2d6 [1+3]) > 12 <= 13 & more") == "attack 16 (4 2d6 [1+3]) > 12 <= 13 & more"
    assert plain("a\nb\x1b[2Jc") == "a\\\\nb\\\\x1b[2Jc"


SIGNS = st.sampled_from(
    [*"ab1 *_`~<>&;#[]()!\\|=-+.:/\"'^$@{}\n", "&amp;", "](", "<b>", "**", "~~", "[x] ", "1. ", "é"]
)


@pytest.mark.slow
@given(st.lists(SIGNS, max_size=12).map("".join))
def test_a_reader_of_markdown_shows_the_very_words(words: str):
    """In headings, items, what is struck through, and lines below an item."""
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable(["strikethrough", "table"])
    for line, before in (
        (f"# x{plain(words)}.", "x"),
        (f"- **e1** {plain(words)}.", "e1 "),
        (f"- **e1** ~~x{plain(words)}x~~", "e1 x"),
        (f"- a\n  - {below(plain(words.lstrip(' ') + 'x'))}", "a "),
    ):
        text = html.unescape(re.sub(r"</?(?:h1|ul|li|p|strong|s)>", "", reader.render(line)))
        after = line.rstrip("~")[-1]
        assert text.split() == f"{before}{harmless(words)}{after}".split(), line


def test_a_round_that_goes_on_after_an_undo_is_continued(fight: Shell):
    fight.done("end")
    fight.done("undo")
    fight.done("note", "It is not over.")
    fight.done("end")
    fight.done("note", "Home.")
    fight.done("export", "story.md")
    told = Path("story.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in told if line.startswith("#")][1:] == [
        "## Before the first encounter", "## Encounter 1: At the \\*gate\\*", "### Round 1", "## Between encounters",
    ]  # fmt: skip


# All of them


@pytest.mark.slow
@pytest.mark.parametrize("story", sampled(SAMPLE, 5), ids=named)
def test_every_format_takes_every_story(story: Path, shell: Shell):
    """Golden fights of all rule systems, whole and for players."""
    shell.done("import", str(golden_of(story)), "test.affray")
    for name in INSTALLED:
        shell.done("export", f"whole.{name}", "--format", name)
        if not FORMATS[name].whole:
            shell.done("export", f"safe.{name}", "--format", name, "--player-safe")


def test_filters_choose_the_entries(fight: Shell):
    """e1 and e2 come before the encounter; e3 begins it, e4 its first round."""
    for filters, wanted in (
        (["--encounter", "0"], [1, 2]),
        (["--encounter", "1"], [3, 4, 5, 6, 7, 8]),
        (["--round", "1"], [4, 5, 6, 7, 8]),
        (["--name", "brak"], [2, 5, 6]),
        (["--kind", "noted"], [8]),
        (["--encounter", "9"], []),
    ):
        fight.done("export", "entries.csv", *filters)
        assert [int(row["entry"]) for row in rows("entries.csv")] == wanted, filters
    fight.done("export", "story.md", "--encounter", "9")
    assert "Nothing in the record passes the filters." in Path("story.md").read_text(encoding="utf-8")
    fight.done("export", "story.md", "--round", "1")
    assert "## Encounter 1: At the \\*gate\\*" in Path("story.md").read_text(encoding="utf-8")


def test_the_ending_gives_the_format_and_format_overrides_it():
    said = {"a.jsonl": "jsonl", "a.ndjson": "jsonl", "A.MD": "markdown", "a.markdown": "markdown", "a.csv": "csv",
            "a.zip": "csv", "a.parquet": "parquet",
            "-": "jsonl"}  # fmt: skip
    assert {file: format_of(file, "")[0] for file in said} == said
    assert format_of("a.csv", "markdown")[0] == format_of("-", "md")[0] == "markdown"
    for file in ("a", "a.xlsx", "a.affray2", "csv", ".md5"):
        with pytest.raises(UsageError):
            format_of(file, "")


REFUSED: dict[str, list[str]] = {
    "an unknown ending": ["a.xlsx"],
    "no ending": ["story"],
    "an unknown format": ["a", "--format", "pdf"],
    "a folder": ["."],
    "a folder that is not there": ["no/such/a.md"],
    "the ledger": ["the-bridge-gate.affray", "--format", "csv"],
    "another ledger": ["new.affray", "--format", "csv"],
    "the ledger by a link": ["link.csv"],
    "a database": ["other.csv"],
    "an unknown table": ["a.csv", "--table", "spells"],
    "a table of a chronicle": ["a.md", "--table", "dice"],
    "one table in a zip": ["a.zip", "--table", "dice"],
    "a filter for the whole record": ["a.jsonl", "--round", "1"],
    "sides without need": ["a.md", "--sides", "foes"],
    "an unknown kind": ["a.md", "--kind", "sung"],
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_mistake_is_one_clear_sentence_and_nothing_is_lost(fight: Shell, mistake: str):
    ledger = "the-bridge-gate.affray"
    os.symlink(ledger, "link.csv")
    Path("other.csv").write_bytes(Path(ledger).read_bytes())
    before = sorted(os.listdir())
    fight.refused("--ledger", ledger, "export", *REFUSED[mistake], code=2, ledger=ledger)
    assert sorted(os.listdir()) == before


def test_an_export_replaces_the_old_file_or_leaves_it(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    """A full disk, an interruption and a fault leave the old file and nothing beside it."""
    Path("story.md").write_text("old", encoding="utf-8")
    here, writes = sorted(os.listdir()), markdown.write

    def fails(error: BaseException) -> Any:
        def write(record: Record, file: Any) -> None:
            file.write(b"half")
            raise error

        return write

    full = OSError(28, "No space left on device")
    for error, code in ((full, 2), (KeyboardInterrupt(), 130), (ZeroDivisionError(), 70)):
        monkeypatch.setattr(markdown, "write", fails(error))
        assert fight("export", "story.md").code == code
        assert Path("story.md").read_text(encoding="utf-8") == "old"
        assert sorted(os.listdir()) == here
    monkeypatch.setattr(markdown, "write", writes)
    fight.done("export", "story.md")
    assert Path("story.md").read_text(encoding="utf-8").startswith("---\n")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660])
@pytest.mark.parametrize("name", ["story.md", "story.jsonl"])
def test_an_export_keeps_the_mode_of_the_file_that_it_replaces(fight: Shell, name: str, mode: int):
    """An export as JSON Lines holds the key of the dice: a private file stays private."""
    Path(name).write_text("old")
    os.chmod(name, mode)
    fight.done("export", name)
    assert Path(name).read_text(encoding="utf-8") != "old"
    assert stat.S_IMODE(os.stat(name).st_mode) == mode


def test_a_link_stays_a_link(fight: Shell):
    os.mkdir("site")
    os.symlink("site/story.md", "story.md")
    fight.done("export", "story.md")
    assert Path("story.md").is_symlink()
    assert Path("site/story.md").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_device_is_written_into_and_never_replaced(fight: Shell, tmp_path: Path):
    for name in INSTALLED:
        answer = fight("export", "/dev/full", "--format", name)
        assert (answer.code, "No space left on device" in answer.err) == (2, True), answer
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command("export"), cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr


def test_a_pipe_is_written_into(fight: Shell, tmp_path: Path):
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        answer = affray("export", "pipe", "--format", "markdown", cwd=tmp_path)
        out, _ = reader.communicate(timeout=30)
    assert answer.code == 0
    assert out.startswith(b"---\ntitle: ")
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


@pytest.mark.slow
def test_a_reader_that_goes_away_is_not_an_error(fight: Shell, tmp_path: Path):
    for _ in range(40):
        fight.done("note", "x" * 2000)
    line = f"{' '.join(command('export', '-', '--format', 'markdown'))} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "---\n", "")


@pytest.mark.slow
def test_standard_output_is_utf_8_whatever_the_terminal_speaks(fight: Shell, tmp_path: Path):
    for name in ("markdown", "csv"):
        answer = affray("export", "--format", name, cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
        assert "Zoë 🐉" in answer.out


def test_what_another_program_wrote_leaves_too(tmp_path: Path, shell: Shell):
    """Words with line feeds, quotes and control characters, numbers of any size, times that are none."""
    text = 'a\nb\r\n"c",\x00\x1b[2J=cmd()'
    book = new_book(tmp_path / "test.affray")
    write(
        book.store,
        [Declared("note", {"text": text}), Noted(text), HpLost("Zed", 2**70, 1)],
        recorded_at="noon",
        typed=text,
    )
    book.store.close()
    shell.done("export", "entries.csv")
    shell.done("export", "events.csv", "--table", "events")
    assert rows("entries.csv")[1]["typed"] == text
    assert json.loads(rows("events.csv")[3]["body"])["text"] == text
    shell.done("export", "story.md")
    assert "\x1b" not in Path("story.md").read_text(encoding="utf-8")
    pytest.importorskip("pyarrow")
    shell.refused("export", "damage.parquet", "--table", "damage", code=2)
    assert sorted(os.listdir()) == ["entries.csv", "events.csv", "story.md", "test.affray"]


@pytest.mark.slow
def test_every_answer_names_the_head_and_json_says_it_too(fight: Shell):
    for file in ("a.md", "a.csv", "a.zip", "a.jsonl"):
        answer = fight("export", file)
        assert answer.out == ""
        line = head(fight)
        assert (line in answer.err) is (file != "a.jsonl")
        whole = Path(file).read_bytes()
        assert line.split()[2].encode() in whole
    said = fight("export", "a.md", "--json").json
    assert said == {"ok": True, "entries": 8, "digest": head(fight).split()[2], "file": "a.md"}


def test_help_and_documentation_name_every_format_and_table():
    page, tables = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("exports.md", "archive.md"))
    for name, form in FORMATS.items():
        assert name in (Export.__doc__ or ""), "the docstring of Export in commands/files/transfer.py names each format"
        assert f"| `{form.endings[0]}` | `{name}` |" in page, f"docs/exports.md has no row for {name}"
    for name, table in TABLES.items():
        assert f"`{name}`" in page
        assert f"### {name}\n\n{table.summary[0].upper()}{table.summary[1:]}.\n" in tables


def test_all_of_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    fight: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The lines of a small export wait in a buffer until they are told to go."""
    sizes, kept = [], os.fsync

    def fsync(number: int) -> None:
        sizes.append(os.fstat(number).st_size)
        kept(number)

    monkeypatch.setattr(os, "fsync", fsync)
    fight.done("export", "all.md")
    assert os.stat("all.md").st_size in sizes
