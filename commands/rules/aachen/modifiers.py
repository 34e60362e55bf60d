"""Modifiers: what is added to a number, by which clause; and what the game master adds with --mod."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from commands.action import modifiers
from commands.action.effects import called
from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Number

Term = tuple[int, str, str]
"""What is added, why, and the clause that says so; "" for none."""


_ALSO = {"attack": "hit", "ac": "armor"}
"""Words of the stat block and of effects for numbers that `--mod` calls otherwise."""


def with_terms(total: Number, terms: Iterable[Term]) -> Number:
    """The number with all of them."""
    for value, why, clause in terms:
        total = total.plus(value, why, clause)
    return total


def read_mods(
    fight: Resolution, words: Sequence[str], whose: Mapping[str, Sequence[str]], dice: Sequence[str] = ()
) -> tuple[Modifier, ...]:
    """What the game master adds. `whose` has the numbers of the action, its own first, and those who have each.

    `dice` are the words that are taken in place of a number.
    """
    known = (*whose, *(also for also, what in _ALSO.items() if what in whose))
    read = modifiers.read(fight, words, known, dice=dice)
    mods = tuple(replace(mod, what=_ALSO.get(mod.what, mod.what)) for mod in read)
    for mod in mods:
        names = whose[mod.what]
        if mod.who not in ("", *names):
            message = f"{mod.who} has no {mod.what} to modify here."
            fight.impossible(message, f"The {mod.what} belongs to {' or '.join(names)}.")
    return mods


def terms(mods: Iterable[Modifier], what: str, who: str, unnamed: bool = True, clause: str = "") -> list[Term]:
    """Those of a number of somebody; where nobody was named they are the first one's, who counts the `unnamed`."""
    names = (who, "") if unnamed else (who,)
    return [(mod.amount, mod.why, clause) for mod in mods if mod.what == what and not mod.dice and mod.who in names]


def effects(view: View, who: str, kind: str) -> list[Term]:
    """What the lasting effects of somebody add to a number."""
    return [(one.amount, called(name), "") for name, one in view.state.conditions.held(who) if one.modifies == kind]
