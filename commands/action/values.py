"""Values of the board by name: finds the one that was typed, and compares it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ledger.errors import NameUnknown
from projections.changes import FIELDS, held
from projections.state import State

from . import rulebook, systems
from .names import initials
from .spelling import nearest

NEVER = frozenset({"-", "0", "no", "none", "nobody's", "false"})
"""Values that count as no."""


def on_board(state: State, board: Mapping[str, str], name: str) -> str:
    """A value of the board; a dash for what is not on it, or 0 for harm of the rule system that begins with it."""
    system = state.campaign.system
    harm = rulebook.of(system).board.harm if systems.is_known(system) else {}
    return held(board, name) if name.rpartition(".")[2] in harm else board.get(name, "-")


def plain(word: str) -> str:
    """A name or value as it is compared: in small letters, with hyphens for spaces."""
    return word.strip().casefold().replace(" ", "-")


def meant(board: Iterable[str], word: str, past: Callable[[], Iterable[str]] = tuple) -> str:
    """The value on a board that a word means: its name, or an unambiguous beginning of both of its parts. `past` gives
    names that are no longer on the board. Raises NameUnknown when there is none, or several.
    """
    names = list(board)
    found = _beginning(names, word)
    if not found:
        names = list(dict.fromkeys((*names, *past())))
        found = _beginning(names, word) or _never(names, word)
    if len(found) == 1:
        return found[0]
    shown = word[:80]
    if found:
        raise NameUnknown(f"{shown!r} could be {_listed(found)}.", "Type more of the name.")
    theirs = _theirs(names, word)
    if theirs and "." not in word:
        raise NameUnknown(f"{shown!r} is not a value, but somebody who has several.", f"Say which: {_listed(theirs)}.")
    near = theirs or nearest(word, names, numbered=False)
    message = f"Nothing on the board is called {shown!r}."
    raise NameUnknown(message, f"Closest matches: {_listed(near)}." if near else "affray show")


def _beginning(names: list[str], word: str) -> list[str]:
    """The names that begin so, or by initials with a number: g1.hp is Grub-1.hp. A whole name of a combatant wins, then
    a whole name of a value.
    """
    if exact := [name for name in names if plain(name) == plain(word)]:
        return exact
    head, dot, tail = plain(word).partition(".")
    if not head or (dot and not tail):
        return []
    parts = {name: plain(name).partition(".") for name in names if bool(dot) == ("." in name)}
    for at, wanted in ((0, head), (2, tail)):
        begin = {name: part for name, part in parts.items() if part[at].startswith(wanted)}
        begin = begin or {name: part for name, part in parts.items() if initials(part[at]) == wanted}
        parts = {name: part for name, part in begin.items() if part[at] == wanted} or begin
    return list(parts)


def _never(names: list[str], word: str) -> list[str]:
    """The name of a value that somebody never had, so that it can be asked for: others have it, or it is one of those
    that every rule system may have, named whole.
    """
    heads = {name.partition(".")[0] for name in names if "." in name}
    head, _, tail = word.partition(".")
    fields = dict.fromkeys(["down", *({plain(tail)} & FIELDS), *(name.partition(".")[2] for name in names)])
    tails = [f"x.{tail}" for tail in fields if tail]
    who = _beginning([f"{name}.x" for name in heads], f"{head}.x")
    what = _beginning(tails, f"x.{tail}")
    return [f"{who[0][:-2]}.{what[0][2:]}"] if len(who) == len(what) == 1 else []


def _theirs(names: list[str], word: str) -> list[str]:
    """The values of the one who is named, or of those whose names begin so."""
    head = plain(word).partition(".")[0]
    theirs = [name for name in names if "." in name and plain(name).partition(".")[0] == head]
    return theirs or [name for name in names if head and "." in name and plain(name).startswith(head)]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:12])
    return f"{shown} and {len(names) - 12} more" if len(names) > 12 else shown


def agree(held: str, said: str) -> bool:
    """Whether a value of the board equals the one on somebody's sheet; a dash stands for a value that is not on the
    board.
    """
    if plain(said) == "yes":
        return held not in NEVER
    return plain(held) == plain(said) or (plain(held) in NEVER and plain(said) in NEVER)
