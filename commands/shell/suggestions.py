"""What Tab offers at the prompt: the same words as the completion of a shell."""

import re
from collections.abc import Iterable
from contextlib import suppress

from click.shell_completion import ShellComplete, split_arg_string
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from commands.action import systems
from commands.action.declaration import is_entry, number
from commands.action.quoting import quoted
from commands.words.console import Console
from ledger.errors import AffrayError

from .cli import GROUP

_LAST = re.compile(r"""(?:[^\s'"\\]|\\.?|'[^']*'?|"(?:[^"\\]|\\.?)*"?)*$""")
"""The word that a line ends with, as it is typed, though its quotes may still be open."""
_LONGEST = 60
"""The most characters of a command that are shown beside its entry."""
_GOES_ON = ("/", "=", ",")
"""A word that ends so is not complete."""


class Suggestions(Completer):
    """Completes words from the verbs, their options, and the ledger."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What the word before the cursor may become, each with what it means."""
        line = document.text_before_cursor
        found = _LAST.search(line)
        last = found[0] if found else ""
        words = split_arg_string(line[: len(line) - len(last)])
        if words[:1] == ["affray"]:
            del words[0]
        begun = "".join(split_arg_string(last))
        option, equals, _ = begun.partition("=")
        before = option + equals if begun.startswith("--") else ""
        try:
            items = ShellComplete(GROUP, {"obj": self.console}, "affray", "").get_completions(words, begun)
        except AffrayError:
            return
        for item in items:
            if item.type == "plain":
                word = quoted(before * (not item.value.startswith("--")) + item.value)
                space = "" if word.endswith(_GOES_ON) else " "
                meaning = item.help or self._meaning(item.value)
                yield Completion(word + space, -len(last), display=item.value, display_meta=meaning)

    def _meaning(self, word: str) -> str:
        """What was typed for an entry, or what an option of the campaign means; "" for other words."""
        with suppress(AffrayError):
            if is_entry(word):
                return self.console.book.store.entry(number(word)).typed[:_LONGEST]
            options = systems.load(self.console.system).options
            return options[word].meaning if word in options else ""
        return ""
