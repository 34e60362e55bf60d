"""Detours: a fight that is played straight, and the same fight with detours that are undone, end in the same state.

The law: an undo takes back all of what it names, a redo brings all of it back, what an amendment says in a note's place
is as though it had been said at first, and a look, a dry run or a refusal leaves nothing, not even a die.
"""

import os
import shlex
from pathlib import Path
from random import Random

import pytest

from commands.action.book import Book, events_of
from commands.shell.cli import run
from ledger.events import Event, Rolled
from ledger.sqlite import SqliteStore
from projections.changes import values
from tests.sample import WHOLE
from tests.test_golden import KEY, SAMPLE, STORIES, named

pytestmark = pytest.mark.slow

LOOKS = ("status", "log", "map", "odds", "show", "why", "stats", "replay", "diff", "find", "verify")
LINES = None if WHOLE else 40
"""How many lines of a story are played."""
CORRECTIONS = ("undo", "redo", "amend", "dispute", "settle", "reveal", "stir", "mark", "option", "assert")
"""What names entries by their numbers, which detours change, or lasts beyond an undo."""


class Table:
    """A ledger, and the lines that are said at it."""

    def __init__(self, path: Path, system: str) -> None:
        self.path = str(path)
        self.said: list[str] = []
        assert self("init", "test", "--system", system, "--key", KEY) == 0

    def __call__(self, *words: str) -> int:
        self.said.append(shlex.join(words))
        return run(["--ledger", self.path, *words])

    def done(self, *words: str) -> None:
        """Says what must succeed."""
        assert self(*words) == 0, "\n".join(self.said[-12:])

    def head(self) -> int:
        """The last entry."""
        store = SqliteStore.open(self.path)
        try:
            return store.head().entry
        finally:
            store.close()

    def events(self, since: int) -> list[tuple[Event, ...]]:
        """The events of each entry after one."""
        store = SqliteStore.open(self.path)
        try:
            return [events_of(entry) for entry, _ in store.entries(since + 1, store.head().entry)]
        finally:
            store.close()

    def state(self) -> dict[str, str]:
        """Every value on the board."""
        book = Book(SqliteStore.open(self.path))
        try:
            return values(book.present()[1])
        finally:
            book.store.close()


def lines(story: Path) -> list[list[str]]:
    """What a story says, without looks and corrections."""
    said = [shlex.split(line, comments=True) for line in story.read_text(encoding="utf-8").splitlines()]
    return [words for words in said if words and words[0] not in (*LOOKS, *CORRECTIONS)][:LINES]


def straight(table: Table, story: Path) -> list[list[str]]:
    """Plays a story, and gives the lines that were recorded, with all of their dice typed."""
    said = []
    for words in lines(story):
        before = table.head()
        if table(*words):
            continue
        rolls = [event for entry in table.events(before) for event in entry if isinstance(event, Rolled)]
        faces = [str(face) for roll in rolls for face in roll.faces]
        rolled = any(place for roll in rolls for place in roll.places)
        said.append([*without_dice(words), "--dice", ",".join(faces)] if rolled else words)
    return said


def without_dice(words: list[str]) -> list[str]:
    """A line without its dice."""
    at = words.index("--dice") if "--dice" in words else len(words)
    return [*words[:at], *words[at + 2 :]]


def wander(table: Table, chance: Random, said: list[list[str]], at: int) -> bool:
    """Goes a way that is taken back before a line is said. True where the line itself has been said by it."""
    before = table.head()
    match chance.choice(("ahead", "another", "again", "amended")):
        case "ahead":
            for words in said[at : at + chance.randint(1, 4)]:
                if table(*words):
                    break
        case "another":
            table(*without_dice(chance.choice(said)))
        case "again" if at > 2:
            table.done("undo", "--yes")
            table.done("redo")
            return False
        case "amended":
            words = said[at]
            dice = words[words.index("--dice") + 1 :][:1] if "--dice" in words else []
            table.done("note", "said wrongly")
            given = ["--dice", *dice, "--because", "misheard"] if dice else []
            if not table("amend", f"e{before + 1}", "--as", shlex.join(without_dice(words)), *given, "--apply"):
                return True
    if table.head() > before:
        table.done("undo", f"e{before + 1}", "--yes")
    return False


@pytest.mark.parametrize("story", STORIES if WHOLE else SAMPLE, ids=named)
def test_detours_that_are_undone_leave_the_fight_as_it_was(story: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1])
    first = Table(tmp_path / "straight.affray", story.parent.name)
    said = straight(first, story)
    for seed in range(int(os.environ.get("AFFRAY_FIGHTS", "1"))):
        chance = Random(f"{story.stem} {seed}")
        second = Table(tmp_path / f"winding-{seed}.affray", story.parent.name)
        for at, words in enumerate(said):
            if chance.random() < 0.4 and wander(second, chance, said, at):
                continue
            second.done(*words)
        assert second.state() == first.state(), "\n".join(second.said)
        assert second("verify") == 0


@pytest.mark.parametrize("story", STORIES if WHOLE else SAMPLE, ids=named)
def test_looks_dry_runs_and_refusals_leave_the_dice_of_the_program_alone(story: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1])
    plain, watched = (Table(tmp_path / f"{name}.affray", story.parent.name) for name in ("plain", "watched"))
    said = [without_dice(words) for words in lines(story)]
    chance = Random(story.stem)
    for words in said:
        plain(*words)
        for other in chance.sample(said, 2):
            watched(*other, "--dry-run")
        watched("status")
        watched(*words)
    assert watched.events(0) == plain.events(0)
