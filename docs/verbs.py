"""Makes the pages of `docs/verbs` from the code: python docs/verbs.py."""

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from commands.action import cards, systems
from commands.action.declaration import Declaration, shapes
from commands.shell.group import GROUP
from commands.shell.tools import TOOLS
from commands.words.console import Console
from commands.words.examples import example

FOLDER = Path(__file__).parent / "verbs"
"""Where the pages are: one for each rule system, and one for the verbs that all have."""

HEAD = """\
# {title}

<!-- Made by `python docs/verbs.py`; a test compares it with the code. -->

{about}

Type the arguments in the order shown, and options anywhere after the verb. You can repeat a word that ends in `...`,
and leave out a word in square brackets. `affray help VERB` shows the same on the terminal.
"""

COMMON = """\
These are the verbs that every rule system has. [The command line](../command-line.md) explains what all verbs have in
common: the ledger, names, lists, dice, answers and exit codes. Each rule system also has its own verbs: {systems}."""

OWN = """\
{credit}

These are {title}'s own verbs. They are recorded, and also take the options [of every recorded
verb](common.md#recorded-verbs-of-every-rule-system), such as `--dice` and `--allow`."""

RECORDED = """\
These append an entry to the ledger. Each also takes these options:
"""

TOOLS_PAGE = """\
These look at a ledger, or handle it as a whole. Only `init`, `undo`, `redo`, `amend`, `copy`, `salvage`,
`archive`, `sheet new`, `sheet import`, `run`, `play`, `demo`, `export` and `import` write anything. Each also takes
`--json` and `--help`.
"""


class Sitting(Console):
    """A console that plays a rule system without a ledger."""

    def __init__(self, played: str) -> None:
        super().__init__()
        self.played = played

    def open(self) -> str:
        """The rule system that is played."""
        return self.played


def command(system: str, name: str) -> click.Command:
    """The verb as the command line makes it."""
    found = GROUP.get_command(click.Context(GROUP, obj=Sitting(system)), name)
    assert found is not None, name
    return found


def verbs() -> Iterator[tuple[str, str, cards.Verb]]:
    """Rule system ("" for all), name and place of each verb that can be typed."""
    for name in systems.SYSTEMS:
        for word, verb in systems.load(name).verbs.items():
            yield name, word, verb
    for word, verb in systems.COMMON.items():
        if word not in TOOLS:
            yield "", word, verb
    for word, verb in TOOLS.items():
        yield "", word, verb


def own(declaration: type[Declaration], made: click.Command) -> list[tuple[click.Parameter, str]]:
    """The parameters that a verb has for itself, each with its description."""
    described = {field.name: shape.description for field, shape in shapes(declaration)}
    return [(one, described[one.name]) for one in made.params if one.name in described]


def names(one: click.Parameter) -> str:
    """How an argument or option is written: in brackets if it can be left out, with `...` if it can be repeated."""
    if isinstance(one, click.Argument):
        return one.metavar or one.name.upper()
    assert isinstance(one, click.Option)
    value = "|".join(map(str, one.type.choices)) if isinstance(one.type, click.Choice) else one.metavar
    return (
        ", ".join(one.opts)
        + ("" if one.is_flag else f" {value}")
        + ("..." if one.multiple and not value.endswith("...") else "")
    )


def row(one: click.Parameter, meaning: str) -> str:
    """A line of a table of arguments or options."""
    cells = names(one), getattr(one, "help", "") or meaning
    return "| `{}` | {} |".format(*(cell.replace("|", "\\|") for cell in cells))


def section(system: str, name: str, verb: cards.Verb) -> list[str]:
    """The part of the page about one verb."""
    made = command(system, name)
    _, declaration = systems.procedure(verb)
    parameters = own(declaration, made)
    usage = [names(one) for one, _ in parameters if isinstance(one, click.Argument)]
    if isinstance(made, click.Group):
        usage.append(made.subcommand_metavar)
    title = " ".join([name, *usage])
    lines = [f"## `affray {title}`", "", *inspect.cleandoc(declaration.__doc__ or "").split("\n"), ""]
    if parameters:
        ordered = sorted(parameters, key=lambda pair: isinstance(pair[0], click.Option))
        lines += ["| argument or option | meaning |", "|---|---|", *(row(*pair) for pair in ordered), ""]
    if shown := example(system, name):
        lines += [f"Example: `{shown}`", ""]
    return lines


def shared() -> list[str]:
    """The options that every recorded verb has."""
    made = command("", "note")
    _, declaration = systems.procedure(systems.COMMON["note"])
    mine = {one.name for one, _ in own(declaration, made)}
    rest = [one for one in made.params if one.name not in mine]
    return ["| option | meaning |", "|---|---|", *(row(one, "") for one in rest), ""]


def house_rules(system: cards.System) -> list[str]:
    """The options of a campaign."""
    lines = ["| house rule | values | default | meaning |", "|---|---|---|---|"]
    for name, option in system.options.items():
        free = "words, with commas between" if isinstance(option.default, str) else "0 or more"
        values = ", ".join(f"`{str(choice).lower()}`" for choice in option.choices) or free
        default = f"`{str(option.default).lower()}`" if option.default != "" else ""
        lines.append(f"| `{name}` | {values} | {default} | {option.meaning} |")
    return [*lines, ""]


def gm(short: str, title: str) -> list[str]:
    """What `adjust` takes in a rule system."""
    rules = import_module(f"commands.rules.{short}.gm")
    lines = [f"## What `adjust` takes in {title}", "", "| field | value |", "|---|---|"]
    return [*lines, *(f"| `{name}` | {field.takes} |" for name, field in rules.FIELDS.items()), ""]


def common() -> str:
    """The page of the verbs that every rule system has, and of the tools."""
    every = [f"[{systems.load(name).title}]({name}.md)" for name in systems.SYSTEMS]
    about = COMMON.format(systems=", ".join(every))
    lines = [HEAD.format(title="The verbs of every rule system", about=about)]
    lines += ["# Recorded verbs of every rule system", "", RECORDED, *shared()]
    found = [(name, verb) for system, name, verb in verbs() if not system]
    for name, verb in found:
        if name not in TOOLS:
            lines += section("", name, verb)
    lines += ["# Looking and handling", "", TOOLS_PAGE]
    for name, verb in found:
        if name in TOOLS:
            lines += section("", name, verb)
    return _page(lines)


def own_page(short: str) -> str:
    """The page of the verbs of one rule system."""
    system = systems.load(short)
    about = OWN.format(credit=system.credit, title=system.title)
    lines = [HEAD.format(title=f"The verbs of {system.title}", about=about)]
    for name, verb in system.verbs.items():
        lines += section(short, name, verb)
    lines += gm(short, system.title)
    lines += [f"## House rules of {system.title}", "", "Set with `affray option NAME VALUE`, or for a new"
              " ledger with `affray init --option NAME=VALUE`.", "", *house_rules(system)]  # fmt: skip
    lines += [f"## Verbs that {system.title} does not have", ""]
    lines += [f"- `{word}`: {reason}" for word, reason in system.elsewhere.items()]
    return _page(lines)


def _page(lines: list[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    return {"common.md": common(), **{f"{short}.md": own_page(short) for short in systems.SYSTEMS}}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
