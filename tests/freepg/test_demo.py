"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore


def test_the_demo_tells_its_story(tmp_path, capsys):
    path = tmp_path / "demo.affray"
    assert run(["demo", "freepg", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Tilda attacks Grub-1 (as a ball of embers, radius 2): hit; Grub-1 loses 7 hp, now 13/20",
        "Tilda attacks Grub-2: hit; Grub-2 loses 8 hp, now 8/20",
        "    natural 20: no range penalty",
        "+5 natural 20",
        "-2 mail)",
        "Boffin tends Tilda (potion): Tilda regains 10 hp, now 10/53; rescued; ",
        "Grub-1 loses 13 hp, now 0/20, and dies",
    ):
        assert words in told
    store = SqliteStore.open(str(path))
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Boffin": 55, "Tilda": 18, "Jane": 52, "Brak": 0, "Grub-1": 0, "Grub-2": 8
    }  # fmt: skip
    assert sorted(state.harm.down) == ["Brak", "Grub-1"]
