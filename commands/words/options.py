"""Options that every verb has, and a verb as click takes it. Light: help and lists need no more."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from commands.action.book import Order
    from commands.action.declaration import Declaration

NOT_AN_OPTION = " "
"""Stands before a word that begins with a minus and a digit, so that click does not take it for an option."""


def help_option() -> click.Option:
    """--help, or -h."""
    made = click.Option(["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=_print_help)
    made.help = "Show this and leave."
    return made


def _print_help(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()


def json_option() -> click.Option:
    """--json, which every verb has."""
    return option("--json", "_json", is_flag=True, help="Answer in JSON, errors too.")


def option(*names: str, help: str = "", **settings: Any) -> click.Option:  # noqa: A002
    """An option. Its help is set behind click's back, which would import `inspect` to unindent it."""
    made = click.Option(names, **settings)
    made.help = help
    return made


class Spoken(click.Command):
    """A verb whose arguments may begin with a minus, as the square -1,2 does."""

    about: "type[Declaration]"
    """What it declares."""
    order: "Callable[[dict[str, Any]], Order] | None" = None
    """Makes the order of a recorded verb from what click parsed; None for a verb that looks."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments are explained like options."""
        from .parameters import arguments

        if explained := arguments(self.about):
            with formatter.section("Arguments"):
                formatter.write_dl(explained)
        super().format_options(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Marks such words, so that they are not taken for options."""
        return super().parse_args(
            ctx, [NOT_AN_OPTION + arg if arg[:1] == "-" and arg[1:2].isdigit() else arg for arg in args]
        )


def spoken(name: str, about: "type[Declaration]", own: list[click.Parameter], callback: Any) -> Spoken:
    """A verb as the command line takes it: its own parameters, --json and --help."""
    made = Spoken(
        name,
        params=[*own, json_option(), help_option()],
        callback=callback,
        help=about.__doc__,
        add_help_option=False,
        no_args_is_help=False,
    )
    made.about = about
    return made
