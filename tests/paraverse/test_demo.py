"""The demo fight, played as a user plays it; `tests/test_golden.py` holds it and the others to the byte."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from tests.shell import Shell, rulings


def test_the_demo_tells_its_story(shell: Shell):
    """Three rounds: a double fall, two against one, a severed limb, and a bleeding end phase."""
    shell.done("demo", "paraverse", "--file", "demo.affray")
    for entry, clause, *totals in (
        (12, "paraverse.wound.critical", 20, 9), (13, "paraverse.incapacitated.stamina", 0),
        (14, "paraverse.skirmish.rolls", 20, 11, 9), (17, "paraverse.end.bleeding", 1),
        (25, "paraverse.skirmish.tie-natural", 10, 8), (25, "paraverse.wound.supercritical", 29, 24),
        (28, "paraverse.incapacitated.stamina", 0),
    ):  # fmt: skip
        assert totals in [found for _, found in rulings(clause, entry)], clause
    store = SqliteStore.open("demo.affray")
    state = Book(store).present()[1]
    store.close()
    assert state.pain.of == {"Sigrun": 0, "Ildar": 3, "Reaver": 6, "Vasko": 4, "Thrall": 9, "Warlord": 1}
    assert sorted(state.harm.down) == ["Reaver", "Thrall"]
    assert {who: state.wounds.names(who) for who in state.wounds.of} == {
        "Vasko": ("fractured-arm",), "Reaver": ("bleeder",), "Thrall": ("severed-arm",)
    }  # fmt: skip


def test_many_fights_at_once_have_a_line_each(tmp_path, capsys):
    """What the dice came to stands before the outcome: 15 + 6 marksman against 4 + 1 evasion. The arithmetic stays in
    the log.
    """
    run(["demo", "paraverse", "--file", str(tmp_path / "demo.affray")])
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("$ affray resolve --dice 15,4,3,17,5,2") + 1
    assert lines[at].startswith("21 > 5  Ildar hits Vasko: Vasko suffers 5 pain")
    assert lines[at + 1].startswith("20 > 9  Vasko hits Ildar: Ildar suffers 5 pain")
    assert lines[at + 2] == "affray why shows the arithmetic."
    run(["--ledger", str(tmp_path / "demo.affray"), "log", "--last", "0"])
    assert (
        "    Ildar 21 (d20 15* +6 marksman) > Vasko 5 (d20 4* +1 evasion): hit" in capsys.readouterr().out.splitlines()
    )
