"""What an offered command costs: who could still do what in this round, and cannot after it. Loaded after a refusal."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ledger.events import EncounterEnded, RoundBegan, WaitingEnded, together, whose

from . import rulebook, systems
from .resolution import Resolution
from .view import View

_AT_ONCE = "attacks left"
"""What somebody loses as soon as somebody else acts, though neither turn nor phase changes."""
_CARRIED_OUT = ("done", "triggered", "taken", "resolved")
"""How an action that waited ended, where nothing is lost."""
_COST = "(gives up "
"""How the line begins that says what the command before it costs."""
_MOST = 3
"""The most commands that are offered for one that is refused."""
_FAILED = "failed"
"""How one ended of which nothing came, such as a spell whose effect nobody said."""


def _chances(view: View) -> dict[str, set[str]]:
    """What everybody can still do in this round, in a word each, such as a turn: what the board of the system says."""
    board = rulebook.of(view.state.campaign.system).board
    return {who: set(words) for who, words in board.chances(view).items()}


def given_up(done: Resolution) -> dict[str, list[str]]:
    """Who gives up what by a command that was tried, in the order of the roster: those whom it does not name, and by a
    command that only lets go all of them, and those whose action fails by it. What is carried out is not given up, nor
    what somebody has lost who falls; and by other commands nothing is while turn and phase stay as they are. An answer
    to an open window takes nobody else's away.
    """
    before, after, events = done.before, done.state, done.events
    card = systems.find_verb(before.campaign.system, done.verb)
    lets_go = card.lets_go
    if card.answers and not lets_go:
        return {}  # others can still answer, or there is nothing to answer any more
    still = not lets_go and before.turns == after.turns and before.pending == after.pending
    could, over = _chances(View(before)), any(isinstance(event, RoundBegan | EncounterEnded) for event in events)
    can = {} if over else _chances(View(after))
    spared = {event.who for event in events if isinstance(event, WaitingEnded) and event.how in _CARRIED_OUT}
    if not lets_go:
        failed = {event.who for event in events if isinstance(event, WaitingEnded) and event.how == _FAILED}
        spared.update(name for name in _names(msgspec.to_builtins(done.declaration)) if name not in failed)
    lost = {who: could.get(who, set()) - can.get(who, set()) for who in before.roster.order if after.stands(who)}
    if still:
        lost = {who: words & {_AT_ONCE} for who, words in lost.items()}
    return {who: sorted(words) for who, words in lost.items() if words and who not in spared}


def _names(said: Any) -> list[str]:
    """All texts of a declaration; names are among them."""
    match said:
        case str():
            return [said]
        case dict():
            return [name for one in said.values() for name in _names(one)]
        case list() | tuple():
            return [name for one in said for name in _names(one)]
    return []


def told(lost: dict[str, list[str]]) -> str:
    """What is given up, as it stands below a command: "(gives up Jane's turn)", "(gives up the movement of Ogre and
    Orc-1 to Orc-4)"; "" for nothing.
    """
    by_words: dict[str, list[str]] = {}
    for who, words in lost.items():
        by_words.setdefault(together(words), []).append(who)
    parts = [
        f"{whose(who[0])} {words}" if not who[1:] else f"the {words} of {together(_in_rows(who))}"
        for words, who in by_words.items()
    ]
    return f"{_COST}{'; '.join(parts)})" if parts else ""


def _in_rows(names: Sequence[str]) -> list[str]:
    """The names with those of one kind whose numbers follow each other as one.

    >>> _in_rows(["Orc-1", "Ogre", "Orc-2", "Orc-3", "Wolf-7", "Wolf-9"])
    ['Orc-1 to Orc-3', 'Ogre', 'Wolf-7', 'Wolf-9']
    """
    rows: dict[tuple[str, int], list[str]] = {}
    for name in names:
        kind, _, number = name.rpartition("-")
        nth = int(number) if kind and number.isdecimal() else 0
        row = rows.pop((kind, nth - 1), []) if nth else []
        rows[(kind, nth) if nth else (name, 0)] = [*row, name]
    found = [
        f"{row[0]} to {row[-1]}" if row[2:] else name for row in rows.values() for name in row[: 1 if row[2:] else 2]
    ]
    return sorted(found, key=lambda one: names.index(one.partition(" to ")[0]))


def with_word(hint: str, overruled: str) -> str:
    """The lines of a hint for the game master, with the command that overrules what refuses: behind what costs nobody
    anything, and before what does; three commands at most.
    """
    lines = _each_once(hint.splitlines())
    free = next((at for at, line in enumerate(lines) if _COST in line), len(lines))
    kept = _each_once([*lines[:free], *([overruled] if overruled else []), *lines[free:]])
    commands = [at for at, line in enumerate(kept) if line.startswith("affray ")]
    return "\n".join(kept[: commands[_MOST]] if commands[_MOST:] else kept)


def _each_once(lines: Iterable[str]) -> list[str]:
    """Some lines of hints, each once, with what a command costs or leaves out in the line of that command."""
    found: dict[str, list[str]] = {}
    head = ""
    for line in lines:
        first, *notes = line.splitlines() or [""]
        if first.startswith("(") and found:
            notes = [first, *notes]
        else:
            head = first
        found.setdefault(head, []).extend(note for note in notes if note not in found.get(head, ()))
    return ["\n".join([line, *notes]) for line, notes in found.items()]
