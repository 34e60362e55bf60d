"""The words of `affray odds`: the words of an action and the options of odds."""

from collections.abc import Sequence

import click

from commands.action import cards, systems
from commands.odds.odds import TABLE, D20Table, Odds, d20_table, odds
from commands.words.console import Console
from commands.words.options import help_option, json_option, option
from commands.words.orders import BESIDES, in_front, read
from commands.words.parameters import declared, plain
from commands.words.spoken import parameters, spoken, write_example
from ledger.errors import UsageError

from .tools import TOOLS
from .verbs import Verbs, completions, found, system_known

_D20 = cards.Verb("commands.odds.odds:d20_table", "The chances of 1d20 against a target.", traits="gm handles anywhere")
"""The table, among the verbs that have odds."""


class _Foreseen(Verbs):
    """The verbs that have odds. Each takes its own words and those of odds, but no dice."""

    def known(self, system: str) -> dict[str, cards.Verb]:
        """The recorded verbs of a rule system, and those of all; and the table."""
        own = systems.load(system).verbs if system else {}
        return {**own, **{name: verb for name, verb in systems.COMMON.items() if name != "init"}, TABLE: _D20}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None when nobody has it."""
        if cmd_name == TABLE:
            return spoken(TABLE, D20Table, parameters(D20Table, completions))
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
            formatter.write_dl([(name, verb.summary) for name, verb in self.known(system_known(ctx)[0]).items()])
        write_example(formatter, "", "odds")


def group() -> click.Group:
    """`affray odds`."""
    return _Foreseen(
        "odds",
        params=[*parameters(Odds, completions), json_option(), help_option()],
        help=Odds.__doc__,
        add_help_option=False,
        no_args_is_help=False,
        subcommand_metavar="VERB ...",
    )


def _foreseen(system: str, name: str) -> click.Command:
    """A verb with its own words, and the words of odds that it does not have, to be explained."""
    _, declaration = systems.procedure(systems.find_verb(system, name))
    own = parameters(declaration, completions, system)
    taken = {word for one in own for word in one.opts}
    besides = [one for one in parameters(Odds, completions) if not taken & set(one.opts)]
    allow = option("--allow", "_allow", metavar="REASON", help="Assume that you allow what a rule refuses.")
    return spoken(name, declaration, [*own, allow, *besides])


_EVERY = ("--json", "--allow")
"""The options of all odds."""


def foresee(words: Sequence[str], console: Console) -> None:
    """Shows the odds of an action, or the table. Options of odds stand before the verb, or behind it where it has none
    of that name.
    """
    at = in_front("odds", Odds, words, _EVERY)
    before = read("odds", Odds, words[:at], every=_EVERY)
    console.json = before.pop("_json") or console.json
    if not words[at:]:
        raise UsageError("odds needs the action whose odds are sought.", "affray odds --help")
    if words[at] == TABLE:
        values = read(f"odds {TABLE}", D20Table, words[at + 1 :], every=("--json",))
        console.json = values.pop("_json") or console.json
        table = declared(D20Table, values, "")
        assert isinstance(table, D20Table)
        d20_table(console, table)
        return
    system, name, rest = _action(words[at:], console)
    declaration = systems.procedure(systems.find_verb(system, name))[1]
    values = read(f"odds {name}", declaration, rest, console.write_out, _EVERY, Odds)
    console.admit(name, None, declaration, values)
    console.json = values.pop("_json") or console.json
    reason = plain(values.pop("_allow") or before.pop("_allow"))
    for field in [one for one in values if one.startswith(BESIDES)]:
        value, first = values.pop(field), before.get(field[1:])
        before[field[1:]] = (*(first or ()), *value) if isinstance(value, tuple) else value
    said = declared(Odds, {one: value for one, value in before.items() if one != "_allow"}, "")
    assert isinstance(said, Odds)
    odds(console, said, name, declared(declaration, values, system, console.file), reason)


def _action(words: Sequence[str], console: Console) -> tuple[str, str, Sequence[str]]:
    """The rule system, the verb of an action, and the words behind it. Raises AffrayError where there is none."""
    said = systems.verb_of(words, systems.COMMON)
    if said in TOOLS:
        raise UsageError(f"{said} is not an action at the table, so it has no odds.", "affray odds --help")
    if not (system := console.open()):
        assert console.missing
        raise console.missing
    verbs = {one: verb for one, verb in {**systems.COMMON, **systems.load(system).verbs}.items() if one != "init"}
    if (name := systems.named(said, verbs, system)) != said:
        console.write_out(said, name)
    return system, name, words[1 if said == words[0] else 2 :]
