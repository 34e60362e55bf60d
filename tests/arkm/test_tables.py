"""Tables are data: a campaign has its own, and the one that was used is known."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from commands.action import rule_tables as tables
from commands.action.common import Init
from commands.action.rule_tables import Table
from commands.past.audit import audit
from commands.rules.arkm import SYSTEM
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.tables import TYPES, read
from commands.shell.cli import obey, run
from commands.words.console import Console
from ledger.errors import LedgerDamaged, UsageError
from ledger.events import TableSet
from tests.kit import given
from tests.script import toml

from .table import bran, damages, one_on_one, orcs, tessa

OWN = """
die = "1d4"
[[rows]]
lo = 1
hi = 3
effect = "drop"
[[rows]]
lo = 4
hi = 4
effect = "fall"
"""

TO_HIT = 'normal_man=20\nother_classes="x"\nclasses={}\n'


@pytest.fixture
def console(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(OWN)
    made = Console(str(tmp_path / "a.affray"))
    yield made
    if os.path.exists(made.ledger):
        made.book.store.close()


def do(console, *lines: str):
    for line in lines:
        obey(line.split(), console)


@pytest.mark.parametrize("class_", ["cleric", "thief", "bard", "monk", "druid", "illusionist", "assassin"])
def test_the_classes_of_the_book_are_known_whatever_a_table_names(console, class_):
    """arkm.class.fighter-group: here the saving throws of all classes are in the rows of others."""
    Path("saves.toml").write_text(toml({**tables.shipped("arkm", "saves")[0], "classes": {}}))
    sheet = {**bran().sheets[0], "class": class_}
    Path("ann.toml").write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in sheet.items()))
    do(console, "init t --system arkm --table saves=saves.toml", "join ann.toml")
    assert console.book.present()[1].roster.order == ("Bran",)


def test_every_table_comes_with_the_rules_and_is_sound():
    """arkm.table.replaceable"""
    assert set(TYPES) == set(SYSTEM.tables)
    for name in SYSTEM.tables:
        content, digest = tables.shipped("arkm", name)
        assert isinstance(read(name, content), TYPES[name])
        assert len(digest) == 64


def test_the_tables_of_a_campaign_are_recorded():
    """arkm.table.replaceable: the digest of each, and the content of its own."""
    own = {"file": "own.toml", "content": tables.shipped("arkm", "backstab")[0]}
    told = given("arkm").when(Init("X", "arkm", "0" * 64, {}, {"backstab": own}))
    found = {event.table: event for event in told.events if isinstance(event, TableSet)}
    assert set(found) == set(SYSTEM.tables)
    assert (found["backstab"].file, found["abilities"].file) == ("own.toml", "")
    assert found["backstab"].digest == tables.shipped("arkm", "backstab")[1]
    assert told.state.campaign.tables["backstab"].content == own["content"]


def test_another_table_counts_from_then_on():
    """arkm.table.replaceable, arkm.backstab.thief-multiplier: four sets for a thief of level 5."""
    rows = [{"lo": 1, "hi": 36, "sets": 4}]
    told = one_on_one(tessa(), orcs(hp_max=40), nth=2)
    told = told.when(Table("backstab", {"file": "b.toml", "content": {"rows": rows}}))
    told = told.when(Attack("Tessa", ("Orc",), backstab=True), [5, 1, 1, 1, 1], allow="a dark night")
    assert damages(told) == [6]
    again = told.when(Table("backstab"))
    assert again.state.campaign.tables["backstab"].file == ""


def test_a_table_of_ones_own_at_the_start_and_later(console, capsys):
    """arkm.table.replaceable: init --table, `table`, `rules tables`, and an audit that finds all of it sound."""
    do(console, "init A --system arkm --table fumble=own.toml")
    assert "the fumble table is that of own.toml" in capsys.readouterr().out
    do(console, "table fumble", "table fumble own.toml", "rules tables", "status")
    told = capsys.readouterr().out
    assert "fumble (own.toml, " in told
    assert "weapons (comes with the rules, " in told
    audit(console.book)
    console.json = True
    do(console, "rules tables")
    lines = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["table"] for line in lines} == set(SYSTEM.tables)


@pytest.mark.parametrize(("name", "content", "words"), [
    ("fumble", 'die = "1d6"\nrows = [{lo=1,hi=3,effect="drop"},{lo=5,hi=6,effect="fall"}]', "no row is for 4"),
    ("fumble", 'die = "1d6"\nrows = [{lo=1,hi=4,effect="drop"},{lo=4,hi=6,effect="fall"}]', "row 2: 4 is in row 1 too"),
    ("fumble", 'die = "1d6"\nrows = [{lo="a",hi=4,effect="drop"}]', "row 1, lo: it takes a whole number"),
    ("fumble", 'die = "6"\nrows = []', "not a throw of dice"),
    ("fumble", 'die = "1x6"\nrows = []', "die"),
    ("fumble", 'rows = []', "its field die is missing"),
    ("abilities", "rows = [{lo=3,hi=24,modifier=0}]", "no row is for 25"),
    ("abilities", "rows = [{lo=9,hi=3,modifier=0}]", "row 1: it goes from 9 to 3"),
    ("armour", 'rows = [{armour="none",ac=9}]', "no row is for light"),
    ("surround", 'rows = [{size="tiny",attackers=2},{size="tiny",attackers=3}]', "there is already a row for tiny"),
    ("weapons", 'rows = [{id="a"},{id="a"}]', "row 2: there is already a a"),
    ("weapons", 'rows = [{id="a",kind="bow"}]', "row 1: what is shot or thrown needs ranges"),
    ("weapons", 'rows = [{id="a",damage="two"}]', "'two' is not a roll"),
    ("weapons", 'rows = [{id="a",damage="d"}]', "is not a roll"),
    ("armour", 'rows = [{armour="none",ac=9},{armour="none",ac=8}]', "row 2: there is already a row for none"),
    ("weapons", 'rows = [{id="a",kind="bow",ranges=[3,2,1]}]', "its ranges must rise"),
    ("to-hit", f'{TO_HIT}rows=[]\nmonsters=[]', "there is no row 'x'"),
    ("to-hit", f'{TO_HIT}rows=[{{row="x",lo=2,hi=0,thac0=9}}]\nmonsters=[]', "row 1: its levels do not go on from 1"),
    ("to-hit", f'{TO_HIT}rows=[{{row="x",lo=1,hi=3,thac0=9}}]\nmonsters=[]', "hi = 0"),
    (
        "to-hit",
        'normal_man=20\nother_classes="x"\nclasses={}\nrows=[{row="x",lo=1,hi=0,thac0=9}]\nmonsters=[]',
        "there are none",
    ),
    (
        "to-hit",
        'normal_man=20\nother_classes="x"\nclasses={}\nrows=[{row="x",lo=1,hi=0,thac0=9}]\n'
        "monsters=[{up_to=3,thac0=9},{up_to=2,thac0=9}]",
        "monsters 2: up_to must rise",
    ),
    (
        "to-hit",
        'normal_man=20\nother_classes="x"\nclasses={}\nrows=[{row="x",lo=1,hi=0,thac0=9}]\n'
        "monsters=[{up_to=3,thac0=9},{up_to=3,thac0=8},{up_to=0,thac0=7}]",
        "monsters 2: up_to must rise",
    ),
    ("fumble", 'die = "1d6"\nrows = [{lo=3,hi=6,effect="drop"},{lo=1,hi=3,effect="fall"}]', "row 2: 3 is in row 1 too"),
    ("fumble", 'die = "1d6+1"\nrows = [{lo=2,hi=7,effect="drop"}]', "not a throw of dice"),
])  # fmt: skip
def test_a_malformed_table_is_refused(console, name, content, words):
    """arkm.table.replaceable: with file, row and reason; nothing is recorded."""
    do(console, "init A --system arkm")
    with open("bad.toml", "w") as file:
        file.write(content)
    with pytest.raises(UsageError) as wrong:
        do(console, f"table {name} bad.toml")
    assert wrong.value.message.startswith(f"bad.toml: the {name} table is wrong")
    assert words in wrong.value.message
    assert console.book.store.head().entry == 1


@pytest.mark.parametrize(
    ("name", "die", "lo", "hi"),
    [("abilities", "", 3, 25), ("backstab", "", 1, 36), ("fumble", "1d8", 1, 8), ("reaction", "2d6", 2, 12)],
)
def test_a_table_has_a_row_for_each_score_level_or_total(name: str, die: str, lo: int, hi: int):
    """arkm.table.replaceable: scores are 3 to 25, levels 1 to 36, and totals those that the dice can give."""
    content, _ = tables.shipped("arkm", name)
    with_die = {**content, "die": die} if die else content

    def spanning(lo: int, hi: int) -> object:
        return read(name, {**with_die, "rows": [{**content["rows"][0], "lo": lo, "hi": hi}]})

    spanning(lo, hi)
    for less, missing in (((lo + 1, hi), lo), ((lo, hi - 1), hi)):
        with pytest.raises(UsageError, match=rf"no row is for {missing}\."):
            spanning(*less)


def test_a_band_may_be_of_one_level(console):
    """arkm.table.replaceable: the first level alone has 19."""
    do(console, "init A --system arkm")
    Path("own.toml").write_text(
        'normal_man=20\nother_classes="x"\nclasses={}\nmonsters=[{up_to=0,thac0=9}]\n'
        'rows=[{row="x",lo=1,hi=1,thac0=19},{row="x",lo=2,hi=0,thac0=17}]\n'
    )
    do(console, "table to-hit own.toml")
    assert [row.thac0 for row in tables.load(console.book.present()[1], "to-hit").rows] == [19, 17]


def test_a_malformed_table_makes_no_ledger(tmp_path, monkeypatch, capsys):
    """arkm.table.replaceable: nor does one that the rules do not have, or in a system without tables."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(OWN)
    for words in ("arkm --table miscast=none.toml", "arkm --table luck=own.toml", "freepg --table fumble=own.toml"):
        assert run(["init", "A", "--system", *words.split()]) == 2
    assert not list(tmp_path.glob("*.affray"))


def test_another_version_with_other_tables_is_noticed(console, monkeypatch):
    """arkm.table.replaceable: play stops, and an audit says why, in one sentence."""
    do(console, "init A --system arkm", "join orc fighter")
    content, _ = tables.shipped("arkm", "to-hit")
    later = {**content, "normal_man": 19}
    real = tables.shipped
    monkeypatch.setattr(
        tables,
        "shipped",
        lambda system, name: (later, tables.digest(later)) if name == "to-hit" else real(system, name),
    )
    with pytest.raises(LedgerDamaged, match=r"e1 uses the to-hit table of another version of the rules"):
        audit(console.book)
    with pytest.raises(UsageError, match=r"to-hit table of another version"):
        tables.load(console.book.present()[1], "to-hit")
    do(console, "table to-hit")
    assert tables.load(console.book.present()[1], "to-hit").normal_man == 19
