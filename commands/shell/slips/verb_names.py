"""The verbs by their names, by other words for them, and by those of other rule systems; also begun and misspelt."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property

from commands.action import cards, systems, vocabulary
from commands.action.declaration import shapes
from commands.shell.tools import TOOLS
from ledger.errors import UsageError

from .ground import DIRECTIONS
from .verb_cards import VerbCards

_MOST = 3
"""The most verbs that are tried for a word that is spelled like them."""
_ENDINGS = ("s", "es", "ing", "ed", "d")
"""Endings of a verb, as in `attacks`."""
_USE = re.compile(r"use (\w+(?: [\w-]+(?::[\w-]+)*)*)")
"""What a rule system says to use."""
_ENDS_USE = frozenset({"and", "or", "then", "for", "to", "with", "in", "by", "of", "the", "a"})
"""Words of a sentence that stand behind what it says to use."""
BY_NAME, BY_WORD, PERHAPS = range(3)
"""How sure it is that words mean a verb."""


class VerbNames:
    """Finds the verbs of one rule system that words name."""

    def __init__(self, system: str, cards: VerbCards) -> None:
        self._system, self._cards = system, cards
        self._elsewhere = systems.load(system).elsewhere
        self._words: dict[str, dict[str, int]] = {}
        """The verbs by their other words, each with how sure that is."""
        for rank in (BY_WORD, PERHAPS):
            for name, verb in cards.known.items():
                for word in _words_for(verb, rank):
                    self._words.setdefault(word, {}).setdefault(name, rank)

    def named(self, said: str) -> dict[str, int]:
        """The verbs that words name, or that mean the same, also with an ending as in `attacks`; each with how sure
        that is.
        """
        said = "north" if said in DIRECTIONS else said
        found: dict[str, int] = {}
        for stem in stems(said):
            if stem in self._cards.known and not self._is_deed(stem):  # `run` is a step of somebody
                found[stem] = BY_NAME
            found |= {name: rank for name, rank in self._words.get(stem, {}).items() if name not in found}
            if BY_WORD not in self._words.get(stem, {}).values():
                found |= {one[0]: BY_WORD for one in self.instead(stem) if one[0] not in found}
        return found

    def is_own(self, said: str, name: str) -> bool:
        """Whether words name a verb, and not only that of another rule system instead of which it is used."""
        return any(stem == name or name in self._words.get(stem, {}) for stem in stems(said))

    def means(self, word: str) -> bool:
        """Whether a word says a verb for sure."""
        return any(rank < PERHAPS for rank in self.named(word.casefold()).values())

    def like(self, word: str) -> list[str]:
        """The verbs that a word means, begins with or is spelled like: pray of `prayers`."""
        low = word.casefold()
        begins = [name for name in self._cards.known if len(name) > 3 and low.startswith(name)]
        return [*self.named(low)] or begins or self._alike(low)

    def is_word(self, said: str) -> bool:
        """Whether words are another name of a verb, or may be."""
        return said in self._words

    def is_tool(self, words: Sequence[str]) -> bool:
        """Whether words begin with the name of a verb that means nothing else: it looks at the record, or keeps it."""
        recorded = self._cards.recorded
        name = systems.verb_of([*words, ""], self._cards.known) if words else ""
        tool = name in TOOLS or (name in recorded and recorded[name].by == "referee")
        return tool and name not in self._cards.own and not self._is_deed(name)

    def tells(self, words: Sequence[str]) -> bool:
        """Whether words begin with a verb that takes a text, which may hold the words of any command."""
        verb = self._cards.known.get(words[0]) if words else None
        return verb is not None and any(shape.word == "text" for _, shape in shapes(systems.procedure(verb)[1]))

    def _is_deed(self, word: str) -> bool:
        """Whether a word is the name of a tool, and means what somebody does in the fight."""
        ranks = self._words.get(word, {})
        return word in TOOLS and any(rank == BY_WORD and name in self._cards.recorded for name, rank in ranks.items())

    # Other rule systems

    @cached_property
    def _foreign(self) -> dict[str, list[str]]:
        """The verbs of other rule systems by the words for them."""
        found: dict[str, list[str]] = {}
        for system in systems.playable().values():
            for name, verb in system.verbs.items():
                for word in _words_for(verb, BY_WORD) if name in self._elsewhere else ():
                    found.setdefault(word, []).append(name)
        return found

    def _lacking(self, said: str) -> list[str]:
        """The verbs that a word names, and this rule system does not have."""
        return [name for name in (said, *self._foreign.get(said, ())) if name not in self._cards.known]

    def instead(self, said: str) -> list[list[str]]:
        """The commands that this rule system says to use instead of a verb that it does not have: each the verb, and
        the words of `use adjust NAME no-equipped ITEM` that say more.
        """
        found = [one.split() for name in self._lacking(said) for one in _USE.findall(self._elsewhere.get(name, ""))]
        return [[one[0], *_more(one[1:])] for one in found if one[0] in self._cards.known]

    def lacking(self, words: Sequence[str]) -> list[str]:
        """Why this rule system does not have a verb that some of the words mean."""
        names = (name for word in words for name in self._lacking(word.casefold()) if name in self._elsewhere)
        return [systems.elsewhere(self._system, name).message for name in names][:1]

    # Spelling

    def begun(self, said: str) -> str:
        """The verb that a word begins; "" for none, and for several."""
        with suppress(UsageError):
            return systems.begun(said, self._cards.known.items())
        return ""

    def begins_several(self, said: str) -> bool:
        """Whether a word begins several verbs, so that none is meant."""
        known = self._cards.known
        return said not in known and sum(name.startswith(said) for name in known) > 1

    def spelled_like(self, said: str) -> list[str]:
        """The verbs of which a word has some consonants, as `atk` of attack; else those that are spelled like it."""
        return self._shortened(said) or self._alike(said)

    def about(self, said: str) -> list[str]:
        """Verbs of which the summary has a word."""
        return [
            name
            for name, verb in self._cards.known.items()
            if len(said) > 3 and verb.by == "combatant" and said in re.findall(r"\w+", verb.summary.casefold())
        ][:_MOST]

    def _shortened(self, said: str) -> list[str]:
        if not said[1:].isalpha() or set(said[1:]) & set("aeiou"):
            return []
        sought = re.compile(".*".join(said))
        found = {
            name
            for name, verb in self._cards.known.items()
            for word in (name, *_words_for(verb, BY_WORD))
            if sought.match(word) and " " not in word and verb.rank != "seldom"
        }
        return sorted(found, key=lambda name: (not sought.match(name), [*self._cards.known].index(name)))[:_MOST]

    def _alike(self, said: str) -> list[str]:
        """Verbs that are spelled very much like a word, or of which another word is."""
        known = [name for name, verb in self._cards.known.items() if verb.rank != "seldom"]
        sure = {
            word: name
            for word, names in self._words.items()
            for name, rank in names.items()
            if rank < PERHAPS and name in known
        }
        for words, most, least in ({name: name for name in known}, 3, 0.75), (sure, 2, 0.8):
            same = [word for word in words if word[0] == said[0]]  # nobody misses the first letter
            close = get_close_matches(said, same, most, least)
            close.sort(key=lambda word: sorted(word) != sorted(said))  # two letters stand the other way round
            if close:
                return [words[word] for word in close]
        return []


def stems(said: str) -> Iterator[str]:
    """A word, and then what it is without its ending; of several words the first has one."""
    yield said
    first, _, behind = said.partition(" ")
    found = {first.removesuffix(ending) for ending in _ENDINGS if first.endswith(ending)}
    found |= {f"{one}e" for one in found} | {one[:-1] for one in found if one[-2:-1] == one[-1:]}
    found |= {f"{one[:-1]}y" for one in found if one.endswith("i")}
    yield from sorted(f"{one} {behind}".rstrip() for one in found)


def _words_for(verb: cards.Verb, rank: int) -> list[str]:
    """The other words for a verb that are so sure."""
    if rank == BY_WORD:
        return [*verb.also, *vocabulary.means(verb.hints.ideas)]
    return [*verb.hints.perhaps, *vocabulary.may_mean(verb.hints.ideas)]


def _more(words: Sequence[str]) -> list[str]:
    """The words of a command as it is shown that are typed as they are: its options, their values, and what stands
    behind a NAME; none of those that stand for something.
    """
    end = next((at for at, word in enumerate(words) if word in _ENDS_USE), len(words))
    shown = words[:end]
    if not any(word.isupper() or word.startswith("--") for word in shown):
        return []
    pairs = zip(shown, [*shown[1:], ""], strict=True)
    return [word for word, behind in pairs if not word.isupper() and not (word.startswith("--") and behind.isupper())]
