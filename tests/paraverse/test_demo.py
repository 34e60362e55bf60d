"""The demo fight, played as a user plays it; `tests/test_golden.py` holds it and the others to the byte."""

from commands.action.book import Book
from commands.shell.cli import run
from ledger.sqlite import SqliteStore


def test_the_demo_tells_its_story(tmp_path, capsys):
    """Three rounds: a double fall, two against one, a severed limb, and a bleeding end phase."""
    path = tmp_path / "demo.affray"
    assert run(["demo", "paraverse", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Vasko suffers 5 pain, now 5 (Stamina 0/5); has a fractured arm", "Ildar is unconscious",
        "skirmish 1: Sigrun, Hakon v Reaver", "Thrall suffers 10 pain, now 10 (Stamina -6/4); has a severed arm",
        "pain 1 (bleeding)", "Reaver suffers 1 pain, now 6 (Stamina 0/6)",
        "10 > 8  Reaver beats Sigrun: Sigrun suffers 1 pain",
    ):  # fmt: skip
        assert words in told
    store = SqliteStore.open(str(path))
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
