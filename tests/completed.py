"""Completion, as a shell asks for it."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Shape
from commands.shell import completion
from commands.words.console import Console
from commands.words.form import Field


def completed(console: Console, kind: str, begun: str) -> list[str]:
    """What completion offers in a field of a kind."""
    shape = Shape(Annotated[str, Meta(extra={"word": kind})])
    return completion.words(console, Field("it", shape, kind, False, True, False, None, str), begun, {})
