"""The rulebook's card: what a rule system brings is checked when it is first needed, and said in one sentence."""

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from commands.action import rulebook, systems
from ledger.errors import UsageError
from projections.state import State
from tests.shell import Shell

INIT = """
from commands.action.cards import System, Verb
SYSTEM = System(package=__name__, title="Duel", credit="Duel, a test; no more.", verbs={
    "strike": Verb("blow:strike", "Strike."),
    "yield": Verb("blow:yield_", "End the turn that is under way.", traits="turn"),
})
"""
SHEET = """
from msgspec import Struct
class Sheet(Struct):
    name: str
def side(sheet): return "duellists"
def check(fight, who, sheet): pass
def enter(fight, who, sheet, at): pass
"""
BOARD = """
def header(view): return ["A duel"]
def row(view, who): return {"side": "duellists"}
def acting(view): return []
"""
GM = """
FIELDS = {}
def damage(fight, who, points, kind): pass
"""
BLOW = """
from commands.action.declaration import Declaration
from ledger.events import TurnEnded
class Strike(Declaration):
    "Strike."
def strike(fight, said): pass
class Yield(Declaration):
    "End the turn that is under way."
def yield_(fight, said): fight.record(TurnEnded("Corm"))
"""
WHOLE = {"__init__": INIT, "sheet": SHEET, "board": BOARD, "gm": GM, "blow": BLOW}
Bring = Callable[..., None]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bring]:
    """Brings the rule system duel, with some of its modules written otherwise; None leaves one out."""
    monkeypatch.syspath_prepend(str(tmp_path))
    kept = (systems.load, systems.recorded_verbs, systems.procedure, rulebook.of)

    def brought(**otherwise: str | None) -> None:
        folder = tmp_path / "duel"
        folder.mkdir()
        for name, text in {**WHOLE, **otherwise}.items():
            if text is not None:
                (folder / f"{name}.py").write_text(text)
        monkeypatch.setattr(systems, "installed", lambda: {"duel": EntryPoint("duel", "duel:SYSTEM", systems.GROUP)})

    for one in kept:
        one.cache_clear()
    yield brought
    for one in kept:
        one.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "duel"]:
        del sys.modules[name]


def test_a_system_needs_no_more_than_this(bring: Bring, shell: Shell):
    """What it does not say is as the card says."""
    bring()
    book = rulebook.of("duel").check()
    assert (book.board.glance, book.board.seen, book.gm.kinds(State())) == ((), ("side", "down"), ())
    assert not book.sheet.player({"name": "Ada"})
    shell.done("init", "Field", "--system", "duel")
    Path("ada.toml").write_text('name = "Ada"\n')
    shell.done("join", "ada.toml")
    assert shell.done("strike") == "strike: nothing changes  e3\n"
    assert shell.done("status").splitlines()[0] == "A duel"
    shell.done("leave", "ada")


@pytest.mark.parametrize("otherwise", [
    {"gm": None},
    {"board": "1/0"},
    {"board": BOARD.replace("header", "heder")},
    {"board": BOARD.replace("acting", "actnig")},
    {"board": "def header(view): return []"},
    {"sheet": SHEET.replace("enter", "entre")},
    {"sheet": SHEET + "def leave(fight, who): pass"},
    {"sheet": SHEET.replace("Sheet", "Block")},
    {"gm": "FIELDS = {}"},
    {"blow": BLOW.replace("def strike", "def srtike")},
    {"blow": BLOW.replace("Strike(", "Blow(")},
    {"blow": None},
    {"board": BOARD.replace("header", "hedr")},
])  # fmt: skip
def test_what_is_missing_or_misspelt_is_one_sentence(otherwise: dict[str, str | None], bring: Bring, shell: Shell):
    """It names the module and the function; `init` looks at all of it, and makes no ledger."""
    bring(**otherwise)
    with pytest.raises(UsageError) as found:
        rulebook.of("duel").check()
    assert found.value.message in shell.refused("init", "Field", "--system", "duel", code=2).err
    assert not [*Path().glob("*.affray")]


def test_a_package_brings_a_system(bring: Bring, shell: Shell):
    bring()
    assert "duel" in shell.done("--help").partition("Rule systems: ")[2]
    shell.done("init", "Field", "--system", "duel")
    assert shell.done("note", "It rains.") == "It rains.  e2\n"
    shell.done("verify")


def test_a_foreign_verb_that_takes_the_turn_on_is_told_by_what_it_records(
    bring: Bring, shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The declaration says no more than its verb, so it is left out. Where the rules are not installed any more, the
    verb stands before what it recorded.
    """
    bring()
    shell.done("init", "Field", "--system", "duel")
    assert shell.done("yield") == "Corm's turn ends  e2\n"
    assert shell.done("log", "--last", "1") == "Corm's turn ends  e2\n"
    monkeypatch.setattr(systems, "installed", dict)
    for kept in (systems.load, systems.recorded_verbs):
        kept.cache_clear()
    assert shell.done("log", "--last", "1") == "yield: Corm's turn ends  e2\n"
