"""The program of the page, without a browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.web.engine import Engine
from tests import hostile
from tests.shell import Shell

pytestmark = pytest.mark.slow


@pytest.fixture
def engine(shell: Shell) -> Iterator[Engine]:
    """The program of a page whose reader answers no question."""
    made = Engine(lambda question, standing: pytest.fail(question))
    yield made
    made.use("")


def test_what_somebody_ill_disposed_sends_is_not_called_sound_and_moves_no_terminal(
    shell: Shell, engine: Engine, capsys: pytest.CaptureFixture[str]
):
    """Of the ledger whose entries claim another version of the rules the chain alone is sound."""
    for name, data in hostile.ledgers(shell).items():
        Path(name).write_bytes(data)
        verdict = json.loads(engine.take(name))
        assert verdict["sound"] is (None if name == "arkm.affray" else False), (name, verdict)
        assert len(verdict["text"]) < 500
        assert verdict["text"].replace("\n", " ").isprintable(), verdict
        for line in ("status", "log", "verify", "stats"):
            engine.carry_out(line)
        said = "".join(capsys.readouterr())
        assert "fault of Affray" not in said, name
        plain = re.sub(r"\x1b\[[\d;]*m", "", said)
        assert [line for line in plain.splitlines() if not line.isprintable()] == [], name
        assert not re.search(f"^ *{hostile.VERDICT}", plain, re.M), name
        assert json.loads(engine.state())["sign"].endswith("> ")


def test_no_file_from_outside_gets_a_name_that_touches_a_ledger_or_leaves_the_folder(shell: Shell, engine: Engine):
    shell.done("demo", "freepg", "--file", "kept.affray")
    kept = Path("kept.affray").read_bytes()
    for name in (*hostile.NAMES, "kept.affray"):
        free = engine.free(name)
        assert free.isprintable()
        assert Path(free).name == free
        assert not free.startswith((".", "-"))
        assert not free.endswith(("-journal", "-wal", "-shm"))
        Path(free).write_bytes(kept)
        if name.casefold().endswith(".affray") and name != ".affray":
            assert json.loads(engine.take(free))["sound"], name
    engine.use("kept.affray")
    assert json.loads(engine.verdict())["sound"]
    assert Path("kept.affray").read_bytes() == kept


def test_the_desk_of_a_page_is_always_answered(shell: Shell, engine: Engine):
    """Also without a fight, and where what is sent is no tap."""
    assert json.loads(engine.desk("forms", "{}"))["say"] == "There is no fight here that a desk can go on with."
    shell.done("demo", "freepg", "--file", "kept.affray")
    engine.use("kept.affray")
    assert json.loads(engine.desk("forms", "{}"))["verbs"]
    assert json.loads(engine.desk("forms", '{"other": 1}'))["error"] == "form"
