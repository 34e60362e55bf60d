"""Refusals: what each of them says and offers stands in `fixtures/SYSTEM/refusals.txt`, for people to read.

The kit asks for every refusal in the tests of a rule system. With $AFFRAY_REWRITE new ones are written down; delete a
file first, and run all tests of its system, to be rid of the ones that no test provokes any more.
"""

import os
from functools import cache
from pathlib import Path

from commands.action.systems import SYSTEMS
from ledger.errors import AffrayError

FIXTURES = Path(__file__).parent.parent / "fixtures"
BY_CHANCE = ("test_random", "test_properties", "test_fights")
"""Tests that say whatever comes."""


def written(error: AffrayError) -> str:
    """A refusal as it stands in a file: its clause with what it says, and below what it offers."""
    clause = getattr(error, "clause", "")
    lines = [f"{clause}: {error.message}" if clause else error.message, *error.hint.splitlines()]
    return "\n  ".join(lines)


def check(system: str, error: AffrayError) -> None:
    """The refusal is one of those that are written down."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    if f"tests/{system}/" not in test or system not in SYSTEMS or Path(test).stem in BY_CHANCE:
        return
    said = written(error)
    if os.environ.get("AFFRAY_REWRITE"):
        with path(system).open("a", encoding="utf-8") as file:
            file.write(f"\n{said}\n")
        return
    assert said in known(system), f"a new refusal, or a changed one:\n{said}"


def path(system: str) -> Path:
    """The file of a rule system."""
    return FIXTURES / system / "refusals.txt"


@cache
def known(system: str) -> frozenset[str]:
    """Those that are written down."""
    return frozenset(path(system).read_text(encoding="utf-8").strip().split("\n\n"))


def sort() -> None:
    """Puts all that were written down in order, each once."""
    for system in SYSTEMS:
        if path(system).exists():
            found = sorted(set(path(system).read_text(encoding="utf-8").strip().split("\n\n")))
            path(system).write_text("\n\n".join(found) + "\n", encoding="utf-8")
