"""Exports of ledgers made by hand: every cell of every row, every heading of a story that goes back and forth."""

import csv
import json
import re
from pathlib import Path

import pytest
from msgspec import Raw

from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Declared,
    EncounterBegan,
    EncounterEnded,
    Felled,
    HpLost,
    Joined,
    Left,
    Noted,
    Number,
    PainSuffered,
    Passage,
    Renamed,
    Retracted,
    Rolled,
    Rose,
    RoundBegan,
    Ruled,
    SideChanged,
    Step,
    StressGained,
    WoundsSustained,
    WoundSuffered,
)
from tests.shell import Shell, new_book, write

ATTACK = Number("attack", (Step(14, "d20"), Step(2, "sword")), 16)
DEFENSE = Number("defense", (Step(8, "d20"),), 8)


@pytest.fixture
def bout(shell: Shell, tmp_path: Path) -> Shell:
    """e2 begins the third encounter and its fifth round; e3 has all kinds of dice and harm; e4 has conditions."""
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("begin", {}), EncounterBegan(3, "Ford"), RoundBegan(5)])
    write(
        book.store,
        [
            Declared("attack", {"who": ["A", "B"], "target": "C"}),
            Rolled("A", "attack", "C", "1d20+2d6", (14, 5, 6), (0, 7, 8)),
            Ruled("x.hit", "A", "C", "hit", (ATTACK, DEFENSE), ">"),
            Ruled("x.sum", "", "", "", (DEFENSE,), ""),
            Ruled("x.row", "A", "", "row 3", (), ""),
            Passage("B", "C"),
            HpLost("C", 9, 21),
            PainSuffered("C", 4, 6),
            StressGained("C", 2, 3),
            WoundsSustained("C", 1, 2, "piercing"),
            Passage("", "C"),
            WoundSuffered("C", "broken arm", "left arm"),
        ],
        drawn=8,
        once="one",
    )
    write(
        book.store,
        [
            Declared("effect", {"who": "A"}),
            ConditionGained("A", "marked", "turn-start", "B", 7, ("C", "D"), -2, "attack"),
            ConditionGained("A", "dazed"),
            ConditionEnded("A", "dazed"),
        ],
    )
    book.store.close()
    return shell


def cells(shell: Shell, table: str, *columns: str) -> list[list[str]]:
    """The cells of a table in these columns; of all columns but the place in the story without."""
    shell.done("export", f"{table}.csv", "--table", table)
    with open(f"{table}.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    place = {"entry", "encounter", "round", "stands"}
    return [[row[column] for column in columns or [name for name in row if name not in place]] for row in rows]


def test_fighters_are_told_when_they_come_and_change_and_at_the_beginning_of_each_encounter(
    shell: Shell, tmp_path: Path
):
    """Who is down, or has left, is not present. What is undone does not count for what follows."""
    book = new_book(tmp_path / "test.affray")
    store, begin = book.store, Declared("begin", {})
    write(store, [Declared("join", {}), Joined("A", "party", Raw(b'{"hp":5}')), Joined("B", "foes", Raw(b"{}"))])
    write(store, [begin, EncounterBegan(1, "Ford"), Joined("C", "foes", Raw(b"{}")), Felled("B", "dying")])
    write(store, [Declared("x", {}), Rose("B"), SideChanged("B", "party"), Renamed("B", "Bee"), Left("A")])
    write(store, [begin, EncounterEnded(1), EncounterBegan(2, "Hill"), Felled("Nobody", "dead"), Left("C")])
    write(store, [begin, EncounterBegan(2, "Mill")], after=3)
    store.close()
    assert cells(shell, "fighters", "entry", "stands", "nth", "who", "side", "change", "now", "sheet") == [
        ["2", "1", "2", "A", "party", "joined", "", '{"hp":5}'], ["2", "1", "3", "B", "foes", "joined", "", "{}"],
        ["3", "1", "2", "A", "party", "present", "", ""], ["3", "1", "2", "B", "foes", "present", "", ""],
        ["3", "1", "3", "C", "foes", "joined", "", "{}"], ["3", "1", "4", "B", "foes", "felled", "dying", ""],
        ["4", "0", "2", "B", "foes", "rose", "", ""], ["4", "0", "3", "B", "party", "side-changed", "", ""],
        ["4", "0", "4", "B", "party", "renamed", "Bee", ""], ["4", "0", "5", "A", "party", "left", "", ""],
        ["5", "0", "3", "Bee", "party", "present", "", ""], ["5", "0", "3", "C", "foes", "present", "", ""],
        ["5", "0", "4", "Nobody", "", "felled", "dead", ""], ["5", "0", "5", "C", "foes", "left", "", ""],
        ["6", "1", "2", "A", "party", "present", "", ""], ["6", "1", "2", "C", "foes", "present", "", ""],
    ]  # fmt: skip
    bee = [row[1:] for row in cells(shell, "fighters", "who", "entry", "change", "person") if row[0] in ("B", "Bee")]
    assert [row[2] for row in bee] == ["e2.2"] * 7


def test_every_die_has_its_number_its_size_and_where_it_comes_from(bout: Shell):
    assert cells(bout, "dice") == [
        ["2", "A", "attack", "C", "1d20+2d6", "1", "20", "14", "typed", "0", ""],
        ["2", "A", "attack", "C", "1d20+2d6", "2", "6", "5", "program", "7", ""],
        ["2", "A", "attack", "C", "1d20+2d6", "3", "6", "6", "program", "8", ""],
    ]
    assert cells(bout, "dice", "entry", "encounter", "round", "stands") == [["3", "3", "5", "1"]] * 3


def test_a_ruling_has_two_numbers_one_or_none(bout: Shell):
    """What is not there is an empty cell."""
    two, one, none = cells(bout, "rulings")
    assert two[:9] == ["3", "x.hit", "A", "C", "attack", "16", ">", "defense", "8"]
    assert two[9] == "hit"
    assert json.loads(two[10])[0] == {
        "of": "attack", "steps": [{"value": 14, "reason": "d20"}, {"value": 2, "reason": "sword"}], "total": 16,
    }  # fmt: skip
    assert one[:10] == ["4", "x.sum", "", "", "defense", "8", "", "", "", ""]
    assert none == ["5", "x.row", "A", "", "", "", "", "", "", "row 3", "", "x.row", ""]


def test_all_that_hurts_is_in_one_table_with_what_it_is_counted_in(bout: Shell):
    """A wound that has a name counts as one. The passage says who dealt it: B alone, or nobody."""
    assert cells(bout, "damage", "nth", "who", "counted", "amount", "now", "wound", "body_part", "verb") == [
        ["7", "C", "hp", "9", "21", "", "", "attack"],
        ["8", "C", "pain", "4", "6", "", "", "attack"],
        ["9", "C", "stress", "2", "3", "", "", "attack"],
        ["10", "C", "wounds", "1", "2", "piercing", "", "attack"],
        ["12", "C", "wound", "1", "", "broken arm", "left arm", "attack"],
    ]
    assert cells(bout, "damage", "dealt_by") == [*[["B"]] * 4, [""]]


def test_a_condition_says_until_when_whose_and_for_whom(bout: Shell):
    assert cells(bout, "conditions") == [
        ["2", "A", "marked", "gained", "turn-start", "B", "7", "-2", "attack", "C, D", ""],
        ["3", "A", "dazed", "gained", "removed", "", "", "", "", "", ""],
        ["4", "A", "dazed", "ended", "", "", "", "", "", "", ""],
    ]


def test_events_and_entries_say_who_what_and_where(bout: Shell):
    """An entry that begins an encounter or its first round belongs to it."""
    events = cells(bout, "events", "entry", "encounter", "round", "stands", "nth", "kind", "who", "about")
    assert events[-16:] == [
        ["3", "3", "5", "1", "1", "declared", "", ""], ["3", "3", "5", "1", "2", "rolled", "A", "C"],
        ["3", "3", "5", "1", "3", "ruled", "A", "C"], ["3", "3", "5", "1", "4", "ruled", "", ""],
        ["3", "3", "5", "1", "5", "ruled", "A", ""],
        ["3", "3", "5", "1", "6", "passage", "B", ""],
        *(["3", "3", "5", "1", str(nth), kind, "C", ""] for nth, kind in (
            (7, "hp-lost"), (8, "pain-suffered"), (9, "stress-gained"), (10, "wounds-sustained"),
        )),
        ["3", "3", "5", "1", "11", "passage", "", ""], ["3", "3", "5", "1", "12", "wound-suffered", "C", ""],
        ["4", "3", "5", "1", "1", "declared", "", ""],
        *(["4", "3", "5", "1", str(nth), kind, "A", ""] for nth, kind in (
            (2, "condition-gained"), (3, "condition-gained"), (4, "condition-ended"),
        )),
    ]  # fmt: skip
    assert json.loads(cells(bout, "events", "body")[-10][0]) == {
        "event": "hp-lost", "who": "C", "points": 9, "left": 21,
    }  # fmt: skip
    entries = cells(bout, "entries", "entry", "encounter", "round", "after", "command", "origin", "verb", "once")
    assert entries == [
        ["1", "0", "0", "0", "1", "1", "init", ""], ["2", "3", "5", "1", "2", "2", "begin", ""],
        ["3", "3", "5", "2", "3", "3", "attack", "one"], ["4", "3", "5", "3", "4", "4", "effect", ""],
    ]  # fmt: skip


@pytest.fixture
def back_and_forth(shell: Shell, tmp_path: Path) -> Shell:
    """Two rounds, then back into the first one after the end; another encounter, and back again between the two."""
    book = new_book(tmp_path / "test.affray")
    note = [Declared("note", {"text": "x"}), Noted("x")]
    for events, *after in (
        ([Declared("begin", {}), EncounterBegan(1, "Ford")],),  # e2
        ([Declared("initiative", {}), RoundBegan(1)],),  # e3
        ([Declared("done", {}), RoundBegan(2)],),  # e4
        (note,),  # e5, in the second round
        ([Declared("end", {}), EncounterEnded(1)],),  # e6
        (note,),  # e7, between encounters
        ([Declared("undo", {}), Retracted((4, 5, 6, 7), (7,))], 3),  # e8, and the first round goes on
        (note,),  # e9
        ([Declared("end", {}), EncounterEnded(1)],),  # e10
        ([Declared("begin", {}), EncounterBegan(2)],),  # e11
        ([Declared("undo", {}), Retracted((11,), (11,))], 10),  # e12, between encounters again
        ([Declared("undo", {}), Retracted((3, 9, 10), (10,))], 2),  # e13, before the first round again
    ):
        write(book.store, events, **({"after": after[0]} if after else {}))
    book.store.close()
    return shell


HEADINGS = [
    ("##", "Before the first encounter", ["e1"]),
    ("##", "Encounter 1: Ford", ["e2"]),
    ("###", "Round 1", ["e3", "e4"]),
    ("###", "Round 2", ["e5", "e6"]),
    ("##", "Between encounters", ["e7"]),
    ("##", "Encounter 1: Ford, continued", []),
    ("###", "Round 1, continued", ["e8", "e9", "e10"]),
    ("##", "Encounter 2", ["e11"]),
    ("##", "Between encounters", ["e12"]),
    ("##", "Encounter 1: Ford, continued", ["e13"]),
]


def test_a_chronicle_that_goes_back_says_what_is_continued(back_and_forth: Shell):
    back_and_forth.done("export", "story.md")
    found: list[tuple[str, str, list[str]]] = []
    for line in Path("story.md").read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"(##+) (.*)", line):
            found.append((heading[1], heading[2], []))
        elif item := re.match(r"- \*\*(e\d+)\*\*", line):
            found[-1][2].append(item[1])
    assert found == HEADINGS


def test_what_was_undone_is_one_line_of_the_log_of_a_page(back_and_forth: Shell):
    """Of the encounter nothing but its beginning stands: e3 to e12 open from one line, and e13 is the undo."""
    pytest.importorskip("jinja2")
    from tests.reading import parsed

    back_and_forth.done("export", "page.html")
    found: list[tuple[str, str, list[str]]] = []
    root = parsed(Path("page.html").read_text(encoding="utf-8")).one("section", id="log")
    for one in root.all("*"):
        if one.name in ("h3", "h4"):
            found.append(("##" if one.name == "h3" else "###", one.text, []))
        elif one.name == "li":
            found[-1][2].append(str(one.attributes.get("id", "line")))
    inner = [f"e{entry}" for entry in range(3, 13)]
    assert found == [HEADINGS[0], ("##", "Encounter 1: Ford", ["e2", "line", *inner, "e13"])]
