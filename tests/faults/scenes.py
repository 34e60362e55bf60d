"""The commands that are made to fail: every recording verb as a demo first says it, and what handles ledgers."""

import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commands import systems
from commands.audit import audit
from commands.book import Book
from commands.cli import run
from ledger.store import Store

LEDGER = "fight.affray"
ONCE = ("--once", "the-fault")
ON = ("--ledger", LEDGER)


THERE = {LEDGER, "two.fight", "out.jsonl", "out.md", "fight.jsonl", "small.affray"}
"""All files that may lie in a folder in which a command was said."""


class Scene(NamedTuple):
    """A command, and what was said in its folder before it."""

    words: tuple[str, ...]
    system: str = "freepg"
    played: int = 40
    """How many lines of the demo of its rule system were played into the ledger; -1 when there is no ledger."""
    before: tuple[tuple[str, ...], ...] = ()
    """Commands after that."""
    makes: str = LEDGER
    """The file that it writes."""


@cache
def demo(system: str) -> list[list[str]]:
    """The commands of a demo."""
    script = Path(systems.__file__).parent / system / "demo.fight"
    lines = (shlex.split(line, comments=True) for line in script.read_text(encoding="utf-8").splitlines())
    return [words[1:] if words[0] == "affray" else words for words in lines if words]


@cache
def scenes() -> dict[str, Scene]:
    """All of them by name."""
    found = {
        "undo": Scene((*ON, "undo", *ONCE)),
        "redo": Scene((*ON, "redo", *ONCE), before=(("undo",),)),
        "amend": Scene((*ON, "amend", "e3", "--drop", "--apply", *ONCE), before=(("note", "x"), ("note", "y"))),
        "option": Scene((*ON, "option", *ONCE, "min_hit_damage", "1")),
        "roll": Scene((*ON, "roll", *ONCE, "3d6+1")),
        "dispute": Scene((*ON, "dispute", *ONCE, "e3", "no"), before=(("note", "x"),)),
        "run": Scene((*ON, "run", "two.fight")),
        "init": Scene((*ON, "init", "Fight", "--system", "freepg"), played=-1),
        "demo": Scene(("demo", "freepg", "--file", LEDGER), played=-1),
        "import": Scene(("import", "fight.jsonl", LEDGER), played=-1),
        "copy": Scene(("copy", "small.affray", LEDGER), played=-1),
        "salvage": Scene(("salvage", "small.affray", LEDGER), played=-1),
        "export-jsonl": Scene((*ON, "export", "out.jsonl"), makes="out.jsonl"),
        "export-md": Scene((*ON, "export", "out.md"), makes="out.md"),
    }
    for system in systems.SYSTEMS:
        for at, words in enumerate(demo(system)):
            name = f"{system}-{words[0]}"
            if words[0] not in systems.TOOLS and name not in found:
                found[name] = Scene((*ON, words[0], *ONCE, *words[1:]), system, at)
    return found


class Stage:
    """The folders in which scenes are played, made when they are needed."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def folder(self, scene: Scene) -> Path:
        """A fresh folder in which the command can be said."""
        name = f"{scene.system}-{scene.played}"
        made = self.home / name
        if not made.exists():
            made.mkdir()
            if scene.played >= 0:
                self._play(scene, made / LEDGER)
            (made / "two.fight").write_text("note one --once one\nnote two --once two\n")
            (made / "out.jsonl").write_text("the old export\n")
            (made / "out.md").write_text("the old export\n")
            shutil.copy(self._exported(), made / "fight.jsonl")
            shutil.copy(self.home / "small.affray", made)
        copy = self.home / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(made, copy)
        for words in scene.before:
            assert run(["--ledger", str(copy / LEDGER), *words]) == 0
        return copy

    def _play(self, scene: Scene, ledger: Path) -> None:
        assert run(["--ledger", str(ledger), "init", "Fight", "--system", scene.system, "--key", "5a" * 32]) == 0
        for words in demo(scene.system)[: scene.played]:
            assert run(["--ledger", str(ledger), *words]) == 0

    def _exported(self) -> Path:
        """A small ledger as JSON Lines."""
        ledger, lines = self.home / "small.affray", self.home / "small.jsonl"
        if not lines.exists():
            self._play(Scene((), played=8), ledger)
            assert run(["--ledger", str(ledger), "export", str(lines)]) == 0
        return lines


def entries(ledger: Path) -> int:
    """How many entries a sound ledger holds; 0 where there is none. Raises AffrayError when it is not sound."""
    if not ledger.exists():
        return 0
    store = Store.open(str(ledger))
    try:
        return audit(Book(store)).entries
    finally:
        store.close()


def kind(error: AssertionError) -> str:
    """What a failed check found, in the words of the counts."""
    return next((kind for kind in ("partial", "printed and gone") if str(error).startswith(f"{kind}: ")), "otherwise")
