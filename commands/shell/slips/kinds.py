"""What each kind of field takes of a word, and what may stand in it where nobody said it."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from commands.action import cards, rulebook, systems, vocabulary
from commands.action.declaration import is_entry
from commands.shell.completion import words as completed
from commands.words.console import Console
from commands.words.parameters import is_option, spelled
from projections.changes import values

from .company import PEOPLE
from .ground import STEPS, beyond
from .likeness import alike, sheets_like
from .record_words import WHERE
from .tokens import Token

if TYPE_CHECKING:
    from .option_words import Field
    from .tokens import Reader

FEW = 4
"""How many are tried where something was left out or is misspelt."""
_BY_NAME = {
    "difficulty": "difficulty", "dice": "dice", "mod": "modifier", "gives": "gift", "value": "value", "field": "field",
    "directions": "directions", "skill": "skill", "action": "deed", "verb": "deed",
}  # fmt: skip
"""Fields of a kind of their own, by their name."""
_BY_WORD = {
    "square": "square", "entry": "entry", "disputed": "entry", "shown": "entry", "new-sheet": "new-sheet",
    "option": "listed", "table-name": "listed",
}  # fmt: skip
"""Others, by the word for what they take."""
HOLDING = ("with_", "off_hand", "wound", "name", "as_", "control", "area")
"""Options without a kind of their own that name a thing."""
_OWN = ("encounter", "format", "system", "area")
"""The kinds of words that only one field takes."""
_SIZES = ("2", "3", "4", "6", "8", "10", "12", "20", "100")
"""The sizes of dice."""
_BARE = re.compile(r"(\d+)([+-]\d+)?")
"""Dice without the sign for dice."""
_NAME = "Another name"
"""Stands for a name that somebody left out, for them to replace."""

Choice = tuple[tuple[str, ...], bool]
"""What may stand in one place of a command, and whether nobody said it."""


def kind_of(one: "Field") -> str:
    """The kind of a field: by what may be chosen, that it is a number, its name, or the word for what it takes; "thing"
    for any other that takes a word, "" for one that takes none.
    """
    field, shape = one
    if shape.choices:
        return "choice"
    if shape.base is int:
        return "number"
    if own := _BY_NAME.get(field.name) or _BY_WORD.get(shape.word):
        return own
    named = shape.word or field.name in HOLDING or not is_option(field, shape)
    return "thing" if named and shape.base is not bool and shape.word not in (*PEOPLE, "text", "table") else ""


def own_words(console: Console, one: "Field") -> list[str]:
    """The words that only this field takes: what it is called where it takes no value, what may be chosen, and what
    there is of its kind.
    """
    field, shape = one
    named = [spelled(field.name), *shape.also] if shape.base is bool else []
    pool = completed(console, shape.word, "") if shape.word in _OWN else []
    return [*named, *pool, *(str(choice).casefold() for choice in (shape.inner or shape).choices)]


class Kinds:
    """What the fields of one verb take."""

    def __init__(
        self, console: Console, reader: "Reader", verb: cards.Verb, deed: bool, typed: Sequence[str] = ()
    ) -> None:
        self.console, self.reader, self.state, self.verb, self._typed = console, reader, reader.state, verb, typed
        self._deed = deed
        """Whether the verb is one of the rule system."""

    def takes(self, one: "Field", token: Token, who: str, last: bool = False) -> list[Choice]:
        """What a field makes of a word: it as it is, or what is most like it; nothing where the word is of another
        kind. A word that is no choice stands for any of them, unless a later field takes it (`last`).
        """
        word, number = token.word, token.number
        found, guess = "", ""
        match kind_of(one):
            case "choice":
                return self._chosen(one, token, last)
            case "value" if number or token.square:
                found = token.square or word
            case "thing" | "value" | "listed" | "skill" | "deed" if not (number or token.square or is_entry(word)):
                return [((like,), False) for like in self._things(one, word, who)]
            case "square":
                found = token.square
            case "number":
                found, guess = number, number.lstrip("+-") if token.signed else ""
            case "dice" if die := _BARE.fullmatch(word):  # `roll 20`, `roll 20+3`
                guess = f"1d{word}" if die[1] in _SIZES else ""
            case "dice":
                found = word if self.reader.is_throw(word) else ""
            case "directions":
                found = token.step.upper()
            case "modifier" if token.signed:
                found = number.removeprefix("+")
            case "gift" if token.signed:  # `effect sigrun blessed +1`
                guess = f"all:{number}"
            case "difficulty":  # `check ysolde sneaking hard`
                ways = re.findall(r"[a-z]+", one[1].description)
                found = word if word in ways or number else vocabulary.choice(word, ways)
            case "new-sheet":
                found = word.casefold().removesuffix(".toml") + ".toml"
            case "entry":
                entry = f"e{number}" if number.isdigit() else word
                found = entry if is_entry(entry) else ""
            case "field" if not number:
                found = "at" if word.casefold() in WHERE else word
                settings = rulebook.of(self.state.campaign.system).referee.fields
                points = [name for name in settings if f"{name[:1]}p" == word and word not in settings]
                guess = "".join(points[-1:])  # `rp` are reaction points
        return [((value,), guessed) for value, guessed in ((found, False), (guess, True)) if value]

    def _chosen(self, one: "Field", token: Token, last: bool) -> list[Choice]:
        """What may be chosen by a word."""
        names = [str(choice) for choice in one[1].choices]
        sought = token.step.upper() if token.step and token.step.upper() in names else token.word.casefold()
        low = {name: name.casefold() for name in names}
        exact = [name for name in names if sought in (name, low[name])]
        exact = exact or [name for name in names if low[name].startswith(sought.casefold())]
        exact = exact or [name for name in names if len(name) > 2 and sought.startswith(low[name])]
        exact = exact or [name for name in [vocabulary.choice(sought, names)] if name]
        if exact or token.number or token.square:
            return [((name,), False) for name in exact]
        close = get_close_matches(sought, names, 1, 0.75 if last else 0.6)
        any_ = not (last or is_option(*one)) and self.verb.kind == "records"
        return [((name,), not close) for name in close or (names if any_ else [])]

    def _things(self, one: "Field", word: str, who: str) -> list[str]:
        """A word as what a field names, and those that are most like it."""
        field, shape = one
        pool = completed(self.console, "area" if field.name == "area" else shape.word, "")
        if shape.word in ("", "item", "spell") and (who or self._deed):
            held = self.state.gear.equipped.get(who, ())
            pool += sorted(self.reader.things(who), key=lambda thing: thing not in held)  # the pistol in hand
        if field.name == "wound":  # those that are told on the board
            pool += re.findall(r"[\w-]+", values(self.state).get(f"{who}.wound", ""))
        least = 0.8 if shape.word == "sheet" or self.verb.kind != "records" else 0.75
        like = [other for other in alike(word, pool, least) if other != word]
        if shape.word == "sheet" and not like:
            like = sheets_like(self.console.system, word)
        if shape.word == "clause":  # a part of a name, none that is only spelled like one
            like = [other for other in like if word.casefold() in re.split(r"\W+", other)]
        free = self.is_free(one) or (field.name == "with_" and self.reader.is_thing(word))
        return [word, *like] if free or word in pool else like

    def is_free(self, one: "Field") -> bool:
        """Whether a field takes any word: an argument does, and what names what somebody gets, or fights for."""
        field, shape = one
        gets = field.name == "control" or (field.name == "name" and "curse" in self.verb.hints.ideas)
        return shape.word not in ("sheet", "area") and (not is_option(*one) or gets)

    def guesses(self, one: "Field", who: str, before: str, far: int = 1) -> list[str]:
        """What may stand in a field that nobody said, behind a word; squares are so `far` away."""
        field, shape = one
        now, rules = values(self.state), systems.load(self.state.campaign.system)
        match kind_of(one):
            case "choice":
                said = {*map(str.casefold, self._typed)}
                usual = {word for way in rules.phrases.values() if said & {*way.split()} for word in way.split()}
                every = [str(choice) for choice in shape.choices]
                return sorted(every, key=lambda one: one not in usual)[: 2 * FEW]  # `check hedwig notice` is by WIS
            case "dice":
                return ["1d20"] if who else []
            case "number":
                length = field.name in ("feet", "distance")
                return ["30", "10", "5", "1"] if length else ["10" if field.name in ("dt", "difficulty") else "1"]
            case "square":
                return [beyond(self.state, who, [step] * far) for step in STEPS if who in self.state.positions.at]
            case "directions":
                return [step.upper() for step in STEPS]
            case "value" if rule := rules.options.get(before):
                set_to = self.state.campaign.options.get(before, rule.default)
                return [str(choice).lower() for choice in rule.choices if choice != set_to] or ["1"]
            case "value" if before and before not in WHERE and before != "at":
                is_, most = now.get(f"{who}.{before}", ""), now.get(f"{who}.{before}-max", "")
                if most == is_ and before not in map(str.casefold, self._typed):  # nobody asked for it
                    return []
                near = most if most.isdigit() and most != is_ else str(max(int(is_) - 1, 1)) if is_.isdigit() else ""
                return [near, is_] if near else [is_ or "1"]  # `rest boffin`
            case "field":
                own = (name.partition(".") for name, value in now.items() if value.isdigit())
                return [name for owner, _, name in own if owner == who][:2]
            case "deed":
                return [name for name, verb in rules.verbs.items() if verb.by == "combatant"]
            case "skill" if who:
                return self.reader.skills(who)[: 6 * FEW]
            case _ if field.name == "name" and not self._deed:
                return [_NAME]
            case "listed":
                return []
            case _ if shape.word:
                here = self.state.areas.at.get(who, "")
                found = [name for name in completed(self.console, shape.word, "") if name != here]
                return found[: 1 if kind_of(one) == "entry" else 6 * FEW]
            case _:
                held = self.state.gear.equipped.get(who, ())
                things = sorted(self.reader.things(who), key=lambda thing: thing not in held)  # `draw --shield`
                return things[: 6 * FEW] if who and self.verb.by == "combatant" else []
