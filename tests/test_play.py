"""`affray play` at a real terminal: keys go in, and what the screen shows comes out."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from commands.action.book import Book
from commands.past.audit import audit
from ledger.sqlite import SqliteStore
from tests.shell import Shell, affray, command, environment
from tests.test_cli import head

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
"""Python 3.12 and newer say so of pexpect, which starts a process while xdist has a thread of its own."""
PATIENCE = 30
UP, CTRL_C, CTRL_D = "\x1b[A", "\x03", "\x04"
CURSOR, FIRST_ROW = re.escape("\x1b[6n"), "\x1b[1;1R"
"""What a terminal is asked for the place of the cursor, and what it answers."""


class Sitting:
    """Somebody at a prompt."""

    def __init__(self, folder: Path, **more: str) -> None:
        surroundings = {
            "TERM": "xterm", "NO_COLOR": "1", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": str(folder / "state"),
        }  # fmt: skip
        program, *words = command("play")
        self.terminal = pexpect.spawn(
            program, words, cwd=folder, env=environment(surroundings | more), encoding="utf-8", timeout=PATIENCE,
            dimensions=(30, 100), echo=False,
        )  # fmt: skip
        self.terminal.delaybeforesend = None

    def see(self, shown: str) -> str:
        """Waits until the screen shows a text, and gives what it showed before."""
        self.terminal.expect_exact(shown)
        return str(self.terminal.before)

    def type(self, keys: str) -> "Sitting":
        """Types, once the prompt takes keys."""
        self.terminal.send(keys)
        return self

    def ask(self, line: str, shown: str, sign: str = "affray>") -> None:
        """Types a line, and waits for its answer and for the next prompt."""
        self.type(f"{line}\r").see(shown)
        self.see(sign)

    def leave(self) -> None:
        """Presses Ctrl-D, and waits for the end."""
        self.type(CTRL_D)
        self.terminal.expect(pexpect.EOF)
        self.terminal.close()
        assert self.terminal.exitstatus == 0


@pytest.fixture
def sit(table: Shell, tmp_path: Path) -> Iterator[Callable[..., Sitting]]:
    """Opens prompts, and closes those that are open at the end."""
    opened: list[Sitting] = []

    def open_one(sign: str = "affray>", **more: str) -> Sitting:
        opened.append(Sitting(tmp_path, **more))
        opened[-1].see(sign)
        return opened[-1]

    yield open_one
    for one in opened:
        one.terminal.close(force=True)


@pytest.mark.slow
def test_a_short_fight(table: Shell, sit: Callable[..., Sitting]):
    """Tab completes, the sign names who may act, dice are asked for in place, and Ctrl-C leaves a question."""
    one = sit()
    one.ask("join boffin --at 0,0", "  e2")
    one.ask("join grub --called Grub-1 --at 1,1", "  e3")
    one.ask("join grub --called Grub-2 --at 0,1", "  e4")
    one.ask("begin --seats gm,John", "  e5")
    one.ask("initiative --dice 20,4", "  e6", "Grub-1, Grub-2>")
    one.type("att\t").see("ack")
    one.type("grub-2 bo\t").see("offin")
    one.type("--dice ask\r").see("Grub-2: d20 for")
    one.type(CTRL_C).see("Nothing was recorded.")
    one.see("Grub-1, Grub-2>")
    one.type(f"{UP}\r").see("Grub-2: d20 for")
    one.type("99\r").see("A d20 shows 1 to 20. Enter lets the program roll it.")
    one.type("1\r").see("  e7")
    one.see(">")
    one.type("undo e\t").see("e7")
    one.type(CTRL_C).see(">")
    one.ask("done --pass-rest", "  e8", "Boffin>")
    one.ask("attack . grub-1 --dice 15,-", "  e9", "Boffin>")
    one.leave()
    assert head() == 9
    table.done("verify")


@pytest.mark.slow
def test_the_lines_of_the_last_session_come_back(sit: Callable[..., Sitting]):
    one = sit()
    one.ask("note once", "  e2")
    one.leave()
    two = sit()
    two.ask(UP, "once  e3")


@pytest.mark.slow
def test_ctrl_d_at_a_question_goes_back_to_the_line_and_keeps_the_dice(sit: Callable[..., Sitting]):
    one = sit()
    one.type("roll 2d6 --dice ask\r").see("2d6 for")
    one.type("3\r").see("d6 more for")
    one.type(CTRL_D).see("Nothing was recorded. The dice are kept for the next try: 3")
    one.see("affray>")
    assert head() == 1
    one.type(f"{UP}\r").see("2d6 for a roll? ")
    one.see("3")  # offered, and replaced by what is typed
    one.type("3 4\r").see("  e2")
    one.see("affray>")
    one.leave()
    assert head() == 2


@pytest.mark.slow
def test_another_terminal_writes_in_between(sit: Callable[..., Sitting], tmp_path: Path):
    """What is printed is recorded, for every process to see, while the prompt stays open; and nobody waits for it."""
    one = sit()
    one.ask("note mine", "mine  e2")
    assert affray("note", "theirs", cwd=tmp_path).out == "theirs  e3\n"
    assert "mine  e2" in affray("log", cwd=tmp_path).out
    one.type("undo\r").see("Recorded in the meantime:")
    one.see("theirs  e3")
    one.see("Go on? [y/N]")
    one.type("n\r").see("Nothing was recorded.")
    one.see("affray>")
    one.ask("undo", "e4")
    assert head() == 4


@pytest.mark.slow
def test_a_killed_prompt_loses_nothing(sit: Callable[..., Sitting], table: Shell):
    one = sit()
    for number in range(2, 6):
        one.ask(f"note n{number}", f"n{number}  e{number}")
    one.type("note not yet")
    os.kill(one.terminal.pid, signal.SIGKILL)
    one.terminal.expect(pexpect.EOF)
    store = SqliteStore.open("test.affray")
    assert audit(Book(store)).entries == 5
    store.close()
    assert {*os.listdir()} == {"test.affray", "state"}
    two = sit()
    two.ask("note on", "on  e6")


@pytest.mark.slow
def test_the_board_stands_below_the_prompt(table: Shell, sit: Callable[..., Sitting]):
    """A terminal that tells where the cursor is shows it at once."""
    table.done("join", "boffin")
    one = sit(sign="\x1b[6n", PROMPT_TOOLKIT_NO_CPR="")
    one.type(FIRST_ROW).see("No encounter is under way.")
    one.see("Boffin")
    one.see("55/55")
    one.see("e2 · F2 hides the board")
    one.type("\x1bOQ").see("show")


def test_without_prompt_toolkit_a_line_says_what_to_install(table: Shell, tmp_path: Path):
    (tmp_path / "prompt_toolkit.py").write_text("raise ModuleNotFoundError(name='prompt_toolkit')")
    surroundings = environment()
    surroundings["PYTHONPATH"] = os.pathsep.join([str(tmp_path), surroundings["PYTHONPATH"]])
    program, *words = command("play")
    shown = pexpect.run(
        f"{program} {' '.join(words)}", cwd=tmp_path, env={**surroundings, "NO_COLOR": "1"}, encoding="utf-8"
    )
    assert [line.rstrip() for line in shown.splitlines()] == [
        "Error: The prompt needs prompt_toolkit, which is not installed.",
        "Try: pip install 'affray[play]'",
    ]
