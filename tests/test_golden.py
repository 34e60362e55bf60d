"""Golden ledgers: fights that were recorded once, and tell themselves again.

`fixtures/<system>/NAME.fight` is what was said, `NAME.jsonl` what was recorded. `AFFRAY_REWRITE=1` records anew: read
the difference before you keep it.
"""

import os
from pathlib import Path

import msgspec
import pytest

from commands.action.book import Book
from commands.past.verify import audit
from commands.shell.cli import run
from ledger.events import decode
from ledger.store import Store
from projections.state import State, fold

FIXTURES = Path(__file__).parent.parent / "fixtures"
COMMANDS = FIXTURES.parent / "commands" / "rules"
STORIES = sorted([*FIXTURES.glob("*/*.fight"), *COMMANDS.glob("*/demo.fight")])
SAMPLE = (
    STORIES
    if os.environ.get("AFFRAY_EXPLORE")
    else [story for story in STORIES if story.stem.endswith(("evening", "hall"))]
)
"""The stories that the slowest tests tell: an evening of each system; all of them when tests look further."""
KEY = "676f6c64656e206c656467657273207265740000000000000000000000000000"


def golden_of(story: Path) -> Path:
    """The export of a story; that of a demo, which is part of its rule system, is kept with the others."""
    return FIXTURES / story.parent.name / f"{story.stem}.jsonl"


def named(story: Path) -> str:
    """What a test of a story is called."""
    return f"{story.parent.name}-{story.stem}"


def tell(story: Path, ledger: Path) -> None:
    """Plays a script into a new ledger."""
    system = story.parent.name
    assert run(["--ledger", str(ledger), "init", story.stem, "--system", system, "--key", KEY]) == 0
    assert run(["--ledger", str(ledger), "run", str(story)]) == 0


def recorded(path: Path) -> list[list[str]]:
    """The events of each entry of an export."""
    lines = path.read_bytes().splitlines()[1:]
    return [[msgspec.json.encode(event).decode() for event in msgspec.json.decode(line)["events"]] for line in lines]


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_a_story_told_again_is_recorded_the_same(story, tmp_path, capsys, monkeypatch):
    """The same words with the same dice give the same events, to the byte."""
    monkeypatch.setenv("AFFRAY_BY", "gm")
    ledger, golden = tmp_path / "told.affray", golden_of(story)
    tell(story, ledger)
    told = tmp_path / "told.jsonl"
    assert run(["--ledger", str(ledger), "export", str(told)]) == 0
    if os.environ.get("AFFRAY_REWRITE"):
        golden.write_bytes(told.read_bytes())
    assert recorded(told) == recorded(golden)


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_a_golden_ledger_retells_itself(story, tmp_path, capsys):
    """Each declaration, resolved again with its own dice, gives its bytes again; the state is that of the events."""
    ledger = tmp_path / "golden.affray"
    assert run(["import", str(golden_of(story)), str(ledger)]) == 0
    book = Book(Store.open(str(ledger)))
    found = audit(book)
    assert found.entries == len(recorded(golden_of(story)))
    assert found.state == book.present()[1].digest()


def test_a_ledger_of_every_released_format_projects_to_its_state(tmp_path):
    """Old ledgers open for ever: `fixtures/formats` holds one of each format, with the digest of its state.

    `tests/test_drift.py` audits them.
    """
    formats = sorted((FIXTURES / "formats").glob("*.affray"))
    assert formats
    for path in formats:
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        book = Book(Store.open(str(copy)))
        wanted = path.with_suffix(".state").read_text().strip()
        head = book.store.head().entry
        assert fold(State(), map(decode, book.store.bodies(sorted(book.store.course(head))))).digest() == wanted
        assert book.present()[1].digest() == wanted
