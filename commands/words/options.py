"""Options that every verb has, and verbs as click sees them. Quick to import: help and lists need no more."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    pass


def help_option() -> click.Option:
    """--help, or -h."""
    made = click.Option(["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=_print_help)
    made.help = "Show this help and exit."
    return made


def _print_help(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()


def json_option() -> click.Option:
    """--json, which every verb has."""
    return option("--json", "_json", is_flag=True, help="Answer in JSON, also for errors.")


def brief_option() -> click.Option:
    """--brief, which every verb has that tells entries."""
    return option("--brief", "_brief", is_flag=True, help="Only the outcomes, without arithmetic; also $AFFRAY_BRIEF.")


def option(*names: str, help: str = "", **settings: Any) -> click.Option:  # noqa: A002
    """An option. Its help is set behind click's back, which would import `inspect` to unindent it."""
    made = click.Option(names, **settings)
    made.help = help
    return made
