"""Scripts: many commands in one process, and the demo fights."""

import os
import sys
from collections.abc import Iterable
from typing import Annotated

from commands.action import systems
from commands.action.declaration import Declaration, says
from commands.action.quoting import quoted
from commands.files.init import asked
from commands.files.untrusted import bounded
from commands.words.command_lines import words_of
from commands.words.console import Console
from commands.words.discovery import is_there, ledgers, shown, system_of
from ledger.errors import AffrayError, LedgerMissing, UsageError

from .cli import nobody_listens, obey

_LONGEST = 100_000
"""The most characters of a line of a script."""
_DEMO_KEY = "6166667261792064656d6f206669676874206166667261792064656d6f206669"
"""The key of the demo's dice, so that everybody sees the same fight."""


class Run(Declaration):
    """Play a script with one command on each line, with or without `affray` in front; # begins a comment. It stops at
    the first error and names the line; the entries before it stay.
    """

    file: Annotated[str, says("The script; - for standard input.")]


def run(console: Console, said: Run) -> None:
    """Plays the lines of a file or of standard input."""
    try:
        if said.file == "-":
            if console.prompting:
                raise UsageError("The prompt plays no script from the keyboard.", "Type its lines one by one.")
            play(console, bounded(sys.stdin, "standard input", _LONGEST), "standard input")
            return
        with open(said.file, encoding="utf-8") as file:
            play(console, bounded(file, said.file[:80], _LONGEST), said.file)
    except UnicodeDecodeError:
        raise UsageError(f"{said.file} is not a text file in UTF-8.") from None
    except OSError as error:
        raise UsageError(f"{said.file[:80]} cannot be read: {error.strerror}.") from None


class _ScriptError(AffrayError):
    """A line of a script failed. The code and the clause are those of the line's error."""

    def __init__(self, place: str, error: AffrayError) -> None:
        super().__init__(f"{place}: {error.heading().removeprefix('Error: ')}{error.message}", error.hint)
        self.code, self.reference, self.clause = error.code, error.reference, error.clause
        self.ways, self.deed, self.offers = error.ways, error.deed, error.offers


def play(console: Console, lines: Iterable[str], name: str, show: bool = False) -> None:
    """Plays the lines of a script. Raises ScriptError at the first line that fails."""
    try:
        _play(console, lines, name, show)
    finally:
        if console.opened:
            console.opened.keep()
            from commands.files.backup import renew

            renew(console)


def _play(console: Console, lines: Iterable[str], name: str, show: bool) -> None:
    json, brief = console.json, console.brief
    for at, line in enumerate(lines, 1):
        try:
            words = words_of(line)
        except UsageError as error:
            raise _ScriptError(f"{name}, line {at}", error) from None
        if not words:
            continue
        try:
            if show:
                for shown_line in typed(words, console.width):
                    console.say(console.paint(shown_line, "1"), whole=True)
        except BrokenPipeError:
            nobody_listens()
        try:
            if words[0].startswith("--ledger"):
                raise UsageError("a script is played on one ledger.", "Name the ledger before the verb: --ledger FILE.")
            console.playing = True
            if console.opened:
                console.opened.play()
            obey(words, console)
            console.json, console.brief = json, brief
        except BrokenPipeError:
            nobody_listens()  # The script is still played to its end.
        except AffrayError as error:
            raise _ScriptError(f"{name}, line {at}", error) from None
        finally:
            console.playing = False


def typed(words: list[str], width: int) -> list[str]:
    r"""A command as somebody types it, over several lines where it is wider than the terminal.

    >>> print(*typed(["note", "The bats are back.", "--secret"], 32), sep="|")
    $ affray note \|    'The bats are back.' \|    --secret
    """
    lines = ["$ affray"]
    for word in map(quoted, words):
        if len(f"{lines[-1]} {word} \\") > width:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines


class Demo(Declaration):
    """Play the demo fight of a rule system into a new ledger that you can explore."""

    system: Annotated[
        str, says("The rule system. If left out, you are asked at a terminal.", word="system", positional=True)
    ] = ""
    file: Annotated[str, says("The ledger to make; by default demo-SYSTEM.affray in this folder.")] = ""


def demo(console: Console, said: Demo) -> None:
    """Makes a ledger and plays the script that comes with the rule system."""
    system = said.system or asked(console)
    if not system and not console.json:
        console.say("Write the name of a rule system after demo. There are:")
        for line in systems.listed():
            console.say(line)
        return
    systems.check_named(system, "Write its name after demo.")
    script = os.path.join(systems.folder(system), "demo.fight")
    console.ledger = path = said.file or console.ledger or f"demo-{system}.affray"
    there = is_there(path)
    try:
        obey(["--ledger", path, "init", f"Demo of {system}", "--system", system, "--key", _DEMO_KEY], console)
    except LedgerMissing as error:
        if there:
            look = f"affray --ledger {quoted(shown(path))} status\n" if _is_ledger(path) else ""
            error.hint = f"{look}To play it again, name another file: --file FILE."
        raise
    with open(script, encoding="utf-8") as file:
        play(console, file, os.path.basename(script), show=not console.json)
    if console.json:
        console.give({"ok": True, "ledger": shown(path)})
        return
    only = [os.path.join(os.getcwd(), name) for name in ledgers(os.getcwd())] == [os.path.abspath(path)]
    place = "" if only else f"--ledger {quoted(shown(path))} "
    console.say()
    console.say(f"The fight is in {shown(path)}. Explore it:")
    for words in ("status", "log", "replay --round 1", "map", "undo", "verify"):
        console.say(f"  affray {place}{words}", whole=True)


def _is_ledger(path: str) -> bool:
    """Whether a file is a ledger that can be read."""
    try:
        return bool(system_of(path))
    except AffrayError:
        return False
