"""Declarations, rolls, rulings, overruled rules and notes; and what all events share."""

from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import asdict

from .sentences import Sentence, alone, of, own, spoken


class Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event", gc=False):
    """A fact that was recorded and will never change.

    Its JSON carries a kebab-case tag in `event`. Fields that hold their default are left out, so that a field
    gained in a later version does not change the bytes of an event that was written before.

    Its JSON is recorded in two halves: the open one says who and what happened, the closed one holds what may be
    secret. `OPEN` says what stands in which. Where all fields are open there is no closed half.

    An event is told in two parts: `sentence` is the outcome, `arithmetic` shows how it was reached. Most kinds only
    give `SAYS` or `TOLD`. A step on the way to an outcome has only arithmetic.
    """

    SAYS = ""
    """What is told of `who`, as it goes on after the name; with fields in braces, and {now} for what is left,
    or the total, with its most."""
    TOLD = ""
    """What is told, where it is about nobody in particular; likewise."""
    UNDOES = ""
    """The tag of the kind that it undoes, about the same ones: of two such events in one entry neither is told."""
    OPEN: ClassVar[tuple[str, ...]] = ()
    """The fields of the open half, which are the first ones. () where nothing is open, not even the kind."""
    VAGUE = ""
    """What is told where only the open half is known; "" where that tells nothing."""

    TONE = ""
    """harm or healing, also for the colour of the outcome."""

    ASIDE = False
    """Whether it only keeps the books of who stands where and what is used up. It is told last, where nobody did just
    that."""

    LASTS = False
    """Whether it belongs to the ledger and not to the course of play: no undo takes it back."""

    GOES = False
    """Whether somebody goes or turns by it: what they do on the way is told apart from what they do to others."""
    OF_FIGHT = False
    """Whether it is told of the fight, and of nobody alone: of a round, a phase, a turn, or the whole encounter."""
    OPENS = False
    """Whether players may see earlier entries otherwise after it."""
    FOR_ALL = False
    """Whether everybody at the table is meant to read all of it: no true name may stand there that the players do not
    know. Only what is said of a secret entry is closed."""

    HAS = ""
    """What somebody who joins has of it, where it is told of them so."""

    WORD = ""
    """How badly who is hurt, in the word of the board, if it changes that: hp, pain ... Its tag begins with the word.
    What follows here is only for such a kind."""
    UNIT = ""
    """In what that is added up, where not in the word itself: each wound that has a name is one of the wounds."""
    AMOUNT = ""
    """The field that says how much of it; "" where each counts as one."""
    NOW = ""
    """The field with the value after it; "" where there is none."""
    BODILY = True
    """Whether it is seen to hurt the body. Such harm is worse than other harm."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of all clauses that it names, each once."""
        return ()

    def sentence(self) -> Sentence:
        """The outcome: who did what to whom, in a few words; nothing for an event that only keeps count."""
        if self.SAYS:
            fields = asdict(self)
            return fields["who"], " ", self.SAYS.format(now=self._now(), **fields)
        return alone(self.TOLD.format(**asdict(self)) if self.TOLD else "")

    def _now(self) -> str:
        """The value after it, of its maximum."""
        return of(getattr(self, "left", getattr(self, "total", 0)), getattr(self, "most", 0))

    def has(self) -> str:
        """What somebody has who joins with it."""
        return f"{self._now()} {self.HAS}"

    def told(self) -> str:
        """The outcome as a whole sentence; "" when there is nothing to tell."""
        return spoken(self.sentence())

    def repeats(self) -> tuple[str, ...]:
        """What need not be told beside this: outcomes of rulings, and sentences."""
        return ()

    def arithmetic(self) -> str:
        """How it was reached: dice and numbers with their reasons, and what they decide, as
        `attack 16 (d20 14 +2 sword) > defense 12: hit`; "" where the outcome says it all.
        """
        return ""

    def line(self) -> str:
        """All of it in one line."""
        return self.arithmetic() or self.told()


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """One term of a sum, with its reason."""

    value: int
    """The number that the step takes."""
    reason: str
    """Why, in a word of the table: sword, range 6, natural 20 ..."""
    op: str = "+"
    """`+` adds, `-` subtracts, `x` multiplies, `/down` and `/up` divide and round, `max` and `min` bound."""
    clause: str = ""
    """Id of the clause that adds this term; "" when no clause of its own does."""
    roll: int = 0
    """Which roll of the entry this term is, 1 for the first; 0 when it is none."""

    def told(self) -> str:
        """The step as it is told: `+2 sword`, `+d6 4`, `at least 0`."""
        first = str(self.value) if self.reason.startswith(_IN_THE_SIGN.get(self.op, ())) else self.first()
        return f"{_SIGNS.get(self.op, self.op)}{first}"

    def first(self) -> str:
        """The step without its sign: `2 sword`; dice are named before what they show, `d20 14*`, `2d6 [3*+4] 7`."""
        words = self.reason.split(" ")
        end = 1 + (words[0] in ("higher", "lower"))
        many, d, sides = words[min(end, len(words)) - 1].rstrip("*").partition("d")
        if not d or not sides[:1].isdecimal() or (many and not many.isdecimal()):
            return f"{self.value} {self.reason}"
        end += words[end : end + 1] != [] and words[end][:1] == "["
        dice = " ".join(words[:end])
        return " ".join([dice.rstrip("*"), f"{self.value}{'*' * dice.endswith('*')}", *words[end:]])


_IN_THE_SIGN = {"max": ("least", "at least"), "min": ("most", "at most"), "/down": ("half",), "/up": ("half",)}
"""How a reason begins that tells no more than its sign."""
_SIGNS = {"/down": "/", "/up": "/", "max": "at least ", "min": "at most "}
"""How the sign of a step is told, where not as it is recorded."""


_CALLED = {"hit dice": "to-hit dice"}
"""What a number is, where it is not told as it is recorded."""


class Number(Struct, frozen=True, gc=False):
    """A number that remembers its arithmetic: the steps are taken from left to right, starting at 0."""

    of: str
    """What the number is: attack, damage, target ..."""
    steps: tuple[Step, ...]
    """Its terms, in order."""
    total: int
    """Their result."""

    def plus(self, value: int, reason: str, clause: str = "", roll: int = 0) -> "Number":
        """With `value` added. A 0 adds no step; a negative value reads as a subtraction. `roll` says which roll of the
        entry it is, if it is one.
        """
        if value < 0:
            return self.minus(-value, reason, clause, roll)
        return self._with(Step(value, reason, "+", clause, roll), self.total + value) if value else self

    def minus(self, value: int, reason: str, clause: str = "", roll: int = 0) -> "Number":
        """With `value` subtracted. A 0 adds no step; a negative value reads as an addition. `roll` says which roll of
        the entry it is, if it is one.
        """
        if value < 0:
            return self.plus(-value, reason, clause, roll)
        return self._with(Step(value, reason, "-", clause, roll), self.total - value) if value else self

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

    def told(self) -> str:
        """The number with its steps: `16 (d20 14 +2 sword)`; a single step that only repeats its name is left out."""
        first, *others = self.steps or (Step(0, self.of),)
        if others:
            steps = f"({' '.join([first.first(), *(step.told() for step in others)])})"
        else:
            steps = f"({first.reason})" if first.reason != self.of else ""
        return f"{_CALLED.get(self.of, self.of)} {self.total} {steps}".strip()

    def _with(self, step: Step, total: int) -> "Number":
        return Number(self.of, (*self.steps, step), total)


def number(of: str, value: int, reason: str = "", clause: str = "", roll: int = 0) -> Number:
    """A sum that starts with one term. `roll` says which roll of the entry that is, if it is one."""
    return Number(of, (Step(value, reason or of, "+", clause, roll),), value)


class Declared(Event, tag="declared"):
    """What was said at the table. The first event of every entry."""

    OPEN = ("verb", "instant", "said")
    verb: str
    """The verb of the command."""
    said: dict[str, Any]
    """The fields of the declaration; those that hold their default are left out. `who` and `target` come
    first and are open; the others are closed."""
    allow: str = ""
    """The game master's reason for allowing what a rule refuses; "" when nothing is allowed."""
    instant: bool = False
    """True for an instant. It changes the action before it, which is resolved again in the next entry. Stands before
    `said` in the record."""
    secret: bool = False
    """Whether the game master keeps the entry from the players, until it is revealed."""
    counts: Literal["", "at once", "at the end"] = ""
    """In a phase whose actions all happen at once: whether what is recorded from here on is true of its opening too, as
    the game master's word is; "" in any other phase. Always said there, so it tells nothing of the entry before."""
    out_of_order: bool = False
    """Whether it stands out of the order of the rules, since a correction changed that order and not what was done."""
    meant: tuple[str, ...] = ()
    """Whom the words mean without naming them, in full: whose turn a plain `turn` begins and a plain `done` ends, whose
    actions a plain `resolve` resolves."""


class Rolled(Event, tag="rolled"):
    """Dice were rolled."""

    who: str
    """Whose dice."""
    purpose: str
    """What the roll is for, in the word of the rule: attack, defense, morale ..."""
    about: str
    """The other one whom the roll concerns, such as the target; "" for nobody."""
    dice: str
    """What was rolled, such as `2d6`."""
    faces: tuple[int, ...]
    """In the order rolled; empty when the dice were left out."""
    places: tuple[int, ...]
    """For each face its place in the campaign's stream of open dice, 1 for the first, or in that of hidden dice, -1 for
    the first; 0 for a die thrown by hand."""

    def arithmetic(self) -> str:
        return f"{self.who or 'the table'} rolls {self.dice} for {self.purpose}: {self.shown()}"

    def shown(self) -> str:
        """The faces, with an asterisk after each die that was thrown by hand: `4*+3`."""
        return "+".join(f"{face}{'' if place else '*'}" for face, place in zip(self.faces, self.places, strict=False))


_COMES_OFF = ("hit", "miss", "saved", "failed", "success", "failure")
"""The last word of an outcome that the face of one die can decide."""


_CAME_OFF = {"success": "succeeds", "partial failure": "partly fails", "failure": "fails"}
"""How a check of something came off, behind its colon in an outcome, as it is told."""
_FREE = "table.roll"
"""The clause of a roll for anything else at the table, whose number is called by what it is for."""
_PREDICATES = ("has", "have", "does", "makes", "uses", "casts", "prays", "leaves", "loses", "takes", "strikes", "faces")
"""The first word of an outcome that says what its `who` does."""


class Ruled(Event, tag="ruled"):
    """What a rule decided: a comparison, a row of a table, or a choice."""

    OPEN = ("clause", "who", "about", "nth", "outcome")
    clause: str
    """Id of the rule's clause."""
    who: str
    """Whose action or number it is."""
    about: str
    """The other one whom it concerns; "" for nobody."""
    outcome: str
    """yes, no, or the row or choice that applies. Closed where it holds a digit."""
    numbers: tuple[Number, ...]
    """What was computed or compared, left before right."""
    sign: str
    """How the two numbers were compared: `>`, `>=`, `=`, `<=`, `<`; "" when nothing was compared."""
    also: tuple[str, ...] = ()
    """Ids of other clauses that this decides too."""
    aside: bool = False
    """True for a step on the way to another outcome: only the arithmetic shows it."""
    nth: int = 1
    """2 for the second ruling of its entry by the same clause on the same two, 3 for the third. Stands before `outcome`
    in the record."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that this names: its own, those decided with it, and those of terms."""
        terms = (step.clause for number in self.numbers for step in number.steps if step.clause)
        return tuple(dict.fromkeys((self.clause, *self.also, *terms)))

    def sentence(self) -> Sentence:
        """The outcome. One that begins with a name is about that combatant."""
        if self.aside or self.outcome in ("yes", "no"):
            return alone("")
        for name in filter(None, (self.who, self.about)):
            rest = self.outcome.removeprefix(name)
            if rest != self.outcome and (joint := f"{rest.partition(' ')[0]} ") in (" ", own(name)):
                return name, joint, rest.removeprefix(joint)
        if self.who and self.outcome.partition(" ")[0] in _PREDICATES:
            return self.who, " ", self.outcome
        if self.outcome == "failed" and self.numbers and self.numbers[0].of.endswith("save"):
            return alone("save failed")
        what, _, came = self.outcome.partition(": ")
        if self.who and came in _CAME_OFF:
            return self.who, own(self.who), f"{what} check {_CAME_OFF[came]}"
        return alone(self.outcome)

    def repeats(self) -> tuple[str, ...]:
        """A shorter word for the same: `hit` for `a critical hit`, `pushed` for `pushed NE`."""
        words = self.outcome.split(" ")
        parts = [" ".join(some) for at in range(1, len(words)) for some in (words[:at], words[at:])]
        return (*parts, *(f"is {part}" for part in parts))

    def arithmetic(self) -> str:
        numbers, came = self._numbers(), self.outcome.rpartition(": ")[2]
        came = came if came in _CAME_OFF else self.outcome
        return ": ".join(filter(None, (numbers, came))) if numbers or not self.told() else ""

    def _numbers(self) -> str:
        """The numbers that were compared, or those that are not part of another one; behind the face of a die that
        decides against them, or without any.
        """
        face, numbers = self.natural, self.numbers
        against = face and (not numbers[1:] or (numbers[0].total >= numbers[1].total) == (face == 1))
        if self.sign or face:
            relation = f" {self._relation()} ".join(number.told() for number in numbers)
            return f"natural {face}: {relation}" if against else relation
        told = ", ".join(one.told() for one in self._main())
        return told.removeprefix(f"{numbers[0].of} ") if numbers and self.clause == _FREE else told

    @property
    def natural(self) -> int:
        """The lowest or highest face of a die, such as the 20 of a d20, that decides by itself where two numbers are
        not compared; 0 where nothing was decided so.
        """
        if self.sign or self.numbers[2:] or self.outcome.rpartition(" ")[2] not in _COMES_OFF:
            return 0
        for one in [number.steps[0] for number in self.numbers if number.steps]:
            die = one.reason.rstrip("*").rpartition(" ")[2]  # `d20`, `higher d20`
            if die[:1] == "d" and die[1:].isdecimal() and one.value in (1, int(die[1:])):
                return one.value
        return 0

    def compared(self) -> str:
        """The sums that were compared, without their arithmetic: `19 > 12`."""
        return f" {self._relation()} ".join(str(number.total) for number in self.numbers)

    def sums(self) -> Sentence:
        """The results of these numbers without their arithmetic: `damage 0`, rolls 7 to stay awake; nothing for a
        comparison, and for a step on the way.
        """
        main = [] if self.sign or self.aside else self._main()
        if self.clause != _FREE or not main:
            return alone(", ".join(f"{one.of} {one.total}" for one in main))
        what, total = main[0].of, main[0].total
        led = "" if what == "a roll" else f" {what}" if what.startswith("to ") else f" for {what}"
        return (self.who, " ", f"rolls {total}{led}") if self.who else alone(f"{what}: {total}")

    def _main(self) -> list[Number]:
        """The numbers that are not part of another one."""
        reasons = {step.reason for number in self.numbers for step in number.steps if step.reason != number.of}
        return [one for one in self.numbers if one.of not in reasons or one.steps[1:]]

    def _relation(self) -> str:
        """The sign of a comparison that is true; otherwise the sign that is true for the two numbers."""
        if len(self.numbers) != 2:
            return self.sign
        left, right = (number.total for number in self.numbers)
        if not self.sign:
            return ">=" if left >= right else "<"
        holds = {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right, "=": left == right}
        if holds.get(self.sign, True):
            return self.sign
        return "<" if left < right else ">" if left > right else "="


class Passage(Event, tag="passage"):
    """What follows, up to the next of its kind, is what one does to another; where none is named, what was declared."""

    OPEN = ("who", "target")
    who: str = ""
    """Who acts; "" for nobody, as where somebody bleeds."""
    target: str = ""
    """The one, or the group, to whom it is done. Behind a passage within another one the outer one is named again."""


class Overruled(Event, tag="overruled"):
    """The game master allowed what a rule refuses."""

    OPEN = ("clause",)
    clause: str
    """The clause that refuses."""
    VAGUE = "allowed by the game master: {clause}"
    why: str
    """Why the rule refuses it."""
    reason: str
    """The game master's reason."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clause that refuses."""
        return (self.clause,)

    def arithmetic(self) -> str:
        return f"overruled {self.clause}: {self.why.rstrip('.')}"


class Noted(Event, tag="noted"):
    """A note in the record. Changes nothing."""

    text: str
    """The line."""
    who: str = ""
    """Whom it concerns; "" for nobody in particular."""

    def sentence(self) -> Sentence:
        return (self.who, ": ", self.text) if self.who else alone(self.text)


class DiceSetAside(Event, tag="dice-set-aside"):
    """Dice that somebody threw for what was then not done, or done without them. Changes nothing."""

    OPEN = ("who",)
    who: str
    """Whose dice; "" for nobody's in particular."""
    faces: tuple[int, ...]
    """In the order thrown, each by hand."""
    purpose: str
    """What they were thrown for, in the word of the rule; "" where nobody knows it."""
    why: str
    """Why they were not used."""
    VAGUE = "{who}'s dice are set aside"

    def sentence(self) -> Sentence:
        thrown = "+".join(f"{face}*" for face in self.faces)
        what = (
            f"{thrown}{f' for {self.purpose}' if self.purpose else ''} set aside{f', {self.why}' if self.why else ''}"
        )
        return (self.who, ": ", what) if self.who else alone(what)
