"""The verbs that look at a ledger or handle it as a whole, each with its module."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from commands.action.systems import Verb

if TYPE_CHECKING:
    from types import ModuleType

    from commands.action.book import Book
    from commands.action.declaration import Declaration

TOOLS: dict[str, Verb] = {
    "init": Verb("commands.files.init", "open_ledger", "Open a new ledger."),
    "status": Verb(
        "commands.look.show", "status", "Show the board: everybody's state and whose turn it is.", often=True
    ),
    "show": Verb("commands.look.show", "show", "Show one combatant, or one entry, in full."),
    "log": Verb("commands.look.show", "log", "List what was recorded."),
    "map": Verb("commands.look.show", "draw_map", "Draw the map."),
    "replay": Verb("commands.look.replay", "replay", "Show a round or an encounter again, step by step."),
    "why": Verb("commands.look.why", "why", "Show which entries changed a value, and how."),
    "diff": Verb("commands.look.why", "diff", "Show what differs between two entries, and why."),
    "find": Verb("commands.look.find", "find", "Find where conditions became true."),
    "bisect": Verb("commands.look.find", "bisect", "Find where conditions first became true."),
    "disputes": Verb("commands.look.precedents", "disputes", "List disputes, and precedents by clause."),
    "stats": Verb("commands.look.stats", "stats", "Add up damage, hits, dice, luck and pace."),
    "undo": Verb(
        "commands.past.undo", "undo", "Take back the last entry, or a given one and all later ones.", often=True
    ),
    "redo": Verb("commands.past.undo", "redo", "Bring back what undo took back."),
    "amend": Verb(
        "commands.past.amend", "amend", "Correct an entry, and resolve all later ones again on the same dice."
    ),
    "stir": Verb("commands.past.secrets", "stir", "Begin a new epoch of the dice, with words of the players."),
    "reveal": Verb("commands.past.secrets", "reveal", "Open to the players what was hidden from them."),
    "verify": Verb("commands.files.verify", "verify", "Check the whole record."),
    "copy": Verb("commands.files.copy", "copy", "Copy a ledger, also while others write.", seldom=True),
    "ledgers": Verb("commands.files.campaigns", "ledgers", "List the campaigns of a PostgreSQL database.", seldom=True),
    "archive": Verb(
        "commands.files.archive", "archive", "Write the tables of many campaigns into a folder.", seldom=True
    ),
    "salvage": Verb(
        "commands.files.salvage", "salvage", "Save what is sound of a damaged ledger into a new one.", seldom=True
    ),
    "run": Verb("commands.shell.run", "run", "Play a script of commands."),
    "play": Verb("commands.shell.play", "play", "Open a prompt that takes the verbs without the program's name."),
    "demo": Verb("commands.shell.run", "demo", "Play the demo fight of a rule system."),
    "odds": Verb("commands.odds.odds", "odds", "Show how likely each outcome of an action is."),
    "what-if": Verb("commands.past.what_if", "what_if", "Try a house rule on fights of the past.", seldom=True),
    "sheets": Verb("commands.files.stat_blocks", "sheets", "List the stat blocks that come with the rules."),
    "sheet": Verb("commands.files.stat_blocks", "sheet", "Print a stat block that comes with the rules."),
    "sheet new": Verb("commands.files.stat_blocks", "sheet_new", "Write a new stat block, to be filled in."),
    "rules": Verb("commands.look.rulebook", "rules", "Show what a clause says; list clauses and options."),
    "export": Verb("commands.files.transfer", "export", "Write the ledger in a format that others read."),
    "import": Verb("commands.files.transfer", "bring_in", "Make a ledger from JSON Lines.", seldom=True),
    "serve": Verb(
        "commands.live.serve", "serve", "Show the fight on a live page, for every phone at the table.", seldom=True
    ),
    "help": Verb("commands.shell.manual", "help_", "Explain a verb."),
    "completion": Verb(
        "commands.shell.completion", "completion", "Print the completion script of a shell.", seldom=True
    ),
}
"""The verbs that look at a ledger, or handle it as a whole. Their procedure takes a Console."""

TELLING = ("log", "replay", "find", "bisect", "undo", "redo", "stir", "reveal", "run", "demo")
"""Those that tell entries, and therefore have --brief."""

WITHOUT_LEDGER = frozenset(
    {
        "init", "demo", "sheets", "sheet", "sheet new", "rules", "verify", "copy", "ledgers", "archive", "salvage",
        "import", "help", "completion", "play", "odds", "stats", "what-if",
    }
)  # fmt: skip
"""The verbs that work where no ledger is; verify does so with a file, odds with its table, stats with an archive."""

CHECKS = dict.fromkeys(("dispute", "settle", "assert"), "commands.look.precedents")
"""Recorded verbs that check the ledger first, for what no state holds. `--allow` skips the check."""


def module(name: str) -> "ModuleType":
    """A module of any library, by its full name."""
    return import_module(name)


def check(verb: str) -> "Callable[[Book, Declaration], tuple[Declaration, tuple[str, ...]]]":
    """Checks the ledger before the verb is carried out, and gives the declaration with all names in full, and notes."""
    found: Callable[[Book, Declaration], tuple[Declaration, tuple[str, ...]]] = import_module(CHECKS[verb]).check
    return found
