"""Makes the pages of `docs/sheets` from the code: python docs/sheets.py."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from commands.action import systems
from commands.action.view import sheet_decoder
from commands.files.sheets import Explained, about, examples, explained, parts
from commands.words.sheet_files import example_sheets
from commands.words.toml_lines import toml

FOLDER = Path(__file__).parent / "sheets"
"""Where the pages are: one for each rule system."""

HEAD = """\
# Stat blocks of {title}

<!-- Made by `python docs/sheets.py`; a test compares it with the code. -->

A stat block is a TOML file. `affray join boffin.toml` brings its combatant to the table, and `affray sheet set boffin
boffin.toml` gives somebody who is there another one. `affray sheet new boffin.toml` writes a file with every field of
this page, and `affray sheet new boffin.toml --like {first}` fills it with the values of another stat block. A file can
hold several combatants, each in a table of its own: `[combatants.boffin]`.

A field that is left out has its default. A field that this page does not name is an error.

## Stat blocks that come with the rules

`affray sheet NAME` prints one.

| name | what it is |
|---|---|
"""


def meaning(field: Explained) -> str:
    """The last cell of a row: the meaning, and what the field takes."""
    return f"{field.meaning} It takes {_named(field.takes, field.parts)}."


def _named(takes: str, made_of: tuple[type, ...]) -> str:
    """What a field takes, with the names of the tables below in place of the names of their fields."""
    for one in made_of:
        names = ", ".join(field.name for field in explained(one))
        takes = takes.replace(f"a table with the fields {names}", f"a table as under [{title(one)}](#{anchor(one)})")
    return takes


def title(kind: type) -> str:
    """The heading of a part of a stat block: `AttackLine` is an attack line."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in kind.__name__).strip()


def anchor(kind: type) -> str:
    """The link to that heading."""
    return title(kind).replace(" ", "-")


def table(kind: type, shown: Mapping[tuple[Any, str], Any]) -> list[str]:
    """The fields of a stat block, or of a part of one."""
    lines = ["| field | default | meaning | example |", "|---|---|---|---|"]
    for field in explained(kind):
        default = "required" if field.required else f"`{field.default}`" if field.default else ""
        example = f"{field.name} = {toml(shown[kind, field.name])}"
        cells = (f"`{field.name}`", default, meaning(field), f"`{example}`")
        lines.append("| {} |".format(" | ".join(cell.replace("|", "\\|") for cell in cells)))
    return [*lines, ""]


def page(system: str) -> str:
    """The page of a rule system."""
    kind, shown, shipped = sheet_decoder(system).type, examples(system), sorted(example_sheets(system).items())
    lines = [HEAD.format(title=systems.load(system).title, first=shipped[0][0]).rstrip("\n")]
    lines += [f"| `{name}` | {about(path)} |" for name, path in shipped]
    lines += ["", "## Fields", "", *table(kind, shown)]
    for part in parts(kind):
        lines += [f"## {title(part).capitalize()}", "", " ".join((part.__doc__ or "").split()), "", *table(part, shown)]
    name, path = shipped[0]
    lines += ["## An example", "", f"`affray sheet {name}` prints:", "", "```toml"]
    lines += [*Path(path).read_text(encoding="utf-8").rstrip("\n").splitlines(), "```"]
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
