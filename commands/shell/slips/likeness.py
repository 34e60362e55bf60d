"""Which things a word means that is no whole name of one: a part, a misspelling, another of its kind."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from commands.action import vocabulary


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
