"""A new kind of harm touches its event, its aspect of the state and its rule, and is then known everywhere.

The kind is the one of `docs/adding-a-system.md`, put into a copy of the program; its rule is in the package of that
page, outside the copy. Everything else is as it is.
"""

import base64
import csv
import gzip
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.documents import ADDING, blocks
from tests.shell import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(find_spec, ("jinja2", "pyarrow", "duckdb"))), reason="needs the extras"),
]
Played = tuple[Path, dict[str, str]]
"""The folder in which it was played, and what each command said."""
CARD = re.compile(r"^    # (\S+?\.py)(?:, (in State))?\n((?:(?!    # \S+\.py)(?:    .*\n|\n))+)", re.M)
"""A block of the page that goes into a file of Affray."""

FEAR = '''"""Fear: the third page."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import EncounterBegan, EncounterEnded, RoundBegan, SanityLost


class Begin(Declaration):
    """Begin a brawl."""


def begin(fight: Resolution, said: Begin) -> None:
    """A brawl has one round."""
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1))
    fight.record(RoundBegan(1))


class End(Declaration):
    """End the brawl."""


def end(fight: Resolution, said: End) -> None:
    """It is over."""
    fight.record(EncounterEnded(fight.state.encounter.number))


class Frighten(Declaration):
    """Frighten somebody."""

    who: Annotated[Fighter, Meta(description="Who frightens.")]
    target: Annotated[Fighter, Meta(description="Who is frightened.")]


def frighten(fight: Resolution, said: Frighten) -> None:
    """The roll is the loss; anyone has 20 to begin with."""
    with fight.upon(said.who, said.target):
        lost = fight.roll(said.who, "1d6", "dread", about=said.target).number()
        if fight.option("gentle"):
            lost = lost.at_most(1, "gentle")
        fight.rule("brawl.fear.loss", "", [lost], who=said.who, about=said.target)
        before = fight.state.sanity.of.get(said.target, 20)
        fight.record(SanityLost(said.target, lost.total, before - lost.total))
'''
VERBS = """        "begin": shared("begin", "fear", "Begin a brawl."),
        "end": shared("end", "fear", "End the brawl."),
        "frighten": Verb("fear:frighten", "Frighten somebody."),
"""
BARS = '''

def bars(view: View, who: str) -> list[Bar]:
    """What is left of their wits."""
    return [Bar("wits", view.state.sanity.of.get(who, 20), 20)]
'''
CLAUSE = "| `brawl.fear.loss` | ruling | What the dice show is lost. | `fear.frighten` |\n"

COMMANDS = {
    "init": "init dread --system brawl",
    "join": "join ada bo",
    "begin": "begin",
    "first": "frighten bo ada --dice 5",
    "second": "frighten bo ada --dice 2",
    "other": "frighten ada bo --dice 4",
    "show": "show ada",
    "why": "why ada.sanity --json",
    "find": "find 'ada.sanity < 14' --json",
    "assert": "assert ada.sanity 13",
    "diff": "diff e3..e5",
    "replay": "replay --since e4 --until e4",
    "stats": "stats --json",
    "log": "log --last 3",
    "odds": "odds frighten bo ada --json",
    "what-if": "what-if dread.affray --option gentle=yes --json",
    "end": "end",
    "damage": "export damage.csv --table damage",
    "parquet": "export damage.parquet --table damage",
    "page": "export page.html",
    "players": "export players.jsonl --player-safe --sides regulars",
    "players' page": "export players.html --player-safe --sides regulars",
    "archive": "archive dread.affray --to archive",
    "verify": "verify",
}
PLAY = """
import contextlib, io, json, shlex, sys
import affray
from commands.shell.cli import run
said = {}
for name, command in json.load(sys.stdin).items():
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run(shlex.split(command))
    said[name] = code, out.getvalue()
json.dump(said, sys.__stdout__)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The folder in which it was played, and what each command said."""
    folder = tmp_path_factory.mktemp("harm")
    program, package = folder / "program", folder / "brawl"
    for name in ("ledger", "projections", "commands"):
        shutil.copytree(ROOT / name, program / name, ignore=shutil.ignore_patterns("__pycache__"))
    assert sorted(put_in(program)) == ["ledger/events/harm.py", "projections/harm.py", "projections/state.py"]
    write_package(folder)
    answers = subprocess.run(
        [sys.executable, "-c", PLAY], input=json.dumps(COMMANDS), text=True, capture_output=True, cwd=folder,
        check=True,
        env={**os.environ, "PYTHONPATH": f"{program / 'commands' / 'launch'}{os.pathsep}{package}", "COLUMNS": "200"},
    )  # fmt: skip
    said = json.loads(answers.stdout)
    assert {name: answer for name, (code, answer) in said.items() if code} == {}
    return folder, {name: answer for name, (_, answer) in said.items()}


def put_in(program: Path) -> list[str]:
    """Puts the kind of the page into a copy of the program; gives the files that it touched."""
    touched = []
    for file, place, text in CARD.findall(ADDING.read_text(encoding="utf-8")):
        path, lines = program / file, dedent(text).strip("\n")
        now = path.read_text(encoding="utf-8")
        if place:
            now = now.replace("    opening:", f"    {lines}\n    opening:", 1)
            now = now.replace("import Conditions,", "import Conditions, Sanity,", 1)
        elif file.startswith("projections"):
            now += f"\n\n{lines}\n"
        else:
            now += f"\n\n{lines}\n"
        path.write_text(now, encoding="utf-8")
        touched.append(file)
    return touched


def write_package(folder: Path) -> None:
    """Writes the package of the page, and the rule of the new harm."""
    for block in blocks(ADDING):
        if block.file.startswith("brawl/affray_brawl/"):
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text.partition("\n")[2], encoding="utf-8")
    package = folder / "brawl" / "affray_brawl"
    (package / "fear.py").write_text(FEAR)
    for name, old, new in (
        ("__init__.py", "import Option, System\n", "import Option, System, Verb\n"),
        ("__init__.py", "    verbs={\n", f"    verbs={{\n{VERBS}"),
        ("board.py", "import View\n", "import View\nfrom commands.action.board import Bar\n"),
    ):
        path = package / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))
    with (package / "board.py").open("a") as file:
        file.write(BARS)
    with (package / "RULES.md").open("a") as file:
        file.write(CLAUSE)
    info = folder / "brawl" / "affray_brawl-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: affray-brawl\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[affray.systems]\nbrawl = affray_brawl:SYSTEM\n")


def objects(said: str) -> list[dict[str, Any]]:
    """What `--json` gave."""
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.slow
def test_it_is_on_the_board_and_every_change_of_it_is_found(played: Played):
    """20 - 5 is 15 after e4, 15 - 2 is 13 after e5."""
    said = played[1]
    assert "sanity = 13" in said["show"]
    (why,) = objects(said["why"])
    assert [(one["entry"], one["before"], one["after"]) for one in why["changes"]] == [(5, "15", "13"), (4, "-", "15")]
    assert why["changes"][0]["facts"] == ["Ada loses 2 sanity, now 13"]
    assert [one["entry"] for one in objects(said["find"])] == [5]
    assert "Ada.sanity is 13, as on the sheet" in said["assert"]
    assert "Ada.sanity:  - -> 13  e5" in said["diff"]
    assert "change  Ada.sanity: - -> 15" in said["replay"]
    assert "Bo frightens Ada: Ada loses 2 sanity, now 13  e5" in said["log"]


def test_it_is_added_up(played: Played):
    """Ada lost 5 + 2, and took 4 from Bo."""
    (found,) = objects(played[1]["stats"])
    ada, bo = ((one["dealt"]["sanity"], one["taken"]["sanity"]) for one in found["fighters"])
    assert (ada, bo) == ((4, 7), (7, 4))


def test_its_odds_and_what_a_house_rule_would_have_changed(played: Played):
    """A die of six leaves 12 to 7 of 13; at most 1 each time leaves 18 and 19."""
    (odds,) = objects(played[1]["odds"])
    (value,) = odds["values"]
    assert (value["name"], [one["after"] for one in value["outcomes"]]) == (
        "Ada.sanity",
        ["12", "11", "10", "9", "8", "7"],
    )
    _, fight = objects(played[1]["what-if"])
    ends = [(one["name"], one["end"]) for one in fight["fighters"]]
    assert ends == [
        ("Ada", [{"name": "sanity", "recorded": "13", "what_if": "18"}]),
        ("Bo", [{"name": "sanity", "recorded": "16", "what_if": "19"}]),
    ]


def test_the_tables_have_it(played: Played):
    """CSV, Parquet, and the view in the ledger."""
    folder = played[0]
    with (folder / "damage.csv").open() as file:
        rows = [(row["who"], row["counted"], row["amount"], row["now"]) for row in csv.DictReader(file)]
    assert rows == [("Ada", "sanity", "5", "15"), ("Ada", "sanity", "2", "13"), ("Bo", "sanity", "4", "16")]
    from pyarrow import parquet

    columns = parquet.read_table(folder / "damage.parquet").to_pydict()
    assert (columns["counted"], columns["amount"]) == (["sanity"] * 3, [5, 2, 4])
    db = sqlite3.connect(folder / "dread.affray")
    assert db.execute("SELECT who, unit, points, now FROM damage").fetchall()[2] == ("Bo", "sanity", 4, 16)
    db.close()


def test_the_page_draws_it_and_the_players_do_not_learn_numbers_of_the_others(played: Played):
    """What was lost is told of everybody whose numbers the reader knows."""
    folder = played[0]
    everything, known = ((folder / f"{name}.html").read_text() for name in ("page", "players"))
    for page in (everything, known):
        assert "Ada loses 2 sanity, now 13" in page
        assert '"wits"' in gzip.decompress(base64.b64decode(re.findall(r"H4sI[\w+/=]+", page)[0])).decode()
    assert "Bo loses 4 sanity, now 16" in everything
    assert "Ada frightens Bo: Bo loses sanity<" in known
    (line,) = (line for line in (folder / "players.jsonl").read_text().splitlines() if '"entry":6,' in line)
    assert r"{\"event\":\"sanity-lost\",\"who\":\"Bo\"" in line
    assert r"\"points\":4" not in line
    assert r"\"left\":16" not in line
    assert "Sound: 8 entries" in played[1]["verify"]
