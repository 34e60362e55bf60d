"""The demo fight, played as a user plays it; `tests/test_golden.py` holds it and the others to the byte."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore


def test_the_demo_tells_its_story(tmp_path, capsys):
    """All four phases, a set spear against a lance, a fumble, failed morale, a crossbow, a small mass combat."""
    path = tmp_path / "demo.affray"
    assert run(["demo", "arkm", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Arbalist's crossbow is unloaded", "web works", "now 0/6, and dies; may still strike a last blow",
        "damage 10 (2d6 [4*+6*])", "Lancer loses 10 hp, now 20/30",
        "fumble check 13 (d20*) > safe up to 1 (level): fumble",
        "Due: Orc (morale check after the first death and the loss of half)",
        "Orc's morale breaks; fighting withdrawal; Orc is broken until the end of the encounter",
        "party and raiders at the same time", "Arbalist's crossbow is loaded", "a critical hit; double damage",
        "damage 30 (d6 3* x10 men)", "survivors 3 (10 hit points left x10 men /40 original)",
    ):  # fmt: skip
        assert words in told, words
    store = SqliteStore.open(str(path))
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {"Militia": 10, "Bandits": 0}
    assert not state.encounter.running
    assert not state.engagement.pairs
