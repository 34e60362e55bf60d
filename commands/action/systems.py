"""The rule systems and their verbs, by name. Importing a system imports none of its rules."""

import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ledger.errors import AffrayError, Refused, RulesMissing, UsageError

from .cards import System, Verb
from .common_verbs import COMMON, COURSE

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from ledger.events import Event
    from projections.state import State

    from .declaration import Declaration

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules")
SYSTEMS = tuple(sorted(name for name in os.listdir(_FOLDER) if os.path.isfile(f"{_FOLDER}/{name}/__init__.py")))
"""The rule systems that come with Affray: every package under `commands/rules`."""
GROUP = "affray.systems"
"""The group of entry points by which other installed packages bring rule systems."""


@cache
def installed() -> "dict[str, EntryPoint]":
    """The rule systems that other packages bring, by name. To look for them takes longer than an action."""
    if not any(map(_may_bring, sys.path)):
        return {}
    from importlib.metadata import entry_points

    points: dict[str, EntryPoint] = {point.name: point for point in entry_points(group=GROUP)}
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
        package = installed()[name].dist
        hint = f"It comes from the package {package.name if package else installed()[name].value}."
        raise UsageError(f"The rule system {name} cannot be loaded: {type(error).__name__}: {error}", hint) from None
    if not isinstance(brought, System):
        raise UsageError(f"The rule system {name} cannot be loaded: {installed()[name].value} is not a System.")
    return brought


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


def past(verb: str) -> str:
    """What a recorded verb does to the record; "" for what is played."""
    return COURSE[verb].past if verb in COURSE else ""


def amends(declared: "Event") -> bool:
    """Whether something that was declared corrects an entry."""
    return past(getattr(declared, "verb", "")) == "amends"


def in_play(declared: "Event") -> bool:
    """Whether harm that is recorded by what was declared was suffered in play."""
    card = COMMON.get(getattr(declared, "verb", ""))
    return not (card and card.role in ("there", "sets"))


def about_record(verb: str) -> bool:
    """Whether what a verb records is said of the record, and not done in the fight."""
    return verb in COMMON and COMMON[verb].role == "aside" and bool(COMMON[verb].beside)


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


def named(word: str, verbs: "Mapping[str, Verb]", system: str = "") -> str:
    """The verb that a word is, or begins, of those that can be said in a rule system, if one is known. Raises
    AffrayError when it is none, with the reason where others have it, or may be several.
    """
    if word not in verbs and system and word in load(system).elsewhere:
        raise elsewhere(system, word)
    if name := begun(word, verbs):
        return name
    from .spelling import no_verb

    raise no_verb(word, verbs)


def begun(word: str, verbs: "Mapping[str, Verb]") -> str:
    """The verb that a word is, or that a beginning stands for, in any case: the only one that begins so, or the only
    one of several that is used `often`; else the first that only shows something and for which it is another word; ""
    for none. What somebody does in the fight goes before what nobody does, however often that is said; those that are
    `seldom` used stand back. Verbs of two words are typed whole. Raises UsageError when it may be several.
    """
    if word in verbs:
        return word
    low = word.casefold()
    found = _beginning(low, verbs) if low not in ("", _NO) else {}
    usual = [name for name, verb in found.items() if verb.rank in ("often", "begun")]
    names = [name for name, verb in found.items() if verb.by != "gm"] or usual or [*found]
    often = [name for name in names if name in usual]
    if len(names) > 1 and len(often) != 1:
        raise UsageError(f"{word[:40]!r} could be {', '.join(sorted({*names, *usual}))}.", "Type more of the verb.")
    shows = [name for name, verb in verbs.items() if low and verb.kind == "looks" and low in verb.also]
    return next(iter(often or names or shows), "")


def _beginning(low: str, verbs: "Mapping[str, Verb]") -> "dict[str, Verb]":
    """The verbs of one word that begin so: those that are not seldom used, if there are any."""
    every = {name: verb for name, verb in verbs.items() if " " not in name and name.startswith(low)}
    return {name: verb for name, verb in every.items() if verb.rank != "seldom"} or every


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


def has_module(system: str, name: str) -> bool:
    """Whether a rule system has a module that it may leave out, such as `pasted`, which reads stat blocks from text."""
    whole = f"{load(system).package}.{name}"
    try:
        import_module(whole)
    except Exception as error:  # of another one its use says what is wrong
        return not isinstance(error, ModuleNotFoundError) or error.name != whole
    return True


def stat_block(system: str) -> Any:
    """The type of a stat block, `Sheet`: of the module `stat_block`, where `sheet` loads much else, or of `sheet`."""
    return found(system, "stat_block" if has_module(system, "stat_block") else "sheet", "Sheet")


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
