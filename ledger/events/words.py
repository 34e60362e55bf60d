"""What was said, rolled, ruled, overruled and noted."""

from typing import Any

from msgspec import Struct

from .base import Event


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """One term of a sum, with its reason."""

    value: int
    """The number that the step takes."""
    reason: str
    """Why, in a word of the table: sword, range 6, natural 20 ..."""
    op: str = "+"
    """`+` adds, `-` subtracts, `x` multiplies, `/down` and `/up` divide and round, `max` and `min` bound."""
    clause: str = ""
    """Id of the rule's clause that this term comes from; "" for one that no clause of its own decides."""


class Number(Struct, frozen=True, gc=False):
    """A number that remembers its arithmetic: the steps are taken from left to right, starting at 0."""

    of: str
    """What the number is: attack, damage, target ..."""
    steps: tuple[Step, ...]
    """Its terms, in order."""
    total: int
    """What they come to."""

    def plus(self, value: int, reason: str, clause: str = "") -> "Number":
        """With `value` added. A 0 adds no step; a negative value reads as a subtraction."""
        if value < 0:
            return self.minus(-value, reason, clause)
        return self._with(Step(value, reason, "+", clause), self.total + value) if value else self

    def minus(self, value: int, reason: str, clause: str = "") -> "Number":
        """With `value` subtracted. A 0 adds no step; a negative value reads as an addition."""
        if value < 0:
            return self.plus(-value, reason, clause)
        return self._with(Step(value, reason, "-", clause), self.total - value) if value else self

    def times(self, value: int, reason: str, clause: str = "") -> "Number":
        """Multiplied."""
        return self._with(Step(value, reason, "x", clause), self.total * value)

    def over(self, value: int, reason: str, up: bool = False, clause: str = "") -> "Number":
        """Divided by `value` > 0, rounded down (towards minus infinity), or up."""
        total = -(-self.total // value) if up else self.total // value
        return self._with(Step(value, reason, "/up" if up else "/down", clause), total)

    def at_least(self, value: int, reason: str, clause: str = "") -> "Number":
        """Raised to `value` if it is lower."""
        return self if self.total >= value else self._with(Step(value, reason, "max", clause), value)

    def at_most(self, value: int, reason: str, clause: str = "") -> "Number":
        """Lowered to `value` if it is higher."""
        return self if self.total <= value else self._with(Step(value, reason, "min", clause), value)

    def called(self, of: str) -> "Number":
        """The same sum under another name."""
        return Number(of, self.steps, self.total)

    def _with(self, step: Step, total: int) -> "Number":
        return Number(self.of, (*self.steps, step), total)


def number(of: str, value: int, reason: str = "", clause: str = "") -> Number:
    """A sum that starts with one term."""
    return Number(of, (Step(value, reason or of, "+", clause),), value)


class Declared(Event, tag="declared"):
    """What was said at the table. The first event of every entry."""

    verb: str
    """The verb of the command."""
    said: dict[str, Any]
    """The fields of the declaration; those that hold their default are left out."""
    allow: str = ""
    """The referee's reason for letting through what a rule refuses; "" if nothing was let through in advance."""
    instant: bool = False
    """Whether it was said when the next action's dice lay on the table: that action was resolved again after it."""


class Rolled(Event, tag="rolled"):
    """What the dice did."""

    who: str
    """Whose dice."""
    purpose: str
    """What the roll is for, in the word of the rule: attack, defense, morale ..."""
    about: str
    """Whom the roll concerns besides: the target, the one held; "" for nobody."""
    dice: str
    """What was rolled, such as `2d6`."""
    faces: tuple[int, ...]
    """In the order rolled; empty when the dice were left out."""
    places: tuple[int, ...]
    """For each face its place in the campaign's dice stream, 1 for the first; 0 for a die thrown by hand."""


class Ruled(Event, tag="ruled"):
    """What a rule said: a comparison, a row of a table, or a choice."""

    clause: str
    """Id of the rule's clause."""
    who: str
    """Whose affair it is."""
    about: str
    """Whom it concerns besides; "" for nobody."""
    numbers: tuple[Number, ...]
    """What was computed or compared, left before right."""
    sign: str
    """How the two numbers were compared: `>`, `>=`, `=`, `<=`, `<`; "" when nothing was compared."""
    outcome: str
    """yes, no, or the row or choice that the rule came to."""
    also: tuple[str, ...] = ()
    """Ids of other clauses that are decided by this."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that this names: its own, those decided with it, and those of terms."""
        terms = (step.clause for number in self.numbers for step in number.steps if step.clause)
        return tuple(dict.fromkeys((self.clause, *self.also, *terms)))


class Overruled(Event, tag="overruled"):
    """The referee let something through that a rule refuses."""

    clause: str
    """The clause that refuses."""
    why: str
    """What the rule had against it."""
    reason: str
    """The referee's reason."""


class Noted(Event, tag="noted"):
    """A line that somebody wanted in the record. Changes nothing."""

    text: str
    """The line."""
    who: str = ""
    """Whom it concerns; "" for nobody in particular."""
