"""Completion: the shell completes verbs, options, and the names of those at the table."""

import os
from itertools import islice
from typing import Annotated, Literal

import click
from msgspec import Meta

from commands.action import systems
from commands.action.declaration import Declaration
from commands.action.names import acting
from commands.action.quoting import quoted
from commands.words.console import Console
from ledger.errors import AffrayError, UsageError
from projections.state import State

_SHELLS = ("bash", "zsh", "fish")


class Completion(Declaration):
    """Print the completion script of a shell, for its start-up file: eval "$(affray completion bash)"."""

    shell: (
        Annotated[
            Literal["bash", "zsh", "fish"],
            Meta(description="Which shell; by default yours.", extra={"positional": True}),
        ]
        | None
    ) = None


def check_shell(_: Console, said: Completion) -> str:
    """The shell that is meant. Raises UsageError where nothing says which, or there is no script for it."""
    shell = said.shell or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in _SHELLS:
        problem = f"There is no completion for the shell {shell}." if shell else "Nothing says which shell is yours."
        raise UsageError(problem, "\n".join(f"affray completion {one}" for one in _SHELLS))
    return shell


def completion(console: Console, said: Completion) -> None:
    """Prints the script, which comes from click and asks affray for the words."""
    from click.shell_completion import get_completion_class

    shell = check_shell(console, said)
    kind = get_completion_class(shell)
    assert kind
    script = kind(click.get_current_context().find_root().command, {}, "affray", "_AFFRAY_COMPLETE").source()
    if console.json:
        console.give({"ok": True, "shell": shell, "script": script})
        return
    console.say(script, whole=True)


def words(console: Console, word: str, incomplete: str) -> list[str]:
    """The words with this beginning, by the kind of word. Leaves out words with control characters, which nobody can
    type. bash takes an offer as if it was typed, so it is quoted there; zsh and fish quote by themselves.
    """
    typed = os.environ.get("_AFFRAY_COMPLETE", "").startswith("bash")
    try:
        found = [one for one in _words(console, word, incomplete) if one.casefold().startswith(incomplete.casefold())]
    except AffrayError:
        return []
    return [quoted(one) if typed else one for one in found if one.isprintable()]


_RECENT = 50
"""How many of the last entries are offered."""


def _entries(console: Console) -> list[str]:
    """The last entries that stand, the newest first."""
    store = console.book.store
    standing = (entry for first, last in store.course(store.head().entry) for entry in range(last, first - 1, -1))
    return [f"e{entry}" for entry in islice(standing, _RECENT)]


def _fighters(state: State) -> list[str]:
    """Everybody at the table, those who may act now before the others."""
    return list(dict.fromkeys([*acting(state), *state.roster.order]))


def _words(console: Console, word: str, incomplete: str) -> list[str]:
    if word in ("fighter", "shown"):
        return [*_fighters(console.book.present()[1]), *(_entries(console) if word == "shown" else ())]
    if word == "entry":
        return _entries(console)
    if word == "disputed":
        return [f"e{case.entry}" for case in console.book.present()[1].disputes.open]
    if word == "option":
        return list(systems.load(console.system).options) if console.system else []
    if word in ("fighters", "blows"):
        state = console.book.present()[1]
        before, comma, _ = incomplete.rpartition(",")
        sides = (f"@{side}" for side in state.roster.sides())
        return [before + comma + name for name in (*_fighters(state), *sides)]
    if word == "value":
        from projections.changes import values

        return list(values(console.book.present()[1]))
    if word in ("group", "groups"):
        roster = console.book.present()[1].roster
        before, comma, _ = incomplete.rpartition(",") if word == "groups" else ("", "", "")
        return [before + comma + name for name in (*roster.sides(), *roster.order)]
    if word == "area":
        return list(console.book.present()[1].areas.names)
    if word in ("sheet", "sheet-name"):
        from commands.words.sheet_files import example_sheets

        files = [name for name in os.listdir() if name.endswith(".toml")]
        return [*files, *example_sheets(console.system)]
    if word in ("encounter", "party"):
        from commands.words.sheet_files import example_files

        files = [name for name in os.listdir() if name.endswith(".toml")]
        return [*files, *(example_files("encounters", console.system) if word == "encounter" else ())]
    if word == "shipped":
        from commands.words.sheet_files import example_sheets

        return [*example_sheets(console.system), "new", "import", "set"]
    if word == "table-name":
        return list(systems.load(console.system).tables) if console.system else []
    if word == "table":
        return [name for name in os.listdir() if name.endswith(".toml")]
    if word == "clause":
        from commands.look.rulebook import clauses

        known = [console.system] if console.system else systems.playable()
        return [*(clause for system in known for clause in clauses(system)), "options", "tables"]
    if word == "system":
        return [*systems.every()]
    if word == "format":
        from commands.files.exports import FORMATS

        return [*FORMATS]
    if word == "exported-table":
        from commands.files.exports.tables import TABLES

        return [*TABLES]
    if word == "kind":
        from ledger.events import KINDS, tag

        return [tag(kind) for kind in KINDS]
    return []
