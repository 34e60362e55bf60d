"""The commands that are made to fail: every recording verb as a story first says it, and what handles ledgers."""

import shlex
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commands.action import systems
from commands.action.book import Book
from commands.past.audit import audit
from commands.shell.cli import run
from commands.shell.tools import TOOLS
from ledger.sqlite import SqliteStore
from tests.test_golden import STORIES

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
    """How many lines of a story of its rule system were played into the ledger; -1 when there is no ledger."""
    story: str = "demo"
    before: tuple[tuple[str, ...], ...] = ()
    """Commands after those."""
    makes: str = LEDGER
    """The file that it writes."""


@cache
def told(system: str) -> dict[str, list[list[str]]]:
    """The commands of each story of a rule system: of its demo first, then of the others by name."""
    stories = (story for story in STORIES if story.parent.name == system)
    found = {}
    for story in sorted(stories, key=lambda story: (story.stem != "demo", story.stem)):
        lines = (shlex.split(line, comments=True) for line in story.read_text(encoding="utf-8").splitlines())
        found[story.stem] = [words[1:] if words[0] == "affray" else words for words in lines if words]
    return found


UNTOLD = {
    "freepg": (
        Scene(("stow", "jane", "bow"), played=4),
        Scene(("draw", "jane", "bow"), played=4, before=(("stow", "jane", "bow"),)),
        Scene(("prone", "jane"), played=4),
        Scene(("stand", "jane"), played=4, before=(("prone", "jane"),)),
        Scene(("damage", "jane", "2", "a fall"), played=4),
        Scene(("assert", "jane.hp", "52"), played=4),
        Scene(("settle", "e3", "stands", "no"), played=4, before=(("dispute", "e3", "no"),)),
    ),
    "aachen": (
        Scene(("act", "goblin-3", "hisses"), played=7),
        Scene(("prone", "goblin-3"), played=7),
    ),
    "arkm": (
        Scene(("defend", "aldric", "--shield-against", "orc-1"), played=4, before=(("join", "fighter"),)),
        Scene(("mount", "lancer", "--off"), played=7),
        Scene(("prone", "lancer"), played=7),
        Scene(("stow", "corm", "battle-axe"), played=4),
        Scene(("table", "critical"), played=4),
    ),
    "dungeoneers": (Scene(("stand", "suori"), played=3, before=(("prone", "suori"),)),),
    "paraverse": (Scene(("defend", "sigrun"), played=2),),
}
"""What no story says: the words, and how much of the demo comes before."""


@cache
def scenes() -> dict[str, Scene]:
    """All of them by name."""
    found = {
        "undo": Scene((*ON, "undo", *ONCE)),
        "redo": Scene((*ON, "redo", *ONCE), before=(("undo",),)),
        "amend": Scene((*ON, "amend", "e3", "--drop", "--apply", *ONCE), before=(("note", "x"), ("note", "y"))),
        "option": Scene((*ON, "option", *ONCE, "min_hit_damage", "1")),
        "roll": Scene((*ON, "roll", *ONCE, "3d6+1")),
        "rename": Scene((*ON, "rename", *ONCE, "bo", "Jack"), before=(("join", "grub", "--called", "Bo"),)),
        "unmask": Scene(
            (*ON, "unmask", *ONCE, "orc"), before=(("join", "grub", "--called", "Orc", "--seen-as", "Hood"),)
        ),
        "stir": Scene((*ON, "stir", *ONCE, "a red herring")),
        "reveal": Scene((*ON, "reveal", *ONCE, "dice"), before=(("stir", "gold"),)),
        "dispute": Scene((*ON, "dispute", *ONCE, "e3", "no"), before=(("note", "x"),)),
        "sheet-set": Scene((*ON, "sheet", "set", *ONCE, "boffin", "tilda")),
        "mark": Scene((*ON, "mark", *ONCE, "e2", "here it began")),
        "seat": Scene((*ON, "seat", *ONCE, "jane", "boffin")),
        "set-aside": Scene((*ON, "set-aside", *ONCE, "boffin", "14")),
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
        for story, commands in told(system).items():
            for at, (verb, *words) in enumerate(commands):
                if verb not in TOOLS:
                    said = Scene((*ON, verb, *ONCE, *words), system, at, story)
                    found.setdefault(f"{system}-{verb}", said)
        for scene in UNTOLD.get(system, ()):
            verb, *words = scene.words
            found[f"{system}-{verb}"] = scene._replace(words=(*ON, verb, *ONCE, *words), system=system)
    return found


class Stage:
    """The folders in which scenes are played, made when they are needed."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def folder(self, scene: Scene) -> Path:
        """A fresh folder in which the command can be said."""
        name = f"{scene.system}-{scene.story}-{scene.played}"
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
        assert run(["--ledger", str(ledger), "init", "Fight", "--system", scene.system, "--key", "6f" * 32]) == 0
        for words in told(scene.system)[scene.story][: max(0, scene.played)]:
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
    store = SqliteStore.open(str(ledger))
    try:
        return audit(Book(store)).entries
    finally:
        store.close()


def kind(error: AssertionError) -> str:
    """What a failed check found, in the words of the counts."""
    return next((kind for kind in ("partial", "printed and gone") if str(error).startswith(f"{kind}: ")), "otherwise")
