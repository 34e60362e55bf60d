"""The verbs that look at a ledger or handle it as a whole, each with its module."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from commands.action.cards import Verb
from commands.action.common_verbs import COURSE

if TYPE_CHECKING:
    from commands.action.book import Book, Done
    from commands.action.declaration import Declaration
    from commands.words.console import Console


def _tool(where: str, summary: str, traits: str = "", words: str = "") -> Verb:
    return Verb(f"commands.{where}", summary, words, f"gm handles {traits}")


def _look(where: str, summary: str, traits: str = "", words: str = "") -> Verb:
    return Verb(f"commands.{where}", summary, words, f"gm looks {traits}")


TOOLS: dict[str, Verb] = {
    "init": Verb(
        "commands.files.init:open_ledger", "Open a new ledger.", traits="gm anywhere seldom not-script not-prompt"
    ),
    "status": _look(
        "look.show:status", "Show the board: everybody's state and whose turn it is.", "often", "who, board"
    ),
    "show": _look(
        "look.show:show",
        "Show one combatant, or one entry, in full.",
        words="info, character, what, how, status, inspect",
    ),
    "log": _look("look.show:log", "List what was recorded.", "tells", "history, journal, record, story"),
    "map": _look("look.show:draw_map", "Draw the map.", words="grid, battlefield, positions, where"),
    "replay": _look("look.replay:replay", "Show a round or an encounter again, step by step.", "tells"),
    "why": _look("look.why:why", "Show which entries changed a value, and how."),
    "diff": _look("look.why:diff", "Show what differs between two entries, and why.", words="compare, difference"),
    "find": _look("look.find:find", "Find where conditions became true.", "tells"),
    "disputes": _look("look.precedents:disputes", "List disputes, and precedents by clause."),
    "stats": _look(
        "look.stats:stats",
        "Add up damage, hits, dice, luck and pace.",
        "anywhere",
        "statistics, totals, xp, luck, pace",
    ),
    **COURSE,
    "verify": _tool("files.verify:verify", "Check the whole record.", "anywhere", "check, audit, validate, proof"),
    "copy": _tool("files.copy:copy", "Copy a ledger, even while others write.", "anywhere seldom", "duplicate, clone"),
    "backup": _tool(
        "files.backup:backup", "Keep a copy in a folder, made anew after each encounter.", "anywhere seldom not-browser"
    ),
    "ledgers": _tool(
        "files.campaigns:ledgers", "List the campaigns of a PostgreSQL database.", "anywhere seldom not-browser"
    ),
    "archive": _tool(
        "archive.archive:archive", "Write the tables of many campaigns into a folder.", "anywhere seldom not-browser"
    ),
    "salvage": _tool(
        "files.salvage:salvage", "Save what is sound of a damaged ledger into a new one.", "anywhere seldom"
    ),
    "run": _tool("shell.run:run", "Play a script of commands.", "tells not-script"),
    "play": _tool(
        "shell.play:play", "Open a prompt that takes the verbs without the program's name.", "anywhere terminal"
    ),
    "demo": _tool("shell.run:demo", "Play the demo fight of a rule system.", "anywhere tells not-script not-prompt"),
    "odds": _look(
        "odds.odds:odds", "Show how likely each outcome of an action is.", "anywhere", "chance, chances, probability"
    ),
    "choices": _look("odds.choices:choices", "Show what somebody can do now.", "seldom", "actions, possible"),
    "what-if": _tool("what_if.what_if:what_if", "Try a house rule on fights of the past.", "anywhere seldom"),
    "sheets": _look(
        "files.sheets:sheets",
        "List the stat blocks that come with the rules.",
        "anywhere",
        "monsters, bestiary, creatures, characters, enemies",
    ),
    "sheet": _look("files.sheets:sheet", "Print a stat block that comes with the rules.", "anywhere"),
    "sheet new": _tool("files.sheets:sheet_new", "Write a new stat block, to be filled in.", "anywhere"),
    "sheet import": _tool("pasted.sheet_import:sheet_import", "Read stat blocks from text.", "anywhere"),
    "rules": _look(
        "look.clauses:rules", "Show what a clause says; list clauses and options.", "anywhere", "rule, lookup"
    ),
    "export": _tool("files.transfer:export", "Write the ledger in a format that others read.", "seldom", "report"),
    "import": _tool(
        "files.transfer:bring_in", "Make a ledger from JSON Lines.", "anywhere seldom not-script not-prompt"
    ),
    "serve": _tool(
        "live.serve:serve", "Show the fight on a live page, for every phone at the table.", "seldom terminal"
    ),
    "mcp": _tool("agents.mcp:mcp", "Serve the ledger to a language model, as a server of MCP.", "seldom terminal"),
    "seats": _tool("seats.links:seats", "List the seats, and whom each plays.", "seldom not-browser"),
    "proposals": _look("seats.deciding:proposals", "List what players propose from their seats.", "not-browser"),
    "accept": Verb(
        "commands.seats.deciding:accept", "Record what a player proposes.", traits="gm tells not-script not-browser"
    ),
    "decline": _tool("seats.deciding:decline", "Send back what a player proposes.", "not-script not-browser"),
    "help": _look(
        "shell.manual:help_",
        "Explain a verb.",
        "anywhere",
        "?, commands, usage, man, explain, how do i, how to, how can i",
    ),
    "completion": _tool("shell.completion:completion", "Print the completion script of a shell.", "anywhere seldom"),
}
"""The verbs that look at a ledger, or handle it as a whole. Their procedure takes a Console."""


def before(verb: Verb) -> "Callable[[Book, Declaration], tuple[Declaration, tuple[str, ...]]]":
    """Checks the ledger before a `checked` verb is carried out, and gives the declaration with all names in full, and
    notes.
    """
    found: Callable[[Book, Declaration], tuple[Declaration, tuple[str, ...]]] = import_module(verb.beside).check
    return found


def beside(verb: Verb) -> "Callable[[Console, Done, Declaration], None]":
    """Does what follows beside the ledger once a verb is recorded, and says what of it is to be known."""
    found: Callable[[Console, Done, Declaration], None] = import_module(verb.beside).follow
    return found
