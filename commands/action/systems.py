"""The rule systems and their verbs, by name. Importing a system imports none of its rules."""

import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ledger.errors import AffrayError, Refused, RulesMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence
    from importlib.metadata import EntryPoint
    from types import ModuleType
    from typing import Literal

    from ledger.events import Event
    from projections.state import State

    from .declaration import Declaration

    By = Literal["combatant", "turn", "referee"]
    Past = Literal["", "jumps", "amends", "lasts"]

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules")
SYSTEMS = tuple(sorted(name for name in os.listdir(_FOLDER) if os.path.isfile(f"{_FOLDER}/{name}/__init__.py")))
"""The rule systems that come with Affray: every package under `commands/rules`."""
GROUP = "affray.systems"
"""The group of entry points by which other installed packages bring rule systems."""


class Verb:
    """A verb: where it is found, and all that is to be known of it before it is carried out."""

    def __init__(
        self,
        module: str,
        procedure: str,
        summary: str,
        *,
        by: "By" = "combatant",
        answers: bool = False,
        often: bool = False,
        seldom: bool = False,
        repeated: bool = False,
        passive: bool = False,
        does: str = "",
        says: str = "",
        works: str = "",
        past: "Past" = "",
        checked: str = "",
        beside: str = "",
        records: bool = True,
        looks: bool = False,
        tells: bool = False,
        without_ledger: bool = False,
        in_scripts: bool = True,
        at_prompt: bool = True,
        in_browser: bool = True,
        aside: bool = False,
        gives_up: bool = False,
        ends_turn: bool = False,
        friendly: bool = False,
        owed: bool = False,
        also: tuple[str, ...] = (),
        perhaps: tuple[str, ...] = (),
        ideas: tuple[str, ...] = (),
        is_so: bool = False,
        sets_up: bool = False,
        massed: bool = False,
        usual: bool = False,
        blow: bool = False,
        near: str = "",
        alone: tuple[str, ...] = (),
        trial: str = "",
        lists: str = "",
    ) -> None:
        self.module = module
        """The module that holds the procedure and its declaration; without dots, one of the system's package."""
        self.procedure = procedure
        """The procedure's name; its declaration has the same name in CamelCase."""
        self.summary = summary
        """What it does, in one line of help."""
        self.by = by
        """Whose it is at the table: an action of a `combatant`, which a player may say for their own; what takes the
        `turn` on, for the table; or a word of the `referee` alone."""
        self.answers = answers
        """Whether it may be said while a window is open. An open window stops every other verb of the rule system."""
        self.often = often
        """Whether it is meant by a beginning that other verbs have too."""
        self.seldom = seldom
        """Whether it is no verb of the table, and is only meant by a beginning that no verb of the table has."""
        self.repeated = repeated
        """Whether the events that it records say all that the declaration says, so that a story leaves it out."""
        self.passive = passive
        """Whether its `who` does nothing, but something is done to them: `adjust Boffin`, not `Boffin adjusts`."""
        self.does = does
        """What somebody does by it: `takes the opportunity`; "" for the verb in its third person."""
        self.says = says
        """What is told of what was said, with the names of its fields in braces: `that {name} is {value}`; "" for field
        after field."""
        self.works = works
        """The field that says what is done to the target, which is told after it: `spell` for `casts spark on Grub`; ""
        where the target is told first, as in `attacks Grub (with bow)`."""
        self.past = past
        """What it does to the record: it `jumps` to another place of the course, it `amends` an entry, or what it
        records `lasts`, whatever is undone; "" for what is played."""
        self.checked = checked
        """The module that looks into the ledger for it first, for what no state holds; "" for none. What it records is
        about the record and not about the fight. `--allow` skips the check."""
        self.beside = beside
        """The module that does what follows beside the ledger once it is recorded, by its `follow`; "" for none."""
        self.records = records
        """Whether it appends an entry of its own to the ledger."""
        self.looks = looks
        """Whether it only shows what is there: it changes no ledger, writes no file and does not stay."""
        self.tells = tells
        """Whether it tells entries, and therefore has --brief. A verb of the table has it in any case."""
        self.without_ledger = without_ledger
        """Whether it works where no ledger is."""
        self.in_scripts = in_scripts
        """Whether a script can use it: it opens no ledger and no prompt, plays no script, and does not stay."""
        self.at_prompt = at_prompt
        """Whether the prompt can use it: it opens no ledger and no prompt, and does not stay."""
        self.in_browser = in_browser
        """Whether it works in a page: it needs no server, no other process and no folder of the user."""
        self.aside = aside
        """Whether it changes nothing in the fight: an instant may still answer the action before it."""
        self.gives_up = gives_up
        """Whether somebody does nothing by it: no loss where a correction leaves nothing to give up."""
        self.ends_turn = ends_turn
        """Whether it ends the turn that is under way, which the player whose turn it is may say as well."""
        self.friendly = friendly
        """Whether somebody does it for their own side."""
        self.owed = owed
        """Whether the board says who owes it, as a morale check: only those are `@due` behind it."""
        self.also = also
        """Other words that mean it, typed whole, where no verb begins so; one of several words is only offered."""
        self.perhaps = perhaps
        """Words that may mean it: it is only offered for them."""
        self.ideas = ideas
        """What is meant by it at tables of every rule system: the ideas of `vocabulary`, where the words stand."""
        self.is_so = is_so
        """Whether the referee says by it what is so: in a phase whose actions all happen at once, it does not wait for
        the end of the phase."""
        self.sets_up = sets_up
        """Whether it sets how somebody is: the harm that it records was not suffered in play. Only of a verb that every
        rule system has."""
        self.massed = massed
        """Whether it carries out what many declared: each of several fights is told on one line then, the dice before
        the outcome, and the arithmetic stays in the log."""
        self.near = near
        """The verb that may have been meant where this one is impossible with what somebody has in hand: `shoot` for
        `attack`; for a tool the one that takes what this one does not, `show` for `status`; "" for none."""
        self.alone = alone
        """The options to which a number belongs that is said without one, `last` for `log 5`, or any other word,
        `called` for `join orc Grumsh`."""
        self.trial = trial
        """The function beside the procedure that checks what was said and does nothing, by which a hint is tried; ""
        for none. A verb that only shows something is carried out instead."""
        self.lists = lists
        """The command that lists what may be said to it; "" where its help says that."""
        self.usual = usual
        """Whether it is one of the verbs used most, which the help of the program lists."""
        self.blow = blow
        """Whether dice alone mean it, where it is clear who strikes whom: `14 6`. Its arguments are who and whom."""

    @property
    def lets_go(self) -> bool:
        """Whether nobody does anything by it: it takes the turn on, or somebody gives something up."""
        return self.by == "turn" or self.gives_up


class Option:
    """A house rule of a rule system."""

    def __init__(
        self, default: str | int | bool, choices: tuple[str | int | bool, ...], meaning: str, hands: bool = False
    ) -> None:
        self.default = default
        self.choices = choices
        """What it can be set to; empty for any whole number that is not negative."""
        self.meaning = meaning
        self.hands = hands
        """Whether it names those who throw their dice by hand: a side, a seat, or all seats; "" for nobody."""


HOUSE_RULES = {
    "hidden_dice": Option(False, (True, False), "Nobody but the referee sees the dice of the other sides fall."),
    "hand_dice": Option(
        "",
        (),
        "The side whose dice are thrown by hand and asked for on a terminal, or a seat, or seats for all of them; the "
        "program rolls all others. none is nobody.",
        hands=True,
    ),
}
"""The options that every rule system has."""


class Window:
    """How the rules speak of an open window: an action that waits until others have answered it."""

    def __init__(self, clause: str = "table.window", answer: str = "", go_on: str = "", module: str = "") -> None:
        self.clause = clause
        """The clause by which it stops every other action."""
        self.answer = answer
        """The verb by which somebody who is asked answers; "" for none in particular."""
        self.go_on = go_on
        """The verb that goes on with what waits; "" for none."""
        self.module = module
        """The module whose `review` measures anew, after each action while a window is open, who may still answer it,
        and goes on with what it holds up when nobody may; "" for none. It is loaded only then."""


class System:
    """A rule system, as far as it is known without loading its rules."""

    def __init__(
        self,
        package: str,
        title: str,
        credit: str,
        verbs: dict[str, Verb],
        options: dict[str, Option],
        elsewhere: dict[str, str],
        window: Window | None = None,
        players: tuple[str, ...] = ("party",),
        tables: dict[str, str] | None = None,
        version: int = 1,
        ground: tuple[str, ...] = (),
        stat_block: str = "sheet",
        pasted: str = "",
        about: str = "",
        rests: str = "",
        opens: str = "",
        phrases: dict[str, str] | None = None,
    ) -> None:
        self.package = package
        """The package that holds its modules: its own `__name__`."""
        for verb in verbs.values():
            if "." not in verb.module:
                verb.module = f"{package}.{verb.module}"
        self.title = title
        self.version = version
        """The version of its rules; every entry names it. It rises when the rules would resolve an older entry
        differently."""
        self.credit = credit
        """Where the rules come from."""
        self.about = about or credit.partition(";")[0]
        """What a fight is like, in one line, for somebody who chooses a rule system."""
        self.verbs = verbs
        self.options = {**options, **HOUSE_RULES}
        self.elsewhere = elsewhere
        """Verbs that this system does not have, with the reason or the verb to use. A clause that refuses the verb
        comes first, with a colon."""
        self.window = window or Window()
        self.rests = rests
        """The command that gives what the book gives for days of rest, with `{who}` and `{days}` in braces; "" where it
        gives nothing."""
        self.players = players
        """The sides that players usually fight for. An export for players tells all about them."""
        self.ground = ground
        """The verbs that lay the ground: a prepared encounter may hold them. `begin` carries them out at its end."""
        self.stat_block = stat_block
        """The module that holds `Sheet`, the type of a stat block. Every action that looks at somebody loads it; where
        `sheet` itself loads much else, a module of its own is faster."""
        self.pasted = pasted
        """The module whose `sheet_of` makes a stat block of what was read from text, for `affray sheet import`; "" for
        none."""
        self.opens = opens
        """The verb that begins somebody's turn, where an action of the one whose turn is next says it, too: the verb is
        then recorded before the action. "" where a turn begins in another way."""
        self.phrases = phrases or {}
        """Words of the table that are no verb in any rule system, or a meaning of `vocabulary` that has many, with the
        command that they are in this one, without those who are named: `check sneaking` for `stealth`. They are only
        offered."""
        self.tables = tables or {}
        """The tables that a campaign may replace by its own files, with what they hold; each comes with the system as
        `tables/NAME.json`, and its module `tables` has `read`, which checks their content."""


@cache
def installed() -> "dict[str, EntryPoint]":
    """The rule systems that other packages bring, by name. To look for them takes longer than an action."""
    if not any(map(_may_bring, sys.path)):
        return {}
    from importlib.metadata import entry_points

    points = {point.name: point for point in entry_points(group=GROUP)}
    return {name: points[name] for name in sorted(points) if name.isidentifier() and name not in SYSTEMS}


def _may_bring(folder: str) -> bool:
    """Whether a package in a folder of the path may bring a rule system: so it is where only the library can tell."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return os.path.exists(folder)
    for name in names:
        if name.lower().endswith("-info"):
            with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                if GROUP.encode() in file.read():
                    return True
    return False


def every() -> tuple[str, ...]:
    """The names of all rule systems that can be played."""
    return (*SYSTEMS, *installed())


def is_known(name: str) -> bool:
    """Whether a rule system of that name can be played."""
    return name in SYSTEMS or name in installed()


@cache
def load(name: str) -> System:
    """The rule system of that name. Raises RulesMissing when there is none, UsageError when it cannot be loaded."""
    if name in SYSTEMS:
        own: System = import_module(f"commands.rules.{name}").SYSTEM
        return own
    if name not in installed():
        raise RulesMissing(name)
    try:
        brought = installed()[name].load()
    except Exception as error:
        raise UsageError(
            f"The rule system {name} cannot be loaded: {type(error).__name__}: {error}",
            f"It comes from the package {_package(name)}.",
        ) from None
    if not isinstance(brought, System):
        raise UsageError(f"The rule system {name} cannot be loaded: {installed()[name].value} is not a System.")
    return brought


def _package(name: str) -> str:
    found = installed()[name].dist
    return found.name if found else installed()[name].value


def playable() -> dict[str, System]:
    """All rule systems that can be loaded, by name."""
    loaded = {}
    for name in every():
        with suppress(UsageError):
            loaded[name] = load(name)
    return loaded


def check_named(name: str, how: str) -> None:
    """Raises UsageError with the list of rule systems, unless somebody names one."""
    if is_known(name):
        load(name)
        return
    said = f"There is no rule system {name[:40]!r}." if name else "No rule system is named."
    raise UsageError(said, "\n".join([f"{how} There are:", *listed()]))


def listed() -> list[str]:
    """A line about each rule system that can be played."""
    return [f"  {name:<12} {system.about}" for name, system in playable().items()]


def rules(name: str) -> str:
    """The rules of a system in the version that is running, as entries name them: `freepg-1`."""
    return f"{name}-{load(name).version}"


def rules_named(program: str) -> str:
    """The rules that an entry names in its `program`: the last word of `affray 0.1.0 freepg-1`."""
    return program.rpartition(" ")[2]


def is_current(program: str, system: str) -> bool:
    """Whether a program resolved by the same rules of a system as this one."""
    return is_known(system) and rules_named(program) == rules(system)


PHRASES = {
    "unseating": "seat --nobody",
    "house-rules": "rules options",
    "creatures": "sheets",
    "every-verb": "help all",
    "saving-all": "copy",
    "toll": "stats damage",
    "order-of-turns": "status",
    "record": "log",
    "whole-record": "log --last 0",
    "seats": "seats",
}
"""What sayings of the table mean in every rule system, as `System.phrases`."""
COMMON: dict[str, Verb] = {
    "init": Verb(
        "commands.action.common", "init", "Open a new ledger.",
        by="referee", repeated=True, sets_up=True, seldom=True,
    ),
    "option": Verb(
        "commands.action.common", "option", "Set a house rule.", by="referee", repeated=True, lists="rules options",
        perhaps=("house rule", "houserule", "setting"),
    ),
    "join": Verb(
        "commands.action.common", "join", "Bring combatants to the table.",
        by="referee", repeated=True, lists="sheets", alone=("count", "called"), is_so=True, sets_up=True, usual=True,
        also=("add", "spawn", "summon"),
        perhaps=("enter", "create", "monster", "put", "bring in", "init add"),
    ),
    "unmask": Verb(
        "commands.action.common", "unmask", "Open somebody's true name to the players.", by="referee", repeated=True,
        perhaps=("reveal", "unveil", "uncover", "expose", "identify"),
    ),
    "rename": Verb(
        "commands.action.common", "rename", "Give a combatant another name.", by="referee", repeated=True,
        perhaps=("call", "name"),
    ),
    "sheet set": Verb(
        "commands.action.stat_blocks", "sheet_set", "Give somebody at the table another stat block.",
        by="referee", repeated=True, passive=True, is_so=True,
    ),
    "leave": Verb(
        "commands.action.common", "leave", "Take combatants off the table.", by="referee", repeated=True, is_so=True,
        also=("remove", "delete", "dismiss"), perhaps=("kick", "kick out", "flee", "escape", "clear", "off"),
    ),
    "seat": Verb(
        "commands.action.seats", "seat", "Say whom a player plays, from their own phone.",
        by="referee", repeated=True, is_so=True, seldom=True, beside="commands.seats.links",
        perhaps=("player", "plays", "assign", "played by", "controls"),
    ),
    "set-aside": Verb(
        "commands.action.seats", "set_aside", "Record dice that were thrown and not used.",
        by="referee", repeated=True, aside=True, seldom=True, passive=True,
    ),
    "roll": Verb(
        "commands.action.common", "roll", "Roll dice for anything else.", repeated=True, aside=True,
        perhaps=("dice", "throw dice", "roll dice"),
    ),
    "note": Verb(
        "commands.action.common", "note", "Write a note into the record.",
        by="referee", repeated=True, aside=True, also=("#", "say", "write"),
        perhaps=("write down", "remember", "loot", "give", "xp", "gold", "treasure"),
    ),
    "mark": Verb(
        "commands.action.marks", "mark", "Set a bookmark at an entry, or comment on it.",
        by="referee", repeated=True, aside=True, seldom=True, checked="commands.look.marked",
        also=("bookmark", "comment"),
    ),
    "adjust": Verb(
        "commands.action.adjust", "adjust", "Set a value of a combatant, with a reason.",
        by="referee", passive=True, is_so=True, sets_up=True, also=("set", "change"),
        perhaps=("place", "put", "teleport", "carry", "heal", "regain", "has", "hp", "gain", "give", "get", "edit",
                 "restore", "level up"),
    ),
    "damage": Verb(
        "commands.action.damage", "damage", "Harm somebody, with a reason.",
        by="referee", passive=True, is_so=True, also=("hurt", "harm", "pain", "wound", "dmg", "injure"),
        perhaps=("take damage", "takes", "burn", "deal", "deal damage", "lose", "loses", "hp", "bleed", "poison"),
    ),
    "dispute": Verb(
        "commands.action.dispute", "dispute", "Dispute what an entry says.",
        by="referee", repeated=True, aside=True, checked="commands.look.precedents",
    ),
    "settle": Verb(
        "commands.action.dispute", "settle", "Settle a dispute.",
        by="referee", repeated=True, aside=True, lists="disputes", checked="commands.look.precedents",
        perhaps=("overrule", "decide", "judge", "rule", "close", "uphold", "upheld", "close dispute",
                 "uphold the dispute", "dispute is upheld", "close the dispute", "end dispute",
                 "reject dispute", "resolve dispute"),
    ),
    "assert": Verb(
        "commands.action.dispute", "assert_", "Compare a value with a player's sheet.",
        by="referee", repeated=True, aside=True, checked="commands.look.precedents", says="that {name} is {value}",
    ),
}  # fmt: skip
"""The recorded verbs that every rule system has."""
COURSE: dict[str, Verb] = {
    "undo": Verb(
        "commands.past.undo", "undo", "Take back the last entry, or a given one and all later ones.",
        by="referee", often=True, repeated=True, past="jumps", tells=True, usual=True,
        perhaps=("oops", "back", "take back", "go back", "revert", "cancel", "mistake", "wrong", "undo that",
                 "rewind", "rollback", "roll back", "reroll", "restart", "take that back",
                 "take it back"),
    ),
    "redo": Verb(
        "commands.past.undo", "redo", "Bring back what undo took back.",
        by="referee", repeated=True, past="jumps", tells=True, perhaps=("restore", "reapply"),
    ),
    "amend": Verb(
        "commands.past.amend", "amend", "Correct an entry, and resolve all later ones again on the same dice.",
        by="referee", past="amends",
        perhaps=("fix", "correct", "repair", "change entry", "change", "edit", "delete", "remove"),
    ),
    "stir": Verb(
        "commands.past.secrets", "stir", "Begin a new epoch of the dice, with words of the players.",
        by="referee", repeated=True, past="lasts", tells=True,
    ),
    "reveal": Verb(
        "commands.past.secrets", "reveal", "Open to the players what was hidden from them.",
        by="referee", repeated=True, past="lasts", tells=True,
    ),
}  # fmt: skip
"""The verbs that are recorded and are no play: they change the course, or what anybody knows of the dice."""


def players_sides(state: "State") -> tuple[str, ...]:
    """The sides of the players: those on which somebody joined whom a player plays; before that those for which players
    of the rule system fight, and none where it is not installed.
    """
    system = state.campaign.system
    return state.roster.players or (load(system).players if is_known(system) else ())


@cache
def recorded_verbs(system: str) -> dict[str, Verb]:
    """All verbs that a ledger of a rule system may hold; those of the rule system only where it can be played."""
    own: dict[str, Verb] = {}
    with suppress(AffrayError):  # its rules are not here
        own = load(system).verbs
    return {**COMMON, **COURSE, **own}


def past(verb: str) -> "Past":
    """What a recorded verb does to the record; "" for what is played."""
    return COURSE[verb].past if verb in COURSE else ""


def amends(declared: "Event") -> bool:
    """Whether something that was declared corrects an entry."""
    return past(getattr(declared, "verb", "")) == "amends"


def in_play(declared: "Event") -> bool:
    """Whether harm that is recorded by what was declared was suffered in play."""
    card = COMMON.get(getattr(declared, "verb", ""))
    return not (card and card.sets_up)


def about_record(verb: str) -> bool:
    """Whether what a verb records is said of the record, and not done in the fight."""
    return verb in COMMON and bool(COMMON[verb].checked)


def verb_of(words: "Sequence[str]", verbs: "Container[str]") -> str:
    """The verb that words begin with: the first two where these are a verb, as in `sheet set`; else the first."""
    two = " ".join(words[:2])
    return two if len(words) > 1 and two in verbs else words[0]


def elsewhere(system: str, verb: str) -> AffrayError:
    """The reason why a rule system does not have a verb that others have."""
    loaded = load(system)
    clause, _, why = loaded.elsewhere[verb].partition(": ")
    if clause.startswith(f"{system}."):
        return Refused(clause, f"{loaded.title} has no {verb}: {why}")
    return UsageError(f"{loaded.title} has no {verb}: {loaded.elsewhere[verb]}")


_NO = "no"
"""A word that is the beginning of none: somebody who lets a strike pass notes nothing."""


def begun(word: str, verbs: "Iterable[tuple[str, Verb]]") -> str:
    """The verb that a beginning stands for, in any case: the only one that begins so, or the only one of several that
    is marked `often`; else the first for which it is another word; "" for none. What somebody does in the fight goes
    before what nobody does, however often that is said; those marked `seldom` stand back behind all others. Verbs of
    two words are typed whole. Raises UsageError when it may be several.
    """
    verbs = list(verbs)
    low = word.casefold()
    every = {name: verb for name, verb in verbs if low not in ("", _NO) and " " not in name and name.startswith(low)}
    found = {name: verb for name, verb in every.items() if not verb.seldom} or every
    usual = {name: verb for name, verb in found.items() if verb.often}
    found = {name: verb for name, verb in found.items() if verb.by != "referee"} or usual or found
    often = [name for name, verb in found.items() if verb.often]
    if len(found) > 1 and len(often) != 1:
        raise UsageError(f"{word[:40]!r} could be {', '.join(sorted({**found, **usual}))}.", "Type more of the verb.")
    if not found and word:
        from .vocabulary import means

        found = {name: verb for name, verb in verbs if word.casefold() in (*verb.also, *means(verb.ideas))}
    return (often or [*found, ""])[0]


def find_verb(system: str, name: str) -> Verb:
    """The verb of that name in a rule system, or in all. Raises UsageError when there is none."""
    found = (load(system).verbs.get(name) if system else None) or COMMON.get(name)
    if not found:
        raise UsageError(f"There is no verb {name!r}{f' in {system}' if system else ''}.", "affray --help")
    return found


def folder(system: str) -> str:
    """The folder of a rule system, with its sheets, tables and pages."""
    return os.path.dirname(str(import_module(load(system).package).__file__))


def data(system: str, name: str) -> bytes:
    """What a file of a rule system holds, such as `tables/weapons.json`."""
    with open(os.path.join(folder(system), name), "rb") as file:
        return file.read()


def module(system: str, name: str) -> "ModuleType":
    """A module of a rule system, such as its `board` or its `sheet`. Raises UsageError when it cannot be imported."""
    return _imported(f"{load(system).package}.{name}", system)


def _imported(name: str, system: str = "") -> "ModuleType":
    try:
        return import_module(name)
    except AffrayError:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            raise unfit(system, f"{name} is missing.") from None
        raise unfit(system, f"{name} cannot be imported: {type(error).__name__}: {error}.") from error


def unfit(system: str, why: str, hint: str = "") -> UsageError:
    """Something of a rule system is missing, or is not as it must be; `why` is a sentence that names it."""
    return UsageError(f"The rule system {system} cannot be played: {why}" if system else why, hint)


def found(system: str, name: str, what: str) -> Any:
    """Something that a module of a rule system must have, such as its type `Sheet`. Raises UsageError when it is not
    there.
    """
    held = module(system, name)
    if not hasattr(held, what):
        raise unfit(system, f"{held.__name__} has no {what}.")
    return getattr(held, what)


@cache
def procedure(verb: Verb) -> "tuple[Callable[..., None], type[Declaration]]":
    """A verb's procedure and its declaration. Imports the module that holds them. Raises UsageError when they are not
    there.
    """
    module: Any = _imported(verb.module)
    title = "".join(word.capitalize() for word in verb.procedure.split("_"))
    for name, what in ((verb.procedure, "procedure"), (title, "declaration")):
        if not hasattr(module, name):
            raise unfit("", f"{verb.module} has no {name}: the {what} of a verb.")
    return getattr(module, verb.procedure), getattr(module, title)
