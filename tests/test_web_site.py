"""The documentation as a site, and the program of the page without a browser."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from commands.web import documentation
from commands.web.engine import Engine
from tests import hostile
from tests.sample import WHOLE
from tests.shell import ROOT, Shell

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    documentation.write(folder)
    return folder


@pytest.fixture
def engine(shell: Shell) -> Iterator[Engine]:
    """The program of a page whose reader answers no question."""
    made = Engine(lambda question, standing: pytest.fail(question))
    yield made
    made.use("")


class Links(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links, self.anchors = list[str](), set[str]()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attributes if name in ("href", "src") and value]
        self.anchors |= {value for name, value in attributes if name == "id" and value}


def test_every_page_of_the_documentation_is_there(written: Path):
    for page in (ROOT / "docs").glob("**/*.md"):
        assert (written / page.relative_to(ROOT / "docs").with_suffix(".html")).is_file()


def test_every_link_leads_to_a_page_and_a_place_of_it(written: Path):
    pages = {page: Links(page) for page in written.glob("**/*.html")}
    for page, found in pages.items():
        for link in found.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if target.parent == written.parent:  # the page with the program beside the site
                continue
            assert target.is_file(), f"{page} links to {link}"
            if anchor and target in pages:
                assert anchor in pages[target].anchors, f"{page} links to {link}"


def test_the_search_knows_every_section_by_a_place_that_is_there(written: Path):
    sections = json.loads((written / "search.json").read_text(encoding="utf-8"))
    assert len(sections) > 300
    assert all(one["anchor"] in Links(written / one["page"]).anchors for one in sections[:: 1 if WHOLE else 40])


def test_the_picture_has_every_room_with_a_line_to_all_that_it_imports(written: Path):
    drawing = documentation.rooms("floor 2  top\nfloor 1  ▼  left\nfloor 1  ▼  │  right\n")
    assert re.findall(r">(\w+)</text>", drawing) == ["top", "left", "right"]
    assert drawing.count("<path ") == 2
    page = (written / "CONTRIBUTING.html").read_text(encoding="utf-8")
    assert ">ledger</text>" in page
    assert ">web</text>" in page


def test_every_example_with_a_button_can_be_tried(written: Path, engine: Engine, capsys: pytest.CaptureFixture[str]):
    """None says that it does not work in a page, or that a verb or a file is not there."""
    tries = json.loads((written / "tries.json").read_text(encoding="utf-8"))
    assert len(tries) > 40
    for one in [*tries.values()][:: 1 if WHOLE else 12]:
        for name in Path().iterdir():
            name.unlink() if name.is_file() else None
        engine.use("")
        for name, text in one["files"].items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")
        engine.prepare(json.dumps(one["before"]))
        capsys.readouterr()
        for line in one["lines"]:
            engine.carry_out(line)
        said = capsys.readouterr()
        for wrong in ("does not work in a page", "There is no verb", "fault of Affray", "There is no ledger at"):
            assert wrong not in said.out + said.err, one["lines"]


def test_what_somebody_ill_disposed_sends_is_not_called_sound_and_moves_no_terminal(
    shell: Shell, engine: Engine, capsys: pytest.CaptureFixture[str]
):
    """Of the ledger whose entries claim another version of the rules the chain alone is sound."""
    for name, data in hostile.ledgers(shell).items():
        Path(name).write_bytes(data)
        verdict = json.loads(engine.take(name))
        assert verdict["sound"] is (None if name == "arkm.affray" else False), (name, verdict)
        assert len(verdict["text"]) < 500
        assert verdict["text"].replace("\n", " ").isprintable(), verdict
        for line in ("status", "log", "verify", "stats"):
            engine.carry_out(line)
        said = "".join(capsys.readouterr())
        assert "fault of Affray" not in said, name
        plain = re.sub(r"\x1b\[[\d;]*m", "", said)
        assert [line for line in plain.splitlines() if not line.isprintable()] == [], name
        assert not re.search(f"^ *{hostile.VERDICT}", plain, re.M), name
        assert json.loads(engine.state())["sign"].endswith("> ")


def test_no_file_from_outside_gets_a_name_that_touches_a_ledger_or_leaves_the_folder(shell: Shell, engine: Engine):
    shell.done("demo", "freepg", "--file", "kept.affray")
    kept = Path("kept.affray").read_bytes()
    for name in (*hostile.NAMES, "kept.affray"):
        free = engine.free(name)
        assert free.isprintable()
        assert Path(free).name == free
        assert not free.startswith((".", "-"))
        assert not free.endswith(("-journal", "-wal", "-shm"))
        Path(free).write_bytes(kept)
        if name.casefold().endswith(".affray") and name != ".affray":
            assert json.loads(engine.take(free))["sound"], name
    engine.use("kept.affray")
    assert json.loads(engine.verdict())["sound"]
    assert Path("kept.affray").read_bytes() == kept
