"""Odds: how likely each outcome of an action is, before anybody rolls."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import msgspec

from commands.action import systems
from commands.action.declaration import MOST, Declaration, EntryId, says
from commands.action.procedures import after_opening
from commands.action.quoting import quoted
from commands.action.resolution import Again
from commands.look.show import state_at
from commands.past.course import latest
from commands.past.skipping import named
from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import fitted
from ledger.errors import AffrayError, NameUnknown, Refused, UsageError
from ledger.events import Declared
from projections.declarations import headline

from . import d20
from .branches import Action
from .outcomes import DRAWS, foresee
from .report import give, say

TABLE = "table"
"""The word for the table of 1d20, which is no action."""


class Odds(Declaration):
    """Show how likely each outcome of an action is: type `affray odds` before the action. Records nothing, and never
    looks at the coming dice. `affray odds table` shows the chances of 1d20.
    """

    at: Annotated[EntryId, says("Start from the board right after this entry.")] = ""
    assume: Annotated[
        tuple[str, ...], says("Assume that this clause does not refuse, such as one about turns.", word="clause")
    ] = ()
    full: Annotated[bool, says("Show every value, every ruling, and what is certain.")] = False
    draws: Annotated[int, says("Estimate from this many tries.", ge=100, le=10_000_000)] | None = None
    seed: Annotated[
        int, says("The seed of the dice of an estimate; they are not the campaign's dice.", ge=0, le=MOST)
    ] = 1


def odds(console: Console, said: Odds, verb: str, declaration: Declaration, allow: str) -> None:
    """Prints the odds of an action of the campaign."""
    entry, state = state_at(console, said.at)
    _check_clauses(said.assume, state.campaign.system)
    state = after_opening(state, verb, declaration)
    said_last = partial(latest, console.book.store, entry)
    whole, skipped = named(state, verb, declaration, allow, said_last)
    for line in skipped:
        console.whisper(line)

    action = Action(state, verb, whole, allow, said_last, said.assume)
    try:
        found = foresee(action, said.seed, said.draws, partial(_warn, console))
    except Refused as refused:
        if not (against := _stand_against(refused, action)):
            raise
        hint = _with(console, " ".join(f"--assume {clause}" for clause in against))
        raise Refused(refused.clause, refused.message, hint) from None
    except Again:
        message = f"{verb} is an instant: it resolves the last action again with the same dice, so it has no odds."
        raise UsageError(message, f"{verb} with --dry-run shows what would come of it.") from None
    declared = Declared(verb, msgspec.to_builtins(action.said), allow)
    words = headline(declared, systems.recorded_verbs(state.campaign.system))
    if console.json:
        about = {"entry": entry, "verb": verb, "said": action.said, "allow": allow, "assumed": action.assumed}
        give(console, found, state, about, said.seed, said.full)
    else:
        say(console, found, state, f"{words}{f' (at e{entry})' if said.at else ''}", said.seed, said.full)
        for clause, message in action.assumed.items():
            though = f", though: {message}" if message else ""
            console.say(harmless(f"  assumed: {clause} does not refuse{though}"))


_FEW = 100
"""Some tries, to see whether the rules refuse an action."""


def _check_clauses(assumed: Sequence[str], system: str) -> None:
    """Raises NameUnknown for an assumed clause that the rule system does not have."""
    if not assumed:
        return
    from commands.look.clauses import clauses

    known = clauses(system)
    for clause in assumed:
        if clause not in known and not clause.startswith("table."):
            raise NameUnknown(f"{clause[:80]!r} is not a clause of {systems.load(system).title}.", "affray rules")


def _stand_against(refused: Refused, action: Action) -> list[str]:
    """All clauses that refuse an action, one after the other; none when no assumption helps."""
    clauses = [refused.clause]
    while True:
        assume = (*action.assumed, *clauses)
        assumed = Action(action.state, action.verb, action.said, action.allow, action.latest, assume)
        try:
            foresee(assumed, 1, _FEW)
        except Refused as another:
            if another.clause in clauses:
                return []
            clauses.append(another.clause)
        except (AffrayError, Again):
            return []
        else:
            return clauses


def _warn(console: Console, ways: int, seconds: float) -> None:
    """Offers an estimate in place of work that takes long, and goes on. Raises UsageError where nobody can stop it."""
    takes = f"{seconds / 60:.0f} minutes" if seconds >= _MINUTES else f"{seconds:.0f} seconds"
    long = UsageError(f"To count all of about {ways:,} ways takes {takes}.", _with(console, f"--draws {DRAWS}"))
    if not console.stoppable:
        raise long
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")  # the line that says how far it is
    console.whisper(f"{long.message} Ctrl-C stops it; an estimate is there sooner.")
    console.advise(long.hint)


_MINUTES = 100
"""So many seconds are told in minutes."""


def _with(console: Console, options: str) -> str:
    """The same command with more options of odds."""
    words = console.words
    at = words.index("odds") + 1 if "odds" in words else 0
    ledger = f"--ledger {quoted(console.ledger)} " if console.ledger else ""
    return f"affray {ledger}odds {options} {' '.join(map(quoted, words[at:]))}"


# The table of 1d20


class D20Table(Declaration):
    """Show the chances of 1d20 against a target: once, and with advantage and disadvantage (the better or the worse of
    two), each with the modifier that a single die would need for about the same. Needs no ledger.

    With a target, shows only its row; with --ac and --bonus the row of an attack, whose target is the Armor Class less
    the bonus.
    A natural 1 misses and a natural 20 hits, unless the ledger plays with the option naturals=false.
    """

    target: Annotated[int, says("What the die must reach.", positional=True, ge=-MOST, le=MOST)] | None = None
    ac: Annotated[int, says("The target's Armor Class.", ge=-MOST, le=MOST)] | None = None
    bonus: Annotated[int, says("The sum of all modifiers of the attack.", ge=-MOST, le=MOST)] = 0


def d20_table(console: Console, said: D20Table) -> None:
    """The table, or one row of it."""
    if (said.bonus and said.ac is None) or (said.ac is not None and said.target is not None):
        message = "Give either the target, or the Armor Class with the bonus."
        raise UsageError(message, "affray odds table --ac 14 --bonus 6")
    target = said.target if said.ac is None else d20.target_of(said.ac, said.bonus)
    naturals = not console.system or bool(console.book.present()[1].campaign.options.get("naturals", True))
    rows: list[Any] = d20.table(naturals) if target is None else [d20.row(target, naturals)]
    if console.json:
        for row in rows:
            console.give({**msgspec.to_builtins(row), "of": 400})
        return
    titles = ["target", " 1d20", "advantage    ~", "disadvantage    ~"]
    table = []
    for row in rows:
        better = f"{_quarters(row.advantage):>9}  {row.like_advantage:+3}"
        worse = f"{_quarters(row.disadvantage):>12}  {row.like_disadvantage:+3}"
        table.append([f"{row.target:6}", f"{row.single // 4:4}%", better, worse])
    for nth, line in enumerate(fitted(titles, table, console.width)):
        console.say(line if nth else console.paint(line, "1"))


def _quarters(ways: int) -> str:
    """A number of ways of 400, as a percentage."""
    return f"{ways // 4}.{ways % 4 * 25:02}%"
