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
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import big
import pytest
from msgspec import ValidationError
from report import Row, show

from commands.action import systems
from commands.action.book import Order
from commands.action.dice_sources import Dice, stream
from commands.action.names import find, initials, resolve_names
from commands.action.procedures import ANY_DICE, after_opening, resolve
from commands.action.quoting import quoted
from commands.action.resolution import Again, Needed, Resolution
from commands.shell.cli import run
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from commands.words.form import Table
from commands.words.next_steps import completed
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
        while fewer := next((one for one in self._fewer(found) if self._unsaid(state, one) == meant), None):
            found = fewer
        return found

    @staticmethod
    def _fewer(words: Sequence[str]) -> Iterator[list[str]]:
        """The words without some that may be clear, the fewest first: the dice alone, and then without any one."""
        if any(word.startswith("=") for word in words[1:]):
            signed = next(nth for nth, word in enumerate(words) if nth and word.startswith("="))
            yield [*filter(None, [words[signed].removeprefix("=")]), *words[signed + 1 :]]
            yield [*words[:signed], *filter(None, [words[signed].removeprefix("=")]), *words[signed + 1 :]]
        for many in (2, 1):
            yield from ([*words[:at], *words[at + many :]] for at in range(1, len(words) - many + 1))
        for at, (one, other) in enumerate(pairwise(words)):
            if at and one.removeprefix("=").isdigit() and other.isdigit():
                yield [*words[:at], one + other, *words[at + 2 :]]
        for at, (option, value) in enumerate(pairwise(words)):
            if option.startswith("--c") and value.isdigit():  # so many of them
                yield [words[0], value, *words[1:at], *words[at + 2 :]]

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
            stem = part.rstrip("0123456789")
            begun = [stem[:end] + part[len(stem) :] for end in range(1, len(stem))] if stem != part else []
            short = [initials(who).casefold(), *begun, *(part[:end] for end in range(1, len(part)))] if who else []
            short.sort(key=len)
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
        """The same, with what goes without saying, where the words alone say nothing that is possible."""
        if (plain := self._meaning(state, words)) is not None and self._possible(state, words):
            return plain
        return self._read(lambda: completed(Table(state), words) or None, state)

    def _faces(self, state: State, order: Order) -> tuple[int | None, ...]:
        """The dice that were typed, each by itself: small ones that are thrown together may stand together."""
        typed = Dice(stream(ANY_DICE), faces=order.dice or ())
        with contextlib.suppress(AffrayError, Again, Needed):
            now = after_opening(state, order.verb, order.declaration)
            resolve(Resolution(now, order.verb, resolve_names(now, order.declaration), typed, order.allow))
        return typed.faces

    def _possible(self, state: State, words: Sequence[str]) -> bool:
        """Whether the rules allow some words, whatever dice fall."""
        with contextlib.suppress(AffrayError):
            order = order_of(words, self.system)
            now = after_opening(state, order.verb, order.declaration)
            said = resolve_names(now, order.declaration)
            with contextlib.suppress(Again, Needed):
                resolve(Resolution(now, order.verb, said, Dice(stream(ANY_DICE)), order.allow))
            return True
        return False

    def _read(self, words: Callable[[], Sequence[str] | None], state: State) -> Any:
        try:
            said = words()
            if not said:
                return None
            order = order_of(said, self.system)
            declaration = resolve_names(state, order.declaration)
            return order.verb, declaration, self._faces(state, order), order.allow
        except (AffrayError, ValidationError):
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
