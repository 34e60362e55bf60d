"""Stat blocks, encounters and party files with one change at random: each mistake is named with its line."""

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.words.sheet_files import example_files, example_sheets
from commands.words.toml_lines import Place, toml
from tests.sample import sampled
from tests.shell import Answer, Shell

FEW, MANY = 20, 200
"""Mutated files of each rule system: in every run of the tests, and in one that takes long."""
VALUES: tuple[Any, ...] = (
    'say "n"', "nonsense", "ring, golden", "an } end", "no ] end # none", "", "n", "-1", "\\n", "Zoë = ä",
    -1, 0, 1, 7, 10**6, 2**53, True, False, 1.5, [], {}, [1, "n, n"], [{}], {"n, n": 1}, {"name": "n"}, [[]],
)  # fmt: skip
"""What takes the place of a value."""
SIGNS = ['"', "'", "[", "]", "{", "}", ",", "=", "#", "\n", ".", "\\", " ", "n", "0", "-", "\t", '"""', "[[", "ä"]
"""What is written into a text, or is taken out of it."""
NAMED = re.compile(r"Error: f\.toml, line (\d+): |Refused by [\w.-]+: f\.toml, line (\d+): ")
NO_TOML = re.compile(r"Error: f\.toml is not TOML: .*\((at line \d+, column \d+|at end of document)\)")


def bases(system: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each command that reads a file, with the text of a sound one."""
    sheets = example_sheets(system)
    for _, path in sorted(sheets.items()):
        yield ("join", "f.toml", "--dry-run"), Path(path).read_text(encoding="utf-8")
    for _, path in sorted(example_files("encounters", system).items()):
        yield ("begin", "--from", "f.toml", "--dry-run"), Path(path).read_text(encoding="utf-8")
    names = sorted(sheets)
    inside = tomllib.loads(Path(sheets[names[0]]).read_text(encoding="utf-8"))
    party = {"join": [{"sheet": names[1:3]}, {"sheet": inside, "called": "Ann"}]}
    yield ("begin", "--party", "f.toml", "--dry-run"), written(party)


def written(data: dict[str, Any]) -> str:
    """A file that says so: each table of a list with its own head, and each other value in one line."""
    rows = [(key, value) for key, value in data.items() if not tables(value)]
    heads = [(key, row) for key, value in data.items() if tables(value) for row in value]
    lines = [f"{toml(key)} = {toml(value)}" for key, value in rows]
    for key, row in heads:
        lines += ["", f"[[{key}]]", *(f"{toml(name)} = {toml(value)}" for name, value in row.items())]
    return "\n".join([*lines, ""])


def tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Every place in what a file says, but for the whole."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*place, key)
        yield from places(one, (*place, key))


def changed(text: str, chance: random.Random) -> str:
    """The text with one change: a value, a key that is unknown or missing, or a few signs."""
    if chance.random() < 0.3:
        at, sign = chance.randrange(len(text)), chance.choice(SIGNS)
        return text[:at] + chance.choice((sign, "")) + text[at + chance.randint(0, 2) :]
    data = tomllib.loads(text)
    place = chance.choice([*places(data)])
    held: Any = data
    for one in place[:-1]:
        held = held[one]
    match chance.randrange(4):
        case 0 if isinstance(held, dict):
            held["no, n" if chance.random() < 0.5 else "nmae"] = held.pop(place[-1])
        case 1 if isinstance(held, dict):
            held[chance.choice(("new", "n, w"))] = chance.choice(VALUES)
        case 2 if isinstance(held, dict):
            del held[place[-1]]
        case _:
            held[place[-1]] = chance.choice(VALUES)
    return written(data)


def check(answer: Answer, text: str) -> None:
    """The answer names the line of the mistake, and what stands there; or there is none."""
    assert answer.code in (0, 1, 2), (text, answer)
    if not answer.code:
        return
    found = NAMED.match(answer.err)
    assert found or NO_TOML.match(answer.err), (text, answer)
    assert not any(raw in answer.err for raw in ("Traceback", "fault of Affray", "Expected `", "$.")), (text, answer)


def mutate(system: str, many: int, shell: Shell) -> None:
    """Types the command of each mutated file."""
    shell.done("init", "Hill", "--system", system)
    sound, chance = [*bases(system)], random.Random(f"{system} {many}")
    for words, text in sound:
        Path("f.toml").write_text(text, encoding="utf-8")
        shell.done(*words)
    for _ in range(many):
        words, text = chance.choice(sound)
        text = changed(text, chance)
        Path("f.toml").write_text(text, encoding="utf-8")
        check(shell(*words), text)


@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_a_mistake_in_a_file_is_named_with_its_line(system: str, shell: Shell):
    mutate(system, FEW, shell)


@pytest.mark.slow
@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_a_thousand_mistakes_in_files(system: str, shell: Shell):
    mutate(system, MANY, shell)
