"""An evening from the combat chapter, its numbers computed by hand in the comments of the story."""

from pathlib import Path

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from tests.test_golden import FIXTURES, tell

STORY = FIXTURES / "freepg" / "the-evening.fight"


def test_the_evening_comes_out_as_the_book_says(tmp_path: Path, capsys):
    """Damage 5, 8, 6+2+0+8, 6, 12, 3, 2, 11 for 3, 9, 3, 10, 4, 16, 6 (fall), 6, 12, 2, 4, 5 and 11."""
    ledger = tmp_path / "evening.affray"
    tell(STORY, ledger)
    told = capsys.readouterr().out
    for words in (
        "It is John's turn; Jane acts on their own",
        "attack 10 (d20 12* +1 bow -3 range 4) = defense 10 (d20 8* +2 flat bonus): miss",
        "attack 9 (d20*) < defense 13 (d20 12* +1 helm): miss",
        "check 13 (d20 8* +5 heal) >= target 13 (healing): success",
        "Flames passes: is waiting, +4 attack",
        "Grub-3 does nothing",
        "check 4 (d20*) < target 10 (landing): failure",
    ):
        assert words in told
    assert run(["--ledger", str(ledger), "verify"]) == 0
    store = SqliteStore.open(str(ledger))
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Boffin": 28, "Jane": 46, "Tilda": 10, "Guard": 50, "Brak": 0,
        "Grub-1": 0, "Grub-2": 0, "Grub-3": 9, "Minion": 0,
    }  # fmt: skip
    assert {who: down.how for who, down in state.harm.down.items()} == dict.fromkeys(
        ("Brak", "Grub-1", "Grub-2", "Minion"), "dead"
    )
    assert (state.positions.at["Jane"], state.positions.at["Flames"]) == ((0, 3, 0), (4, 2, 0))
