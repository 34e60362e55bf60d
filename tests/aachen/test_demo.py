"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from ledger.sqlite import SqliteStore
from tests.shell import Shell, rulings


def test_the_demo_tells_its_story(shell: Shell):
    shell.done("demo", "aachen", "--file", "demo.affray")
    for entry, clause, *totals in (
        (4, "aachen.surprise.check", 10, 7), (6, "aachen.shock.on-miss", 2 - 1), (13, "aachen.fighters-luck.window"),
        (14, "aachen.fighters-luck.miss-to-hit"), (14, "aachen.mortal.wound"), (25, "aachen.morale.triggers", 3, 5),
        (27, "aachen.morale.check", 11, 7), (30, "aachen.mortal.revive"),
    ):  # fmt: skip
        assert totals in [found for _, found in rulings(clause, entry)], clause
    store = SqliteStore.open("demo.affray")
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Adalger": 16, "Gerlind": 11, "Hedwig": 8, "Brun": 1, "Chieftain": 0, "Goblin-1": 0, "Goblin-2": 0,
        "Goblin-3": 3, "Wolf": 0,
    }  # fmt: skip
    assert sorted(state.harm.down) == ["Chieftain", "Goblin-1", "Goblin-2", "Wolf"]
    assert list(state.conditions.of["Brun"]) == ["frail"]
