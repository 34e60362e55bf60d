"""`affray play`: opens the prompt."""

import gc
import sys
from typing import Annotated

from commands.action.declaration import Declaration, says
from commands.words.console import Console
from commands.words.installed import adding
from ledger.errors import UsageError


class Play(Declaration):
    """Open a prompt that takes the verbs without the program's name. The board stays in view, Tab completes a word, and
    the up arrow brings back earlier lines. Ctrl-C leaves a question, and Ctrl-D leaves the prompt.
    """

    file: Annotated[str, says("The ledger; the same as --ledger.", positional=True)] = ""


def play(console: Console, said: Play) -> None:
    """Takes commands from the terminal until Ctrl-D."""
    if console.json:
        raise UsageError("The prompt itself does not answer in JSON.", "Type --json after a command at the prompt.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("The prompt needs a terminal.", "The verb run plays lines from a file, or with - from a pipe.")
    try:
        from .prompt import Prompt
    except ModuleNotFoundError as missing:
        if missing.name != "prompt_toolkit":
            raise
        raise UsageError("The prompt needs prompt_toolkit, which is not installed.", adding("play")) from None
    gc.freeze()
    gc.enable()
    console.ledger = said.file or console.ledger
    Prompt(console).stay()
