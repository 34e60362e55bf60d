"""What is offered where no command was meant: what can be done now, and a note of what was said."""

from collections.abc import Iterator, Sequence
from itertools import islice

from commands.action import systems

from .company import Company
from .fitting import Fitting
from .places import Try
from .tokens import asks

_DEEDS = frozenset({"blow", "shot", "step"})
"""The ideas of what is done most."""
_AHEAD = frozenset(["what", "whatif", "what-if", "how", "can", "does"])
"""Words with which somebody asks what will be."""
_PROSE = 3
"""How many words are prose."""
_WAYS = 8
"""The most commands of one verb that are tried."""


def asks_for_odds(words: Sequence[str]) -> bool:
    """Whether words ask how a blow will end."""
    return words[:1] != [] and words[0].casefold().removesuffix("'s") in _AHEAD and words[1:2] not in (["do"], ["to"])


def asked(fitting: Fitting, words: Sequence[str]) -> Iterator[Try]:
    """What shows the one about whom somebody asks: `is tilda dead`."""
    if asks(words):
        people = [name for word in words for name in fitting.reader.token(word).people]
        yield from [Try(("show", who), True) for who in people[:1]]


def to_show(fitting: Fitting, words: Sequence[str]) -> Iterator[Try]:
    """What shows the only one who is named, beside one other word: `inventory jane`."""
    people = [name for word in words if fitting.reader.is_name(word) for name in fitting.reader.token(word).people]
    if len(words) == 2 and len(people) == 1:
        yield Try(("show", people[0]), True)


def to_note(fitting: Fitting, words: Sequence[str]) -> Iterator[Try]:
    """The note of prose that names no verb: several words, or what is said of somebody."""
    plain = [word for word in words if any(map(str.isalpha, word))]
    if len(plain) < 2 or any(word.startswith("-") for word in words):
        return
    if len(plain) >= _PROSE or fitting.reader.names_some(words[0]):
        yield Try(("note", " ".join(words)), True)


def by_verb(fitting: Fitting, system: str, words: Sequence[str]) -> Iterator[list[Try]]:
    """What can be done now, a list of each verb, the most usual first: by the first who is named and may act, else by
    the one whose turn it is; then what takes the turn on, or begins a fight.
    """
    verbs = systems.load(system).verbs
    reader = fitting.reader
    able = [name for word in words for name in reader.token(word).people if name in reader.acting] or reader.acting
    deeds = [name for name, verb in verbs.items() if verb.by == "combatant" and not _DEEDS.isdisjoint(verb.hints.ideas)]
    for name in sorted(deeds, key=lambda name: verbs[name].rank not in ("often", "listed")):
        for who in able[:1]:
            company = Company(reader, verbs[name], True)
            named = [[who]] if "step" in verbs[name].hints.ideas else [[who, foe] for foe in company.others(who)]
            ways = [islice(fitting.commands(name, verbs[name], people), _WAYS) for people in named]
            yield [one for some in ways for one in some if not one.filled]
    ends = [name for name, verb in verbs.items() if verb.by == "turn" or "fight-begins" in verb.hints.ideas]
    for name in sorted(ends, key=lambda name: (verbs[name].role != "turn-end", verbs[name].by != "turn")):
        yield [Try((name,), True)]
