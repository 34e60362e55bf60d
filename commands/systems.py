"""The rule systems and their verbs, by name. Importing a system imports none of its rules."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ledger.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .declaration import Declaration

SYSTEMS = ("freepg", "aachen", "arkm", "dungeoneers", "paraverse")
"""The rule systems that can be played, each a folder under `commands`."""


class Verb:
    """Where a verb is found, and what its help says in one line."""

    def __init__(self, module: str, procedure: str, summary: str, answers: bool = False, check: str = "") -> None:
        self.module = module
        """The module that holds the procedure and its declaration."""
        self.procedure = procedure
        """The procedure's name; its declaration bears the same name in CamelCase."""
        self.summary = summary
        self.answers = answers
        """Whether it may be said while a window is open, which holds up every other verb of the rule system."""
        self.check = check
        """The module whose function `check` looks at the ledger first, for what no state knows; "" if none does. It
        gives the declaration, with what is to be written out in full; `--allow` does without it."""


class Option:
    """A house-rule switch of a rule system."""

    def __init__(self, default: str | int | bool, choices: tuple[str | int | bool, ...], meaning: str) -> None:
        self.default = default
        self.choices = choices
        """What it can be set to; empty for any whole number that is not negative."""
        self.meaning = meaning


class System:
    """A rule system, as far as it can be known without its rules."""

    def __init__(
        self,
        title: str,
        credit: str,
        verbs: dict[str, Verb],
        options: dict[str, Option],
        elsewhere: dict[str, str],
        window: str = "table.window",
        players: tuple[str, ...] = ("party",),
        tables: dict[str, str] | None = None,
        version: int = 1,
    ) -> None:
        self.title = title
        self.version = version
        """Of its rules; every entry names it. It rises when an entry of the version before would come out otherwise."""
        self.credit = credit
        """Where the rules come from."""
        self.verbs = verbs
        self.options = options
        self.elsewhere = elsewhere
        """Verbs that this system does not have, with the reason or the verb to use; before the reason, and a colon,
        the clause that refuses the verb, where one does."""
        self.window = window
        """The clause by which an open window holds up what does not answer it."""
        self.players = players
        """The sides that players usually fight for: what an export for players tells in full."""
        self.tables = tables or {}
        """The tables that a campaign may replace by its own files, with what they hold; each comes with the system as
        `tables/NAME.toml`, and its module `tables` has `read`, which checks their content."""


def load(name: str) -> System:
    """The rule system of that name. Raises UsageError when there is none."""
    if name not in SYSTEMS:
        raise UsageError(f"There is no rule system {name[:40]!a}.", f"Known are: {', '.join(SYSTEMS)}.")
    system: System = import_module(f"commands.{name}").SYSTEM
    return system


def rules(name: str) -> str:
    """The rules of a system in the version that is running, as entries name them: `freepg-1`."""
    return f"{name}-{load(name).version}"


def rules_named(program: str) -> str:
    """The rules that an entry names in its `program`: the last word of `affray 0.1.0 freepg-1`."""
    return program.rpartition(" ")[2]


def is_current(program: str, system: str) -> bool:
    """Whether a program resolved by the very rules of a system that are running."""
    return system in SYSTEMS and rules_named(program) == rules(system)


COMMON: dict[str, Verb] = {
    "init": Verb("commands.table", "init", "Open a new ledger: the first entry of each."),
    "option": Verb("commands.table", "option", "Set a house rule."),
    "join": Verb("commands.table", "join", "Bring combatants to the table."),
    "leave": Verb("commands.table", "leave", "Take combatants off the table."),
    "roll": Verb("commands.table", "roll", "Roll dice for anything else."),
    "note": Verb("commands.table", "note", "Write a line into the record."),
    "adjust": Verb("commands.adjust", "adjust", "Say what is so from now on, with a reason."),
    "dispute": Verb("commands.disputes", "dispute", "Dispute what an entry says.", check="commands.cases"),
    "settle": Verb("commands.disputes", "settle", "Settle a dispute: a precedent."),
    "assert": Verb("commands.disputes", "assert_", "Compare a number with a player's sheet.", check="commands.cases"),
}
"""The recorded verbs that every rule system has."""

TOOLS: dict[str, Verb] = {
    "init": Verb("commands.opening", "open_ledger", "Open a new ledger."),
    "status": Verb("commands.looking", "status", "Show the board: who stands how, whose turn it is."),
    "show": Verb("commands.looking", "show", "Show one combatant, or one entry, in full."),
    "log": Verb("commands.looking", "log", "List what was recorded."),
    "map": Verb("commands.looking", "draw_map", "Draw the map."),
    "replay": Verb("commands.replaying", "replay", "Show a round or an encounter again, step by step."),
    "why": Verb("commands.reasons", "why", "Say which entries made a number, and how."),
    "diff": Verb("commands.reasons", "diff", "Say what differs between two entries, and what made it so."),
    "find": Verb("commands.finding", "find", "Find where something became so."),
    "bisect": Verb("commands.finding", "bisect", "Find where something first became so."),
    "disputes": Verb("commands.cases", "disputes", "List disputes, and precedents by clause."),
    "stats": Verb("commands.statistics", "stats", "Add up damage, hits, dice, luck and pace."),
    "undo": Verb("commands.history", "undo", "Take back the last entry, or one and all after it."),
    "redo": Verb("commands.history", "redo", "Bring back what undo took."),
    "amend": Verb("commands.amend", "amend", "Correct an entry, and resolve what came after again on the same dice."),
    "verify": Verb("commands.audit", "verify", "Check the whole record."),
    "copy": Verb("commands.copies", "copy", "Copy a ledger into a new file, also while others write."),
    "salvage": Verb("commands.salvage", "salvage", "Save what is sound of a damaged ledger into a new one."),
    "run": Verb("commands.scripts", "run", "Play a script of commands."),
    "demo": Verb("commands.scripts", "demo", "Play the demo fight of a rule system."),
    "odds": Verb("commands.odds", "odds", "Say how likely each outcome of an action is."),
    "rules": Verb("commands.rulebook", "rules", "Say what a clause says; list clauses and options."),
    "export": Verb("commands.transfer", "export", "Write the ledger in a format that others read."),
    "import": Verb("commands.transfer", "bring_in", "Make a ledger from JSON Lines."),
    "completion": Verb("commands.completion", "completion", "Print the completion script of a shell."),
}
"""The verbs that look at a ledger, or handle it as a whole. Their procedure takes a Desk."""


def find_verb(system: str, name: str) -> Verb:
    """The verb of that name in a rule system, or in all. Raises UsageError when there is none."""
    verbs = {**COMMON, **(load(system).verbs if system else {})}
    if name not in verbs:
        raise UsageError(f"There is no verb {name!r}{f' in {system}' if system else ''}.", "affray --help")
    return verbs[name]


def procedure(verb: Verb) -> "tuple[Callable[..., None], type[Declaration]]":
    """A verb's procedure and its declaration. Imports the module that holds them."""
    module: Any = import_module(verb.module)
    title = "".join(word.capitalize() for word in verb.procedure.split("_"))
    return getattr(module, verb.procedure), getattr(module, title)
