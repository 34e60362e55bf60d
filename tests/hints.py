"""Hints: what an error offers after "Try:" is a command that works as typed. The kits ask every refusal."""

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import click

from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, stream
from commands.action.names import resolve_names
from commands.action.procedures import after_opening, resolve
from commands.action.resolution import Again, Resolution
from commands.shell.group import GROUP
from commands.shell.tools import TOOLS
from commands.words.command import order_of
from commands.words.console import Console
from commands.words.form import Table as Form
from commands.words.next_steps import next_steps
from ledger.errors import AffrayError
from ledger.events import Awaited, Event, PointsSet, Ruled, TurnEnded, WaitingEnded
from projections.state import State

OFFER = "affray "
"""How a line of a hint begins that is a command; any other line is a sentence."""


class Table(Console):
    """A console that knows the rule system of a state, and has no file."""

    def __init__(self, system: str) -> None:
        super().__init__()
        self._system = system

    def open(self) -> str:
        return self._system


def commands(hint: str) -> str:
    """A hint without the lines that say who gives up what."""
    return "\n".join(line for line in hint.splitlines() if not line.startswith("(gives up "))


def advice(error: AffrayError, state: State | None = None) -> str:
    """What the game master reads below an error, with the command that overrules it."""
    return _below(error, state, True)


def offered_by(error: AffrayError) -> str:
    """What anybody reads below an error."""
    return _below(error, None, False)


def _below(error: AffrayError, state: State | None, overrules: bool) -> str:
    state = state or (error.deed.before if error.deed else State())
    return "\n".join(map(str, next_steps(Form(state), (), error, overrules)))


def offers(hint: str) -> list[list[str]]:
    """The words of each command that a hint offers, without the program's name."""
    lines = hint.splitlines()
    strayed = [line for line in lines if OFFER in line.removeprefix(OFFER)]
    assert not strayed, f"a command stands inside of a sentence: {strayed}"
    return [shlex.split(line)[1:] for line in lines if line.startswith(OFFER)]


LOST = re.compile(r"^does not (move|shoot|cast|strike)|does nothing|loses their turn|loses \d+ attacks?")
"""The outcomes of rulings by which somebody goes without something."""
STILL = re.compile(r" do(es)? not move$")
"""The outcome of a ruling by which those whom it names go without a move."""


def taken(state: State, events: Sequence[Event], after: State) -> set[str]:
    """Those from whom an entry takes a turn, an action, a blow or a move that they had, and who stand after it: read
    from its facts alone.
    """
    found, anew = set(), {event.who for event in events if isinstance(event, PointsSet) and event.left}
    for event in events:
        match event:
            case WaitingEnded(who=who, how="lost" | "lapsed"):
                found.add(who)
            case Ruled(who=who, outcome=outcome) if LOST.search(outcome):
                found.add(who)
            case Ruled(outcome=outcome) if STILL.search(outcome):
                found.update(who for who in state.roster.order if re.search(rf"\b{re.escape(who)}\b(?!-)", outcome))
            case TurnEnded(who=who) if any(state.points.left(who, kind) > 0 for kind in ("main", "move", "action")):
                found |= {who} - anew
            case Awaited(kind="declared", who=who, verb="pass"):
                found.add(who)
    return {who for who in found & {*state.roster.order} if state.stands(who) and after.stands(who)}


def named_in(given_up: str) -> set[str]:
    """Those whom the line about a cost names, also those in a row, as `Orc-1 to Orc-3`."""
    names = set(re.findall(r"[^\W\d][\w'-]*?(?='s? |[,;) ])", given_up))
    for kind, first, last in re.findall(r"(\S+)-(\d+) to \1-(\d+)", given_up):
        names |= {f"{kind}-{nth}" for nth in range(int(first), int(last) + 1)}
    return names


def check(state: State, error: AffrayError, key: bytes) -> None:
    """Types every command that the hint offers, from the state that refused: none may be refused, and none takes
    anything from anybody whom it does not name, unless the line below it says so. The message itself is a sentence.
    """
    assert error.message.endswith((".", "?")), error.message
    assert not error.message.startswith(OFFER), error.message
    said = advice(error, state)
    lines = [*said.splitlines(), ""]
    warnings = [below for line, below in pairwise(lines) if line.startswith(OFFER)]
    for words, below in zip(offers(said), warnings, strict=True):
        try:
            events, after = _type(state, words, key)
            line = " ".join(words)
            given_up = below if below.startswith("(gives up ") else ""
            unsaid = {who for who in taken(state, events, after) if who not in line} - named_in(given_up)
            assert not unsaid, f"`affray {line}` takes something from {unsaid}\nit was given with: {error.message}"
        except (AffrayError, click.ClickException) as again:
            why = getattr(again, "message", "") or str(again)
            raise AssertionError(
                f"the hint `affray {shlex.join(words)}` does not work: {why}\nit was given with: {error.message}"
            ) from None


class Listening:
    """Mixed into a random fight: every hint that is a command is typed, in a copy of the table."""

    state: State
    typed = 0

    def refused(self, error: AffrayError) -> None:
        """Types the hint of a refusal."""
        check(self.state, error, bytes(32))
        self.typed += bool(offers(advice(error, self.state)))


def listen(state: State, words: list[str], key: bytes) -> None:
    """Types a command, whose dice are the program's; if it is refused, what its hint offers, too."""
    try:
        _type(state, words, key)
    except click.ClickException:
        return
    except AffrayError as error:
        check(state, error, key)


def _type(state: State, words: list[str], key: bytes) -> tuple[Sequence[Event], State]:
    """The events of a command, and the state after it. Without any: one that looks, or that answers the last action,
    which a state alone does not hold.
    """
    root = click.Context(GROUP, info_name="affray", obj=Table(state.campaign.system))
    with root:
        command = GROUP.get_command(root, words[0])
        if command is None or words[0] in TOOLS or "--help" in words:
            _parse(root, command, words)
            return (), state
        order = order_of(words, state.campaign.system)
    now = after_opening(state, order.verb, order.declaration)
    declaration: Declaration = resolve_names(now, order.declaration)
    fight = Resolution(now, order.verb, declaration, Dice(stream(key)), order.allow)
    with suppress(Again):
        resolve(fight)
        return fight.events, fight.state
    return (), state


def _parse(root: click.Context, command: click.Command | None, words: list[str]) -> None:
    """A verb that looks, or help: there is such a verb, and it understands the words."""
    if words[0].startswith("--"):
        assert words in (["--help"], ["--version"]), words
        return
    assert command is not None, f"there is no verb {words[0]}"
    if "--help" not in words:
        command.make_context(words[0], words[1:], parent=root)
