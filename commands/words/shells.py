"""The program's own shell, as those use it who stand below it: a page, and the tools of a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from commands.action.cards import Verb

from .console import Console


class Shell(Struct, frozen=True):
    """What carries out command lines. It can be sent to another process."""

    run: Callable[[Sequence[str], Console], int]
    """Carries out the words of a command, and gives the exit code."""
    known: Callable[[str], Mapping[str, Verb]]
    """The verbs of a rule system, and those of all."""
    offers: Callable[[str, Console], Iterator[tuple[str, int, str, str]]]
    """What the last word of a line may become: the text, how many signs it replaces, how it is shown, its meaning."""
