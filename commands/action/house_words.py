"""House rules as people say them: `shield soak on` is shield_soak=on. Loaded only where a command has failed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from .cards import Option
from .common import value_of

_LONGEST = 5
"""The most words that name a house rule."""
_ALIKE = {"on": "yes", "off": "no", "enabled": "yes", "disabled": "no", "no": "no", "without": "no"}
"""Other words for values."""
_PLAYERS = ("players", "player", "party", "pcs", "pc", "heroes")
"""Words for the side of the players."""


def house_rules(words: Iterable[str], options: dict[str, Option], players: Sequence[str]) -> list[tuple[str, str]]:
    """The house rules that are named, each with its value; "" where none that it can have was said."""
    parts = [part for word in words for part in re.split(r"[=: ]", word) if part]
    found = list(_named(parts, options, players, 1)) or list(_named(parts, options, players, 0.8))
    return found[:1] if found and not found[0][1] else found


def _named(
    parts: list[str], options: dict[str, Option], players: Sequence[str], least: float
) -> Iterator[tuple[str, str]]:
    """The house rules that some words name, spelled at `least` so much alike, 1 for the same."""
    at = 0
    while at < len(parts):
        for length in range(min(_LONGEST, len(parts) - at), 0, -1):
            said = "_".join(parts[at : at + length]).casefold().replace("-", "_")
            close = get_close_matches(said, options, 1, least) or _of_words(parts[at : at + length], options)
            if close:
                before = parts[max(at - 1, 0) : at]  # `no fumbles`
                at += length
                near = [*parts[at : at + 2], *(word for word in before if word.casefold() in _ALIKE)]
                values = (_value(options[close[0]], word, players) for word in near)
                yield close[0], next(filter(None, values), "")
                break
        else:
            at += 1


def _of_words(words: Sequence[str], options: Iterable[str]) -> list[str]:
    """The only house rule that has all of some words, in whatever order."""
    said = {part for word in words for part in re.split(r"[_-]", word.casefold())}
    found = [name for name in options if said <= {*name.split("_")}]
    return found if len(found) == 1 and len(said) > 1 else []


def _value(option: Option, word: str, players: Sequence[str]) -> str:
    """The value of a house rule that a word stands for; "" for none."""
    word = _ALIKE.get(word.casefold(), word)
    said = (word, *(side for side in players if word.casefold() in _PLAYERS))
    fits = [one for one in said if value_of(option, one) is not None]
    choices = [str(choice) for choice in option.choices if not isinstance(choice, bool)]
    return next(iter((*fits, *get_close_matches(word.casefold(), choices, 1, 0.7))), "")
