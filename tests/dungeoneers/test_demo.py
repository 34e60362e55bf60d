"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore


def test_the_demo_tells_its_story(tmp_path, capsys):
    path = tmp_path / "demo.affray"
    assert run(["demo", "dungeoneers", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Suori pushes Rattle NE: ",
        "Now: Suori (may strike: o Suori \u00b7 let it pass: resolve)",
        "Suori strikes at Rattle: hit",
        "Gorm drags Ulfarmi: ",
        "save failed",
        "absorbed as stress",
        "pierced; Grin is dead",
        "Freya and Grin are no longer threatened",
        "Ulfarmi breaks free of Gorm",
    ):
        assert words in told, words
    store = SqliteStore.open(str(path))
    state = Book(store).present()[1]
    store.close()
    assert sorted(state.harm.down) == ["Grin", "Rattle"]
    assert state.positions.at["Rattle"] == (2, 2, 0)
    wounds = {"Suori": 0, "Ulfarmi": 0, "Freya": 0, "Rattle": 2, "Grin": 2, "Morwen": 0, "Gorm": 0}
    assert {who: state.injuries.total(who) for who in state.roster.order} == wounds
    assert {who: state.stress.total(who) for who in ("Suori", "Ulfarmi", "Freya")} == {
        "Suori": 0,
        "Ulfarmi": 0,
        "Freya": 1,
    }
