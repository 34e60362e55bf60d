"""Ledgers of versions before are opened, verified, played on and exported by this one (docs/stability.md)."""

import shutil
from pathlib import Path

import pytest

from tests.shell import Shell
from tests.test_golden import FIXTURES

LEDGERS = sorted((FIXTURES / "formats").glob("*.affray"))


@pytest.mark.slow
@pytest.mark.parametrize("ledger", LEDGERS, ids=lambda ledger: ledger.stem)
def test_an_old_ledger_goes_on(ledger: Path, shell: Shell):
    """Its head stays on the chain. An entry is added, taken back and brought back; all can be carried elsewhere."""
    shutil.copy(ledger, "old.affray")
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
