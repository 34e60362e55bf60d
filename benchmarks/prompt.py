"""Actions at the prompt of `affray play`, from Enter to the printed result, against a bare commit of the same rows.

The keys go through prompt_toolkit to a ledger on the disk, in this process.

python benchmarks/prompt.py [--actions N] [--system NAME]
"""

import argparse
import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from operator import sub

import big
from prompt_toolkit.application import Application
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from report import Row, show
from scripts import Bare, rows

from commands.shell.cli import run
from commands.shell.prompt import Prompt
from commands.words.console import Console

BAR = 5.0
"""Milliseconds that an action may take more than a bare commit."""
WARMING = 10
"""Actions before the first that counts."""
PAUSE = 0.05
"""Seconds between the last letter of a line and Enter."""


class Hand:
    """Types one line after another at a prompt, and notes how long each takes, and then a bare commit of its rows."""

    def __init__(self, prompt: Prompt, keys: PipeInput, lines: Iterator[str], bare: Bare) -> None:
        self.ledger, self.bare, self.entry = prompt.console.ledger, bare, 0
        self.commits: list[float] = []
        self.keys, self.lines = keys, lines
        self.line, self.pressed = "", 0.0
        self.taken: list[float] = []
        self.play, prompt.play = prompt.play, self.printed  # type: ignore[method-assign]
        prompt.session.app.after_render += self.rendered

    def rendered(self, app: "Application[str]") -> None:
        """Types the next line at an empty prompt."""
        if not self.line and not app.is_done:
            self.line = next(self.lines, "quit")
            self.keys.send_text(self.line)
            asyncio.get_running_loop().call_later(PAUSE, self.press)

    def press(self) -> None:
        """Presses Enter."""
        self.pressed = time.perf_counter()
        self.keys.send_text("\r")

    def printed(self, text: str) -> None:
        """The prompt has taken the line; notes when its result is printed."""
        assert text == self.line
        self.play(text)
        sys.stdout.flush()
        self.taken.append(time.perf_counter() - self.pressed)
        self.line, self.pressed = "", 0.0
        new = list(rows(self.ledger, self.entry))
        self.entry += len(new)
        self.commits.append(sum(self.bare.commit(*both) for both in new))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=100)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said.actions)


def measure(system: str, actions: int) -> None:
    """Measures one rule system."""
    with tempfile.TemporaryDirectory() as folder, create_pipe_input() as keys:
        os.environ["XDG_STATE_HOME"] = folder
        ledger = os.path.join(folder, "play.affray")
        with open(os.devnull, "w") as dark, contextlib.redirect_stdout(dark), contextlib.redirect_stderr(dark):
            run(["--ledger", ledger, "init", "A long day", "--system", system, "--key", big.KEY.hex()])
            prompt = Prompt(Console(ledger), keys, DummyOutput())
            lines = islice(big.accepted(system), WARMING + actions)
            hand = Hand(prompt, keys, lines, Bare(os.path.join(folder, "bare")))
            prompt.stay()
        prompt.console.close()
    counted = slice(WARMING, WARMING + actions)
    took, commit = statistics.median(hand.taken[counted]), statistics.median(hand.commits[counted])
    more = statistics.median(map(sub, hand.taken[counted], hand.commits[counted]))
    show(
        f"{system}: {actions} actions (median)",
        [
            Row("bare commit", f"{commit * 1000:.2f} ms"),
            Row("from Enter to the result", f"{took * 1000:.2f} ms", took / commit),
            Row("  milliseconds more", "", more * 1000, BAR),
        ],
    )


if __name__ == "__main__":
    main()
