"""Refusals: what each of them says and offers stands in `fixtures/SYSTEM/refusals.txt`, and what comes of it with
--allow in `fixtures/SYSTEM/allowed.txt`, for people to read.

The kit asks for every refusal in the tests of a rule system. With $AFFRAY_REWRITE new ones are written down; delete a
file first, and run all tests of its system, to be rid of the ones that no test provokes any more. What a shell of the
tests is told stands in `fixtures/refused` under each test, which fails where it is no longer told so.
"""

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from commands.action.systems import SYSTEMS
from ledger.errors import AffrayError
from tests import hints

FIXTURES = Path(__file__).parent.parent / "fixtures"
BY_CHANCE = ("test_random", "test_random_turns", "test_properties", "test_fights")
"""Tests that say whatever comes."""


REWRITE = "AFFRAY_REWRITE" in os.environ
"""Whether what is said is written down; a shell of the tests knows no such variable."""
REFUSALS, ALLOWED = "refusals.txt", "allowed.txt"
SAID: set[str] = set()
"""What the commands of a test said that failed, as it is written down."""


def check(system: str, error: AffrayError) -> None:
    """The refusal is one of those that are written down: its clause with what it says, and below what it offers."""
    _same(system, REFUSALS, "\n  ".join([_said(error), *hints.advice(error).splitlines()]))


def check_allowed(system: str, refused: AffrayError, several: Sequence[str], then: AffrayError | None) -> None:
    """So is what comes of the action when the game master allows it: it is done, or refused in turn. `several` are the
    clauses that refuse it, where more than one does, and the game master overrules all.
    """
    lines = [_said(refused), *([f"all of {', '.join(several)}"] if several else []), _said(then) if then else "done"]
    _same(system, ALLOWED, "\n  ".join(lines))


def check_said(said: str) -> None:
    """What a command printed that failed is written down in `fixtures/refused`, under the test that it failed in."""
    file, _, test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0].partition("::")
    lines = re.sub(r"affray-pg-\w+", "PG", re.sub(r"club\d+", "CLUB", said.replace(os.getcwd(), "HERE"))).splitlines()
    words = "\n  ".join([test, *filter(None, lines)])
    SAID.add(words)
    _compare("refused", _golden(file), words, file)


def check_all_said(nodeid: str) -> None:
    """All that is written down of a test was said in it."""
    file, _, test = nodeid.partition("::")
    left = {one for one in _known("refused", _golden(file)) if one.partition("\n")[0] == test} - SAID
    assert REWRITE or not left, f"delete from fixtures/refused/{_golden(file)} what is no longer said: {left}"


def _golden(file: str) -> str:
    return file.removeprefix("tests/").removesuffix(".py").replace("/", "-") + ".txt"


def _said(error: AffrayError) -> str:
    clause = getattr(error, "clause", "")
    return f"{clause}: {error.message}" if clause else error.message


def _same(system: str, file: str, said: str) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    if f"tests/{system}/" not in test or system not in SYSTEMS or Path(test).stem in BY_CHANCE:
        return
    _compare(system, file, said, f"tests/{system}")


def _compare(folder: str, file: str, said: str, tests: str) -> None:
    if REWRITE:
        (FIXTURES / folder).mkdir(exist_ok=True)
        with (FIXTURES / folder / file).open("a", encoding="utf-8") as golden:
            golden.write(f"\n{said}\n")
        return
    meant = f"if it is meant: AFFRAY_REWRITE=1 python -m pytest {tests}"
    assert said in _known(folder, file), f"not in fixtures/{folder}/{file}; {meant}\n{said}"


@cache
def _known(folder: str, file: str) -> frozenset[str]:
    """Those that are written down."""
    path = FIXTURES / folder / file
    return frozenset(_read(path) if path.exists() else ())


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").strip().split("\n\n")


def sort() -> None:
    """Puts all that were written down in order, each once."""
    written = [FIXTURES / system / file for system in SYSTEMS for file in (REFUSALS, ALLOWED)]
    for path in (*written, *FIXTURES.glob("refused/*.txt")):
        if path.exists():
            path.write_text("\n\n".join(sorted(set(_read(path)))) + "\n", encoding="utf-8")
