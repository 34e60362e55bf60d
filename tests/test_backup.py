"""Backups: after each encounter a checked copy in a folder."""

import os
from pathlib import Path

import pytest

from tests.shell import Shell, foreign

COPY = ("--ledger", "stick/test.affray-copy")


@pytest.fixture
def stick(table: Shell) -> Shell:
    """A table whose ledger is copied into the folder `stick`."""
    os.mkdir("stick")
    assert table.done("backup", "stick").startswith("stick/test.affray-copy holds e1;")
    return table


def head(table: Shell, *words: str) -> str:
    return table.done(*words, "verify").splitlines()[-1]


def fight(table: Shell) -> str:
    """What is said on standard error at the end of an encounter, in one line."""
    table.done("begin")
    ended = table("end")
    assert ended.code == 0
    return " ".join(ended.err.split())


def test_after_each_encounter_the_copy_holds_the_whole_ledger(stick: Shell):
    """In between it stays as it was; it is no ledger of the folder, and nothing of it stands in the ledger."""
    assert fight(stick) == ""
    assert head(stick, *COPY) == head(stick)
    stick.done("note", "later")
    assert head(stick, *COPY) != head(stick)
    assert fight(stick) == ""
    assert head(stick, *COPY) == head(stick)
    assert sorted(os.listdir()) == ["stick", "test.affray", "test.affray-backup"]
    assert os.listdir("stick") == ["test.affray-copy"]
    assert "stick" not in stick.done("export")
    stick.done("backup", "--off")
    fight(stick)
    assert head(stick, *COPY) != head(stick)
    stick.refused("backup", code=2)


def test_programs_get_json(stick: Shell):
    folder = os.path.abspath("stick")
    assert stick("backup", "--json").json == {"ok": True, "folder": folder}
    made = stick("backup", "stick", "--json").json
    assert (made["ok"], made["entries"], made["copy"]) == (True, 1, "stick/test.affray-copy")
    assert head(stick).endswith(f" {made['digest']}")
    assert stick("backup", "--off", "--json").json == {"ok": True, "folder": ""}


def test_a_script_makes_a_copy_at_its_end(stick: Shell):
    Path("evening").write_text("begin\nend\nbegin\nend\nnote late\n")
    stick.done("run", "evening")
    assert head(stick, *COPY) == head(stick)


def test_only_an_earlier_state_of_the_same_ledger_is_replaced(stick: Shell):
    """Neither a copy that was played on nor what is no ledger; one line says so, and play goes on."""
    fight(stick)
    stick.done(*COPY, "note", "mine")
    kept = head(stick, *COPY)
    stick.done("note", "another")
    said = fight(stick)
    assert "No backup was made: " in said
    assert "is not an earlier copy of this ledger; it was left as it is. The ledger itself is safe." in said
    assert head(stick, *COPY) == kept
    Path("stick/test.affray-copy").write_text("mine")
    assert "is not an Affray ledger" in fight(stick)
    assert Path("stick/test.affray-copy").read_text() == "mine"


def test_the_fight_goes_on_where_the_folder_is_gone(stick: Shell):
    os.unlink("stick/test.affray-copy")
    os.rmdir("stick")
    assert "cannot be made: No such file or directory. The ledger itself is safe." in fight(stick)
    stick.refused("backup", "stick", code=2)


def test_what_is_damaged_is_no_backup(stick: Shell):
    """The last sound copy stays."""
    fight(stick)
    kept = head(stick, *COPY)
    db = foreign("test.affray")
    db.execute("DROP TRIGGER events_are_never_changed")
    db.execute("UPDATE events SET body = replace(body, '\"encounter\":1', '\"encounter\":7') WHERE entry = 2")
    db.execute("UPDATE events SET split = 0 WHERE entry = 2")
    db.commit()
    db.close()
    assert stick("backup", "stick").code != 0
    assert head(stick, *COPY) == kept
