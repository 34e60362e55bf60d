"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from ledger.sqlite import SqliteStore
from tests.shell import Shell, rulings


def test_the_demo_tells_its_story(shell: Shell):
    shell.done("demo", "freepg", "--file", "demo.affray")
    for entry, clause, *totals in (
        (8, "freepg.attack.damage", 7), (8, "freepg.attack.damage", 8), (11, "freepg.attack.natural-20-hit", 22, 4),
        (16, "freepg.heal.potion", 10), (19, "freepg.range.critical"), (19, "freepg.enemy.dies-at-zero"),
    ):  # fmt: skip
        assert totals in [found for _, found in rulings(clause, entry)], clause
    store = SqliteStore.open("demo.affray")
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Boffin": 55, "Tilda": 18, "Jane": 52, "Brak": 0, "Grub-1": 0, "Grub-2": 8
    }  # fmt: skip
    assert sorted(state.harm.down) == ["Brak", "Grub-1"]
