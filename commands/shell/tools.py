"""The verbs that look at a ledger or handle it as a whole, each with its module."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from commands.action.cards import Verb, card
from commands.action.common_verbs import COURSE

if TYPE_CHECKING:
    from commands.action.book import Book, Done
    from commands.action.declaration import Declaration
    from commands.words.console import Console


def _tool(where: str, summary: str, also: str = "", traits: str = "", not_in: str = "") -> Verb:
    return card(f"commands.{where}", summary, also, f"gm handles {traits}", not_in=tuple(not_in.split()))


def _look(where: str, summary: str, also: str = "", traits: str = "", not_in: str = "") -> Verb:
    return _tool(where, summary, also, f"looks {traits}", not_in)


TOOLS: dict[str, Verb] = {
    "init": _tool(
        "files.init:open_ledger", "Open a new ledger.", traits="records anywhere seldom", not_in="script prompt"
    ),
    "status": _look(
        "look.show:status", "Show the board: everybody's state and whose turn it is.", "who, board", "often"
    ),
    "show": _look(
        "look.show:show", "Show one combatant, or one entry, in full.", "info, character, what, how, status, inspect"
    ),
    "log": _look("look.show:log", "List what was recorded.", "history, journal, record, story", "tells"),
    "map": _look("look.show:draw_map", "Draw the map.", "grid, battlefield, positions, where"),
    "replay": _look("look.replay:replay", "Show a round or an encounter again, step by step.", traits="tells"),
    "why": _look("look.why:why", "Show which entries changed a value, and how."),
    "diff": _look("look.why:diff", "Show what differs between two entries, and why.", "compare, difference"),
    "find": _look("look.find:find", "Find where conditions became true.", traits="tells"),
    "disputes": _look("look.precedents:disputes", "List disputes, and precedents by clause."),
    "stats": _look(
        "look.stats:stats",
        "Add up damage, hits, dice, luck and pace.",
        "statistics, totals, xp, luck, pace",
        "anywhere",
    ),
    **COURSE,
    "verify": _tool("files.verify:verify", "Check the whole record.", "check, audit, validate, proof", "anywhere"),
    "copy": _tool("files.copy:copy", "Copy a ledger, also while others write.", "duplicate, clone", "anywhere seldom"),
    "backup": _tool(
        "files.backup:backup",
        "Keep a copy in a folder, made anew after each encounter.",
        traits="anywhere seldom",
        not_in="browser",
    ),
    "ledgers": _tool(
        "files.campaigns:ledgers",
        "List the campaigns of a PostgreSQL database.",
        traits="anywhere seldom",
        not_in="browser",
    ),
    "archive": _tool(
        "archive.archive:archive",
        "Write the tables of many campaigns into a folder.",
        traits="anywhere seldom",
        not_in="browser",
    ),
    "salvage": _tool(
        "files.salvage:salvage", "Save what is sound of a damaged ledger into a new one.", traits="anywhere seldom"
    ),
    "run": _tool("shell.run:run", "Play a script of commands.", traits="tells", not_in="script"),
    "play": _tool(
        "shell.play:play",
        "Open a prompt that takes the verbs without the program's name.",
        traits="anywhere",
        not_in="script prompt browser",
    ),
    "demo": _tool(
        "shell.run:demo", "Play the demo fight of a rule system.", traits="anywhere tells", not_in="script prompt"
    ),
    "odds": _look(
        "odds.odds:odds", "Show how likely each outcome of an action is.", "chance, chances, probability", "anywhere"
    ),
    "choices": _look("odds.choices:choices", "Show what somebody can do now.", "actions, possible", "seldom"),
    "what-if": _tool("what_if.what_if:what_if", "Try a house rule on fights of the past.", traits="anywhere seldom"),
    "sheets": _look(
        "files.sheets:sheets",
        "List the stat blocks that come with the rules.",
        "monsters, bestiary, creatures, characters, enemies",
        "anywhere",
    ),
    "sheet": _look("files.sheets:sheet", "Print a stat block that comes with the rules.", traits="anywhere"),
    "sheet new": _tool("files.sheets:sheet_new", "Write a new stat block, to be filled in.", traits="anywhere"),
    "sheet import": _tool("pasted.sheet_import:sheet_import", "Read stat blocks from text.", traits="anywhere"),
    "rules": _look(
        "look.clauses:rules", "Show what a clause says; list clauses and options.", "rule, lookup", "anywhere"
    ),
    "export": _tool("files.transfer:export", "Write the ledger in a format that others read.", "report", "seldom"),
    "import": _tool(
        "files.transfer:bring_in", "Make a ledger from JSON Lines.", traits="anywhere seldom", not_in="script prompt"
    ),
    "serve": _tool(
        "live.serve:serve",
        "Show the fight on a live page, for every phone at the table.",
        traits="seldom",
        not_in="script prompt browser",
    ),
    "mcp": _tool(
        "agents.mcp:mcp",
        "Serve the ledger to a language model, as a server of MCP.",
        traits="seldom",
        not_in="script prompt browser",
    ),
    "seats": _tool("seats.links:seats", "List the seats, and whom each plays.", traits="seldom", not_in="browser"),
    "proposals": _look("seats.deciding:proposals", "List what players propose from their seats.", not_in="browser"),
    "accept": _tool(
        "seats.deciding:accept", "Record what a player proposes.", traits="records tells", not_in="script browser"
    ),
    "decline": _tool("seats.deciding:decline", "Send back what a player proposes.", not_in="script browser"),
    "help": _look(
        "shell.manual:help_",
        "Explain a verb.",
        "?, commands, usage, man, explain, how do i, how to, how can i",
        "anywhere",
    ),
    "completion": _tool(
        "shell.completion:completion", "Print the completion script of a shell.", traits="anywhere seldom"
    ),
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
