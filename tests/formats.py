"""The ledgers in `fixtures/formats`: one of each rule system and version of its rules, `SYSTEM-vN.affray`.

`python -m tests.formats [SYSTEM...]` plays those of the current versions, and replaces them. Do this only before a
version is released; afterwards raise the version in the system's SYSTEM, which makes a new file.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from commands.action import systems
from commands.action.book import Book
from commands.action.systems import load
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from tests.test_golden import FIXTURES, KEY, STORIES

FORMATS = FIXTURES / "formats"
Say = Callable[..., None]


CAST = {
    "aachen": {"pair": "brun hedwig", "one": "brun", "two": "hedwig", "foe": "goblin", "side": "pc"},
    "arkm": {"pair": "fighter cleric", "one": "aldric", "two": "marcus", "foe": "orc", "side": "party"},
    "dungeoneers": {"pair": "freya suori", "one": "freya", "two": "suori", "foe": "skeleton", "side": "dungeoneers"},
    "freepg": {"pair": "boffin jane", "one": "boffin", "two": "jane", "foe": "grub", "side": "party"},
    "paraverse": {"pair": "sigrun maelis", "one": "sigrun", "two": "maelis", "foe": "reaver", "side": "party"},
}
"""The sheets of two of a side, their names, the sheet of a foe, and the side of the two."""
GM = (
    "join {pair}",
    "join {foe} --seen-as Hooded",
    "rename {two} Friend",
    "seat jane {one} --trusted",
    "seat tom Friend",
    "seat tom --nobody",
    "set-aside {one} 14 3 --for attack --why 'it was the other one'",
    "note --secret 'The bridge is rotten.'",
    "reveal {last}",
    "mark {last} 'Here it began.'",
    "dispute {last} 'Nobody saw that.'",
    "settle {before} stands 'Two saw it.'",
    "assert {one}.side {side}",
    "stir the old mill",
    "roll 2d6 --why luck",
    "roll 2d6 --why luck --secret",
    "stir a second time",
    "reveal dice",
    "reveal dice --hidden",
    "reveal Hooded",
)
"""What a game master says in any system and in no story."""
OWN = {
    "aachen": (),
    "arkm": (),
    "dungeoneers": (
        "begin",
        "adjust {one} truce undead 'they talk'",
        "adjust {one} no-truce undead 'they fight'",
        "adjust {one} wounds 2 'a fall'",
        "adjust {one} wounds 0 'a potion'",
        "adjust {one} dropped mace 'her hand is cold'",
        "adjust {one} picked-up mace 'it is hers'",
        "adjust {one} item dagger 'bought'",
        "adjust {one} no-item dagger 'sold'",
        "adjust friend side undead 'a curse'",
    ),
    "freepg": ("begin", "terrain obstacle 3,3", "terrain obstacle 3,3 --clear"),
    "paraverse": (
        "rename Reaver Grim",
        "begin",
        "round",
        "attack sigrun grim",
        "attack grim sigrun",
        "phase melee --pass-rest",
        "skirmish sigrun grim",
        "adjust grim down dead 'a rock'",
    ),
}
"""What is said besides in one system, so that every kind of event stands in one of the ledgers."""


def path_of(system: str) -> Path:
    """The ledger of the current version of a rule system."""
    return FORMATS / f"{system}-v{load(system).version}.affray"


def copied(path: Path, folder: Path) -> str:
    """The path of a copy, in which opening it may leave its traces."""
    return str(shutil.copy(path, folder / path.name))


def make(system: str) -> None:
    """Plays the stories of a rule system into one ledger, one after another, and adds what else a ledger can hold.
    Leaves out the demo, because its program dice fall differently in another place of the stream.
    """
    target = path_of(system)
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / target.name

        def say(*words: str) -> None:
            said = io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = run(["--ledger", str(draft), *words])
            assert not code, f"{system}: affray {' '.join(words)}\n{said.getvalue()}"

        say("init", f"All of {system}", "--system", system, "--key", KEY)
        for story in (story for story in STORIES if story.parent == FIXTURES / system):
            say("note", f"Here begins {story.stem}.")
            shifted = Path(folder) / story.name
            shifted.write_text(renumbered(story.read_text(), Book(SqliteStore.open(str(draft))).store.head().entry - 1))
            say("run", str(shifted))
            say("note", "The players think about it.")
            say("undo")
            say("undo")
            say("redo")
            say("redo")
            amend_something(draft, say)
            clear(draft, say)
        say("roll", "3d6+1d20", "--why", "the weather")
        for line in (*GM, *OWN[system]):
            last = Book(SqliteStore.open(str(draft))).store.head().entry
            say(*shlex.split(line.format(**CAST[system], last=f"e{last}", before=f"e{last - 1}")))
        shutil.copy(draft, target)
        state = Book(SqliteStore.open(str(draft))).present()[1]
    target.with_suffix(".state").write_text(state.digest() + "\n")
    print(f"{target.relative_to(FIXTURES.parent)} is made anew.")


def renumbered(script: str, more: int) -> str:
    """A story with the numbers of its entries as they are when so many more stand before it."""
    return re.sub(r"\be([0-9]+)\b", lambda found: f"e{int(found[1]) + more}", script)


def amend_something(draft: Path, say: Say) -> None:
    """Puts a line before the last entry, and resolves that again."""
    book = Book(SqliteStore.open(str(draft)))
    last = next(
        number for number in range(book.store.head().entry, 0, -1) if book.store.entry(number).typed.startswith("note")
    )
    say("amend", f"e{last}", "--insert", "note 'Wait.'", "--apply")


def clear(draft: Path, say: Say) -> None:
    """Ends what is under way, sends everybody away, and sets the house rules back."""
    state = Book(SqliteStore.open(str(draft))).present()[1]
    if state.encounter.running:
        say("end")
    state = Book(SqliteStore.open(str(draft))).present()[1]
    if state.roster.order:
        say("leave", ",".join(state.roster.order))
    options = systems.load(state.campaign.system).options
    for name, value in state.campaign.options.items():
        if value != options[name].default:
            say("option", name, str(options[name].default).lower())


def main(names: list[str]) -> None:
    os.environ["AFFRAY_BY"] = "gm"
    for system in names or systems.SYSTEMS:
        make(system)


if __name__ == "__main__":
    main(sys.argv[1:])
