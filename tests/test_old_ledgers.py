"""Ledgers of versions before are opened, verified, played on and exported by this one (docs/stability.md)."""

import shutil
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.past.soundness import examine
from ledger.events import KINDS, tag
from ledger.sqlite import SqliteStore
from tests.shell import ROOT, Shell, foreign, without_guards

FORMATS = ROOT / "fixtures" / "formats"
LEDGERS = sorted(FORMATS.glob("*.affray"))
BEFORE = sorted(FORMATS.glob("1/*.affray"))
"""Of format 1, which was written before 0.1.0: by the version at which the work on what is frozen began."""


def goes_on(ledger: str, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The head of a ledger stays on its chain. An entry is added, taken back and brought back; all can be carried
    elsewhere.
    """
    monkeypatch.setenv("AFFRAY_LEDGER", ledger)
    before = shell.done("verify").splitlines()[-1]
    shell.done("note", "The next evening begins.")
    shell.done("undo")
    shell.done("redo")
    shell.done("verify", "--head", before)
    shell.done("export", "old.jsonl")
    shell.done("export", "old.md", "--standing")
    shell.done("export", "players.jsonl", "--player-safe")
    head = shell.done("verify").splitlines()[-1]
    for lines, name in (("old.jsonl", "again"), ("players.jsonl", "players")):
        Path(name).mkdir()
        shell.done("import", lines, f"{name}/{name}.affray")
        assert shell.done("--ledger", f"{name}/{name}.affray", "verify", "--head", head).splitlines()[-1] == head


@pytest.mark.slow
@pytest.mark.parametrize("ledger", LEDGERS, ids=lambda path: path.stem)
def test_an_old_ledger_goes_on(ledger: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    shutil.copy(ledger, "old.affray")
    goes_on("old.affray", shell, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("ledger", BEFORE, ids=lambda path: path.stem)
def test_a_ledger_of_an_older_format_is_carried_over_by_copy_and_goes_on(
    ledger: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The hint works as it stands. Every entry keeps its words, its time and its dice; the state is that of before."""
    shutil.copy(ledger, "old.affray")
    says = "Try: affray copy old.affray old-format-2.affray"
    shell.refused("--ledger", "old.affray", "verify", code=2, says=says)
    told = shell.done("copy", "old.affray", "old-format-2.affray")
    assert Path("old.affray").read_bytes() == ledger.read_bytes()
    kept = "SELECT entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once FROM entries"
    old, new = foreign("old.affray"), foreign("old-format-2.affray")
    assert new.execute(kept).fetchall() == old.execute(kept).fetchall()
    faces = "SELECT entry, body FROM events WHERE kind = 'rolled' ORDER BY seq"
    assert new.execute(faces).fetchall() == old.execute(faces).fetchall()
    entry, digest = old.execute("SELECT entry, digest FROM entries ORDER BY entry DESC LIMIT 1").fetchone()
    assert told.splitlines()[0] == f"affray e{entry} {digest}"
    found = examine(Book(SqliteStore.open("old-format-2.affray")))
    assert not found.of("damage", "fault", "unchecked")
    assert found.state_digest == ledger.with_suffix(".state").read_text().strip()
    goes_on("old-format-2.affray", shell, monkeypatch)


@pytest.fixture
def before(shell: Shell) -> Shell:
    """A ledger of format 1, and no other."""
    shutil.copy(FORMATS / "1" / "freepg.affray", "old.affray")
    return shell


@pytest.mark.parametrize("words", [("status",), ("note", "hi"), ("undo",), ("export", "x.jsonl"), ("verify",)])
def test_a_ledger_of_an_older_format_is_refused_in_one_sentence_and_not_changed(words: tuple[str, ...], before: Shell):
    kept = Path("old.affray").read_bytes()
    before.refused(
        *words,
        code=2,
        says="old.affray was written by an older Affray: its format is 1, this program writes 2. A copy carries the"
        " campaign over, and the old file stays as it is.",
    )
    assert Path("old.affray").read_bytes() == kept


def test_only_a_whole_and_sound_ledger_of_an_older_format_is_carried_over(before: Shell):
    before.refused("copy", "--at", "e3", "part.affray", code=2, says="only a whole copy carries it over")
    before.refused("salvage", "old.affray", "new.affray", code=2, says="Salvage it with that Affray")
    with without_guards("old.affray") as db:
        db.execute("UPDATE entries SET typed = 'note nothing' WHERE entry = 7")
    before.refused("copy", "old.affray", "new.affray", code=5, says="e7 of old.affray is not as it was recorded")
    assert not Path("new.affray").exists()


def test_an_export_of_an_older_format_says_what_to_do(before: Shell):
    before.done("copy", "old.affray", "new.affray")
    before.done("--ledger", "new.affray", "export", "new.jsonl")
    first, *rest = Path("new.jsonl").read_text().splitlines(keepends=True)
    Path("old.jsonl").write_text("".join([first.replace('"affray":2', '"affray":1'), *rest]))
    before.refused("import", "old.jsonl", "again.affray", code=2, says="its format is 1, this program reads 2")


def test_every_kind_of_event_stands_in_a_ledger_of_its_format():
    """So none of them can change without a test of an old ledger that fails."""
    held: set[str] = set()
    for ledger in LEDGERS:
        db = foreign(str(ledger))
        held.update(kind for (kind,) in db.execute("SELECT DISTINCT kind FROM events"))
        db.close()
    assert held == {*map(tag, KINDS)}
