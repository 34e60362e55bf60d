"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.store import Store


def test_the_demo_tells_its_story(tmp_path, capsys):
    path = tmp_path / "demo.affray"
    assert run(["demo", "freepg", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in ("radius 2", "no range penalty", "natural 20", "mail", "potion", "Tilda is up again", "Brak is dead"):
        assert words in told
    store = Store.open(str(path))
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Boffin": 55, "Tilda": 18, "Jane": 52, "Brak": 0, "Grub-1": 0, "Grub-2": 8
    }  # fmt: skip
    assert sorted(state.harm.down) == ["Brak", "Grub-1"]
