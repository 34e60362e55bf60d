"""Verbs as click finds them: by the rule system of the ledger, each made when it is asked for."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commands.action import cards, systems
from commands.words.console import Console
from commands.words.options import Reused, help_option
from ledger.errors import AffrayError

from .tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from commands.words.form import Field


NO_SYSTEM = "No ledger is chosen, so the rule system is not known."
"""Stands before help that depends on the rule system."""


class Verbs(Reused, click.Group, ABC):
    """Verbs by name. Each is made when it is needed; the list and its help import none of them."""

    @abstractmethod
    def known(self, system: str) -> dict[str, cards.Verb]:
        """The verbs of a rule system, and those of all."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the verbs, for the rule system of the ledger; of a verb of two words the first."""
        return sorted({name.split()[0] for name in self.known(system_known(ctx)[0])})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the words begin with, to be completed."""
        return self.named(ctx, args)

    def named(self, ctx: click.Context, args: list[str]) -> tuple[str, click.Command | None, list[str]]:
        """The verb that the words begin with, or of which the first word is a beginning. Raises UsageError with the
        nearest ones when there is none.
        """
        name = said = systems.verb_of(args, (*TOOLS, *systems.COMMON))
        command = self.get_command(ctx, name)
        if command is None and (name := self._meant(ctx, said)):
            command = self.get_command(ctx, name)
            console_of(ctx).write_out(said, name)
        return name, command, args[1 if said == args[0] else 2 :]

    def _meant(self, ctx: click.Context, word: str) -> str:
        """The verb that a beginning stands for. Without a ledger it may be one that only some rule systems have."""
        system, _ = system_known(ctx)
        own = {} if system else {name: one for each in systems.playable().values() for name, one in each.verbs.items()}
        try:
            return systems.named(word, {**own, **self.known(system)}, system)
        except AffrayError:
            if ctx.resilient_parsing:  # completion must not print an error
                return ""
            raise


def console_of(ctx: click.Context) -> Console:
    """The console of the process, with the ledger that was named."""
    root = ctx.find_root()
    if not isinstance(root.obj, Console):
        root.obj = Console()
    if root.params.get("ledger"):
        root.obj.ledger = root.params["ledger"]
    return root.obj


def system_known(ctx: click.Context) -> tuple[str, AffrayError | None]:
    """The rule system of the ledger, for a help text or a list; or "" and the reason why it is not known."""
    console = console_of(ctx)
    try:
        if console.system:
            systems.load(console.system)
        return console.system, console.missing
    except AffrayError as error:
        return "", error


def found(ctx: click.Context, name: str, make: "Callable[[str, str], click.Command]") -> click.Command | None:
    """A recorded verb of the rule system; None when no system has it. Raises AffrayError when only other systems have
    it, or when the ledger cannot be read now.
    """
    console = console_of(ctx)
    try:
        played = console.open()
        if played:
            systems.load(played)
        if name in systems.COMMON:
            return make(played, name)
        if not played:
            having = [system for system, loaded in systems.playable().items() if name in loaded.verbs]
            return _Explained(name, having, make) if having else None
        return make(played, name) if name in systems.load(played).verbs else None
    except AffrayError:
        if ctx.resilient_parsing:  # completion must not print an error
            return None
        raise


class _Explained(click.Command):
    """A verb of rule systems when there is no ledger that names one. It can only be explained."""

    def __init__(self, name: str, having: Sequence[str], make: "Callable[[str, str], click.Command]") -> None:
        super().__init__(name, params=[help_option()], add_help_option=False)
        self.ignore_unknown_options = self.allow_extra_args = True
        self._having, self._make = having, make

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the help of the only system that has it, or its summary in each."""
        name, loaded = self.name or "", {system: systems.load(system) for system in self._having}
        if len(loaded) == 1:
            ((system, only),) = loaded.items()
            formatter.write(f"{NO_SYSTEM} Only {only.title} has {name}:\n\n")
            self._make(system, name).format_help(ctx, formatter)
            return
        lines = [
            f"{NO_SYSTEM} These have {name}:",
            *(f"  {system:<11} {one.verbs[name].summary}" for system, one in loaded.items()),
            "",
            f"affray --ledger FILE {ctx.command_path.removeprefix('affray ')} --help explains it for that ledger.",
        ]
        formatter.write("\n".join(lines) + "\n")


def completions(ctx: click.Context, field: "Field", incomplete: str) -> list[str]:
    """The words with this beginning that may stand in a field, once it is said what stands before it."""
    from .completion import words

    given = {name: (said,) if isinstance(said, str) else said for name, said in ctx.params.items()}
    said = {name: words for name, words in given.items() if isinstance(words, tuple) and words != ("",)}
    return words(console_of(ctx), field, incomplete, said)
