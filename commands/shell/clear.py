"""What is clear need not be said: who acts, where only one may act now; whom they act upon, where the rules allow only
one; and that somebody goes `--to` a square. Loaded only when a command has failed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

import click
import msgspec

from commands.action import systems
from commands.action.declaration import Shape, shapes
from commands.action.dice_sources import Stream
from commands.action.names import acting, find_all, resolve_names
from commands.action.procedures import ANY_DICE, after_opening, resolve
from commands.action.resolution import Again, Needed, Resolution
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from commands.words.parameters import BEFORE_DICE
from ledger.errors import AffrayError, NameUnknown, Refused, RulesMissing, UsageError

if TYPE_CHECKING:
    from projections.state import State

_PEOPLE = ("fighter", "fighters", "blows")
_SQUARE = re.compile(r"-?\d+,-?\d+(,-?\d+)?")
"""A square, as it is typed."""
_TRIES = 60
"""The most ways to fill in names that are tried."""


def completed(console: Console, root: click.Context, typed: Sequence[str]) -> list[str]:
    """The words with the names that were left out, where the rules allow only one way to fill them in; else none. The
    only way that there is at all is given, too, if the rules refuse it and not its words.
    """
    system = console.system
    if not system or not typed or "--allow" in typed or not all(map(str.strip, typed)):
        return []
    with suppress(UsageError, RulesMissing):
        name = whole_verb(typed[0], system)
        verb = systems.load(system).verbs.get(name)
        if verb and verb.by == "combatant" and not verb.passive:
            state = console.book.present()[1]
            ways = list(islice(_ways(state, name, verb, typed[1:]), _TRIES))
            found = list(islice(_allowed(root, system, state, ways), 2))
            return found[0] if len(found) == 1 else []
    return []


def _ways(state: "State", name: str, verb: systems.Verb, words: Sequence[str]) -> Iterator[list[str]]:
    """The words of a verb, with those who may have been left out."""
    fields = shapes(systems.procedure(verb)[1])
    places = [(field.name, shape) for field, shape in fields if field.required or shape.positional]
    if not places or places[0][0] != "who" or places[0][1].word != "fighter":
        return
    end = next((at for at, word in enumerate(words) if word.startswith(("--", BEFORE_DICE))), len(words))
    said, rest = [*words[:end]], [*words[end:]]
    goes = any(field.name == "to" and shape.word == "square" for field, shape in fields)
    square = next((word for word in said if goes and _SQUARE.fullmatch(word)), "")
    if square:
        said.remove(square)
        rest = ["--to", square, *rest]
    named = [_named(state, word) for word in said]
    upon = next((at for at, (_, shape) in enumerate(places[1:], 1) if shape.word in _PEOPLE), 0)
    able = acting(state)
    has_doer = bool(named and named[0]) and not _takes(places[1:], said[0])
    if has_doer and upon == 1 and sum(map(bool, named)) == 1 and not {*named[0]} <= {*able}:
        has_doer = False  # the only name is that of the target
    doers = [said[0]] if has_doer else able
    said, named = (said[1:], named[1:]) if has_doer else (said, named)
    has_target = not upon or any(named)
    if has_doer and has_target:
        if square:
            yield [name, *doers, *said, *rest]
        return
    for doer in doers:
        who = _named(state, doer)[0]
        targets = [""] if has_target else [one for one in state.roster.order if _fits(state, who, one, verb)]
        given = [one for names in named for one in names]
        if upon == 1 and not has_doer and not all(_fits(state, who, one, verb) for one in given):
            continue
        for target in targets:
            filled = [doer, *said]
            if target:
                filled.insert(min(upon, len(filled)), target)
            yield [name, *filled, *rest]


def _named(state: "State", word: str) -> tuple[str, ...]:
    """Those whom a word names; nobody where it names none."""
    with suppress(NameUnknown):
        return find_all(state, tuple(word.split(",")))
    return ()


def _takes(places: Sequence[tuple[str, Shape]], word: str) -> bool:
    """Whether the field behind the one who acts takes a word as one of its choices, such as a direction."""
    shape = places[0][1].inner or places[0][1] if places else None
    return shape is not None and word.casefold() in {str(one).casefold() for one in shape.choices}


def _fits(state: "State", who: str, other: str, verb: systems.Verb) -> bool:
    """Whether somebody may be the one whom the other acts upon: a friend where it is done for friends, else a foe."""
    members = state.roster.members
    return state.stands(other) and (members[who].side == members[other].side) is verb.friendly


def _allowed(root: click.Context, system: str, state: "State", ways: Sequence[list[str]]) -> Iterator[list[str]]:
    """Those of some commands that the rules allow now, whatever dice fall; a single one also if they refuse it."""
    for words in ways:
        with root, suppress(AffrayError, Again, Needed, click.ClickException, msgspec.ValidationError):
            order = order_of(words, system)
            now = after_opening(state, order.verb, order.declaration)
            declaration = resolve_names(now, order.declaration)
            fight = Resolution(now, order.verb, declaration, Stream(ANY_DICE, 0))
            try:
                resolve(fight)
            except Refused:
                if ways[1:]:
                    continue
            if not fight.makeshift:
                yield words
