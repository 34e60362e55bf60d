"""Right lines of the fights that are kept, each with the state in which it was said, and wrong ones made of them."""

import json
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from commands.action.names import find_all
from commands.words.form import Table
from ledger.errors import AffrayError
from ledger.events import decode
from projections.state import State, fold
from tests import tables
from tests.kit import KEY
from tests.test_golden import FIXTURES

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TOOLS = ("init", "amend", "undo", "dispute", "resolve-dispute", "note")


class Right(NamedTuple):
    """A line that is right at one moment."""

    state: State
    words: tuple[str, ...]

    @property
    def verb(self) -> str:
        """Its verb."""
        return self.words[0]


@cache
def right(system: str) -> list[Right]:
    """The lines of a system that were recorded in a fight, whole and without a beginning, and that work in the state
    before them.
    """
    found = []
    for path in sorted((FIXTURES / system).glob("*.jsonl")):
        state = State()
        for row in path.read_text().splitlines()[1:]:
            entry = json.loads(row)
            if not entry.get("stands"):
                continue
            words = tuple(shlex.split(entry["typed"]))
            if state.encounter.running and words[0] not in _TOOLS and works(state, words):
                found.append(Right(state, words))
            state = fold(state, [decode(json.dumps(one).encode()) for one in entry["events"]])
    return found


class _Kept(tables.Table):
    """A fight by chance that keeps what was said, each line with the state before it."""

    kept: list[Right]

    def say(self, line: str) -> bool:
        """Types a line; whether it was recorded."""
        before = getattr(self, "state", State())
        if not super().say(line):
            return False
        if before.encounter.running and works(before, shlex.split(line)):
            self.kept = [*getattr(self, "kept", ()), Right(before, tuple(shlex.split(line)))]
        return True


@cache
def played(system: str, turns: int) -> list[Right]:
    """The lines of a fight by chance."""
    table = _Kept(system, 0)
    for _ in table.play(turns):
        pass
    return table.kept


def works(state: State, words: Sequence[str]) -> bool:
    """Whether a line is carried out in a state, with a face for each die that is lacking."""
    try:
        tables.done(state, shlex.join(words), KEY)
    except AffrayError:
        return False
    return True


def misspelt(dice: Random, line: Right) -> list[str]:
    """A line with one word misspelt by one letter: its verb, or a name without a number that was typed in full."""
    table = Table(line.state)
    names = {name.casefold() for name in line.state.roster.order}
    able = [at for at, word in enumerate(line.words) if _whole(word, names, table)]
    if not able:
        return []
    at = dice.choice(able)
    word = line.words[at]
    return [*line.words[:at], wrong(dice, word), *line.words[at + 1 :]]


def _whole(word: str, names: set[str], table: Table) -> bool:
    return len(word) >= 4 and (word in table.verbs or word.casefold() in names)


def wrong(dice: Random, word: str) -> str:
    """A word with a letter left out, doubled, changed, or in the place of the next."""
    letters = [at for at in range(1, len(word)) if word[at].isalpha()]
    at = dice.choice(letters)
    way = dice.randrange(4)
    if way == 0:
        return word[:at] + word[at + 1 :]
    if way == 1:
        return word[:at] + word[at] + word[at:]
    if way == 2 and word[at - 1] != word[at]:
        return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return word[:at] + ("x" if word[at] != "x" else "y") + word[at + 1 :]


def wronged(dice: Random, line: Right) -> Iterator[tuple[str, list[str]]]:
    """Wrong lines made of a right one, each with what is wrong with it."""
    table, words = Table(line.state), [*line.words]
    if made := misspelt(dice, line):
        yield "letter", made
    if len(words) > 2:
        at = dice.randrange(1, len(words))
        yield "left out", [*words[:at], *words[at + 1 :]]
        at = dice.randrange(1, len(words) - 1)
        yield "swapped", [*words[:at], words[at + 1], words[at], *words[at + 2 :]]
    also = table.verbs[line.verb].also if line.verb in table.verbs else ()
    if also:
        yield "another word", [dice.choice(also), *words[1:]]
    named = [at for at, word in enumerate(words) if at and people(line.state, [word])]
    if named:
        at = dice.choice(named)
        yield "another's name", [*words[:at], dice.choice(line.state.roster.order), *words[at + 1 :]]
    numbers = [at for at, word in enumerate(words) if word.isdigit() and int(word) < len(NUMBERS)]
    if numbers:
        at = dice.choice(numbers)
        yield "number", [*words[:at], NUMBERS[int(words[at])], *words[at + 1 :]]


def people(state: State, words: Sequence[str]) -> list[str]:
    """Those whom words name, in order, in full."""
    found: list[str] = []
    for word in words:
        try:
            found += find_all(state, tuple(word.split(",")))
        except AffrayError:
            continue
    return found
