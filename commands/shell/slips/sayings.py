"""The commands that sayings of the table stand for: `drops dead`, `is at 5 hp`, and those on the card of the rules."""

from collections.abc import Sequence
from functools import cached_property

from commands.action import common_verbs, systems, vocabulary

from .verb_cards import VerbCards
from .verb_names import BY_NAME, BY_WORD, PERHAPS, VerbNames, stems

BECOMES = {
    "dead": (
        "dies", "died", "dead", "killed", "die", "drop dead", "drops dead", "fall dead", "falls dead", "is killed",
        "is slain", "is dead", "bleeds out", "kill", "kills", "slain", "slay",
    ),
    "no": (
        "revive", "revives", "wakes", "wake", "raise", "resurrect", "resurrects", "awake", "wakes up", "comes to",
        "wake up", "come round", "comes round", "come around", "comes around", "is conscious", "is up again",
        "is back up", "is awake", "regains consciousness", "rouse", "rouses", "recovers", "on his feet",
        "on her feet", "opens his eyes", "opens her eyes",
    ),
}  # fmt: skip
"""What becomes of somebody, in words that are no verb, by the word for it in `adjust NAME down`."""
_IS_NOW = ("is at", "is now at", "is down to", "is up to")
"""Words before the number that a value has now."""

_BECOMING = frozenset({"is", "are", "becomes", "falls", "gets", "goes", "was"})
"""Words between a name and a condition."""


class Sayings:
    """Finds the commands of sayings in one rule system."""

    def __init__(self, system: str, cards: VerbCards, names: VerbNames) -> None:
        self._cards, self._names = cards, names
        self._own = {**common_verbs.PHRASES, **systems.load(system).phrases}
        self._sure = {word for said in common_verbs.PHRASES for word in vocabulary.phrases(said) if " " in word}

    def of(self, said: str, words: Sequence[str]) -> list[tuple[int, list[str]]]:
        """The commands that some of the words are here, each with how sure that is: what the card of the rule system
        says of them, or instead of the verb of another one; or an effect, where they are a condition.
        """
        every = [*stems(said)]
        own = [self._commands[one] for one in every if one in self._commands][:1]
        if words[:1] == [said] and not (own or self._names.named(said)):  # `wake brunold he comes round`
            own += [["adjust", "down", how] for how, becomes in BECOMES.items() if said in becomes]
        own += [one for stem in every for one in self._names.instead(stem) if one[1:]]
        first, _, behind = said.partition(" ")
        becomes = first in _BECOMING and not self._names.named(behind)
        name = vocabulary.condition(said) or (vocabulary.condition(behind) if becomes else "")
        harms = self._names.is_word(said) and any(map(str.isdigit, words))  # `burn boffin 5`
        lasting = [(PERHAPS if harms or own else BY_WORD, [*one, name]) for one in self.curses]
        return [
            *((BY_NAME if said in self._sure else BY_WORD, one) for one in own),
            *(lasting if name else ()),
        ]

    def has(self, said: str) -> bool:
        """Whether words are a saying, also with an ending."""
        return not {*stems(said)}.isdisjoint(self._commands)

    def begins(self, words: Sequence[str]) -> bool:
        """Whether words begin with a saying that every rule system has: `damage dealt` does no damage."""
        return " ".join(words[:2]).casefold() in self._sure

    @cached_property
    def _commands(self) -> dict[str, list[str]]:
        """The commands by the sayings."""
        found = {word: ["adjust", "down", how] for how, words in BECOMES.items() for word in words if " " in word}
        found |= {word: ["adjust"] for word in _IS_NOW}
        for said, command in self._own.items():
            found |= dict.fromkeys(vocabulary.phrases(said) or [said], command.split())
        return found

    @cached_property
    def curses(self) -> list[list[str]]:
        """The commands by which somebody gets a condition."""
        every = (one for system in systems.playable().values() for one in system.verbs.items())
        others = dict.fromkeys(name for name, verb in every if "curse" in verb.hints.ideas)
        own = [[name] for name in self._cards.meaning("curse")]
        return own or [one for name in others for one in self._names.instead(name)]
