"""Verbs as click takes them, made from their declarations: for help and for completion."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import FieldInfo

from commands.action.declaration import Declaration, Shape, shapes

from .form import Field, fields_of, has
from .options import WHOLE, Option, Reused, help_option, json_option, option
from .parameters import argument_name, arguments, is_option, is_repeated, marked, spelled, takes_many, takes_number

if TYPE_CHECKING:
    from commands.action.cards import Verb


_FOREMOST = ("--with", "--dice")
"""The options that help explains first."""
_PAGE, _BELOW = 30, 8
"""The most lines of the help of a verb, and how many stand around its options: titles, examples, empty lines."""
Complete = Callable[[click.Context, Field, str], list[str]]
"""Gives the words that somebody may mean, from the context, the field, and what they typed so far."""


def parameters(
    declaration: type[Declaration], complete: Complete, system: str = "", correcting: bool = False
) -> list[click.Parameter]:
    """The click parameters of a declaration in a rule system: required fields as arguments, the others as options.

    When `correcting`, every field is an option without a default, and a flag can be switched off.
    """
    found = [(field, shape) for field, shape in shapes(declaration) if has(system, shape.of)]
    return [_parameter(declaration, field, shape, complete, correcting) for field, shape in found]


def _parameter(
    declaration: type[Declaration], field: FieldInfo, shape: Shape, complete: Complete, correcting: bool
) -> click.Parameter:
    name, said = spelled(field.name), shape.description
    taken: dict[str, Any] = {"type": _click_type(shape)}
    taken["shell_complete"] = _completer(declaration, field.name, complete)
    if not is_option(field, shape) and not correcting:
        many = -1 if takes_many(declaration, field.name, shape) else 1
        title = argument_name(declaration, field.name, shape, field.required)
        return click.Argument([field.name], nargs=many, required=field.required, metavar=title, **taken)
    if shape.base is bool and correcting:
        return option(f"--{name}/--no-{name}", field.name, default=None, help=said)
    if shape.base is bool:
        return option(f"--no-{name}" if field.default else f"--{name}", field.name, is_flag=True, help=said)
    taken |= {"multiple": is_repeated(shape), "metavar": _metavar(shape, field.name)}
    said += "" if correcting else _shown_default(field.default)
    return option(f"--{name}", field.name, default=None, help=said, **taken)


class Spoken(Reused):
    """A verb whose arguments may begin with a minus, as the square -1,2 does."""

    about: type[Declaration]
    """What it declares."""
    system: str | None = None
    """The rule system that the verb belongs to, "" for one of every system; None when no example is shown."""
    card: "Verb | None" = None
    """The card of the verb; None for an action whose odds are asked for."""
    more: Callable[[click.Context], list[click.Parameter]] | None = None
    """Finds what else completion offers, once the arguments are known; None for verbs with a fixed list of options."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All its parameters; for completion also those that depend on its arguments."""
        more = self.more(ctx) if self.more and ctx.resilient_parsing and ctx.params else []
        return [*super().get_params(ctx), *more]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments are explained like options: first the weapon and the dice, last in a line what every verb takes."""
        if explained := arguments(self.about):
            with formatter.section("Arguments"):
                formatter.write_dl(explained)
        options = [param for param in self.params if isinstance(param, Option)]
        own = sorted((one for one in options if not one.shared), key=lambda one: one.opts[0] not in _FOREMOST)
        if records := [record for one in own if (record := one.get_help_record(ctx))]:
            shown = records if ctx.meta.get(WHOLE) else self._first(ctx, formatter, records)
            with formatter.section("Options"):
                formatter.write_dl(shown)
            if more := len(records) - len(shown):
                verb = ctx.command_path.partition(" ")[2]
                formatter.write_text(f"{more} more option{'s' * (more > 1)}: affray help {verb} --all")
        formatter.write_paragraph()
        every = [one.opts[0] for one in options if one.shared]
        some = ", ".join([*every[1:3], "..."] if every[2:] else every)
        formatter.write_text(f"Options that every verb takes ({some}): affray help options")

    def _first(
        self, ctx: click.Context, formatter: click.HelpFormatter, records: list[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        """The options that are explained on a page of help: those that are declared first, and two at least."""
        room = _PAGE - formatter.getvalue().count("\n") - _BELOW
        for many in range(len(records), len(_FOREMOST), -1):
            tried = ctx.make_formatter()
            tried.indent()
            tried.write_dl(records[:many])
            if tried.getvalue().count("\n") + (many < len(records)) <= room:
                return records[:many]
        return records[: len(_FOREMOST)]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Help ends with an example."""
        if self.system is not None:
            write_example(formatter, self.system, self.name or "")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Marks these words, so that click does not take them for options."""
        rolls = any("--dice" in param.opts for param in self.params)
        flags = [name for param in self.params if getattr(param, "is_flag", False) for name in param.opts]
        return super().parse_args(ctx, marked(args, self.about, rolls, flags))


def write_example(formatter: click.HelpFormatter, system: str, verb: str) -> None:
    """Two examples of a verb, or the only one, each on a line of its own."""
    from .examples import examples

    if shown := examples(system, verb)[:2]:
        formatter.write("\n".join(["", f"Example{'s' if shown[1:] else ''}:", *(f"  {one}" for one in shown), ""]))


def spoken(name: str, about: type[Declaration], own: list[click.Parameter]) -> Spoken:
    """A verb as the command line takes it: its own parameters, --json and --help."""
    params = [*own, json_option(), help_option()]
    made = Spoken(name, params=params, help=about.__doc__, add_help_option=False, no_args_is_help=False)
    made.about = about
    return made


def corrections(declaration: type[Declaration], complete: Complete, system: str) -> list[click.Parameter]:
    """The options of a correction: every field of the declaration, and the game master's new reason."""
    from .orders import SHARED

    reason = option("--allow", "_allow", metavar="REASON", help=SHARED["--allow"]["help"])
    return [*parameters(declaration, complete, system, correcting=True), reason]


def _click_type(shape: Shape) -> "click.ParamType[Any]":
    """The type that click checks."""
    if shape.choices:
        return click.Choice([str(choice) for choice in shape.choices])
    return click.INT if takes_number(shape) else click.STRING


def _metavar(shape: Shape, name: str) -> str | None:
    """What stands for the value in the help."""
    if shape.choices:
        return None
    if shape.word == "square":
        return "X,Y[,Z]/..." if shape.many else "X,Y[,Z]"
    if shape.word == "places":
        return "NAME=X,Y/..."
    if shape.inner and shape.inner.choices:
        return f"[{'|'.join(map(str, shape.inner.choices))}]"
    if shape.base is dict and not shape.word:
        return "NAME=VALUE"
    return "N" if shape.base is int else name.rstrip("_").upper().replace("_", "-")


def _shown_default(default: Any) -> str:
    return f"  [default: {default}]" if isinstance(default, int | str) and default not in ("", 0) else ""


def _completer(declaration: type[Declaration], name: str, complete: Complete) -> Any:
    def words(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return complete(context, next(one for one in fields_of(declaration) if one.name == name), incomplete)

    return words
