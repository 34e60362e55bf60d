"""Keystrokes at the prompt and in the shell, and the seconds of a round of twelve: the evenings of `tests/evenings` as
they are typed, and the stories of `fixtures`, each action in the shortest words that mean the same.

A keystroke takes 0.3 seconds, and a line that is printed or asked 0.4.

python benchmarks/keystrokes.py [--system NAME]
"""

import argparse
import contextlib
import io
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import big
import click
import pytest
from msgspec import ValidationError
from report import Row, show

from commands.action import systems
from commands.action.names import find, initials, resolve_names
from commands.action.quoting import quoted
from commands.shell.clear import completed
from commands.shell.cli import run
from commands.shell.group import GROUP
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from ledger.errors import AffrayError
from projections.state import State
from tests.test_evenings import FOLDER, NAME, TWELVE, UNCOUNTED, Evening, Screen

EVENINGS = ("evening", "hall")
"""How the stories are called that are whole evenings; the others go through clauses of a rulebook."""
FIXTURES = Path(__file__).parent.parent / "fixtures"
AT_THE_PROMPT, IN_THE_SHELL, A_ROUND = 12, 16, 60
"""The bars: keystrokes in the median, the program's name not counted, and seconds."""


class Quiet:
    """Sets the table of an evening."""

    def done(self, *words: str) -> None:
        """Carries out a command that has to succeed."""
        with contextlib.redirect_stdout(io.StringIO()):
            code = run(words)
        if code:
            raise SystemExit(f"{' '.join(words)} failed.")


@contextlib.contextmanager
def evening(system: str, folder: Path) -> Iterator[Evening]:
    """An evening, played at the prompt in a folder of its own."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as empty, pytest.MonkeyPatch.context() as patch:
        patch.chdir(empty)
        patch.setenv("XDG_STATE_HOME", empty)
        patch.setattr("sys.stdout", Screen())
        yield Evening(system, Quiet(), patch, folder)
    os.chdir(here)


class Story:
    """A story of `fixtures`, whose actions are said in the shortest words that mean the same."""

    def __init__(self, path: Path) -> None:
        self.path, self.system = path, path.parent.name
        self.console = Console()
        self.root = click.Context(GROUP, info_name="affray", obj=self.console)
        loaded = systems.load(self.system)
        self.verbs = {**systems.COMMON, **loaded.verbs}

    def lengths(self) -> list[int]:
        """The keystrokes of each action, with Enter."""
        found, quiet = [], io.StringIO()
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
            contextlib.chdir(FIXTURES.parent),
        ):
            self.console.ledger = os.path.join(folder, "story.affray")
            opening = f"init Story --system {self.system} --key {big.KEY.hex()}"
            lines = [shlex.split(line, comments=True) for line in self.path.read_text("utf-8").splitlines()]
            for words in filter(None, [shlex.split(opening), *lines]):
                if words[0] != "init" and self._counts(words):
                    found.append(len(" ".join(map(quoted, self.shortest(words)))) + 1)
                if run(["--ledger", self.console.ledger, *words], self.console):
                    raise SystemExit(f"{self.path.name}: {' '.join(words)} failed: {quiet.getvalue()[-300:]}")
            self.console.close()
        return found

    def _counts(self, words: Sequence[str]) -> bool:
        """Whether the keystrokes of a line count: it records something, and does not only go on."""
        name = whole_verb(words[0], self.system)
        return name in self.verbs and name not in UNCOUNTED and self.verbs[name].by != "turn"

    def shortest(self, words: list[str]) -> list[str]:
        """The words, each replaced by a shorter one, or left out, as long as they mean the same."""
        state = self.console.book.present()[1]
        meant = self._meaning(state, words)
        if meant is None:
            return words
        found = words
        for at, word in enumerate(words):
            for short in self._shorter(state, word, at):
                if self._meaning(state, shorter := [*found[:at], short, *found[at + 1 :]]) == meant:
                    found = shorter
                    break
        found = self._with_dice_behind(found)
        if "--to" in found and self._unsaid(state, bare := [word for word in found if word != "--to"]) == meant:
            found = bare
        for many in (2, 1):
            if len(found) > many:
                fewer = [found[0], *found[1 + many :]]
                if self._unsaid(state, fewer) == meant:
                    return fewer
        return found

    def _shorter(self, state: State, word: str, at: int) -> Iterator[str]:
        """Shorter words that may mean the same, the shortest first."""
        if at == 0 or word.startswith("--"):
            name, equals, value = word.partition("=")
            yield from (name[:end] + equals + value for end in range(3 if at else 1, len(name)))
            return
        parts = []
        for part in word.split(","):
            who = ""
            with contextlib.suppress(AffrayError):
                who = find(state, part)
            short = [initials(who).casefold(), *(part[:end] for end in range(1, len(part)))] if who else []
            parts.append(next((one for one in short if one and self._names(state, one) == who), part))
        yield ",".join(parts)

    @staticmethod
    def _names(state: State, word: str) -> str:
        with contextlib.suppress(AffrayError):
            return find(state, word)
        return ""

    @staticmethod
    def _with_dice_behind(words: list[str]) -> list[str]:
        """The words with the dice behind `=`, if they come last."""
        at = next((nth for nth, word in enumerate(words) if word.startswith("--d") and nth == len(words) - 2), 0)
        faces = words[-1].split(",")
        if not at or not all(face == "-" or face.isdigit() for face in faces):
            return words
        return [*words[:at], f"={faces[0]}", *faces[1:]]

    def _meaning(self, state: State, words: Sequence[str]) -> Any:
        """What words say, with all names in full; None where they say nothing."""
        return self._read(lambda: words, state)

    def _unsaid(self, state: State, words: Sequence[str]) -> Any:
        """The same, with the names that go without saying, where the words alone say nothing that is possible."""
        return self._read(lambda: completed(self.console, self.root, words) or None, state)

    def _read(self, words: Callable[[], Sequence[str] | None], state: State) -> Any:
        try:
            with self.root:
                said = words()
                if not said:
                    return None
                order = order_of(said, self.system)
                return order.verb, resolve_names(state, order.declaration), order.dice, order.allow
        except (AffrayError, click.ClickException, ValidationError):
            return None


def main() -> None:
    said = big.systems_of(argparse.ArgumentParser(description=__doc__))
    for system in said.systems:
        measure(system)


def measure(system: str) -> None:
    """Measures one rule system."""
    rows = []
    with evening(system, FOLDER) as played:
        counted = played.counted
    typed = [command.typed.at_the_prompt for command in counted]
    shell = [command.typed.in_the_shell(command.line) - NAME for command in counted]
    for what, keys, bar in (("at the prompt", typed, AT_THE_PROMPT), ("in the shell", shell, IN_THE_SHELL)):
        rows.append(Row(f"an evening {what}: keystrokes", f"most {max(keys)}", median(keys), bar))
    stories = [path for path in sorted((FIXTURES / system).glob("*.fight")) if path.stem.endswith(EVENINGS)]
    told = [length for path in stories for length in Story(path).lengths()]
    if told:
        rows.append(
            Row(
                f"a story of fixtures, keystrokes of {len(told)} actions",
                f"most {max(told)}",
                median(told),
                AT_THE_PROMPT,
            )
        )
    if (TWELVE / f"{system}.keys").exists():
        with evening(system, TWELVE) as played:
            taken = [sum(command.seconds for command in one) for one in played.rounds]
        rows.append(Row("rounds of twelve: seconds", ", ".join(f"{one:.0f}" for one in taken), max(taken), A_ROUND))
    show(f"{system}: {len(counted)} actions (median)", rows)


if __name__ == "__main__":
    main()
