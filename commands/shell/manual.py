"""`affray help`: the list of verbs, or the help of one."""

import os
from typing import Annotated

from commands.action.declaration import Declaration, says
from commands.words.console import Console

from .group import explained

_AGENTS = "agents"
"""Asks for the page for programs that have a shell."""


def for_programs() -> str:
    """How a program runs a fight with a shell, in at most 400 words."""
    with open(os.path.join(os.path.dirname(__file__), "guide.txt"), encoding="utf-8") as file:
        return file.read().rstrip("\n")


class Help(Declaration):
    """Explain a verb: `affray help VERB` prints the same as `affray VERB --help`. `affray help all` lists all verbs,
    and help fight, common, look, past or files one chapter of them. `affray help agents` is a page for programs.
    """

    verb: Annotated[tuple[str, ...], says("The verb, such as attack, or odds attack.", positional=True)] = ()
    all: Annotated[bool, says("Explain all options, even those that are rarely used.")] = False


def help_(console: Console, said: Help) -> None:
    """Prints the help of the program, or of a verb."""
    text = for_programs() if said.verb == (_AGENTS,) else explained(console, said.verb, said.all)
    console.answer({"verb": " ".join(said.verb), "text": text}, text, whole=True)
