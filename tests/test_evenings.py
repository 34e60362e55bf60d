"""Evenings: whole fights as a game master types them, with every keystroke counted.

`evenings/SYSTEM.keys` holds what is typed at the prompt, a line for each command:

- `⇥` is Tab, `↑` and `↓` are the arrows, `⌫` is Backspace; each is one keystroke, and so is the Enter of the line.
- A line that begins with four spaces holds the answers to the questions of the command above it. Each ends with Enter;
  `-` is Enter alone, by which the program rolls.
- A line that begins with `#` is a comment. `## mending: ...` opens the mending of a mistake; an empty line closes it.

The players' dice are thrown by hand, and the program rolls the rest.
"""

import asyncio
import io
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from statistics import median
from typing import Protocol

import pytest
from msgspec import Struct
from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from commands.action import systems
from commands.action.book import Book, events_of
from commands.shell import cli
from commands.shell.prompt import Prompt
from commands.words.console import Console
from ledger.events import Declared
from ledger.sqlite import SqliteStore
from projections.state import State
from tests.kit import KEY
from tests.shell import Shell
from tests.test_prompt import UP, Answers, replies

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "evenings"
TWELVE = FOLDER / "twelve"
"""Some rounds of twelve combatants."""
A_KEY, A_LINE, A_ROUND = 0.3, 0.4, 60
"""Seconds for a keystroke, for a line that is printed or asked, and the most for a round of twelve."""
EVENINGS = sorted(path.stem for path in FOLDER.glob("*.keys"))
KEYS = {"⇥": "\t", "↑": UP, "↓": "\x1b[B", "⌫": "\x7f"}
"""What a terminal sends for the keys that have a sign of their own in a file."""
NAME = len("affray ")
MENDING = "## mending: "
MISTAKES = {"wrong target", "misread die", "forgotten modifier"}
SIDES = {"aachen": ("pc", "opp"), "dungeoneers": ("dungeoneers", "undead")}
"""The side of the players and that of their foes, where they are not called party and foes."""
UNCOUNTED = {"done", "pass", "round", "phase", "note"}
AT_THE_PROMPT, IN_THE_SHELL = "prompt.affray", "shell.affray"


class Line(Struct, frozen=True):
    """What is typed for one command."""

    keys: str
    """The keys up to Enter, in the signs of the file."""
    answers: tuple[str, ...] = ()
    """What is typed at its questions; "" for Enter alone."""
    mending: str = ""
    """The mistake that it mends; "" for none."""

    @property
    def at_the_prompt(self) -> int:
        """Its keystrokes at the prompt."""
        return typed(self.keys) + sum(map(typed, self.answers))

    def in_the_shell(self, line: str) -> int:
        """Its keystrokes in the shell, which are those of the line as it stands in the end."""
        return NAME + typed(line) + sum(map(typed, self.answers))


class Command(Struct, frozen=True):
    """A line as it was carried out at the prompt."""

    typed: Line
    line: str
    """The line as it stood at Enter."""
    succeeded: bool
    entries: tuple[int, ...]
    """The entries that it appended."""
    printed: int
    """The lines that it printed on 80 columns, and its questions."""

    @property
    def seconds(self) -> float:
        """How long it takes a game master to type it and to read what it prints."""
        return A_KEY * self.typed.at_the_prompt + A_LINE * self.printed


def typed(keys: str) -> int:
    """The keystrokes of some keys and Enter: each sign of a file is one key."""
    return len(keys) + 1


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a file."""
    line, mending = None, ""
    for row in text.splitlines():
        if row.startswith("    "):
            assert line, f"These answers belong to no command: {row}"
            line = Line(line.keys, (*line.answers, *(answer.removeprefix("-") for answer in row.split())), line.mending)
            continue
        if line:
            yield line
        line = None
        if row.startswith(MENDING):
            mending = row.removeprefix(MENDING)
        elif not row:
            mending = ""
        elif not row.startswith("#"):
            line = Line(row, mending=mending)
    if line:
        yield line


class Screen(io.StringIO):
    """A terminal of which the lines are counted."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> int:
        """The lines so far."""
        return self.getvalue().count("\n")


class Hands(Answers):
    """A terminal at which somebody answers the questions of one command after another."""

    def give(self, answers: Iterable[str]) -> None:
        """The answers to the next command. Those to the last one must all have been asked for."""
        left = self.read()
        assert not left, f"Nobody asked for {left!r}."
        self.seek(0)
        self.truncate()
        self.write("".join(f"{answer}\n" for answer in answers))
        self.seek(0)


async def press(keys: str, pipe: PipeInput, buffer: Buffer) -> None:
    """Presses the keys and then Enter. After Tab it waits, as somebody does who reads what is offered."""
    found = asyncio.Event()
    buffer.on_completions_changed.add_handler(show := lambda _: found.set())
    for pressed in re.split("(?<=⇥)", keys):
        goes_on = pressed == "⇥" and buffer.complete_state is not None
        found.clear()
        pipe.send_text("".join(KEYS.get(key, key) for key in pressed))
        if pressed.endswith("⇥") and not goes_on:
            await found.wait()
    buffer.on_completions_changed.remove_handler(show)
    pipe.send_text("\r")


def ask(session: PromptSession[str], keys: str, pipe: PipeInput) -> str:
    """The line that the prompt gives for some keys."""

    def begin() -> None:
        get_app().create_background_task(press(keys, pipe, session.default_buffer))

    return PromptSession.prompt(session, pre_run=begin)


class Setter(Protocol):
    """Carries out the commands that set the table."""

    def done(self, *words: str) -> object:
        """A command that has to succeed."""


class Evening:
    """An evening, played at the prompt and then again in the shell."""

    def __init__(self, system: str, shell: Setter, monkeypatch: pytest.MonkeyPatch, folder: Path = FOLDER) -> None:
        self.shell, self.monkeypatch = shell, monkeypatch
        self.players, self.foes = SIDES.get(system, ("party", "foes"))
        self.lines = tuple(lines_of((folder / f"{system}.keys").read_text("utf-8")))
        self.hands = Hands()
        monkeypatch.setattr(sys, "stdin", self.hands)
        monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "80")
        shutil.copy(folder / f"{system}.toml", ".")
        for ledger in (AT_THE_PROMPT, IN_THE_SHELL):
            shell.done("--ledger", ledger, "init", "Evening", "--system", system, "--key", KEY.hex())
            shell.done("--ledger", ledger, "option", "hand_dice", self.players)
        self.commands = self._at_the_prompt()

    def _at_the_prompt(self) -> tuple[Command, ...]:
        commands: list[Command] = []
        lines = iter(self.lines)
        with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
            made = Prompt(Console(AT_THE_PROMPT))
            carry_out = made.carry_out

            def prompt() -> str:
                line = next(lines, None)
                if line is None:
                    raise EOFError
                self.hands.give(line.answers)
                return ask(made.session, line.keys, pipe)

            def carried_out(line: str) -> bool:
                before, screen, typed = head(AT_THE_PROMPT), Screen(), self.lines[len(commands)]
                with redirect_stdout(screen), redirect_stderr(screen):
                    succeeded = carry_out(line)
                entries = tuple(range(before + 1, head(AT_THE_PROMPT) + 1))
                commands.append(Command(typed, line, succeeded, entries, screen.lines + len(typed.answers)))
                return succeeded

            self.monkeypatch.setattr(made.session, "prompt", prompt)
            self.monkeypatch.setattr(made.questions, "prompt", replies(self.hands))
            self.monkeypatch.setattr(made, "carry_out", carried_out)
            made.stay()
        assert len(commands) == len(self.lines), f"The answers to {commands[-1].line!r} were not enough."
        self.hands.give(())
        return tuple(commands)

    def in_the_shell(self) -> Iterator[tuple[str, int]]:
        """The lines as a shell takes them, each with the code with which it ends."""
        for command in self.commands:
            self.hands.give(command.typed.answers)
            yield command.line, cli.run(["--ledger", IN_THE_SHELL, *shlex.split(command.line)])
        self.hands.give(())

    @property
    def counted(self) -> list[Command]:
        """The commands whose keystrokes count: those that record something, but for those that only go on."""
        store = SqliteStore.open(AT_THE_PROMPT)
        verbs = {entry: events_of(store.entry(entry))[0] for command in self.commands for entry in command.entries[:1]}
        return [
            command
            for command in self.commands
            for verb in [verbs[entry] for entry in command.entries[:1]]
            if isinstance(verb, Declared) and verb.verb not in UNCOUNTED
        ]

    @property
    def rounds(self) -> list[list[Command]]:
        """The commands of each round, from the one that begins it."""
        found: list[list[Command]] = []
        for command in self.commands:
            if command.line.split()[0] in ("r", "round"):
                found.append([])
            for latest in found[-1:]:
                latest.append(command)
        return found

    def mendings(self) -> dict[str, list[Command]]:
        """The commands that mend each mistake."""
        found: dict[str, list[Command]] = {}
        for command in self.commands:
            if command.typed.mending:
                found.setdefault(command.typed.mending, []).append(command)
        return found


def head(ledger: str) -> int:
    store = SqliteStore.open(ledger)
    try:
        return store.head().entry
    finally:
        store.close()


def states(ledger: str) -> dict[int, State]:
    """The state after each entry that stands, in order."""
    book = Book(SqliteStore.open(ledger))
    course = sorted(book.store.course(book.store.head().entry))
    found = {entry: book.state_at(entry) for first, last in course for entry in range(first, last + 1)}
    book.store.close()
    return found


@pytest.fixture(params=EVENINGS)
def evening(request: pytest.FixtureRequest, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Evening(request.param, shell, monkeypatch)


# The evenings


def test_an_evening(evening: Evening):
    """It is played without a refusal, in the shell as at the prompt, and typed with few keystrokes."""
    assert [command.line for command in evening.commands if not command.succeeded] == []
    assert [line for line, code in evening.in_the_shell() if code] == []
    by_entry, again = states(AT_THE_PROMPT), states(IN_THE_SHELL)
    course = [*by_entry.values()]
    assert [*again.values()][-1].digest() == course[-1].digest()
    for ledger in (AT_THE_PROMPT, IN_THE_SHELL):
        evening.shell.done("--ledger", ledger, "verify")

    sides = [{side: len(state.roster.of_side(side)) for side in state.roster.sides()} for state in course]
    fought = [at for state, at in zip(course, sides, strict=True) if state.encounter.running]
    assert {evening.players: 4, evening.foes: 6} in fought
    acted = {entry for command in evening.counted for entry in command.entries}
    assert {1, 2, 3, 4, 5} <= {state.turns.round for entry, state in by_entry.items() if entry in acted}
    assert not course[-1].encounter.running

    assert median(command.typed.at_the_prompt for command in evening.counted) <= 12
    assert median(command.typed.in_the_shell(command.line) for command in evening.counted) <= 18
    mendings = evening.mendings()
    assert mendings.keys() == MISTAKES
    for mistake, commands in mendings.items():
        assert any(command.entries for command in commands), mistake
        assert sum(command.typed.at_the_prompt for command in commands) <= 16, mistake


@pytest.mark.parametrize("system", sorted(path.stem for path in TWELVE.glob("*.keys")))
def test_a_round_of_twelve_takes_a_minute(
    system: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To type it, and to read what is printed on 80 columns."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    evening = Evening(system, shell, monkeypatch, TWELVE)
    assert [command.line for command in evening.commands if not command.succeeded] == []
    shell.done("--ledger", AT_THE_PROMPT, "verify")
    first = states(AT_THE_PROMPT)[max(evening.commands[0].entries)]
    assert len(first.roster.members) == 12
    taken = [sum(command.seconds for command in round_) for round_ in evening.rounds]
    assert len(taken) >= 2
    assert max(taken) <= A_ROUND, taken


# How keystrokes are counted


TOLD = """\
# Jane shoots; her die is typed, and the program rolls the foe's.
a g1
    14 -
status

## mending: wrong target
u
↑↑⌫2
    14 -

am --m⇥+2
    y
"""


def test_lines_answers_and_mendings_are_read():
    assert [*lines_of(TOLD)] == [
        Line("a g1", ("14", "")),
        Line("status"),
        Line("u", mending="wrong target"),
        Line("↑↑⌫2", ("14", ""), "wrong target"),
        Line("am --m⇥+2", ("y",)),
    ]


@pytest.mark.parametrize(
    ("line", "in_the_end", "prompt", "shell"),
    [
        (Line("u"), "u", 2, 9),  # u and Enter; affray, a space
        (Line("a g1", ("14", "")), "a g1", 9, 16),  # 4 signs and Enter; 1, 4 and Enter; Enter
        (Line("↑↑⌫2", ("14", "")), "a g2", 9, 16),  # 4 keys and Enter; the same answers
        (Line("am --m⇥+2", ("y",)), "am --mod +2", 12, 21),  # 9 keys and Enter; y and Enter
    ],
)
def test_keystrokes_are_counted(line: Line, in_the_end: str, prompt: int, shell: int):
    assert line.at_the_prompt == prompt
    assert line.in_the_shell(in_the_end) == shell


def test_keys_are_pressed_one_after_another(table: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Tab completes before the next key, the arrows bring back a line, and Backspace deletes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
        session = Prompt(Console("test.affray")).session
        lines = [ask(session, keys, pipe) for keys in ("statu⇥--j⇥", "stat⇥⇥⇥", "note one", "↑↑↓⌫⌫⌫two", "not⇥three")]
    assert lines == ["status --json ", "status ", "note one", "note two", "note three"]


def test_answers_that_nobody_asks_for_are_noticed():
    hands = Hands()
    hands.give(["14", ""])
    assert hands.readline() == "14\n"
    with pytest.raises(AssertionError, match="Nobody asked for"):
        hands.give(["3"])


def test_every_rule_system_has_an_evening():
    assert sorted(systems.playable()) == EVENINGS
