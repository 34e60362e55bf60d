"""Every example in the documentation runs and prints what is shown; every list in it is the one of the code."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

import pytest
from msgspec import structs

from commands.action import systems
from commands.action.declaration import shapes
from commands.shell.tools import TOOLS
from ledger.events import KINDS, tag
from tests.documents import ADDING, PAGES, README, ROOT, TABLE, Reader, Stranger, blocks, reader_of, table_of_systems
from tests.sample import sampled

NAME = lambda page: str(page.relative_to(ROOT))  # noqa: E731  pytest wants a function
PROGRAMS = {"archive.md": ("duckdb",), "exports.md": ("duckdb",)}
"""Programs that the examples of a page need besides those of Affray; the extra `test` brings them."""
PACKAGES = {"archive.md": ("duckdb", "pyarrow"), "exports.md": ("pyarrow",)}
"""Packages that they need."""
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
VERBS = [
    *((f"{system} {name}", verb) for system in systems.SYSTEMS for name, verb in systems.load(system).verbs.items()),
    *(item for item in systems.COMMON.items() if item[0] not in TOOLS),
    *TOOLS.items(),
]


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch):
    monkeypatch.setenv("AFFRAY_BY", "gm")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("AFFRAY_LEDGER", "AFFRAY_WAIT", "AFFRAY_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "page",
    sampled([page for page in PAGES if page not in (ADDING, README)]),
    ids=NAME,
)
def test_every_example_is_true(page, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    missing = [name for name in PROGRAMS.get(page.name, ()) if not shutil.which(name, path=path)]
    missing += [name for name in PACKAGES.get(page.name, ()) if not find_spec(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: pip install '.[test]'")
    Reader(tmp_path).read(page)


HEAD = re.compile(r"\be(\d+) ([0-9a-f]{64}|[0-9a-f]{4}(?: [0-9a-f]{4}){3})\b")
CONSOLE = re.compile(r"^```console\n.*?^```$", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=NAME)
def test_a_head_that_is_quoted_is_one_that_an_example_prints(page):
    """Also in its short form, with the first 16 digits."""
    text = page.read_text(encoding="utf-8")
    examples = [example.group() for example in CONSOLE.finditer(text)]
    printed = {(entry, digest[:16]) for example in examples for entry, digest in HEAD.findall(example)}
    quoted = {(entry, digest.replace(" ", "")[:16]) for entry, digest in HEAD.findall(CONSOLE.sub("", text))}
    assert quoted <= printed


@pytest.mark.slow
def test_readme_works_word_for_word_in_one_folder(tmp_path):
    """From the first line to the last, as a stranger types it in one terminal: with a new environment, with the ledger
    that the demo leaves, and with the campaign in the folder that README makes.
    """
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install '.[test]'")
    copied = [ROOT / name for name in ("ledger", "projections", "commands", "docs", "fixtures", "benchmarks", "tests")]
    for folder in copied:
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    stranger = Stranger(tmp_path)
    try:
        stranger.read(README)
        assert stranger.do("command -v affray").strip() == str(tmp_path / ".venv" / "bin" / "affray")
        assert stranger.do("pwd").strip() == str(tmp_path / "toll-bridge")
    finally:
        stranger.leave()
    assert sorted(path.name for path in tmp_path.glob("*.affray")) == ["demo-freepg.affray"]


@pytest.mark.slow
def test_the_example_system_is_whole(tmp_path):
    """The blocks of the page, written into a folder, are a package that can be installed, tested and played."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install '.[test]'")
    reader = reader_of(ADDING, tmp_path)
    reader.read(ADDING)
    assert reader.do("affray demo brawl --file demo.affray").endswith("verify\n")
    assert reader.code == 0
    folder = tmp_path / "brawl" / "affray_brawl"
    rules, code = ((folder / name).read_text(encoding="utf-8") for name in ("RULES.md", "blow.py"))
    tests = (tmp_path / "brawl" / "tests" / "test_blow.py").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w.-]+)` \|", rules, re.M)
    assert len(listed) == 5
    assert set(listed) == set(re.findall(r"brawl\.[a-z]+\.[a-z-]+", code))
    assert set(listed) == set(re.findall(r"brawl\.(?:blow|out)\.[a-z-]+", tests))


def test_the_page_of_events_is_the_one_that_the_code_makes():
    """If it is not: python docs/vocabulary.py > docs/vocabulary.md, and read the difference."""
    script, page = ROOT / "docs" / "vocabulary.py", ROOT / "docs" / "vocabulary.md"
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, encoding="utf-8", check=True)
    assert page.read_text(encoding="utf-8") == made.stdout


def test_readme_has_at_most_110_lines():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 110


def test_readme_lists_every_rule_system():
    """If it does not: python -m tests.documents, and read the difference."""
    (found,) = TABLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found == table_of_systems()


def test_the_pages_of_verbs_are_those_that_the_code_makes():
    """If they are not: python docs/verbs.py, and read the difference."""
    made = run_path(str(ROOT / "docs" / "verbs.py"))["pages"]()
    assert {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "verbs").glob("*.md")} == made


def test_the_page_of_man_is_made_from_the_code():
    """If it is not: python docs/manual.py, and read the difference."""
    made = run_path(str(ROOT / "docs" / "manual.py"))["page"]()
    assert (ROOT / "docs" / "affray.1").read_text(encoding="utf-8").splitlines() == [*made]
    for line in (ROOT / "docs" / "affray.1").read_text(encoding="utf-8").splitlines():
        assert not line.startswith((".", "'")) or line.startswith((".SH ", ".TP", ".B ", ".PP", ".TH ", '.\\"')), line


def test_the_pages_of_stat_blocks_are_those_that_the_code_makes():
    """If they are not: python docs/sheets.py, and read the difference."""
    made = run_path(str(ROOT / "docs" / "sheets.py"))["pages"]()
    assert {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "sheets").glob("*.md")} == made


def test_the_pages_for_the_authors_of_the_rules_are_made_from_the_pages_of_the_rules():
    """If they are not: python docs/authors.py, and read the difference. Every question stands there once."""
    made = run_path(str(ROOT / "docs" / "authors.py"))["pages"]()
    assert {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "authors").glob("*.md")} == made
    assert "| Who wins a tied opposed check? | The player character;" in made["aachen.md"]
    assert "| `freepg.heal.potion` | A potion restores 10 health for one action," in made["freepg.md"]


def test_every_kind_of_event_is_documented_once_and_in_order():
    """If one is not: python -m tests.documents, and read the difference."""
    page = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
    assert re.findall(r"^### `([\w-]+)`$", page, re.M) == [tag(kind) for kind in KINDS]


VOCABULARY = run_path(str(ROOT / "docs" / "vocabulary.py"))


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_an_event_says_what_it_means(kind):
    text, fields = VOCABULARY["described"](kind)
    assert text.endswith("."), f"{kind.__name__} has no docstring"
    assert all(field.meaning.endswith((".", "...")) for field in fields), f"a field of {kind.__name__} says nothing"


@pytest.mark.parametrize(("name", "verb"), VERBS, ids=[name for name, _ in VERBS])
def test_a_verb_says_what_it_does_and_what_its_words_are(name, verb):
    _, declaration = systems.procedure(verb)
    assert verb.summary.endswith("."), f"{name} has no summary"
    assert (vars(declaration).get("__doc__") or "").rstrip().endswith("."), f"{declaration.__name__} has no docstring"
    silent = [field.name for field, shape in shapes(declaration) if not shape.description]
    assert silent == [], f"{name}: fields without description"
    assert len(shapes(declaration)) == len(structs.fields(declaration))


@pytest.mark.parametrize("page", PAGES, ids=NAME)
def test_every_link_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        assert place.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(place), f"{page.name}: {target}"


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=NAME)
def test_a_page_says_of_every_block_what_it_is(page):
    """An unmarked block would be taken for one that is checked."""
    assert [f"line {block.line}" for block in blocks(page) if not block.language] == []


def test_the_chain_can_be_checked_with_fifty_lines():
    """The program of docs/store.md, whose output the page's own examples show."""
    (program,) = (block for block in blocks(ROOT / "docs" / "store.md") if block.file == "check_chain.py")
    assert len(program.text.splitlines()) - 1 <= 50


def test_every_variable_of_the_environment_is_explained():
    read = {
        name
        for folder in ("commands", "ledger")
        for path in (ROOT / folder).glob("**/*.py")
        for name in re.findall(r"(?<![_A-Z])AFFRAY_[A-Z]+", path.read_text(encoding="utf-8"))
    }
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8").partition("\n## Environment\n")[2]
    assert read == {*re.findall(r"^\| `(AFFRAY_[A-Z]+)` \|", page, re.M)}
