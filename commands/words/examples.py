"""Examples: for every verb one command that works. They come from scripts: the demo fight of a rule system shows most
of its verbs, its `examples.fight` the others, and the `examples.fight` beside this file the verbs of every system. Such
a script has blocks, with blank lines between them. The first block sets the table for all others; in each of the others
the last line is the example.
"""

import os
import shlex

from commands.action import systems


def example(system: str, verb: str) -> str:
    """The command that shows a verb, "" when there is none. For a verb of every system, `system` is ""."""
    return next(iter(examples(system, verb)), "")


def examples(system: str, verb: str) -> list[str]:
    """All commands that show a verb, as far as their options differ."""
    found = [block[-1] for block in blocks(path(system))[1:]]
    if system:
        with open(os.path.join(systems.folder(system), "demo.fight"), encoding="utf-8") as demo:
            found += [line.strip() for line in demo]
    words, shown = verb.split(), dict[tuple[str, ...], str]()
    for line in found:
        said = shlex.split(line, comments=True)
        if said[: len(words)] == words:
            shown.setdefault(tuple(one.partition("=")[0] for one in said if one.startswith("--")), f"affray {line}")
    return [*shown.values()]


def path(system: str) -> str:
    """The script with the examples of a rule system; "" stands for what every system has."""
    return os.path.join(systems.folder(system) if system else os.path.dirname(__file__), "examples.fight")


def blocks(script: str) -> list[list[str]]:
    """The blocks of a script, each with its lines, without comments; none when there is no such script."""
    if not os.path.exists(script):
        return []
    with open(script, encoding="utf-8") as file:
        parts = file.read().split("\n\n")
    return [[line for line in part.splitlines() if line.strip() and not line.startswith("#")] for part in parts]
