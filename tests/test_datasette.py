"""Datasette's metadata: its queries answer, also in the ledger of the format, and its pages load."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from commands.files.exports.datasette import QUERIES, TABLES
from ledger.schema import VIEWS
from tests.shell import ROOT, Shell, foreign

OLD = ROOT / "fixtures" / "formats" / "freepg-v1.affray"
PAGES = """
import asyncio, json, sys
from datasette.app import Datasette

async def main():
    shown = Datasette(["demo-freepg.affray"], metadata=json.load(open("demo.metadata.json")))
    for path in sys.argv[1:]:
        answer = await shown.client.get(path)
        print(json.dumps([path, answer.status_code, answer.text]))

asyncio.run(main())
"""


def answered(ledger: str, query: str, **words: str) -> list[tuple[object, ...]]:
    db = foreign(ledger)
    values = {"who": "", "dice": "1d20", **words}
    rows = db.execute(QUERIES[query][2], values).fetchall()
    db.close()
    return rows


@pytest.fixture
def campaign(shell: Shell) -> Shell:
    """The demo fight of FReePG; e28, the end of the encounter, is undone, and with it the three rolls after it."""
    shell.done("demo", "freepg")
    shell.done("undo", "e28")
    return shell


def test_the_queries_answer_what_people_ask(campaign: Shell):
    """Brak loses 14 and 16 of his 30 hp, Tilda 19 before she is healed by 10 and 8."""
    ledger = "demo-freepg.affray"
    assert answered(ledger, "damage_by_verb")[0] == ("Brak", "attack", "hp", 2, 30)
    assert [row[-1] for row in answered(ledger, "hp_over_time", who="Tilda")] == [53, 19, 0, 10, 18]
    assert [(row[0], *row[3:]) for row in answered(ledger, "undone")][:1] == [(28, "end")]
    assert [row[1:4] for row in answered(ledger, "conditions")] == [
        ("Tilda", "mortally wounded", "gained"), ("Tilda", "mortally wounded", "ended"),
    ]  # fmt: skip
    assert ("freepg.attack.hit-test", "miss", 1) in answered(ledger, "rulings_by_clause")
    assert sum(row[3] for row in answered(ledger, "dice_by_roller")) == sum(
        row[1] + row[2] for row in answered(ledger, "faces")
    )
    campaign.done("note", "Enough.", "--allow", "it is late")
    assert answered(ledger, "overruled") == []


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_read_the_oldest_ledger(query: str, tmp_path: Path):
    """What they need is in every ledger of format 1."""
    copy = tmp_path / "old.affray"
    copy.write_bytes(OLD.read_bytes())
    answered(str(copy), query)


def test_the_metadata_describe_the_tables_that_there_are(campaign: Shell):
    campaign.done("export", "demo.metadata.json")
    metadata = json.loads(Path("demo.metadata.json").read_text(encoding="utf-8"))
    assert metadata["title"] == "Demo of freepg"
    assert campaign.done("verify").splitlines()[-1] in metadata["description"]
    (database,) = metadata["databases"].values()
    assert [*metadata["databases"]] == ["demo-freepg"]
    assert {*VIEWS, "entries", "events", "keys", "checkpoints"} == {*database["tables"]}
    db = sqlite3.connect("demo-freepg.affray")
    for name, said in TABLES.items():
        columns = {row[1] for row in db.execute(f"PRAGMA table_xinfo({name})")}
        assert {*said.get("columns", ()), *said.get("facets", ())} <= columns, name
    db.close()


def test_the_key_is_closed_and_what_only_the_program_reads_is_hidden(campaign: Shell):
    """Nobody may read the keys through Datasette; the checkpoints are hidden, and everything else is in sight."""
    campaign.done("export", "demo.metadata.json")
    tables = json.loads(Path("demo.metadata.json").read_text(encoding="utf-8"))["databases"]["demo-freepg"]["tables"]
    assert (tables["keys"], tables["checkpoints"]) == ({"hidden": True, "allow": False}, {"hidden": True})
    for name in ("entries", "events", "standing", "rolls", "dice", "rulings", "damage", "rounds"):
        assert not {"hidden", "allow"} & set(tables[name]), name
    assert (tables["entries"]["sort_desc"], tables["events"]["sort"]) == ("entry", "seq")


@pytest.mark.slow
def test_the_pages_load_in_datasette(campaign: Shell):
    """In the program itself: the campaign, each table and query; but not the page of the keys."""
    pytest.importorskip("datasette")
    campaign.done("export", "demo.metadata.json")
    paths = [
        "/",
        "/demo-freepg",
        *(f"/demo-freepg/{name}" for name in (*TABLES, *QUERIES)),
        "/demo-freepg/faces?dice=1d20",
    ]
    done = subprocess.run([sys.executable, "-c", PAGES, *paths], capture_output=True, text=True, timeout=60)
    pages = {path: (status, text) for path, status, text in map(json.loads, done.stdout.splitlines())}
    assert [path for path, (status, _) in pages.items() if status != 200] == ["/demo-freepg/keys"], done.stderr
    assert "A campaign of FReePG, recorded by Affray" in pages["/"][1]
    home = pages["/demo-freepg"][1]
    for title, _, _ in QUERIES.values():
        assert title in home
    assert "keys" not in home
    assert "the entry that it follows" in pages["/demo-freepg/entries"][1]
    assert campaign.done("verify").startswith("Sound")


def test_the_page_in_docs_lists_every_query():
    page = (ROOT / "docs" / "datasette.md").read_text(encoding="utf-8")
    assert [name for name in QUERIES if f"`{name}`" not in page] == []


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
    """In the view, and in the queries that Datasette offers."""
    shell.done("demo", system)
    ledger = f"demo-{system}.affray"
    db = foreign(ledger)
    view = db.execute("SELECT who, unit, sum(points) FROM damage WHERE stands GROUP BY who, unit").fetchall()
    db.close()
    by_verb: dict[tuple[object, object], int] = {}
    for who, _, unit, _, points in answered(ledger, "damage_by_verb"):
        by_verb[who, unit] = by_verb.get((who, unit), 0) + int(str(points))
    assert {(who, unit): points for who, unit, points in view} == by_verb
    assert by_verb == HURT[system]
    assert {row[3] for row in answered(ledger, "hp_over_time")} >= {unit for _, unit in HURT[system]}


def test_harm_in_a_phase_names_the_attacker(shell: Shell):
    """Vasko and Ildar shoot each other in one phase; `resolve` itself names nobody. Nobody deals bleeding."""
    shell.done("demo", "paraverse")
    shell.done("--ledger", "demo-paraverse.affray", "export", "d.csv", "--table", "damage")
    rows = [line.split(",") for line in Path("d.csv").read_text().splitlines()]
    who, dealt = rows[0].index("who"), rows[0].index("dealt_by")
    by = {(row[0], row[who]): row[dealt] for row in rows[1:]}
    assert (by["12", "Vasko"], by["12", "Ildar"]) == ("Ildar", "Vasko")
    assert (by["17", "Reaver"], by["28", "Ildar"], by["28", "Reaver"]) == ("", "", "")
