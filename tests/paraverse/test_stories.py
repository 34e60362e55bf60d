"""Golden ledgers: each retells itself, and its script tells it again."""

import json

import pytest

from commands.audit import audit
from commands.cli import run
from commands.desk import Desk
from commands.transfer import BringIn, Export, bring_in, export

from .stories import FOLDER, ROOT, STORIES, book, tell


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    """The scripts name their sheets from there."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", STORIES)
def test_a_story_retells_itself(name, tmp_path):
    """Its declarations, resolved again with their own dice, give its bytes again."""
    path = tmp_path / "story.affray"
    bring_in(Desk(), BringIn(str(FOLDER / f"{name}.jsonl"), str(path)))
    story = book(path)
    try:
        assert audit(story).entries > 10
    finally:
        story.store.close()


@pytest.mark.parametrize("name", STORIES)
def test_a_script_tells_its_story(name, tmp_path):
    """The same words and dice make the same events, and the same state."""
    desk = tell(name, tmp_path / "told.affray")
    export(desk, Export(str(tmp_path / "told.jsonl")))
    state = desk.book.present()[1].digest()
    desk.book.store.close()
    assert _events(tmp_path / "told.jsonl") == _events(FOLDER / f"{name}.jsonl")
    bring_in(Desk(), BringIn(str(FOLDER / f"{name}.jsonl"), str(tmp_path / "kept.affray")))
    golden = book(tmp_path / "kept.affray")
    assert golden.present()[1].digest() == state
    golden.store.close()


def _events(path):
    """The events of each entry of an export."""
    return [json.loads(line).get("events") for line in path.read_text().splitlines()]


def test_the_demo_tells_its_story(tmp_path, capsys):
    """Three rounds: a double fall, two against one, a severed limb, and a bleeding end phase."""
    path = tmp_path / "demo.affray"
    assert run(["demo", "paraverse", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Vasko has a fractured-arm", "Ildar is unconscious", "Hakon in skirmish 1", "Thrall has a severed-arm",
        "pain 1 (bleeding); Reaver suffers 1 pain, now 6", "Reaver 10 (natural) > Sigrun 8 (natural): Reaver wins",
    ):  # fmt: skip
        assert words in told
    state = (demo := book(path)).present()[1]
    demo.store.close()
    assert state.pain.of == {"Sigrun": 0, "Ildar": 3, "Reaver": 6, "Vasko": 4, "Thrall": 9, "Warlord": 1}
    assert sorted(state.harm.down) == ["Reaver", "Thrall"]
    assert {who: state.wounds.names(who) for who in state.wounds.of} == {
        "Vasko": ("fractured-arm",), "Reaver": ("bleeder",), "Thrall": ("severed-arm",)
    }  # fmt: skip
