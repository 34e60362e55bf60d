"""Puts the fields of encounter files into `docs/encounters.md`, from the code: python docs/encounters.py."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from commands.action import rulebook, systems
from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.words.encounter_files import begin_of, fields, takes

PAGE = Path(__file__).parent / "encounters.md"
SECTION = re.compile(r"(?<=^## The fields\n).*?(?=^## |\Z)", re.M | re.S)
"""Finds the section that is made from the code."""


def table(kind: type[Declaration]) -> list[str]:
    """The fields of a declaration, as a file holds them."""
    lines = ["| field | meaning | what it takes |", "|---|---|---|"]
    for key, (field, shape) in fields(kind).items():
        cells = (f"`{key}`", shape.description, takes(field, shape))
        lines.append("| {} |".format(" | ".join(cell.replace("|", "\\|") for cell in cells)))
    return [*lines, ""]


def section() -> str:
    """The section."""
    lines = ["", "<!-- Made by `python docs/encounters.py`; a test compares it with the code. -->", ""]
    lines += ["### `[[join]]` and `[[party]]`", "", *table(Join)]
    for system in systems.SYSTEMS:
        loaded = systems.load(system)
        shipped = sorted(path.stem for path in Path(systems.folder(system), "encounters").glob("*.toml"))
        lines += [f"### {loaded.title}", "", f"Comes with the rules: {', '.join(f'`{name}`' for name in shipped)}.", ""]
        lines += table(begin_of(system))
        for verb in rulebook.of(system).referee.ground:
            kind = systems.procedure(systems.find_verb(system, verb))[1]
            lines += [f"`[[{verb}]]` is carried out after `begin`:", "", *table(kind)]
    return "\n".join(lines)


def page() -> str:
    """The page with the section as it should be."""
    return SECTION.sub(lambda _: section(), PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
