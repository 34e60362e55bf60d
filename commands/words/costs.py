"""What an offered command costs: who could still do what in this round, and cannot after it. Loaded after a refusal."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec

from commands.action import rulebook, systems
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import EncounterEnded, RoundBegan, WaitingEnded, together, whose

_AT_ONCE = "attacks left"
"""What somebody loses as soon as somebody else acts, though neither turn nor phase changes."""
_CARRIED_OUT = ("done", "triggered", "taken", "resolved")
"""How an action that waited ended, where nothing is lost."""
_FAILED = "failed"
"""How one ended of which nothing came, such as a spell whose effect nobody said."""


def _chances(view: View) -> dict[str, set[str]]:
    """What everybody can still do in this round, in a word each, such as a turn: what the board of the system says."""
    return {who: set(words) for who, words in rulebook.of(view.state.campaign.system).board.chances(view).items()}


def cost_of(done: Resolution) -> str:
    """Who gives up what by a command that was tried, as it stands below it: "(gives up Jane's turn)", "(gives up the
    movement of Ogre and Orc-1 to Orc-4)"; "" for nobody.
    """
    by_words: dict[str, list[str]] = {}
    for who, words in _given_up(done).items():
        by_words.setdefault(together(words), []).append(who)
    parts = [
        f"{whose(who[0])} {words}" if not who[1:] else f"the {words} of {together(_in_rows(who))}"
        for words, who in by_words.items()
    ]
    return f"(gives up {'; '.join(parts)})" if parts else ""


def _given_up(done: Resolution) -> dict[str, list[str]]:
    """What each gives up, in the order of the roster: those whom it does not name, and by a command that only lets go
    all of them, and those whose action fails by it. What is carried out is not given up, nor what somebody has lost who
    falls; and by other commands nothing is while turn and phase stay as they are. An answer to an open window takes
    nobody else's away.
    """
    before, after = done.before, done.state
    card = systems.find_verb(before.campaign.system, done.verb)
    if card.has("answers") and not card.lets_go:
        return {}  # others can still answer, or there is nothing to answer any more
    over = any(isinstance(event, RoundBegan | EncounterEnded) for event in done.events)
    could, can = _chances(View(before)), {} if over else _chances(View(after))
    lost = {who: could.get(who, set()) - can.get(who, set()) for who in before.roster.order if after.stands(who)}
    if not card.lets_go and before.turns == after.turns and before.pending == after.pending:
        lost = {who: words & {_AT_ONCE} for who, words in lost.items()}
    spared = _spared(done, card.lets_go)
    return {who: sorted(words) for who, words in lost.items() if words and who not in spared}


def _spared(done: Resolution, lets_go: bool) -> set[str]:
    """Those whose action was carried out, and those whom a command names, unless theirs failed."""
    ended = {(event.who, event.how) for event in done.events if isinstance(event, WaitingEnded)}
    spared = {who for who, how in ended if how in _CARRIED_OUT}
    named = [] if lets_go else _names(msgspec.to_builtins(done.declaration))
    return spared | {name for name in named if (name, _FAILED) not in ended}


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
    told = ([f"{row[0]} to {row[-1]}"] if row[2:] else row for row in rows.values())
    return sorted(chain.from_iterable(told), key=lambda one: names.index(one.partition(" to ")[0]))
