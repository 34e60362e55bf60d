"""Makes docs/affray.1, the page of `man affray`, from the code and from docs/command-line.md: python docs/manual.py."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from commands.action import cards, systems
from commands.action.book import PROGRAM
from commands.shell.group import GROUP
from docs.verbs import command, names, own

PAGE = Path(__file__).parent / "affray.1"
TOLD = Path(__file__).parent / "command-line.md"
"""The page whose tables of exit codes and of the environment stand in the manual too."""


def main() -> None:
    """Writes the page."""
    PAGE.write_text("".join(f"{line}\n" for line in page()), encoding="utf-8")


def page() -> Iterator[str]:
    """The lines of the page."""
    told = TOLD.read_text(encoding="utf-8")
    yield '.\\" Made by `python docs/manual.py`; a test compares it with the code.'
    yield f'.TH AFFRAY 1 "" "{PROGRAM}" "Games"'
    yield from [".SH NAME", "affray \\- a combat ledger for role-playing games"]
    yield from [".SH SYNOPSIS", ".B affray", "[\\fB\\-\\-ledger\\fR \\fIFILE\\fR] \\fIVERB\\fR ..."]
    yield ".SH DESCRIPTION"
    yield plain(
        "Affray keeps a combat as a record that nobody changes: every command, roll and ruling is appended, and the"
        " board is their sum."
    )
    yield ".PP"
    yield plain(
        "A campaign is one file, NAME.affray. A command takes the file of --ledger or of $AFFRAY_LEDGER, or else the"
        " one .affray file in this folder or in the nearest folder above it. `affray help VERB` explains a verb."
    )
    for title, verbs in GROUP.chapters("").values():
        if verbs:
            yield from chapter(title, "", dict(verbs))
    for name in systems.SYSTEMS:
        yield from chapter(f"The verbs of {systems.load(name).title}", name, systems.load(name).verbs)
    yield ".SH OPTIONS OF EVERY RECORDED VERB"
    made = command("", "note")
    _, declaration = systems.procedure(systems.COMMON["note"])
    mine = {one.name for one, _ in own(declaration, made)}
    for one in made.params:
        if one.name not in mine:
            yield from tagged(names(one), getattr(one, "help", "") or "")
    for heading, title in (("### Exit codes", "EXIT STATUS"), ("## Environment", "ENVIRONMENT")):
        yield f".SH {title}"
        for cells in table(told, heading):
            yield from tagged(*cells)
    yield ".SH FILES"
    yield from tagged("NAME.affray", "a campaign: an SQLite file, to which entries are only appended")
    yield ".SH EXAMPLES"
    for line, meaning in (
        ("affray demo freepg", "plays a fight that comes with the program"),
        ("affray status", "shows the board"),
        ("affray attack boffin grub-1 --with sword --dice 14,6", "an attack with dice that were thrown at the table"),
        ("affray undo", "takes back the last action"),
        ("affray verify", "checks the whole record, rule by rule"),
    ):
        yield from tagged(line, meaning)


def chapter(title: str, system: str, verbs: dict[str, cards.Verb]) -> Iterator[str]:
    """A chapter of verbs, each with its arguments and its summary."""
    yield f".SH {plain(title).upper()}"
    for name, verb in verbs.items():
        made = command(system, name)
        _, declaration = systems.procedure(verb)
        usage = [names(one) for one, _ in own(declaration, made) if isinstance(one, click.Argument)]
        yield from tagged(" ".join([name, *usage]), verb.summary)


def tagged(term: str, meaning: str) -> list[str]:
    """A term with what it means."""
    return [".TP", f".B {plain(term)}", plain(meaning)]


def table(text: str, heading: str) -> list[tuple[str, str]]:
    """The rows of the first table below a heading of a page, without its head."""
    part = text.partition(f"\n{heading}\n")[2].lstrip().partition("\n\n")[0]
    rows = [re.findall(r"(?<=\|) (.*?) (?=\|)", line) for line in part.splitlines()[2:]]
    assert rows, heading
    return [(term.strip("`"), meaning) for term, meaning in rows]


def plain(text: str) -> str:
    """Text as troff reads it: no sign of it is a command, and what stands in backquotes is bold."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    escaped = re.sub("`([^`]*)`", r"\\fB\1\\fR", escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    main()
