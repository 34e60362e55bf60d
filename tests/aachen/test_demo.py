"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore


def test_the_demo_tells_its_story(tmp_path, capsys):
    path = tmp_path / "demo.affray"
    assert run(["demo", "aachen", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "surprise phase",
        "Goblin-2 attacks Hedwig: miss; Hedwig loses 1 hp, now 8/9", "shock 1 (2 short spear -1 STR)",
        "luck makes it a hit", "two weapons", "mortally wounded", "breaks; retreat", "have lost half",
        "Brun revives; is no longer stable; regains 1 hp, now 1/15; is up again; is frail",
    ):  # fmt: skip
        assert words in told, words
    store = SqliteStore.open(str(path))
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Adalger": 16, "Gerlind": 11, "Hedwig": 8, "Brun": 1, "Chieftain": 0, "Goblin-1": 0, "Goblin-2": 0,
        "Goblin-3": 3, "Wolf": 0,
    }  # fmt: skip
    assert sorted(state.harm.down) == ["Chieftain", "Goblin-1", "Goblin-2", "Wolf"]
    assert list(state.conditions.of["Brun"]) == ["frail"]
