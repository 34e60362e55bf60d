"""Hints: what is said after a refusal, typed as it stands."""

import shlex

import click

from commands import systems
from commands.cli import option
from commands.dice_sources import Stream
from commands.names import resolve_names
from commands.parameters import declared, parameters
from commands.resolution import resolve
from projections.state import State
from tests.kit import KEY


def type_hint(state: State, hint: str) -> None:
    """Carries out a hint that is a recorded command of the rules. Raises what refuses it, or what is wrong with it."""
    words = shlex.split(hint)
    assert words[0] == "affray", hint
    system, verb = state.campaign.system, words[1]
    if verb in systems.TOOLS:
        return
    _, declaration = systems.procedure(systems.find_verb(system, verb))
    made = [*parameters(declaration, lambda *_: []), option("--allow", "_allow")]
    values = dict(click.Command(verb, params=made, add_help_option=False).make_context(verb, words[2:]).params)
    allow = values.pop("_allow") or ""
    resolve(state, verb, resolve_names(state, declared(declaration, values, system)), Stream(KEY, 0), allow)
