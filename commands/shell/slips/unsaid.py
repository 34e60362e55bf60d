"""The verbs that go without saying: what is done with what was named, or to those who were."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from commands.action import rulebook, systems

from .sayings import BECOMES
from .thrown import LARGEST
from .verb_names import stems
from .verb_words import Reading, VerbWords

if TYPE_CHECKING:
    from .tokens import Token

_TOWARD = frozenset({"to", "toward", "towards"})
"""Words before the one to whom somebody goes."""
_LENGTHS = frozenset({"feet", "foot", "ft", "squares", "square", "away"})
"""Units that count no value."""
_ARMS = ("blow", "shot", "taking")
_DONE_WITH = {
    "spell": ("magic",),
    "cantrip": ("magic",),
    "tome": ("magic",),
    "prayer": ("prayer",),
    "skill": ("trial",),
    "weapon": _ARMS,
    "item": _ARMS,
    "carried": _ARMS,
    "hand": _ARMS,
}
"""The tables of a stat block by a part of their names, each with the ideas of what is done with the things in it."""


def unsaid(verbs: VerbWords, words: Sequence[str], said: bool) -> Iterator[Reading]:
    """The verbs that are meant where none is said; where one was `said`, only what is done to a foe."""
    cards, reader, amounts = verbs.cards, verbs.reader, verbs.amounts
    words = [word.rstrip(",;") if word[:1].isalpha() else word for word in reader.numbered(words)]
    for how, becomes in BECOMES.items():
        rest = [word for word in words if word.casefold() not in becomes]
        if any(map(reader.is_name, rest)) and rest != [*words]:
            adjusts = filter(cards.sets, systems.COMMON)
            yield from (Reading(name, [rest[0], "down", how, *rest[1:]], True) for name in adjusts)
    if said:
        words = [word for word in words if word.casefold() not in cards.known]
        if len([word for word in words if reader.is_name(word)]) > 1:
            yield from _all(cards.meaning("blow"), words)
        return
    settings = rulebook.of(reader.state.campaign.system).referee.fields
    asked = [word for word in words if reader.is_name(word)]
    if asked and words[0].casefold() in settings:  # `side guard-2 pc`
        yield from _all(filter(cards.sets, systems.COMMON), words)
    fields = [low for low in map(str.casefold, words) if low in reader.fields and not cards.with_flag({*stems(low)})]
    if len(words) == 2 and asked and fields:
        yield Reading("show", asked, True)  # `ac ogre`
    if words and reader.is_throw(words[0]):
        yield Reading("roll", [*words], True)
    for word in words:
        yield from _all(cards.choosing(word.casefold(), not words[1:]), [word])
    tokens = reader.tokens([word for word in words if not word.startswith("--")], False)
    people = [token for token in tokens if token.people]
    others = [token for token in tokens if not token.people]
    numbers = [token for token in tokens if token.number]
    if people and not _TOWARD.isdisjoint(map(str.casefold, words)):  # `brenna to corm`
        yield from _all(cards.meaning("step"), words)
    if people[1:] and numbers:
        far = [] if numbers[1:] or int(numbers[0].number) <= LARGEST else cards.meaning("shot")  # `corm wolf 30`
        yield from _all(dict.fromkeys([*far, *cards.meaning("blow"), *cards.meaning("shot")]), words)
    if people and any(re.search(r"\d(ft|feet|sq)", word) for word in words):  # `suori 5ft back`
        yield from _all(cards.meaning("step"), words)
        return
    known = reader.fields | amounts.known
    behind = others[1:2] if others and others[0].number else others[:1]
    told = bool(behind) and behind[0].word.casefold() in known  # `hedwig -2 hp arrow from the dark`
    if numbers and people and (told or all(_is_counted(token, known) for token in others)):
        words = amounts.signed(words, words)
        harms = amounts.harms(words) and not any(word.startswith("+") for word in words)
        signed = any(token.signed for token in numbers)  # which is no value that a sheet says
        counting = [name for name in systems.COMMON if cards.counts(name) and not numbers[1:]]
        counting = [name for name in counting if not (signed and systems.about_record(name))]
        yield from _all((name for name in counting if name != "damage" or harms), words)
    elif any(reader.is_thing(token.word) for token in others):
        yield from _with_things(verbs, words)
    elif people[1:]:
        yield from _all(cards.meaning("blow", "shot"), words)
    elif people and not others:
        yield from _all(filter(None, ("show", verbs.opens)), words)


def _all(names: Iterable[str], words: Sequence[str]) -> Iterator[Reading]:
    """Verbs with the same words."""
    return (Reading(name, [*words], True) for name in names)


def _is_counted(token: "Token", fields: set[str]) -> bool:
    """Whether a word is a number, its unit, or a value that somebody has."""
    low = token.word.casefold()
    return low not in _LENGTHS and bool(token.number or token.unit or low in fields)


def _with_things(verbs: VerbWords, words: Sequence[str]) -> Iterator[Reading]:
    """The deeds that name a thing: a spell, a weapon, a skill; where its kind is known, those for that kind; by the
    only one who has it before others.
    """
    cards, reader = verbs.cards, verbs.reader
    owners: dict[str, set[str]] = {}
    things = [word for word in words if not reader.is_name(word)]
    for at, word in enumerate(things):
        owners = owners or reader.owners(" ".join(things[at : at + 2])) or reader.owners(word)
    owners = {who: held for who, held in owners.items() if reader.state.stands(who)}
    tables = {table for held in owners.values() for table in held}
    fit = {idea for kind, ideas in _DONE_WITH.items() for table in tables if kind in table for idea in ideas}
    deeds = [name for name in cards.own if cards.takes_thing(name)]
    named = any(word.casefold() == name.casefold() for name in owners for word in words)
    for name in [name for name in deeds if name in cards.meaning(*fit)] or deeds:
        if len(owners) == 1:  # `firebolt goblin ulfarmi` is cast by Ulfarmi
            others = [word for word in words if not named or word.casefold() not in map(str.casefold, owners)]
            yield Reading(name, [*owners, *others], True)
        yield Reading(name, [*words], True)
    if "blow" in fit:  # `sigrun broadsword reaver`, where a blow is dealt with what is in hand
        bare = [word for word in words if not reader.owners(word) or reader.is_name(word)]
        yield from _all((name for name in cards.meaning("blow") if name not in deeds), bare)
