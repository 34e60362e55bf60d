"""The demo fight, played as a user plays it; `tests/test_golden.py` holds it and the others to the byte."""

from commands.action.book import Book
from ledger.sqlite import SqliteStore
from tests.shell import Shell, rulings


def test_the_demo_tells_its_story(shell: Shell):
    """All four phases, a set spear against a lance, a fumble, failed morale, a crossbow, a small mass combat."""
    shell.done("demo", "arkm", "--file", "demo.affray")
    for entry, clause, *totals in (
        (18, "arkm.phase.magic-cast"), (19, "arkm.initiative.tie-simultaneous"), (20, "arkm.damage.order", 10),
        (22, "arkm.natural-1.fumble-check", 13, 1), (24, "arkm.morale.trigger-half", 2, 4),
        (26, "arkm.initiative.tie-simultaneous"), (27, "arkm.morale.roll", 10, 8),
        (36, "arkm.reload.takes-one-round"), (39, "arkm.natural-20.critical"), (39, "arkm.damage.double"),
        (49, "arkm.mass.damage", 3 * 10), (54, "arkm.mass.survivors", 3),
    ):  # fmt: skip
        assert totals in [found for _, found in rulings(clause, entry)], clause
    store = SqliteStore.open("demo.affray")
    state = Book(store).present()[1]
    store.close()
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {"Militia": 10, "Bandits": 0}
    assert not state.encounter.running
    assert not state.engagement.pairs
