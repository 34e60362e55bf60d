"""Options that every verb has, and verbs as click sees them. Quick to import: help and lists need no more."""

from typing import Any

import click

WHOLE = "affray.whole"
"""In the context of help: whether all options are explained."""


class Reused(click.Command):
    """A command of which --help is one of the parameters."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All its parameters. click would look for a --help of its own, and for options of the same name."""
        return self.params


class Option(click.Option):
    """An option, with whether its help is its own."""

    shared = False
    """Whether every verb takes it that records something, or every verb: its help is told once for all of them."""


def help_option() -> Option:
    """--help, or -h."""
    said = "Show this help and exit."
    return option("--help", "-h", is_flag=True, is_eager=True, expose_value=False, shared=True, help=said)


def json_option() -> Option:
    """--json, which every verb has."""
    return option("--json", "_json", is_flag=True, shared=True, help="Answer in JSON, also for errors.")


def brief_option() -> Option:
    """--brief, which every verb has that tells entries."""
    said = "Only the outcomes, without arithmetic; also $AFFRAY_BRIEF."
    return option("--brief", "_brief", is_flag=True, shared=True, help=said)


def option(*names: str, help: str = "", shared: bool = False, **settings: Any) -> Option:  # noqa: A002
    """An option. Its help is set behind click's back, which would import `inspect` to unindent it."""
    made = Option(names, **settings)
    made.help, made.shared = help, shared
    return made
