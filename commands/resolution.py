"""Resolution: what a rule's procedure sees of the table, and how it rolls, rules, records and refuses.

The same procedure runs live, in a preview and in an audit; only the source of the dice differs. It has no other
inputs: no clock, no randomness, no file.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

import msgspec

from ledger.dice import parse
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Awaited, Declared, Event, Number, Overruled, Rolled, Ruled, Settled, Step
from projections.state import State, fold

from . import systems
from .declaration import Declaration
from .dice_sources import LEFT_OUT, Question, Source, Typed

SIGNS = {
    ">": int.__gt__,
    ">=": int.__ge__,
    "=": int.__eq__,
    "<=": int.__le__,
    "<": int.__lt__,
}
"""How two totals can be compared."""


class Needed(AffrayError):
    """A rule asks for dice that nobody has thrown. `rolls` are all the rolls asked for so far, in order."""

    reference = "dice"

    def __init__(self, rolls: "list[Roll]") -> None:
        self.rolls = rolls
        super().__init__(
            f"More dice are needed than were given; so far, in this order: {listed(rolls)}.",
            "Give them all: --dice 14,6 - or have them asked one by one: --dice ask - or rolled: --dice roll.",
        )


class Roll:
    """A roll of one or more dice. Reading it before its dice are known raises Needed."""

    def __init__(self, fight: "Resolution", who: str, dice: str, purpose: str, about: str) -> None:
        self.who, self.dice, self.purpose, self.about = who, dice, purpose, about
        self.faces: tuple[int, ...] = ()
        """In the order rolled; empty while they are not known, and when the dice were left out."""
        self.known = False
        self._fight = fight

    @property
    def natural(self) -> int:
        """The face of the only die."""
        (only,) = self._read()
        return only

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self._read())

    def shows(self, face: int) -> bool:
        """Whether the only die is known to show this face."""
        return self.faces == (face,)

    def number(self, of: str = "") -> Number:
        """A sum that starts with this roll."""
        faces = f" [{'+'.join(map(str, self.faces))}]" if len(self.faces) > 1 else ""
        dice = self.dice[self.dice.startswith("1d") :]
        return Number(of or self.purpose, (Step(self.total, dice + faces),), self.total)

    def _read(self) -> tuple[int, ...]:
        if not self.known:
            raise Needed(self._fight.asked)
        return self.faces


def listed(rolls: "Sequence[Roll]") -> str:
    """Which dice, whose and for what, in the order in which they are thrown."""
    return ", ".join(
        f"{roll.who or 'the table'} {roll.dice} for {roll.purpose}{f' ({roll.about})' if roll.about else ''}"
        for roll in rolls
    )


class Resolution:
    """One action, while it is being resolved."""

    def __init__(self, state: State, verb: str, declaration: Declaration, source: Source, allow: str = "") -> None:
        self.state = state
        """The state as it is after everything recorded so far."""
        self.declaration = declaration
        self.events: list[Event] = []
        self.asked: list[Roll] = []
        self.allow = allow
        self._source = source
        self._times: dict[tuple[str, str, str], int] = {}
        self._sheets: dict[str, Any] = {}
        self.record(Declared(verb, msgspec.to_builtins(declaration), allow))

    # What is so

    @property
    def opening(self) -> State:
        """The state from which a simultaneous phase is resolved; the present one where nothing is simultaneous."""
        return self.state.opening or self.state

    def option(self, name: str) -> Any:
        """The value of a house rule."""
        options = self.state.campaign.options
        return options[name] if name in options else systems.load(self.state.campaign.system).options[name].default

    def sheet(self, who: str) -> Any:
        """The stat block of a combatant, in the type of its rule system."""
        if who not in self._sheets:
            raw = self.state.roster.members[who].sheet
            self._sheets[who] = sheet_decoder(self.state.campaign.system).decode(raw)
        return self._sheets[who]

    # What happens

    def roll(self, who: str, dice: str, purpose: str, about: str = "", optional: bool = False) -> Roll:
        """Rolls dice, such as `1d20` or `2d6+1d4`, and records them.

        An `optional` roll is left out when dice are thrown by hand and nobody threw it; it then shows nothing.
        """
        sides, _ = parse(dice)
        asked = (who, purpose, about)
        time = self._times[asked] = self._times.get(asked, -1) + 1
        answers = [self._source.answer(Question(*asked, time, die, size), optional) for die, size in enumerate(sides)]
        roll = Roll(self, who, dice, purpose, about)
        self.asked.append(roll)
        thrown = [answer for answer in answers if answer and answer is not LEFT_OUT]
        if None not in answers and len(thrown) in (0, len(sides)):
            roll.known, roll.faces = True, tuple(answer.face for answer in thrown)
            self.record(Rolled(who, purpose, about, dice, roll.faces, tuple(answer.place for answer in thrown)))
        return roll

    def compare(
        self,
        clause: str,
        left: Number,
        sign: str,
        right: Number,
        who: str = "",
        about: str = "",
        yes: str = "yes",
        no: str = "no",
    ) -> bool:
        """Compares two numbers by a clause, records both with their arithmetic, and answers.

        `yes` and `no` are the table's words for the two outcomes, such as hit and miss.
        """
        holds = SIGNS[sign](left.total, right.total)
        self.record(Ruled(clause, who, about, (left, right), sign, yes if holds else no))
        return holds

    def rule(self, clause: str, outcome: str, numbers: Sequence[Number] = (), who: str = "", about: str = "") -> str:
        """Records what a clause comes to, with the numbers it computes, and gives the outcome."""
        self.record(Ruled(clause, who, about, tuple(numbers), "", outcome))
        return outcome

    def record(self, event: Event) -> None:
        """Records a fact; it is part of the state at once."""
        self.events.append(event)
        self.state = fold(self.state, (event,))

    def wait(
        self,
        kind: str,
        who: str,
        verb: str,
        said: dict[str, Any] | None = None,
        answerable: Sequence[str] = (),
        until: str = "",
    ) -> None:
        """Lets something wait: what is left to do, who may answer it while nobody else may act, when it lapses."""
        self.record(Awaited(kind, who, verb, said or {}, tuple(answerable), until))

    def settle(self, kind: str, who: str, how: str) -> dict[str, Any]:
        """Settles what waits, if anything of that kind does for `who`, and gives what was left to do."""
        waiting = self.state.pending.of(kind, who)
        if waiting is None:
            return {}
        self.record(Settled(kind, who, how))
        return waiting.said

    def refuse(self, clause: str, message: str, hint: str = "") -> None:
        """Refuses by a clause: nothing of the action is recorded. Returns only when the referee allows it."""
        if not self.allow:
            raise Refused(clause, message, hint)
        self.record(Overruled(clause, message, self.allow))

    def impossible(self, message: str, hint: str = "") -> NoReturn:
        """Stops what has no meaning, whatever the referee allows. Nothing is recorded."""
        raise UsageError(message, hint)


def _hold_up(fight: Resolution) -> None:
    """Refuses what does not answer the open window."""
    window = fight.state.pending.window
    assert window is not None
    fight.refuse(
        systems.load(fight.state.campaign.system).window,
        f"{window.who}'s {window.verb} waits for an answer of {' or '.join(window.answerable)}.",
        f"affray opportune {window.answerable[0]}, or affray resolve to go on without.",
    )


@cache
def sheet_decoder(system: str) -> "msgspec.json.Decoder[Any]":
    """Reads the stat blocks of a rule system."""
    return msgspec.json.Decoder(import_module(f"commands.{system}.sheet").Sheet)


def resolve(state: State, verb: str, declaration: Declaration, source: Source, allow: str = "") -> Resolution:
    """Resolves a declaration from a state, and gives what would be recorded.

    Raises Refused when a rule says no, UsageError when the words or the dice make no sense, and Needed when dice
    are missing.
    """
    found = systems.find_verb(state.campaign.system, verb)
    procedure, _ = systems.procedure(found)
    fight = Resolution(state, verb, declaration, source, allow)
    if state.pending.window and not found.answers and verb not in systems.COMMON:
        _hold_up(fight)
    procedure(fight, declaration)
    if not all(roll.known for roll in fight.asked):
        raise Needed(fight.asked)
    if isinstance(source, Typed) and source.rest:
        needed = f"Needed, in this order: {listed(fight.asked)}." if fight.asked else "This rolls no dice."
        raise UsageError(f"Too many dice: {', '.join(map(str, source.rest[:5]))} left over. {needed}")
    return fight
