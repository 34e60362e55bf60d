"""What an offered command leaves out of what was typed, which is told with it."""

import re
from collections.abc import Container, Sequence

_NUMBERS = re.compile(r"[+-]?\d{1,9}(,\d{1,9})*,?")
"""A word of numbers and nothing else."""
_IN_UNITS = re.compile(r"--(squares|minutes|to) ")
"""An option whose number was said in other units."""


def numbers(line: str, typed: Sequence[str], told: str) -> list[str]:
    """The numbers that were typed and that a line has not, and that are not told of otherwise."""
    kept = {*re.findall(r"\d+", f"{line} {told}")}
    said = [number for word in typed if _NUMBERS.fullmatch(word) for number in re.findall(r"\d+", word)]
    return [] if _IN_UNITS.search(line) or "squares" in typed else [one for one in said if one not in kept]


def told(lines: Sequence[str], typed: Sequence[str], why: str, verbs: Container[str]) -> list[str]:
    """The lines of a hint behind `why`, each command with what it leaves out: a reason, and where it is of one of some
    `verbs`, numbers.
    """
    low = [word.casefold() for word in typed]
    because = " ".join(typed[low.index("because") :]) if "because" in low else ""
    made: list[str] = []
    for line in lines:
        is_one = line.startswith("affray ") and line.split()[1] in verbs
        out = numbers(line, typed, why) if is_one else []
        out += [because] if because and line.startswith("affray ") and typed[-1] not in line else []
        made.append(f"{line}\n(leaves out: {', '.join(out)})" if out else line)
    return made
