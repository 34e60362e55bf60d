"""Evenings of chance, told line by line: whatever was typed at random is answered as it was before.

`fixtures/<system>/chance-N.session` holds lines that a machine typed, sensible and not, corrections among them, and
what came of each, to the last word. Nobody has planned them: they hold what no other test thought of. The lines are
those of the file, so that `AFFRAY_REWRITE=1` records only the answers anew: read the difference before you keep it.
"""

import re
from pathlib import Path

import pytest

from commands.shell.cli import run

from .tables import EVENINGS
from .test_golden import FIXTURES, KEY, always_noon, named, same, transcript


@pytest.mark.parametrize("session", sorted(FIXTURES.glob("*/chance-*.session")), ids=named)
def test_an_evening_of_chance_goes_as_it_went(session: Path, tmp_path, capsys, monkeypatch):
    """The same words with the same dice are answered with the same words."""
    monkeypatch.setenv("AFFRAY_BY", "gm")
    monkeypatch.chdir(EVENINGS)
    typed = re.findall(r"^\$ affray (.+)$", session.read_text(encoding="utf-8"), re.M)
    with always_noon():
        ledger, system = tmp_path / "chance.affray", session.parent.name
        assert run(["--ledger", str(ledger), "init", "chance", "--system", system, "--key", KEY]) == 0
        same(session, transcript(capsys, ledger, *typed))
