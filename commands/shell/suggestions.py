"""What Tab offers at the prompt."""

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from commands.words.console import Console

from .offers import Completions

_GREYED = "fg:ansibrightblack"
"""How a combatant is offered who is hardly meant."""


class Suggestions(Completer):
    """Completes the word before the cursor."""

    def __init__(self, console: Console) -> None:
        self._offers = Completions(console)

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterable[Completion]:
        """What the word before the cursor may become, each with what it means."""
        for one in self._offers.at(document.text_before_cursor):
            style = _GREYED if one.hardly else ""
            yield Completion(one.text, -one.replaced, display=one.shown, display_meta=one.meaning, style=style)
