"""The words of `affray odds`: the words of an action and the options of odds."""

from typing import Any, ClassVar

import click

from commands.action import cards, systems
from commands.odds.odds import TABLE, D20Table, Odds, d20_table, odds
from commands.words.options import help_option, json_option, option
from commands.words.parameters import declared, plain
from commands.words.spoken import parameters, spoken, write_example
from ledger.errors import UsageError

from .tools import TOOLS
from .verbs import Verbs, completions, console_of, found, system_known

_D20 = cards.Verb(
    "commands.odds.odds:d20_table", "The chances of 1d20 against a target.", "referee", "handles", without_ledger=True
)
"""The table, among the verbs that have odds."""


class _Foreseen(Verbs):
    """The verbs that have odds. Each takes its own words and those of odds, but no dice."""

    tools: ClassVar = {TABLE: _D20}

    def known(self, system: str) -> dict[str, cards.Verb]:
        """The recorded verbs of a rule system, and those of all; and the table."""
        own = systems.load(system).verbs if system else {}
        return {**own, **{name: verb for name, verb in systems.COMMON.items() if name != "init"}, TABLE: _D20}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None when nobody has it."""
        if cmd_name == TABLE:
            return _table()
        if cmd_name in TOOLS:
            raise UsageError(f"{cmd_name} is not an action at the table, so it has no odds.", "affray odds --help")
        return found(ctx, cmd_name, _foreseen)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the text of the verb, its options, and the list of verbs."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        with formatter.section("Options, before the verb or after it"):
            formatter.write_dl([line for one in self.params if (line := one.get_help_record(ctx))])
        with formatter.section("Verbs"):
            known = self.known(system_known(ctx)[0])
            formatter.write_dl([(name, verb.summary) for name, verb in known.items()])
        write_example(formatter, "", "odds")


def group() -> click.Group:
    """`affray odds`."""
    made = _Foreseen(
        "odds",
        params=[*parameters(Odds, completions), json_option(), help_option()],
        help=Odds.__doc__,
        add_help_option=False,
        no_args_is_help=False,
        subcommand_metavar="VERB ...",
        callback=_note_json,
    )
    made.invoke_without_command = False
    return made


def _note_json(**values: Any) -> None:
    console = console_of(click.get_current_context())
    console.json = values["_json"] or console.json


def _foreseen(system: str, name: str) -> click.Command:
    """A verb with its own words, and the words of odds that it does not have."""
    _, declaration = systems.procedure(systems.find_verb(system, name))
    own = parameters(declaration, completions)
    taken = {word for one in own for word in one.opts}
    besides = [one for one in parameters(Odds, completions) if not taken & set(one.opts)]
    for one in besides:
        one.name = f"_{one.name}"
    allow = option("--allow", "_allow", metavar="REASON", help="Assume that you allow what a rule refuses.")

    def callback(**values: Any) -> None:
        ctx = click.get_current_context()
        console = console_of(ctx)
        console.json = values.pop("_json") or console.json
        reason = plain(values.pop("_allow"))
        given = dict(ctx.parent.params) if ctx.parent else {}
        given |= {(one.name or "")[1:]: value for one in besides if (value := values.pop(one.name or ""))}
        if ctx.parent and given.get("assume") != (before := ctx.parent.params.get("assume", ())):
            given["assume"] = (*before, *given["assume"])
        said = declared(Odds, given, "")
        assert isinstance(said, Odds)
        odds(console, said, name, declared(declaration, values, system), reason)

    return spoken(name, declaration, [*own, allow, *besides], callback)


def _table() -> click.Command:
    def callback(**values: Any) -> None:
        console = console_of(click.get_current_context())
        console.json = values.pop("_json") or console.json
        said = declared(D20Table, values, "")
        assert isinstance(said, D20Table)
        d20_table(console, said)

    return spoken(TABLE, D20Table, parameters(D20Table, completions), callback)
