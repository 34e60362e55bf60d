"""Which things a word means that is no whole name of one: a part, a misspelling, another of its kind."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from commands.action import systems, vocabulary
from commands.files.stat_blocks import shipped

_SAYS = 2
"""How many words two stat blocks must be told by in common that are like each other."""


def sheets_like(system: str, word: str) -> list[str]:
    """The foe of a rule system whose stat block says most of what those of other systems say that are called so: a grub
    is a small enemy, as a goblin is; none where that is not clear.
    """
    rows = [(other, *row) for other in systems.playable() for row in shipped(other)]
    called = (word.casefold(), word.casefold().removesuffix("s"))
    said = {part for other, name, _, about in rows if other != system and name in called for part in _parts(about)}
    players = systems.load(system).players
    shared: dict[str, tuple[int, int]] = {}
    for other, name, side, about in rows:
        if other == system and side not in players:
            shared[name] = (len(_parts(about) & said), -len(_parts(about)))
    most = max(shared.values(), default=(0, 0))
    return [name for name, many in shared.items() if many == most and most[0] >= _SAYS][:1]


def _parts(about: str) -> set[str]:
    """The words of what a stat block says."""
    return {*re.findall(r"[a-z]{5,}", about.casefold())}


def alike(word: str, pool: Sequence[str], least: float) -> list[str]:
    """Those of which a part begins so, as bow of large bow; else those that are spelled alike, at `least` so much."""
    sought = re.sub(r"^x-?(?=\w)", "cross", word.casefold())
    parts = {one: re.split(r"\W+", one.casefold()) for one in pool}
    begun = [one for one in pool if any(part.startswith(sought) for part in parts[one])]
    begun = begun or [one for one in pool if any(len(part) > 2 and sought.endswith(part) for part in parts[one])]
    near = {part: one for one in pool for part in (*parts[one], one.casefold())}
    return (
        begun[:2]
        or [*dict.fromkeys(near[one] for one in get_close_matches(sought, near, 2, least))]
        or [one for one in pool if one.casefold().endswith(tuple(vocabulary.arms_like(sought)))][:1]
    )
