"""Golden ledgers: fights that were recorded once and are resolved again.

`fixtures/<system>/NAME.fight` is what was said, `NAME.jsonl` what was recorded, `NAME.log` how the log and the board
tell it. `demo.seen`, `demo.data` and `demo.session` are what is shown when the demo is looked at, read by programs, and
played on, `demo.desk` what its files and what is said wrong are answered with.
`AFFRAY_REWRITE=1` records anew: read the difference before you keep it.
"""

import os
import re
import shlex
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import msgspec
import pytest

from commands.action.book import Book
from commands.past.audit import audit
from commands.shell.cli import run
from ledger.events import decode
from ledger.sqlite import SqliteStore
from projections.state import State, fold
from tests.sample import sampled
from tests.shell import NOON

FIXTURES = Path(__file__).parent.parent / "fixtures"
COMMANDS = FIXTURES.parent / "commands" / "rules"
STORIES = sorted([*FIXTURES.glob("*/*.fight"), *COMMANDS.glob("*/demo.fight")])
SAMPLE = (
    STORIES
    if os.environ.get("AFFRAY_EXPLORE")
    else [story for story in STORIES if story.stem.endswith(("evening", "hall"))]
)
"""The stories that the slowest tests tell: an evening of each system; all of them when tests look further."""
KEY = "676f6c64656e206c656467657273207265740000000000000000000000000000"


def golden_of(story: Path) -> Path:
    """The export of a story; that of a demo, which is part of its rule system, is kept with the others."""
    return FIXTURES / story.parent.name / f"{story.stem}.jsonl"


def named(story: Path) -> str:
    """What a test of a story is called."""
    return f"{story.parent.name}-{story.stem}"


def always_noon() -> AbstractContextManager[object]:
    """It is noon whenever anything is recorded, so that nothing depends on the clock."""
    noon = SimpleNamespace(strftime=lambda *_: NOON.rstrip("Z"), localtime=lambda: SimpleNamespace(tm_gmtoff=0))
    return patch("commands.action.book.time", noon)


def tell(story: Path, ledger: Path) -> None:
    """Plays a script into a new ledger."""
    system = story.parent.name
    with always_noon():
        assert run(["--ledger", str(ledger), "init", story.stem, "--system", system, "--key", KEY]) == 0
        assert run(["--ledger", str(ledger), "run", str(story)]) == 0


def otherwise(path: Path) -> str:
    """What to do where a golden file does not hold what is found."""
    test = os.environ["PYTEST_CURRENT_TEST"].partition("::")[0]
    return f"not what {path.parent.name}/{path.name} holds; if it is meant: AFFRAY_REWRITE=1 python -m pytest {test}"


def same(path: Path, text: str) -> None:
    """The text is that of a golden file."""
    if os.environ.get("AFFRAY_REWRITE"):
        path.write_text(text)
    found, held = text.splitlines(), path.read_text().splitlines()
    assert found == held, otherwise(path)


def transcript(capsys: pytest.CaptureFixture[str], ledger: Path, *commands: str) -> str:
    """What commands print, without digests and times: they differ from recording to recording."""
    told = []
    for command in commands:
        capsys.readouterr()
        code = run(["--ledger", str(ledger), *shlex.split(command)])
        answer = capsys.readouterr()
        said = (answer.out + answer.err).replace(str(ledger), "demo.affray")
        told.append(f"$ affray {command}\n{said}{f'[{code}]' if code else ''}\n")
    return masked("".join(told))


def masked(text: str) -> str:
    """The text, with words in place of digests and times."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text)
    return re.sub(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?", "TIME", text)


def recorded(path: Path) -> list[list[str]]:
    """The events of each entry of an export."""
    lines = path.read_bytes().splitlines()[1:]
    return [[msgspec.json.encode(event).decode() for event in msgspec.json.decode(line)["events"]] for line in lines]


@pytest.mark.parametrize("story", sampled(STORIES, 3), ids=named)
def test_a_story_told_again_is_recorded_the_same(story, tmp_path, capsys, monkeypatch):
    """The same words with the same dice give the same events, to the byte."""
    monkeypatch.setenv("AFFRAY_BY", "gm")
    ledger, golden = tmp_path / "told.affray", golden_of(story)
    tell(story, ledger)
    told = tmp_path / "told.jsonl"
    assert run(["--ledger", str(ledger), "export", str(told)]) == 0
    if os.environ.get("AFFRAY_REWRITE"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(told.read_bytes())
    assert golden.exists(), otherwise(golden)
    assert recorded(told) == recorded(golden), otherwise(golden)


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_a_golden_ledger_retells_itself(story, tmp_path, capsys):
    """Each declaration, resolved again with its own dice, gives its bytes again; the state is that of the events."""
    ledger = tmp_path / "golden.affray"
    assert run(["import", str(golden_of(story)), str(ledger)]) == 0
    book = Book(SqliteStore.open(str(ledger)))
    found = audit(book)
    assert found.entries == len(recorded(golden_of(story)))
    assert found.state_digest == book.present()[1].digest()
    same(golden_of(story).with_suffix(".log"), transcript(capsys, ledger, "log --last 0", "status"))


SEEN = (
    "status --at e{half}", "show --at e{half}", "show {who}", "map", "map --at e{half}", "log", "log --name {who}",
    "log --round 2", "log --encounter 1 --last 3", "log --kind rolled --last 4", "replay --round 1",
    "replay --since e{half}", "why {who}.{harm}", "why {other}.{harm} --last 0", "diff e{half}..", "diff e2..e{half}",
    "find {who}.down", "find '{other}.{harm} < 100' --kind rolled --last 2", "disputes",
    "stats", "stats damage --name {who}", "stats luck --round 1", "show e{half}",
    "verify", "undo e{half}", "status", "log --last 0", "diff e{half}..", "export - --format markdown",
)  # fmt: skip
"""What is asked about a demo: about two who fight in it, and an entry in its middle."""
BRIEFLY = (
    "status --at e{half}", "show --at e{half}", "map --at e{half}", "replay --encounter 1",
    "why {who}.{harm} --last 0", "diff e{half}..", "find {other}.{harm}", "stats",
)  # fmt: skip
"""What is asked about the other demos: what each system fills with words of its own."""
AS_DATA = (
    "status --at e{half} --json", "show {who} --json", "show e{half} --json", "log --last 3 --json", "map --json",
    "replay --since e{half} --until e24 --json", "why {who}.{harm} --last 2 --json", "diff e{half}.. --json",
    "find '{who}.{harm} < 20' --json", "stats --round 1 --json", "verify --json",
    "rules options", "rules tables", "rules items", "rules skills", "export - --format csv --table entries --round 2",
    "export - --format csv --table dice --round 2", "export - --format csv --table rulings --round 2",
    "export - --format csv --table damage", "export - --format csv --table conditions",
    "export - --format csv --table events --encounter 1 --kind hp-lost",
    "export - --format markdown --player-safe --sides party",
)  # fmt: skip
"""What programs read of a demo."""
SESSION = (
    "undo e27", "dispute e24 freepg.attack.armor 'the mail was left at the inn'", "status", "disputes",
    "assert {who}.{harm} 17", "assert {who}.{harm} 18", "assert {who}.{harm} 18 --json", "dispute e99 nothing",
    "dispute e24 again", "amend e24 --mod armor:-2:inn", "amend e24 --mod armor:-2:inn --apply",
    "settle e24 amended 'it was left there'", "disputes", "disputes attack --json", "log --last 8",
    "diff --before-amendment e35", "why boffin.hp", "undo", "redo", "status", "amend e5 --drop",
    "amend e5 --drop --json", "amend e21 --insert 'attack jane grub-2' --dice 11,2", "odds attack boffin grub-2",
    "odds --assume freepg.turn.one-attack attack boffin grub-2",
    "odds --assume freepg.turn.one-attack attack boffin grub-2 --full", "odds --at e20 heal tilda tilda",
    "odds --at e4 --json attack jane grub-2", "odds --at e4 attack jane grub-2 --draws 300", "odds table",
    "odds roll 2d6 --at e2", "stats dice --kind rolled", "note 'Dawn.' --json", "roll 1d20+1d6 --why luck --dice 7,2",
    "roll 1d20 --why luck --dice 21", "attack boffin", "adjust jane hp 3 thorns --dry-run", "verify", "log --last 3",
    "amend e5 --allow 'the bow was drawn' --apply", "amend e5 --allow '' --apply", "amend e26 --drop --apply",
    "amend e11 --dice 20,9 --because 'the 3 was a 9' --apply --lose 2", "amend e21 --insert 'note Hark!' --apply",
    "log --kind retracted --last 0", "undo", "log --last 3",
)  # fmt: skip
"""An evening after a demo: disputes, corrections, odds, and what is said wrong."""

DESK = (
    "export x.jsonl", "export x.jsonl --json", "export x.csv", "export x.csv --table dice",
    "export all.zip --format csv", "export x.md", "export x.md --player-safe",
    "export x.nothing", "export x.jsonl --player-safe", "export x.md --table dice", "export x.md --sides party",
    "export other.affray", "export - --format csv --player-safe --kind noted", "import x.jsonl new.affray",
    "import x.jsonl new.affray", "import x.jsonl other.affray --json", "import x.md odd.affray",
    "salvage demo.affray saved.affray", "salvage demo.affray again.affray --json", "copy demo.affray copied.affray",
    "copy demo.affray copied.affray", "copy demo.affray more.affray --json", "rules freepg.attack.natural",
    "rules damage", "rules nothing", "rules options --json", "rules tables", "--version", "help nothing",
    "odds table --ac 15 --bonus 4", "odds table 12 --json", "odds verify", "odds note hi",
    "log --clause freepg.attack.armor --last 2", "log --kind nothing", "log --name nobody", "log --round 99",
    "show nobody", "show e99", "status --at e99", "why nobody.hp", "why tilda.charm", "find nothing",
    "find 'tilda.hp > 900'", "diff e99..", "replay --round 99", "redo", "undo e99",
    "undo e1", "amend e1 --drop", "amend e99 --drop", "amend e24 --drop --insert 'note x'", "amend e24 --dice roll",
    "run nothing.fight", "join nobody", "attack tilda nobody", "adjust tilda shoe 3 x", "option weapon_slots 9",
    "option nothing 1", "init again --system nothing", "settle e3 stands why", "roll 2d6 --dice 9", "roll 6",
    "initiative", "surprise", "attack tilda grub-1 --mod luck:1",
)  # fmt: skip
"""What is done with files of a demo, looked up, and said wrong."""
SOME_DATA = (
    "show {who} --json", "show e{half} --json", "map --json", "why {who}.{harm} --last 2 --json", "stats --json",
    "find {other}.{harm} --json", "log --last 2 --json", "export - --format csv --table damage",
    "export - --format csv --table conditions", "export - --format csv --table rulings --round 2",
    "export - --format markdown --player-safe", "rules options", "rules tables", "rules items", "rules skills",
    "adjust {who} shoe 3 x",
    "adjust {who} {harm} x y",
)  # fmt: skip
"""What programs read of the other demos."""


@pytest.mark.parametrize(("system", "file", "commands", "who", "other", "harm", "half"), [
    ("freepg", "demo.seen", SEEN, "Tilda", "Grub-1", "hp", 20),
    ("freepg", "demo.data", AS_DATA, "Tilda", "Grub-1", "hp", 20),
    ("freepg", "demo.session", SESSION, "Tilda", "Grub-1", "hp", 20),
    ("freepg", "demo.desk", DESK, "Tilda", "Grub-1", "hp", 20),
    ("aachen", "demo.seen", BRIEFLY, "Hedwig", "Wolf", "hp", 25),
    ("arkm", "demo.seen", BRIEFLY, "Corm", "Militia", "hp", 30),
    ("dungeoneers", "demo.seen", BRIEFLY, "Freya", "Grin", "stress", 40),
    ("paraverse", "demo.seen", BRIEFLY, "Ildar", "Reaver", "pain", 30),
    ("aachen", "demo.data", SOME_DATA, "Hedwig", "Wolf", "hp", 25),
    ("arkm", "demo.data", SOME_DATA, "Corm", "Militia", "hp", 30),
    ("dungeoneers", "demo.data", SOME_DATA, "Freya", "Grin", "stress", 40),
    ("paraverse", "demo.data", SOME_DATA, "Ildar", "Reaver", "pain", 30),
])  # fmt: skip
def test_what_is_seen_of_a_demo(system, file, commands, who, other, harm, half, tmp_path, capsys, monkeypatch):
    """The board, log, map, replays, reasons, differences and statistics, exports, odds, disputes and corrections."""
    monkeypatch.setenv("AFFRAY_BY", "gm")
    monkeypatch.chdir(tmp_path)
    ledger = tmp_path / "demo.affray"
    assert run(["import", str(FIXTURES / system / "demo.jsonl"), str(ledger)]) == 0
    said = [command.format(who=who, other=other, harm=harm, half=half) for command in commands]
    same(FIXTURES / system / file, transcript(capsys, ledger, *said))


def test_a_ledger_of_every_released_format_projects_to_its_state(tmp_path):
    """Old ledgers open for ever: `fixtures/formats` holds one of each format, with the digest of its state.

    `tests/test_drift.py` audits them.
    """
    formats = sorted((FIXTURES / "formats").glob("*.affray"))
    assert formats
    for path in formats:
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        book = Book(SqliteStore.open(str(copy)))
        wanted = path.with_suffix(".state").read_text().strip()
        head = book.store.head().entry
        assert fold(State(), map(decode, book.store.bodies(sorted(book.store.course(head))))).digest() == wanted
        assert book.present()[1].digest() == wanted


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/*.log")), ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_no_line_says_in_another_form_of_the_word_what_somebody_is(log: Path):
    """Who charges is charging, and an attack that pierced is told so once. That a deed was done to another is told,
    and so is what concerns yet another.
    """
    for line in log.read_text(encoding="utf-8").splitlines():
        head, *rest = [""] if line.startswith(" ") else re.split(r": |; ", re.sub(r"  e\d+$|~~", "", line))
        for at, piece in enumerate(rest):
            word = piece.partition(" until ")[0]
            stem = re.sub("(ing|ed)$", "", word)
            if stem != word and " " not in word:
                before = head.partition(" (")[0] if word.endswith("ing") else ""
                others = {*re.findall(r"[\w-]+", " ".join([before, *rest[:at], *rest[at + 1 :]]))}
                assert not {f"{stem}{end}" for end in ("", "s", "e", "es", "ing", "ed")} & others - {word}, line
