"""The command that is looked for: the first of those that were typed, without what is no part of it."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .ground import DIRECTIONS
from .thrown import is_beside

if TYPE_CHECKING:
    from .verb_words import VerbWords

_PROMPT = r"[$#>%]|affray[>:$]"
"""What stands before a command that somebody copies with the prompt."""
_ASKS_HELP = ("-h", "--help", "?", "help", "usage")
"""What asks for help of the verb beside it."""
_THEN = ("and", "then", "&&", ";", "&")
"""Words between two commands."""


def one_command(verbs: "VerbWords", typed: Sequence[str]) -> list[str]:
    """The words of one command: without the name of the program and a prompt that was copied, help of what stands
    behind a question mark, without brackets around numbers, and by the verb that was said as an option.
    """
    typed = [word for word in typed if word != "affray"]
    first = "".join(typed[:1])
    words = [*typed[1:]] if re.fullmatch(_PROMPT, first) else [*typed]
    if re.match(r"\?\w", first):  # `?phases`
        words = ["help", first[1:], *typed[1:]]
    asks = [word for word in words if word.casefold() in _ASKS_HELP]
    if len(words) == 2 and len(asks) == 1:  # `-h grapple`, `attack help`
        words = ["help", *(word for word in words if word not in asks)]
    if not verbs.names.tells(words):
        words = _first(_unbracketed(words), verbs.names.means)
    if verb := verbs.cards.as_option(words):  # `dispute --settle e15`
        words = [verb, *(word for word in words[1:] if word != f"--{verb}")]
    return words


def without_die(words: Sequence[str], face: str) -> tuple[str, ...]:
    """The words with a die that the program rolls in place of a face; without dice, where it rolls them all."""
    left: list[str] = []
    for word in words:
        option, equals, said = word.rpartition("=")
        faces = re.sub(rf"(?<![^,= ]){face}(?![^, ])", "-", said)
        if faces == said or not set(faces) <= {"-", ","}:
            left.append(f"{option}{equals}{faces}")
        elif not equals and left[-1:] in (["--dice"], ["-d"]):
            left.pop()
    return tuple(left)


def _unbracketed(words: Sequence[str]) -> list[str]:
    """The words without brackets around numbers."""
    return [re.sub(r"^[(\[{](?=[\d+-])|(?<=\d)[)\]}]$", "", word) for word in words]


def _first(words: Sequence[str], is_verb: Callable[[str], bool]) -> list[str]:
    """The first of several commands that are typed as one: `attack brak and then move to 0,-1`."""
    for at, word in enumerate(words):
        joins = word.casefold() in _THEN
        ends = word.endswith(";") or (word.endswith(",") and any(map(is_verb, words[: at + 1])))
        behind = [one for one in words[at + 1 : at + 3] if not is_beside(one)]  # `15, damage 4`
        behind = [one for one in behind if one.casefold() not in (*_THEN, *DIRECTIONS)]
        if at > joins and any(map(is_verb, behind[:1] if joins else behind if ends else ())):
            return [*words[:at], *([] if joins else [word[:-1]])]
    return [*words]
