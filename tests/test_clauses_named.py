"""Every clause that an entry names can be found: its own, those decided with it, those of terms, and overruled ones."""

import csv
import json
from pathlib import Path

import pytest
from msgspec import Raw

from ledger.events import (
    Declared,
    DisputeOpened,
    DisputeSettled,
    HpLost,
    HpSet,
    Joined,
    Noted,
    Overruled,
    Passage,
    Ruled,
    number,
)
from tests.shell import Shell, new_book, write

NAMED = {"own": "x.hit", "decided with it": "x.miss-ends", "of a term": "x.shield", "overruled": "x.turn"}
"""The clauses that e3 names, each in another way; no other entry names one."""


@pytest.fixture
def struck(shell: Shell, tmp_path: Path) -> Shell:
    """In e3 Boffin is struck; e4 is a note; e5 disputes e3, and e6 upholds it."""
    store = new_book(tmp_path / "test.affray").store
    joined = Joined("Boffin", "party", Raw(b'{"name":"Boffin"}'))
    write(store, [Declared("join", {"who": "Boffin"}), joined, HpSet("Boffin", 9, 9)])
    defense = number("defense", 8, "d20").plus(2, "shield", "x.shield").plus(1, "wall").minus(1, "rust", "x.shield")
    ruled = Ruled("x.hit", "Grub", "Boffin", "hit", (number("attack", 14, "d20"), defense), ">", ("x.miss-ends",))
    by_grub = Passage("Grub", "Boffin")
    overruled = Overruled("x.turn", "It is not the turn of Grub.", "a gift")
    write(store, [Declared("attack", {"who": "Grub"}, "a gift"), overruled, by_grub, ruled, HpLost("Boffin", 4, 5)])
    write(store, [Declared("note", {}), Noted("x.hit was close")])
    write(store, [Declared("dispute", {}), DisputeOpened(3, "he hid")])
    write(store, [Declared("settle", {}), DisputeSettled(3, "stands", "he stood")])
    return shell


@pytest.mark.parametrize("clause", NAMED.values(), ids=NAMED)
def test_every_verb_that_lists_finds_an_entry_by_each_clause_that_it_names(struck: Shell, clause):
    """A part of the id will do, as in `disputes`."""
    for word in (clause, clause[:-1]):
        assert [row["entry"] for row in entries(struck.done("log", "--clause", word, "--json"))] == [3]
        assert [row["entry"] for row in entries(struck.done("find", "--clause", word, "--json"))] == [3]
        assert [row["entry"] for row in entries(struck.done("disputes", word, "--json"))] == [3]
    assert struck.done("disputes", clause).splitlines()[:2] == [clause, "  e3 disputed: he hid  e5 tester"]
    struck.done("export", "found.csv", "--table", "entries", "--clause", clause)
    with open("found.csv", encoding="utf-8", newline="") as file:
        assert [row["entry"] for row in csv.DictReader(file)] == ["3"]


def test_the_table_of_rulings_names_every_clause(struck: Shell):
    """Each once, in order; what the game master overruled has a row of its own."""
    struck.done("export", "rulings.csv", "--table", "rulings")
    with open("rulings.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = [(row["nth"], row["clause"], row["outcome"], row["clauses"]) for row in rows]
    assert shown == [("2", "x.turn", "overruled", "x.turn"), ("4", "x.hit", "hit", "x.hit,x.miss-ends,x.shield")]
    assert (rows[0]["who"], rows[0]["left_total"], rows[0]["numbers"]) == ("", "", "")


def test_why_and_replay_name_every_clause(struck: Shell):
    told = struck.done("why", "boffin.hp").splitlines()
    assert told[2:5] == [
        "    rule    x.turn: overruled: It is not the turn of Grub. The game master: a gift",
        "    rule    x.hit, x.miss-ends, x.shield: attack 14 (d20) > defense 10 (d20 8 +2 shield +1 wall -1 rust): hit",
        "    result  Boffin loses 4 hp, now 5",
    ]
    (change, _) = struck("why", "boffin.hp", "--json").json["changes"]
    assert [rule["clauses"] for rule in change["rulings"]] == [["x.turn"], ["x.hit", "x.miss-ends", "x.shield"]]
    assert "    rule    x.hit, x.miss-ends, x.shield [Boffin]: attack 14" in struck.done("replay", "--since", "e2")


def test_a_clause_of_the_rules_that_no_entry_names_finds_nothing(struck: Shell):
    assert struck.done("log", "--clause", "freepg.attack.damage") == ""
    struck.refused("log", "--clause", "x.dodge", code=3)
    struck.refused("disputes", "x.dodge", code=3)
    struck.refused("export", "x.jsonl", "--clause", "x.hit", code=2)


def entries(lines: str) -> list[dict[str, int]]:
    return [json.loads(line) for line in lines.splitlines()]
