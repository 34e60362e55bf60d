"""Which clauses came out in the ledgers of the tests: by a ruling, by a term of a number, or overruled.

With `$AFFRAY_CLAUSES` set to a file, the tests append to it the clauses that came out. Then

    python -m tests.clauses FILE [SYSTEM ...]

names the rulings of RULES.md that did not, apart from those of which the page says why they cannot.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from commands.action import systems
from commands.look.clauses import clauses
from ledger.events import Event, Overruled, Ruled

CAME_OUT: set[str] = set()
"""The clauses that came out in this process."""
SILENT = re.compile(r"^- `([a-z0-9.-]+)`: \S", re.M)
"""A line of the page about a ruling that cannot come out, with the reason."""
MOST_SILENT = 40
"""The most such rulings of all systems together."""


def note(events: Iterable[Event]) -> None:
    """Keeps the clauses that events name."""
    for event in events:
        if isinstance(event, Ruled):
            CAME_OUT.update(event.clauses)
        elif isinstance(event, Overruled):
            CAME_OUT.add(event.clause)


def append(path: str) -> None:
    """Appends what came out in this process to a file."""
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(f"{clause}\n" for clause in sorted(CAME_OUT)))


def silent(system: str) -> set[str]:
    """The rulings that cannot come out, as the page of a system says."""
    return set(SILENT.findall(Path(systems.folder(system), "RULES.md").read_text(encoding="utf-8")))


def main(path: str, *wanted: str) -> int:
    """Prints what is missing; 1 if anything is."""
    out, found, quiet = set(Path(path).read_text(encoding="utf-8").split()), [], 0
    for system in wanted or systems.SYSTEMS:
        ruled = {row.clause for row in clauses(system).values() if row.mark == "ruling"}
        known = silent(system)
        quiet += len(known)
        found += [f"{one} comes out in no ledger of the tests" for one in sorted(ruled - out - known)]
        found += [f"{one} comes out, though the page says that it cannot" for one in sorted(known & out)]
        found += [f"{one} is no ruling of the page" for one in sorted(known - ruled)]
    if quiet > MOST_SILENT:
        found.append(f"{quiet} rulings are said to come out in no ledger; {MOST_SILENT} may.")
    print("\n".join(found) or "Every ruling comes out in a ledger of the tests.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
