"""Odds: how likely each outcome of an action is, before anybody rolls."""

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import click
import msgspec
from msgspec import Meta

from ledger.errors import AffrayError, NameUnknown, Refused, UsageError
from ledger.events import Declared
from projections.narration import headline

from . import systems
from .cli import (
    Verbs,
    completions,
    desk_of,
    help_option,
    json_option,
    option,
    quoted,
    recorded,
    spoken,
    system_known,
    typed_words,
)
from .declaration import MOST, Declaration
from .desk import Desk, harmless
from .forking import Action
from .history import Entry
from .looking import state_at
from .names import resolve_names
from .odds_report import give, say
from .outcomes import foresee
from .parameters import declared, parameters, plain
from .resolution import Again

TABLE = "table"
"""The word for the table of 1d20, which is no action."""


class Odds(Declaration):
    """Say how likely each outcome of an action is: `affray odds` and then the action, as you would say it. Records
    nothing, and never looks at coming dice. `affray odds table` shows the chances of 1d20.
    """

    at: Annotated[Entry, Meta(description="From the board as it was just after this entry.")] = ""
    assume: Annotated[
        tuple[str, ...],
        Meta(description="A clause that is taken not to refuse, such as one about turns.", extra={"word": "clause"}),
    ] = ()
    full: Annotated[bool, Meta(description="Show every value, every ruling, and what is certain.")] = False
    draws: (
        Annotated[int, Meta(ge=100, le=10_000_000, description="Estimate from so many tries instead of all ways.")]
        | None
    ) = None
    seed: Annotated[int, Meta(ge=0, le=MOST, description="Of the dice of an estimate, which are no campaign's.")] = 1


def odds(desk: Desk, said: Odds, verb: str, declaration: Declaration, allow: str) -> None:
    """Shows what an action of the campaign would come to."""
    entry, state = state_at(desk, said.at)
    check_clauses(said.assume, state.campaign.system)
    latest = partial(desk.book.latest, entry)
    named = resolve_names(state, declaration)

    def action_under(assumed: Sequence[str]) -> Action:
        return Action(state, verb, named, allow, latest, assumed)

    action = action_under(said.assume)
    try:
        found = foresee(action, said.seed, said.draws)
    except Refused as refused:
        against = stand_against(refused, lambda more: foresee(action_under((*said.assume, *more)), said.seed, FEW))
        raise Refused(refused.clause, refused.message, assuming(desk, against) if against else refused.hint) from None
    except Again:
        raise UsageError(
            f"That is an instant: the last action would be resolved again after {verb}, on the dice that lie there.",
            f"{verb} with --dry-run shows what would come of it.",
        ) from None
    words = headline(Declared(verb, msgspec.to_builtins(action.said), allow))
    if desk.json:
        about = {"entry": entry, "verb": verb, "said": action.said, "allow": allow, "assumed": action.assumed}
        give(desk, found, state, about, said.seed, said.full)
    else:
        say(desk, found, state, f"{words}{f' (at e{entry})' if said.at else ''}", said.seed, said.full)
        for clause, message in action.assumed.items():
            desk.say(harmless(f"  assumed: {clause} does not refuse{f', though: {message}' if message else ''}"))


FEW = 100
"""Tries that show whether an action is refused."""


def check_clauses(assumed: Sequence[str], system: str) -> None:
    """Raises NameUnknown for what is assumed and is no clause of the rule system."""
    if not assumed:
        return
    from .rulebook import clauses

    known = clauses(system)
    for clause in assumed:
        if clause not in known and not clause.startswith("table."):
            raise NameUnknown(f"{clause[:80]!a} is no clause of {systems.load(system).title}.", "affray rules")


def stand_against(refused: Refused, ask: Callable[[list[str]], object]) -> list[str]:
    """All clauses that refuse a question, one after the other; none when no assumption helps."""
    clauses = [refused.clause]
    while True:
        try:
            ask(clauses)
        except Refused as another:
            if another.clause in clauses:
                return []
            clauses.append(another.clause)
        except (AffrayError, Again):
            return []
        else:
            return clauses


def assuming(desk: Desk, clauses: list[str]) -> str:
    """The same question again, under the assumption that these clauses do not refuse it."""
    words = shlex.split(typed_words())
    at = words.index("odds") + 1 if "odds" in words else 0
    ledger = f"--ledger {quoted(desk.ledger)} " if desk.ledger else ""
    assumed = " ".join(f"--assume {clause}" for clause in clauses)
    return f"affray {ledger}odds {assumed} {' '.join(map(quoted, words[at:]))}"


# The words


class Foreseen(Verbs):
    """The verbs whose odds can be asked for. Each takes its own words, those of odds besides, and no dice."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The recorded verbs of the ledger's rule system, and those of all; and the table."""
        return sorted(name for name, _ in _summaries(system_known(ctx)[0]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None when nobody has it."""
        if cmd_name == TABLE:
            return _table()
        if cmd_name in systems.TOOLS:
            raise UsageError(f"{cmd_name} is no action at the table, so it has no odds.", "affray odds --help")
        return recorded(ctx, cmd_name, _foreseen)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it is, its options, and the verbs."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        with formatter.section("Options, before the verb or after it"):
            formatter.write_dl([line for one in self.params if (line := one.get_help_record(ctx))])
        with formatter.section("Verbs"):
            formatter.write_dl(_summaries(system_known(ctx)[0]))


def _summaries(system: str) -> list[tuple[str, str]]:
    own = systems.load(system).verbs if system else {}
    verbs = {**own, **{name: verb for name, verb in systems.COMMON.items() if name != "init"}}
    return [*((name, verb.summary) for name, verb in verbs.items()), (TABLE, "The chances of 1d20 against a target.")]


def group() -> click.Group:
    """`affray odds`."""
    made = Foreseen(
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
    desk = desk_of(click.get_current_context())
    desk.json = values["_json"] or desk.json


def _foreseen(system: str, name: str, verb: systems.Verb) -> click.Command:
    """A verb with its own words, and those of odds that it does not have itself."""
    _, declaration = systems.procedure(verb)
    own = parameters(declaration, completions)
    taken = {word for one in own for word in one.opts}
    besides = [one for one in parameters(Odds, completions) if not taken & set(one.opts)]
    for one in besides:
        one.name = f"_{one.name}"
    allow = option("--allow", "_allow", metavar="REASON", help="As though the referee let through what is refused.")

    def callback(**values: Any) -> None:
        ctx = click.get_current_context()
        desk = desk_of(ctx)
        desk.json = values.pop("_json") or desk.json
        reason = plain(values.pop("_allow"))
        given = dict(ctx.parent.params) if ctx.parent else {}
        given |= {(one.name or "")[1:]: value for one in besides if (value := values.pop(one.name or ""))}
        if ctx.parent and given.get("assume") != (before := ctx.parent.params.get("assume", ())):
            given["assume"] = (*before, *given["assume"])
        said = declared(Odds, given, "")
        assert isinstance(said, Odds)
        odds(desk, said, name, declared(declaration, values, system), reason)

    return spoken(name, declaration, [*own, allow, *besides], callback)


# The table of 1d20


class Table(Declaration):
    """Show the chances of 1d20 against a target: once, and with advantage and disadvantage (the better or the worse of
    two), each with the modifier that a single die would need for about the same. Needs no ledger.

    With a target only its row; with --ac and --bonus that of an attack, whose target is the Armor Class less the bonus.
    A natural 1 misses and a natural 20 hits, unless the ledger is one of Aachen with the option naturals=false.
    """

    target: (
        Annotated[int, Meta(ge=-MOST, le=MOST, description="What the die must reach.", extra={"positional": True})]
        | None
    ) = None
    ac: Annotated[int, Meta(ge=-MOST, le=MOST, description="The Armor Class that is attacked.")] | None = None
    bonus: Annotated[int, Meta(ge=-MOST, le=MOST, description="All that the attack adds to the die.")] = 0


def _table() -> click.Command:
    def callback(**values: Any) -> None:
        desk = desk_of(click.get_current_context())
        desk.json = values.pop("_json") or desk.json
        said = declared(Table, values, "")
        assert isinstance(said, Table)
        table(desk, said)

    return spoken(TABLE, Table, parameters(Table, completions), callback)


def table(desk: Desk, said: Table) -> None:
    """The table of Aachen, or one row of it."""
    from importlib import import_module

    d20 = import_module("commands.aachen.odds")
    if (said.bonus and said.ac is None) or (said.ac is not None and said.target is not None):
        raise UsageError("Say the target, or the Armor Class and the bonus.", "affray odds table --ac 14 --bonus 6")
    target = said.target if said.ac is None else d20.target_of(said.ac, said.bonus)
    naturals = desk.system != "aachen" or desk.book.present()[1].campaign.options.get("naturals", True)
    rows: list[Any] = d20.table(naturals) if target is None else [d20.row(target, naturals)]
    if desk.json:
        for row in rows:
            desk.give({**msgspec.to_builtins(row), "of": 400})
        return
    desk.say(desk.paint("target   1d20  advantage    ~  disadvantage    ~", "1"))
    for row in rows:
        desk.say(
            f"{row.target:6}  {row.single // 4:4}%  {_quarters(row.advantage):>9}  {row.like_advantage:+3}"
            f"  {_quarters(row.disadvantage):>12}  {row.like_disadvantage:+3}"
        )


def _quarters(ways: int) -> str:
    """So many of 400, as percent."""
    return f"{ways // 4}.{ways % 4 * 25:02}%"
