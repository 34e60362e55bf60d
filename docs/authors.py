"""Makes the pages of `docs/authors` from the pages of the rules: python docs/authors.py."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from commands.action import systems
from commands.look.clauses import Clause, clauses

FOLDER = Path(__file__).parent / "authors"
"""Where the pages are: one for each rule system, for the person who wrote its rules."""

OPEN = re.compile(
    r"(?:The (?:book|chapter|manual)|No chapter)\b[^.;]*"
    r"\b(?:says?|say so|say more|leaves? (?:this|it|the risk) open|gives no|prints no)\b|\(From [^()]*\.\)$"
)
"""How a clause says that the text leaves something open, or from which other text it is filled in."""

_SILENT = re.compile(r" The (?:book|chapter|manual) does not say\.$")
"""What every clause says that is ours alone; the heading of the table says it once."""

_READING = re.compile(r"^\| (?!question |---)([^|`]*\?) \| (.*?) \| (.*?) *\|$", re.M)
"""A row of the tables of readings: question, reading, option. A question that names a command is about the program."""

HEAD = """\
# For the author of {title}

<!-- Made by `python docs/authors.py`; a test compares it with the code. -->

Affray is a program that keeps the record of a fight.
One of the games that it plays is {credit}.
Thank you for writing it.

A program has to decide what a game master decides by feel. Where your text leaves something open, or can be read in
more than one way, we had to choose, and this page lists what we chose. If you meant something else, please tell us
which row it is: a reading is a few lines of code and a test, and where a row names an option, a table can change it
already.

[All the rules, in our own words](../../commands/rules/{system}/RULES.md), are on a page of their own, with the place
in the code that decides each.
"""

_FILLED = re.compile(r"\b(?:Where the chapter|What the (?:chapter|house rules)) .*$", re.M)
"""What the head of a page of rules says of where the rest is filled in from."""


def open_clauses(system: str) -> list[Clause]:
    """The clauses that say that the text leaves something open; last those that are filled in from another text."""
    found = [one for one in clauses(system).values() if OPEN.search(one.says)]
    return sorted(found, key=lambda one: "(From " in one.says)


def page(system: str) -> str:
    """The page for the author of a rule system."""
    loaded = systems.load(system)
    credit = loaded.credit.partition(";")[0].removesuffix(".").removesuffix(", no licence stated")
    text = Path(systems.folder(system), "RULES.md").read_text(encoding="utf-8")
    asked, filled, source = _READING.findall(text), open_clauses(system), _FILLED.search(text)
    lines = [HEAD.format(title=loaded.title, credit=credit, system=system)]
    lines += [f"## What can be read in more than one way ({len(asked)})", ""]
    lines += ["| question | how we read it | option |", "|---|---|---|"]
    lines += [f"| {question} | {reading} | {option} |" for question, reading, option in asked]
    lines += ["", f"## What the text leaves open, and how we filled it in ({len(filled)})", ""]
    lines += [source[0] if source else "", "", "| clause | what we do |", "|---|---|"]
    lines += [f"| `{one.clause}` | {_SILENT.sub('', one.says)} |" for one in filled]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    return {f"{system}.md": page(system) for system in systems.SYSTEMS}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
