"""An evening from the combat chapter, its numbers computed by hand in the comments of the story."""

from pathlib import Path

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from tests.test_golden import FIXTURES, tell

STORY = FIXTURES / "dungeoneers" / "the-evening.fight"


def test_the_evening_comes_out_as_the_book_says(tmp_path: Path, capsys):
    """The book's 4 against 4 is a hit, and a tie sets the held free; who comes new to a kept tie alone rolls."""
    ledger = tmp_path / "evening.affray"
    tell(STORY, ledger)
    told = capsys.readouterr().out
    for words in (
        "hit 4 (2d4 [1*+3*]) >= dodge 4 (d4*): hit",
        "pierce 5 (2d8 [2*+3*]) >= armor value 4 (natural): pierced",
        "dodge 2 (d4*) >= hit 2 (2d4 [1*+1*]): broken",
        "pierce 4 (d4*) >= armor value 4 (0 natural +1 buckler +3 mage armor): pierced",
        "wounds 0 (1 short bow -3 resistance at least 0): no wounds",
        "spell hit 1 (d4*) < dodge 3 (d4*): miss",
        "Skeleton-1 3 (kept), Skeleton-2 7 (kept), Late 9 (d10*)",
        "round 5; order: Suori, Freya, Ulfarmi, Alberich, Late, Skeleton-2, Skeleton-1, Skeleton-3, Skeleton-4, Ogre",
    ):
        assert words in told
    assert "at least 0 least" not in told
    assert run(["--ledger", str(ledger), "verify"]) == 0
    store = SqliteStore.open(str(ledger))
    state = Book(store).present()[1]
    store.close()
    bones = ("Skeleton-1", "Skeleton-2", "Skeleton-3", "Skeleton-4")
    assert [state.injuries.total(who) for who in bones] == [2, 2, 0, 0]
    assert (state.stress.total("Suori"), state.magica.left("Ulfarmi")) == (1, 6)
    assert [state.positions.at[who][:2] for who in ("Skeleton-1", "Skeleton-3", "Ulfarmi")] == [(4, 1), (3, 0), (-5, 0)]
    assert "mage armor" not in state.conditions.of.get("Suori", {})
