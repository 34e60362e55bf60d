"""A ledger of every version of the rules is opened, verified, played on and exported (docs/stability.md)."""

import shutil
from pathlib import Path

import pytest

from ledger.events import KINDS, tag
from tests.shell import ROOT, Shell, foreign

FORMATS = ROOT / "fixtures" / "formats"
LEDGERS = sorted(FORMATS.glob("*.affray"))


@pytest.mark.slow
@pytest.mark.parametrize("ledger", LEDGERS, ids=lambda path: path.stem)
def test_an_old_ledger_goes_on(ledger: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Its head stays on its chain. An entry is added, taken back and brought back; all can be carried elsewhere."""
    shutil.copy(ledger, "old.affray")
    monkeypatch.setenv("AFFRAY_LEDGER", "old.affray")
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


@pytest.mark.parametrize("header", ["user_version = 0", "user_version = 2", "application_id = 0x41465259"])
def test_a_ledger_of_another_format_is_refused_in_one_sentence_and_not_changed(header: str, shell: Shell):
    """Those with the last header were written before 0.1.0, while the format changed."""
    shutil.copy(LEDGERS[0], "old.affray")
    db = foreign("old.affray")
    db.execute(f"PRAGMA {header}")
    db.close()
    kept = Path("old.affray").read_bytes()
    for words in ("status", "note hi", "undo", "verify", "copy old.affray new.affray"):
        shell.refused("--ledger", "old.affray", *words.split(), code=2, ledger="old.affray")
    assert Path("old.affray").read_bytes() == kept


def test_every_kind_of_event_stands_in_a_ledger_of_its_format():
    """So none of them can change without a test of an old ledger that fails."""
    held: set[str] = set()
    for ledger in LEDGERS:
        db = foreign(str(ledger))
        held.update(kind for (kind,) in db.execute("SELECT DISTINCT kind FROM events"))
        db.close()
    assert held == {*map(tag, KINDS)}
