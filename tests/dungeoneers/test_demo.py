"""The demo fight, played as a user plays it."""

from commands.action.book import Book
from ledger.sqlite import SqliteStore
from tests.shell import Shell, rulings


def test_the_demo_tells_its_story(shell: Shell):
    shell.done("demo", "dungeoneers", "--file", "demo.affray")
    for entry, clause, *totals in (
        (18, "dungeoneers.spell-save.compare", 5, 4), (20, "dungeoneers.push.roll", 5, 2),
        (12, "dungeoneers.wounds.order", 0), (33, "dungeoneers.wounds.death-at-maximum", 2, 2),
        (36, "dungeoneers.opportune.window"), (37, "dungeoneers.opportune.resolution"),
        (47, "dungeoneers.grapple.drag"), (64, "dungeoneers.grapple.break", 3, 3),
    ):  # fmt: skip
        assert totals in [found for _, found in rulings(clause, entry)], clause
    store = SqliteStore.open("demo.affray")
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
