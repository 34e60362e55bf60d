"""Copies: a ledger at one moment, also while others write."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from ledger.sqlite import SqliteStore
from tests.shell import Shell, affray, command, environment, foreign


def test_a_copy_is_the_same_ledger(table: Shell):
    """Its name says the ledger and the entry; a folder with a ledger and its copies still holds one ledger."""
    table.done("roll", "2d6")
    table.done("undo")
    head = table.done("verify").splitlines()[-1]
    answer = table("copy", "test.affray")
    assert (answer.code, answer.out) == (0, f"{head}\n")
    assert sorted(os.listdir()) == ["test-e3.affray-copy", "test.affray"]
    assert table.done("verify") == table.done("--ledger", "test-e3.affray-copy", "verify")
    assert table.done("export") == table.done("--ledger", "test-e3.affray-copy", "export")
    for ledger in ("test.affray", "test-e3.affray-copy"):
        table.done("--ledger", ledger, "redo")
    assert table.done("status") == table.done("--ledger", "test-e3.affray-copy", "status")
    assert table.done("roll", "4d100") == table.done("--ledger", "test-e3.affray-copy", "roll", "4d100")


def test_a_copy_goes_where_it_is_told(table: Shell, tmp_path: Path):
    os.mkdir("stick")
    table.done("copy", "test.affray", "stick")
    table.done("copy", "test.affray", "stick/other.affray")
    assert sorted(os.listdir("stick")) == ["other.affray", "test-e1.affray-copy"]
    said = table("copy", str(tmp_path / "test.affray"), "again.affray", "--json").json
    assert (said["ok"], said["entries"], said["ledger"]) == (True, 1, "again.affray")
    assert said["digest"] == table.done("--ledger", "again.affray", "verify").split()[-1]
    table.done("copy", "stick/other.affray")
    assert "other-e1.affray-copy" in os.listdir("stick")


def test_one_name_that_no_ledger_has_is_offered_as_that_of_the_copy(table: Shell):
    table.refused("copy", "other.affray", code=2)


def test_a_copy_never_takes_the_place_of_a_file(table: Shell):
    table.done("copy", "test.affray")
    Path("mine").write_text("mine")
    before = sorted(os.listdir())
    table.refused("copy", "test.affray", code=2)
    table.refused("copy", "test.affray", "test.affray", code=2)
    table.refused("copy", "test.affray", "mine", code=2)
    table.refused("copy", "test.affray", "no/such/folder", code=2)
    table.refused("copy", "nothing.affray", code=2)
    table.refused("copy", "mine", code=2)
    assert sorted(os.listdir()) == before
    assert Path("mine").read_text() == "mine"


def test_a_ledger_that_stays_busy_is_not_copied(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFRAY_WAIT", "0")
    db = foreign("test.affray")
    db.execute("BEGIN EXCLUSIVE")
    try:
        answer = table("copy", "test.affray")
    finally:
        db.close()
    assert (answer.code, os.listdir()) == (4, ["test.affray"])


@pytest.mark.slow
def test_copies_that_are_made_while_somebody_writes_are_sound(table: Shell, tmp_path: Path):
    """Each is a beginning of what is there in the end, and nobody who writes is sent away."""
    Path("script").write_text("note one\nroll 2d6\nundo\n" * 120)
    with subprocess.Popen(
        command("--ledger", "test.affray", "run", "script"), cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as writer:  # fmt: skip
        taken = []
        while writer.poll() is None:
            taken.append(f"copy-{len(taken)}")
            assert affray("copy", "test.affray", taken[-1], cwd=tmp_path).code == 0
        assert writer.stderr
        assert (writer.returncode, writer.stderr.read()) == (0, b"")
    heads = [table.done("--ledger", name, "verify").splitlines()[-1] for name in taken]
    assert len(set(heads)) > 1
    table.done("verify", *(word for head in heads for word in ("--head", head)))
    assert SqliteStore.open("test.affray").head().entry == 361


def test_a_copy_is_taken_inside_of_a_transaction_of_its_own(table: Shell):
    """What is recorded between the head and the pages would make a copy of two moments."""
    store = SqliteStore.open("test.affray")
    with store.still() as head:
        other = foreign("test.affray")
        other.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN")
        other.execute("DELETE FROM checkpoints")
        with pytest.raises(Exception, match="database is locked"):
            other.execute("COMMIT")
        other.close()
        Path("copy").touch()
        store.copy_to("copy")
    store.close()
    assert SqliteStore.open("copy").head() == head


# Another course


@pytest.fixture
def chase(shell: Shell) -> Shell:
    """The ogre has 40 hp. It loses 16 + 2 + 1 - 8 - 1 = 10 at e4, and 14 at e5, where it defends with a 1."""
    for line in ("init Chase --system freepg", "join boffin ogre", "note fog", "attack boffin ogre --dice 16,5",
                 "attack boffin ogre --dice 16,1"):  # fmt: skip
        shell.done("--ledger", "chase.affray", *line.split())
    return shell


def test_another_course_begins_after_an_entry(chase: Shell):
    """Both hold the same e1 to e4; then the copy says where it parted, and has dice of its own."""
    answer = chase("copy", "--at", "e4", "fled.affray-copy")
    fled = ("--ledger", "fled.affray-copy")
    assert chase.facts(*fled, "status")["entry"] == 6
    log = chase.done(*fled, "log")
    assert "From here on another course than in chase.affray.  e5" in log
    assert re.search(r"stirred with [0-9a-f]{32} \(epoch 1\)  e6", log)
    assert chase.done("export").splitlines()[:5] == chase.done(*fled, "export").splitlines()[:5]
    assert chase.done(*fled, "verify").splitlines()[-1] == answer.out.strip()
    rolls = [chase.done(*ledger, "roll", "20d1000") for ledger in ((), fled)]
    assert rolls[0].splitlines()[-1] != rolls[1].splitlines()[-1]


def test_two_copies_share_the_dice_of_their_epoch_and_the_next_and_none_later(chase: Shell):
    """They part in epoch 0 of the dice, e5 is a note in one of them alone, and all stirs are with the same words."""
    chase.done("copy", "chase.affray", "twin.affray-copy")
    twin = ("--ledger", "twin.affray-copy")
    chase.done("note", "hi")
    chase.done(*twin, "note", "ho")
    rolls = []
    for _ in range(3):
        rolls.append([chase.done(*ledger, "roll", "20d1000", "--who", "ogre") for ledger in ((), twin)])
        for ledger in ((), twin):
            chase.done(*ledger, "stir", "gold")
    assert [one == other for one, other in rolls] == [True, True, False]
    for ledger in ((), twin):
        chase.done(*ledger, "reveal", "dice")
        chase.done(*ledger, "verify")


def test_a_note_before_a_stir_changes_no_die_of_the_epoch_that_it_begins(chase: Shell):
    """Its secret was fixed by the stir before: nobody can try notes until the dice are good."""
    chase.done("stir", "silver")
    chase.done("copy", "chase.affray", "twin.affray-copy")
    chase.done("note", "hi")
    twin = ("--ledger", "twin.affray-copy")
    for ledger in ((), twin):
        chase.done(*ledger, "stir", "gold")
    one, other = (chase.done(*ledger, "roll", "20d1000", "--who", "ogre") for ledger in ((), twin))
    assert one.partition("  e")[0] == other.partition("  e")[0]


def test_another_course_begins_at_an_entry_that_is_there_and_whole(chase: Shell):
    """e6 amends, e7 and e8 are resolved again: a ledger that ends with e7 would hold half of it."""
    chase.refused("copy", "--at", "e9", code=3)
    chase.refused("copy", "--at", "9", code=2)
    chase.done("amend", "e4", "--because", "misread", "--dice", "16,4", "--apply")
    chase.refused("copy", "--at", "e7", code=2)
    assert sorted(os.listdir()) == ["chase.affray"]
    chase.done("copy", "--at", "e8")
    assert sorted(os.listdir()) == ["chase-e8.affray-copy", "chase.affray"]
    assert chase.done("--ledger", "chase-e8.affray-copy", "verify").startswith("Sound: 10 entries")
    chase.done("export", "players.jsonl", "--player-safe")
    chase.done("import", "players.jsonl", "players.affray-copy")
    chase.refused("--ledger", "players.affray-copy", "copy", "--at", "e2", code=2)
