"""What the cards of the verbs say: the verbs of one rule system by their ideas and by what they take."""

from collections.abc import Container, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from commands.action import cards, systems
from commands.action.declaration import shapes
from commands.shell.tools import TOOLS
from commands.words.parameters import spelled

if TYPE_CHECKING:
    from .option_words import Field


class VerbCards:
    """The cards of the verbs of one rule system: its `own`, those that are `recorded`, and all that are `known`."""

    def __init__(self, system: str) -> None:
        self.own = systems.load(system).verbs
        self.recorded = {**systems.COMMON, **self.own}
        self.known: dict[str, cards.Verb] = {**self.recorded, **TOOLS}
        self.amends = next(name for name, card in TOOLS.items() if card.past == "amends")
        """The verb that corrects an entry."""

    def fields(self, name: str) -> list["Field"]:
        """What a verb takes."""
        return [*shapes(systems.procedure(self.known[name])[1])]

    def choices(self, name: str) -> set[str]:
        """The words of which a verb takes one."""
        return {str(one) for _, shape in self.fields(name) for one in shape.choices}

    def takes(self, name: str) -> list[str]:
        """The names of what a verb takes; none for no verb."""
        return [field.name for field, _ in self.fields(name)] if name in self.known else []

    def meaning(self, *ideas: str) -> list[str]:
        """The deeds of an idea, or of one of several."""
        return [name for name, verb in self.own.items() if not {*ideas}.isdisjoint(verb.hints.ideas)]

    def choosing(self, word: str, nearly: bool = False) -> list[str]:
        """The verbs that take the turn on, to one of several ends that they name: `melee` is `phase melee`."""
        return [
            name
            for name, verb in self.own.items()
            if verb.by == "turn" and get_close_matches(word, self.choices(name), 1, 0.8 if nearly else 1.0)
        ]

    def with_flag(self, words: Container[str]) -> list[str]:
        """The deeds that have an option without a value which is called so: `potion` of heal, `release` of grapple."""
        return [
            name
            for name in self.own
            for field, shape in self.fields(name)
            if shape.base is bool and spelled(field.name) in words
        ]

    def as_option(self, words: Sequence[str]) -> str:
        """The verb that is said as an option of one that is no deed, makes no ledger and corrects no entry: `dispute
        --settle e15`; "" for none.
        """
        first = self.known.get(words[0]) if words else None
        if first is None or first.by == "combatant" or first.without_ledger or first.past == "amends":
            return ""
        own = {spelled(field.name) for field, _ in self.fields(words[0])}
        said = (word[2:] for word in words[1:] if word.startswith("--"))
        return next((one for one in said if one in self.known and one not in own), "")

    def counts(self, name: str) -> bool:
        """Whether a verb of every rule system says of somebody how much."""
        return name in systems.COMMON and not {"value", "points"}.isdisjoint(self._required(name)[1:])

    def sets(self, name: str) -> bool:
        """Whether a verb sets a field of somebody."""
        return name in systems.COMMON and "field" in self._required(name)

    def _required(self, name: str) -> list[str]:
        """The fields of a verb that must be said."""
        return [field.name for field, _ in self.fields(name) if field.required]

    def takes_thing(self, name: str) -> bool:
        """Whether somebody does something with a thing by a verb."""
        return self.own[name].by == "combatant" and any(
            shape.base is str and shape.word in ("", "item", "spell") for _, shape in self.fields(name)
        )
