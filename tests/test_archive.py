"""Archives: many campaigns in one folder, each as it was before or as it is after, whatever happens."""

import contextlib
import csv
import errno
import fcntl
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.archive.archived import COLUMNS, STATISTICS
from commands.files import drafts
from commands.files.exports.tidy import PLACE, TABLES
from commands.words import progress
from ledger.dice import committed
from ledger.events import CampaignBegan, Declared, HpLost
from ledger.sqlite import SqliteStore
from tests.archives import everything, manifests, rows, strays, text
from tests.engines import Postgres
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import ROOT, Shell, foreign, forge, new_book, write
from tests.test_golden import FIXTURES, STORIES, golden_of, named

pytestmark = pytest.mark.slow

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install '.[test]'")
duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: pip install '.[test]'")
TOLD = [story for story in STORIES if story.stem in ("demo", "the-cellar", "windows")]


def other_key(number: int) -> str:
    return number.to_bytes(32, "big").hex()


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """A folder with the ledger `test.affray`: Boffin and Brak, and the first round of their fight."""
    shell.done("init", "Hollow Hill", "--key", KEY.hex(), "--system", "freepg")
    shell.done("join", "boffin", "brak")
    shell.done("begin", "The door")
    shell.done("initiative", "--dice", "14,3")
    shell.done("attack", "boffin", "brak", "--dice", "14,6")
    os.rename("hollow-hill.affray", "test.affray")
    return shell


def archived(shell: Shell, *ledgers: str, to: str = "year", **more: Any) -> list[dict[str, Any]]:
    """What became of each ledger."""
    answer = shell("archive", *(ledgers or ("test.affray",)), "--to", to, "--json", *more.get("words", ()))
    assert answer.code == more.get("code", 0), answer
    return answer.json["ledgers"]


def outcomes(shell: Shell, *ledgers: str, **more: Any) -> list[tuple[str, int]]:
    return [(one["outcome"], one["added"]) for one in archived(shell, *ledgers, **more)]


def fresh(shell: Shell, *words: str) -> dict[str, Any]:
    """What a new archive of the ledger says."""
    shutil.rmtree("fresh", ignore_errors=True)
    shell.done("archive", "test.affray", "--to", "fresh", *words)
    return everything("fresh")


# The tables


@pytest.mark.parametrize("words", [(), ("--player-safe",)], ids=["everything", "for the players"])
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_the_tables_are_those_that_export_writes(system: str, words: tuple[str, ...], shell: Shell):
    shell.done("import", str(FIXTURES / system / "demo.jsonl"), "test.affray")
    shell.done("archive", "test.affray", "--to", "year", *words)
    for name, table in TABLES.items():
        shell.done("export", f"{name}.csv", "--table", name, *words)
        with open(f"{name}.csv", encoding="utf-8", newline="") as file:
            wanted = [
                {column: row[column].removeprefix("'") for column in table.columns} for row in csv.DictReader(file)
            ]
        found = [
            {column: str("" if cell is None else cell) for column, cell in row.items()} for row in rows("year", name)
        ]
        assert [{name: cell.removeprefix("'") for name, cell in row.items()} for row in found] == wanted, name
        assert found, name


def test_the_page_explains_every_column_with_its_type():
    page = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8").partition("## The tables")[2]
    place, *parts = re.split(r"^### (\w+)$", page, flags=re.M)
    types = {int: "integer", str: "text"}
    told = {
        name: re.findall(r"^- `(\w+)`, (\w+): \S", part, re.M)
        for name, part in zip(parts[::2], parts[1::2], strict=True)
    }
    assert re.findall(r"^- `(\w+)`, (\w+): \S", place, re.M) == [(name, types[kind]) for name, kind in PLACE.items()]
    for name, table in TABLES.items():
        own = [(column, types[kind]) for column, kind in table.columns.items() if column not in PLACE]
        assert told[name] == own, name
    assert told[STATISTICS] == [(column, types[kind]) for column, kind in COLUMNS.items()]
    assert [*told] == [*TABLES, STATISTICS, "campaigns"]


def test_what_is_undone_stays_in_the_tables_and_is_marked(fight: Shell):
    fight.done("adjust", "brak", "hp", "1", "a slip of the pen")
    fight.done("undo")
    fight.done("archive", "test.affray", "--to", "year")
    assert [row["stands"] for row in rows("year", "entries")] == [1, 1, 1, 1, 1, 0, 1]


# The statistics


def added_up(folder: str) -> tuple[dict[str, Any], dict[tuple[str, str, int], list[int]]]:
    """What the table of statistics holds: what each fighter did, by the names of `stats`, and the faces of each die."""
    fighters: dict[str, Any] = {}
    faces: dict[tuple[str, str, int], list[int]] = {}
    for row in rows(folder, STATISTICS):
        if row["section"] == "damage":
            deeds = fighters.setdefault(row["who"], {"side": row["side"], "dealt": {}, "taken": {}})
            unit, _, way = row["measure"].partition(" ")
            if way and row["value"]:
                deeds[way][unit] = row["value"]
            elif not way:
                deeds[unit] = row["value"]
        if row["section"] == "dice":
            pile = row["who"] or "the table", row["source"], row["sides"]
            faces.setdefault(pile, [0] * row["sides"])[row["number"] - 1] = row["value"]
    return fighters, faces


def told(shell: Shell, ledger: str = "test.affray") -> tuple[dict[str, Any], dict[tuple[str, str, int], list[int]]]:
    """The same, as `stats` tells it."""
    found = json.loads(shell.done("--ledger", ledger, "stats", "--json"))
    fighters = {one.pop("name"): one for one in found["fighters"]}
    for deeds in fighters.values():
        for way in ("dealt", "taken"):
            deeds[way] = {unit: points for unit, points in deeds[way].items() if points}
    dice = [one for one in found["dice"] if one["who"] != "everybody"]
    return fighters, {(one["who"], one["source"], one["sides"]): one["faces"] for one in dice}


@pytest.mark.parametrize("story", sampled(TOLD, 4), ids=named)
def test_the_statistics_of_one_campaign_are_those_of_its_ledger(story: Path, shell: Shell):
    """Also where the players see less: those of the file that they have."""
    shell.done("import", str(golden_of(story)), "test.affray")
    shell.done("export", "seen.jsonl", "--player-safe")
    shell.done("import", "seen.jsonl", "seen.affray")
    for ledger, words in (("test", ()), ("seen", ("--player-safe",))):
        shell.done("archive", "test.affray", "--to", f"{ledger}-archive", *words)
        assert added_up(f"{ledger}-archive") == told(shell, f"{ledger}.affray")


def test_undone_and_corrected_dice_count_as_in_the_ledger(fight: Shell):
    fight.done("undo")
    fight.done("attack", "boffin", "brak", "--dice", "15,6")
    fight.done("amend", "e7", "--dice", "17,6", "--because", "the 15 was a 17", "--apply")
    fight.done("roll", "2d6", "--who", "boffin")
    fight.done("archive", "test.affray", "--to", "year")
    assert added_up("year") == told(fight)
    assert json.loads(fight.done("stats", "--json"))["again"] == 1
    assert [row["value"] for row in rows("year", STATISTICS) if row["measure"] == "again"] == [1]


def test_what_is_wrong_with_a_manifest_is_said(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year")
    (manifest,) = Path("year/campaigns").iterdir()
    manifest.unlink()
    manifest.mkdir()
    fight.refused("archive", "test.affray", "--to", "year", code=2, says="cannot be read: Is a directory")
    shutil.rmtree("year/campaigns")
    Path("year/campaigns").write_text("")
    fight.refused("archive", "test.affray", "--to", "year", code=2, says="cannot be read: Not a directory")


@pytest.mark.parametrize("name", ["a[b]c", "it's *all*", "what?", "Zoë 🐉"])
def test_the_folder_may_have_any_name(fight: Shell, name: str):
    fight.done("archive", "test.affray", "--to", name)
    assert added_up(name) == told(fight)


# Said again


def test_what_has_not_changed_stays_as_it_is(fight: Shell):
    """With more entries all of a campaign is written, and says what one writing says."""
    assert outcomes(fight) == [("new", 5)]
    before = {path: path.stat().st_ino for path in Path("year").rglob("*.parquet")}
    assert outcomes(fight) == [("unchanged", 0)]
    assert {path: path.stat().st_ino for path in Path("year").rglob("*.parquet")} == before
    fight.done("done")
    fight.done("adjust", "brak", "hp", "1", "a slip of the pen")
    fight.done("undo")
    assert outcomes(fight) == [("added", 3)]
    assert everything("year") == fresh(fight)
    assert strays("year") == set()
    assert outcomes(fight) == [("unchanged", 0)]


@pytest.mark.parametrize(
    "change", [("undo",), ("amend", "e5", "--dice", "17,6", "--because", "the 15 was a 17", "--apply")]
)
def test_earlier_entries_may_stand_otherwise_since(fight: Shell, change: tuple[str, ...]):
    fight.done("archive", "test.affray", "--to", "year")
    fight.done(*change)
    ((outcome, added),) = outcomes(fight)
    assert (outcome, added) == ("added", len(rows("year", "entries")) - 5)
    assert everything("year") == fresh(fight)
    assert 0 in [row["stands"] for row in rows("year", "entries")]
    assert strays("year") == set()


def test_an_older_copy_changes_nothing_and_another_history_replaces(fight: Shell):
    shutil.copy("test.affray", "old.affray")
    fight.done("--ledger", "test.affray", "note", "the newest")
    fight.done("archive", "test.affray", "--to", "year")
    before = everything("year")
    assert outcomes(fight, "old.affray") == [("older", 0)]
    assert everything("year") == before
    fight.done("--ledger", "old.affray", "note", "it went otherwise")
    assert outcomes(fight, "old.affray") == [("replaced", 6)]
    assert [row["told"] for row in rows("year", "entries")][-1] == "it went otherwise"
    fight.refused("archive", "test.affray", "old.affray", "--to", "year", code=2)
    assert [row["told"] for row in rows("year", "entries")][-1] == "the newest"


def test_a_ledger_that_is_named_twice_is_archived_once(fight: Shell):
    os.symlink("test.affray", "link.affray")
    assert len(archived(fight, "test.affray", "./test.affray", "link.affray", ".")) == 1


def test_missing_files_and_those_of_another_format_are_written_again(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year")
    before = everything("year")
    (manifest,) = Path("year/campaigns").iterdir()
    manifest.write_text(manifest.read_text().replace('"format":1', '"format":0'))
    assert outcomes(fight) == [("replaced", 5)]
    next(Path("year/dice").rglob("*.parquet")).unlink()
    assert outcomes(fight) == [("replaced", 5)]
    assert everything("year") == before
    manifest.write_text("{")
    assert outcomes(fight) == [("new", 5)]
    assert everything("year") == before
    assert strays("year") == set()


# For the players


def test_what_is_hidden_never_reaches_the_archive(shell: Shell):
    """Two ledgers that differ only in what the players do not know give the same archive, but for digests."""
    for nth, (hp, words) in enumerate((("17", "the ogre is a coward"), ("23", "the ogre is an heir"))):
        with contextlib.chdir(_made(f"play-{nth}")):
            for line in (
                ("init", "Hollow Hill", "--key", KEY.hex(), "--system", "freepg"), ("join", "boffin", "brak"),
                ("begin",), ("adjust", "brak", "hp", hp, words), ("note", words, "--about", "brak"),
                ("note", words, "--secret"), ("roll", "1d20", "--dice", hp[:1]), ("initiative", "--dice", "14,3"),
                ("attack", "boffin", "brak", "--dice", f"14,{hp[0]}"),
            ):  # fmt: skip
                shell.done(*line)
            shell.done("archive", ".", "--to", "../seen-" + str(nth), "--player-safe")
    seen = [
        re.sub(
            r"[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:]+Z", "<>", text(f"seen-{nth}").replace(f"seen-{nth}", "")
        ).splitlines()
        for nth in (0, 1)
    ]
    assert sorted(seen[0]) == sorted(seen[1])
    assert "coward" not in str(seen)
    assert "Boffin attacks Brak" in str(seen)


def _made(folder: str) -> str:
    os.makedirs(folder)
    return folder


def test_what_is_revealed_later_is_in_the_archive_then(fight: Shell):
    fight.done("note", "a trapdoor", "--secret")
    assert outcomes(fight, words=("--player-safe",)) == [("new", 6)]
    assert "trapdoor" not in text("year")
    fight.done("note", "nothing to see")
    assert outcomes(fight, words=("--player-safe",)) == [("added", 1)]
    fight.done("reveal", "e6")
    assert outcomes(fight, words=("--player-safe",)) == [("added", 1)]
    assert "trapdoor" in text("year")
    assert everything("year") == fresh(fight, "--player-safe")


def test_other_sides_are_written_anew(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year", "--player-safe")
    hidden = [row["amount"] for row in rows("year", "damage")]
    assert outcomes(fight, words=("--player-safe", "--sides", "party,foes")) == [("replaced", 5)]
    assert outcomes(fight, words=("--player-safe", "--sides", "foes,party,foes")) == [("unchanged", 0)]
    assert (hidden, [row["amount"] for row in rows("year", "damage")]) == ([None], [9])
    fight.refused("archive", "test.affray", "--to", "year", "--sides", "foes", code=2)


def test_an_archive_for_players_stays_one(fight: Shell):
    fight.done("archive", "test.affray", "--to", "seen", "--player-safe")
    before = text("seen")
    fight.refused("archive", "test.affray", "--to", "seen", code=2)
    assert text("seen") == before
    fight.done("archive", "test.affray", "--to", "whole")
    fight.refused("archive", "test.affray", "--to", "whole", "--player-safe", code=2)


# What is wrong with a ledger


def damaged(path: str) -> None:
    forge(path, "UPDATE events SET body = replace(body, 'Brak', 'Bork') WHERE seq = (SELECT max(seq) FROM events)")


def newer(path: str) -> None:
    with contextlib.closing(foreign(path)) as db:
        db.execute("PRAGMA user_version = 99")


def nothing_recorded(path: str) -> None:
    os.unlink(path)
    SqliteStore.create(path, KEY).close()


def odd_digest(path: str) -> None:
    forge(path, "UPDATE entries SET digest = '../../../../x' WHERE entry = 1")


WRONG: dict[str, tuple[Callable[[str], None], int]] = {
    "changed": (damaged, 5),
    "no ledger": (lambda path: Path(path).write_text("text") and None, 2),
    "gone": (os.unlink, 2),
    "newer": (newer, 2),
    "empty": (nothing_recorded, 2),
    "first digest": (odd_digest, 5),
    "number": (lambda path: _written(path, HpLost("Brak", 2**70, 1)), 2),
}


def _written(path: str, *events: Any) -> None:
    store = SqliteStore.open(path)
    write(store, [Declared("note", {"text": "by hand"}), *events])
    store.close()


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_one_ledger_does_not_keep_the_others_out(case: str, fight: Shell):
    spoil, code = WRONG[case]
    new_book("bad.affray").store.close()
    fight.done("--ledger", "bad.affray", "join", "brak")
    spoil("bad.affray")
    fight.refused("archive", "bad.affray", "--to", "alone", code=code)
    answer = fight("archive", "bad.affray", "test.affray", "--to", "year")
    assert answer.code == code
    assert [one.name for one in manifests("year")] == ["Hollow Hill"]
    assert strays("year") == set()
    told = fight("archive", "bad.affray", "test.affray", "--to", "year", "--json")
    assert (told.code, told.json["ok"], told.json["error"]["code"]) == (code, False, code)
    assert [one["outcome"] for one in told.json["ledgers"]] == ["unchanged"]
    ((place, message),) = ((one["ledger"], one["message"]) for one in told.json["failed"])
    assert place == "bad.affray"
    assert message in answer.err


def test_a_busy_ledger_and_one_of_the_players_stay_out(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "0")
    fight.done("--ledger", "busy.affray", "init", "Busy", "--system", "freepg", "--key", other_key(1))
    fight.done("--ledger", "test.affray", "export", "seen.jsonl", "--player-safe")
    fight.done("import", "seen.jsonl", "seen.affray")
    with contextlib.closing(foreign("busy.affray")) as db:
        db.execute("BEGIN EXCLUSIVE")
        answer = fight("archive", ".", "--to", "year", "--json")
    assert answer.code == 4
    assert [(one["ledger"], one["code"]) for one in answer.json["failed"]] == [("busy.affray", 4), ("seen.affray", 2)]
    assert [one.name for one in manifests("year")] == ["Hollow Hill"]


def test_a_folder_anywheres_is_said(fight: Shell):
    os.makedirs("empty")
    fight.refused("archive", "empty", "--to", "year", code=2)
    assert not os.path.exists("year")
    os.makedirs("empty/below")
    os.rename("test.affray", "empty/below/camp.affray")
    assert [one["ledger"] for one in archived(fight, "empty")] == ["empty/below/camp.affray"]


def test_names_may_be_anything(shell: Shell):
    """The name of a campaign is no part of a path; the name of a rule system is escaped there, and comes back whole."""
    names = ["../../up", "", "a/b", "Zoë 🐉", "same", "same", "' OR 1=1 --", "*"]
    for number, name in enumerate(names):
        store = SqliteStore.create(f"{number}.affray", number.to_bytes(32, "big"))
        write(store, [Declared("init", {}), CampaignBegan(name, "../odd %2F=*[x] é", committed(KEY))])
        store.close()
    assert len(archived(shell, ".")) == len(names)
    assert sorted(one.name for one in manifests("year")) == sorted(names)
    assert sorted(os.listdir()) == [*(f"{number}.affray" for number in range(len(names))), "year"]
    with contextlib.chdir("year"), duckdb.connect() as db:
        db.execute(Path("tables.sql").read_text(encoding="utf-8"))
        found = db.execute("SELECT name FROM campaigns JOIN entries USING (campaign)").fetchall()
        assert sorted(name for (name,) in found) == sorted(names)
        assert db.execute("SELECT DISTINCT system FROM entries").fetchall() == [("../odd %2F=*[x] é",)]
    shell.refused("archive", "0.affray", "--to", "seen", "--player-safe", code=2)
    assert outcomes(shell, "0.affray", to="seen", words=("--player-safe", "--sides", "x")) == [("new", 1)]


def test_a_rule_system_that_no_folder_can_be_named_after_is_refused(shell: Shell):
    store = SqliteStore.create("odd.affray", KEY)
    write(store, [Declared("init", {}), CampaignBegan("Odd", "é" * 40, committed(KEY))])
    store.close()
    shell.refused("archive", "odd.affray", "--to", "year", code=5)


# What is wrong with the folder


def test_another_folder_is_left_alone(fight: Shell):
    fight.refused("archive", "test.affray", "--to", ".", code=2)
    fight.refused("archive", "test.affray", "--to", "test.affray", code=2)
    fight.refused("archive", "test.affray", code=2)
    os.makedirs("mine")
    Path("mine/affray-archive.json").write_text("[]")
    fight.refused("archive", "test.affray", "--to", "mine", code=2)
    Path("mine/affray-archive.json").write_text('{"affray_archive":2,"player_safe":false}')
    fight.refused("archive", "test.affray", "--to", "mine", code=2)
    assert os.listdir("mine") == ["affray-archive.json"]


def test_a_campaign_of_a_newer_program_is_left_alone(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year")
    (manifest,) = Path("year/campaigns").iterdir()
    manifest.write_text(manifest.read_text().replace('"format":1', '"format":2'))
    before = text("year")
    fight.refused("archive", "test.affray", "--to", "year", code=2, says="was written by a newer Affray")
    assert text("year") == before


def test_one_command_writes_at_a_time(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year")
    fight.done("note", "more")
    with open("year/affray-archive.json") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        fight.refused("archive", "test.affray", "--to", "year", code=4)
    assert outcomes(fight) == [("added", 1)]


class Killed(BaseException):
    """The process ends here."""


class Countdown:
    """A function that fails once, when it is called for the nth time."""

    def __init__(self, function: Callable[..., Any], nth: int, fault: BaseException) -> None:
        self.function, self.left, self.fault = function, nth, fault

    def __call__(self, *words: Any, **more: Any) -> Any:
        self.left -= 1
        if not self.left:
            raise self.fault
        return self.function(*words, **more)


def broken_off(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, change: tuple[str, ...], fault: BaseException, call: str, nth: int
) -> int:
    """Archives a change of the ledger, with a fault at the nth call. The archive then says what it said before or what
    it says after, in the views too, and the next command mends all. Gives the exit code, -1 for a killed process.
    """
    shell.done("archive", "test.affray", "--to", "year")
    before = everything("year")
    shell.done(*change)
    after = fresh(shell)
    code, counting = -1, Countdown(getattr(os, call), nth, fault)
    with monkeypatch.context() as patched, contextlib.suppress(Killed):
        patched.setattr(os, call, counting)
        if isinstance(fault, Killed):
            patched.setattr(drafts, "_remove", lambda _: None)
        answer = shell("archive", "test.affray", "--to", "year")
        code = answer.code
    assert counting.left <= 0
    found = everything("year")
    assert found in (before, after)
    assert found == after or code
    assert counted("year") == (len(found["entries"]), len(found["dice"]))
    if code > 0:
        assert "year cannot be written: No space left on device." in answer.err
        assert not [path for path in strays("year") if path.endswith(".affray-draft")]
    shell.done("archive", "test.affray", "--to", "year")
    assert everything("year") == after
    assert strays("year") == set()
    return code


def counted(folder: str) -> tuple[int, int]:
    """How many entries and dice the views show."""
    with contextlib.chdir(folder), duckdb.connect() as db:
        db.execute(Path("tables.sql").read_text(encoding="utf-8"))
        return db.execute("SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM dice)").fetchone()  # type: ignore


FILES = len(TABLES) + 1


@pytest.mark.parametrize(
    ("change", "call", "nth"),
    [
        (("note", "more"), "replace", 1), (("note", "more"), "replace", FILES + 1), (("note", "more"), "unlink", 1),
        (("undo",), "replace", FILES), (("undo",), "replace", FILES + 1), (("undo",), "unlink", 3),
    ],
    ids=str,
)  # fmt: skip
def test_a_killed_command_leaves_the_archive_as_before_or_as_after(
    fight: Shell, monkeypatch: pytest.MonkeyPatch, change: tuple[str, ...], call: str, nth: int
):
    """Killed before a file or the manifest gets its name, or before a file is removed; drafts stay behind."""
    assert broken_off(fight, monkeypatch, change, Killed(), call, nth) == -1


@pytest.mark.parametrize("nth", [1, 2, 3, FILES, FILES + 2])
def test_the_files_of_a_killed_first_command_are_found_by_the_next(
    fight: Shell, monkeypatch: pytest.MonkeyPatch, nth: int
):
    """Also where that archives other campaigns: the first has no manifest yet, so none of its files counts."""
    fight.done("--ledger", "b.affray", "init", "Other", "--system", "arkm", "--key", other_key(2))
    with monkeypatch.context() as patched, contextlib.suppress(Killed):
        patched.setattr(os, "replace", Countdown(os.replace, nth, Killed()))
        patched.setattr(drafts, "_remove", lambda _: None)
        fight("archive", "test.affray", "--to", "year")
    fight.done("archive", "b.affray", "--to", "year")
    left = [path for path in Path("year").rglob("*") if path.is_file()]
    assert strays("year") == set()
    assert not [path for path in left if "freepg" in str(path)]
    assert outcomes(fight) == [("new", 5)]


@pytest.mark.parametrize("nth", [1, FILES, 2 * FILES + 1])
def test_a_full_disk_is_said_in_one_sentence_and_loses_nothing(fight: Shell, monkeypatch: pytest.MonkeyPatch, nth: int):
    """At the first file, at the last, and at the manifest."""
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert broken_off(fight, monkeypatch, ("undo",), full, "fsync", nth) == 2


def test_files_that_do_not_count_are_neither_read_nor_kept(fight: Shell):
    fight.done("archive", "test.affray", "--to", "year")
    file = next(Path("year/dice").rglob("*.parquet"))
    shutil.copy(file, file.with_name("000007-e1-e5.parquet"))
    assert counted("year") == (5, len(rows("year", "dice")))
    assert outcomes(fight) == [("unchanged", 0)]
    assert strays("year") == set()


# PostgreSQL


def test_a_whole_database_is_archived_like_its_ledgers_in_files(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    """One campaign by its name, or all; names may hold what an address must not."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    club = Postgres()
    database = club.place().partition("#")[0]
    fight.done("--ledger", "b.affray", "init", "Other", "--system", "arkm", "--key", other_key(2))
    fight.done("copy", "test.affray", f"{database}#one%2Fof%20%23two")
    fight.done("copy", "b.affray", f"{database}#two")
    fight.done("archive", "test.affray", "b.affray", "--to", "files")
    assert outcomes(fight, f"{database}#two", to="there") == [("new", 1)]
    assert [one["outcome"] for one in archived(fight, database, to="there")] == ["new", "unchanged"]
    assert everything("there") == everything("files")
    assert outcomes(fight, "test.affray", "b.affray", to="there") == [("unchanged", 0), ("unchanged", 0)]


def test_a_password_is_never_said(fight: Shell):
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    address = "postgresql://gm:xyzzy@127.0.0.1:1/club"
    for words in ((address,), (f"{address}#camp", "test.affray")):
        answer = fight.refused("archive", *words, "--to", "year", code=2)
        assert "xyzzy" not in answer.out + answer.err
    assert "xyzzy" not in text("year")


# What is needed


def test_without_the_extra_it_says_how_to_get_it(fight: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = fight._typed("archive", "test.affray", "--to", "year")
    assert answer.code == 2
    assert "An archive needs pyarrow, which is not installed." in answer.err
    assert "affray[archive]'" in answer.err
    assert not os.path.exists("year")


def test_a_terminal_sees_how_many_ledgers_are_done_and_then_what_became_of_each(
    fight: Shell, monkeypatch: pytest.MonkeyPatch
):
    shutil.copy("test.affray", "again.affray")
    monkeypatch.setattr(progress, "PATIENCE", -1)
    monkeypatch.setattr(progress, "PAUSE", -1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.delenv("TERM", raising=False)
    answer = fight("archive", ".", "--to", "year")
    shown, _, told = answer.err.rpartition("\r\x1b[K")
    assert "archive: 1 of 2 (50%)" in shown
    assert answer.out == "again.affray: 5 entries\n"
    assert told == "2 ledgers archived in year: 1 new, 1 unchanged.\n"


def test_statistics_of_what_the_players_see_say_that_they_are_not_whole(fight: Shell):
    """Of the blow that Brak took they know that it hit, and not what it cost."""
    fight.done("archive", "test.affray", "--to", "seen", "--player-safe")
    fight.done("export", "seen.jsonl", "--player-safe")
    fight.done("import", "seen.jsonl", "seen.affray")
    assert added_up("seen") == told(fight, "seen.affray")
    shown = fight.done("--ledger", "seen.affray", "stats", "damage")
    assert shown.endswith("\nOnly what the players saw is counted. They do not know how much the others lost.\n")
    assert "Only what" not in fight.done("--ledger", "test.affray", "stats", "damage")
