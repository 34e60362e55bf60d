"""The words of rule systems that stand in ledgers, besides those that somebody said: what is held, counted, awaited and
rolled for. `fixtures/SYSTEM/words.json` lists those of a system.

Rules look for them in what was recorded, so one that changes makes older ledgers play on differently.
"""

import json
import re
from functools import cache
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"
ALWAYS = {"removed", "round-end", "turn-end", "turn-start", "encounter-end", "acted", "done", "dead", "a roll"}
MADE_OF = re.compile(
    r"dropped .+|broken .+|.+ unloaded|before .+|after .+|effect on .+|effect-\d+|waived|(dis)?advantage [a-z,]+"
    r"|[A-Z]{3}/[A-Z][a-z]+"
)
"""Words that hold somebody's name, a thing, or a word of the table."""


@cache
def words(system: str) -> frozenset[str] | None:
    """The rules' own words; nothing for a system that has no list, as in an installation."""
    listed = FIXTURES / system / "words.json"
    return frozenset(json.loads(listed.read_text(encoding="utf-8"))) if listed.is_file() else None


def is_known(system: str, word: str) -> bool:
    """Whether a word is one of the rules' own, or is made of one. A system without a list can use any word."""
    known = words(system)
    return known is None or word in ALWAYS or word in known or bool(MADE_OF.fullmatch(word))
