"""Salvage: the sound beginning of a damaged file goes into a new ledger, and the rest is listed."""

import os
import random
import shutil
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest

from commands.shell.cli import run
from ledger.chain import GENESIS
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import Answer, Shell, chain_anew, foreign, forge

pytestmark = pytest.mark.slow

PAGE = 4096


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger with 60 entries on some thirty pages: e2 to e58 are notes, e59 takes e58 back, e60 rolls."""
    path = tmp_path_factory.mktemp("sixty") / "test.affray"
    run(["--ledger", str(path), "init", "Test", "--system", "freepg", "--key", KEY.hex()])
    for number in range(2, 59):
        run(["--ledger", str(path), "note", f"note {number} " + "x" * (50 * (number % 9))])
    run(["--ledger", str(path), "undo"])
    run(["--ledger", str(path), "roll", "2d6"])
    return path.read_bytes()


@pytest.fixture
def played(shell: Shell, sixty: bytes) -> Shell:
    """A shell in a folder with these sixty entries in test.affray."""
    Path("test.affray").write_bytes(sixty)
    return shell


def digests(path: str = "test.affray") -> list[str]:
    """The digests of all entries, the first at 1."""
    db = foreign(path)
    found = [digest for (digest,) in db.execute("SELECT digest FROM entries ORDER BY entry")]
    db.close()
    return [GENESIS, *found]


def saved(shell: Shell, chain: list[str], *words: str, perhaps: bool = False) -> Answer:
    """What a salvage says that makes new.affray: it is sound, its head lies on the old chain, the old file is as it
    was, and nothing else lies about. `perhaps` it says that there was nothing to save, and makes nothing.
    """
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    answer = shell("salvage", "test.affray", "new.affray", *words)
    if perhaps and answer.code == 5:
        assert {name: Path(name).read_bytes() for name in os.listdir()} == before
        return answer
    assert answer.code == 0, answer
    after = {name: Path(name).read_bytes() for name in os.listdir()}
    assert after.pop("new.affray")
    assert after == before
    head = answer.out.splitlines()[-1].split()
    assert chain[int(head[1][1:])] == head[2]
    sound = shell.done("--ledger", "new.affray", "verify", "--head", " ".join(head))
    assert sound.splitlines()[-1] == " ".join(head)
    return answer


def last(answer: Answer) -> int:
    """The last entry that was saved."""
    return int(answer.out.splitlines()[-1].split()[1][1:])


def test_of_a_sound_ledger_everything_is_saved(played: Shell):
    answer = saved(played, digests())
    assert last(answer) == 60
    for look in ("log", "status", "export"):
        assert played.done("--ledger", "new.affray", look) == played.done("--ledger", "test.affray", look)
    dice = [played.done("--ledger", f"{name}.affray", "roll", "4d100") for name in ("new", "test")]
    assert dice[0] == dice[1]


def test_a_draft_that_was_left_is_no_hindrance_without_links_that_are_not_followed(
    played: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Windows has no O_NOFOLLOW; nor may every folder be read in which one may write."""
    Path(".old.affray.1.affray-draft").write_bytes(b"")
    monkeypatch.delattr(os, "O_NOFOLLOW")
    with monkeypatch.context() as barred:
        barred.setattr("commands.files.drafts.os.listdir", Mock(side_effect=PermissionError(13, "Permission denied")))
        played.done("salvage", "test.affray", "first.affray")
    played.done("salvage", "test.affray", "second.affray")
    assert not Path(".old.affray.1.affray-draft").exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (["UPDATE events SET body = replace(body, '7 ', '6 ') WHERE entry = 7"], "e7 is not what was recorded."),
        (["UPDATE entries SET by = 'x' WHERE entry = 7"], "e7 is not what was recorded."),
        (["UPDATE entries SET digest = '' WHERE entry = 7"], "e7 is not what was recorded."),
        (["DELETE FROM entries WHERE entry = 7"], "e7 is missing."),
        (["DELETE FROM entries WHERE entry = 7", "DELETE FROM events WHERE entry = 7"], "e7 is missing."),
        (["DELETE FROM events WHERE entry = 7"], "e7 is not what was recorded."),
        (["DELETE FROM events WHERE entry = 7 AND kind = 'noted'"], "e7 is not what was recorded."),
        (["UPDATE entries SET after = 9 WHERE entry = 7"], "e7 is not what was recorded."),
    ],
)  # fmt: skip
def test_what_comes_before_a_broken_chain_is_saved_and_the_rest_is_named(played: Shell, changes, reason):
    """The words of every entry that can still be read are there to be typed again."""
    chain = digests()
    forge("test.affray", *changes)
    db = foreign("test.affray")
    db.execute("VACUUM")  # nothing of it is left on a free page
    db.close()
    answer = saved(played, chain)
    assert last(answer) == 6
    lines = answer.out.splitlines()
    assert lines[0] == f"{reason} These entries were left behind:"
    assert sum(line.startswith("  e") for line in lines) == 54
    assert any(line.startswith("  e8  ") and line.endswith("note 'note 8 " + "x" * 400 + "'") for line in lines)
    said = played("salvage", "test.affray", "json.affray", "--json").json
    assert (said["ok"], said["entries"], said["stopped"], said["left"][-1]["typed"]) == (True, 6, reason, "roll 2d6")


@pytest.mark.parametrize("filling", sampled([b"\xff", None]))
def test_any_page_can_be_lost(played: Shell, filling: bytes | None):
    """The saved part is sound and on the old chain, or the answer says that nothing is left or that the key is lost."""
    chain, whole = digests(), Path("test.affray").read_bytes()
    noise = random.Random(14)
    kept = []
    for page in range(len(whole) // PAGE):
        lost = noise.randbytes(PAGE) if filling is None else filling * PAGE
        Path("test.affray").write_bytes(whole[: page * PAGE] + lost + whole[(page + 1) * PAGE :])
        answer = saved(played, chain, perhaps=True)
        if answer.code == 0:
            kept.append(last(answer))
            os.unlink("new.affray")
        else:
            kept.append(0)
    assert kept[0] == 60, "the first page holds no entry: nothing is lost with it"
    assert kept.count(60) > 10, "nothing is lost with an index, a view or a checkpoint"
    assert kept.count(0) == 5, "the page of the key, and of entries and events the first and the one that lists them"


def test_single_bits_can_flip_anywhere(played: Shell):
    chain, whole = digests(), Path("test.affray").read_bytes()
    places = random.Random(15)
    for _ in range(60):
        at = places.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[at] ^= 1 << places.randrange(8)
        Path("test.affray").write_bytes(flipped)
        if saved(played, chain, perhaps=True).code == 0:
            os.unlink("new.affray")


def test_one_entry_is_one(table: Shell):
    answer = saved(table, digests())
    assert answer.err == "1 entry is in new.affray. affray --ledger new.affray verify checks all of it.\n"
    assert answer.out.splitlines()[0] == "Nothing else was found in the file."


def test_the_end_of_the_file_can_be_missing(played: Shell):
    chain, whole = digests(), Path("test.affray").read_bytes()
    Path("test.affray").write_bytes(whole[: -2 * PAGE])
    answer = saved(played, chain)
    assert "cannot be read" in answer.out


def test_rows_longer_than_a_page_are_saved(table: Shell):
    """What of a row does not fit on its page stands on other pages."""
    table.done("note", "long " + "y" * 1990)
    for _ in range(40):
        table.done("note", "z" * 1900)
    chain, whole = digests(), Path("test.affray").read_bytes()
    assert last(saved(table, chain)) == 42
    os.unlink("new.affray")
    at = whole.index(b"y" * 1000)
    Path("test.affray").write_bytes(whole[:at] + b"Y" + whole[at + 1 :])
    assert last(saved(table, chain)) == 1


def test_a_disk_that_cannot_read_is_told(played: Shell, monkeypatch: pytest.MonkeyPatch):
    before = sorted(os.listdir())
    monkeypatch.setattr(shutil, "copyfile", Mock(side_effect=OSError(5, "Input/output error")))
    played.refused(
        "salvage", "test.affray", "new.affray", code=2,
    )  # fmt: skip
    assert sorted(os.listdir()) == before


def test_what_an_unfinished_command_left_is_rolled_back(played: Shell):
    """The journal beside the file holds pages as they were: the file alone holds half an entry more."""
    chain = digests()
    db = foreign("test.affray")
    db.execute("PRAGMA cache_size = 1")
    db.execute("PRAGMA cache_spill = 1")
    for (guard,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {guard}")
    db.execute("BEGIN")
    db.execute("UPDATE events SET body = upper(body)")
    torn, journal = Path("test.affray").read_bytes(), Path("test.affray-journal").read_bytes()
    db.execute("ROLLBACK")
    db.close()
    assert b"NOTE 30" in torn
    Path("test.affray").write_bytes(torn)
    Path("test.affray-journal").write_bytes(journal)
    assert last(saved(played, chain)) == 60


def test_a_ledger_in_wal_mode_is_saved_with_its_log(played: Shell):
    chain = digests()
    db = foreign("test.affray")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("DELETE FROM checkpoints")
    files = {name: Path(name).read_bytes() for name in ("test.affray", "test.affray-wal")}
    db.close()
    for name, content in files.items():
        Path(name).write_bytes(content)
    assert last(saved(played, chain)) == 60


def test_an_entry_that_no_rule_makes_ends_what_is_saved(played: Shell):
    """A careful forger chained everything anew: the chain holds, the rules do not."""
    forge("test.affray", "UPDATE events SET body = replace(body, 'note 7 ', 'x') WHERE entry = 7 AND kind = 'noted'")
    chain_anew("test.affray")
    answer = saved(played, digests())
    assert last(answer) == 6
    assert "e7" in answer.out


def test_the_first_thing_that_is_wrong_is_the_reason(played: Shell):
    """e4 comes before the gap at e7; so does e6, which ends it, and is no part of a command of several."""
    whole = Path("test.affray").read_bytes()
    for wrong in (4, 6):
        Path("test.affray").write_bytes(whole)
        said = f"note {wrong} "
        forge(
            "test.affray",
            f"UPDATE events SET body = replace(body, '{said}', 'x') WHERE entry = {wrong} AND kind = 'noted'",
        )
        chain_anew("test.affray")
        forge("test.affray", "UPDATE entries SET by = 'x' WHERE entry = 7")
        answer = saved(played, digests())
        assert last(answer) == wrong - 1
        assert answer.out.startswith(f"e{wrong}, resolved again by the rules, differs from the record at its event 2.")
        os.unlink("new.affray")


@pytest.mark.parametrize("lost", [62, 63, 64])
def test_a_correction_is_saved_whole_or_not_at_all(played: Shell, lost: int):
    """e61 amends e57: e62 and e63 resolve e57 and e60 again."""
    played.done("amend", "e57", "--text", "corrected", "--because", "a slip", "--apply")
    played.done("note", "afterwards")
    chain = digests()
    assert len(chain) == 65
    forge("test.affray", f"UPDATE entries SET by = 'x' WHERE entry = {lost}")
    answer = saved(played, chain)
    assert last(answer) == (63 if lost == 64 else 60)
    belongs = "" if lost == 64 else " It belongs to e61."
    assert answer.out.splitlines()[0] == f"e{lost} is not what was recorded.{belongs} These entries were left behind:"


def test_a_lost_key_can_be_said(played: Shell):
    chain = digests()
    forge("test.affray", "DELETE FROM keys")
    db = foreign("test.affray")
    db.execute("VACUUM")
    db.close()
    played.refused("salvage", "test.affray", "new.affray", code=5)
    played.refused("salvage", "test.affray", "new.affray", "--key", "0" * 64, code=5)
    assert last(saved(played, chain, "--key", KEY.hex())) == 60


def test_what_cannot_be_salvaged_is_said_in_a_sentence_and_leaves_nothing(played: Shell):
    Path("empty").write_bytes(b"")
    Path("text").write_text("Once upon a time.\n" * 1000)
    os.mkfifo("pipe")
    before = sorted(os.listdir())
    for name in ("empty", "text"):
        played.refused("salvage", name, "new.affray", code=5)
    for name in ("nothing", ".", "pipe"):
        played.refused("salvage", name, "new.affray", code=2)
    played.refused("salvage", "test.affray", "text", code=2)
    played.refused("salvage", "test.affray", "test.affray", code=2)
    played.refused("salvage", "test.affray", "no/folder/x.affray", code=2)
    db = foreign("test.affray")
    db.execute("PRAGMA user_version = 3")
    db.close()
    played.refused("salvage", "test.affray", "new.affray", code=2)
    assert sorted(os.listdir()) == before


def test_another_size_of_pages_is_read_too(played: Shell):
    chain = digests()
    db = sqlite3.connect("test.affray", isolation_level=None)
    db.execute("PRAGMA page_size = 512")
    db.execute("VACUUM")
    db.close()
    assert Path("test.affray").read_bytes()[16:18] == (512).to_bytes(2, "big")
    assert last(saved(played, chain)) == 60
