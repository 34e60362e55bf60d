"""Harm in the tables: all of it is counted in its unit, and names who did it."""

from pathlib import Path

import pytest

from tests.shell import Shell, foreign

HURT = {
    "freepg": {("Grub-1", "hp"): 7 + 13, ("Grub-2", "hp"): 4 + 8, ("Tilda", "hp"): 19, ("Brak", "hp"): 14 + 16},
    "aachen": {
        ("Hedwig", "hp"): 1,
        ("Adalger", "hp"): 6,
        ("Goblin-1", "hp"): 3,
        ("Chieftain", "hp"): 9,
        ("Wolf", "hp"): 7 + 2,
        ("Brun", "hp"): 6 + 5 + 4,
        ("Goblin-2", "hp"): 3,
    },
    "arkm": {
        ("Brenna", "hp"): 4,
        ("Orc-4", "hp"): 3,
        ("Spearman", "hp"): 6,
        ("Lancer", "hp"): 10 + 6 + 9 + 5,
        ("Corm", "hp"): 3 + 6 + 7,
        ("Orc-1", "hp"): 5,
        ("Orc-3", "hp"): 6,
        ("Wystan", "hp"): 5,
        ("Bandits", "hp"): 20 + 17,
        ("Militia", "hp"): 30,
    },
    "dungeoneers": {
        ("Grin", "wounds"): 2,
        ("Ulfarmi", "stress"): 1,
        ("Ulfarmi", "wounds"): 1,
        ("Morwen", "stress"): 1,
        ("Rattle", "wounds"): 2,
        ("Freya", "stress"): 4,
        ("Suori", "stress"): 2,
    },
    "paraverse": {
        ("Vasko", "pain"): 5,
        ("Vasko", "wound"): 1,
        ("Ildar", "pain"): 5 + 1,
        ("Ildar", "wound"): 1,
        ("Reaver", "pain"): 4 + 1 + 1,
        ("Reaver", "wound"): 1,
        ("Sigrun", "pain"): 1,
        ("Thrall", "pain"): 10,
        ("Thrall", "wound"): 1,
        ("Warlord", "pain"): 1 + 1,
    },
}
"""What everybody of each demo suffered, blow by blow: added up by hand from all lines of `affray log --last 0` that say
`loses`, `suffers`, `has a`, `gains ... stress` or `sustains`. Nothing that was undone hurt anybody.
"""


@pytest.mark.parametrize("system", HURT)
def test_all_harm_is_counted_in_its_unit(shell: Shell, system: str):
    """In the view that every ledger has."""
    shell.done("demo", system)
    db = foreign(f"demo-{system}.affray")
    view = db.execute("SELECT who, unit, sum(points) FROM damage WHERE stands GROUP BY who, unit").fetchall()
    db.close()
    assert {(who, unit): points for who, unit, points in view} == HURT[system]


def test_harm_in_a_phase_names_the_attacker(shell: Shell):
    """Vasko and Ildar shoot each other in one phase; `resolve` itself names nobody. Nobody deals bleeding."""
    shell.done("demo", "paraverse")
    shell.done("--ledger", "demo-paraverse.affray", "export", "d.csv", "--table", "damage")
    rows = [line.split(",") for line in Path("d.csv").read_text().splitlines()]
    who, dealt = rows[0].index("who"), rows[0].index("dealt_by")
    by = {(row[0], row[who]): row[dealt] for row in rows[1:]}
    assert (by["12", "Vasko"], by["12", "Ildar"]) == ("Ildar", "Vasko")
    assert (by["17", "Reaver"], by["28", "Ildar"], by["28", "Reaver"]) == ("", "", "")
