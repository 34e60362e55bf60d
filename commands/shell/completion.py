"""Completion: the shell completes verbs, options, and the names of those at the table."""

import os
from typing import Annotated, Literal

import click

from commands.action import systems
from commands.action.declaration import Declaration, says
from commands.action.quoting import quoted
from commands.words.console import Console
from commands.words.form import Field, Table, standing
from commands.words.meanings import Meanings, Said
from ledger.errors import AffrayError, UsageError

from .tools import TOOLS

_SHELLS = ("bash", "zsh", "fish")


class Completion(Declaration):
    """Print the completion script of a shell, for its start-up file: eval "$(affray completion bash)"."""

    shell: Annotated[Literal["bash", "zsh", "fish"] | None, says("Which shell; by default yours.", positional=True)] = (
        None
    )


def completion(console: Console, said: Completion) -> None:
    """Prints the script, which comes from click and asks affray for the words. Raises UsageError where nothing says
    which shell, or there is no script for it.
    """
    from click.shell_completion import get_completion_class

    shell = said.shell or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in _SHELLS:
        problem = f"There is no completion for the shell {shell}." if shell else "Nothing says which shell is yours."
        raise UsageError(problem, "\n".join(f"affray completion {one}" for one in _SHELLS))
    kind = get_completion_class(shell)
    assert kind
    script = kind(click.Group("affray"), {}, "affray", "_AFFRAY_COMPLETE").source()
    console.answer({"shell": shell, "script": script}, script, whole=True)


def words(console: Console, field: Field, incomplete: str, given: Said) -> list[str]:
    """The words with this beginning that may stand in a field, given those before. Leaves out words with control
    characters, which nobody can type. bash takes an offer as if it was typed, so it is quoted there; zsh and fish quote
    by themselves.
    """
    kind = field.shape.word or field.kind
    typed = os.environ.get("_AFFRAY_COMPLETE", "").startswith("bash")
    before, comma, _ = incomplete.rpartition(",") if kind in _LISTS else ("", "", "")
    try:
        every = [before + comma + one for one in _words(console, kind, field, given)]
    except AffrayError:
        return []
    found = [one for one in every if one.casefold().startswith(incomplete.casefold())]
    return [quoted(one) if typed else one for one in found if one.isprintable()]


_LISTS = ("fighters", "blows", "groups")
"""Kinds of which several are named with commas."""
_RECENT = 50
"""How many of the last entries are offered."""
_FILES = ("sheet", "encounter", "party", "table")
"""Kinds that name files."""


def _words(console: Console, kind: str, field: Field, given: Said) -> list[str]:
    """What may stand in a field: files of this folder, entries, words of the program, and what the form says."""
    match kind:
        case "entry":
            return [f"e{entry}" for entry in standing(console.book.store, _RECENT)]
        case "shipped":
            from commands.words.sheet_files import example_sheets

            return [*example_sheets(console.system), "new", "import", "set"]
        case "clause":
            from commands.look.clauses import clauses

            known = [console.system] if console.system else systems.playable()
            return [*(clause for system in known for clause in clauses(system)), "options", "tables"]
        case "system":
            return [*systems.every()]
        case "format":
            from commands.files.exports import FORMATS

            return [*FORMATS]
        case "exported-table":
            from commands.files.exports.tidy import TABLES

            return [*TABLES]
        case "kind":
            from ledger.events import KINDS, tag

            return [tag(kind) for kind in KINDS]
    files = [name for name in os.listdir() if name.endswith(".toml")] if kind in _FILES else []
    if not console.system:
        return [*files, *field.listed]
    table = Table(console.book.present()[1], TOOLS, console.book.store)
    found = table.words(field, Meanings(table).given(given))
    return [*files, *found, *(_words(console, "entry", field, given) if kind == "shown" else ())]
