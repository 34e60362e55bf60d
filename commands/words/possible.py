"""What somebody can do now, as a tree: each verb with what may stand in its fields, given those before. What
`Table.words` lists is tried by the rules; there is no other list.
"""

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from commands.action.dice_sources import Dice
from commands.action.procedures import resolve
from commands.action.resolution import REASON, Again, Needed, Resolution, Roll
from ledger.errors import AffrayError

from .costs import cost_of
from .form import DICE, FLAG, NUMBER, OPEN, SQUARE, Field, Table
from .next_steps import attempt
from .reading import Reading, Said

_MEASURES = ("5", "1", "10", "20", "30")
"""Numbers that stand in for one that is to be said."""
_NAMED = ("thing", "skill")
"""Kinds of which a list need not hold every name: where the rules take any word, the field is open."""


class Deed(NamedTuple):
    """Something that somebody can do now."""

    reading: Reading
    fight: Resolution
    """What would come of it with dice of no campaign."""
    open: frozenset[str]
    """The fields in which an instance stands for what is to be said there."""

    @property
    def cost(self) -> str:
        """Who gives up what by it, in parentheses; "" for nobody."""
        return cost_of(self.fight)

    @property
    def needs(self) -> Sequence[Roll]:
        """The dice that are sure to fall, as far as no other may fall before them."""
        try:
            resolve(Resolution(self.fight.before, self.fight.verb, self.fight.declaration, Dice(faces=())))
        except Needed as needed:
            return needed.rolls
        except AffrayError:
            return self.fight.asked
        return ()


class Deeds:
    """What somebody can do at one moment, with one target, and without the game master's word for it."""

    def __init__(self, table: Table, who: str) -> None:
        self.table, self.who = table, who
        self._why = ""

    def verbs(self) -> Iterator[str]:
        """The verbs that are actions of a combatant, or end the turn of the one who has it, those that are used often
        first.
        """
        every = self.table.verbs.items()
        for name, card in sorted(every, key=lambda one: (one[1].rank in ("", "seldom"), one[1].lets_go)):
            acts = any(field.name == "who" and field.required for field in self.table.form(name))
            if (card.by == "combatant" and acts) or (card.role == "turn-end" and self.who in self.table.acting):
                yield name

    def possible(self) -> list[str]:
        """The verbs that somebody can do now."""
        return [verb for verb in self.verbs() if next(self.of(verb), None)]

    def of(self, verb: str) -> Iterator[Deed]:
        """What the arguments of a verb can be; where nothing is possible without an option, with one."""
        form = self.table.form(verb)
        begun = {field.name: (self.who,) for field in form if field.name == "who"}
        arguments = [field for field in form if not field.option and field.name not in begun]
        options = [field for field in form if field.option and field.kind != OPEN]
        measured = any(field.required and field.kind == NUMBER for field in arguments)
        for measure in _MEASURES[: None if measured else 1]:
            ways = self._filled(arguments, begun, frozenset(), measure)
            found = False
            for deed in self._possible(verb, ways, options):
                found = True
                yield deed
            if found:
                return

    def _possible(
        self, verb: str, ways: Iterator[tuple[Said, frozenset[str]]], options: Sequence[Field]
    ) -> Iterator[Deed]:
        """Those of some ways to say a verb that the rules allow, if need be with an option."""
        done: list[tuple[Said, frozenset[str]]] = []
        hopeless = set[str]()
        for said, is_open in ways:
            if any(_covers(*one, said, is_open) for one in done):
                continue
            start = Reading(0, verb, said)
            if bare := self.tried(start, is_open):
                found = [bare]
            elif (why := self._why) in hopeless:
                continue
            elif not (found := self._with_option(start, is_open, options)):
                hopeless.add(why)
                continue
            done.append((said, is_open))
            yield from found

    def options(self, deed: Deed) -> dict[Field, list[Deed]]:
        """The closed options that a deed can be said with, and what each can be."""
        fields = [field for field in self.table.form(deed.reading.verb) if field.option and not field.is_open]
        ways = {field: self._with_option(deed.reading, deed.open, [field]) for field in fields}
        return {field: found for field, found in ways.items() if found}

    def _with_option(self, start: Reading, is_open: frozenset[str], fields: Sequence[Field]) -> list[Deed]:
        """What is possible with one of some options; of one that is open an instance."""
        found: list[Deed] = []
        for field in fields:
            if field.name in start.said:
                continue
            measures = _MEASURES if field.kind == NUMBER else ("",)
            for words, any_word in (one for measure in measures for one in self._words(field, start.said, measure)):
                more = is_open | {field.name} if any_word else is_open
                one = self.tried(start._replace(said={**start.said, field.name: words}), more)
                found += [one] if one else []
                if one and any_word:
                    break
        return found

    def _filled(
        self, fields: Sequence[Field], said: Said, is_open: frozenset[str], measure: str
    ) -> Iterator[tuple[Said, frozenset[str]]]:
        """The ways to fill some arguments. What can be left out is left out, too; a number always."""
        if not fields:
            yield said, is_open
            return
        field, *rest = fields
        if not field.required:
            yield from self._filled(rest, said, is_open, measure)
        for words, any_word in self._words(field, said, measure):
            more = is_open | {field.name} if any_word else is_open
            if field.required or not any_word or field.kind in (OPEN, *_NAMED):
                yield from self._filled(rest, {**said, field.name: words}, more, measure)

    def _words(self, field: Field, said: Said, measure: str) -> Iterator[tuple[tuple[str, ...], bool]]:
        """What may stand in a field, one word each time, and whether it is an instance for any other."""
        if field.kind == FLAG:
            yield (), False
            return
        listed = [one for one in self.table.words(field, said) if one[:1] != "@"]
        x, y, z = self.table.state.positions.at.get(self.who, (0, 0, 0))
        near = [(x + dx, y + dy, z) for dx in (1, 0, -1) for dy in (1, 0, -1) if dx or dy]
        squares = [",".join(map(str, at if z else at[:2])) for at in near]
        instances = {NUMBER: [measure], DICE: ["1d6"], OPEN: [REASON], SQUARE: squares}.get(field.kind, [])
        if field.kind in _NAMED or not listed:
            yield from (((one,), True) for one in [REASON] * (field.kind in _NAMED) + instances)
        yield from (((one,), False) for one in listed)

    def tried(self, reading: Reading, is_open: frozenset[str] = frozenset()) -> Deed | None:
        """What comes of a line, if the rules allow it. `_why` is then why not, without the names."""
        self._why = ""
        try:
            fight, _ = attempt(self.table, reading.line(self.table.form(reading.verb)))
        except AffrayError as error:
            named = {word for words in reading.said.values() for word in words}
            self._why = re.sub(r"\d+", "", " ".join(word for word in error.message.split() if word not in named))
        except (Again, msgspec.ValidationError):
            pass
        except Exception:  # somebody may know too little: the rules may find what cannot be
            if os.environ.get("AFFRAY_DEBUG"):
                raise
        else:
            return Deed(reading, fight, is_open)
        return None


def _covers(other: Said, open_there: frozenset[str], said: Said, is_open: frozenset[str]) -> bool:
    """Whether another way to fill a form says all that this one says, with any word where one of them is open."""
    closed = {name: words for name, words in said.items() if name not in is_open}
    fixed = {name: words for name, words in other.items() if name not in open_there}
    return fixed.items() <= closed.items() and {*closed} <= {*other}
