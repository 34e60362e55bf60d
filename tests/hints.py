"""Hints: what an error offers after "Try:" is a command that works as typed. The kits ask every refusal."""

import shlex
from contextlib import suppress

import click

from commands.action.declaration import Declaration
from commands.action.dice_sources import Stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Again
from commands.shell.cli import GROUP
from commands.shell.tools import TOOLS
from commands.words.command import order_of
from commands.words.console import Console
from ledger.errors import AffrayError
from projections.state import State

OFFER = "affray "
"""How a line of a hint begins that is a command; any other line is a sentence."""


class _Table(Console):
    """A console that knows the rule system of a state, and has no file."""

    def __init__(self, system: str) -> None:
        super().__init__()
        self._system = system

    def open(self) -> str:
        return self._system


def offers(hint: str) -> list[list[str]]:
    """The words of each command that a hint offers, without the program's name."""
    lines = hint.splitlines()
    strayed = [line for line in lines if OFFER in line.removeprefix(OFFER)]
    assert not strayed, f"a command stands inside of a sentence: {strayed}"
    return [shlex.split(line)[1:] for line in lines if line.startswith(OFFER)]


def check(state: State, error: AffrayError, key: bytes) -> None:
    """Types every command that the hint offers, from the state that refused: none may be refused. The message itself is
    a sentence.
    """
    assert error.message.endswith((".", "?")), error.message
    assert not error.message.startswith(OFFER), error.message
    for words in offers(error.hint):
        try:
            _type(state, words, key)
        except (AffrayError, click.ClickException) as again:
            said = getattr(again, "message", "") or str(again)
            raise AssertionError(
                f"the hint `affray {shlex.join(words)}` does not work: {said}\nit was given with: {error.message}"
            ) from None


class Listening:
    """Mixed into a random fight: every hint that is a command is typed, in a copy of the table."""

    state: State
    typed = 0

    def refused(self, error: AffrayError) -> None:
        """Types the hint of a refusal."""
        check(self.state, error, bytes(32))
        self.typed += bool(offers(error.hint))


def listen(state: State, words: list[str], key: bytes) -> None:
    """Types a command, whose dice are the program's; if it is refused, what its hint offers, too."""
    try:
        _type(state, words, key)
    except click.ClickException:
        return
    except AffrayError as error:
        check(state, error, key)


def _type(state: State, words: list[str], key: bytes) -> None:
    root = click.Context(GROUP, info_name="affray", obj=_Table(state.campaign.system))
    with root:
        command = GROUP.get_command(root, words[0])
        if command is None or words[0] in TOOLS or "--help" in words:
            _parse(root, command, words)
            return
        order = order_of(words, state.campaign.system)
    declaration: Declaration = resolve_names(state, order.declaration)
    with suppress(Again):  # an instant answers the last action, which a state alone does not hold
        resolve(state, order.verb, declaration, Stream(key, 0), order.allow)


def _parse(root: click.Context, command: click.Command | None, words: list[str]) -> None:
    """A verb that looks, or help: there is such a verb, and it understands the words."""
    if words[0].startswith("--"):
        assert words in (["--help"], ["--version"]), words
        return
    assert command is not None, f"there is no verb {words[0]}"
    if "--help" not in words:
        command.make_context(words[0], words[1:], parent=root)
