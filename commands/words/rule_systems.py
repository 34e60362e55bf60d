"""The rule system that --system names."""

from commands.action import systems
from commands.action.quoting import quoted
from commands.action.spelling import nearest
from ledger.errors import UsageError

from .console import Console


def check_system(console: Console, name: str) -> None:
    """Raises UsageError with the list of rule systems, unless a word names one; with the same command for the one that
    the word begins, or is most like.
    """
    try:
        systems.check_named(name, "Name one with --system.")
    except UsageError as error:
        every = [*systems.playable()]
        meant = [one for one in every if one.startswith(name.casefold())] or nearest(name, every)
        if name and meant and name in " ".join(console.words):
            ledger = f"--ledger {quoted(console.ledger)} " if console.ledger else ""
            words = [meant[0] if word == name else word.replace(f"={name}", f"={meant[0]}") for word in console.words]
            error.hint += f"\naffray {ledger}{' '.join(map(quoted, words))}"
        raise
